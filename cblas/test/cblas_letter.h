/* Calls of one letter's functions, included once per letter by test_cblas.c with LETTER, REAL,
 * PARTS and STORAGE: the letter, the type of an element's parts, their number, and the letter of
 * the parts.
 */
#define JOIN2(a, b, c) a##b##c
#define JOIN(a, b, c)  JOIN2(a, b, c)
#define THIS(name)     JOIN(name, _, LETTER)
#define OURS(name)     JOIN(cblas_, LETTER, name)
#define TEXT2(text)    #text
#define TEXT(text)     TEXT2(text)
#define MIXED(name)    JOIN(PART_LETTER, name, )
#if PARTS == 1
#    define NUMBER(x)    (x)[0]
#    define IF_REAL(...) __VA_ARGS__
#    define IF_COMPLEX(...)
#else
#    define NUMBER(x) (x)
#    define IF_REAL(...)
#    define IF_COMPLEX(...) __VA_ARGS__
#endif
#define A arrays[side][0]
#define X arrays[side][1]
#define Y arrays[side][2]

/* Our function and the reference's, each on arrays of its own. */
#define BOTH(function, ...)                                                                        \
    do {                                                                                           \
        for (int side = 0; side < 2; side++) {                                                     \
            __typeof__(&function) run = function;                                                  \
            if (side)                                                                              \
                look_up(TEXT(function), &run, sizeof run);                                         \
            run(__VA_ARGS__);                                                                      \
        }                                                                                          \
        THIS(compare)(TEXT(function), d, arrays, before);                                          \
    } while (0)
#define BOTH_VALUES(function, ...)                                                                 \
    do {                                                                                           \
        double values[2];                                                                          \
        for (int side = 0; side < 2; side++) {                                                     \
            __typeof__(&function) run = function;                                                  \
            if (side)                                                                              \
                look_up(TEXT(function), &run, sizeof run);                                         \
            values[side] = (double)run(__VA_ARGS__);                                               \
        }                                                                                          \
        expect_near(TEXT(function), d, values[0], values[1], values[1], (double)EPSILON);          \
        THIS(compare)(TEXT(function), d, arrays, before);                                          \
    } while (0)

static void THIS(compare)(const char *function, const draw *d, REAL arrays[2][3][ROOM],
                          REAL before[3][ROOM])
{
    for (int k = 0; k < 3; k++) {
        double largest = 0.0;
        for (int i = 0; i < d->room; i++)
            if (isfinite(arrays[1][k][i]) && fabs((double)arrays[1][k][i]) > largest)
                largest = fabs((double)arrays[1][k][i]);
        for (int i = 0; i < d->room; i++) {
            if (memcmp(&arrays[1][k][i], &before[k][i], sizeof(REAL)) == 0 && isnan(before[k][i]))
                expect_same(function, d, memcmp(&arrays[0][k][i], &before[k][i], sizeof(REAL)));
            expect_near(function, d, (double)arrays[0][k][i], (double)arrays[1][k][i], largest,
                        (double)EPSILON);
        }
    }
}

/* What is not set stays NaN and is not to be read. */
static void THIS(set)(REAL *array, int64_t place, double more)
{
    for (int part = 0; part < PARTS; part++)
        array[PARTS * place + part] = (REAL)(between(-1.0, 1.0) + (part ? 0.0 : more));
}

static void THIS(set_vector)(const draw *d, REAL *array, int count, int increment, int has_nan)
{
    for (int i = 0; i < count; i++) {
        const int64_t place =
            increment < 0 ? (int64_t)(i - count + 1) * increment : (int64_t)i * increment;
        THIS(set)(array, place, 0.0);
        for (int part = 0; has_nan && i == d->poisoned && part < PARTS; part++)
            array[PARTS * place + part] = (REAL)NAN;
    }
}

static void THIS(set_matrix)(const draw *d, matrix_kind kind, REAL *array, int rows, int columns,
                             int lda)
{
    draw with_lda = *d;
    with_lda.lda = lda;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (is_stored(d, kind, i, j))
                THIS(set)(array, place_of(&with_lda, kind, rows, i, j), i == j ? 4.0 : 0.0);
}

/* New arrays for a matrix of this kind: of general ones and bands `rows` x `columns`, otherwise
 * n x n in one triangle. */
static void THIS(fill)(const draw *d, matrix_kind kind, int rows, int columns, int xs, int ys,
                       REAL arrays[2][3][ROOM], REAL before[3][ROOM])
{
    for (int k = 0; k < 3; k++)
        memset(before[k], 0xff, (size_t)d->room * sizeof(REAL));
    THIS(set_matrix)(d, kind, before[0], rows, columns, d->lda);
    THIS(set_vector)(d, before[1], xs, d->incx, 1);
    if (!d->has_nan_result)
        THIS(set_vector)(d, before[2], ys, d->incy, 0);
    for (int k = 0; k < 6; k++)
        memcpy(arrays[k / 3][k % 3], before[k % 3], (size_t)d->room * sizeof(REAL));
}

#if PARTS == 1
/* What a flag does not use is left alone. */
static void THIS(rotations)(draw *d)
{
    static REAL arrays[2][3][ROOM], before[3][ROOM];
    const REAL given[] = {(REAL)between(-0.5, 2.0), (REAL)between(-0.5, 2.0),
                          (REAL)between(-2.0, 2.0)},
               y = (REAL)between(-2.0, 2.0);
    d->has_nan_result = 1;
    THIS(fill)(d, GENERAL, 0, 0, 0, 0, arrays, before);
    for (int side = 0; side < 2; side++)
        memcpy(A, given, sizeof given);
    BOTH(OURS(rotmg), A, A + 1, A + 2, y, Y);
    for (int side = 0; side < 2; side++)
        memcpy(A, given, sizeof given);
    BOTH(OURS(rotg), A, A + 1, Y, Y + 1);
}
#endif

static void THIS(level_1)(draw *d)
{
    static REAL arrays[2][3][ROOM], before[3][ROOM];
    const int n = d->n;
    const REAL alpha[] = {(REAL)d->alpha[0], (REAL)d->alpha[1]}, c = (REAL)0.6, s = (REAL)0.8;
    d->has_nan_result = 0;
#define FILL() THIS(fill)(d, GENERAL, 0, 0, n, n, arrays, before)
    FILL();
    BOTH(OURS(copy), n, X, d->incx, Y, d->incy);
    FILL();
    BOTH(OURS(swap), n, X, d->incx, Y, d->incy);
    FILL();
    BOTH(OURS(axpy), n, NUMBER(alpha), X, d->incx, Y, d->incy);
    FILL();
    BOTH(OURS(scal), n, NUMBER(alpha), X, d->incx);
    FILL();
    IF_REAL(BOTH(OURS(rot), n, X, d->incx, Y, d->incy, c, s);
            const REAL flag = (REAL)(d->round % 4 - 2);
            const REAL parameter[] = {flag, c, s, -s, alpha[1]}; FILL();
            BOTH(OURS(rotm), n, X, d->incx, Y, d->incy, parameter); FILL();
            BOTH_VALUES(OURS(dot), n, X, d->incx, Y, d->incy);)
    IF_COMPLEX(BOTH(OURS(MIXED(rot)), n, X, d->incx, Y, d->incy, c, s); FILL();
               BOTH(OURS(MIXED(scal)), n, c, X, d->incx); FILL();
               BOTH(OURS(dotu_sub), n, X, d->incx, Y, d->incy, A); FILL();
               BOTH(OURS(dotc_sub), n, X, d->incx, Y, d->incy, A);)
    FILL();
    BOTH_VALUES(JOIN(cblas_, NORM, nrm2), n, X, d->incx < 0 ? -d->incx : d->incx);
    BOTH_VALUES(JOIN(cblas_, NORM, asum), n, X, d->incx);
    if (d->poisoned < 0) /* else ours is the place of the first NaN */
        BOTH_VALUES(JOIN(cblas_i, LETTER, amax), n, X, d->incx);
#undef FILL
}

static void THIS(level_2)(draw *d)
{
    static REAL arrays[2][3][ROOM], before[3][ROOM];
    const int m = d->m, n = d->n, k = d->k;
    const REAL alpha[] = {(REAL)d->alpha[0], (REAL)d->alpha[1]};
    const REAL beta[] = {(REAL)d->beta[0], (REAL)d->beta[1]};
    const int is_turned = d->trans != CblasNoTrans, xs = is_turned ? m : n, ys = is_turned ? n : m;
    const int wide = d->layout == CblasRowMajor ? n : m;
    const int band = d->kl + d->ku + 1;
    d->has_nan_result = d->beta[0] == 0.0 && d->beta[1] == 0.0;
#define FILL(kind, rows, columns, xs, ys) THIS(fill)(d, kind, rows, columns, xs, ys, arrays, before)
    d->lda = (wide > 1 ? wide : 1) + d->more;
    FILL(GENERAL, m, n, xs, ys);
    BOTH(OURS(gemv), d->layout, d->trans, m, n, NUMBER(alpha), A, d->lda, X, d->incx, NUMBER(beta),
         Y, d->incy);
    d->lda = band + d->more;
    FILL(BAND, m, n, xs, ys);
    BOTH(OURS(gbmv), d->layout, d->trans, m, n, d->kl, d->ku, NUMBER(alpha), A, d->lda, X, d->incx,
         NUMBER(beta), Y, d->incy);
    d->lda = (n > 1 ? n : 1) + d->more;
    FILL(TRIANGLE, n, n, n, n);
    IF_REAL(BOTH(OURS(symv), d->layout, d->uplo, n, NUMBER(alpha), A, d->lda, X, d->incx,
                 NUMBER(beta), Y, d->incy);)
    IF_COMPLEX(
        BOTH(OURS(hemv), d->layout, d->uplo, n, alpha, A, d->lda, X, d->incx, beta, Y, d->incy);)
    FILL(PACKED, n, n, n, n);
    IF_REAL(BOTH(OURS(spmv), d->layout, d->uplo, n, NUMBER(alpha), A, X, d->incx, NUMBER(beta), Y,
                 d->incy);)
    IF_COMPLEX(BOTH(OURS(hpmv), d->layout, d->uplo, n, alpha, A, X, d->incx, beta, Y, d->incy);)
    d->lda = k + 1 + d->more;
    FILL(HALF_BAND, n, n, n, n);
    IF_REAL(BOTH(OURS(sbmv), d->layout, d->uplo, n, k, NUMBER(alpha), A, d->lda, X, d->incx,
                 NUMBER(beta), Y, d->incy);)
    IF_COMPLEX(
        BOTH(OURS(hbmv), d->layout, d->uplo, n, k, alpha, A, d->lda, X, d->incx, beta, Y, d->incy);)
    FILL(HALF_BAND, n, n, n, n);
    BOTH(OURS(tbmv), d->layout, d->uplo, d->trans, d->diag, n, k, A, d->lda, X, d->incx);
    FILL(HALF_BAND, n, n, n, n);
    BOTH(OURS(tbsv), d->layout, d->uplo, d->trans, d->diag, n, k, A, d->lda, X, d->incx);
    FILL(PACKED, n, n, n, n);
    BOTH(OURS(tpmv), d->layout, d->uplo, d->trans, d->diag, n, A, X, d->incx);
    FILL(PACKED, n, n, n, n);
    BOTH(OURS(tpsv), d->layout, d->uplo, d->trans, d->diag, n, A, X, d->incx);
    d->lda = (n > 1 ? n : 1) + d->more;
    FILL(TRIANGLE, n, n, n, n);
    BOTH(OURS(trmv), d->layout, d->uplo, d->trans, d->diag, n, A, d->lda, X, d->incx);
    FILL(TRIANGLE, n, n, n, n);
    BOTH(OURS(trsv), d->layout, d->uplo, d->trans, d->diag, n, A, d->lda, X, d->incx);
}

static void THIS(updates)(draw *d)
{
    static REAL arrays[2][3][ROOM], before[3][ROOM];
    const int m = d->m, n = d->n;
    const REAL alpha[] = {(REAL)d->alpha[0], (REAL)d->alpha[1]};
    const int wide = d->layout == CblasRowMajor ? n : m;
    d->has_nan_result = 0;
    d->diag = CblasNonUnit;
    d->lda = (wide > 1 ? wide : 1) + d->more;
    FILL(GENERAL, m, n, m, n);
    IF_REAL(BOTH(OURS(ger), d->layout, m, n, NUMBER(alpha), X, d->incx, Y, d->incy, A, d->lda);)
    IF_COMPLEX(BOTH(OURS(geru), d->layout, m, n, alpha, X, d->incx, Y, d->incy, A, d->lda);
               FILL(GENERAL, m, n, m, n);
               BOTH(OURS(gerc), d->layout, m, n, alpha, X, d->incx, Y, d->incy, A, d->lda);)
    d->lda = (n > 1 ? n : 1) + d->more;
    FILL(TRIANGLE, n, n, n, n);
    IF_REAL(BOTH(OURS(syr), d->layout, d->uplo, n, alpha[0], X, d->incx, A, d->lda);)
    IF_COMPLEX(BOTH(OURS(her), d->layout, d->uplo, n, alpha[0], X, d->incx, A, d->lda);)
    FILL(TRIANGLE, n, n, n, n);
    IF_REAL(
        BOTH(OURS(syr2), d->layout, d->uplo, n, NUMBER(alpha), X, d->incx, Y, d->incy, A, d->lda);)
    IF_COMPLEX(BOTH(OURS(her2), d->layout, d->uplo, n, alpha, X, d->incx, Y, d->incy, A, d->lda);)
    FILL(PACKED, n, n, n, n);
    IF_REAL(BOTH(OURS(spr), d->layout, d->uplo, n, alpha[0], X, d->incx, A);)
    IF_COMPLEX(BOTH(OURS(hpr), d->layout, d->uplo, n, alpha[0], X, d->incx, A);)
    FILL(PACKED, n, n, n, n);
    IF_REAL(BOTH(OURS(spr2), d->layout, d->uplo, n, NUMBER(alpha), X, d->incx, Y, d->incy, A);)
    IF_COMPLEX(BOTH(OURS(hpr2), d->layout, d->uplo, n, alpha, X, d->incx, Y, d->incy, A);)
#undef FILL
}

/* A and B, and C of rows x columns where it is read. */
static void THIS(fill_three)(const draw *d, const matrix_kind *kinds, const int (*sizes)[3],
                             REAL arrays[2][3][ROOM], REAL before[3][ROOM])
{
    for (int k = 0; k < 3; k++) {
        memset(before[k], 0xff, (size_t)d->room * sizeof(REAL));
        if (k < 2 || !d->has_nan_result)
            THIS(set_matrix)(d, kinds[k], before[k], sizes[k][0], sizes[k][1], sizes[k][2]);
    }
    for (int k = 0; k < 6; k++)
        memcpy(arrays[k / 3][k % 3], before[k % 3], (size_t)d->room * sizeof(REAL));
}

static void THIS(products)(draw *d)
{
    static REAL arrays[2][3][ROOM], before[3][ROOM];
    static const matrix_kind general[] = {GENERAL, GENERAL, GENERAL};
    static const matrix_kind mirrored[] = {TRIANGLE, GENERAL, GENERAL};
    const int m = d->m, n = d->n, k = d->depth, order = d->side == CblasLeft ? m : n;
    const int a_down = d->trans == CblasNoTrans ? m : k,
              a_across = d->trans == CblasNoTrans ? k : m;
    const int b_down = d->other == CblasNoTrans ? k : n,
              b_across = d->other == CblasNoTrans ? n : k;
    const int lda = leading(d, a_down, a_across), ldb = leading(d, b_down, b_across);
    const int ldc = leading(d, m, n), ldo = leading(d, order, order);
    const int sizes[][3] = {{a_down, a_across, lda}, {b_down, b_across, ldb}, {m, n, ldc}};
    const int of_order[][3] = {{order, order, ldo}, {m, n, ldc}, {m, n, ldc}};
    const REAL alpha[] = {(REAL)d->alpha[0], (REAL)d->alpha[1]};
    const REAL beta[] = {(REAL)d->beta[0], (REAL)d->beta[1]};
    d->has_nan_result = d->beta[0] == 0.0 && d->beta[1] == 0.0;
    THIS(fill_three)(d, general, sizes, arrays, before);
    BOTH(OURS(gemm), d->layout, d->trans, d->other, m, n, k, NUMBER(alpha), A, lda, X, ldb,
         NUMBER(beta), Y, ldc);
    THIS(fill_three)(d, mirrored, of_order, arrays, before);
    BOTH(OURS(symm), d->layout, d->side, d->uplo, m, n, NUMBER(alpha), A, ldo, X, ldc, NUMBER(beta),
         Y, ldc);
    IF_COMPLEX(
        THIS(fill_three)(d, mirrored, of_order, arrays, before);
        BOTH(OURS(hemm), d->layout, d->side, d->uplo, m, n, alpha, A, ldo, X, ldc, beta, Y, ldc);)
    THIS(fill_three)(d, mirrored, of_order, arrays, before);
    BOTH(OURS(trmm), d->layout, d->side, d->uplo, d->trans, d->diag, m, n, NUMBER(alpha), A, ldo, X,
         ldc);
    THIS(fill_three)(d, mirrored, of_order, arrays, before);
    BOTH(OURS(trsm), d->layout, d->side, d->uplo, d->trans, d->diag, m, n, NUMBER(alpha), A, ldo, X,
         ldc);
}

static void THIS(squares)(draw *d)
{
    static REAL arrays[2][3][ROOM], before[3][ROOM];
    static const matrix_kind kinds[] = {GENERAL, GENERAL, TRIANGLE};
    const int n = d->n, k = d->depth, is_turned = d->trans != CblasNoTrans;
    const int down = is_turned ? k : n, across = is_turned ? n : k;
    const int lda = leading(d, down, across), ldc = leading(d, n, n);
    const int sizes[][3] = {{down, across, lda}, {down, across, lda}, {n, n, ldc}};
    const CBLAS_TRANSPOSE plain = is_turned ? CblasTrans : CblasNoTrans;
    const REAL alpha[] = {(REAL)d->alpha[0], (REAL)d->alpha[1]};
    const REAL beta[] = {(REAL)d->beta[0], (REAL)d->beta[1]};
    d->has_nan_result = d->beta[0] == 0.0 && d->beta[1] == 0.0;
    THIS(fill_three)(d, kinds, sizes, arrays, before);
    BOTH(OURS(syrk), d->layout, d->uplo, plain, n, k, NUMBER(alpha), A, lda, NUMBER(beta), Y, ldc);
    THIS(fill_three)(d, kinds, sizes, arrays, before);
    BOTH(OURS(syr2k), d->layout, d->uplo, plain, n, k, NUMBER(alpha), A, lda, X, lda, NUMBER(beta),
         Y, ldc);
    IF_COMPLEX(
        const CBLAS_TRANSPOSE turned = is_turned ? CblasConjTrans : CblasNoTrans;
        d->has_nan_result = d->beta[0] == 0.0; THIS(fill_three)(d, kinds, sizes, arrays, before);
        BOTH(OURS(herk), d->layout, d->uplo, turned, n, k, alpha[0], A, lda, beta[0], Y, ldc);
        THIS(fill_three)(d, kinds, sizes, arrays, before); BOTH(
            OURS(her2k), d->layout, d->uplo, turned, n, k, alpha, A, lda, X, lda, beta[0], Y, ldc);)
}

UNIT_TEST(THIS(letter))
{
    skip_without_reference();
    for (int round = 0; round < rounds(); round++) {
        draw d = draw_next(round);
        THIS(level_2)(&d);
        THIS(updates)(&d);
        d.diag = d.more ? CblasUnit : CblasNonUnit;
        THIS(products)(&d);
        THIS(squares)(&d);
        d.incx = round % 7 - 3; /* 0, too */
        d.incy = round / 7 % 7 - 3;
        THIS(level_1)(&d);
#if PARTS == 1
        THIS(rotations)(&d);
#endif
    }
}

#undef JOIN2
#undef JOIN
#undef THIS
#undef OURS
#undef TEXT2
#undef TEXT
#undef MIXED
#undef NUMBER
#undef IF_REAL
#undef IF_COMPLEX
#undef A
#undef X
#undef Y
#undef BOTH
#undef BOTH_VALUES
#undef LETTER
#undef REAL
#undef PARTS
#undef PART_LETTER
#undef NORM
#undef EPSILON
