/* What stn_matrix_wrap_csr_arrays and stn_spmv refuse, with sentences; mirrors on the host; and
 * what is left when memory ends. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu.h"
#include "core/memory.h"
#include "order_oracle.h"
#include "matrix.h"
#include "steno/sparse.h"

/* ---- what stn_matrix_wrap_csr_arrays refuses ---- */

static const int64_t good_start[] = {0, 2, 2, 3};
static const int32_t good_column[] = {0, 4, 4};
static double good_values[4] = {1.0, 2.0, 3.0, 4.0};

/* The changed part of the arguments of a matrix of 3 x 5 with 3 entries. */
static void refuse_wrap(stn_status wanted, const char *word, stn_format format, int64_t rows,
                        int64_t columns, const int64_t *row_start, const int32_t *column,
                        const void *values)
{
    stn_matrix *csr;
    memset(&csr, 0xa5, sizeof csr);
    const stn_status status =
        wrap_csr(&csr, "mike", stn_storage_of(format), rows, columns, row_start, column, values);
    if (status != wanted)
        fail_msg("%s, not %s, for '%s'", stn_status_name(status), stn_status_name(wanted), word);
    if (!strstr(stn_error(), word) || (wanted != STN_ERR_FORMAT && !strstr(stn_error(), "mike")))
        fail_msg("'%s' does not say '%s' and the label", stn_error(), word);
    assert_null(csr);
}

static void refuse_start(const char *word, int64_t first, int64_t second, int64_t third,
                         int64_t fourth)
{
    const int64_t start[] = {first, second, third, fourth};
    refuse_wrap(STN_ERR_RANGE, word, STN_F64, 3, 5, start, good_column, good_values);
}

static void refuse_column(const char *word, int32_t first, int32_t second, int32_t third)
{
    const int32_t column[] = {first, second, third};
    refuse_wrap(STN_ERR_RANGE, word, STN_F64, 3, 5, good_start, column, good_values);
}

TEST_CASE(test_refused_indices)
{
    refuse_start("begins with 1", 1, 2, 2, 3);
    refuse_start("begins with -1", -1, 2, 2, 3);
    refuse_start("after row 1", 0, 2, 1, 3);
    refuse_start("after row 0", 0, -1, 2, 3);
    refuse_start("after row 2", 0, 2, 2, INT64_MIN);
    refuse_start("after row 1", 0, INT64_MAX, 2, 3);
    refuse_column("5 in row 0", 5, 4, 4);
    refuse_column("-1 in row 0", 0, -1, 4);
    refuse_column("5 in row 2", 0, 4, 5);
    refuse_column("2147483647 in row 2", 0, 4, INT32_MAX);
    refuse_wrap(STN_ERR_RANGE, "0 in row 0, at entry 0; there are 0 columns", STN_F64, 3, 0,
                good_start, good_column, good_values);
}

TEST_CASE(test_refused_matrices)
{
    const int64_t wide = (int64_t)INT32_MAX + 1;
    char *odd = (char *)good_values + 1;
    refuse_wrap(STN_ERR_SHAPE, "-1", STN_F64, -1, 5, good_start, good_column, good_values);
    refuse_wrap(STN_ERR_SHAPE, "-1", STN_F64, 3, -1, good_start, good_column, good_values);
    refuse_wrap(STN_ERR_SHAPE, "2147483648", STN_F64, 3, wide, good_start, good_column,
                good_values);
    refuse_wrap(STN_ERR_ARGUMENT, "row_start is NULL", STN_F64, 3, 5, NULL, good_column,
                good_values);
    refuse_wrap(STN_ERR_ARGUMENT, "column is NULL", STN_F64, 3, 5, good_start, NULL, good_values);
    refuse_wrap(STN_ERR_ARGUMENT, "values is NULL", STN_F64, 3, 5, good_start, good_column, NULL);
    refuse_wrap(STN_ERR_ARGUMENT, "aligned to 8", STN_F64, 3, 5, good_start, good_column, odd);
    refuse_wrap(STN_ERR_ARGUMENT, "aligned to 2", STN_F16, 3, 5, good_start, good_column, odd);
    refuse_wrap(STN_ERR_FORMAT, "", -1, 3, 5, good_start, good_column, good_values);
    refuse_wrap(STN_ERR_FORMAT, "", 100000, 3, 5, good_start, good_column, good_values);
    assert_int_equal(
        wrap_csr(NULL, "mike", stn_storage_of(STN_F64), 3, 5, good_start, good_column, good_values),
        STN_ERR_ARGUMENT);
    stn_matrix *csr;
    assert_int_equal(wrap_csr(&csr, NULL, stn_storage_of(STN_F64), 3, 5, NULL, NULL, NULL),
                     STN_ERR_ARGUMENT);
    const int64_t none[] = {0, 0};
    assert_int_equal(
        wrap_csr(&csr, "mike", stn_storage_of(STN_F64), 1, INT32_MAX, none, NULL, NULL), STN_OK);
    assert_true(csr->columns == INT32_MAX && csr->entries == 0);
    assert_int_equal(
        wrap_csr(&csr, "mike", stn_storage_of(STN_E4M3), 3, 5, good_start, good_column, odd),
        STN_OK);
}

/* ---- what stn_spmv refuses ---- */

typedef struct operands {
    double x[6], y[6];
    stn_matrix *a;
    stn_view xv, yv;
    const stn_exec *exec;
    stn_format arithmetic;
} operands;

static void make_operands(operands *o)
{
    const int64_t m = 3, n = 5;
    const stn_storage f64 = stn_storage_of(STN_F64);
    *o = (operands){.y = {1, 2, 3, 4, 5, 6}, .exec = order_use(1), .arithmetic = STN_F64};
    assert_int_equal(wrap_csr(&o->a, "mike", f64, m, n, good_start, good_column, good_values),
                     STN_OK);
    assert_int_equal(stn_view_wrap(&o->xv, "xray", f64, o->x, 1, &n), STN_OK);
    assert_int_equal(stn_view_wrap(&o->yv, "yankee", f64, o->y, 1, &m), STN_OK);
}

static void refuse(const operands *o, stn_status wanted, const char *first, const char *second)
{
    for (int beta = 0; beta < 2; beta++) {
        const stn_status status = stn_spmv(o->exec, o->arithmetic, 2.0, o->a, &o->xv, beta, &o->yv);
        if (status != wanted)
            fail_msg("%s, not %s", stn_status_name(status), stn_status_name(wanted));
        if (!strstr(stn_error(), first) || !strstr(stn_error(), second))
            fail_msg("'%s' does not say '%s' and '%s'", stn_error(), first, second);
    }
    for (int k = 0; k < 6; k++)
        assert_true(o->y[k] == k + 1.0 && good_values[k % 4] == k % 4 + 1.0);
}

TEST_CASE(test_refused_shapes)
{
    operands o;
    make_operands(&o);
    o.xv.extent[0] = 4;
    refuse(&o, STN_ERR_SHAPE, "mike (3 x 5)", "xray (f64, 4)");
    make_operands(&o);
    o.yv.extent[0] = 4;
    refuse(&o, STN_ERR_SHAPE, "mike (3 x 5)", "yankee (f64, 4)");
    make_operands(&o);
    o.xv.rank = 2;
    refuse(&o, STN_ERR_SHAPE, "xray", "rank 2");
    make_operands(&o);
    o.yv.rank = 0;
    refuse(&o, STN_ERR_SHAPE, "yankee", "rank 0");
}

TEST_CASE(test_refused_operands)
{
    operands o;
    make_operands(&o);
    assert_int_equal(stn_spmv(o.exec, STN_F64, 1, NULL, &o.xv, 0, &o.yv), STN_ERR_ARGUMENT);
    assert_int_equal(stn_spmv(o.exec, STN_F64, 1, o.a, NULL, 0, &o.yv), STN_ERR_ARGUMENT);
    assert_int_equal(stn_spmv(o.exec, STN_F64, 1, o.a, &o.xv, 0, NULL), STN_ERR_ARGUMENT);
    o.exec = NULL;
    refuse(&o, STN_ERR_ARGUMENT, "exec", "NULL");
    make_operands(&o);
    o.yv.read_only = 1;
    refuse(&o, STN_ERR_ARGUMENT, "yankee (f64, 3)", "read-only");
    make_operands(&o);
    stn_matrix_release(o.a);
    o.a = NULL;
    refuse(&o, STN_ERR_ARGUMENT, "the matrix is NULL", "");
    make_operands(&o);
    memset(&o.xv, 0, sizeof o.xv);
    refuse(&o, STN_ERR_ARGUMENT, "x is an empty view", "");
    make_operands(&o);
    o.a->storage.scale = 0.0;
    refuse(&o, STN_ERR_ARGUMENT, "scale", "");
    make_operands(&o);
    o.arithmetic = STN_F16;
    refuse(&o, STN_ERR_UNSUPPORTED, "f64", "f32");
    make_operands(&o);
    o.a->storage.format = STN_C64;
    refuse(&o, STN_ERR_UNSUPPORTED, "c64", "f64");
    make_operands(&o);
    o.xv.storage.format = STN_C64;
    refuse(&o, STN_ERR_UNSUPPORTED, "c64", "f64");
}

TEST_CASE(test_refused_overlap)
{
    operands o;
    make_operands(&o);
    o.xv.data = o.y + 1;
    refuse(&o, STN_ERR_ALIAS, "yankee (f64, 3)", "overlaps xray");
    make_operands(&o);
    o.yv.data = good_values + 1;
    refuse(&o, STN_ERR_ALIAS, "yankee (f64, 3)", "the values of mike");
    make_operands(&o);
    o.yv.stride[0] = 0;
    refuse(&o, STN_ERR_ALIAS, "yankee (f64, 3)", "");
}

/* ---- mirrors ---- */

/* On the host a mirror is a copy of its own. */
TEST_CASE(test_mirrors)
{
    double expected[6], *values;
    operands o;
    stn_matrix *mirror, *none;
    stn_view part;
    make_operands(&o);
    assert_int_equal(stn_spmv(o.exec, o.arithmetic, 2.0, o.a, &o.xv, 1.0, &o.yv), STN_OK);
    memcpy(expected, o.y, sizeof expected);
    make_operands(&o);
    memset(&mirror, 0xa5, sizeof mirror);
    assert_int_equal(stn_matrix_mirror(NULL, &mirror, o.a), STN_OK);
    assert_true(mirror->entries == o.a->entries && mirror->values != o.a->values);
    assert_int_equal(stn_spmv(o.exec, o.arithmetic, 2.0, mirror, &o.xv, 1.0, &o.yv), STN_OK);
    assert_memory_equal(expected, o.y, sizeof expected);
    values = (double *)(uintptr_t)mirror->values;
    assert_int_equal(
        stn_view_wrap(&part, "part", stn_storage_of(STN_F64), values, 1, &o.yv.extent[0]), STN_OK);
    assert_int_equal(stn_spmv(o.exec, o.arithmetic, 2.0, mirror, &o.xv, 1.0, &part), STN_ERR_ALIAS);
    assert_int_equal(stn_matrix_mirror(NULL, NULL, o.a), STN_ERR_ARGUMENT);
    assert_int_equal(stn_matrix_mirror(NULL, &none, NULL), STN_ERR_ARGUMENT);
    assert_null(none);
    stn_matrix_release(NULL);
    stn_matrix_release(mirror);
    stn_matrix_release(o.a);
}

TEST_CASE(test_mirrors_without_memory)
{
    operands o;
    int64_t nth = 1;
    make_operands(&o);
    for (; nth < 20; nth++) {
        stn_matrix *mirror;
        stn_fail_allocation(nth);
        const stn_status status = stn_matrix_mirror(o.exec, &mirror, o.a);
        stn_fail_allocation(0);
        if (status == STN_OK) {
            stn_matrix_release(mirror);
            break;
        }
        assert_int_equal(status, STN_ERR_MEMORY);
        assert_null(mirror);
    }
    assert_in_range(nth, 2, 19);
}

/* ---- memory ---- */

/* Let allocation 1, 2, ... fail until the call succeeds. Only loops of the values' format take
 * memory: for x decoded, where that is more than a tile. */
TEST_CASE(test_no_memory)
{
    enum { COLUMNS = 129 }; /* one more than a tile has */
    static double x[COLUMNS];
    const int64_t columns = COLUMNS;
    int64_t most = 0;
    for (int setting = 0; setting < order_settings(); setting++) {
        operands o;
        make_operands(&o);
        o.exec = order_use(setting);
        o.a->columns = columns;
        assert_int_equal(stn_view_wrap(&o.xv, "x", stn_storage_of(STN_F64), x, 1, &columns),
                         STN_OK);
        o.xv.storage.scale = 0.5;
        int64_t nth = 1;
        for (; nth < 20; nth++) {
            stn_fail_allocation(nth);
            const stn_status status = stn_spmv(o.exec, STN_F64, 2.0, o.a, &o.xv, 1.0, &o.yv);
            stn_fail_allocation(0);
            if (status == STN_OK)
                break;
            assert_int_equal(status, STN_ERR_MEMORY);
            assert_non_null(strstr(stn_error(), "stn_spmv"));
            for (int k = 0; k < 6; k++)
                assert_true(o.y[k] == k + 1.0);
        }
        assert_in_range(nth, 1, 19);
        most = nth > most ? nth : most;
    }
    assert_true(most > 1 || stn_isa_chosen() == STN_ISA_C); /* whose sums read x as it is */
}

RUN_TESTS(NULL, release_executors, UNIT(test_refused_indices), UNIT(test_refused_matrices),
          UNIT(test_refused_shapes), UNIT(test_refused_operands), UNIT(test_refused_overlap),
          UNIT(test_mirrors), UNIT(test_mirrors_without_memory), UNIT(test_no_memory))
