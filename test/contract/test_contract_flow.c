/* Natural loops: hand-made graphs, and thousands of random ones against the definition: b dominates
 * a when a cannot be reached without b, and a loop is what reaches a jump back without its header.
 */
#include "check.h"
#include "contract/isa/code.h"
#include "core/memory.h"

enum { MOST = 64 };

/* One instruction: its flow and the number of the instruction it goes to; -1: none of these. */
typedef struct node {
    stn_flow flow;
    int32_t to;
} node;

#define ON                                                                                         \
    {                                                                                              \
        STN_FLOW_NEXT, -1                                                                          \
    }
#define BRANCH(k)                                                                                  \
    {                                                                                              \
        STN_FLOW_BRANCH, k                                                                         \
    }
#define JUMP(k)                                                                                    \
    {                                                                                              \
        STN_FLOW_JUMP, k                                                                           \
    }
#define CALL(k)                                                                                    \
    {                                                                                              \
        STN_FLOW_CALL, k                                                                           \
    }
#define END                                                                                        \
    {                                                                                              \
        STN_FLOW_END, -1                                                                           \
    }

#define TABLE                                                                                      \
    {                                                                                              \
        STN_FLOW_INDIRECT, -1                                                                      \
    }

/* A table with `to` leads there, and to a place that depends on where it stands. */
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

static stn_code make(const node *nodes, int32_t count)
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

static void expect_loop(const stn_code *code, int32_t loop, int32_t header, int32_t parent,
                        int32_t count)
{
    assert_true(loop < code->loop_count);
    assert_int_equal(code->loops[loop].header, header);
    assert_int_equal(code->loops[loop].parent, parent);
    assert_int_equal(code->loops[loop].count, count);
}

TEST_CASE(straight_code_has_no_loops)
{
    const node nodes[] = {ON, ON, BRANCH(4), CALL(0), ON, JUMP(7), ON, END};
    stn_code code = make(nodes, 8);
    assert_int_equal(code.loop_count, 0);
    for (int32_t i = 0; i < 8; i++)
        assert_int_equal(code.loop_of[i], -1);
    stn_code_release(&code);
    stn_code empty = {.machine = STN_MACHINE_X86_64};
    expect_ok(stn_code_find_loops(&empty));
    assert_int_equal(empty.loop_count, 0);
}

TEST_CASE(a_jump_to_itself_is_a_loop)
{
    const node nodes[] = {ON, BRANCH(1), END};
    stn_code code = make(nodes, 3);
    assert_int_equal(code.loop_count, 1);
    expect_loop(&code, 0, 1, -1, 1);
    assert_true(code.loops[0].is_innermost);
    stn_code_release(&code);
}

TEST_CASE(a_loop_may_begin_at_address_zero)
{
    const node nodes[] = {ON, BRANCH(0), END};
    stn_code code = make(nodes, 3);
    assert_int_equal(code.loop_count, 1);
    expect_loop(&code, 0, 0, -1, 2);
    stn_code_release(&code);
}

TEST_CASE(loops_nest)
{
    /* 0; outer 1..7 with inner 2..3 and inner 5..6; then another one, 8 */
    const node nodes[] = {ON, ON, ON, BRANCH(2), ON, ON, BRANCH(5), BRANCH(1), BRANCH(8), END};
    stn_code code = make(nodes, 10);
    assert_int_equal(code.loop_count, 4);
    expect_loop(&code, 0, 1, -1, 7);
    expect_loop(&code, 1, 2, 0, 2);
    expect_loop(&code, 2, 5, 0, 2);
    expect_loop(&code, 3, 8, -1, 1);
    assert_int_equal(code.loops[0].end, 3);
    assert_int_equal(code.loops[1].end, 2);
    assert_int_equal(code.loops[3].end, 4);
    assert_int_equal(code.loops[0].depth, 1);
    assert_int_equal(code.loops[2].depth, 2);
    assert_false(code.loops[0].is_innermost);
    assert_int_equal(code.loop_of[1], 0);
    assert_int_equal(code.loop_of[3], 1);
    assert_int_equal(code.loop_of[4], 0);
    assert_true(stn_code_in_loop(&code, 0, 6));
    assert_false(stn_code_in_loop(&code, 1, 6));
    assert_false(stn_code_in_loop(&code, 0, 8));
    assert_false(stn_code_in_loop(&code, 0, 0));
    stn_code_release(&code);
}

TEST_CASE(jumps_back_to_one_header_are_one_loop)
{
    const node nodes[] = {ON, BRANCH(4), ON, JUMP(1), BRANCH(1), END};
    stn_code code = make(nodes, 6);
    assert_int_equal(code.loop_count, 1);
    expect_loop(&code, 0, 1, -1, 4);
    stn_code_release(&code);
}

TEST_CASE(a_jump_back_from_behind_the_return_is_no_loop)
{
    /* if not zero: 2; the other way lies after the return and comes back */
    const node nodes[] = {ON, BRANCH(4), ON, END, ON, JUMP(2)};
    stn_code code = make(nodes, 6);
    assert_int_equal(code.loop_count, 0);
    stn_code_release(&code);
}

TEST_CASE(what_has_two_entries_is_no_loop)
{
    const node nodes[] = {BRANCH(3), ON, ON, ON, BRANCH(1), END};
    stn_code code = make(nodes, 6);
    assert_int_equal(code.loop_count, 0);
    assert_int_equal(code.irreducible, 1);
    assert_in_range(code.cycle, 1, 4);
    stn_code_release(&code);
}

TEST_CASE(a_loop_knows_its_irreducible_cycle)
{
    /* the loop 1..7 with the cycle of 3 and 4..5, which 2 enters at both; then the loop 8..9 */
    const node nodes[] = {ON, ON, BRANCH(4), ON, ON, BRANCH(3), ON, BRANCH(1), ON, BRANCH(8), END};
    stn_code code = make(nodes, 11);
    assert_int_equal(code.loop_count, 2);
    expect_loop(&code, 0, 1, -1, 7);
    assert_in_range(code.loops[0].cycle, 3, 5);
    assert_int_equal(code.loops[1].cycle, -1);
    assert_int_equal(code.cycle, -1);
    assert_int_equal(code.irreducible, 1);
    stn_code_release(&code);
}

TEST_CASE(a_handler_leads_back_into_a_loop)
{
    /* the loop 1..2; what is behind the end comes back to 2; the loop 3 */
    const node nodes[] = {ON, CALL(0), BRANCH(1), BRANCH(3), END, ON, JUMP(2)};
    stn_code code = make(nodes, 7);
    assert_int_equal(code.loop_count, 2);
    assert_int_equal(code.loops[0].cycle, 6);
    assert_int_equal(code.loops[1].cycle, -1);
    assert_int_equal(code.cycle, 6);
    assert_int_equal(code.irreducible, 2);
    stn_code_release(&code);
}

TEST_CASE(a_loop_may_begin_in_its_middle)
{
    /* jump to the condition at 3, which jumps back to 1: the header is the condition */
    const node nodes[] = {JUMP(3), ON, ON, ON, BRANCH(1), END};
    stn_code code = make(nodes, 6);
    assert_int_equal(code.loop_count, 1);
    expect_loop(&code, 0, 3, -1, 4);
    stn_code_release(&code);
}

TEST_CASE(jumps_out_of_the_function_are_no_edges)
{
    const node nodes[] = {ON, BRANCH(100), JUMP(200), ON, BRANCH(3), JUMP(-1)};
    stn_code code = make(nodes, 6);
    assert_int_equal(code.loop_count, 1); /* in code that nothing leads to */
    expect_loop(&code, 0, 3, -1, 2);
    stn_code_release(&code);
}

TEST_CASE(jumps_into_an_instruction_are_no_edges)
{
    const node nodes[] = {ON, ON, BRANCH(0), END};
    stn_code code = make(nodes, 4);
    code.instructions[2].target = 2;
    expect_ok(stn_code_find_loops(&code));
    assert_int_equal(code.loop_count, 0);
    stn_code_release(&code);
}

TEST_CASE(code_behind_a_table_jump_hides_no_loop)
{
    /* the loop 1..3; a case at 5 jumps into its middle, but nothing is seen to lead to it */
    const node nodes[] = {ON, ON, BRANCH(4), JUMP(1), END, JUMP(2)};
    stn_code code = make(nodes, 6);
    assert_int_equal(code.loop_count, 1);
    expect_loop(&code, 0, 1, -1, 3);
    stn_code_release(&code);
}

TEST_CASE(the_cases_of_a_table_are_edges)
{
    /* from 1 to cases at 3, which goes back to 1, and 6, which ends */
    const node known[] = {ON, {STN_FLOW_INDIRECT, 3}, END, JUMP(1), ON, JUMP(1), END};
    const node unknown[] = {ON, TABLE, END, JUMP(1), ON, JUMP(1), END};
    assert_int_equal(second_case(known, 1, 7), 6);
    stn_code code = make(known, 7);
    assert_false(stn_code_is_unresolved_jump(&code, 1));
    assert_int_equal(code.loop_count, 1);
    expect_loop(&code, 0, 1, -1, 2);
    stn_code_release(&code);
    code = make(unknown, 7);
    assert_true(stn_code_is_unresolved_jump(&code, 1));
    assert_int_equal(code.loop_count, 0);
    stn_code_release(&code);
}

/* ---- the definition ---- */

typedef struct oracle {
    int32_t count;
    unsigned char pads[MOST]; /* nothing but nops from the beginning of its block on */
    int is_unresolved;        /* has a jump nobody knows where to */
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

/* What goes round inside the loop (-1: the function) without its header, and not inside a smaller
 * loop alone. */
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
    stn_code code = make(nodes, count);
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

TEST_CASE(random_graphs_agree_with_the_definition)
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

/* Without a shortcut these take hours: 100 000 instructions in one nest, and in a ladder. */
TEST_CASE(large_functions_take_no_time)
{
    enum { LARGE = 100000 };
    node *nodes;
    expect_ok(stn_allocate(&nodes, LARGE, sizeof *nodes, "test"));
    for (int32_t i = 0; i < LARGE; i++) {
        const node branch = BRANCH(LARGE - 1 - i);
        const node on = ON;
        nodes[i] = i < LARGE / 2 ? on : branch;
    }
    stn_code nest = make(nodes, LARGE);
    assert_int_equal(nest.loop_count, LARGE / 2);
    expect_loop(&nest, 0, 0, -1, LARGE);
    expect_loop(&nest, LARGE / 2 - 1, LARGE / 2 - 1, LARGE / 2 - 2, 2);
    stn_code_release(&nest);
    for (int32_t i = 0; i < LARGE; i++) {
        const node branch = BRANCH(i % 2 ? i - 1 : LARGE - 1 - i / 2);
        nodes[i] = branch;
    }
    stn_code ladder = make(nodes, LARGE);
    assert_int_equal(ladder.count, LARGE);
    stn_code_release(&ladder);
    stn_free(nodes);
}

TEST_CASE(each_failing_allocation_is_a_status)
{
    const node nodes[] = {ON, ON, BRANCH(1), END};
    stn_code code = make(nodes, 4);
    int32_t failures = 0;
    for (stn_status status = STN_ERR_MEMORY; status != STN_OK; failures++) {
        stn_fail_allocation(failures + 1);
        status = stn_code_find_loops(&code);
        assert_true(status == STN_OK || status == STN_ERR_MEMORY);
        assert_true(status == STN_OK || (!code.loops && !code.loop_of && code.loop_count == 0));
    }
    stn_fail_allocation(0);
    assert_true(failures > 6);
    expect_loop(&code, 0, 1, -1, 2);
    stn_code_release(&code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_code_has_no_loops),
        cmocka_unit_test(a_jump_to_itself_is_a_loop),
        cmocka_unit_test(a_loop_may_begin_at_address_zero),
        cmocka_unit_test(loops_nest),
        cmocka_unit_test(jumps_back_to_one_header_are_one_loop),
        cmocka_unit_test(a_jump_back_from_behind_the_return_is_no_loop),
        cmocka_unit_test(what_has_two_entries_is_no_loop),
        cmocka_unit_test(a_loop_knows_its_irreducible_cycle),
        cmocka_unit_test(a_handler_leads_back_into_a_loop),
        cmocka_unit_test(a_loop_may_begin_in_its_middle),
        cmocka_unit_test(jumps_out_of_the_function_are_no_edges),
        cmocka_unit_test(jumps_into_an_instruction_are_no_edges),
        cmocka_unit_test(the_cases_of_a_table_are_edges),
        cmocka_unit_test(code_behind_a_table_jump_hides_no_loop),
        cmocka_unit_test(random_graphs_agree_with_the_definition),
        cmocka_unit_test(large_functions_take_no_time),
        cmocka_unit_test(each_failing_allocation_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
