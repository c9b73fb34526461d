/* libsteno_cblas compared with the reference BLAS on random arguments: shapes, orders, triangles,
 * increments of all signs, NaN where nothing is to be read. The testers of that library are
 * test_cblas_testers.sh.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <float.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "steno/cblas.h"

enum { LARGEST = 140, ROOM = 2 * (LARGEST + 8) * (LARGEST + 8) };

typedef struct draw {
    int round, m, n, k, kl, ku, lda, more, incx, incy;
    int room;     /* numbers of an array in use */
    int poisoned; /* the element of x that is NaN; -1: none */
    int has_nan_result;
    CBLAS_LAYOUT layout;
    CBLAS_TRANSPOSE trans, other;
    CBLAS_UPLO uplo;
    CBLAS_DIAG diag;
    CBLAS_SIDE side;
    int depth;
    double alpha[2], beta[2];
} draw;

typedef enum matrix_kind { GENERAL, BAND, TRIANGLE, HALF_BAND, PACKED } matrix_kind;

static void *reference;

/* ---- processes ---- */

/* The exit status of a process that calls this, and the first line that it prints to stderr. */
static int status_of_child(void (*work)(void), char *text, size_t capacity)
{
    size_t length = 0;
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        work();
        _exit(0);
    }
    (void)close(ends[1]);
    for (ssize_t more = 1; more > 0;) {
        char rest[256];
        const size_t left = capacity - 1 - length;
        more = read(ends[0], left ? text + length : rest, left ? left : sizeof rest);
        length += left && more > 0 ? (size_t)more : 0;
    }
    text[length] = 0;
    text[strcspn(text, "\n")] = 0; /* leak checkers report threads of the parent */
    (void)close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum { MANY = 1 << 20 };
static double many[MANY];

static void sum_many(void)
{
    if (cblas_dasum(MANY, many, 1) != (double)MANY)
        _exit(2);
}

static void sum_with_a_wrong_number(void)
{
    (void)setenv("STENO_NUM_THREADS", "0", 1);
    sum_many();
}

/* The first test: a process reads the environment once. */
UNIT_TEST(a_wrong_number_of_threads_is_reported)
{
    char text[400];
    for (int k = 0; k < MANY; k++)
        many[k] = 1.0;
    assert_int_equal(status_of_child(sum_with_a_wrong_number, text, sizeof text), 0);
    assert_string_equal(text, "libsteno_cblas: executor 'threads': STENO_NUM_THREADS is '0', not 1 "
                              "to 1024; calls use one thread");
}

/* ---- arguments ---- */

static uint64_t bits = UINT64_C(0x9e3779b97f4a7c15);

static int below(int end)
{
    bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((bits >> 33) % (uint64_t)end);
}

static double between(double low, double high)
{
    return low + (high - low) * (below(1 << 30) + 0.5) / (1 << 30);
}

static void draw_number(double *number)
{
    const int kind = below(4);
    number[0] = kind == 0 ? 0.0 : kind == 1 ? 1.0 : between(-2.0, 2.0);
    number[1] = kind < 2 ? 0.0 : between(-2.0, 2.0);
}

static int draw_increment(void)
{
    const int size = 1 + below(3);
    return below(2) ? size : -size;
}

static draw draw_next(int round)
{
    const int most = round % 16 == 7 ? LARGEST : 12;
    draw d = {.round = round, .m = below(most), .n = below(most), .more = below(3)};
    d.room = 2 * (most + 8) * (most + 8);
    d.k = below(5);
    d.depth = below(most);
    d.side = below(2) ? CblasLeft : CblasRight;
    d.other = (CBLAS_TRANSPOSE)(CblasNoTrans + below(3));
    d.kl = below(4);
    d.ku = below(4);
    d.incx = draw_increment();
    d.incy = draw_increment();
    d.poisoned = below(6) ? -1 : below(4);
    d.layout = below(2) ? CblasRowMajor : CblasColMajor;
    d.trans = (CBLAS_TRANSPOSE)(CblasNoTrans + below(3));
    d.uplo = (CBLAS_UPLO)(CblasUpper + below(2));
    d.diag = (CBLAS_DIAG)(CblasNonUnit + below(2));
    if (d.layout == CblasRowMajor && d.trans == CblasConjTrans && d.m == 0)
        d.m = 1; /* the reference's cblas_cgemv does not end there */
    draw_number(d.alpha);
    draw_number(d.beta);
    return d;
}

static int rounds(void)
{
    return getenv("STENO_TEST_QUICK") ? 40 : 300;
}

/* ---- matrices ---- */

/* Is this element part of what functions read? */
static int is_stored(const draw *d, matrix_kind kind, int i, int j)
{
    const int is_inside = d->uplo == CblasUpper ? j >= i : j <= i;
    if (kind == GENERAL)
        return 1;
    if (kind == BAND)
        return i - j <= d->kl && j - i <= d->ku;
    return is_inside && (kind != HALF_BAND || abs(i - j) <= d->k);
}

static int64_t place_of(const draw *d, matrix_kind kind, int rows, int i, int j)
{
    const int is_row_major = d->layout == CblasRowMajor, is_upper = d->uplo == CblasUpper;
    const int below_it = kind == BAND ? d->kl : is_upper ? 0 : d->k;
    const int above_it = kind == BAND ? d->ku : is_upper ? d->k : 0;
    const int line = is_row_major ? i : j, across = is_row_major ? j : i;
    if (kind == BAND || kind == HALF_BAND)
        return (int64_t)line * d->lda + (is_row_major ? below_it + j - i : above_it + i - j);
    if (kind != PACKED)
        return (int64_t)line * d->lda + across;
    if (is_upper != is_row_major) /* lines grow */
        return (int64_t)line * (line + 1) / 2 + across;
    return (int64_t)line * rows - (int64_t)line * (line - 1) / 2 + across - line;
}

static int leading(const draw *d, int rows, int columns)
{
    const int line = d->layout == CblasRowMajor ? columns : rows;
    return (line > 1 ? line : 1) + d->more;
}

/* ---- comparing ---- */

static void look_up(const char *name, void *function, size_t size)
{
    void *const symbol = dlsym(reference, name);
    if (!symbol)
        fail_msg("the reference has no %s", name);
    memcpy(function, &symbol, size);
}

static void tell(const char *function, const draw *d)
{
    print_error(
        "%s: round %d, m %d, n %d, k %d, kl %d, ku %d, lda %d, incx %d, incy %d, layout %d, "
        "trans %d, uplo %d, diag %d, alpha %g %g, beta %g %g, NaN at %d\n",
        function, d->round, d->m, d->n, d->k, d->kl, d->ku, d->lda, d->incx, d->incy, d->layout,
        d->trans, d->uplo, d->diag, d->alpha[0], d->alpha[1], d->beta[0], d->beta[1], d->poisoned);
}

static void expect_near(const char *function, const draw *d, double mine, double theirs,
                        double largest, double epsilon)
{
    const double bound = 8.0 * (d->m + d->n + d->depth + 8) * epsilon * fmax(fabs(largest), 4.0);
    if (isnan(theirs) ? isnan(mine) : theirs == mine || fabs(mine - theirs) <= bound)
        return;
    tell(function, d);
    fail_msg("%s: %.17g, the reference has %.17g", function, mine, theirs);
}

static void expect_same(const char *function, const draw *d, int differs)
{
    if (!differs)
        return;
    tell(function, d);
    fail_msg("%s writes what is not its", function);
}

static void skip_without_reference(void)
{
    if (!reference)
        skip();
}

#define LETTER      s
#define REAL        float
#define PARTS       1
#define PART_LETTER s
#define NORM        s
#define EPSILON     FLT_EPSILON
#include "cblas_letter.h"

#define LETTER      d
#define REAL        double
#define PARTS       1
#define PART_LETTER d
#define NORM        d
#define EPSILON     DBL_EPSILON
#include "cblas_letter.h"

#define LETTER      c
#define REAL        float
#define PARTS       2
#define PART_LETTER s
#define NORM        sc
#define EPSILON     FLT_EPSILON
#include "cblas_letter.h"

#define LETTER      z
#define REAL        double
#define PARTS       2
#define PART_LETTER d
#define NORM        dz
#define EPSILON     DBL_EPSILON
#include "cblas_letter.h"

/* ---- what the reference does not say ---- */

UNIT_TEST(a_matrix_and_its_vectors_may_overlap)
{
    double a[] = {2, 3, 5, 7}; /* columns (2, 3) and (5, 7) */
    cblas_dtrmv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, 2, a, 2, a + 2, -1);
    assert_true(a[3] == 2.0 * 7.0 && a[2] == 3.0 * 7.0 + 7.0 * 5.0);
    double x[] = {1, 2, 3};
    cblas_daxpy(2, 1.0, x, 1, x + 1, 1); /* what is stored is read again */
    assert_true(x[1] == 3.0 && x[2] == 6.0);
    x[1] = 2.0, x[2] = 3.0;
    const double ones[] = {1, 1, 1, 1};
    cblas_dgemv(CblasRowMajor, CblasNoTrans, 2, 2, 1.0, ones, 2, x, 1, 0.0, x + 1, 1);
    assert_true(x[0] == 1.0 && x[1] == 3.0 && x[2] == 3.0);
}

/* B is the other triangle's corner. */
UNIT_TEST(a_product_may_overlap_a_factor)
{
    double a[] = {2, 3, 5, 7};
    cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, 1, 2, 1.0, a, 2,
                a + 2, 1);
    assert_true(a[2] == 5.0 * 2.0 + 7.0 * 3.0 && a[3] == 7.0 * 7.0);
}

UNIT_TEST(sums_of_floats_may_be_wide)
{
    const float x[] = {0x1p40f, -0x1p40f, 1}, ones[] = {1, 1, 1};
    assert_true(cblas_dsdot(3, x, 1, ones, 1) == 1.0);
    assert_true(cblas_sdsdot(3, 0.5f, x, 1, ones, 1) == 1.5f);
}

UNIT_TEST(no_products_are_not_multiplied)
{
    double c = 2.0;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 1, 1, 0, INFINITY, &c, 1, &c, 1, 0.5, &c,
                1);
    assert_true(c == 1.0);
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, 1, 0, INFINITY, &c, 1, 0.5, &c, 1);
    assert_true(c == 0.5);
}

/* What a factor of 0 leaves out may be nowhere. */
UNIT_TEST(nothing_is_read_of_what_is_left_out)
{
    const CBLAS_LAYOUT order = CblasColMajor;
    double y[] = {1, -0.0, 3, 4};
    cblas_dgemv(order, CblasNoTrans, 4, 2, 0.0, NULL, 4, NULL, 1, 2.0, y, 1);
    assert_true(y[0] == 2 && y[1] == 0 && signbit(y[1]) && y[2] == 6 && y[3] == 8);
    cblas_dgemv(order, CblasTrans, 2, 4, 0.0, NULL, 2, NULL, 1, 0.5, y, -1);
    cblas_dgbmv(order, CblasNoTrans, 4, 4, 1, 1, 0.0, NULL, 3, NULL, 1, 2.0, y, 1);
    cblas_dsymv(order, CblasUpper, 4, 0.0, NULL, 4, NULL, 1, 2.0, y, 1);
    cblas_dsbmv(order, CblasUpper, 4, 1, 0.0, NULL, 2, NULL, 1, 2.0, y, 1);
    cblas_dspmv(order, CblasUpper, 4, 0.0, NULL, NULL, 1, 2.0, y, 1);
    assert_true(y[0] == 16 && y[1] == 0 && y[2] == 48 && y[3] == 64);
    cblas_dger(order, 2, 2, 0.0, NULL, 1, NULL, 1, y, 2);
    cblas_dsyr(order, CblasUpper, 2, 0.0, NULL, 1, y, 2);
    cblas_dsyr2(order, CblasUpper, 2, 0.0, NULL, 1, NULL, 1, y, 2);
    cblas_dspr(order, CblasUpper, 2, 0.0, NULL, 1, y);
    cblas_daxpy(4, 0.0, NULL, 1, y, 1);
    cblas_dgemm(order, CblasNoTrans, CblasTrans, 2, 2, 3, 0.0, NULL, 2, NULL, 2, 0.5, y, 2);
    cblas_dsymm(order, CblasLeft, CblasUpper, 2, 2, 0.0, NULL, 2, NULL, 2, 0.5, y, 2);
    assert_true(y[0] == 4 && y[1] == 0 && y[2] == 12 && y[3] == 16);
    cblas_dsyrk(order, CblasUpper, CblasNoTrans, 2, 3, 0.0, NULL, 2, 0.5, y, 2);
    cblas_dsyr2k(order, CblasUpper, CblasNoTrans, 2, 3, 0.0, NULL, 2, NULL, 2, 0.5, y, 2);
    assert_true(y[0] == 1 && y[2] == 3 && y[3] == 4);
    cblas_dtrmm(order, CblasLeft, CblasUpper, CblasNoTrans, CblasUnit, 2, 1, 0.0, NULL, 2, y, 2);
    cblas_dtrsm(order, CblasLeft, CblasUpper, CblasNoTrans, CblasUnit, 2, 1, 0.0, NULL, 2, y + 2,
                2);
    assert_true(y[0] == 0 && y[1] == 0 && y[2] == 0 && y[3] == 0);
}

/* Diagonals that no element is on, and a step to a column that there is not. */
UNIT_TEST(bands_may_be_wider_than_their_matrix)
{
    enum { BELOW = 1000000, ABOVE = 2000000, LEADING = 2147483647 };
    double *const room = calloc(ABOVE + 8, sizeof *room);
    double x[] = {3, 5}, y[] = {0, 0, 0, 0};
    assert_non_null(room);
    for (int i = 0; i < 4; i++)
        room[ABOVE + i] = 1 + i;
    cblas_dgbmv(CblasColMajor, CblasNoTrans, 4, 1, BELOW, ABOVE, 1.0, room, LEADING, x, 1, 0.0, y,
                1);
    assert_true(y[0] == 3 && y[1] == 6 && y[2] == 9 && y[3] == 12);
    cblas_dtbsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, 1, ABOVE, room, LEADING,
                x + 1, 1);
    assert_true(x[1] == 5);
    cblas_dsbmv(CblasRowMajor, CblasUpper, 1, ABOVE, 2.0, room + ABOVE, LEADING, x, 1, 0.0, y, 1);
    assert_true(y[0] == 6);
    free(room);
}

/* The reference stores x first here, and last of rot. */
UNIT_TEST(one_element_is_stored_twice)
{
    const double h[] = {-1, 2, 3, 5, 7}; /* h11, h21, h12, h22 */
    double x[] = {1, 10};
    cblas_drotm(2, x, 1, x, 1, h);
    assert_true(x[0] == 10 && x[1] == 100);
    cblas_drot(2, x, 1, x, 1, 2.0, 3.0);
    assert_true(x[0] == 50 && x[1] == 500);
}

UNIT_TEST(the_first_nan_is_the_largest)
{
    const double x[] = {1, NAN, 3, NAN};
    assert_int_equal(cblas_idamax(4, x, 1), 1);
}

UNIT_TEST(increments_of_norms)
{
    const double x[] = {3, 4};
    assert_true(cblas_dnrm2(4, x, 0) == 6.0); /* sqrt(4) * 3 */
    assert_true(cblas_dnrm2(2, x, -1) == 5.0);
    assert_true(cblas_dasum(4, x, 0) == 0.0 && cblas_dasum(2, x, -1) == 0.0);
    assert_int_equal(cblas_idamax(2, x, 0), 0);
    assert_int_equal(cblas_idamax(2, x, -1), 0);
}

static double some[64];
static const double one[] = {1.0, 0.0};
static const int sizes[] = {0, 1, 2, 3, 4, 5};
extern void dgemm_(const char *, const char *, const int *, const int *, const int *,
                   const double *, const double *, const int *, const double *, const int *,
                   const double *, double *, const int *);
extern void dtbsv_(const char *, const char *, const char *, const int *, const int *,
                   const double *, const int *, double *, const int *);
extern void zherk_(const char *, const char *, const int *, const int *, const double *,
                   const void *, const int *, const double *, void *, const int *);

/* Calls that end the program, and what they print. */
#define WRONG_CALLS(ROW)                                                                           \
    ROW(cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 3, 5, 1.0, some, 3, some, 3,     \
                    0.0, some, 3),                                                                 \
        "cblas_dgemm: argument 9 (lda) is 3; it must be at least 5")                               \
    ROW(cblas_sgemm(CblasColMajor, CblasNoTrans, CblasTrans, 2, 3, 5, 1.0f, (float *)some, 2,      \
                    (float *)some, 2, 0.0f, (float *)some, 2),                                     \
        "cblas_sgemm: argument 11 (ldb) is 2; it must be at least 3")                              \
    ROW(cblas_dgemv((CBLAS_LAYOUT)7, CblasNoTrans, 1, 1, 1.0, some, 1, some, 1, 0.0, some, 1),     \
        "cblas_dgemv: argument 1 (layout) is 7; it must be CblasRowMajor (101) or CblasColMajor "  \
        "(102)")                                                                                   \
    ROW(cblas_dgemv(CblasColMajor, (CBLAS_TRANSPOSE)0, 1, 1, 1.0, some, 1, some, 1, 0.0, some, 1), \
        "cblas_dgemv: argument 2 (trans) is 0; it must be CblasNoTrans (111), CblasTrans (112) "   \
        "or CblasConjTrans (113)")                                                                 \
    ROW(cblas_dgemv(CblasRowMajor, CblasNoTrans, 2, 1, 1.0, some, 1, some, 0, 0.0, some, 1),       \
        "cblas_dgemv: argument 9 (incx) is 0; it must not be 0")                                   \
    ROW(cblas_dsyr(CblasColMajor, CblasUpper, -1, 1.0, some, 1, some, 1),                          \
        "cblas_dsyr: argument 3 (n) is -1; it must be at least 0")                                 \
    ROW(cblas_zgbmv(CblasColMajor, CblasNoTrans, 4, 4, 1, 2, one, some, 3, some, 1, one,           \
                    some + 32, 1),                                                                 \
        "cblas_zgbmv: argument 9 (lda) is 3; it must be at least 4")                               \
    ROW(cblas_dtrsm(CblasColMajor, CblasRight, (CBLAS_UPLO)111, CblasNoTrans, CblasUnit, 1, 1,     \
                    1.0, some, 1, some, 1),                                                        \
        "cblas_dtrsm: argument 3 (uplo) is 111; it must be CblasUpper (121) or CblasLower (122)")  \
    ROW(cblas_dsymm(CblasColMajor, (CBLAS_SIDE)143, CblasUpper, 1, 1, 1.0, some, 1, some, 1, 0.0,  \
                    some, 1),                                                                      \
        "cblas_dsymm: argument 2 (side) is 143; it must be CblasLeft (141) or CblasRight (142)")   \
    ROW(cblas_dtpmv(CblasRowMajor, CblasUpper, CblasNoTrans, (CBLAS_DIAG)130, 1, some, some, 1),   \
        "cblas_dtpmv: argument 4 (diag) is 130; it must be CblasNonUnit (131) or CblasUnit (132)") \
    ROW(cblas_zherk(CblasColMajor, CblasUpper, CblasTrans, 1, 1, 1.0, some, 1, 0.0, some, 1),      \
        "cblas_zherk: argument 3 (trans) is 112; it must be CblasNoTrans (111) or CblasConjTrans " \
        "(113)")                                                                                   \
    ROW(dgemm_("N", "x", &sizes[2], &sizes[2], &sizes[2], one, some, &sizes[2], some, &sizes[2],   \
               one, some, &sizes[2]),                                                              \
        "DGEMM: argument 2 (transb) is 'x'; it must be N, T or C")                                 \
    ROW(dtbsv_("U", "N", "N", &sizes[4], &sizes[3], some, &sizes[3], some, &sizes[1]),             \
        "DTBSV: argument 7 (lda) is 3; it must be at least 4")                                     \
    ROW(zherk_("U", "T", &sizes[1], &sizes[1], one, some, &sizes[1], one, some, &sizes[1]),        \
        "ZHERK: argument 2 (trans) is 'T'; it must be N or C")

static int wrong_call; /* which one */
static void call_wrongly(void)
{
    int number = 0;
#define CALL(call, text)                                                                           \
    if (number++ == wrong_call)                                                                    \
        call;
    WRONG_CALLS(CALL)
}

UNIT_TEST(messages_name_the_argument)
{
#define TEXT_OF(call, text) text,
    static const char *const expected[] = {WRONG_CALLS(TEXT_OF)};
    char text[400];
    for (wrong_call = 0; wrong_call < COUNT_OF(expected); wrong_call++) {
        assert_int_equal(status_of_child(call_wrongly, text, sizeof text), EXIT_FAILURE);
        assert_string_equal(text, expected[wrong_call]);
    }
}

/* The threads of the parent are not there. */
UNIT_TEST(a_forked_process_goes_on)
{
    assert_true(cblas_dasum(MANY, many, 1) == (double)MANY);
    char text[400];
    assert_int_equal(status_of_child(sum_many, text, sizeof text), 0);
}

static int open_reference(void **state)
{
    (void)state;
    glob_t found;
    if (glob("/usr/lib/*/blas/libblas.so.3", 0, NULL, &found) == 0)
        reference = dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_LOCAL);
    globfree(&found);
    return 0;
}

RUN_UNIT_TESTS(open_reference, NULL)
