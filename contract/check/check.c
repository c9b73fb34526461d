/* Checks an image against expectations and reports facts that are broken or skipped. */
#include "contract/check/expect.h"

#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/check/pattern.h"
#include "core/grow.h"
#include "core/memory.h"

enum { MAX_LISTED = 120, MAX_SENTENCE = 800 };

typedef struct check {
    stn_image *image;
    const stn_expectations *all;
    const stn_expectation *expectation; /* the current one */
    FILE *report;                       /* may be NULL */
    stn_contract_result *result;
    unsigned char *broken; /* one byte per fact of an expectation */
    stn_status missing;    /* status for the first missing function */
    char sentence[MAX_SENTENCE];
} check;

static void begin_line(const check *c, stn_text_position position)
{
    fprintf(c->report, "%s:%" PRId32 ":%" PRId32 ": ", c->all->name, position.line,
            position.column);
}

static const char *compiler_of(const check *c)
{
    return c->image->compiler ? c->image->compiler : "";
}

static void skip(check *c, const char *reason)
{
    c->result->skipped += c->expectation->fact_count;
    if (!c->report)
        return;
    begin_line(c, c->expectation->position);
    fprintf(c->report, "skipped: %s @%s: %s\n", c->expectation->function, c->expectation->target,
            reason);
}

/* ---- facts ---- */

static void print_number(int64_t thousandths, FILE *file)
{
    int64_t part = thousandths % STN_FACT_UNIT;
    int digits = 3;
    fprintf(file, "%" PRId64, thousandths / STN_FACT_UNIT);
    if (part == 0)
        return;
    for (; part % 10 == 0; part /= 10)
        digits--;
    fprintf(file, ".%0*" PRId64, digits, part);
}

/* Result of a fact: holds, broken, or cannot be determined. */
typedef enum verdict { HOLDS, BROKEN, UNKNOWN } verdict;

/* Exact for values below 2^53, which bytes of an iteration are. */
static verdict judge(const stn_fact *fact, const stn_measure *measure)
{
    int64_t left, right;
    if (measure->absent)
        return measure->hidden ? UNKNOWN : BROKEN;
    if (__builtin_mul_overflow(measure->value, STN_FACT_UNIT, &left) ||
        __builtin_mul_overflow(fact->number, measure->per, &right))
        return BROKEN;
    const int holds = stn_relation_holds(left, fact->relation, right);
    int survives_more = !measure->may_be_more, survives_less = !measure->may_be_less;
    switch (fact->relation) {
    case STN_RELATION_EQUAL:
    case STN_RELATION_NOT_EQUAL: /* the true value differs from the bound on the side of the known
                                    value */
        survives_more |= left > right;
        survives_less |= left < right;
        break;
    case STN_RELATION_LESS:
    case STN_RELATION_AT_MOST:
        survives_more |= !holds;
        survives_less |= holds;
        break;
    case STN_RELATION_MORE:
    case STN_RELATION_AT_LEAST:
        survives_more |= holds;
        survives_less |= !holds;
        break;
    }
    return !survives_more || !survives_less ? UNKNOWN : holds ? HOLDS : BROKEN;
}

static const char *describe_lost(const stn_code *code, int32_t i)
{
    return i + 1 == code->count && code->instructions[i].flow == STN_FLOW_NEXT
               ? "does not end the function, and execution continues after its last byte"
               : "jumps to an address at which no instruction begins";
}

/* Describes what instruction i hides. */
static const char *hides_how(const stn_code *code, int32_t i, int hidden)
{
    const stn_machine_instruction *at = code->instructions + i;
    if (hidden & (STN_HIDDEN_CYCLES | STN_HIDDEN_ROUNDS))
        return code->in_cycle[i] == STN_CYCLE_RETURNS
                   ? "returns from code to which no path is visible, such as an exception handler"
                   : "is in a cycle with several entries, which is not a natural loop";
    if (stn_code_is_unsized(at, hidden & STN_HIDDEN_LOADED, hidden & STN_HIDDEN_STORED))
        return "moves a number of bytes that the instruction does not contain";
    if (at->repeats)
        return "repeats an unknown number of times";
    if (at->operation == STN_OP_UNKNOWN)
        return "is unknown";
    if (at->flow == STN_FLOW_INDIRECT)
        return "jumps to an unknown target";
    if (hidden == STN_HIDDEN_REGISTERS && at->flow != STN_FLOW_CALL)
        return "uses unknown registers";
    if (at->is_lost)
        return describe_lost(code, i);
    if (stn_code_leaves(code, at))
        return "leaves the function (calls=left-out ignores this)";
    return "may access the same bytes as another instruction, so that some are counted twice";
}

/* Prints the instruction that hides part of a quantity, and why. */
static void report_hiding(const check *c, int32_t function, int32_t loop, int hidden)
{
    const stn_code *code = c->image->codes + function;
    const int32_t i = stn_code_hiding(code, loop, hidden);
    if (i < 0)
        return;
    const stn_machine_instruction *at = code->instructions + i;
    fprintf(c->report, ": '%s' at %" PRIx64 " %s", code->text + at->text, at->address,
            hides_how(code, i, hidden));
}

static int32_t loop_of(const stn_subject *subject)
{
    return subject->loop == STN_LOOP_MAIN ? subject->function->main_loop : subject->loop;
}

/* Prints the instructions that matched most of a sequence, and the missing step. */
static void report_nearest(const check *c, int32_t function, const stn_fact *fact,
                           const stn_pattern_result *found)
{
    const stn_code *code = c->image->codes + function;
    const stn_machine_instruction *from = code->instructions + found->near_from;
    const stn_machine_instruction *to = code->instructions + found->near_to;
    if (found->near == 0)
        return;
    fprintf(c->report, ": the nearest match is '%s' at %" PRIx64, code->text + from->text,
            from->address);
    if (to != from)
        fprintf(c->report, " to '%s' at %" PRIx64, code->text + to->text, to->address);
    if (found->lacks >= 0) {
        const stn_step *step = fact->pattern->steps + found->lacks;
        fprintf(c->report, ", which '%.*s' does not follow", (int)step->length,
                fact->pattern->text + step->start);
    }
}

static void report_fact(const check *c, const stn_subject *subject, int32_t function,
                        const stn_fact *fact, const stn_measure *measure, verdict found)
{
    begin_line(c, fact->position);
    if (fact->pattern)
        fprintf(c->report, "broken: sequence \"%s\" ", fact->pattern->text);
    else
        fprintf(c->report, "broken: %s ", stn_quantity_name(fact->quantity));
    fprintf(c->report, "%s ", stn_relation_text(fact->relation));
    print_number(fact->number, c->report);
    if (found == UNKNOWN)
        fputs(" cannot be determined", c->report);
    else if (measure->absent)
        fprintf(c->report, ", but %s", measure->absent);
    else
        fprintf(c->report, ", found %.6g", (double)measure->value / (double)measure->per);
    if (found == UNKNOWN)
        report_hiding(c, function, loop_of(subject), measure->hidden);
}

/* Counts the broken facts. */
static stn_status check_facts(const check *c, const stn_subject *subject, int32_t function,
                              int32_t *broken)
{
    *broken = 0;
    for (int32_t f = 0; f < c->expectation->fact_count; f++) {
        const stn_fact *fact = c->all->facts + c->expectation->first_fact + f;
        stn_pattern_result sequence = {.near = 0};
        if (fact->pattern)
            STN_TRY(stn_pattern_find(fact->pattern, c->image->codes + function, loop_of(subject),
                                     &sequence));
        const stn_measure measure =
            fact->pattern ? stn_sequence_measure(sequence.count, sequence.is_lost, subject)
                          : stn_quantity_measure(fact->quantity, subject);
        const verdict found = judge(fact, &measure);
        c->broken[f] = found != HOLDS;
        *broken += c->broken[f];
        if (!c->broken[f] || !c->report)
            continue;
        report_fact(c, subject, function, fact, &measure, found);
        if (sequence.count == 0)
            report_nearest(c, function, fact, &sequence);
        fputc('\n', c->report);
    }
    return STN_OK;
}

/* ---- details of a broken contract ---- */

static void describe_subject(const check *c, const stn_subject *subject)
{
    fprintf(c->report, "  %s (%s", subject->function->name, subject->function->target);
    if (*compiler_of(c))
        fprintf(c->report, ", %s", compiler_of(c));
    if (subject->loop == STN_LOOP_NONE)
        fputs("), the whole function:\n", c->report);
    else if (subject->loop == STN_LOOP_MAIN)
        fprintf(c->report, "), its main loop, %" PRId32 " of %" PRId32 ":\n",
                subject->function->main_loop, subject->function->loops);
    else
        fprintf(c->report, "), loop %" PRId32 " of %" PRId32 ":\n", subject->loop,
                subject->function->loops);
}

static stn_status show(const check *c, const stn_subject *subject, int32_t function)
{
    const stn_code *code = c->image->codes + function;
    stn_print_causes(code, subject, c->all, c->expectation, c->broken, c->report);
    describe_subject(c, subject);
    return stn_code_print(code, subject->loop, MAX_LISTED, 0, c->report);
}

/* Reasons that can hide loops of the function. */
static int hides_loops(const stn_code *code)
{
    int hidden = code->irreducible > 0 ? STN_HIDDEN_CYCLES : 0;
    for (int32_t i = 0; i < code->count && !hidden; i++)
        if (stn_code_is_unresolved_jump(code, i) || code->instructions[i].is_lost)
            hidden = STN_HIDDEN_JUMPS;
    return hidden;
}

/* If the loop does not exist, every fact about it is broken. */
static stn_status break_all(check *c, const stn_function_info *info, int32_t function)
{
    const int hidden = hides_loops(c->image->codes + function);
    c->result->broken += c->expectation->fact_count;
    if (!c->report)
        return STN_OK;
    begin_line(c, c->expectation->position);
    if (info->loops > 0)
        fprintf(c->report,
                "broken: %s has no loop %" PRId32 "; it has %" PRId32 ", numbered from 0",
                info->name, c->expectation->loop, info->loops);
    else if (hidden)
        fprintf(c->report, "broken: the loops of %s cannot be determined", info->name);
    else
        fprintf(c->report,
                "broken: %s has no loops (the loop was unrolled, removed or replaced by a call)",
                info->name);
    if (info->loops == 0 && hidden)
        report_hiding(c, function, STN_LOOP_NONE, hidden);
    fputc('\n', c->report);
    return STN_OK;
}

static int has_loop(const stn_function_info *info, int32_t loop)
{
    return loop == STN_LOOP_NONE || (loop == STN_LOOP_MAIN ? info->loops > 0 : loop < info->loops);
}

static stn_status check_function(check *c, int32_t function)
{
    const int32_t loop = c->expectation->loop;
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    STN_TRY(stn_image_function(c->image, function, &info));
    if (!has_loop(&info, loop))
        return break_all(c, &info, function);
    STN_TRY(stn_image_count(c->image, function, loop, &counts));
    const stn_subject subject = {&counts, &info, loop, c->expectation->leaves_out_calls};
    int32_t broken;
    STN_TRY(check_facts(c, &subject, function, &broken));
    c->result->broken += broken;
    c->result->held += c->expectation->fact_count - broken;
    return broken && c->report ? show(c, &subject, function) : STN_OK;
}

/* ---- functions ---- */

static int is_named(const stn_symbol *symbol, const stn_expectation *expectation,
                    const regex_t *expression)
{
    if (expectation->is_expression)
        return regexec(expression, symbol->name, 0, NULL, 0) == 0;
    return strcmp(symbol->symbol, expectation->function) == 0;
}

/* Is the symbol's target selected, whatever its name? */
static int is_meant(const check *c, const stn_symbol *symbol)
{
    return stn_target_matches(c->expectation->target, symbol->target, c->image->built_for);
}

static stn_status note_missing(check *c, const char *sentence)
{
    if (c->missing == STN_OK)
        snprintf(c->sentence, sizeof c->sentence, "%s", sentence);
    c->missing = STN_ERR_RANGE;
    c->result->broken += c->expectation->fact_count;
    if (c->report)
        fprintf(c->report, "%s\n", sentence);
    return STN_OK;
}

static stn_status complain(check *c, const char *what, const char *reason)
{
    char sentence[MAX_SENTENCE];
    const stn_expectation *expectation = c->expectation;
    const char *slash = expectation->is_expression ? "/" : "";
    snprintf(sentence, sizeof sentence,
             "%.100s:%" PRId32 ":%" PRId32 ": %s function %s%.80s%s in %.100s%s", c->all->name,
             expectation->position.line, expectation->position.column, what, slash,
             expectation->function, slash, c->image->name, reason);
    return note_missing(c, sentence);
}

static stn_status complain_missing(check *c)
{
    char reason[STN_REASON_MISSING];
    if (!stn_image_why_missing(c->image,
                               c->expectation->is_expression ? NULL : c->expectation->function,
                               reason, sizeof reason))
        snprintf(reason, sizeof reason, "%s",
                 "; it may have been inlined or merged with an identical function (functions with "
                 "external linkage or noinline are kept), or be spelled differently");
    return complain(c, "there is no", reason);
}

static int is_requested(const check *c, int32_t function, const regex_t *expression)
{
    const stn_symbol *symbol = c->image->symbols + function;
    return is_meant(c, symbol) && is_named(symbol, c->expectation, expression) &&
           !stn_image_is_superseded(c->image, function);
}

/* One function of the name per target: kernels for two architectures are both checked. */
static stn_status check_named(check *c, const regex_t *expression)
{
    const stn_image *image = c->image;
    int32_t first = -1;
    for (int32_t f = 0; f < image->count; f++) {
        if (!is_requested(c, f, expression))
            continue;
        if (first >= 0 && strcmp(image->symbols[f].target, image->symbols[first].target) == 0)
            return complain(c, "there is more than one", "; check the object of one of them");
        first = first < 0 ? f : first;
    }
    if (first < 0)
        return complain_missing(c);
    for (int32_t f = first; f < image->count; f++)
        if (is_requested(c, f, expression))
            STN_TRY(check_function(c, f));
    return STN_OK;
}

/* ---- contracts ---- */

static const char *machine_target(stn_machine machine)
{
    static const char *const targets[] = {"x86-64", "aarch64", "sm_*"};
    return targets[machine];
}

/* Does the file contain code for the target? */
static int has_target(const check *c)
{
    for (int32_t f = 0; f < c->image->count; f++)
        if (is_meant(c, c->image->symbols + f))
            return 1;
    return c->image->count == 0 &&
           stn_target_matches(c->expectation->target, machine_target(c->image->machine), "");
}

static int follows_rules(check *c)
{
    char reason[160];
    for (int r = 0; r < c->expectation->rule_count; r++)
        if (!stn_compiler_follows(c->expectation->rules + r, compiler_of(c), reason,
                                  sizeof reason)) {
            skip(c, reason);
            return 0;
        }
    return 1;
}

static stn_status check_expectation(check *c)
{
    regex_t expression;
    if (!has_target(c)) {
        skip(c, *c->image->built_for
                    ? "the file has no code for it; it was built for the level that was given"
                    : "the file has no code for it");
        return STN_OK;
    }
    if (!follows_rules(c))
        return STN_OK;
    if (!c->expectation->is_expression)
        return check_named(c, NULL);
    if (regcomp(&expression, c->expectation->function, REG_EXTENDED | REG_NOSUB))
        return stn_fail(STN_ERR_MEMORY, "no memory for a regular expression");
    const stn_status status = check_named(c, &expression);
    regfree(&expression);
    return status;
}

static stn_status check_all(check *c)
{
    int32_t maximum = 0;
    for (int32_t e = 0; e < c->all->count; e++)
        maximum = c->all->list[e].fact_count > maximum ? c->all->list[e].fact_count : maximum;
    STN_TRY(stn_allocate(&c->broken, maximum, 1, "a contract's facts"));
    stn_status status = STN_OK;
    for (int32_t e = 0; e < c->all->count && status == STN_OK; e++) {
        c->expectation = c->all->list + e;
        status = check_expectation(c);
    }
    stn_free(c->broken);
    if (status == STN_OK && c->missing != STN_OK)
        return stn_fail(c->missing, "%s", c->sentence);
    return status;
}

stn_status stn_contract_check_text(stn_image *image, const char *text, const char *name,
                                   FILE *report, stn_contract_result *result)
{
    stn_expectations all;
    stn_contract_result found = STN_CONTRACT_RESULT_INIT;
    STN_TRY(
        STN_STRUCT_CHECK(result, stn_contract_result, broken, "stn_contract_check_text: result"));
    if (!image || !text || !name)
        return stn_fail(STN_ERR_ARGUMENT, "stn_contract_check_text: %s is NULL",
                        !image  ? "image"
                        : !text ? "text"
                                : "name");
    STN_STRUCT_WRITE(result, &found, stn_contract_result);
    STN_TRY(stn_expectations_parse(text, name, &all));
    check c = {.image = image, .all = &all, .report = report, .result = &found};
    const stn_status status = check_all(&c);
    stn_expectations_release(&all);
    STN_STRUCT_WRITE(result, &found, stn_contract_result);
    return status;
}
