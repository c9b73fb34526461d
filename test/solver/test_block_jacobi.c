/* Block-Jacobi of real and complex matrices against elimination in long double: blocks found and
 * given, every format, formats chosen by condition and range, the same bits on every executor, in
 * solvers. */
#include <stdlib.h>

#include "preconditioner.h"
#include "steno/block_jacobi.h"

enum { ROWS = 240, EDGE = 5, BLOCKS = ROWS / EDGE };

static linear_system s;
static outcome o, first;

static stn_format type_of(int is_complex)
{
    return is_complex ? STN_C128 : STN_F64;
}

/* Symmetric (complex: Hermitian) blocks I - (1 - 1 / condition) v v^H / v^H v, weakly coupled if
 * there is a condition; otherwise of conditions from 1 to 1e9 in turn. Entries of adjacent blocks
 * are stored, even if they are 0. */
static void make_system(double condition, int is_complex)
{
    uint64_t state = 17;
    system_clear(&s, ROWS, is_complex);
    for (int b = 0; b < BLOCKS; b++) {
        const double worst = condition > 0 ? condition : pow(10.0, b % 10);
        number v[EDGE];
        double square = 0;
        for (int i = 0; i < EDGE; i++) {
            v[i] = draw(&state) + (is_complex ? draw(&state) * I : 0.0);
            square += creal(v[i] * conj(v[i]));
        }
        for (int i = 0; i < EDGE; i++)
            for (int j = 0; j <= i; j++) {
                const number entry = (i == j) - (1 - 1 / worst) / square * v[i] * conj(v[j]);
                s.dense[b * EDGE + i][b * EDGE + j] = i == j ? creal(entry) : entry;
                s.dense[b * EDGE + j][b * EDGE + i] = i == j ? creal(entry) : conj(entry);
            }
    }
    for (int i = 0; i < ROWS; i++) {
        if (i + EDGE < ROWS && condition > 0)
            s.dense[i][i + EDGE] = s.dense[i + EDGE][i] = -0.2 / condition;
        for (int j = 0; j < ROWS; j++)
            s.is_stored[i][j] = abs(i / EDGE - j / EDGE) <= 1;
        s.b[i] = 1 + i % 3;
    }
    system_wrap(&s);
}

/* The same matrix with each entry as the sum of two; to be released before the next one. */
static stn_matrix *split_entries(void)
{
    static int64_t start[ROWS + 1];
    static int32_t column[2 * MOST_ENTRIES];
    static double value[2 * MOST_ENTRIES];
    stn_matrix *split;
    for (int i = 0; i <= ROWS; i++)
        start[i] = 2 * s.start[i];
    for (int64_t k = 0; k < 2 * s.start[ROWS]; k++) {
        column[k] = s.column[k / 2];
        value[k] = (k % 2 ? 0.25 : 0.75) * s.value[k / 2];
    }
    expect_ok(wrap_csr(&split, "split", stn_storage_of(STN_F64), ROWS, ROWS, start, column, value));
    return split;
}

/* Blocks of the oracle. */
static int64_t starts[ROWS + 1], count;

static void set_starts(int64_t edge)
{
    count = 0;
    for (int64_t row = 0; row < ROWS; row += edge)
        starts[count++] = row;
    starts[count] = ROWS;
}

/* x = B^-1 x of each block, by elimination with pivots. */
static void solve_blocks(wide *x)
{
    static wide a[STN_BLOCK_JACOBI_MAX_ROWS][STN_BLOCK_JACOBI_MAX_ROWS + 1];
    wide kept[STN_BLOCK_JACOBI_MAX_ROWS + 1];
    for (int64_t k = 0; k < count; k++) {
        const int64_t from = starts[k], n = starts[k + 1] - from;
        for (int64_t i = 0; i < n; i++) {
            for (int64_t j = 0; j < n; j++)
                a[i][j] = s.dense[from + i][from + j];
            a[i][n] = x[from + i];
        }
        for (int64_t c = 0; c < n; c++) {
            int64_t pivot = c;
            for (int64_t i = c; i < n; i++)
                pivot = cabsl(a[i][c]) > cabsl(a[pivot][c]) ? i : pivot;
            memcpy(kept, a[c], sizeof kept);
            memcpy(a[c], a[pivot], sizeof kept);
            memcpy(a[pivot], kept, sizeof kept);
            for (int64_t i = 0; i < n; i++) {
                const wide factor = i == c ? 0 : a[i][c] / a[c][c];
                for (int64_t j = c; j <= n && factor != 0; j++)
                    a[i][j] -= factor * a[c][j];
            }
        }
        for (int64_t i = 0; i < n; i++)
            x[from + i] = a[i][n] / a[i][i];
    }
}

static stn_preconditioner *make(const stn_exec *exec, const stn_matrix *a, int64_t most,
                                const stn_format *format)
{
    const stn_block_jacobi_options options =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = most, .format = format);
    stn_preconditioner *m;
    expect_ok(stn_block_jacobi_create(exec, &m, a, &options));
    return m;
}

static double error(const stn_preconditioner *m)
{
    return error_of(order_use(0), m, &s, type_of(s.is_complex), starts, count, solve_blocks);
}

/* ---- blocks and formats ---- */

/* Adjacent rows with the same columns form a block, here five; smaller blocks divide them. */
static void find_starts(int64_t most)
{
    const int64_t bound = most ? most : 8;
    count = 0;
    for (int64_t row = 0; row < ROWS; count++) {
        const int64_t left = EDGE - row % EDGE;
        starts[count] = row;
        row += bound >= EDGE ? bound / EDGE * EDGE : left < bound ? left : bound;
        row = row < ROWS ? row : ROWS;
    }
    starts[count] = ROWS;
}

UNIT_TEST(test_blocks)
{
    static const int64_t uneven[] = {0, 1, 33, 40, 64, 65, 96, 128, 160, 191, 200, 220, 240};
    static const stn_format f64 = STN_F64;
    make_system(30, 0);
    stn_matrix *const split = split_entries();
    for (int k = 0; k < 2 * (STN_BLOCK_JACOBI_MAX_ROWS + 1); k++) {
        stn_preconditioner *const m = make(order_use(0), k % 2 ? split : s.matrix, k / 2, &f64);
        find_starts(k / 2);
        assert_int_equal(info_of(m).blocks, count);
        assert_int_equal(info_of(m).format_blocks[2], count);
        if (!(error(m) <= 1e-13))
            fail_msg("blocks of %d rows: error %g", k / 2, error(m));
        stn_preconditioner_release(m);
    }
    for (int is_split = 0; is_split < 2; is_split++) {
        const stn_block_jacobi_options given = STN_INIT(
            stn_block_jacobi_options, .block_start = uneven, .block_count = 12, .format = &f64);
        stn_preconditioner *m;
        expect_ok(stn_block_jacobi_create(order_use(0), &m, is_split ? split : s.matrix, &given));
        memcpy(starts, uneven, sizeof uneven);
        count = 12;
        assert_int_equal(info_of(m).blocks, count);
        assert_true(error(m) <= 1e-13);
        stn_preconditioner_release(m);
    }
    stn_matrix_release(split);
}

/* The inverse of a symmetric or Hermitian block is so to the last bit. */
UNIT_TEST(test_symmetry)
{
    static number column[ROWS][ROWS];
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        number unit[MOST_ROWS] = {0};
        make_system(1000, is_complex);
        stn_preconditioner *const m = make(order_use(0), s.matrix, EDGE, NULL);
        for (int j = 0; j < ROWS; j++) {
            unit[j] = 1;
            apply(order_use(0), m, type_of(is_complex), unit, column[j]);
            unit[j] = 0;
        }
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j <= i; j++)
                if (column[j][i] != conj(column[i][j]))
                    fail_msg("%d, %d: %a %a and %a %a", i, j, creal(column[j][i]),
                             cimag(column[j][i]), creal(column[i][j]), cimag(column[i][j]));
        stn_preconditioner_release(m);
    }
}

/* Matrices of every kind have the same blocks. */
UNIT_TEST(test_kinds)
{
    number from[MOST_ROWS], expected[MOST_ROWS], to[MOST_ROWS];
    make_system(0, 0);
    stn_matrix *const split = split_entries();
    draw_vector(&s, from, 3);
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++) {
        stn_matrix *a;
        expect_ok(stn_sparse_convert(order_use(0), &a, split, kind, NULL));
        stn_preconditioner *const m = make(order_use(0), a, EDGE, NULL);
        stn_matrix_release(a);
        apply(order_use(0), m, STN_F64, from, kind == STN_MATRIX_CSR ? expected : to);
        assert_true(kind == STN_MATRIX_CSR || memcmp(expected, to, sizeof to) == 0);
        stn_preconditioner_release(m);
    }
    stn_matrix_release(split);
}

UNIT_TEST(test_formats)
{
    int tried = 0;
    make_system(4, 0);
    set_starts(EDGE);
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        const stn_block_jacobi_options options =
            STN_INIT(stn_block_jacobi_options, .max_block_rows = EDGE, .format = &format);
        stn_format_info info = STN_FORMAT_INFO_INIT;
        stn_preconditioner *m;
        expect_ok(stn_format_describe(format, &info));
        const stn_status status = stn_block_jacobi_create(order_use(0), &m, s.matrix, &options);
        if (info.kind == STN_CLASS_COMPLEX || !info.is_signed) {
            assert_int_equal(status, STN_ERR_UNSUPPORTED);
            continue;
        }
        expect_ok(status);
        const double digits =
            info.kind == STN_CLASS_INTEGER ? 8.0 * (double)info.bytes - 2 : info.fraction_bits + 1;
        if (!(error(m) <= 20 * pow(2.0, -digits) + 1e-14))
            fail_msg("%s: error %g", info.name, error(m));
        stn_preconditioner_release(m);
        tried++;
    }
    assert_true(tried >= 9);
}

/* Complex blocks are stored in complex formats, also given by their parts. */
UNIT_TEST(test_complex_formats)
{
    static const stn_format formats[] = {STN_C128, STN_C64, STN_C32, STN_F64, STN_F32, STN_F16};
    static const double most[] = {1e-14, 1e-6, 1e-2};
    make_system(4, 1);
    set_starts(EDGE);
    for (int k = 0; k < COUNT_OF(formats); k++) {
        stn_preconditioner *const m = make(order_use(0), s.matrix, EDGE, &formats[k]);
        assert_int_equal(info_of(m).blocks, count);
        assert_int_equal(blocks_of(m)->part[2].storage.format, formats[k % 3]);
        if (!(error(m) <= most[k % 3] && (k % 3 == 0 || error(m) >= most[k % 3] / 1e4)))
            fail_msg("format %d: error %g", (int)formats[k], error(m));
        stn_preconditioner_release(m);
    }
}

/* Conditions of 1, 10, 100: f16; to 1e6: f32; larger ones: f64. Complex: c32, c64, c128. */
UNIT_TEST(test_conditions)
{
    static const stn_format formats[2][3] = {{STN_F16, STN_F32, STN_F64},
                                             {STN_C32, STN_C64, STN_C128}};
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        make_system(0, is_complex);
        set_starts(EDGE);
        stn_preconditioner *const m = make(order_use(0), s.matrix, EDGE, NULL);
        const stn_preconditioner_info info = info_of(m);
        assert_int_equal(info.blocks, BLOCKS);
        assert_in_range(info.format_blocks[0], BLOCKS * 2 / 10, BLOCKS * 3 / 10 + 1);
        assert_in_range(info.format_blocks[2], BLOCKS * 3 / 10 - 1, BLOCKS * 4 / 10 + 1);
        assert_int_equal(info.format_blocks[0] + info.format_blocks[1] + info.format_blocks[2],
                         BLOCKS);
        for (int k = 0; k < 3; k++)
            assert_int_equal(blocks_of(m)->part[k].storage.format, formats[is_complex][k]);
        assert_true(error(m) <= 0.1);
        assert_true(info.bytes > 0);
        stn_preconditioner_release(m);
    }
}

/* Blocks of condition 1 and of many magnitudes. f16 has one scale, for 2^600, and is out of range
 * of the others. */
UNIT_TEST(test_ranges)
{
    static const int exponents[] = {0, 5, 10, 30, -100, 130, 600, -600};
    make_system(4, 0);
    memset(s.dense, 0, sizeof s.dense);
    for (int i = 0; i < ROWS; i++)
        s.dense[i][i] = ldexp(1.0, exponents[i / EDGE % 8]);
    system_wrap(&s);
    set_starts(EDGE);
    stn_preconditioner *const m = make(order_use(0), s.matrix, EDGE, NULL);
    assert_true(error(m) <= 0x1p-11);
    assert_int_equal(info_of(m).format_blocks[0], BLOCKS / 8);
    assert_int_equal(info_of(m).format_blocks[1], BLOCKS / 8 * 5);
    assert_int_equal(info_of(m).format_blocks[2], BLOCKS / 8 * 2);
    stn_preconditioner_release(m);
}

/* No rows. */
UNIT_TEST(test_empty)
{
    system_clear(&s, 0, 0);
    system_wrap(&s);
    stn_preconditioner *const m = make(order_use(0), s.matrix, 0, NULL);
    assert_true(info_of(m).blocks == 0 && info_of(m).bytes == 0 && info_of(m).rows == 0);
    stn_preconditioner_release(m);
}

/* ---- in solvers ---- */

/* Chosen formats take as many iterations as f64, in half of the memory, with the same bits on every
 * executor. */
UNIT_TEST(test_in_a_solver)
{
    static const stn_format formats[] = {STN_F64, STN_C128};
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        make_system(60, is_complex);
        stn_preconditioner *const m = make(order_use(0), s.matrix, EDGE, NULL),
                                  *const full =
                                      make(order_use(0), s.matrix, EDGE, &formats[is_complex]);
        assert_true(2 * info_of(m).bytes <= info_of(full).bytes);
        const int64_t without = solve_with(order_use(0), &s, NULL, STN_SOLVER_CG, &o);
        const int64_t with_full = solve_with(order_use(0), &s, full, STN_SOLVER_CG, &o);
        const int64_t found = solve_with(order_use(0), &s, m, STN_SOLVER_CG, &first);
        assert_true(with_full >= 10 && with_full <= without);
        assert_true(found <= with_full + (with_full + 19) / 20);
        for (int setting = 1; setting < order_settings(); setting++) {
            if (!order_has_turn(setting, 0))
                continue;
            assert_int_equal(solve_with(order_use(setting), &s, m, STN_SOLVER_CG, &o), found);
            expect_same_bits(&first, &o, order_setting_name(setting));
        }
        stn_preconditioner_release(m);
        stn_preconditioner_release(full);
    }
}

/* Every executor and a device compute the bits of the reference. */
UNIT_TEST(test_executors)
{
    stn_exec *device = NULL;
    number from[MOST_ROWS], here[MOST_ROWS] = {0}, there[MOST_ROWS] = {0};
    (void)stn_exec_create(&device, "opencl");
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        make_system(0, is_complex);
        draw_vector(&s, from, 9);
        stn_preconditioner *m = make(order_use(0), s.matrix, 3, NULL);
        apply(order_use(0), m, type_of(is_complex), from, here);
        stn_preconditioner_release(m);
        for (int setting = 1; setting <= order_settings(); setting++) {
            const int is_device = setting == order_settings();
            if (is_device ? !device : !order_has_turn(setting, is_complex))
                continue;
            const stn_exec *const exec = is_device ? device : order_use(setting);
            m = make(exec, s.matrix, 3, NULL);
            apply(exec, m, type_of(is_complex), from, there);
            assert_memory_equal(here, there, sizeof here);
            stn_preconditioner_release(m);
        }
    }
    stn_exec_release(device);
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
