/* Products with distributed matrices: the interior is multiplied during the exchange. */
#include <math.h>
#include <string.h>

#include "core/modes.h"
#include "distribute/matrix.h"
#include "format/registry.h"
#include "sparse/ops/accurate.h"
#include "view/extra.h"
#include "view/view.h"

static stn_status expect(const char *name, const stn_distributed_matrix *a, const stn_view *view)
{
    static const char call[] = "stn_distributed_spmv";
    STN_TRY(stn_view_check(call, view));
    if (view->rank != 1 || view->extent[0] != stn_partition_count(a->partition))
        return stn_fail(STN_ERR_SHAPE, "%s: %s, %s, does not have the %lld rows of this rank", call,
                        name, stn_view_text(view), (long long)stn_partition_count(a->partition));
    const stn_format_info *const info = &stn_format_entry_of(view->storage.format)->info;
    const int is_contiguous = view->extent[0] <= 1 || view->stride[0] == 1;
    if (!is_contiguous || stn_view_has_scales(view) || view->space != STN_SPACE_HOST ||
        info->block_elements > 1 || info->bytes > STN_ELEMENT_BYTES)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s, %s, must be contiguous and in host memory, with at most one scale "
                        "and no block format",
                        call, name, stn_view_text(view));
    return STN_OK;
}

static int is_complex(stn_format format)
{
    return stn_format_entry_of(format)->info.kind == STN_CLASS_COMPLEX;
}

/* A complex format of the exchange is for complex vectors, and a real one for real vectors. */
static stn_status expect_exchange(const stn_distributed_matrix *a, const stn_view *x)
{
    if (a->exchange_format == STN_F64 || /* elements are sent in the format of x */
        is_complex(a->exchange_format) == is_complex(x->storage.format))
        return STN_OK;
    return stn_fail(STN_ERR_FORMAT,
                    "stn_distributed_spmv: elements of x, %s, cannot be sent as %s: one of these "
                    "formats is complex",
                    stn_view_text(x), stn_format_text(a->exchange_format));
}

static size_t bytes_of(stn_format format)
{
    return (size_t)stn_format_entry_of(format)->info.bytes;
}

/* to[k] = from[rows[k] - base]; elements of `bytes` bytes. */
static void gather(char *to, const char *from, const int64_t *rows, int64_t base, int64_t count,
                   size_t bytes)
{
#define STN_GATHER(type)                                                                           \
    for (int64_t k = 0; k < count; k++)                                                            \
    memcpy(to + (size_t)k * sizeof(type), from + (size_t)(rows[k] - base) * sizeof(type),          \
           sizeof(type))
    if (bytes == sizeof(double))
        STN_GATHER(double);
    else if (bytes == sizeof(float))
        STN_GATHER(float);
    else if (bytes == sizeof(uint16_t))
        STN_GATHER(uint16_t);
    else
        for (int64_t k = 0; k < count; k++)
            memcpy(to + (size_t)k * bytes, from + (size_t)(rows[k] - base) * bytes, bytes);
#undef STN_GATHER
}

static void scatter(char *to, const char *from, const int64_t *rows, int64_t count, size_t bytes)
{
    for (int64_t k = 0; k < count; k++)
        memcpy(to + (size_t)rows[k] * bytes, from + (size_t)k * bytes, bytes);
}

/* A buffer of codes with the storage of a view. */
static stn_status wrap(stn_view *made, const char *label, const stn_view *like, void *data,
                       int64_t count)
{
    stn_storage storage = like->storage;
    storage.counters = NULL;
    return stn_view_wrap(made, label, storage, data, 1, &count);
}

/* Is x sent in another format than its own? */
static int is_narrowed(const stn_distributed_matrix *a, const stn_view *x)
{
    return a->exchange_format != STN_F64 &&
           bytes_of(a->exchange_format) < bytes_of(x->storage.format);
}

/* Values of `count` elements between the format of x and that of the exchange. */
static stn_status convert(const stn_exec *exec, const stn_distributed_matrix *a, const stn_view *x,
                          char *codes, char *narrow, int64_t count, int is_sent)
{
    stn_view wide, sent;
    if (count == 0)
        return STN_OK;
    STN_TRY(wrap(&wide, "elements to exchange", x, codes, count));
    STN_TRY(stn_view_wrap(&sent, "exchanged elements", stn_storage_of(a->exchange_format), narrow,
                          1, &count));
    return is_sent ? stn_view_copy(exec, &sent, &wide) : stn_view_copy(exec, &wide, &sent);
}

static stn_status start(const stn_exec *exec, const stn_distributed_matrix *a, const stn_view *x)
{
    const stn_halo *const halo = &a->halo;
    const int is_narrow = is_narrowed(a, x);
    const size_t bytes = bytes_of(is_narrow ? a->exchange_format : x->storage.format);
    char *const out = is_narrow ? a->narrow : a->out;
    char *const in = is_narrow ? a->narrow + (size_t)halo->sent_count * bytes : a->x;
    gather(a->out, x->data, halo->sent, 0, halo->sent_count, bytes_of(x->storage.format));
    if (is_narrow)
        STN_TRY(convert(exec, a, x, a->out, a->narrow, halo->sent_count, 1));
    stn_comm_message *const to = halo->messages, *const from = to + halo->send_count;
    for (int k = 0; k < halo->send_count; k++) {
        const stn_halo_part *const part = &halo->sends[k];
        to[k] = (stn_comm_message){part->rank, part->count * (int64_t)bytes,
                                   out + (size_t)part->first * bytes};
    }
    for (int k = 0; k < halo->receive_count; k++) {
        const stn_halo_part *const part = &halo->receives[k];
        from[k] = (stn_comm_message){part->rank, part->count * (int64_t)bytes,
                                     in + (size_t)part->first * bytes};
    }
    return stn_comm_exchange(a->partition->comm, halo->send_count, to, halo->receive_count, from);
}

/* The elements of the boundary in the order of its columns. */
static stn_status finish(const stn_exec *exec, const stn_distributed_matrix *a, const stn_view *x)
{
    const stn_halo *const halo = &a->halo;
    const size_t bytes = bytes_of(x->storage.format);
    STN_TRY(stn_comm_wait(a->partition->comm));
    for (int k = 0; is_narrowed(a, x) && k < halo->receive_count; k++) {
        const stn_halo_part *const part = &halo->receives[k];
        const size_t first = (size_t)(halo->sent_count + part->first);
        STN_TRY(convert(exec, a, x, a->x + (size_t)part->first * bytes,
                        a->narrow + first * bytes_of(a->exchange_format), part->count, 0));
    }
    gather(a->x + (size_t)halo->owned_begin * bytes, x->data, halo->needed + halo->owned_begin,
           stn_partition_first(a->partition), halo->owned_end - halo->owned_begin, bytes);
    return STN_OK;
}

static stn_status multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_distributed_matrix *a, const stn_view *x, double beta,
                           const stn_view *y)
{
    const size_t bytes = bytes_of(y->storage.format);
    stn_view some_x, some_y;
    STN_TRY(start(exec, a, x));
    if (beta != 0.0)
        gather(a->y, y->data, a->boundary_rows, 0, a->boundary_count, bytes);
    if (a->interior)
        STN_TRY(stn_spmv(exec, arithmetic, alpha, a->interior, x, beta, y));
    STN_TRY(finish(exec, a, x));
    if (!a->boundary)
        return STN_OK;
    STN_TRY(wrap(&some_x, "elements of the boundary", x, a->x, a->halo.needed_count));
    STN_TRY(wrap(&some_y, "rows of the boundary", y, a->y, a->boundary_count));
    STN_TRY(stn_spmv(exec, arithmetic, alpha, a->boundary, &some_x, beta, &some_y));
    scatter(y->data, a->y, a->boundary_rows, a->boundary_count, bytes);
    return STN_OK;
}

static stn_status check_and_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                                     const stn_distributed_matrix *a, const stn_view *x,
                                     double beta, const stn_view *y)
{
    STN_TRY(expect("x", a, x));
    STN_TRY(expect("y", a, y));
    STN_TRY(expect_exchange(a, x));
    STN_TRY(stn_view_writable("stn_distributed_spmv", y));
    return multiply(exec, arithmetic, alpha, a, x, beta, y);
}

static stn_status spmv(const stn_exec *exec, stn_format arithmetic, double alpha,
                       const stn_distributed_matrix *a, const stn_view *x, double beta,
                       const stn_view *y)
{
    if (!a)
        return stn_fail(STN_ERR_ARGUMENT, "stn_distributed_spmv: a is NULL");
    stn_comm_begin(a->partition->comm);
    return stn_comm_end(a->partition->comm,
                        check_and_multiply(exec, arithmetic, alpha, a, x, beta, y),
                        STN_COMM_ENDS_ALONE);
}

stn_status stn_distributed_spmv(const stn_exec *exec, stn_format arithmetic, double alpha,
                                const stn_distributed_matrix *a, const stn_view *x, double beta,
                                const stn_view *y)
{
    STN_RETURN_IN_MODES(spmv(exec, arithmetic, alpha, a, x, beta, y));
}

/* ---- residuals in twice the precision, and norms ---- */

static stn_status residual(const stn_exec *exec, const stn_distributed_matrix *a, int is_complex,
                           const double *b, const stn_view *x, double *r)
{
    const size_t bytes = bytes_of(x->storage.format);
    STN_TRY(start(exec, a, x));
    if (a->interior)
        STN_TRY(stn_residual_accurate(exec, a->interior, is_complex, b, x->data, r));
    STN_TRY(finish(exec, a, x));
    if (!a->boundary)
        return STN_OK;
    double *const part = (double *)(void *)a->y; /* b, then the residual */
    gather(a->y, (const char *)b, a->boundary_rows, 0, a->boundary_count, bytes);
    STN_TRY(stn_residual_accurate(exec, a->boundary, is_complex, part, (const double *)(void *)a->x,
                                  part));
    scatter((char *)r, a->y, a->boundary_rows, a->boundary_count, bytes);
    return STN_OK;
}

stn_status stn_distributed_residual(const stn_exec *exec, const stn_distributed_matrix *a,
                                    int is_complex, const double *b, const double *x, double *r)
{
    stn_distributed_matrix exact = *a; /* sends elements without rounding */
    stn_view view;
    const int64_t count = stn_partition_count(a->partition);
    exact.exchange_format = STN_F64;
    STN_TRY(stn_view_wrap(&view, "x", stn_storage_of(is_complex ? STN_C128 : STN_F64),
                          (void *)(uintptr_t)x, 1, &count));
    return residual(exec, &exact, is_complex, b, &view, r);
}

stn_status stn_distributed_norm(const stn_exec *exec, const stn_distributed_matrix *a, double scale,
                                double *norm)
{
    double more = 0.0;
    *norm = 0.0;
    if (a->interior)
        STN_TRY(stn_matrix_norm(exec, a->interior, scale, norm));
    if (a->boundary)
        STN_TRY(stn_matrix_norm(exec, a->boundary, scale, &more));
    if (more > *norm || isnan(more))
        *norm = more;
    return stn_partition_max(a->partition, norm);
}
