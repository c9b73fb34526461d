/* Refused triangular systems: matrices without a triangle that can be solved, and wrong vectors. */
#include "matrix.h"

UNIT_TEST(test_refused_matrices)
{
    static const int64_t start[] = {0, 1, 3, 5};
    static const int32_t full[] = {0, 0, 1, 1, 2}, hole[] = {0, 0, 2, 1, 2},
                         twice[] = {0, 1, 1, 1, 2};
    static const double values[] = {1, 2, 3, 4, 0};
    static const stn_c128 pairs[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {0, 0}};
    static const struct {
        int is_complex;
        int64_t columns;
        const int32_t *column;
        int triangle, diagonal;
        stn_status status;
        const char *text;
    } cases[] = {
        {0, 3, full, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_ERR_ARGUMENT, "mike is 0 in row 2"},
        {0, 3, full, STN_UPPER, STN_DIAGONAL_NON_UNIT, STN_ERR_ARGUMENT, "mike is 0 in row 2"},
        {1, 3, full, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_ERR_ARGUMENT, "mike is 0 in row 2"},
        {0, 3, full, 2, STN_DIAGONAL_UNIT, STN_ERR_ARGUMENT, "triangle is 2"},
        {0, 3, full, STN_LOWER, 3, STN_ERR_ARGUMENT, "diagonal is 3"},
        {0, 3, hole, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_ERR_ARGUMENT,
         "row 1 of mike has no entry"},
        {0, 3, twice, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_ERR_ARGUMENT, "row 1 of mike has two"},
        {0, 4, full, STN_LOWER, STN_DIAGONAL_UNIT, STN_ERR_SHAPE, "mike (3 x 4)"},
        {0, 3, full, STN_LOWER, STN_DIAGONAL_UNIT, STN_OK, ""}};
    stn_triangular *made;
    stn_matrix *a;
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const int is_complex = cases[k].is_complex;
        expect_ok(wrap_csr(&a, "mike", stn_storage_of(is_complex ? STN_C128 : STN_F64), 3,
                           cases[k].columns, start, cases[k].column,
                           is_complex ? (const void *)pairs : (const void *)values));
        memset(&made, 7, sizeof made);
        const stn_status status =
            stn_triangular_create(order_use(1), &made, a, (stn_triangle)cases[k].triangle,
                                  (stn_diagonal)cases[k].diagonal);
        if (cases[k].status != STN_OK)
            expect_error(status, cases[k].status, cases[k].text);
        assert_true((made != NULL) == (cases[k].status == STN_OK));
        stn_triangular_release(made);
        if (k < COUNT_OF(cases) - 1)
            stn_matrix_release(a);
    }
    expect_error(stn_triangular_create(order_use(1), &made, NULL, STN_LOWER, STN_DIAGONAL_UNIT),
                 STN_ERR_ARGUMENT, "NULL");
    assert_null(made);
    expect_error(stn_triangular_create(order_use(1), NULL, a, STN_LOWER, STN_DIAGONAL_UNIT),
                 STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_triangular_create(NULL, &made, a, STN_LOWER, STN_DIAGONAL_UNIT),
                 STN_ERR_ARGUMENT, "NULL");
    stn_matrix_release(a);
    stn_triangular_release(NULL);
}

/* A diagonal of three rows, real or complex, and vectors of both kinds. */
static double elements[2][6];
static stn_view b, x, complex_b, complex_x;

static void make_vectors(void)
{
    const int64_t rows = 3;
    for (int k = 0; k < 6; k++)
        elements[1][k] = k + 1.0;
    expect_ok(stn_view_wrap(&b, "bravo", stn_storage_of(STN_F64), elements[0], 1, &rows));
    expect_ok(stn_view_wrap(&x, "xray", stn_storage_of(STN_F64), elements[1], 1, &rows));
    expect_ok(stn_view_wrap(&complex_b, "bravo", stn_storage_of(STN_C128), elements[0], 1, &rows));
    expect_ok(stn_view_wrap(&complex_x, "xray", stn_storage_of(STN_C128), elements[1], 1, &rows));
}

/* The message names the call once, and x is unchanged. */
#define REFUSED(arithmetic, x_view, triangle, b_view, status, text)                                \
    do {                                                                                           \
        expect_error(stn_triangular_solve(order_use(1), arithmetic, x_view, triangle, b_view),     \
                     status, text);                                                                \
        assert_true(strncmp(stn_error(), "stn_triangular_solve", 20) == 0);                        \
        assert_null(strstr(stn_error() + 1, "stn_triangular_solve"));                              \
        for (int k_ = 0; k_ < 6; k_++)                                                             \
            assert_true(elements[1][k_] == k_ + 1.0);                                              \
        make_vectors();                                                                            \
    } while (0)

UNIT_TEST(test_refused_vectors)
{
    static const int64_t start[] = {0, 1, 2, 3};
    static const int32_t column[] = {0, 1, 2};
    static const double values[] = {1, 2, 4};
    static const stn_c128 pairs[] = {{0, 1}, {0, -2}, {0, 1}};
    stn_matrix *a, *imaginary;
    stn_triangular *t, *z;
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), 3, 3, start, column, values));
    expect_ok(wrap_csr(&imaginary, "mike", stn_storage_of(STN_C128), 3, 3, start, column, pairs));
    expect_ok(stn_triangular_create(order_use(1), &t, a, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    expect_ok(stn_triangular_create(order_use(1), &z, imaginary, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    make_vectors();
    b.extent[0] = 2;
    REFUSED(STN_F64, &x, t, &b, STN_ERR_SHAPE, "mike has 3 rows");
    x.extent[0] = 4;
    REFUSED(STN_F64, &x, t, &b, STN_ERR_SHAPE, "xray");
    b.data = elements[1] + 1;
    REFUSED(STN_F64, &x, t, &b, STN_ERR_ALIAS, "overlaps bravo");
    x.stride[0] = 0;
    REFUSED(STN_F64, &x, t, &b, STN_ERR_ALIAS, "repeats");
    x.read_only = 1;
    REFUSED(STN_F64, &x, t, &b, STN_ERR_ARGUMENT, "read-only");
    REFUSED(STN_F16, &x, t, &b, STN_ERR_UNSUPPORTED, "f64");
    REFUSED(STN_F64, &x, NULL, &b, STN_ERR_ARGUMENT, "NULL");
    REFUSED(STN_F64, &x, t, NULL, STN_ERR_ARGUMENT, "NULL");
    REFUSED(STN_F64, &x, z, &b, STN_ERR_UNSUPPORTED, "complex");
    REFUSED(STN_C128, &complex_x, z, &b, STN_ERR_UNSUPPORTED, "bravo");
    REFUSED(STN_C128, &x, z, &complex_b, STN_ERR_UNSUPPORTED, "xray");
    complex_x.stride[0] = 0;
    REFUSED(STN_C128, &complex_x, z, &complex_b, STN_ERR_ALIAS, "repeats");
    expect_error(stn_triangular_solve(NULL, STN_F64, &x, t, &b), STN_ERR_ARGUMENT, "NULL");
    elements[0][0] = elements[0][1] = elements[0][2] = elements[0][3] = 1;
    expect_ok(stn_triangular_solve(order_use(1), STN_C128, &complex_x, z, &complex_b));
    assert_true(elements[1][0] == 1 && elements[1][1] == -1 && elements[1][2] == -0.5 &&
                elements[1][3] == 0.5);
    stn_triangular_release(t);
    stn_triangular_release(z);
    stn_matrix_release(a);
    stn_matrix_release(imaginary);
}

RUN_UNIT_TESTS(NULL, release_executors)
