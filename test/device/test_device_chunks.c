/* Several adjacent elements per access: each real format, in vectors and rows that end within a
 * chunk and at its end, read by reductions and converted by element-wise kernels. */
#include "device.h"

#include <math.h>

#include "steno/array_functions.h"
#include "steno/blas.h"
#include "steno/kernel.h"

#define FORMAT_ROW(id, NAME, name, ...) {#name, STN_##NAME},
static const struct {
    const char *name;
    stn_format format;
} formats[] = {STN_FORMAT_TABLE(FORMAT_ROW, FORMAT_ROW, STN_NO_ROW) STN_BLOCK_TABLE(FORMAT_ROW)};
enum { FORMATS = sizeof formats / sizeof *formats, ROWS = 3, MOST = 20000 };

/* clang-format off */
STN_MAP(scaled_sum, (in(x), in(y), out(z)), z = 2 * x + y;)
STN_MAP(halved, (inout(y)), y = y / 2;)
/* clang-format on */

/* All on a GPU, and with STENO_TEST_FULL. Otherwise texts take long to compile: formats whose
 * elements have 2^k bytes, which other tests read in chunks, are left out, and each other format
 * has the task with its number modulo `tasks`. */
static int has_turn(int f, int task, int tasks)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(formats[f].format, &info));
    const int is_odd = info.block_elements > 1 || (info.bytes & (info.bytes - 1));
    return device_has_turn(f) &&
           (oracle_full() || (device_computes() && test_exec_name()[0] != 'o') ||
            (is_odd && task == f % tasks));
}

/* The same view on the host and on the device. */
typedef struct pair {
    stn_view here, there;
} pair;

/* Integers from 0 to 120, with fractions and signs if the format has them. */
static double value_of(int64_t k, stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(format, &info));
    const double value = (double)(k * 7919 % 121);
    return info.kind == STN_CLASS_INTEGER ? value : value / 2 - 20;
}

static pair create_pair(stn_format format, int rank, const int64_t *extents)
{
    static double values[MOST];
    const stn_storage storage = stn_storage_of(format);
    pair p = {create_view(NULL, "here", storage, NULL, rank, extents, 0),
              create_view(device_exec, "there", storage, NULL, rank, extents, 0)};
    for (int64_t k = 0; k < stn_view_count(&p.here); k++)
        values[k] = value_of(k, format);
    const stn_view from = wrap_view("values", f64(), values, rank, extents);
    expect_ok(stn_view_copy(NULL, &p.here, &from));
    expect_ok(stn_view_copy(device_exec, &p.there, &p.here));
    return p;
}

static void release_pair(pair *p)
{
    expect_ok(stn_view_release(&p->here));
    expect_ok(stn_view_release(&p->there));
}

/* Element by element, with equal bits. */
static void expect_pair(const char *what, const char *name, pair *p)
{
    stn_view back, wide = create_view(NULL, "wide", f64(), NULL, p->here.rank, p->here.extent, 0);
    stn_view too = create_view(NULL, "too", f64(), NULL, p->here.rank, p->here.extent, 0);
    expect_ok(stn_view_mirror(device_exec, &back, &p->there, STN_SPACE_HOST));
    expect_ok(stn_view_copy(device_exec, &back, &p->there));
    expect_ok(stn_view_copy(NULL, &wide, &p->here));
    expect_ok(stn_view_copy(NULL, &too, &back));
    const double *const expected = wide.data, *const found = too.data;
    for (int64_t k = 0; k < stn_view_count(&wide) && device_computes(); k++)
        if (memcmp(&expected[k], &found[k], 8) != 0)
            fail_msg("%s of %s: element %d is %.17g, on the host %.17g", what, name, (int)k,
                     found[k], expected[k]);
    expect_ok(stn_view_release(&back));
    expect_ok(stn_view_release(&wide));
    expect_ok(stn_view_release(&too));
}

/* ---- vectors ---- */

TEST_CASE(products_of_vectors)
{
    static const int64_t lengths[] = {127, 128, 1000, 5003, 20000};
    for (int f = 0; f < FORMATS; f++)
        for (int k = 0; k < COUNT_OF(lengths) && has_turn(f, 0, 2); k++) {
            double expected = 1.0, found = 2.0;
            pair x = create_pair(formats[f].format, 1, &lengths[k]);
            pair y = create_pair(f % 3 ? formats[f].format : STN_F64, 1, &lengths[k]);
            expect_both(formats[f].name, stn_dot(host_exec, STN_F64, &expected, &x.here, &y.here),
                        stn_dot(device_exec, STN_F64, &found, &x.there, &y.there));
            if (device_computes() && memcmp(&expected, &found, sizeof found) != 0)
                fail_msg("product of %d elements in %s: %.17g, on the host %.17g", (int)lengths[k],
                         formats[f].name, found, expected);
            release_pair(&x);
            release_pair(&y);
        }
}

/* ---- matrices ---- */

enum { X, Y, WIDE, NARROW, SUMS, ACROSS, VIEWS };

typedef stn_status operation(const stn_exec *exec, const stn_view *const v[VIEWS]);

static stn_status sum_rows(const stn_exec *exec, const stn_view *const v[VIEWS])
{
    return stn_sum_into(exec, STN_F64, v[SUMS], v[X], 1u << 1);
}

static stn_status sum_columns(const stn_exec *exec, const stn_view *const v[VIEWS])
{
    return stn_sum_into(exec, STN_F64, v[ACROSS], v[X], 1u << 0);
}

static stn_status into_f64(const stn_exec *exec, const stn_view *const v[VIEWS])
{
    return scaled_sum_run(exec, STN_F64, v[X], v[Y], v[WIDE]);
}

static stn_status into_f32(const stn_exec *exec, const stn_view *const v[VIEWS])
{
    return scaled_sum_run(exec, STN_F32, v[X], v[WIDE], v[NARROW]);
}

static stn_status into_own(const stn_exec *exec, const stn_view *const v[VIEWS])
{
    return scaled_sum_run(exec, STN_F64, v[X], v[WIDE], v[Y]);
}

static stn_status in_place(const stn_exec *exec, const stn_view *const v[VIEWS])
{
    return halved_run(exec, STN_F64, v[X]);
}

static operation *const operations[] = {sum_rows, sum_columns, into_f64,
                                        into_f32, into_own,    in_place};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void try_matrices(int f, int64_t columns, int which)
{
    const int64_t extents[] = {ROWS, columns};
    const stn_format own = formats[f].format;
    const stn_format format[VIEWS] = {own, own, STN_F64, STN_F32, STN_F64, STN_F64};
    pair pairs[VIEWS];
    const stn_view *here[VIEWS], *there[VIEWS];
    for (int k = 0; k < VIEWS; k++) {
        pairs[k] = create_pair(format[k], k < SUMS ? 2 : 1, extents + (k == ACROSS));
        here[k] = &pairs[k].here;
        there[k] = &pairs[k].there;
    }
    expect_both(formats[f].name, operations[which](host_exec, here),
                operations[which](device_exec, there));
    for (int k = 0; k < VIEWS; k++)
        expect_pair("operation", formats[f].name, &pairs[k]);
    for (int k = 0; k < VIEWS; k++)
        release_pair(&pairs[k]);
}

TEST_CASE(rows_and_columns)
{
    static const int64_t columns[] = {20, 301, 320, 1029};
    for (int f = 0; f < FORMATS; f++)
        for (int which = 0; which < OPERATIONS; which++)
            for (int k = 0; k < COUNT_OF(columns) && has_turn(f, which, OPERATIONS); k++)
                try_matrices(f, columns[k], which);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_of_vectors),
                                       cmocka_unit_test(rows_and_columns)};
    return device_main(tests, COUNT_OF(tests), 2);
}
