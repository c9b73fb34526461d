/* Short vectors, which libsteno_cblas passes on without views: the bits are those of the functions
 * of libsteno for views. Arrays have the exact size, so that sanitizers find other accesses. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "steno/blas.h"
#include "steno/cblas.h"

static const int counts[] = {1,  2,  3,  7,  8,  9,   15,  16,  17,  31,  32,  33,   40,
                             47, 48, 63, 64, 65, 100, 127, 128, 129, 300, 777, 2048, 2049};
static const int increments[] = {1, 2, -1, -3};

typedef struct vectors {
    stn_format format;
    int64_t count;
    int x_increment, y_increment;
    char *x, *y, *y_of_views, *x_of_views; /* x and y, each twice */
    size_t x_bytes, y_bytes;
    stn_view x_view, y_view; /* of the second ones */
} vectors;

static size_t bytes_of(stn_format format)
{
    return format == STN_F32 ? 4 : format == STN_C128 ? 16 : 8;
}

static uint64_t state = 7;

/* Magnitudes from 2^-30 to 2^30; some elements are 0, and some -0. */
static double draw(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const int exponent = (int)(state >> 58) - 30;
    const double size = (double)(state >> 33 & 0xffffff) + 1.0;
    const double number = ldexp(state & (1 << 20) ? -size : size, exponent - 24);
    return (state >> 40 & 31) == 0 ? 0.0 * number : number;
}

static char *create(stn_format format, size_t bytes)
{
    char *const data = malloc(bytes);
    const int is_wide = format == STN_F64 || format == STN_C128;
    for (size_t k = 0; k < bytes / (is_wide ? sizeof(double) : sizeof(float)); k++) {
        if (is_wide)
            ((double *)(void *)data)[k] = draw();
        else
            ((float *)(void *)data)[k] = (float)draw();
    }
    return data;
}

static char *copy(const char *data, size_t bytes)
{
    return memcpy(malloc(bytes), data, bytes);
}

static void view(stn_view *view, const vectors *v, char *data, int increment)
{
    const int64_t stride = increment, first = increment < 0 ? (1 - v->count) * stride : 0;
    expect_ok(stn_view_wrap_spec(
        view, &STN_VIEW_SPEC(.label = "v", .storage = stn_storage_of(v->format),
                             .data = data + first * (int64_t)bytes_of(v->format), .rank = 1,
                             .extents = &v->count, .strides = &stride)));
}

static vectors begin(stn_format format, int count, int x_increment, int y_increment)
{
    const size_t each = bytes_of(format), steps = (size_t)count - 1;
    vectors v = {.format = format,
                 .count = count,
                 .x_increment = x_increment,
                 .y_increment = y_increment,
                 .x_bytes = (steps * (size_t)abs(x_increment) + 1) * each,
                 .y_bytes = (steps * (size_t)abs(y_increment) + 1) * each};
    v.x = create(format, v.x_bytes);
    v.y = create(format, v.y_bytes);
    v.x_of_views = copy(v.x, v.x_bytes);
    v.y_of_views = copy(v.y, v.y_bytes);
    view(&v.x_view, &v, v.x_of_views, x_increment);
    view(&v.y_view, &v, v.y_of_views, y_increment);
    return v;
}

static void end(vectors *v)
{
    assert_memory_equal(v->x, v->x_of_views, v->x_bytes);
    assert_memory_equal(v->y, v->y_of_views, v->y_bytes);
    free(v->x);
    free(v->y);
    free(v->x_of_views);
    free(v->y_of_views);
}

static stn_exec *exec;

static void expect_same(double one, double other)
{
    assert_memory_equal(&one, &other, sizeof one);
}

#define ALL_REAL(L, real, format)                                                                  \
    static void test_##L(int n, int incx, int incy)                                                \
    {                                                                                              \
        vectors v = begin(format, n, incx, incy);                                                  \
        const real *const x = (const real *)(const void *)v.x;                                     \
        const real *const y = (const real *)(const void *)v.y;                                     \
        double number;                                                                             \
        int64_t index;                                                                             \
        expect_ok(stn_dot(exec, format, &number, &v.x_view, &v.y_view));                           \
        expect_same((double)cblas_##L##dot(n, x, incx, y, incy), number);                          \
        expect_ok(stn_nrm2(exec, format, &number, &v.x_view));                                     \
        expect_same((double)cblas_##L##nrm2(n, x, incx), number);                                  \
        if (incx > 0) {                                                                            \
            expect_ok(stn_asum(exec, format, &number, &v.x_view));                                 \
            expect_same((double)cblas_##L##asum(n, x, incx), number);                              \
            expect_ok(stn_iamax(exec, format, &index, &v.x_view));                                 \
            assert_int_equal(cblas_i##L##amax(n, x, incx), index);                                 \
            cblas_##L##scal(n, (real)0.7, (real *)(void *)v.x, incx);                              \
            expect_ok(stn_scal(exec, format, (double)(real)0.7, &v.x_view));                       \
        }                                                                                          \
        cblas_##L##axpy(n, (real)1.3, x, incx, (real *)(void *)v.y, incy);                         \
        expect_ok(stn_axpy(exec, format, (double)(real)1.3, &v.x_view, &v.y_view));                \
        cblas_##L##swap(n, (real *)(void *)v.x, incx, (real *)(void *)v.y, incy);                  \
        expect_ok(stn_swap(exec, format, &v.x_view, &v.y_view));                                   \
        cblas_##L##rot(n, (real *)(void *)v.x, incx, (real *)(void *)v.y, incy, (real)0.6,         \
                       (real)0.8);                                                                 \
        expect_ok(                                                                                 \
            stn_rot(exec, format, &v.x_view, &v.y_view, (double)(real)0.6, (double)(real)0.8));    \
        cblas_##L##copy(n, y, incy, (real *)(void *)v.x, incx);                                    \
        expect_ok(stn_view_copy(exec, &v.x_view, &v.y_view));                                      \
        end(&v);                                                                                   \
    }
ALL_REAL(s, float, STN_F32)
ALL_REAL(d, double, STN_F64)

#define ALL_COMPLEX(L, R, M, real, format)                                                         \
    static void test_##L(int n, int incx, int incy)                                                \
    {                                                                                              \
        const real alpha[] = {(real)0.7, (real)-1.1}, beta[] = {(real)-0.3, (real)0.9};            \
        const stn_c128 a = stn_c128_of((double)alpha[0], (double)alpha[1]);                        \
        const stn_c128 b = stn_c128_of((double)beta[0], (double)beta[1]);                          \
        vectors v = begin(format, n, incx, incy);                                                  \
        real dot[2];                                                                               \
        stn_c128 sum;                                                                              \
        double number;                                                                             \
        int64_t index;                                                                             \
        for (int is_conjugated = 0; is_conjugated < 2; is_conjugated++) {                          \
            (is_conjugated ? cblas_##L##dotc_sub : cblas_##L##dotu_sub)(n, v.x, incx, v.y, incy,   \
                                                                        dot);                      \
            expect_ok(                                                                             \
                (is_conjugated ? stn_dotc : stn_dotu)(exec, format, &sum, &v.x_view, &v.y_view));  \
            expect_same((double)dot[0], sum.re);                                                   \
            expect_same((double)dot[1], sum.im);                                                   \
        }                                                                                          \
        expect_ok(stn_nrm2(exec, format, &number, &v.x_view));                                     \
        expect_same((double)cblas_##R##nrm2(n, v.x, incx), number);                                \
        if (incx > 0) {                                                                            \
            expect_ok(stn_asum(exec, format, &number, &v.x_view));                                 \
            expect_same((double)cblas_##R##asum(n, v.x, incx), number);                            \
            expect_ok(stn_iamax(exec, format, &index, &v.x_view));                                 \
            assert_int_equal(cblas_i##L##amax(n, v.x, incx), index);                               \
            cblas_##L##scal(n, alpha, v.x, incx);                                                  \
            expect_ok(stn_scal_complex(exec, format, a, &v.x_view));                               \
            cblas_##M##scal(n, alpha[0], v.x, incx);                                               \
            expect_ok(stn_scal(exec, format, a.re, &v.x_view));                                    \
        }                                                                                          \
        cblas_##L##axpy(n, alpha, v.x, incx, v.y, incy);                                           \
        expect_ok(stn_axpy_complex(exec, format, a, &v.x_view, &v.y_view));                        \
        cblas_##L##axpby(n, alpha, v.x, incx, beta, v.y, incy);                                    \
        expect_ok(stn_axpby_complex(exec, format, a, &v.x_view, b, &v.y_view));                    \
        cblas_##L##swap(n, v.x, incx, v.y, incy);                                                  \
        expect_ok(stn_swap(exec, format, &v.x_view, &v.y_view));                                   \
        cblas_##L##copy(n, v.y, incy, v.x, incx);                                                  \
        expect_ok(stn_view_copy(exec, &v.x_view, &v.y_view));                                      \
        end(&v);                                                                                   \
    }
ALL_COMPLEX(c, sc, cs, float, STN_C64)
ALL_COMPLEX(z, dz, zd, double, STN_C128)

UNIT_TEST(short_vectors_have_the_bits_of_views)
{
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int k = 0; k < 16; k++) {
            const int n = counts[c], incx = increments[k % 4], incy = increments[k / 4];
            test_s(n, incx, incy);
            test_d(n, incx, incy);
            test_c(n, incx, incy);
            test_z(n, incx, incy);
        }
}

/* Sums of squares that are out of range. */
UNIT_TEST(norms_have_the_range_of_views)
{
    const double wide[] = {1e300, -1e300, 3e299, 1e-300, 5e-324, 0.0, 0.0, 0.0};
    assert_true(fabs(cblas_dnrm2(3, wide, 1) / 1.4456832294800961e300 - 1.0) < 1e-15);
    assert_true(fabs(cblas_dnrm2(1, wide + 3, 1) / 1e-300 - 1.0) < 1e-15);
    assert_true(cblas_dznrm2(1, wide + 4, 1) == 5e-324);
    assert_true(cblas_dnrm2(2, wide + 5, 1) == 0.0);
}

/* Products of small matrices with contiguous vectors: rows or columns of A are lines. */
#define GEMV(L, real, format)                                                                      \
    static void multiply_##L(int m, int n, int k)                                                  \
    {                                                                                              \
        const real alpha = k & 1 ? (real)1 : (real)0.7, beta = k & 2 ? (real)0 : (real)-0.3;       \
        const int is_row_major = k >> 2 & 1, is_turned = k >> 3 & 1,                               \
                  lda = (is_row_major ? n : m) + 1;                                                \
        const int lines = is_row_major ? m : n, rows = is_turned ? n : m;                          \
        const int64_t extents[] = {rows, is_turned ? m : n};                                       \
        const int64_t strides[] = {is_row_major != is_turned ? lda : 1,                            \
                                   is_row_major != is_turned ? 1 : lda};                           \
        const size_t bytes = ((size_t)(lines - 1) * (size_t)lda + (size_t)lda - 1) * sizeof(real); \
        const size_t y_bytes = (size_t)rows * sizeof(real);                                        \
        char *const a = create(format, bytes), *const y = create(format, y_bytes);                 \
        char *const x = create(format, (size_t)extents[1] * sizeof(real));                         \
        char *const expected = copy(y, y_bytes);                                                   \
        const stn_storage storage = stn_storage_of(format);                                        \
        stn_view av, xv, yv;                                                                       \
        expect_ok(stn_view_wrap_spec(&av, &STN_VIEW_SPEC(.label = "A", .storage = storage,         \
                                                         .data = a, .rank = 2, .extents = extents, \
                                                         .strides = strides)));                    \
        expect_ok(stn_view_wrap(&xv, "x", storage, x, 1, extents + 1));                            \
        expect_ok(stn_view_wrap(&yv, "y", storage, expected, 1, extents));                         \
        expect_ok(stn_gemv(exec, format, (double)alpha, &av, &xv, (double)beta, &yv));             \
        cblas_##L##gemv(is_row_major ? CblasRowMajor : CblasColMajor,                              \
                        is_turned ? CblasTrans : CblasNoTrans, m, n, alpha,                        \
                        (const real *)(const void *)a, lda, (const real *)(const void *)x, 1,      \
                        beta, (real *)(void *)y, 1);                                               \
        assert_memory_equal(y, expected, y_bytes);                                                 \
        free(a);                                                                                   \
        free(x);                                                                                   \
        free(y);                                                                                   \
        free(expected);                                                                            \
    }
GEMV(s, float, STN_F32)
GEMV(d, double, STN_F64)

UNIT_TEST(small_products_have_the_bits_of_views)
{
    static const int sizes[][2] = {{1, 1},  {3, 5},   {8, 8},    {32, 32},   {33, 7},
                                   {9, 70}, {100, 3}, {128, 65}, {127, 128}, {129, 4}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int way = 0; way < 16; way++) {
            multiply_s(sizes[k][0], sizes[k][1], way);
            multiply_d(sizes[k][0], sizes[k][1], way);
        }
}

static int create_exec(void **unused)
{
    (void)unused;
    return stn_exec_create(&exec, "reference") == STN_OK ? 0 : -1;
}

static int release_exec(void **unused)
{
    (void)unused;
    stn_exec_release(exec);
    return 0;
}

RUN_UNIT_TESTS(create_exec, release_exec)
