/* gemm beyond what the table of levels.c tries: sizes about those of panels and blocks, products by
 * the system's gemm within the error that blas.h states, of every format, and what STENO_GEMM says.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/openmp.h"
#include "make_view.h"
#include "any_view.h"
#include "blas/level3/system.h"
#include "order_oracle.h"
#include "steno/blas.h"

static int has_system(void)
{
    int is_there = 0;
    stn_system_gemm_use(1);
    ok(stn_system_gemm_find("test", &is_there), "find");
    stn_system_gemm_use(-1);
    return is_there;
}

/* ---- STENO_GEMM: first, while no library is open ---- */

static void need(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s does not hold: %s\n", what, stn_error());
    _exit(1);
}
#define NEED(...) need(__VA_ARGS__, #__VA_ARGS__)

static void run(void (*work)(void))
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        work();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void multiply_once(stn_status wanted, const char *words)
{
    double x[] = {1, 2, 3, 4}, y[] = {5, 6, 7, 8}, z[4] = {9, 9, 9, 9};
    const int64_t square[] = {2, 2};
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_exec *exec;
    stn_view a, b, c;
    NEED(stn_exec_create(&exec, OPENMP ":threads=1") == STN_OK);
    NEED(stn_view_wrap(&a, "a", f64, x, 2, square) == STN_OK);
    NEED(stn_view_wrap(&b, "b", f64, y, 2, square) == STN_OK);
    NEED(stn_view_wrap(&c, "c", f64, z, 2, square) == STN_OK);
    const stn_status status = stn_gemm(exec, STN_F64, 1.0, &a, &b, 0.0, &c);
    NEED(status == wanted);
    NEED(wanted == STN_OK || (strstr(stn_error(), "stn_gemm: STENO_GEMM: ") &&
                              strstr(stn_error(), words) && z[0] == 9));
    NEED(wanted != STN_OK || (z[0] == 19 && z[1] == 22 && z[2] == 43 && z[3] == 50));
    stn_exec_release(exec);
}

static void without_any(void)
{
    int is_there;
    setenv("STENO_GEMM", "own", 1);
    multiply_once(STN_OK, "");
    NEED(stn_system_gemm_find("test", &is_there) == STN_OK && !is_there);
}

static void without_the_file(void)
{
    setenv("STENO_GEMM", "/nowhere/libblas.so", 1);
    multiply_once(STN_ERR_IO, "/nowhere/libblas.so cannot be used");
    multiply_once(STN_ERR_IO, "/nowhere/libblas.so cannot be used");
}

static void without_functions(void)
{
    setenv("STENO_GEMM", "libm.so.6", 1);
    multiply_once(STN_ERR_UNSUPPORTED, "cblas_dgemm");
}

/* Nobody writes into it, so that opening it would not end. */
static void without_an_end(void)
{
    char pipe[] = "/tmp/steno-test-XXXXXX";
    NEED(mkdtemp(pipe) && rmdir(pipe) == 0 && mkfifo(pipe, 0600) == 0);
    setenv("STENO_GEMM", pipe, 1);
    alarm(10);
    multiply_once(STN_ERR_IO, "cannot be used: it is not a regular file");
    NEED(unlink(pipe) == 0);
}

UNIT_TEST(test_environment)
{
    run(without_an_end);
    run(without_any);
    run(without_the_file);
    run(without_functions);
}

/* ---- one product ---- */

typedef struct product {
    stn_format arithmetic;
    int64_t m, n, k;
    operand a, b, c;
    stn_c128 *before; /* c */
} product;

static product make(stn_format arithmetic, const int64_t *mnk, const stn_format *formats,
                    const layout_case *layouts, uint64_t *state)
{
    product p = {.arithmetic = arithmetic, .m = mnk[0], .n = mnk[1], .k = mnk[2]};
    const int64_t a[] = {p.m, p.k}, b[] = {p.k, p.n}, c[] = {p.m, p.n};
    const size_t bytes = (size_t)(p.m * p.n + 1) * sizeof *p.before;
    p.a = make_operand(arithmetic, stn_storage_of(formats[0]), layouts[0], NONE, 2, a, state);
    p.b = make_operand(arithmetic, stn_storage_of(formats[1]), layouts[1], NONE, 2, b, state);
    p.c = make_operand(arithmetic, stn_storage_of(formats[2]), layouts[2], NONE, 2, c, state);
    p.before = malloc(bytes);
    assert_non_null(p.before);
    memcpy(p.before, p.c.memory, bytes);
    return p;
}

static void drop(product *p)
{
    drop_operand(&p->a);
    drop_operand(&p->b);
    drop_operand(&p->c);
    free(p->before);
}

static stn_c128 at(stn_format arithmetic, const void *values, int64_t k)
{
    switch (arithmetic) {
    case STN_F64:
        return stn_c128_of(((const double *)values)[k], 0);
    case STN_F32:
        return stn_c128_of((double)((const float *)values)[k], 0);
    case STN_C64:
        return stn_c128_of((double)((const stn_c64 *)values)[k].re,
                           (double)((const stn_c64 *)values)[k].im);
    default:
        return ((const stn_c128 *)values)[k];
    }
}

/* Of alpha * sum + beta * c, in long double, and the sum of all magnitudes. */
static void check_element(const product *p, double alpha, double beta, int64_t i, int64_t j,
                          double u)
{
    long double re = 0, im = 0, most = 0;
    for (int64_t l = 0; l < p->k; l++) {
        const stn_c128 x = at(p->arithmetic, p->a.memory, i * p->k + l);
        const stn_c128 y = at(p->arithmetic, p->b.memory, l * p->n + j);
        re += (long double)x.re * y.re - (long double)x.im * y.im;
        im += (long double)x.re * y.im + (long double)x.im * y.re;
        most += (fabsl(x.re) + fabsl(x.im)) * (fabsl(y.re) + fabsl(y.im));
    }
    const stn_c128 old = at(p->arithmetic, p->before, i * p->n + j),
                   is = at(p->arithmetic, p->c.memory, i * p->n + j);
    const long double bound = (long double)u * ((long double)(2 * p->k + 6) * fabsl(alpha) * most +
                                                3 * fabsl(beta) * (fabsl(old.re) + fabsl(old.im)));
    if (!(fabsl(is.re - (alpha * re + beta * old.re)) <= bound) ||
        !(fabsl(is.im - (alpha * im + beta * old.im)) <= bound))
        fail_msg("%s %dx%dx%d at %d, %d: (%a, %a), not (%a, %a)",
                 oracle_formats[p->arithmetic].name, (int)p->m, (int)p->n, (int)p->k, (int)i,
                 (int)j, is.re, is.im, (double)(alpha * re + beta * old.re),
                 (double)(alpha * im + beta * old.im));
}

/* ---- the library's own: the bits of dot ---- */

static double value_at(const product *p, const operand *x, int64_t k)
{
    return at(p->arithmetic, x->memory, k).re;
}

static void check_dot(const product *p, int64_t i, int64_t j, int setting)
{
    double x[2600], y[2600];
    for (int64_t l = 0; l < p->k; l++) {
        x[l] = value_at(p, &p->a, i * p->k + l);
        y[l] = value_at(p, &p->b, l * p->n + j);
    }
    const double sum = order_dot(p->arithmetic, x, y, p->k);
    if (!order_same(value_at(p, &p->c, i * p->n + j), sum))
        fail_msg("%s %dx%dx%d on %s at %d, %d: %a, not %a", oracle_formats[p->arithmetic].name,
                 (int)p->m, (int)p->n, (int)p->k, order_setting_name(setting), (int)i, (int)j,
                 value_at(p, &p->c, i * p->n + j), sum);
}

/* Elements at the borders of blocks, of panels and of packs, and some between. */
static void check_dots(const product *p, int setting)
{
    for (int64_t i = 0; i < p->m; i += i % 512 == 511 || i % 512 == 0 || i + 2 > p->m ? 1 : 37)
        for (int64_t j = 0; j < p->n; j += j % 512 == 511 || j % 512 == 0 || j + 2 > p->n ? 1 : 41)
            check_dot(p, i, j, setting);
}

UNIT_TEST(test_own)
{
    static const int64_t sizes[][3] = {
        {9, 25, 127}, {8, 24, 128},  {7, 49, 129},  {13, 5, 511},  {3, 30, 513},    {1, 1, 1025},
        {5, 7, 2100}, {513, 26, 40}, {4, 1540, 20}, {17, 1, 1536}, {513, 513, 513}, {1, 513, 1600}};
    static const layout_case layouts[][3] = {
        {RIGHT, RIGHT, RIGHT}, {LEFT, RIGHT, RIGHT}, {BACKWARDS, PADDED, LEFT}};
    uint64_t state = 4;
    int number = 0;
    stn_system_gemm_use(0);
    for (int k = 0; k < 12; k++)
        for (int setting = 0; setting < order_settings(); setting++) {
            const int is_large = sizes[k][0] * sizes[k][1] * sizes[k][2] > 1000000;
            if ((oracle_quick() || !strstr(order_setting_name(setting), "threads=1 ")) &&
                (number++ % oracle_count(7, 3, 1) != 0 || is_large))
                continue;
            if (strstr(order_setting_name(setting), "on c") && is_large && !oracle_full())
                continue;
            const stn_format arithmetic = number % 2 ? STN_F64 : STN_F32;
            const stn_format formats[] = {number % 5 ? arithmetic : STN_F16, arithmetic,
                                          arithmetic};
            product p = make(arithmetic, sizes[k], formats, layouts[number % 3], &state);
            ok(stn_gemm(order_use(setting), arithmetic, 1.0, &p.a.view, &p.b.view, 0.0, &p.c.view),
               "gemm");
            decode_all(&p.c, arithmetic, p.c.memory);
            check_dots(&p, setting);
            drop(&p);
        }
    stn_system_gemm_use(-1);
}

/* ---- by the system ---- */

static void multiply_and_check(stn_format arithmetic, const int64_t *mnk, const stn_format *formats,
                               const layout_case *layouts, uint64_t *state)
{
    const double u = arithmetic == STN_F64 || arithmetic == STN_C128 ? 0x1p-53 : 0x1p-24;
    const double alpha = (double)(below(state, 5) - 2), beta = (double)(below(state, 3)) / 2;
    product p = make(arithmetic, mnk, formats, layouts, state);
    ok(stn_gemm(order_use(order_settings() - 1), arithmetic, alpha, &p.a.view, &p.b.view, beta,
                &p.c.view),
       "gemm");
    decode_all(&p.c, arithmetic, p.c.memory);
    for (int64_t i = 0; i < p.m; i += 1 + p.m / 29)
        for (int64_t j = 0; j < p.n; j += 1 + p.n / 31)
            check_element(&p, alpha, beta, i, j, u);
    drop(&p);
}

/* Each pair of formats that goes with the arithmetic, in any layout, into the arithmetic type. */
UNIT_TEST(test_system)
{
    static const stn_format all[] = {STN_F64, STN_F32, STN_C128, STN_C64};
    static const int64_t sizes[][3] = {{3, 5, 7}, {1, 1, 1}, {20, 1, 33}, {2, 30, 130}};
    uint64_t state = 9;
    int number = 0;
    if (!has_system())
        skip();
    for (int k = 0; k < 4; k++)
        for (stn_format x = 0; x < STN_BUILTIN_FORMATS; x++)
            for (stn_format y = 0; y < STN_BUILTIN_FORMATS; y++) {
                const int is_complex = k >= 2;
                if ((oracle_formats[x].kind == ORACLE_COMPLEX) != is_complex ||
                    (oracle_formats[y].kind == ORACLE_COMPLEX) != is_complex ||
                    number++ % oracle_count(7, 2, 1) != 0)
                    continue;
                const layout_case layouts[] = {(layout_case)below(&state, LAYOUTS),
                                               (layout_case)below(&state, LAYOUTS),
                                               (layout_case)below(&state, LAYOUTS)};
                const stn_format formats[] = {x, y, all[k]};
                multiply_and_check(all[k], sizes[number % 4], formats, layouts, &state);
            }
}

/* Panels and blocks, and operands that are taken where they are, in all their orders. */
UNIT_TEST(test_system_sizes)
{
    static const int64_t sizes[][3] = {
        {513, 4, 600}, {3, 1030, 511}, {514, 515, 513}, {6, 5, 1500}};
    static const stn_format all[] = {STN_F64, STN_F32, STN_C128, STN_C64};
    static const stn_format narrow[] = {STN_F16, STN_BF16, STN_C32, STN_C32};
    /* Each size, arithmetic type, order and kind of an operand, and most pairs of them. */
    static const int some[] = {0, 5, 10, 15, 19, 25, 28, 30};
    uint64_t state = 10;
    if (!has_system())
        skip();
    for (int turn = 0; turn < (oracle_quick() ? COUNT_OF(some) : 32); turn++) {
        const int k = oracle_quick() ? some[turn] : turn;
        const layout_case layouts[] = {k & 1 ? LEFT : RIGHT, k & 2 ? LEFT : PADDED,
                                       k & 4 ? LEFT : RIGHT};
        const stn_format formats[] = {k & 8 ? narrow[k % 4] : all[k % 4],
                                      k & 16 ? narrow[k % 4] : all[k % 4], all[k % 4]};
        multiply_and_check(all[k % 4],
                           sizes[k / 8 == 3   ? k % 4
                                 : k / 8 == 1 ? 3
                                              : k % 2],
                           formats, layouts, &state);
    }
}

/* Sums of small integers are exact: the system's, rounded once, are the bits of the own. */
UNIT_TEST(test_rounded_once)
{
    enum { M = 5, N = 6, K = 1200 };
    static double a[M * K], b[K * N];
    const int64_t of_a[] = {M, K}, of_b[] = {K, N}, of_c[] = {M, N};
    const stn_storage f64 = stn_storage_of(STN_F64);
    for (int k = 0; k < M * K; k++)
        a[k] = k * 7 % 11 - 4;
    for (int k = 0; k < K * N; k++)
        b[k] = k * 5 % 13 - 7;
    const stn_view av = wrap_view("a", f64, a, 2, of_a);
    const stn_view bv = wrap_view("b", f64, b, 2, of_b);
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        stn_view c[3];
        double sums[2][M * N];
        if (!order_is_real(format))
            continue;
        for (int way = 0; way < 2; way++) {
            stn_system_gemm_use(way);
            ok(stn_view_create(NULL, &c[way], "c", stn_storage_of(format), 2, of_c), "c");
            ok(stn_gemm(order_use(order_settings() - 1), STN_F64, 0.25, &av, &bv, 0.0, &c[way]),
               "gemm");
            c[2] = wrap_view("sums", f64, sums[way], 2, of_c);
            ok(stn_view_copy(NULL, &c[2], &c[way]), "copy");
            ok(stn_view_release(&c[way]), "release");
        }
        assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
        for (int e = 0; e < M * N; e++) {
            double sum = 0;
            unsigned events = 0;
            const stn_storage storage = stn_storage_of(format);
            for (int k = 0; k < K; k++)
                sum += a[e / N * K + k] * b[k * N + e % N];
            sum /= 4;
            const double stored =
                order_decode(STN_F64, &storage, order_encode(STN_F64, &storage, sum, e, &events));
            if (stored != sums[1][e])
                fail_msg("%s: %a, not %a", oracle_formats[format].name, sums[1][e], stored);
        }
    }
    stn_system_gemm_use(-1);
}

/* beta = 0 does not read C, alpha = 0 neither A nor B; other NaN and infinities are seen. */
UNIT_TEST(test_special)
{
    double x[] = {1, 2, 3, 4}, y[] = {5, 6, 7, 8}, z[4];
    const int64_t square[] = {2, 2};
    const stn_storage f64 = stn_storage_of(STN_F64);
    const stn_view a = wrap_view("a", f64, x, 2, square);
    const stn_view b = wrap_view("b", f64, y, 2, square);
    const stn_view c = wrap_view("c", f64, z, 2, square);
    for (int way = 0; way < 2; way++) {
        const stn_exec *exec = order_use(order_settings() - 1);
        stn_system_gemm_use(way);
        x[0] = 1;
        for (int k = 0; k < 4; k++)
            z[k] = (double)NAN;
        ok(stn_gemm(exec, STN_F64, 2.0, &a, &b, 0.0, &c), "gemm");
        assert_true(z[0] == 38 && z[3] == 100);
        x[0] = (double)NAN;
        ok(stn_gemm(exec, STN_F64, 0.0, &a, &b, 0.5, &c), "gemm");
        assert_true(z[0] == 19 && z[3] == 50);
        ok(stn_gemm(exec, STN_F64, 1.0, &a, &b, 1.0, &c), "gemm");
        assert_true(isnan(z[0]) && isnan(z[1]) && z[2] == 43 + 43 && z[3] == 100);
    }
    stn_system_gemm_use(-1);
}

RUN_UNIT_TESTS(NULL, order_teardown)
