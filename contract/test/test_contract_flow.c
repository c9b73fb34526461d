/* Natural loops: hand-made graphs, and thousands of random ones against the definition: b dominates
 * a when a cannot be reached without b, and a loop is what reaches a jump back without its header.
 */
#include "check.h"
#include "contract/isa/code.h"
#include "core/memory.h"

#include <stdio.h>

enum { MOST = 64 };

/* One instruction: its flow and the index of the instruction it jumps to; -1: unknown. */
typedef struct node {
    stn_flow flow;
    int32_t to;
} node;

/* A jump through a table leads to `to`, and to an instruction that depends on its index. */
static int32_t second_case(const node *nodes, int32_t i, int32_t count)
{
    return (nodes[i].to + 3 * i) % count;
}

static void add_cases(stn_code *code, const node *nodes)
{
    expect_ok(stn_allocate(&code->cases, 2 * (int64_t)code->count, sizeof *code->cases, "test"));
    for (int32_t i = 0; i < code->count; i++) {
        if (nodes[i].flow != STN_FLOW_INDIRECT || nodes[i].to < 0)
            continue;
        code->cases[code->case_count++] = (stn_case){i, nodes[i].to};
        code->cases[code->case_count++] = (stn_case){i, second_case(nodes, i, code->count)};
    }
}

static stn_code create_code(const node *nodes, int32_t count)
{
    stn_code code;
    memset(&code, 0, sizeof code);
    expect_ok(stn_allocate(&code.instructions, count, sizeof *code.instructions, "test"));
    code.count = count;
    for (int32_t i = 0; i < count; i++) {
        stn_machine_instruction *at = &code.instructions[i];
        memset(at, 0, sizeof *at);
        at->address = 4 * (uint64_t)i; /* 0 is an address like others */
        at->bytes = 4;
        at->flow = nodes[i].flow;
        at->target = nodes[i].to < 0 ? STN_NO_TARGET : 4 * (uint64_t)nodes[i].to;
        at->step_register = -1;
    }
    add_cases(&code, nodes);
    expect_ok(stn_code_find_loops(&code));
    return code;
}

/* ---- the definition ---- */

typedef struct oracle {
    int32_t count;
    unsigned char pads[MOST]; /* nothing but nops from the beginning of its block on */
    int is_unresolved;        /* has a jump to an unknown target */
    unsigned char edge[MOST][MOST], back[MOST][MOST]; /* back: from a region to the first one */
    unsigned char dominates[MOST][MOST];
    int32_t region[MOST], entry[MOST + 1];             /* entry: of a region */
    unsigned char is_header[MOST], inside[MOST][MOST]; /* [header][instruction] */
} oracle;

static void add_edges(oracle *o, const node *nodes)
{
    for (int32_t i = 0; i < o->count; i++) {
        const stn_flow flow = nodes[i].flow;
        const int is_table = flow == STN_FLOW_INDIRECT && nodes[i].to >= 0;
        o->is_unresolved |= flow == STN_FLOW_INDIRECT && !is_table;
        if (is_table)
            o->edge[i][second_case(nodes, i, o->count)] = 1;
        if (flow != STN_FLOW_JUMP && flow != STN_FLOW_END && flow != STN_FLOW_INDIRECT &&
            i + 1 < o->count)
            o->edge[i][i + 1] = 1;
        if ((flow == STN_FLOW_JUMP || flow == STN_FLOW_BRANCH || is_table) && nodes[i].to >= 0 &&
            nodes[i].to < o->count)
            o->edge[i][nodes[i].to] = 1;
    }
}

/* Mark what can be reached from `at` without `without`, over instructions whose mark is 0. */
static void reach(const oracle *o, int32_t at, int32_t without, int32_t mark, int32_t *marks)
{
    if (at == without || marks[at])
        return;
    marks[at] = mark;
    for (int32_t next = 0; next < o->count; next++)
        if (o->edge[at][next])
            reach(o, next, without, mark, marks);
}

static void find_pads(oracle *o, const node *nodes)
{
    for (int32_t i = 0; i < o->count; i++) {
        int begins =
            i == 0 || (nodes[i - 1].flow != STN_FLOW_NEXT && nodes[i - 1].flow != STN_FLOW_CALL);
        for (int32_t from = 0; from < o->count; from++)
            begins |= from != i - 1 && o->edge[from][i];
        o->pads[i] = nodes[i].flow == STN_FLOW_NEXT && (begins || o->pads[i - 1]);
    }
}

static void find_regions(oracle *o)
{
    int32_t region = 1;
    reach(o, 0, -1, region, o->region);
    for (int32_t is_led_to = 0; is_led_to < 2; is_led_to++)
        for (int32_t i = 0; i < o->count; i++) {
            int32_t led_to = 0;
            for (int32_t from = 0; from < o->count; from++)
                led_to |= o->edge[from][i];
            if (o->region[i] || led_to > is_led_to)
                continue;
            o->entry[++region] = i;
            reach(o, i, -1, region, o->region);
        }
    for (int32_t i = 0; i < o->count; i++)
        for (int32_t k = 0; k < o->count; k++) {
            o->back[i][k] = o->edge[i][k] && o->region[i] != 1 && o->region[k] == 1 && !o->pads[i];
            o->edge[i][k] &= o->region[i] == o->region[k];
        }
}

static void find_dominators(oracle *o)
{
    for (int32_t above = 0; above < o->count; above++) {
        int32_t marks[MOST] = {0};
        reach(o, o->entry[o->region[above]], above, 1, marks);
        for (int32_t i = 0; i < o->count; i++)
            o->dominates[above][i] = o->region[i] == o->region[above] && !marks[i];
    }
}

static void find_loops(oracle *o)
{
    for (int32_t from = 0; from < o->count; from++)
        for (int32_t header = 0; header < o->count; header++) {
            if (!o->edge[from][header] || !o->dominates[header][from])
                continue;
            o->is_header[header] = o->inside[header][header] = 1;
            for (int32_t i = 0; i < o->count; i++) {
                int32_t marks[MOST] = {0};
                reach(o, i, header, 1, marks);
                if (i != header && marks[from])
                    o->inside[header][i] = 1;
            }
        }
}

/* The smallest loop with this instruction, other than `but`; -1: none. */
static int32_t smallest(const oracle *o, int32_t instruction, int32_t but, int32_t *size)
{
    int32_t best = -1;
    *size = 0;
    for (int32_t header = 0; header < o->count; header++) {
        int32_t count = 0;
        for (int32_t i = 0; i < o->count; i++)
            count += o->inside[header][i];
        if (header != but && o->inside[header][instruction] && (best < 0 || count < *size)) {
            best = header;
            *size = count;
        }
    }
    return best;
}

/* Instructions of cycles inside the loop (-1: the function) that avoid its header and that are not
 * inside a smaller loop only. */
static void find_cycles(const oracle *o, int32_t header, unsigned char *in_cycle)
{
    unsigned char way[MOST][MOST];
    memset(way, 0, sizeof way);
    memset(in_cycle, 0, MOST);
    for (int32_t i = 0; i < o->count; i++)
        for (int32_t k = 0; k < o->count; k++)
            way[i][k] = o->edge[i][k] && i != header && k != header &&
                        (header < 0 || (o->inside[header][i] && o->inside[header][k]));
    for (int32_t over = 0; over < o->count; over++)
        for (int32_t i = 0; i < o->count; i++)
            for (int32_t k = 0; k < o->count && way[i][over]; k++)
                way[i][k] |= way[over][k];
    for (int32_t i = 0; i < o->count; i++)
        for (int32_t k = 0; k < o->count; k++) {
            int smaller = 0;
            for (int32_t h = 0; h < o->count; h++)
                smaller |= h != header && o->inside[h][i] && o->inside[h][k] &&
                           (header < 0 || o->inside[header][h]);
            in_cycle[i] |= i != k && way[i][k] && way[k][i] && !smaller;
        }
}

/* Whether code that no way leads to leads into the loop from this instruction, or, -1, from any. */
static int leads_back(const oracle *o, int32_t header, int32_t from)
{
    int found = 0;
    for (int32_t i = 0; i < o->count; i++)
        for (int32_t k = 0; k < o->count; k++)
            found |=
                o->back[i][k] && (from < 0 || i == from) && (header < 0 || o->inside[header][k]);
    return found && !o->is_unresolved;
}

/* Whether there is one; its instruction is in one. */
static int compare_cycle(const oracle *o, int32_t header, int32_t cycle)
{
    unsigned char in_cycle[MOST];
    find_cycles(o, header, in_cycle);
    const int is_there = memchr(in_cycle, 1, MOST) != NULL;
    assert_int_equal(cycle >= 0, is_there || leads_back(o, header, -1));
    if (cycle >= 0)
        assert_true(is_there ? in_cycle[cycle] : leads_back(o, header, cycle));
    return cycle >= 0;
}

static void compare_loop(const stn_code *code, const oracle *o, int32_t loop)
{
    const stn_loop *at = &code->loops[loop];
    int32_t count = 0, size, is_innermost = 1, end = loop + 1;
    assert_true(o->is_header[at->header]);
    for (int32_t i = 0; i < o->count; i++) {
        count += o->inside[at->header][i];
        is_innermost &= !(i != at->header && o->is_header[i] && o->inside[at->header][i]);
        assert_int_equal(stn_code_in_loop(code, loop, i), o->inside[at->header][i]);
    }
    assert_int_equal(at->count, count);
    assert_int_equal(at->is_innermost, is_innermost);
    const int32_t parent = smallest(o, at->header, at->header, &size);
    assert_int_equal(at->parent < 0 ? -1 : code->loops[at->parent].header, parent);
    assert_int_equal(at->depth, at->parent < 0 ? 1 : code->loops[at->parent].depth + 1);
    assert_true(at->parent < loop);
    while (end < code->loop_count && o->inside[at->header][code->loops[end].header])
        end++;
    assert_int_equal(at->end, end);
    for (int32_t next = end; next < code->loop_count; next++)
        assert_false(o->inside[at->header][code->loops[next].header]);
    if (end < code->loop_count && code->loops[end].parent == at->parent)
        assert_true(code->loops[end].header > at->header);
}

typedef struct tally {
    int32_t loops, cycles;
} tally;

static void compare(const node *nodes, int32_t count, tally *found)
{
    static oracle o;
    memset(&o, 0, sizeof o);
    o.count = count;
    add_edges(&o, nodes);
    find_pads(&o, nodes);
    find_regions(&o);
    find_dominators(&o);
    find_loops(&o);
    stn_code code = create_code(nodes, count);
    int32_t headers = 0, size;
    for (int32_t i = 0; i < count; i++) {
        headers += o.is_header[i];
        const int32_t of = code.loop_of[i];
        assert_int_equal(of < 0 ? -1 : code.loops[of].header, smallest(&o, i, -1, &size));
    }
    assert_int_equal(code.loop_count, headers);
    int32_t cycles = compare_cycle(&o, -1, code.cycle);
    for (int32_t loop = 0; loop < code.loop_count; loop++) {
        compare_loop(&code, &o, loop);
        cycles += compare_cycle(&o, code.loops[loop].header, code.loops[loop].cycle);
    }
    assert_int_equal(code.irreducible, cycles);
    stn_code_release(&code);
    found->loops += headers;
    found->cycles += cycles;
}

static uint32_t random_below(uint32_t below)
{
    static uint64_t seed = 20240229;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static void random_nodes(node *nodes, int32_t count, uint32_t branches, uint32_t breaks)
{
    for (int32_t i = 0; i < count; i++) {
        const uint32_t kind = random_below(100);
        const int32_t to = (int32_t)random_below((uint32_t)count + 1);
        nodes[i].to = to == count ? -1 : to;
        nodes[i].flow = kind < branches                ? STN_FLOW_BRANCH
                        : kind < branches + breaks     ? STN_FLOW_JUMP
                        : kind < branches + 2 * breaks ? STN_FLOW_END
                        : kind < branches + 3 * breaks ? STN_FLOW_INDIRECT
                        : kind % 2                     ? STN_FLOW_CALL
                                                       : STN_FLOW_NEXT;
    }
}

/* ---- graphs ---- */

/* "next", or a flow and an instruction: "branch 4", "jump 7", "call 0", "table 3"; "end". */
static int32_t parse_nodes(const char *text, node *nodes)
{
    static const struct {
        const char *name;
        stn_flow flow;
    } flows[] = {{"next", STN_FLOW_NEXT}, {"branch", STN_FLOW_BRANCH},  {"jump", STN_FLOW_JUMP},
                 {"call", STN_FLOW_CALL}, {"table", STN_FLOW_INDIRECT}, {"end", STN_FLOW_END}};
    int32_t count = 0;
    char name[16];
    for (int used; sscanf(text, "%15[a-z]%n", name, &used) == 1; count++) {
        int k = 0, to = -1, digits = 0;
        while (k < COUNT_OF(flows) && strcmp(flows[k].name, name) != 0)
            k++;
        assert_true(k < COUNT_OF(flows) && count < MOST);
        sscanf(text + used, " %d%n", &to, &digits);
        nodes[count] = (node){flows[k].flow, to};
        text += used + digits;
        text += strspn(text, ", ");
    }
    assert_int_equal(*text, '\0');
    return count;
}

static void check_loops(const stn_code *code, const char *expected)
{
    char text[128] = "";
    for (int32_t k = 0; k < code->loop_count; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d in %d: %d", k ? ", " : "",
                 (int)code->loops[k].header, (int)code->loops[k].parent, (int)code->loops[k].count);
    assert_string_equal(text, expected);
}

UNIT_TEST(graphs)
{
    static const struct {
        const char *nodes;
        const char *loops; /* header, index of the loop around it, number of instructions */
        int irreducible;
    } cases[] = {
        {"next, next, branch 4, call 0, next, jump 7, next, end", "", 0},
        {"next, branch 1, end", "1 in -1: 1", 0},
        {"next, branch 0, end", "0 in -1: 2", 0}, /* a loop at address 0 */
        /* a loop with two inner loops, then another loop */
        {"next, next, next, branch 2, next, next, branch 5, branch 1, branch 8, end",
         "1 in -1: 7, 2 in 0: 2, 5 in 0: 2, 8 in -1: 1", 0},
        /* two jumps back to one header */
        {"next, branch 4, next, jump 1, branch 1, end", "1 in -1: 4", 0},
        /* a jump back from a path after the return */
        {"next, branch 4, next, end, next, jump 2", "", 0},
        /* a cycle with two entries */
        {"branch 3, next, next, next, branch 1, end", "", 1},
        /* the loop 1 to 7 contains a cycle with two entries; the loop 8 to 9 does not */
        {"next, next, branch 4, next, next, branch 3, next, branch 1, next, branch 8, end",
         "1 in -1: 7, 8 in -1: 2", 1},
        /* code after the end jumps back into the first loop, as exception handlers do */
        {"next, call 0, branch 1, branch 3, end, next, jump 2", "1 in -1: 2, 3 in -1: 1", 2},
        /* a jump to the condition, which is the header */
        {"jump 3, next, next, next, branch 1, end", "3 in -1: 4", 0},
        /* jumps out of the function, and a loop in code without an entry */
        {"next, branch 100, jump 200, next, branch 3, jump", "3 in -1: 2", 0},
        /* code without an entry jumps into a loop */
        {"next, next, branch 4, jump 1, end, jump 2", "1 in -1: 3", 2},
        /* a table with the cases 3, which jumps back, and 6 */
        {"next, table 3, end, jump 1, next, jump 1, end", "1 in -1: 2", 2},
        {"next, table, end, jump 1, next, jump 1, end", "", 0},
    };
    for (int k = 0; k < COUNT_OF(cases); k++) {
        node nodes[MOST];
        tally found = {0, 0};
        const int32_t count = parse_nodes(cases[k].nodes, nodes);
        compare(nodes, count, &found);
        stn_code code = create_code(nodes, count);
        check_loops(&code, cases[k].loops);
        if (code.irreducible != cases[k].irreducible)
            fail_msg("%s: %d irreducible cycles", cases[k].nodes, (int)code.irreducible);
        for (int32_t i = 0; i < count; i++)
            assert_int_equal(stn_code_is_unresolved_jump(&code, i),
                             nodes[i].flow == STN_FLOW_INDIRECT && nodes[i].to < 0);
        stn_code_release(&code);
    }
    stn_code empty = {.machine = STN_MACHINE_X86_64};
    expect_ok(stn_code_find_loops(&empty));
    assert_int_equal(empty.loop_count, 0);
}

UNIT_TEST(jumps_into_an_instruction_are_no_edges)
{
    const node nodes[] = {{STN_FLOW_NEXT, -1}, {STN_FLOW_BRANCH, 0}, {STN_FLOW_END, -1}};
    stn_code code = create_code(nodes, 3);
    assert_int_equal(code.loop_count, 1);
    code.instructions[1].target = 2;
    expect_ok(stn_code_find_loops(&code));
    assert_int_equal(code.loop_count, 0);
    stn_code_release(&code);
}

UNIT_TEST(random_graphs_agree_with_the_definition)
{
    static const uint32_t mixes[][2] = {{20, 2}, {40, 5}, {70, 10}, {30, 25}, {90, 0}};
    node nodes[MOST];
    tally found = {0, 0};
    for (int32_t round = 0; round < 6000; round++) {
        const int32_t count = 1 + (int32_t)random_below(round % 20 ? 16 : MOST);
        const uint32_t *mix = mixes[round % 5];
        random_nodes(nodes, count, mix[0], mix[1]);
        compare(nodes, count, &found);
    }
    assert_true(found.loops > 6000);
    assert_true(found.cycles > 1000);
}

/* Quadratic algorithms take hours for 100 000 instructions in one nest, and in a ladder. */
UNIT_TEST(large_functions_take_no_time)
{
    enum { LARGE = 100000 };
    node *nodes;
    expect_ok(stn_allocate(&nodes, LARGE, sizeof *nodes, "test"));
    for (int32_t i = 0; i < LARGE; i++)
        nodes[i] =
            i < LARGE / 2 ? (node){STN_FLOW_NEXT, -1} : (node){STN_FLOW_BRANCH, LARGE - 1 - i};
    stn_code nest = create_code(nodes, LARGE);
    const stn_loop *inner = &nest.loops[LARGE / 2 - 1];
    assert_int_equal(nest.loop_count, LARGE / 2);
    assert_true(nest.loops[0].parent == -1 && nest.loops[0].count == LARGE);
    assert_true(inner->header == LARGE / 2 - 1 && inner->parent == LARGE / 2 - 2);
    assert_int_equal(inner->count, 2);
    stn_code_release(&nest);
    for (int32_t i = 0; i < LARGE; i++)
        nodes[i] = (node){STN_FLOW_BRANCH, i % 2 ? i - 1 : LARGE - 1 - i / 2};
    stn_code ladder = create_code(nodes, LARGE);
    assert_int_equal(ladder.count, LARGE);
    stn_code_release(&ladder);
    stn_free(nodes);
}

UNIT_TEST(each_failing_allocation_is_a_status)
{
    node nodes[MOST];
    stn_code code = create_code(nodes, parse_nodes("next, next, branch 1, end", nodes));
    int32_t failures = 0;
    for (stn_status status = STN_ERR_MEMORY; status != STN_OK; failures++) {
        stn_fail_allocation(failures + 1);
        status = stn_code_find_loops(&code);
        assert_true(status == STN_OK || status == STN_ERR_MEMORY);
        assert_true(status == STN_OK || (!code.loops && !code.loop_of && code.loop_count == 0));
    }
    stn_fail_allocation(0);
    assert_true(failures > 6);
    check_loops(&code, "1 in -1: 2");
    stn_code_release(&code);
}

RUN_UNIT_TESTS(NULL, NULL)
