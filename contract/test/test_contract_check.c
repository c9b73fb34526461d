/* Contracts checked against counts and code that are written here: both sides of each bound,
 * skipped contracts, and reports. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "contract_report.h"
#include "contract_sample.h"

#include <stdlib.h>
#include <unistd.h>

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

/* Calls `check` for each quantity and its value in a list. */
static int each_quantity(const char *list, void (*check)(const char *name, int value))
{
    int count = 0, used;
    char name[32];
    for (int value; sscanf(list, "%31s %d%n", name, &value, &used) == 2; count++) {
        check(name, value);
        list += used;
        list += strspn(list, ", ");
    }
    assert_int_equal(*list, '\0');
    return count;
}

static void check_quantity(const char *name, int value)
{
    const stn_subject loop = {&some_counts, &some_function, 0, 0};
    const stn_measure measure = stn_quantity_measure(quantity(name), &loop);
    assert_null(measure.absent);
    assert_int_equal(measure.per, 1);
    if (measure.value != value)
        fail_msg("%s is %d", name, (int)measure.value);
}

UNIT_TEST(every_quantity)
{
    const int listed = each_quantity(
        "load 28, store 58, load.8 1, store.8 0, load.16 2, store.16 0, load.32 3, store.32 13, "
        "load.64 4, store.64 14, load.128 5, store.128 15, load.256 6, store.256 16, load.512 "
        "7, store.512 0, load.width 8, load.widest 512, store.width 32, store.widest 256, bytes "
        "99, bytes.read 64, bytes.written 35, bytes.raw 1500, elements 8, scalar.f64 101, "
        "scalar.f32 202, scalar.f16 404, scalar.integer 808, packed.f64 1010, packed.f32 2020, "
        "packed.f16 4040, packed.integer 8080, scalar 707, packed 7070, fma 7700, scalar_cvt 5, "
        "packed_cvt 7, cvt 12, divisions 46, approximations 41, gathers 21, scatters 22, calls "
        "23, branches 24, spill 146, instructions 101, unknown 3, loops 4, regs 40, stack 48, "
        "local 83, shared 87, constant 45, cache 42, repeats 47, unresolved_jumps 48, "
        "irreducible 0, live 31, live.predicates 32, live.uniform 33, live.uniform_predicates "
        "34, used 35, used.uniform 37, stalls 39, waits 40",
        check_quantity);
    int32_t count = 0;
    while (stn_quantity_name(count))
        count++;
    assert_int_equal(count, listed + 1); /* and bytes/elem */
}

UNIT_TEST(quantities_of_other_kinds)
{
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
    for (int k = 0; k < COUNT_OF(absent); k++)
        assert_non_null(stn_quantity_measure(quantity(absent[k]), &nothing).absent);
}

/* ---- contracts ---- */

static sample_image f; /* created for each test */

#define EXPECT(...)        EXPECT_REPORT(&f.image, __VA_ARGS__)
#define EXPECT_STATUS(...) EXPECT_STATUS_AND_REPORT(&f.image, __VA_ARGS__)

static int set_up(void **state)
{
    (void)state;
    return create_sample(&f) == STN_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    release_sample(&f);
    return 0;
}

/* Each relation on both sides of a known value. */
static void check_bounds(const char *head, const char *name, int value)
{
    char contract[512];
    const struct {
        const char *relation;
        int below, at, above; /* whether value - 1, value and value + 1 hold as numbers */
    } all[] = {{"==", 0, 1, 0}, {"!=", 1, 0, 1}, {"<", 0, 0, 1},
               {"<=", 0, 1, 1}, {">", 1, 0, 0},  {">=", 1, 1, 0}};
    for (int r = 0; r < COUNT_OF(all); r++)
        for (int side = value > 0 ? -1 : 0; side <= 1; side++) {
            snprintf(contract, sizeof contract, "kernel %s : %s %s %d", head, name, all[r].relation,
                     value + side);
            const int holds = side < 0 ? all[r].below : side > 0 ? all[r].above : all[r].at;
            EXPECT(contract, holds, !holds, 0, "");
            assert_int_equal(report[0] == '\0', holds);
        }
}

static void check_loop_bounds(const char *name, int value)
{
    check_bounds("axpy @* loop=main", name, value);
    check_bounds("/^axpy$/ @x86-64-v3 loop=0", name, value);
}

UNIT_TEST_WITH(inside_and_outside, set_up, tear_down)
{
    each_quantity(
        "load 2, load.256 2, load.width 256, store.width 256, store 1, packed.f32 1, "
        "scalar 0, fma 1, spill 0, bytes 96, elements 8, bytes/elem 12, calls 0, loops 1, "
        "unknown 0",
        check_loop_bounds);
    check_bounds("axpy @* loop=none", "instructions", 7);
    check_bounds("axpy @*", "spill", 8);
    check_bounds("leaf @*", "unknown", 1);
}

UNIT_TEST_WITH(fractions, set_up, tear_down)
{
    EXPECT("kernel axpy @* loop=main { bytes/elem > 11.999, bytes/elem < 12.001\n"
           "bytes/elem <= 11.999, bytes/elem == 12.000 }",
           3, 1, 0, "a.cg:2:1: broken: bytes/elem <= 11.999, found 12\n");
    EXPECT("kernel axpy @* loop=main : bytes/elem == 12.500, load == 0.05", 0, 2, 0,
           "broken: bytes/elem == 12.5, found 12\n", "broken: load == 0.05, found 2\n");
}

UNIT_TEST_WITH(a_broken_contract_prints_the_loop, set_up, tear_down)
{
    EXPECT_STATUS("kernel /^narrow<float>/ @x86-64 gcc>=12 loop=main :\nkernel", STN_ERR_PARSE, 0,
                  0, 0, "");
    EXPECT("kernel /^narrow<float>/ @x86-64 gcc>=12 loop=main : load.width >= 256, "
           "scalar.f64 == 0, calls == 0",
           1, 2, 0, "a.cg:1:53: broken: load.width >= 256, found 32\n",
           "a.cg:1:72: broken: scalar.f64 == 0, found 1\n",
           "likely: elements are not contiguous: an iteration advances by 32 bytes",
           "likely: arithmetic in f64",
           "narrow<float>(int) (x86-64, GCC: (Debian 12.2.0-14) 12.2.0), its main loop", "fma",
           "; load 32, scalar fma f64\n", "; store 32\n", "no prologue");
}

/* An instruction of unknown effect leaves at most one side of a bound undetermined. */
UNIT_TEST_WITH(undetermined_quantities_do_not_hold, set_up, tear_down)
{
    stn_machine_instruction *middle = f.instructions[0] + 2;
    const stn_machine_instruction before = *middle;
    middle->operation = STN_OP_UNKNOWN;
    EXPECT("kernel axpy @* loop=main { load >= 2, load > 1, load != 1\n"
           "load.width <= 256, instructions == 5, unknown == 1, regs < 1\n"
           "load == 2, load <= 2, load < 3, load != 3, cvt == 0, calls == 0\n"
           "load.width >= 256, load.width == 256, elements == 8 }",
           6, 10, 0, "a.cg:3:1: broken: load == 2 cannot be determined: 'fma' at 18 is unknown\n",
           "a.cg:4:1: broken: load.width >= 256 cannot be determined: 'fma' at 18 is unknown",
           "a.cg:2:53: broken: regs < 1, but the file does not contain the number of registers\n");
    *middle = before;
    middle->repeats = 1;
    EXPECT("kernel axpy @* loop=main : bytes <= 96, bytes >= 96, calls == 0, cvt == 0", 3, 1, 0,
           "bytes <= 96 cannot be determined: 'fma' at 18 repeats an unknown number of times\n");
    EXPECT("kernel axpy @* loop=main : bytes <= 95, bytes >= 97", 0, 2, 0,
           "a.cg:1:28: broken: bytes <= 95, found 96\n",
           "a.cg:1:41: broken: bytes >= 97 cannot be determined");
    *middle = before;
    middle->flow = STN_FLOW_CALL;
    middle->target = 0x1000;
    EXPECT("kernel axpy @* loop=main : calls == 1, scalar == 0, load >= 2, branches == 1", 3, 1, 0,
           "scalar == 0 cannot be determined: 'fma' at 18 leaves the function");
    EXPECT("kernel axpy @* loop=main calls=left-out : calls == 1, scalar == 0, load == 2", 3, 0, 0,
           "");
    *middle = before;
    f.instructions[0][6].flow = STN_FLOW_INDIRECT;
    EXPECT("kernel axpy @* loop=main calls=left-out : load == 2, load >= 2, loops == 1", 1, 2, 0,
           "load == 2 cannot be determined: 'ret' at 28 jumps to an unknown target\n");
    EXPECT("kernel axpy @* calls=left-out : load == 2, calls == 0, instructions == 7", 2, 1, 0,
           "calls == 0 cannot be determined");
}

/* Likely causes, for one change to the loop of axpy at a time. */
UNIT_TEST_WITH(causes, set_up, tear_down)
{
    stn_machine_instruction *middle = f.instructions[0] + 2;
    const stn_machine_instruction before = *middle;
    EXPECT("kernel axpy @* loop=main : loops == 0", 0, 1, 0,
           "likely: the compiler generated several versions of a loop");
    middle->flow = STN_FLOW_CALL;
    EXPECT("kernel axpy @* loop=main : calls == 0", 0, 1, 0, "likely: calls",
           "; load 256, packed fma f32, call\n");
    *middle = before;
    middle->operation = STN_OP_CONVERSION;
    EXPECT("kernel axpy @* loop=main : cvt == 0", 0, 1, 0,
           "likely: conversions between number types", "; load 256, packed conversion\n");
    middle->operation = STN_OP_UNKNOWN;
    EXPECT("kernel axpy @* loop=main : load == 0", 0, 1, 0, "1 of its instructions are unknown",
           "; load 256, unknown\n");
    *middle = before;
    middle->operation = STN_OP_ARITHMETIC;
    middle->divides = 1;
    middle->access[0].space = STN_SPACE_STACK;
    EXPECT("kernel axpy @* loop=main : spill == 0, divisions == 0", 0, 2, 0, "likely: spills",
           "; stack load 256, packed f32, division or root\n");
    *middle = before;
    EXPECT("kernel axpy @* loop=main : load.width >= 512", 0, 1, 0,
           "likely: vectors of another width", "no scalar arithmetic");
    f.codes[0].machine = STN_MACHINE_NVIDIA;
    EXPECT("kernel axpy @* loop=main : load.width >= 512", 0, 1, 0,
           "likely: narrow accesses: the alignment of the type");
}

/* A store through a register without a step. A register that the loop computes anew is no sign. */
UNIT_TEST_WITH(addresses, set_up, tear_down)
{
    f.instructions[0][3].access[0].index = -1;
    EXPECT("kernel axpy @* loop=main : store == 0", 0, 1, 0,
           "likely: a store to the same address in every iteration");
    f.instructions[0][2].written = 1 << RDI;
    EXPECT("kernel axpy @* loop=main : store == 0", 0, 1, 0, "no the same address",
           "no contiguous");
}

/* Bytes that are loaded and stored count once when gaps in an array are looked for. */
UNIT_TEST_WITH(gaps, set_up, tear_down)
{
    f.instructions[0][2].access[0].bits = f.instructions[0][3].access[0].bits = 128;
    EXPECT("kernel axpy @* loop=main : load.width >= 256", 0, 1, 0,
           "an iteration advances by 32 bytes and accesses 16 of them");
}

/* Instructions that a loop jumps over are left out of its listing. */
UNIT_TEST_WITH(listings_with_gaps, set_up, tear_down)
{
    stn_code *code = f.codes;
    release_sample(&f);
    for (int k = 0; k < FUNCTIONS; k++)
        f.codes[k] = (stn_code){.machine = STN_MACHINE_X86_64,
                                .instructions = f.instructions[k],
                                .count = INSTRUCTIONS,
                                .text = f.text};
    f.instructions[0][2].flow = STN_FLOW_JUMP;
    f.instructions[0][2].target = 0x20;
    f.instructions[0][3].flow = STN_FLOW_END;
    expect_ok(stn_code_find_loops(code));
    EXPECT("kernel axpy @* loop=main : load == 0", 0, 1, 0,
           "jump, to 20\n       ...\n        20  add", "no ; store 256");
}

UNIT_TEST_WITH(skipped, set_up, tear_down)
{
    EXPECT("kernel axpy @sm_90 : load == 1, store == 1\n"
           "kernel axpy @* clang : load == 1\n"
           "kernel axpy @* gcc<12 : load == 1\n"
           "kernel nothing @aarch64 : load == 1\n",
           0, 0, 5, "a.cg:1:1: skipped: axpy @sm_90: the file has no code for it\n",
           "a.cg:2:1: skipped: axpy @*: for clang; the file was compiled by 'GCC",
           "a.cg:3:1: skipped: axpy @*: for other versions of gcc");
    f.image.compiler = NULL;
    EXPECT("kernel axpy @* gcc : load == 2", 0, 0, 1, "the file does not name its compiler");
}

UNIT_TEST_WITH(levels, set_up, tear_down)
{
    const char *three = "kernel axpy @x86-64-v3 loop=main : load.width >= 256\n"
                        "kernel axpy @x86-64-v4 loop=main : load.width >= 512\n"
                        "kernel axpy @x86-64 loop=main : load.width >= 128\n";
    EXPECT(three, 2, 1, 0, ""); /* by default, the file may be for v4 */
    expect_ok(stn_image_built_for(&f.image, "x86-64-v3"));
    EXPECT(three, 2, 0, 1, "");
    expect_error(stn_image_built_for(&f.image, "x86-64-v5"), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_built_for(&f.image, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_built_for(NULL, "x86-64"), STN_ERR_ARGUMENT, NULL);
    EXPECT(three, 2, 0, 1, "");
}

UNIT_TEST_WITH(missing_loops, set_up, tear_down)
{
    EXPECT("kernel leaf @* loop=main : calls == 0, load > 0", 0, 2, 0,
           "a.cg:1:1: broken: leaf has no loops");
    EXPECT("kernel leaf @* loop=0 : calls == 0", 0, 1, 0, "");
    EXPECT("kernel axpy @* loop=1 : calls == 0", 0, 1, 0,
           "broken: axpy has no loop 1; it has 1, numbered from 0\n");
    EXPECT("kernel axpy @* : regs <= 32", 0, 1, 0,
           "but the file does not contain the number of registers");
}

UNIT_TEST_WITH(missing_functions, set_up, tear_down)
{
    EXPECT_STATUS("kernel dot @* : load == 1\nkernel axpy @* : calls == 0\n"
                  "kernel /^dot/ @* : load == 1\n",
                  STN_ERR_RANGE, 1, 2, 0, "a.cg:3:1: there is no function /^dot/ in a.o");
    assert_memory_equal(stn_error(),
                        "a.cg:1:1: there is no function dot in a.o; it may have been inlined", 67);
    EXPECT_STATUS("kernel axpys @* : load == 1", STN_ERR_RANGE, 0, 1, 0,
                  "there is no function axpys in a.o; similar: axpy");
    f.image.is_stripped = 1;
    EXPECT_STATUS("kernel dot @* : load == 1", STN_ERR_RANGE, 0, 1, 0, "");
    assert_string_equal(stn_error(), "a.cg:1:1: there is no function dot in a.o; the file is "
                                     "stripped of its symbols");
    EXPECT_STATUS("kernel /a/ @* : load == 1", STN_ERR_RANGE, 0, 1, 0,
                  "a.cg:1:1: there is more than one function /a/ in a.o");
    f.image.count = 0;
    EXPECT_STATUS("kernel axpy @x86-64-v2 : load == 1", STN_ERR_RANGE, 0, 1, 0, "");
    EXPECT("kernel axpy @aarch64 : load == 1", 0, 0, 1, "");
}

/* One kernel for two architectures, as in a fat binary: a common contract applies to both. */
UNIT_TEST_WITH(two_targets, set_up, tear_down)
{
    snprintf(f.symbols[1].target, sizeof f.symbols[1].target, "sm_80");
    snprintf(f.symbols[2].target, sizeof f.symbols[2].target, "sm_90");
    f.symbols[1].symbol = f.symbols[2].symbol = f.symbols[0].symbol;
    EXPECT("kernel axpy @sm_* : load.32 == 2", 1, 1, 0, "");
    EXPECT("kernel axpy @sm_80 : load.32 == 2", 1, 0, 0, "");
    EXPECT("kernel axpy @x86-64-v3|sm_80 loop=0 : load > 0", 2, 0, 0, "");
}

UNIT_TEST_WITH(refused_arguments, set_up, tear_down)
{
    const char *text = "kernel axpy @* : calls == 0";
    stn_contract_result result = STN_CONTRACT_RESULT_INIT, small = {.size = sizeof small - 1};
    const struct {
        stn_image *image;
        const char *text, *name;
        stn_contract_result *result;
    } cases[] = {{NULL, text, "a", &result},
                 {&f.image, NULL, "a", &result},
                 {&f.image, text, NULL, &result},
                 {&f.image, text, "a", NULL},
                 {&f.image, text, "a", &small}};
    for (int k = 0; k < COUNT_OF(cases); k++)
        expect_error(stn_contract_check_text(cases[k].image, cases[k].text, cases[k].name, NULL,
                                             cases[k].result),
                     STN_ERR_ARGUMENT, NULL);
    expect_error(stn_contract_check(&f.image, NULL, NULL, &result), STN_ERR_ARGUMENT, NULL);
    expect_ok(stn_contract_check_text(&f.image, "kernel axpy @* : calls == 1", "a", NULL, &result));
    assert_int_equal(result.broken, 1);
}

/* ---- files ---- */

UNIT_TEST_WITH(files, set_up, tear_down)
{
    char path[] = "/tmp/steno_contract_XXXXXX";
    enum { LARGE = (4 << 20) + 1 };
    static char large[LARGE];
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    const int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    memset(large, '#', sizeof large);
    const struct {
        const char *bytes;
        size_t size;
        stn_status status;
        const char *message;
    } cases[] = {
        {"kernel axpy @* : calls == 0", 27, STN_OK, ""},
        {"# a\nker\0nel", 11, STN_ERR_PARSE, ":2:4: the text contains a zero byte"},
        {large, LARGE, STN_ERR_PARSE, "larger than 4 MiB"},
        {large, 100028, STN_OK, ""},
    };
    for (int k = 0; k < COUNT_OF(cases); k++) {
        if (k == 3)
            memcpy(large + 100000, "\nkernel axpy @* : calls == 0", 28);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(cases[k].bytes, 1, cases[k].size, file), cases[k].size);
        assert_int_equal(fclose(file), 0);
        const stn_status status = stn_contract_check(&f.image, path, NULL, &result);
        assert_int_equal(status, cases[k].status);
        if (status == STN_OK)
            assert_int_equal(result.held, 1);
        else
            assert_non_null(strstr(stn_error(), cases[k].message));
    }
    remove(path);
    expect_error(stn_contract_check(&f.image, path, NULL, &result), STN_ERR_IO, NULL);
    expect_error(stn_contract_check(&f.image, "/", NULL, &result), STN_ERR_IO, NULL);
}

RUN_UNIT_TESTS(NULL, NULL)
