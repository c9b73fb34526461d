/* Search for a pattern. A term is the rest of a pattern; an instruction transforms it into the next
 * rest (partial derivatives: Antimirov, 1996). All alternatives advance in parallel, so that
 * nothing is tried twice. */
#include "contract/check/pattern.h"

#include <string.h>

#include "core/memory.h"

/* ---- terms ---- */

static int is_optional(const stn_pattern *pattern, const stn_term *term)
{
    const int a = term->a >= 0 && pattern->terms[term->a].is_optional;
    const int b = term->b >= 0 && pattern->terms[term->b].is_optional;
    switch (term->kind) {
    case STN_TERM_NOTHING:
        return 1;
    case STN_TERM_STEP:
        return 0;
    case STN_TERM_EITHER:
        return a || b;
    case STN_TERM_REPEAT:
        return term->least == 0 || a;
    default:
        return a && b;
    }
}

int stn_pattern_term(stn_pattern *pattern, stn_term term)
{
    if (term.kind == STN_TERM_BOTH && term.a > term.b)
        term = (stn_term){.kind = term.kind, .a = term.b, .b = term.a};
    const int joins = term.kind == STN_TERM_SEQUENCE || term.kind == STN_TERM_BOTH;
    if (joins && pattern->terms[term.a].kind == STN_TERM_NOTHING)
        return term.b;
    if (joins && pattern->terms[term.b].kind == STN_TERM_NOTHING)
        return term.a;
    if (term.kind == STN_TERM_REPEAT && term.maximum == 0)
        term = (stn_term){.kind = STN_TERM_NOTHING, .a = -1, .b = -1};
    if (term.kind == STN_TERM_STEP)
        term.b = -1;
    else
        term.is_optional = (uint8_t)is_optional(pattern, &term);
    for (int t = 0; t < pattern->term_count; t++) {
        const stn_term *other = pattern->terms + t;
        if (other->kind == term.kind && other->a == term.a && other->b == term.b &&
            other->least == term.least && other->maximum == term.maximum)
            return t;
    }
    if (pattern->term_count == STN_MAX_TERMS)
        return -1;
    pattern->terms[pattern->term_count] = term;
    return pattern->term_count++;
}

/* ---- partial matches ---- */

typedef struct way {
    int term;
    int32_t from, last; /* matched instructions: first, last, count */
    int32_t known;
    stn_binding bindings[STN_MAX_NAMES];
} way;

typedef struct ways {
    way *list;
    int count;
} ways;

typedef struct search {
    stn_pattern *pattern;
    const stn_code *code;
    ways now, next;
    stn_pattern_result *result;
} search;

static int is_known(const stn_step *step)
{
    return *step->mnemonic || step->expression || step->operand_count > 0;
}

static int same_way(const way *one, const way *other)
{
    int same = one->term == other->term;
    for (int n = 0; n < STN_MAX_NAMES && same; n++) {
        const stn_binding *a = one->bindings + n, *b = other->bindings + n;
        same = (a->start != NULL) == (b->start != NULL) && a->length == b->length &&
               (a->start == b->start || memcmp(a->start, b->start, (size_t)a->length) == 0);
    }
    return same;
}

/* Of two equal partial matches, the one that began first is kept. */
static void add_way(search *s, const way *added)
{
    if (added->term < 0) {
        s->result->is_lost = 1;
        return;
    }
    for (int w = 0; w < s->next.count; w++)
        if (same_way(s->next.list + w, added))
            return;
    if (s->next.count == STN_MAX_THREADS)
        s->result->is_lost = 1;
    else
        s->next.list[s->next.count++] = *added;
}

/* The continuation after the part of a term that an instruction matches, innermost first. */
typedef struct rest {
    const struct rest *outer;
    stn_term_kind kind; /* STN_TERM_SEQUENCE or STN_TERM_BOTH */
    int term;
} rest;

static int with_rest(stn_pattern *pattern, int term, const rest *after)
{
    for (; after && term >= 0 && after->term >= 0; after = after->outer)
        term = stn_pattern_term(pattern, (stn_term){.kind = (uint8_t)after->kind,
                                                    .a = (int16_t)term,
                                                    .b = (int16_t)after->term});
    return after ? -1 : term;
}

static void take_step(search *s, const way *from, int32_t instruction, int number,
                      const rest *after)
{
    const stn_step *step = s->pattern->steps + number;
    way on = *from;
    const char *text = s->code->text + s->code->instructions[instruction].text;
    if (!stn_step_takes(step, text, on.bindings))
        return;
    if (is_known(step)) {
        on.from = on.known ? on.from : instruction;
        on.last = instruction;
        on.known++;
    }
    const stn_term nothing = {.kind = STN_TERM_NOTHING, .a = -1, .b = -1};
    on.term = with_rest(s->pattern, stn_pattern_term(s->pattern, nothing), after);
    add_way(s, &on);
}

static void take(search *s, const way *from, int32_t instruction, int number, const rest *after)
{
    const stn_term term = s->pattern->terms[number];
    rest inner = {after, STN_TERM_SEQUENCE, term.b};
    switch (term.kind) {
    case STN_TERM_STEP:
        take_step(s, from, instruction, term.a, after);
        break;
    case STN_TERM_SEQUENCE:
        take(s, from, instruction, term.a, &inner);
        if (s->pattern->terms[term.a].is_optional)
            take(s, from, instruction, term.b, after);
        break;
    case STN_TERM_EITHER:
        take(s, from, instruction, term.a, after);
        take(s, from, instruction, term.b, after);
        break;
    case STN_TERM_BOTH:
        inner.kind = STN_TERM_BOTH;
        take(s, from, instruction, term.a, &inner);
        inner.term = term.a;
        take(s, from, instruction, term.b, &inner);
        break;
    case STN_TERM_REPEAT: {
        stn_term again = term;
        again.least -= again.least > 0;
        again.maximum -= again.maximum > 0 && again.maximum < INT32_MAX;
        inner.term = stn_pattern_term(s->pattern, again);
        take(s, from, instruction, term.a, &inner);
        break;
    }
    default:
        break;
    }
}

/* ---- matches ---- */

/* The first step of the rest of a pattern. */
static int first_step(const stn_pattern *pattern, int number)
{
    const stn_term *term = pattern->terms + number;
    if (term->kind == STN_TERM_STEP || term->kind == STN_TERM_NOTHING)
        return term->a;
    const int first = first_step(pattern, term->a);
    const int passes = first < 0 || (pattern->terms[term->a].is_optional && term->b >= 0) ||
                       !is_known(pattern->steps + first);
    const int second = term->b >= 0 && passes ? first_step(pattern, term->b) : -1;
    return second >= 0 ? second : first;
}

static void note_nearest(search *s, const way *come)
{
    stn_pattern_result *result = s->result;
    if (come->known <= result->near)
        return;
    result->near = come->known;
    result->near_from = come->from;
    result->near_to = come->last;
    result->lacks = first_step(s->pattern, come->term);
}

static void go_on(search *s, int32_t instruction)
{
    const way begin = {.term = s->pattern->root};
    s->next.count = 0;
    for (int w = 0; w < s->now.count; w++)
        take(s, s->now.list + w, instruction, s->now.list[w].term, NULL);
    take(s, &begin, instruction, begin.term, NULL);
    const ways swap = s->now;
    s->now = s->next;
    s->next = swap;
    for (int w = 0; w < s->now.count; w++) {
        if (s->pattern->terms[s->now.list[w].term].is_optional) {
            s->result->count++;
            s->now.count = 0; /* the next match begins after this one */
            return;
        }
        note_nearest(s, s->now.list + w);
    }
}

static int is_meant(const stn_code *code, int32_t loop, int32_t instruction)
{
    return loop < 0 || code->loop_of[instruction] == loop;
}

stn_status stn_pattern_find(stn_pattern *pattern, const stn_code *code, int32_t loop,
                            stn_pattern_result *result)
{
    way *memory;
    *result = (stn_pattern_result){.lacks = -1};
    STN_TRY(stn_allocate(&memory, 2 * STN_MAX_THREADS, sizeof *memory, "a sequence"));
    search s = {pattern, code, {memory, 0}, {memory + STN_MAX_THREADS, 0}, result};
    const int terms = pattern->term_count;
    const int32_t last =
        loop < 0 ? code->count - 1 : code->loops[loop].last - code->loops[loop].first;
    for (int32_t k = 0; k <= last && !result->is_lost; k++) {
        const int32_t i = loop < 0 ? k : stn_loop_at(&code->loops[loop], k);
        if (is_meant(code, loop, i))
            go_on(&s, i);
    }
    pattern->term_count = terms;
    stn_free(memory);
    return STN_OK;
}
