/* Operations on sparse matrices on devices give the arrays and bits of the host: conversions,
 * structures, values, triangular systems and preconditioners, in the memory of the executor. */
#include "device.h"
#include "matrix.h"
#include "steno/block_jacobi.h"
#include "steno/ilu.h"
#include "steno/sparse_operations.h"

enum { N = 43, MOST = 700, ORDERED = 20, FORMATS = 3, KINDS = 5 };

static const stn_format formats[FORMATS] = {STN_F16, STN_F64, STN_C64};
static const stn_matrix_kind kinds[KINDS] = {STN_MATRIX_CSR, STN_MATRIX_COO, STN_MATRIX_ELL,
                                             STN_MATRIX_SELL, STN_MATRIX_SLICED};

/* ---- a square matrix, its diagonal dominant, on the host and on the device ---- */

typedef struct square {
    int64_t start[N + 1];
    int32_t column[MOST];
    _Alignas(16) char codes[16 * MOST];
    stn_storage storage;
    int is_complex;
    stn_matrix *here, *there;
} square;

static stn_format wide_of(const square *s)
{
    return s->is_complex ? STN_C128 : STN_F64;
}

static void fill_values(square *s, int64_t count)
{
    double numbers[2 * MOST];
    const int64_t parts = s->is_complex ? 2 : 1;
    for (int64_t r = 0; r < N; r++)
        for (int64_t k = s->start[r]; k < s->start[r + 1]; k++)
            for (int64_t p = 0; p < parts; p++)
                numbers[k * parts + p] = s->column[k] == r
                                             ? (p == 0 ? 9.0 + (double)chance(9) : 0.5)
                                             : (double)chance(1000) / 700 - 0.7;
    expect_ok(stn_encode(wide_of(s), &s->storage, s->codes, 1, 0, numbers, count));
}

/* Each column once, in any order; of kind `kind`. */
static void make_square(square *s, stn_format format, stn_matrix_kind kind)
{
    stn_matrix *rows;
    int64_t at = 0;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(format, &info));
    s->is_complex = info.kind == STN_CLASS_COMPLEX;
    s->storage = stn_storage_of(format);
    s->storage.scale = format == STN_F16 ? 0.375 : 1;
    for (int r = 0; r < N; r++) {
        const int first = (int)chance(N), step = 1 + (int)chance(N - 1);
        s->start[r] = at;
        for (int e = 0; e < N; e++) {
            const int column = (first + e * step) % N;
            if (column == r || chance(5) == 0)
                s->column[at++] = column;
        }
    }
    s->start[N] = at;
    assert_true(at <= MOST);
    fill_values(s, at);
    expect_ok(wrap_csr(&rows, "square", s->storage, N, N, s->start, s->column, s->codes));
    expect_ok(stn_sparse_convert(NULL, &s->here, rows, kind, NULL));
    stn_matrix_release(rows);
    expect_ok(stn_matrix_mirror(device_exec, &s->there, s->here));
}

static void drop_square(square *s)
{
    stn_matrix_release(s->here);
    stn_matrix_release(s->there);
}

/* ---- comparing ---- */

/* Values of both, compressed rows at addresses or slices; what is there is copied by hand. */
static void same_values(const char *what, const stn_matrix *there, const stn_matrix *here)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(here->storage.format, &info));
    const int64_t count = here->kind == STN_MATRIX_SLICED ? here->slots : here->entries;
    const int64_t bytes = there->memory.extent[0];
    const int64_t begin = (const char *)there->values - (const char *)there->memory.data;
    assert_int_equal(there->memory.space, stn_exec_space(device_exec));
    stn_view back = create_view(NULL, "back", stn_storage_of(STN_U8), NULL, 1, &bytes, 0);
    expect_ok(stn_view_copy(device_exec, &back, &there->memory));
    if (memcmp((char *)back.data + begin, here->values, (size_t)(count * info.bytes)) != 0)
        fail_msg("%s on %s: other values", what, test_exec_name());
    expect_ok(stn_view_release(&back));
}

/* Of two that the host made the arrays: what lies between them is anything. */
static void same_rows(const char *what, const stn_matrix *a, const stn_matrix *b)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(b->storage.format, &info));
    assert_int_equal(a->memory.space, STN_SPACE_HOST);
    assert_int_equal(a->storage.format, b->storage.format);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->entries, b->entries);
    if (memcmp(a->row_start, b->row_start, (size_t)(b->rows + 1) * sizeof *b->row_start) != 0 ||
        memcmp(a->column, b->column, (size_t)b->entries * sizeof *b->column) != 0 ||
        memcmp(a->values, b->values, (size_t)(b->entries * info.bytes)) != 0)
        fail_msg("%s on %s: other rows", what, test_exec_name());
}

/* What `on` made there, and the host of what is there, against what the host made here; all are
 * given back. */
static void expect_made(const char *what, stn_matrix *there, stn_matrix *of_there, stn_matrix *here)
{
    stn_matrix *back;
    assert_int_equal(there->memory.space, stn_exec_space(device_exec));
    expect_ok(stn_matrix_mirror(NULL, &back, there));
    same_rows(what, back, here);
    same_rows(what, of_there, here);
    stn_matrix_release(back);
    stn_matrix_release(there);
    stn_matrix_release(of_there);
    stn_matrix_release(here);
}

/* ---- structures ---- */

static void check_structures(const square *s)
{
    int64_t row_order[N], column_order[N];
    const stn_matrix *const from[3] = {s->there, s->there, s->here};
    const stn_exec *const execs[3] = {device_exec, NULL, NULL};
    stn_matrix *made[5][3];
    for (int k = 0; k < N; k++) {
        row_order[k] = (k + 7) % N;
        column_order[k] = N - 1 - k;
    }
    for (int w = 0; w < 3; w++) {
        expect_ok(stn_sparse_transpose(execs[w], &made[0][w], from[w]));
        expect_ok(stn_sparse_sort(execs[w], &made[1][w], from[w]));
        expect_ok(stn_sparse_permute(execs[w], &made[2][w], from[w], row_order, column_order));
        expect_ok(stn_sparse_extract(execs[w], &made[3][w], from[w], 3, ORDERED, 5, N - 9));
        expect_ok(stn_sparse_convert(execs[w], &made[4][w], from[w], STN_MATRIX_CSR, NULL));
    }
    expect_made("transpose", made[0][0], made[0][1], made[0][2]);
    expect_made("sort", made[1][0], made[1][1], made[1][2]);
    expect_made("permute", made[2][0], made[2][1], made[2][2]);
    expect_made("extract", made[3][0], made[3][1], made[3][2]);
    expect_made("convert", made[4][0], made[4][1], made[4][2]);
}

static void check_sums(const square *s)
{
    const stn_format wide = wide_of(s);
    const stn_storage narrow = stn_storage_of(STN_F16);
    const stn_matrix *const from[3] = {s->there, s->there, s->here};
    stn_exec *host;
    stn_matrix *made[3], *kept[3];
    expect_ok(stn_exec_create(&host, "threads:threads=2"));
    const stn_exec *const execs[3] = {device_exec, host, host};
    for (int w = 0; w < 3; w++) {
        expect_ok(stn_sparse_add(execs[w], wide, &made[w], 0.7, from[w], -1.5, from[w == 0 ? 2 : w],
                                 &s->storage));
        if (!s->is_complex)
            expect_ok(stn_sparse_compensate(execs[w], &kept[w], from[w], &narrow));
    }
    expect_made("add", made[0], made[1], made[2]);
    if (!s->is_complex)
        expect_made("compensate", kept[0], kept[1], kept[2]);
    stn_exec_release(host);
}

TEST_CASE(structures_are_those_of_the_host)
{
    static square s;
    device_seed = 21;
    for (int k = 0; k < FORMATS * KINDS; k++) {
        make_square(&s, formats[k / KINDS], kinds[k % KINDS]);
        check_structures(&s);
        check_sums(&s);
        drop_square(&s);
    }
}

/* To any kind, from any kind, by the device and by the host. */
TEST_CASE(conversions_are_those_of_the_host)
{
    static square s;
    device_seed = 22;
    for (int k = 0; k < KINDS * KINDS; k++) {
        const stn_storage storage = stn_storage_of(STN_F32);
        const stn_matrix_kind kind = kinds[k % KINDS];
        int64_t bytes[2];
        stn_matrix *there, *here;
        make_square(&s, STN_F64, kinds[k / KINDS]);
        expect_ok(stn_sparse_convert(device_exec, &there, s.there, kind, &storage));
        expect_ok(stn_sparse_convert(NULL, &here, s.here, kind, &storage));
        expect_ok(stn_sparse_bytes(s.there, kind, STN_F32, &bytes[0]));
        expect_ok(stn_sparse_bytes(s.here, kind, STN_F32, &bytes[1]));
        assert_int_equal(bytes[0], bytes[1]);
        stn_matrix *back, *again;
        expect_ok(stn_matrix_mirror(NULL, &back, there));
        expect_ok(stn_sparse_convert(NULL, &again, back, STN_MATRIX_CSR, NULL));
        stn_matrix_release(back);
        expect_ok(stn_sparse_convert(NULL, &back, here, STN_MATRIX_CSR, NULL));
        same_rows("conversion", again, back);
        stn_matrix_release(again);
        stn_matrix_release(back);
        stn_matrix_release(there);
        stn_matrix_release(here);
        drop_square(&s);
    }
}

/* Scales of rows are copied along, and outlive the matrix that they came with. */
TEST_CASE(scales_of_rows_are_copied)
{
    static square s;
    double scales[N], product[2][N], x[N];
    const int64_t n = N;
    stn_view scale, from, to;
    stn_matrix *rows, *there, *back, *made;
    device_seed = 23;
    make_square(&s, STN_F64, STN_MATRIX_CSR);
    for (int r = 0; r < N; r++) {
        scales[r] = (double)chance(1000) / 300 - 1;
        x[r] = (double)chance(1000) / 300 - 1;
    }
    expect_ok(stn_view_wrap(&scale, "scale", stn_storage_of(STN_F64), scales, 1, &n));
    expect_ok(stn_view_wrap(&from, "x", stn_storage_of(STN_F64), x, 1, &n));
    rows = s.here;
    expect_ok(stn_matrix_set_row_scales(rows, &scale));
    expect_ok(stn_view_wrap(&to, "y", stn_storage_of(STN_F64), product[0], 1, &n));
    expect_ok(stn_spmv(host_exec, STN_F64, 1, rows, &from, 0, &to));
    expect_ok(stn_matrix_mirror(device_exec, &there, rows));
    expect_ok(stn_sparse_convert(NULL, &made, there, STN_MATRIX_ELL, NULL));
    expect_ok(stn_matrix_mirror(device_exec, &back, there)); /* a second one there */
    stn_matrix_release(there);
    memset(scales, 0, sizeof scales);
    expect_ok(stn_view_wrap(&to, "y", stn_storage_of(STN_F64), product[1], 1, &n));
    expect_ok(stn_spmv(host_exec, STN_F64, 1, made, &from, 0, &to));
    assert_memory_equal(product[0], product[1], sizeof product[0]);
    stn_matrix_release(made);
    expect_ok(stn_matrix_mirror(NULL, &made, back));
    memset(product[1], 0, sizeof product[1]);
    expect_ok(stn_spmv(host_exec, STN_F64, 1, made, &from, 0, &to));
    assert_memory_equal(product[0], product[1], sizeof product[0]);
    stn_matrix_release(made);
    stn_matrix_release(back);
    drop_square(&s);
}

/* ---- values ---- */

/* A vector of N elements in a storage, at every second place; here the same. */
static twins make_vector(stn_storage storage)
{
    const int64_t count = 2 * N;
    const stn_slice odd = stn_slice_strided(1, N, 2);
    twins t = make_twins(storage, NULL, 1, &count);
    slice_twins(&t, &odd);
    return t;
}

static void check_asked(const square *s)
{
    stn_storage storage = stn_storage_of(s->is_complex ? STN_C64 : STN_F16);
    twins norms;
    storage.scale = 0.3;
    twins d = make_vector(storage);
    expect_ok(stn_sparse_diagonal(device_exec, wide_of(s), &d.device_part, s->there));
    expect_ok(stn_sparse_diagonal(host_exec, wide_of(s), &d.host_part, s->here));
    expect_same(&d, "diagonal");
    release_twins(&d);
    for (int k = 0; k < 6; k++) {
        const stn_sparse_norm norm = (stn_sparse_norm)(1 + k % 3);
        const stn_format arithmetic = s->is_complex ? STN_C64 : STN_F32;
        norms = make_vector(stn_storage_of(STN_F32));
        expect_ok((k < 3 ? stn_sparse_row_norms : stn_sparse_column_norms)(
            device_exec, arithmetic, &norms.device_part, s->there, norm));
        expect_ok((k < 3 ? stn_sparse_row_norms : stn_sparse_column_norms)(
            host_exec, arithmetic, &norms.host_part, s->here, norm));
        expect_same(&norms, "norms");
        release_twins(&norms);
    }
}

/* The device's own values; of a matrix on the host, and by the host, too. */
static void check_scaled(square *s)
{
    stn_storage storage = stn_storage_of(STN_F16);
    stn_matrix *second;
    storage.scale = 0.3;
    twins by = make_vector(storage);
    for (int k = 0; k < N; k++)
        expect_ok(
            stn_view_set(&by.host_part, 1, (const int64_t[]){k}, (double)chance(1000) / 400 - 1));
    send_twins(&by);
    expect_ok(stn_matrix_mirror(NULL, &second, s->here));
    expect_ok(
        stn_sparse_scale(device_exec, wide_of(s), s->there, &by.device_part, &by.device_part));
    expect_ok(stn_sparse_scale(host_exec, wide_of(s), s->here, &by.host_part, &by.host_part));
    same_values("scale", s->there, s->here);
    expect_ok(stn_sparse_scale(device_exec, wide_of(s), second, &by.device_part, NULL));
    expect_ok(stn_sparse_scale(device_exec, wide_of(s), second, NULL, &by.device_part));
    expect_ok(stn_sparse_scale(host_exec, wide_of(s), s->there, &by.host_part, NULL));
    expect_ok(stn_sparse_scale(host_exec, wide_of(s), s->here, &by.host_part, NULL));
    same_values("scale by the host", s->there, s->here);
    stn_matrix_release(second);
    release_twins(&by);
}

static void check_transposed(const square *s)
{
    twins x = make_vector(stn_storage_of(wide_of(s)));
    twins y = make_vector(stn_storage_of(wide_of(s)));
    tame(STN_F64, x.host.data, x.bytes);
    tame(STN_F64, y.host.data, y.bytes);
    send_twins(&x);
    send_twins(&y);
    expect_ok(stn_spmv_transposed(device_exec, wide_of(s), 0.7, s->there, &x.device_part, -1.3,
                                  &y.device_part));
    expect_ok(
        stn_spmv_transposed(host_exec, wide_of(s), 0.7, s->here, &x.host_part, -1.3, &y.host_part));
    expect_same(&y, "transposed");
    release_twins(&x);
    release_twins(&y);
}

/* Alone, for compilers without a device. */
TEST_CASE(diagonals_of_matrices)
{
    static square s;
    make_square(&s, STN_F64, STN_MATRIX_CSR);
    twins d = make_vector(stn_storage_of(STN_F64));
    expect_both("diagonal", stn_sparse_diagonal(host_exec, STN_F64, &d.host_part, s.here),
                stn_sparse_diagonal(device_exec, STN_F64, &d.device_part, s.there));
    expect_same(&d, "diagonal");
    release_twins(&d);
    drop_square(&s);
}

TEST_CASE(values_are_those_of_the_host)
{
    static square s;
    device_seed = 24;
    for (int k = 0; k < FORMATS * KINDS; k++) {
        make_square(&s, formats[k / KINDS], kinds[k % KINDS]);
        check_asked(&s);
        check_transposed(&s);
        if (s.here->kind == STN_MATRIX_CSR || s.here->kind == STN_MATRIX_SLICED)
            check_scaled(&s);
        drop_square(&s);
    }
}

TEST_CASE(diagonal_matrices_are_those_of_the_host)
{
    const stn_storage f32 = stn_storage_of(STN_F32), c64 = stn_storage_of(STN_C64);
    stn_matrix *there, *here, *other;
    device_seed = 25;
    twins d = make_vector(stn_storage_of(STN_BF16));
    expect_ok(stn_sparse_from_diagonal(device_exec, &there, "d", &f32, &d.device_part));
    expect_ok(stn_sparse_from_diagonal(NULL, &here, "d", &f32, &d.host_part));
    expect_ok(stn_sparse_from_diagonal(NULL, &other, "d", &f32, &d.host_part));
    expect_made("from a diagonal", there, other, here);
    expect_ok(
        stn_sparse_from_diagonal(device_exec, &there, "d", &f32, &d.host_part)); /* from the host */
    expect_ok(stn_sparse_from_diagonal(NULL, &here, "d", &f32, &d.host_part));
    expect_ok(stn_sparse_from_diagonal(NULL, &other, "d", &f32, &d.host_part));
    expect_made("from a diagonal of the host", there, other, here);
    expect_ok(stn_sparse_identity(device_exec, &there, "one", &c64, N));
    expect_ok(stn_sparse_identity(NULL, &here, "one", &c64, N));
    expect_ok(stn_sparse_identity(NULL, &other, "one", &c64, N));
    expect_made("identity", there, other, here);
    release_twins(&d);
}

/* ---- triangles and preconditioners of matrices that are there ---- */

static void apply_both(const stn_operator *there, const stn_operator *here, const char *what)
{
    const int64_t n = N;
    twins x = make_twins(stn_storage_of(STN_F64), NULL, 1, &n);
    twins y = make_twins(stn_storage_of(STN_F64), NULL, 1, &n);
    tame(STN_F64, x.host.data, x.bytes);
    send_twins(&x);
    expect_ok(there->apply(there->context, device_exec, STN_F64, &x.device, &y.device));
    expect_ok(here->apply(here->context, host_exec, STN_F64, &x.host, &y.host));
    expect_same(&y, what);
    release_twins(&x);
    release_twins(&y);
}

static void check_triangle(const square *s)
{
    const int64_t n = N;
    stn_triangular *there, *here;
    twins b = make_twins(stn_storage_of(STN_F64), NULL, 1, &n);
    tame(STN_F64, b.host.data, b.bytes);
    send_twins(&b);
    expect_ok(
        stn_triangular_create(device_exec, &there, s->there, STN_UPPER, STN_DIAGONAL_NON_UNIT));
    expect_ok(stn_triangular_create(host_exec, &here, s->here, STN_UPPER, STN_DIAGONAL_NON_UNIT));
    expect_ok(stn_triangular_solve(device_exec, STN_F64, &b.device, there, &b.device));
    expect_ok(stn_triangular_solve(host_exec, STN_F64, &b.host, here, &b.host));
    expect_same(&b, "triangle");
    stn_triangular_release(there);
    stn_triangular_release(here);
    release_twins(&b);
}

static void check_preconditioners(const square *s)
{
    const stn_ilu_options options = STN_ILU_OPTIONS_INIT;
    const stn_block_jacobi_options blocks = STN_INIT(stn_block_jacobi_options, .max_block_rows = 5);
    stn_operator of_there, of_here;
    stn_preconditioner *there, *here;
    stn_preconditioner *blocks_there, *blocks_here;
    expect_ok(stn_ilu_create(device_exec, &there, s->there, &options));
    expect_ok(stn_ilu_create(host_exec, &here, s->here, &options));
    expect_ok(stn_operator_of_preconditioner(&of_there, there));
    expect_ok(stn_operator_of_preconditioner(&of_here, here));
    apply_both(&of_there, &of_here, "ILU(0)");
    stn_preconditioner_release(there);
    stn_preconditioner_release(here);
    expect_ok(stn_block_jacobi_create(device_exec, &blocks_there, s->there, &blocks));
    expect_ok(stn_block_jacobi_create(host_exec, &blocks_here, s->here, &blocks));
    expect_ok(stn_operator_of_preconditioner(&of_there, blocks_there));
    expect_ok(stn_operator_of_preconditioner(&of_here, blocks_here));
    apply_both(&of_there, &of_here, "block-Jacobi");
    stn_preconditioner_release(blocks_there);
    stn_preconditioner_release(blocks_here);
}

TEST_CASE(triangles_and_preconditioners_are_those_of_the_host)
{
    static square s;
    device_seed = 26;
    for (int k = 0; k < 2 * KINDS; k++) {
        make_square(&s, formats[k / KINDS], kinds[k % KINDS]);
        check_triangle(&s);
        check_preconditioners(&s);
        drop_square(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diagonals_of_matrices),
        cmocka_unit_test(structures_are_those_of_the_host),
        cmocka_unit_test(conversions_are_those_of_the_host),
        cmocka_unit_test(scales_of_rows_are_copied),
        cmocka_unit_test(values_are_those_of_the_host),
        cmocka_unit_test(diagonal_matrices_are_those_of_the_host),
        cmocka_unit_test(triangles_and_preconditioners_are_those_of_the_host)};
    return device_main(tests, COUNT_OF(tests), 1);
}
