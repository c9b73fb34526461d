/* Level 1. */
#include <stddef.h>

#include "cblas/bodies.h"

/* ---- scalar results of vectors ---- */

static double dot_views(const stn_cblas_call *call, stn_format arithmetic, int n, const void *x,
                        int incx, const void *y, int incy)
{
    double result = 0.0;
    stn_view left, right;
    stn_cblas_vector(&left, call->arithmetic, "x", x, n, incx);
    stn_cblas_vector(&right, call->arithmetic, "y", y, n, incy);
    stn_cblas_expect(call, stn_dot(stn_cblas_exec(), arithmetic, &result, &left, &right));
    return result;
}

double stn_cblas_dot(const stn_cblas_call *call, int n, const void *x, int incx, const void *y,
                     int incy)
{
    const stn_value_sums *sums;
    stn_strided job;
    if (n <= 0)
        return 0.0;
    if (!stn_cblas_values(call, n, &sums))
        return dot_views(call, call->arithmetic, n, x, incx, y, incy);
    stn_cblas_strided(&job, call, n, x, incx, y, incy);
    return sums->dot(&job);
}

double stn_cblas_dot_wide(const stn_cblas_call *call, int n, const void *x, int incx, const void *y,
                          int incy)
{
    return n > 0 ? dot_views(call, STN_F64, n, x, incx, y, incy) : 0.0;
}

double stn_cblas_dot_onto(const stn_cblas_call *call, int n, double alpha, const void *x, int incx,
                          const void *y, int incy)
{
    return alpha + stn_cblas_dot_wide(call, n, x, incx, y, incy);
}

stn_c128 stn_cblas_dot_complex(const stn_cblas_call *call, int is_conjugated, int n, const void *x,
                               int incx, const void *y, int incy)
{
    stn_c128 result = stn_c128_of(0.0, 0.0);
    const stn_value_sums *sums;
    stn_strided job;
    stn_view left, right;
    if (n <= 0)
        return result;
    const stn_value_calls *const values = stn_cblas_values(call, n, &sums);
    if (values) {
        stn_cblas_strided(&job, call, n, x, incx, y, incy);
        return values->dot_complex(&job, is_conjugated);
    }
    stn_cblas_vector(&left, call->arithmetic, "x", x, n, incx);
    stn_cblas_vector(&right, call->arithmetic, "y", y, n, incy);
    stn_cblas_expect(call, (is_conjugated ? stn_dotc : stn_dotu)(stn_cblas_exec(), call->arithmetic,
                                                                 &result, &left, &right));
    return result;
}

double stn_cblas_nrm2(const stn_cblas_call *call, int n, const void *x, int incx)
{
    double result = 0.0;
    const stn_value_sums *sums;
    stn_strided job;
    stn_view view;
    if (n <= 0)
        return 0.0;
    const stn_value_calls *const values = stn_cblas_values(call, n, &sums);
    if (values) {
        stn_cblas_strided(&job, call, n, x, incx, NULL, 0);
        if (values->nrm2(&job, &result))
            return result;
    }
    stn_cblas_vector(&view, call->arithmetic, "x", x, n, incx);
    stn_cblas_expect(call, stn_nrm2(stn_cblas_exec(), call->arithmetic, &result, &view));
    return result;
}

double stn_cblas_asum(const stn_cblas_call *call, int n, const void *x, int incx)
{
    double result = 0.0;
    const stn_value_sums *sums;
    stn_strided job;
    stn_view view;
    if (n <= 0 || incx <= 0)
        return 0.0;
    const stn_value_calls *const values = stn_cblas_values(call, n, &sums);
    if (values) {
        stn_cblas_strided(&job, call, n, x, incx, NULL, 0);
        return (stn_cblas_is_complex(call) ? values->asum : sums->asum)(&job);
    }
    stn_cblas_vector(&view, call->arithmetic, "x", x, n, incx);
    stn_cblas_expect(call, stn_asum(stn_cblas_exec(), call->arithmetic, &result, &view));
    return result;
}

int64_t stn_cblas_iamax(const stn_cblas_call *call, int n, const void *x, int incx)
{
    int64_t result = -1;
    const stn_value_sums *sums;
    stn_strided job;
    stn_view view;
    if (n <= 0 || incx <= 0)
        return -1;
    const stn_value_calls *const values = stn_cblas_values(call, n, &sums);
    if (values) {
        stn_cblas_strided(&job, call, n, x, incx, NULL, 0);
        return values->iamax(&job);
    }
    stn_cblas_vector(&view, call->arithmetic, "x", x, n, incx);
    stn_cblas_expect(call, stn_iamax(stn_cblas_exec(), call->arithmetic, &result, &view));
    return result;
}

double stn_cblas_abs1(const stn_cblas_call *call, const void *z)
{
    return stn_cblas_asum(call, 1, z, 1);
}

/* ---- one vector ---- */

/* Returns 0 if the vector is long. */
static int scale_values(const stn_cblas_call *call, int is_real, int n, stn_c128 alpha, void *x,
                        int incx)
{
    const stn_value_sums *sums;
    const stn_value_calls *const values = stn_cblas_values(call, n, &sums);
    stn_strided job;
    if (!values)
        return 0;
    stn_cblas_strided(&job, call, n, x, incx, NULL, 0);
    job.numbers[0] = alpha;
    values->run(*(is_real ? values->scal_real : values->scal), &job);
    return 1;
}

void stn_cblas_scal(const stn_cblas_call *call, int n, stn_c128 alpha, void *x, int incx)
{
    stn_view view;
    if (n <= 0 || incx <= 0 || stn_cblas_is_number(alpha, 1.0) ||
        scale_values(call, 0, n, alpha, x, incx))
        return;
    stn_cblas_vector(&view, call->arithmetic, "x", x, n, incx);
    stn_cblas_expect(call, stn_cblas_is_complex(call)
                               ? stn_scal_complex(stn_cblas_exec(), call->arithmetic, alpha, &view)
                               : stn_scal(stn_cblas_exec(), call->arithmetic, alpha.re, &view));
}

void stn_cblas_scal_real(const stn_cblas_call *call, int n, double alpha, void *x, int incx)
{
    stn_view view;
    if (n <= 0 || incx <= 0 || alpha == 1.0 ||
        scale_values(call, 1, n, stn_c128_of(alpha, 0.0), x, incx))
        return;
    stn_cblas_vector(&view, call->arithmetic, "x", x, n, incx);
    stn_cblas_expect(call, stn_scal(stn_cblas_exec(), call->arithmetic, alpha, &view));
}

/* ---- two vectors ---- */

typedef struct pair pair;
typedef stn_status pair_run(const pair *p, const stn_view *x, const stn_view *y);
struct pair {
    const stn_cblas_call *call;
    pair_run *run;
    size_t loop;          /* offset in stn_value_calls */
    stn_c128 alpha, beta; /* or cosine and sine */
    const double *parameter;
    int order;
};

/* Whether an element of x is stored, before or after that of y: if both have the same position, the
 * later store remains. */
enum { READS_X, WRITES_X_FIRST, WRITES_X_LAST };

/* Overlapping vectors, or increments of 0, are processed element by element, like loops over them:
 * stored values are read again later. */
static stn_status run_elements(const pair *p, const stn_view *x, const stn_view *y)
{
    const stn_format format = p->call->arithmetic;
    const int64_t bytes = stn_cblas_bytes(format);
    stn_c128 one, other;
    stn_view left, right;
    stn_status status = STN_OK;
    stn_cblas_vector(&left, format, "x", &one, 1, 1);
    stn_cblas_vector(&right, format, "y", &other, 1, 1);
    for (int64_t k = 0; k < x->extent[0] && status == STN_OK; k++) {
        char *const from = (char *)x->data + k * x->stride[0] * bytes;
        char *const to = (char *)y->data + k * y->stride[0] * bytes;
        memcpy(&one, from, (size_t)bytes);
        memcpy(&other, to, (size_t)bytes);
        status = p->run(p, &left, &right);
        if (p->order == WRITES_X_FIRST)
            memcpy(from, &one, (size_t)bytes);
        memcpy(to, &other, (size_t)bytes);
        if (p->order == WRITES_X_LAST)
            memcpy(from, &one, (size_t)bytes);
    }
    return status;
}

/* Do the vectors have distinct elements, in memory that does not overlap? */
static int are_disjoint(const stn_strided *job, int64_t bytes)
{
    const int64_t last_x = (job->count - 1) * job->x_stride * bytes;
    const int64_t last_y = (job->count - 1) * job->y_stride * bytes;
    const uintptr_t x = (uintptr_t)job->x, y = (uintptr_t)job->y;
    const uintptr_t x_begin = x + (uintptr_t)(last_x < 0 ? last_x : 0);
    const uintptr_t y_begin = y + (uintptr_t)(last_y < 0 ? last_y : 0);
    const uintptr_t x_bytes = (uintptr_t)((last_x < 0 ? -last_x : last_x) + bytes);
    const uintptr_t y_bytes = (uintptr_t)((last_y < 0 ? -last_y : last_y) + bytes);
    return job->x_stride != 0 && job->y_stride != 0 &&
           (x_begin + x_bytes <= y_begin || y_begin + y_bytes <= x_begin);
}

/* Returns 0 if views must be used. */
static int run_values(const pair *p, int n, const void *x, int incx, const void *y, int incy)
{
    const stn_value_sums *sums;
    const stn_value_calls *const values = stn_cblas_values(p->call, n, &sums);
    stn_strided job;
    if (!values)
        return 0;
    stn_cblas_strided(&job, p->call, n, x, incx, y, incy);
    if (!are_disjoint(&job, stn_cblas_bytes(p->call->arithmetic)))
        return 0;
    job.numbers[0] = p->alpha;
    job.numbers[1] = p->beta;
    stn_strided_loop *const *const *const loop =
        (const void *)((const char *)(const void *)values + p->loop);
    values->run(**loop, &job);
    return 1;
}

static void run_pair(const pair *p, int n, const void *x, int incx, const void *y, int incy)
{
    stn_view left, right;
    if (n <= 0 || (p->loop && run_values(p, n, x, incx, y, incy)))
        return;
    stn_cblas_vector(&left, p->call->arithmetic, "x", x, n, incx);
    stn_cblas_vector(&right, p->call->arithmetic, "y", y, n, incy);
    const stn_status status = p->run(p, &left, &right);
    stn_cblas_expect(p->call, status == STN_ERR_ALIAS ? run_elements(p, &left, &right) : status);
}

static inline void move_element(void *to, const void *from, int64_t bytes)
{
    if (bytes == sizeof(float))
        memcpy(to, from, sizeof(float));
    else if (bytes == sizeof(double))
        memcpy(to, from, sizeof(double));
    else
        memcpy(to, from, sizeof(stn_c128));
}

/* Copies a short vector to one in other memory; returns 0 if views must be used. */
static int copy_values(const stn_cblas_call *call, int n, const void *x, int incx, void *y,
                       int incy)
{
    const int64_t bytes = stn_cblas_bytes(call->arithmetic);
    const stn_value_sums *sums;
    stn_strided job;
    if (!stn_cblas_values(call, n, &sums))
        return 0;
    stn_cblas_strided(&job, call, n, x, incx, y, incy);
    if (!are_disjoint(&job, bytes))
        return 0;
    if (incx == 1 && incy == 1)
        memcpy(y, x, (size_t)(n * bytes));
    else
        for (int64_t k = 0; k < n; k++)
            move_element((char *)job.y + k * job.y_stride * bytes,
                         (const char *)job.x + k * job.x_stride * bytes, bytes);
    return 1;
}

static stn_status run_copy(const pair *p, const stn_view *x, const stn_view *y)
{
    (void)p;
    return stn_view_copy(stn_cblas_exec(), y, x);
}

void stn_cblas_copy(const stn_cblas_call *call, int n, const void *x, int incx, void *y, int incy)
{
    const pair p = {.call = call, .run = run_copy};
    if (n <= 0 || copy_values(call, n, x, incx, y, incy))
        return;
    run_pair(&p, n, x, incx, y, incy);
}

static stn_status run_swap(const pair *p, const stn_view *x, const stn_view *y)
{
    return stn_swap(stn_cblas_exec(), p->call->arithmetic, x, y);
}

void stn_cblas_swap(const stn_cblas_call *call, int n, void *x, int incx, void *y, int incy)
{
    const pair p = {.call = call,
                    .run = run_swap,
                    .loop = offsetof(stn_value_calls, swap),
                    .order = WRITES_X_FIRST};
    run_pair(&p, n, x, incx, y, incy);
}

static stn_status run_axpy(const pair *p, const stn_view *x, const stn_view *y)
{
    const stn_exec *const exec = stn_cblas_exec();
    return stn_cblas_is_complex(p->call)
               ? stn_axpy_complex(exec, p->call->arithmetic, p->alpha, x, y)
               : stn_axpy(exec, p->call->arithmetic, p->alpha.re, x, y);
}

void stn_cblas_axpy(const stn_cblas_call *call, int n, stn_c128 alpha, const void *x, int incx,
                    void *y, int incy)
{
    const pair p = {
        .call = call, .run = run_axpy, .loop = offsetof(stn_value_calls, axpy), .alpha = alpha};
    if (!stn_cblas_is_number(alpha, 0.0))
        run_pair(&p, n, x, incx, y, incy);
}

static stn_status run_axpby(const pair *p, const stn_view *x, const stn_view *y)
{
    const stn_exec *const exec = stn_cblas_exec();
    return stn_cblas_is_complex(p->call)
               ? stn_axpby_complex(exec, p->call->arithmetic, p->alpha, x, p->beta, y)
               : stn_axpby(exec, p->call->arithmetic, p->alpha.re, x, p->beta.re, y);
}

void stn_cblas_axpby(const stn_cblas_call *call, int n, stn_c128 alpha, const void *x, int incx,
                     stn_c128 beta, void *y, int incy)
{
    const pair p = {.call = call,
                    .run = run_axpby,
                    .loop = offsetof(stn_value_calls, axpby),
                    .alpha = alpha,
                    .beta = beta};
    run_pair(&p, n, x, incx, y, incy);
}

static stn_status run_rot(const pair *p, const stn_view *x, const stn_view *y)
{
    return stn_rot(stn_cblas_exec(), p->call->arithmetic, x, y, p->alpha.re, p->beta.re);
}

void stn_cblas_rot(const stn_cblas_call *call, int n, void *x, int incx, void *y, int incy,
                   double c, double s)
{
    const pair p = {.call = call,
                    .run = run_rot,
                    .loop = offsetof(stn_value_calls, rot),
                    .alpha = stn_c128_of(c, 0.0),
                    .beta = stn_c128_of(s, 0.0),
                    .order = WRITES_X_LAST};
    run_pair(&p, n, x, incx, y, incy);
}

/* The elements that a flag uses: h11, h21, h12, h22. */
static int is_in_use(double flag, int element)
{
    const int is_diagonal = element == 1 || element == 4;
    return flag == -1.0 || (flag == 0.0 && !is_diagonal) || (flag == 1.0 && is_diagonal);
}

static stn_status run_rotm(const pair *p, const stn_view *x, const stn_view *y)
{
    return stn_rotm(stn_cblas_exec(), p->call->arithmetic, x, y, p->parameter);
}

/* Flags have the values that reference BLAS compares them with. */
void stn_cblas_rotm(const stn_cblas_call *call, int n, void *x, int incx, void *y, int incy,
                    const void *parameter)
{
    double h[5] = {0.0};
    const pair p = {.call = call, .run = run_rotm, .parameter = h, .order = WRITES_X_FIRST};
    const double flag = stn_cblas_number(call->arithmetic, parameter).re;
    if (flag == -2.0)
        return;
    h[0] = flag < 0.0 ? -1.0 : flag == 0.0 ? 0.0 : 1.0;
    for (int k = 1; k < 5; k++)
        if (is_in_use(h[0], k))
            h[k] = stn_cblas_number(call->arithmetic,
                                    (const char *)parameter + k * stn_cblas_bytes(call->arithmetic))
                       .re;
    run_pair(&p, n, x, incx, y, incy);
}

/* ---- scalars ---- */

void stn_cblas_rotg(const stn_cblas_call *call, void *a, void *b, void *c, void *s)
{
    const int is_complex = stn_cblas_is_complex(call);
    const stn_format real = call->arithmetic == STN_C128  ? STN_F64
                            : call->arithmetic == STN_C64 ? STN_F32
                                                          : call->arithmetic;
    stn_c128 r = stn_cblas_number(call->arithmetic, a), z = stn_cblas_number(call->arithmetic, b);
    stn_c128 sine = stn_c128_of(0.0, 0.0);
    double cosine = 0.0;
    stn_cblas_expect(call, is_complex
                               ? stn_rotg_complex(call->arithmetic, &r, &z, &cosine, &sine)
                               : stn_rotg(call->arithmetic, &r.re, &z.re, &cosine, &sine.re));
    stn_cblas_set_number(call->arithmetic, a, r);
    if (!is_complex)
        stn_cblas_set_number(call->arithmetic, b, z);
    stn_cblas_set_number(real, c, stn_c128_of(cosine, 0.0));
    stn_cblas_set_number(call->arithmetic, s, sine);
}

/* Elements that a flag does not use are unchanged. */
void stn_cblas_rotmg(const stn_cblas_call *call, void *d1, void *d2, void *x1, double y1,
                     void *parameter)
{
    const stn_format real = call->arithmetic;
    double one = stn_cblas_number(real, d1).re, two = stn_cblas_number(real, d2).re;
    double x = stn_cblas_number(real, x1).re, h[5] = {-2.0};
    stn_cblas_expect(call, stn_rotmg(real, &one, &two, &x, y1, h));
    stn_cblas_set_number(real, d1, stn_c128_of(one, 0.0));
    stn_cblas_set_number(real, d2, stn_c128_of(two, 0.0));
    stn_cblas_set_number(real, x1, stn_c128_of(x, 0.0));
    for (int k = 0; k < 5; k++)
        if (k == 0 || is_in_use(h[0], k))
            stn_cblas_set_number(real, (char *)parameter + k * stn_cblas_bytes(real),
                                 stn_c128_of(h[k], 0.0));
}
