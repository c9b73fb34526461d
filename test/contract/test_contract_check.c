/* Checking expectations against counts and code made by hand: bounds just inside and just outside,
 * skips, and what the report says. */
#define _POSIX_C_SOURCE 200809L
#include "contract/check/expect.h"
#include "core/memory.h"
#include "contract_made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- quantities ---- */

static const stn_code_counts some_counts = STN_INIT(
    stn_code_counts, .instructions = 101, .unknown = 3, .loads = {1, 2, 3, 4, 5, 6, 7},
    .stores = {0, 0, 13, 14, 15, 16, 0}, .raw_read = 1000, .raw_written = 500, .distinct_read = 64,
    .distinct_written = 35, .elements = 8, .scalar = {1, 2, 4, 8}, .packed = {10, 20, 40, 80},
    .scalar_fma = {100, 200, 400, 800}, .packed_fma = {1000, 2000, 4000, 8000},
    .scalar_conversions = 5, .packed_conversions = 7, .gathers = 21, .scatters = 22, .calls = 23,
    .branches = 24, .stack_loads = 31, .stack_stores = 32, .stack_bytes = 777, .local_loads = 41,
    .local_stores = 42, .shared_loads = 43, .shared_stores = 44, .constant_loads = 45,
    .divisions = 46, .approximations = 41, .cache_hints = 42, .repeats = 47, .unresolved_jumps = 48,
    .live = {31, 32, 33, 34}, .used = {35, 36, 37, 38}, .stalls = 39, .waits = 40);

static const stn_function_info some_function =
    STN_INIT(stn_function_info, .target = "sm_90", .loops = 4, .registers = 40, .stack_bytes = 48);

static int32_t quantity(const char *name)
{
    const int32_t found = stn_quantity_find(name, strlen(name));
    if (found < 0)
        fail_msg("no quantity %s", name);
    return found;
}

typedef struct known {
    const char *name;
    int64_t value;
} known;

static void every_quantity(void **state)
{
    (void)state;
    const known all[] = {
        {"load", 28},
        {"store", 58},
        {"load.8", 1},
        {"store.8", 0},
        {"load.16", 2},
        {"store.16", 0},
        {"load.32", 3},
        {"store.32", 13},
        {"load.64", 4},
        {"store.64", 14},
        {"load.128", 5},
        {"store.128", 15},
        {"load.256", 6},
        {"store.256", 16},
        {"load.512", 7},
        {"store.512", 0},
        {"load.width", 8},
        {"load.widest", 512},
        {"store.width", 32},
        {"store.widest", 256},
        {"bytes", 99},
        {"bytes.read", 64},
        {"bytes.written", 35},
        {"bytes.raw", 1500},
        {"elements", 8},
        {"scalar.f64", 101},
        {"scalar.f32", 202},
        {"scalar.f16", 404},
        {"scalar.integer", 808},
        {"packed.f64", 1010},
        {"packed.f32", 2020},
        {"packed.f16", 4040},
        {"packed.integer", 8080},
        {"scalar", 707},
        {"packed", 7070},
        {"fma", 7700},
        {"scalar_cvt", 5},
        {"packed_cvt", 7},
        {"cvt", 12},
        {"divisions", 46},
        {"approximations", 41},
        {"gathers", 21},
        {"scatters", 22},
        {"calls", 23},
        {"branches", 24},
        {"spill", 146},
        {"instructions", 101},
        {"unknown", 3},
        {"loops", 4},
        {"regs", 40},
        {"stack", 48},
        {"local", 83},
        {"shared", 87},
        {"constant", 45},
        {"cache", 42},
        {"repeats", 47},
        {"unresolved_jumps", 48},
        {"irreducible", 0},
        {"live", 31},
        {"live.predicates", 32},
        {"live.uniform", 33},
        {"live.uniform_predicates", 34},
        {"used", 35},
        {"used.uniform", 37},
        {"stalls", 39},
        {"waits", 40},
    };
    const stn_subject loop = {&some_counts, &some_function, 0, 0};
    int32_t count = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const stn_measure measure = stn_quantity_measure(quantity(all[k].name), &loop);
        assert_null(measure.absent);
        assert_int_equal(measure.per, 1);
        if (measure.value != all[k].value)
            fail_msg("%s is %d", all[k].name, (int)measure.value);
    }
    while (stn_quantity_name(count))
        count++;
    assert_int_equal(count, sizeof all / sizeof *all + 1); /* and bytes/elem */
}

static void quantities_of_their_own_kind(void **state)
{
    (void)state;
    const stn_code_counts none = STN_CODE_COUNTS_INIT;
    const stn_function_info unsaid =
        STN_INIT(stn_function_info, .target = "aarch64", .registers = -1, .stack_bytes = -1);
    const stn_subject loop = {&some_counts, &some_function, 0, 0};
    const stn_subject whole = {&some_counts, &some_function, STN_LOOP_NONE, 0};
    const stn_subject nothing = {&none, &unsaid, 0, 0};
    const stn_measure per = stn_quantity_measure(quantity("bytes/elem"), &loop);
    assert_int_equal(per.value, 99);
    assert_int_equal(per.per, 8);
    assert_int_equal(stn_quantity_measure(quantity("spill"), &whole).value, 777);
    const char *absent[] = {"load.width", "load.widest", "store.width", "store.widest",
                            "bytes/elem", "elements",    "regs",        "stack",
                            "live",       "used",        "stalls",      "waits"};
    for (size_t k = 0; k < sizeof absent / sizeof *absent; k++)
        assert_non_null(stn_quantity_measure(quantity(absent[k]), &nothing).absent);
}

/* ---- contracts ---- */

typedef struct outcome {
    stn_status status;
    stn_contract_result result;
    char report[8192];
} outcome;

static outcome check(stn_image *image, const char *contract)
{
    outcome o = {.result = STN_CONTRACT_RESULT_INIT};
    FILE *file = fmemopen(o.report, sizeof o.report, "w");
    assert_non_null(file);
    o.status = stn_contract_check_text(image, contract, "a.cg", file, &o.result);
    fclose(file);
    return o;
}

static void assert_outcome(const outcome *o, int32_t held, int32_t broken, int32_t skipped)
{
    if (o->result.held != held || o->result.broken != broken || o->result.skipped != skipped)
        fail_msg("%d held, %d broken, %d skipped:\n%s", (int)o->result.held, (int)o->result.broken,
                 (int)o->result.skipped, o->report);
}

static void assert_says(const outcome *o, const char *words)
{
    if (!strstr(o->report, words))
        fail_msg("'%s' is not in:\n%s", words, o->report);
}

/* Every relation on both sides of a value that is known. */
static void bounds(stn_image *image, const char *head, const char *name, int value)
{
    char contract[512];
    const struct {
        const char *relation;
        int below, at, above; /* whether value - 1, value and value + 1 hold as numbers */
    } all[] = {{"==", 0, 1, 0}, {"!=", 1, 0, 1}, {"<", 0, 0, 1},
               {"<=", 0, 1, 1}, {">", 1, 0, 0},  {">=", 1, 1, 0}};
    for (size_t r = 0; r < sizeof all / sizeof *all; r++)
        for (int side = value > 0 ? -1 : 0; side <= 1; side++) {
            snprintf(contract, sizeof contract, "kernel %s : %s %s %d", head, name, all[r].relation,
                     value + side);
            const int expected = side < 0 ? all[r].below : side > 0 ? all[r].above : all[r].at;
            const outcome o = check(image, contract);
            assert_int_equal(o.status, STN_OK);
            if (o.result.held != expected || o.result.broken != !expected)
                fail_msg("'%s':\n%s", contract, o.report);
            assert_int_equal(o.report[0] == '\0', expected);
        }
}

static void inside_and_outside(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    const known loop[] = {{"load", 2},          {"load.256", 2}, {"load.width", 256},
                          {"store.width", 256}, {"store", 1},    {"packed.f32", 1},
                          {"scalar", 0},        {"fma", 1},      {"spill", 0},
                          {"bytes", 96},        {"elements", 8}, {"bytes/elem", 12},
                          {"calls", 0},         {"loops", 1},    {"unknown", 0}};
    for (size_t k = 0; k < sizeof loop / sizeof *loop; k++) {
        bounds(&f.image, "axpy @* loop=main", loop[k].name, (int)loop[k].value);
        bounds(&f.image, "/^axpy$/ @x86-64-v3 loop=0", loop[k].name, (int)loop[k].value);
    }
    bounds(&f.image, "axpy @* loop=none", "instructions", 7);
    bounds(&f.image, "axpy @*", "spill", 8);
    bounds(&f.image, "leaf @*", "unknown", 1);
    release(&f);
}

static void fractions(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    outcome o = check(&f.image, "kernel axpy @* loop=main { bytes/elem > 11.999, bytes/elem < "
                                "12.001\nbytes/elem <= 11.999, bytes/elem == 12.000 }");
    assert_int_equal(o.status, STN_OK);
    assert_outcome(&o, 3, 1, 0);
    assert_says(&o, "a.cg:2:1: broken: bytes/elem <= 11.999, found 12\n");
    o = check(&f.image, "kernel axpy @* loop=main : bytes/elem == 12.500, load == 0.05");
    assert_says(&o, "broken: bytes/elem == 12.5, found 12\n");
    assert_says(&o, "broken: load == 0.05, found 2\n");
    release(&f);
}

static void a_broken_contract_shows_the_loop(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    outcome o = check(&f.image, "kernel /^narrow<float>/ @x86-64 gcc>=12 loop=main :\n"
                                "kernel");
    assert_int_equal(o.status, STN_ERR_PARSE);
    o = check(&f.image, "kernel /^narrow<float>/ @x86-64 gcc>=12 loop=main :"
                        " load.width >= 256, scalar.f64 == 0, calls == 0");
    assert_int_equal(o.status, STN_OK);
    assert_outcome(&o, 1, 2, 0);
    assert_says(&o, "a.cg:1:53: broken: load.width >= 256, found 32\n");
    assert_says(&o, "a.cg:1:72: broken: scalar.f64 == 0, found 1\n");
    assert_says(&o, "likely: elements are not contiguous: an iteration advances by 32 bytes");
    assert_says(&o, "likely: arithmetic in f64");
    assert_says(&o, "narrow<float>(int) (x86-64, GCC: (Debian 12.2.0-14) 12.2.0), its main loop");
    assert_says(&o, "fma");
    assert_says(&o, "; load 32, scalar fma f64\n");
    assert_says(&o, "; store 32\n");
    assert_null(strstr(o.report, "prologue"));
    release(&f);
}

/* What an instruction hides is told of a quantity from one side at most. */
static void what_cannot_be_told_does_not_hold(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    stn_machine_instruction *middle = f.instructions[0] + 2;
    const stn_machine_instruction before = *middle;
    middle->operation = STN_OP_UNKNOWN;
    outcome o = check(&f.image, "kernel axpy @* loop=main { load >= 2, load > 1, load != 1\n"
                                "load.width <= 256, instructions == 5, unknown == 1, regs < 1\n"
                                "load == 2, load <= 2, load < 3, load != 3, cvt == 0, calls == 0\n"
                                "load.width >= 256, load.width == 256, elements == 8 }");
    assert_outcome(&o, 6, 10, 0);
    assert_says(&o, "a.cg:3:1: broken: load == 2 cannot be determined: 'fma' at 18 is unknown\n");
    assert_says(&o,
                "a.cg:4:1: broken: load.width >= 256 cannot be determined: 'fma' at 18 is unknown");
    assert_says(
        &o, "a.cg:2:53: broken: regs < 1, but the file does not contain the number of registers\n");
    *middle = before;
    middle->repeats = 1;
    o = check(&f.image,
              "kernel axpy @* loop=main : bytes <= 96, bytes >= 96, calls == 0, cvt == 0");
    assert_outcome(&o, 3, 1, 0);
    assert_says(
        &o, "bytes <= 96 cannot be determined: 'fma' at 18 repeats an unknown number of times\n");
    o = check(&f.image, "kernel axpy @* loop=main : bytes <= 95, bytes >= 97");
    assert_outcome(&o, 0, 2, 0);
    assert_says(&o, "a.cg:1:28: broken: bytes <= 95, found 96\n");
    assert_says(&o, "a.cg:1:41: broken: bytes >= 97 cannot be determined");
    *middle = before;
    middle->flow = STN_FLOW_CALL;
    middle->target = 0x1000;
    o = check(&f.image,
              "kernel axpy @* loop=main : calls == 1, scalar == 0, load >= 2, branches == 1");
    assert_outcome(&o, 3, 1, 0);
    assert_says(&o, "scalar == 0 cannot be determined: 'fma' at 18 leaves the function");
    o = check(&f.image,
              "kernel axpy @* loop=main calls=left-out : calls == 1, scalar == 0, load == 2");
    assert_outcome(&o, 3, 0, 0);
    *middle = before;
    f.instructions[0][6].flow = STN_FLOW_INDIRECT;
    o = check(&f.image,
              "kernel axpy @* loop=main calls=left-out : load == 2, load >= 2, loops == 1");
    assert_outcome(&o, 1, 2, 0);
    assert_says(&o, "load == 2 cannot be determined: 'ret' at 28 jumps to an unknown target\n");
    o = check(&f.image, "kernel axpy @* calls=left-out : load == 2, calls == 0, instructions == 7");
    assert_outcome(&o, 2, 1, 0);
    assert_says(&o, "calls == 0 cannot be determined");
    release(&f);
}

/* One suspect after the other, brought into the loop of axpy. */
static void causes(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    stn_machine_instruction *middle = f.instructions[0] + 2;
    const stn_machine_instruction before = *middle;
    outcome o = check(&f.image, "kernel axpy @* loop=main : loops == 0");
    assert_says(&o, "likely: the compiler generated several versions of a loop");
    middle->flow = STN_FLOW_CALL;
    o = check(&f.image, "kernel axpy @* loop=main : calls == 0");
    assert_says(&o, "likely: calls");
    assert_says(&o, "; load 256, packed fma f32, call\n");
    *middle = before;
    middle->operation = STN_OP_CONVERSION;
    o = check(&f.image, "kernel axpy @* loop=main : cvt == 0");
    assert_says(&o, "likely: conversions between number types");
    assert_says(&o, "; load 256, packed conversion\n");
    middle->operation = STN_OP_UNKNOWN;
    o = check(&f.image, "kernel axpy @* loop=main : load == 0");
    assert_says(&o, "1 of its instructions are unknown");
    assert_says(&o, "; load 256, unknown\n");
    *middle = before;
    middle->operation = STN_OP_ARITHMETIC;
    middle->divides = 1;
    middle->access[0].space = STN_SPACE_STACK;
    o = check(&f.image, "kernel axpy @* loop=main : spill == 0, divisions == 0");
    assert_says(&o, "likely: spills");
    assert_says(&o, "; stack load 256, packed f32, division or root\n");
    *middle = before;
    o = check(&f.image, "kernel axpy @* loop=main : load.width >= 512");
    assert_says(&o, "likely: vectors of another width");
    assert_null(strstr(o.report, "scalar arithmetic"));
    f.codes[0].machine = STN_MACHINE_NVIDIA;
    o = check(&f.image, "kernel axpy @* loop=main : load.width >= 512");
    assert_says(&o, "likely: narrow accesses: the alignment of the type");
    release(&f);
}

/* A store through a register that the loop does not move on; a register that it computes anew is
 * nothing to judge by. */
static void addresses(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    f.instructions[0][3].access[0].index = -1;
    outcome o = check(&f.image, "kernel axpy @* loop=main : store == 0");
    assert_says(&o, "likely: a store to the same address in every iteration");
    f.instructions[0][2].written = 1 << RDI;
    o = check(&f.image, "kernel axpy @* loop=main : store == 0");
    assert_null(strstr(o.report, "the same address"));
    assert_null(strstr(o.report, "contiguous"));
    release(&f);
}

/* What is loaded and stored counts once when an array is looked through for gaps. */
static void gaps(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    f.instructions[0][2].access[0].bits = f.instructions[0][3].access[0].bits = 128;
    outcome o = check(&f.image, "kernel axpy @* loop=main : load.width >= 256");
    assert_says(&o, "an iteration advances by 32 bytes and accesses 16 of them");
    release(&f);
}

/* A loop that jumps over something is listed without it. */
static void listings_with_gaps(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    release(&f);
    f.codes[0].loops = NULL;
    f.codes[0].loop_of = NULL;
    f.codes[0].in_cycle = NULL;
    f.codes[0].loop_count = 0;
    f.instructions[0][2].flow = STN_FLOW_JUMP;
    f.instructions[0][2].target = 0x20;
    f.instructions[0][3].flow = STN_FLOW_END;
    assert_int_equal(stn_code_find_loops(f.codes), STN_OK);
    outcome o = check(&f.image, "kernel axpy @* loop=main : load == 0");
    assert_says(&o, "jump, to 20\n       ...\n        20  add");
    assert_null(strstr(o.report, "; store 256"));
    stn_free(f.codes[0].loops);
    stn_free(f.codes[0].loop_of);
    stn_free(f.codes[0].in_cycle);
}

static void skipped(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    outcome o = check(&f.image, "kernel axpy @sm_90 : load == 1, store == 1\n"
                                "kernel axpy @* clang : load == 1\n"
                                "kernel axpy @* gcc<12 : load == 1\n"
                                "kernel nothing @aarch64 : load == 1\n");
    assert_int_equal(o.status, STN_OK);
    assert_outcome(&o, 0, 0, 5);
    assert_says(&o, "a.cg:1:1: skipped: axpy @sm_90: the file has no code for it\n");
    assert_says(&o, "a.cg:2:1: skipped: axpy @*: for clang; the file was compiled by 'GCC");
    assert_says(&o, "a.cg:3:1: skipped: axpy @*: for other versions of gcc");
    f.image.compiler = NULL;
    o = check(&f.image, "kernel axpy @* gcc : load == 2");
    assert_outcome(&o, 0, 0, 1);
    assert_says(&o, "the file does not name its compiler");
    release(&f);
}

static void levels(void **state)
{
    (void)state;
    made f;
    const char *both = "kernel axpy @x86-64-v3 loop=main : load.width >= 256\n"
                       "kernel axpy @x86-64-v4 loop=main : load.width >= 512\n"
                       "kernel axpy @x86-64 loop=main : load.width >= 128\n";
    assert_int_equal(make(&f), STN_OK);
    outcome o = check(&f.image, both);
    assert_outcome(&o, 2, 1, 0); /* nobody said that it is not for v4 */
    assert_int_equal(stn_image_built_for(&f.image, "x86-64-v3"), STN_OK);
    o = check(&f.image, both);
    assert_outcome(&o, 2, 0, 1);
    assert_int_equal(stn_image_built_for(&f.image, "x86-64-v5"), STN_ERR_ARGUMENT);
    assert_int_equal(stn_image_built_for(&f.image, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_image_built_for(NULL, "x86-64"), STN_ERR_ARGUMENT);
    o = check(&f.image, both);
    assert_outcome(&o, 2, 0, 1);
    release(&f);
}

static void loops_that_are_not_there(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    outcome o = check(&f.image, "kernel leaf @* loop=main : calls == 0, load > 0");
    assert_int_equal(o.status, STN_OK);
    assert_outcome(&o, 0, 2, 0);
    assert_says(&o, "a.cg:1:1: broken: leaf has no loops");
    o = check(&f.image, "kernel leaf @* loop=0 : calls == 0");
    assert_outcome(&o, 0, 1, 0);
    o = check(&f.image, "kernel axpy @* loop=1 : calls == 0");
    assert_outcome(&o, 0, 1, 0);
    assert_says(&o, "broken: axpy has no loop 1; it has 1, numbered from 0\n");
    o = check(&f.image, "kernel axpy @* : regs <= 32");
    assert_outcome(&o, 0, 1, 0);
    assert_says(&o, "but the file does not contain the number of registers");
    release(&f);
}

static void functions_that_are_not_there(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    outcome o = check(&f.image, "kernel dot @* : load == 1\nkernel axpy @* : calls == 0\n"
                                "kernel /^dot/ @* : load == 1\n");
    assert_int_equal(o.status, STN_ERR_RANGE);
    assert_outcome(&o, 1, 2, 0);
    assert_int_equal(strncmp(stn_error(),
                             "a.cg:1:1: there is no function dot in a.o; it may have "
                             "been inlined",
                             67),
                     0);
    assert_says(&o, "a.cg:3:1: there is no function /^dot/ in a.o");
    f.image.is_stripped = 1;
    o = check(&f.image, "kernel dot @* : load == 1");
    assert_string_equal(stn_error(), "a.cg:1:1: there is no function dot in a.o; the file is "
                                     "stripped of its symbols");
    o = check(&f.image, "kernel /a/ @* : load == 1");
    assert_int_equal(o.status, STN_ERR_RANGE);
    assert_says(&o, "a.cg:1:1: there is more than one function /a/ in a.o");
    f.image.count = 0;
    o = check(&f.image, "kernel axpy @x86-64-v2 : load == 1");
    assert_int_equal(o.status, STN_ERR_RANGE);
    o = check(&f.image, "kernel axpy @aarch64 : load == 1");
    assert_int_equal(o.status, STN_OK);
    assert_outcome(&o, 0, 0, 1);
    f.image.count = FUNCTIONS;
    release(&f);
}

/* The same kernel for two architectures, as in a fat binary: both are held to a common contract. */
static void two_targets(void **state)
{
    (void)state;
    made f;
    assert_int_equal(make(&f), STN_OK);
    snprintf(f.symbols[1].target, sizeof f.symbols[1].target, "sm_80");
    snprintf(f.symbols[2].target, sizeof f.symbols[2].target, "sm_90");
    f.symbols[1].symbol = f.symbols[2].symbol = f.symbols[0].symbol;
    outcome o = check(&f.image, "kernel axpy @sm_* : load.32 == 2");
    assert_int_equal(o.status, STN_OK);
    assert_outcome(&o, 1, 1, 0);
    o = check(&f.image, "kernel axpy @sm_80 : load.32 == 2");
    assert_outcome(&o, 1, 0, 0);
    o = check(&f.image, "kernel axpy @x86-64-v3|sm_80 loop=0 : load > 0");
    assert_outcome(&o, 2, 0, 0);
    release(&f);
}

static void arguments(void **state)
{
    (void)state;
    made f;
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    assert_int_equal(make(&f), STN_OK);
    const char *contract = "kernel axpy @* : calls == 0";
    assert_int_equal(stn_contract_check_text(NULL, contract, "a", NULL, &result), STN_ERR_ARGUMENT);
    assert_int_equal(stn_contract_check_text(&f.image, NULL, "a", NULL, &result), STN_ERR_ARGUMENT);
    assert_int_equal(stn_contract_check_text(&f.image, contract, NULL, NULL, &result),
                     STN_ERR_ARGUMENT);
    assert_int_equal(stn_contract_check_text(&f.image, contract, "a", NULL, NULL),
                     STN_ERR_ARGUMENT);
    assert_int_equal(stn_contract_check(&f.image, NULL, NULL, &result), STN_ERR_ARGUMENT);
    result.size--;
    assert_int_equal(stn_contract_check_text(&f.image, contract, "a", NULL, &result),
                     STN_ERR_ARGUMENT);
    result.size++;
    assert_int_equal(
        stn_contract_check_text(&f.image, "kernel axpy @* : calls == 1", "a", NULL, &result),
        STN_OK);
    assert_int_equal(result.broken, 1);
    release(&f);
}

/* ---- files ---- */

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void files(void **state)
{
    (void)state;
    made f;
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    char path[] = "/tmp/steno_contract_XXXXXX";
    const size_t large = (4u << 20) + 1;
    char *comment = malloc(large);
    const int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    assert_int_equal(make(&f), STN_OK);
    write_file(path, "kernel axpy @* : calls == 0", 27);
    assert_int_equal(stn_contract_check(&f.image, path, NULL, &result), STN_OK);
    assert_int_equal(result.held, 1);
    write_file(path, "# a\nker\0nel", 11);
    assert_int_equal(stn_contract_check(&f.image, path, NULL, &result), STN_ERR_PARSE);
    assert_non_null(strstr(stn_error(), ":2:4: the text contains a zero byte"));
    memset(comment, '#', large);
    write_file(path, comment, large);
    assert_int_equal(stn_contract_check(&f.image, path, NULL, &result), STN_ERR_PARSE);
    assert_non_null(strstr(stn_error(), "larger than 4 MiB"));
    memcpy(comment + 100000, "\nkernel axpy @* : calls == 0", 28);
    write_file(path, comment, 100028);
    assert_int_equal(stn_contract_check(&f.image, path, NULL, &result), STN_OK);
    assert_int_equal(result.held, 1);
    remove(path);
    assert_int_equal(stn_contract_check(&f.image, path, NULL, &result), STN_ERR_IO);
    assert_int_equal(stn_contract_check(&f.image, "/", NULL, &result), STN_ERR_IO);
    free(comment);
    release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_quantity),
        cmocka_unit_test(quantities_of_their_own_kind),
        cmocka_unit_test(inside_and_outside),
        cmocka_unit_test(fractions),
        cmocka_unit_test(a_broken_contract_shows_the_loop),
        cmocka_unit_test(what_cannot_be_told_does_not_hold),
        cmocka_unit_test(causes),
        cmocka_unit_test(addresses),
        cmocka_unit_test(gaps),
        cmocka_unit_test(listings_with_gaps),
        cmocka_unit_test(skipped),
        cmocka_unit_test(levels),
        cmocka_unit_test(loops_that_are_not_there),
        cmocka_unit_test(functions_that_are_not_there),
        cmocka_unit_test(two_targets),
        cmocka_unit_test(arguments),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
