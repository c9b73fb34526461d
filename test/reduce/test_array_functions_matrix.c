/* Functions of array_functions.h on views of every layout and scale, in every arithmetic: values
 * and views of results have the bits of reduce_oracle.c, for each set of dimensions. */
#include <inttypes.h>
#include <stdio.h>

#include "any_view.h"
#include "exec.h"
#include "reduce_check.h"
#include "reduce_oracle.h"
#include "steno/array_functions.h"

enum { MOST = 8192 };

/* ---- shapes ---- */

typedef struct shape {
    int rank;
    int64_t extent[STN_MAX_RANK];
} shape;
static const shape shapes[] = {
    {0, {0}},           {1, {1}},
    {1, {129}},         {1, {4100}},
    {2, {300, 7}},      {2, {5, 1000}},
    {2, {70, 40}},      {3, {9, 33, 5}},
    {4, {3, 5, 2, 37}}, {8, {2, 1, 3, 2, 2, 2, 3, 2}},
};

typedef struct array_case {
    stn_format arithmetic;
    shape of;
    operand x;
    stn_view sent; /* where the executor reads it */
    const stn_exec *exec;
    char words[160];
} array_case;

static int is_complex(stn_format arithmetic)
{
    return arithmetic == STN_C128 || arithmetic == STN_C64;
}

/* ---- expected results ---- */

/* Part 0 or 1 of value k. */
static reduce_value value_of(const array_case *c, int64_t k, int part)
{
    const void *const memory = c->x.memory;
    switch (c->arithmetic) {
    case STN_I64:
        return (reduce_value){0.0, ((const int64_t *)memory)[k]};
    case STN_F32:
        return (reduce_value){(double)((const float *)memory)[k], 0};
    case STN_C64:
        return (reduce_value){(double)((const float *)memory)[2 * k + part], 0};
    case STN_C128:
        return (reduce_value){((const double *)memory)[2 * k + part], 0};
    default:
        return (reduce_value){((const double *)memory)[k], 0};
    }
}

/* Index of an output from the indices of an element. */
static int64_t output_of(const shape *s, unsigned reduced, const int64_t *index)
{
    int64_t output = 0;
    for (int d = 0; d < s->rank; d++)
        if (!(reduced >> d & 1))
            output = output * s->extent[d] + index[d];
    return output;
}

/* The elements of all outputs, those of an output in C order; returns their number. */
static int64_t gather(const array_case *c, unsigned reduced, int part, reduce_value *lines)
{
    static int64_t filled[MOST];
    int64_t index[STN_MAX_RANK] = {0}, count = 1, k = 0;
    memset(filled, 0, sizeof filled);
    for (int d = 0; d < c->of.rank; d++)
        count *= reduced >> d & 1 ? c->of.extent[d] : 1;
    do {
        const int64_t output = output_of(&c->of, reduced, index);
        lines[output * count + filled[output]++] = value_of(c, k++, part);
    } while (next_index(&c->x.view, index));
    return count;
}

/* The arithmetic of parts. */
static stn_format part_of(stn_format arithmetic)
{
    return arithmetic == STN_C128 ? STN_F64 : arithmetic == STN_C64 ? STN_F32 : arithmetic;
}

/* ---- functions ---- */

typedef struct array_function {
    const char *name;
    reduce_operation operation;
    int has_integers, has_complex;
    stn_status (*into)(const stn_exec *, stn_format, const stn_view *, const stn_view *, unsigned);
} array_function;

static const array_function functions[] = {
    {"sum", REDUCE_SUM, 1, 1, stn_sum_into},
    {"min", REDUCE_MIN, 1, 0, stn_min_into},
    {"max", REDUCE_MAX, 1, 0, stn_max_into},
    {"argmin", REDUCE_ARGMIN, 1, 0, stn_argmin_into},
    {"argmax", REDUCE_ARGMAX, 1, 0, stn_argmax_into},
    {"norm", REDUCE_NORM2, 0, 0, stn_norm_into},
};

static int has(const array_function *f, stn_format arithmetic)
{
    return arithmetic == STN_I64 ? f->has_integers : is_complex(arithmetic) ? f->has_complex : 1;
}

static int gives_integer(const array_function *f, stn_format arithmetic)
{
    return arithmetic == STN_I64 || reduce_counts(f->operation);
}

static stn_status call_whole(const array_function *f, const array_case *c, double *real,
                             int64_t *integer, stn_c128 *complex)
{
    const stn_format arithmetic = c->arithmetic;
    const stn_view *const x = &c->sent;
    switch (f->operation) {
    case REDUCE_SUM:
        return arithmetic == STN_I64    ? stn_sum_integer(c->exec, arithmetic, integer, x)
               : is_complex(arithmetic) ? stn_sum_complex(c->exec, arithmetic, complex, x)
                                        : stn_sum(c->exec, arithmetic, real, x);
    case REDUCE_MIN:
        return arithmetic == STN_I64 ? stn_min_integer(c->exec, arithmetic, integer, x)
                                     : stn_min(c->exec, arithmetic, real, x);
    case REDUCE_MAX:
        return arithmetic == STN_I64 ? stn_max_integer(c->exec, arithmetic, integer, x)
                                     : stn_max(c->exec, arithmetic, real, x);
    case REDUCE_ARGMIN:
        return stn_argmin(c->exec, arithmetic, integer, x);
    case REDUCE_ARGMAX:
        return stn_argmax(c->exec, arithmetic, integer, x);
    default:
        return stn_norm(c->exec, arithmetic, real, x);
    }
}

static void expect_same(const array_case *c, const array_function *f, unsigned reduced,
                        int64_t output, reduce_value found, reduce_value expected)
{
    const int integer = gives_integer(f, c->arithmetic);
    const reduce_rule rule = {.operation = f->operation, .arithmetic = part_of(c->arithmetic)};
    if (!reduce_same(&rule, found, expected))
        fail_msg("%s of %s, reduced 0x%x, output %d: %a (%" PRId64 "), not %a (%" PRId64 ")",
                 f->name, c->words, reduced, (int)output, integer ? 0.0 : found.real, found.integer,
                 expected.real, expected.integer);
}

static void check_whole(array_case *c, const array_function *f)
{
    static reduce_value line[MOST];
    const reduce_rule rule = {.operation = f->operation, .arithmetic = part_of(c->arithmetic)};
    const unsigned all = (1u << c->of.rank) - 1;
    double real = 0.0;
    int64_t integer = 0;
    stn_c128 complex = {0, 0};
    c->sent = send_operand(&c->x);
    expect_ok_for(call_whole(f, c, &real, &integer, &complex), c->words);
    test_fetch();
    for (int p = 0; p <= is_complex(c->arithmetic); p++) {
        const int64_t count = gather(c, all, p, line);
        if (is_complex(c->arithmetic))
            real = p ? complex.im : complex.re;
        expect_same(c, f, all, 0, (reduce_value){real, integer},
                    reduce_order(&rule, line, NULL, count));
    }
}

static reduce_value stored_at(stn_format format, const void *memory, int64_t k)
{
    if (format == STN_I64)
        return (reduce_value){0.0, ((const int64_t *)memory)[k]};
    if (format == STN_F32)
        return (reduce_value){(double)((const float *)memory)[k], 0};
    return (reduce_value){((const double *)memory)[k], 0};
}

static void check_into(array_case *c, const array_function *f, unsigned reduced)
{
    static double memory[2 * MOST];
    static reduce_value lines[MOST];
    const reduce_rule rule = {.operation = f->operation, .arithmetic = part_of(c->arithmetic)};
    const int parts = 1 + is_complex(c->arithmetic);
    const stn_format format = gives_integer(f, c->arithmetic) ? STN_I64 : c->arithmetic;
    int64_t extent[STN_MAX_RANK], outputs = 1;
    int rank = 0;
    for (int d = 0; d < c->of.rank; d++)
        if (!(reduced >> d & 1))
            outputs *= extent[rank++] = c->of.extent[d];
    const stn_view result = check_view("result", format, memory, rank, extent, NULL);
    memset(memory, 0x55, sizeof memory);
    c->sent = send_operand(&c->x);
    const stn_view sent = test_send(&result, memory, outputs * 16);
    expect_ok_for(f->into(c->exec, c->arithmetic, &sent, &c->sent, reduced), c->words);
    test_fetch();
    for (int p = 0; p < parts; p++) {
        const int64_t count = gather(c, reduced, p, lines);
        for (int64_t o = 0; o < outputs; o++)
            expect_same(c, f, reduced, o, stored_at(part_of(format), memory, parts * o + p),
                        reduce_order(&rule, lines + o * count, NULL, count));
    }
}

/* ---- running sums ---- */

static void check_cumsum(array_case *c, int dimension)
{
    static double memory[MOST];
    static reduce_value lines[MOST], scanned[MOST];
    static int64_t filled[MOST];
    const reduce_rule rule = {.operation = REDUCE_SUM, .arithmetic = c->arithmetic};
    const stn_view result =
        check_view("result", c->arithmetic, memory, c->of.rank, c->of.extent, NULL);
    const int64_t total = stn_view_count(&result);
    int64_t index[STN_MAX_RANK] = {0};
    c->sent = send_operand(&c->x);
    const stn_view sent = test_send(&result, memory, total * 8);
    expect_ok_for(stn_cumsum(c->exec, c->arithmetic, &sent, &c->sent, dimension), c->words);
    test_fetch();
    const int64_t count = gather(c, 1u << dimension, 0, lines);
    for (int64_t o = 0; o < total / count; o++)
        reduce_scan(&rule, 0, lines + o * count, count, scanned + o * count);
    memset(filled, 0, sizeof filled);
    for (int64_t k = 0; k < total; k++) {
        const int64_t o = output_of(&c->of, 1u << dimension, index);
        const reduce_value expected = scanned[o * count + filled[o]++];
        if (!reduce_same(&rule, stored_at(c->arithmetic, memory, k), expected))
            fail_msg("cumsum of %s, dimension %d, element %d", c->words, dimension, (int)k);
        (void)next_index(&c->x.view, index);
    }
}

/* ---- cases ---- */

/* All sets of dimensions of small ranks; one of others. */
static void check_function(array_case *c, const array_function *f, int turn)
{
    const unsigned all = (1u << c->of.rank) - 1;
    check_whole(c, f);
    for (unsigned reduced = 0; c->of.rank <= 2 && reduced <= all; reduced++)
        check_into(c, f, reduced);
    if (c->of.rank > 2)
        check_into(c, f, (unsigned)(turn * 37 + 11) & all);
}

static void check_case(array_case *c, int turn)
{
    for (int e = 0; e < CHECK_EXECS; e++) {
        c->exec = check_execs[e];
        for (int f = 0; f < COUNT_OF(functions); f++)
            if (has(&functions[f], c->arithmetic) && (f + turn + e) % 3 == 0)
                check_function(c, &functions[f], turn);
        if (c->of.rank > 0 && !is_complex(c->arithmetic))
            check_cumsum(c, turn % c->of.rank);
    }
}

/* On a device, where each kernel is compiled: one function per arithmetic. */
static void check_on_device(array_case *c)
{
    const array_function *const f = &functions[c->arithmetic == STN_F64   ? 3
                                               : c->arithmetic == STN_F32 ? 1
                                                                          : 0];
    c->exec = test_exec();
    check_whole(c, f);
    check_into(c, f, 1u << 1);
}

static stn_storage storage_of(stn_format arithmetic, int turn)
{
    static const stn_format floats[] = {STN_F64, STN_F32, STN_F16, STN_BF16, STN_E4M3, STN_I16};
    static const stn_format integers[] = {STN_I64, STN_I32, STN_I8, STN_I16};
    return stn_storage_of(is_complex(arithmetic)  ? arithmetic
                          : arithmetic == STN_I64 ? integers[turn % COUNT_OF(integers)]
                                                  : floats[turn % COUNT_OF(floats)]);
}

/* Layouts of tiles and curves have at most three dimensions here; devices have no custom ones. */
static layout_case layout_of(const shape *s, int turn)
{
    const layout_case which = (layout_case)(turn % LAYOUTS);
    if (s->rank == 0)
        return RIGHT;
    if ((s->rank > 3 && which >= TILED) || (test_exec() && (which == SKEWED || which == RUNS)))
        return (layout_case)(turn % TILED);
    return which;
}

/* Only strided views have scales that differ; integers are not scaled. */
static scale_case scale_of(stn_format arithmetic, const shape *s, layout_case layout, int turn)
{
    if (arithmetic == STN_I64 || s->rank == 0)
        return NONE;
    return (scale_case)(turn / 2 % (layout < TILED ? SCALES : PER_ROW));
}

static void check_arithmetic(stn_format arithmetic)
{
    uint64_t state = 7;
    for (int s = 0; s < COUNT_OF(shapes); s++)
        for (int k = 0; k < 3; k++) {
            if (test_exec() && (shapes[s].rank != 3 || k > 0))
                continue;
            const int turn = 3 * s + k;
            const layout_case layout = layout_of(&shapes[s], turn);
            const scale_case scale = scale_of(arithmetic, &shapes[s], layout, turn);
            array_case c = {.arithmetic = arithmetic, .of = shapes[s]};
            c.x = make_operand(arithmetic, storage_of(arithmetic, turn), layout, scale, c.of.rank,
                               c.of.extent, &state);
            snprintf(c.words, sizeof c.words, "layout %s, %s scales, shape %d, arithmetic %d",
                     layout_names[layout], scale_names[scale], s, (int)arithmetic);
            if (test_exec())
                check_on_device(&c);
            else
                check_case(&c, turn);
            drop_operand(&c.x);
        }
}

UNIT_TEST(test_f64)
{
    check_arithmetic(STN_F64);
}

UNIT_TEST(test_f32)
{
    check_arithmetic(STN_F32);
}

UNIT_TEST(test_i64)
{
    check_arithmetic(STN_I64);
}

UNIT_TEST(test_c128)
{
    check_arithmetic(STN_C128);
}

UNIT_TEST(test_c64)
{
    check_arithmetic(STN_C64);
}

static int release(void **context)
{
    test_exec_release();
    return check_release_execs(context);
}

RUN_UNIT_TESTS(check_make_execs, release)
