/* Copies and fills on a device that strides alone do not describe: with different scales per
 * element, and between layouts. They are ordinary kernels, which handle both. */
#include "core/status.h"
#include "steno/kernel.h"
#include "view/number.h"
#include "view/remote.h"
#include "view/scale_run.h"

/* A NaN is stored as the initial value of the output, as in other copies. */
STN_MAP(copy, (in(x), out(y)), if (x == x) y = x;)
STN_MAP(fill, (real(x), out(y)), y = x;)
STN_MAP_INTEGER(copy_integers, (in(x), out(y)), y = x;)
STN_MAP_INTEGER(fill_integers, (real(x), out(y)), y = x;)
STN_MAP_COMPLEX(copy_parts, (in(x), out(y)), if (x.re == x.re) y.re = x.re;
                if (x.im == x.im) y.im = x.im;)
STN_MAP_COMPLEX(copy_complex, (in(x), out(y)), y = x;)
STN_MAP_COMPLEX(fill_complex, (real(x), out(y)), y = x;)

static int64_t bytes_of(const stn_view *view)
{
    return stn_format_entry_of(view->storage.format)->info.bytes;
}

static stn_status refuse(const stn_remote_task *task, const char *what)
{
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "%s and %s: %s: copy by mirrors of them on the host (stn_view_mirror)",
                    stn_view_text(task->to), stn_view_text(task->from), what);
}

/* ---- codes as they are ---- */

/* A format of this size whose codes arithmetic leaves unchanged; -1: none. */
static int format_of(int64_t bytes)
{
    return bytes == 1    ? (int)STN_U8
           : bytes == 2  ? (int)STN_U16
           : bytes == 4  ? (int)STN_U32
           : bytes == 8  ? (int)STN_U64
           : bytes == 16 ? (int)STN_C128
                         : -1;
}

static stn_view as_bits(const stn_view *view, stn_format format)
{
    stn_view bits = *view;
    bits.storage = stn_storage_of(format);
    stn_view_drop_scales(&bits);
    return bits;
}

static stn_status move(const stn_remote_task *task)
{
    const int format = format_of(bytes_of(task->to)), is_pair = format == (int)STN_C128;
    if (format < 0)
        return refuse(task, "elements of such a length move by strides only");
    const stn_view to = as_bits(task->to, (stn_format)format);
    const stn_view from = as_bits(task->from, (stn_format)format);
    uint64_t code = 0;
    stn_c128 pair;
    if (!task->is_constant)
        return is_pair ? copy_complex_run(task->exec, STN_C128, &from, &to)
                       : copy_integers_run(task->exec, STN_I64, &from, &to);
    if (is_pair) {
        memcpy(&pair, from.data, sizeof pair);
        return fill_complex_run(task->exec, STN_C128, pair, &to);
    }
    memcpy(&code, from.data, (size_t)bytes_of(task->to));
    return fill_integers_run(task->exec, STN_I64, (int64_t)code, &to);
}

/* ---- conversions ---- */

static int is_short(const stn_view *view)
{
    const double zero = view->storage.zero;
    return bytes_of(view) < 8 && zero > -0x1p62 && zero < 0x1p62;
}

/* Returns whether kernels round only once, with the limits of a copy. */
static int is_exact(const stn_remote_task *task)
{
    const stn_conversion *const c = task->conversion;
    return !c->widens &&
           (c->to.arithmetic != STN_I64 || (is_short(task->to) && is_short(task->from)));
}

static int is_real(stn_format arithmetic)
{
    return arithmetic == STN_F64 || arithmetic == STN_F32;
}

/* One value for all elements, decoded by the host. */
static stn_status convert_constant(const stn_remote_task *task, stn_format arithmetic)
{
    union {
        double f64[2];
        float f32[2];
        int64_t i64;
    } value = {{0, 0}};
    stn_run_decode(&task->conversion->from, &value, task->from->data, 0, 1);
    if (arithmetic == STN_I64)
        return fill_integers_run(task->exec, arithmetic,
                                 value.i64 - (int64_t)task->from->storage.zero, task->to);
    if (arithmetic == STN_F32 || arithmetic == STN_C64)
        for (int k = 1; k >= 0; k--)
            value.f64[k] = (double)value.f32[k];
    return is_real(arithmetic) ? fill_run(task->exec, arithmetic, value.f64[0], task->to)
                               : fill_complex_run(task->exec, arithmetic,
                                                  (stn_c128){value.f64[0], value.f64[1]}, task->to);
}

static stn_status convert(const stn_remote_task *task)
{
    const stn_run *const run = &task->conversion->to;
    const stn_format arithmetic = run->parts == 1              ? run->arithmetic
                                  : run->arithmetic == STN_F64 ? STN_C128
                                                               : STN_C64;
    if (!is_exact(task))
        return refuse(task, "integers of 64 bits change by strides only");
    if (task->is_constant)
        return convert_constant(task, arithmetic);
    if (arithmetic == STN_I64)
        return copy_integers_run(task->exec, arithmetic, task->from, task->to);
    return (is_real(arithmetic) ? copy_run : copy_parts_run)(task->exec, arithmetic, task->from,
                                                             task->to);
}

stn_status stn_remote_map(const char *call, const stn_remote_task *task)
{
    const stn_status status = task->conversion ? convert(task) : move(task);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}
