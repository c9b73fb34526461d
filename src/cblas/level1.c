/* Level 1. */
#include <math.h>

#include "cblas/bodies.h"

/* ---- scalar results of vectors ---- */

static double dot(const stn_cblas_call *call, stn_format arithmetic, int n, const void *x, int incx,
                  const void *y, int incy)
{
    double result = 0.0;
    stn_view left, right;
    if (n <= 0)
        return 0.0;
    stn_cblas_vector(&left, call->arithmetic, "x", x, n, incx);
    stn_cblas_vector(&right, call->arithmetic, "y", y, n, incy);
    stn_cblas_expect(call, stn_dot(stn_cblas_exec(), arithmetic, &result, &left, &right));
    return result;
}

double stn_cblas_dot(const stn_cblas_call *call, int n, const void *x, int incx, const void *y,
                     int incy)
{
    return dot(call, call->arithmetic, n, x, incx, y, incy);
}

double stn_cblas_dot_wide(const stn_cblas_call *call, int n, const void *x, int incx, const void *y,
                          int incy)
{
    return dot(call, STN_F64, n, x, incx, y, incy);
}

double stn_cblas_dot_onto(const stn_cblas_call *call, int n, double alpha, const void *x, int incx,
                          const void *y, int incy)
{
    return alpha + dot(call, STN_F64, n, x, incx, y, incy);
}

stn_c128 stn_cblas_dot_complex(const stn_cblas_call *call, int is_conjugated, int n, const void *x,
                               int incx, const void *y, int incy)
{
    stn_c128 result = stn_c128_of(0.0, 0.0);
    stn_view left, right;
    if (n <= 0)
        return result;
    stn_cblas_vector(&left, call->arithmetic, "x", x, n, incx);
    stn_cblas_vector(&right, call->arithmetic, "y", y, n, incy);
    stn_cblas_expect(call, (is_conjugated ? stn_dotc : stn_dotu)(stn_cblas_exec(), call->arithmetic,
                                                                 &result, &left, &right));
    return result;
}

double stn_cblas_nrm2(const stn_cblas_call *call, int n, const void *x, int incx)
{
    double result = 0.0;
    stn_view view;
    if (n <= 0)
        return 0.0;
    stn_cblas_vector(&view, call->arithmetic, "x", x, n, incx);
    stn_cblas_expect(call, stn_nrm2(stn_cblas_exec(), call->arithmetic, &result, &view));
    return result;
}

double stn_cblas_asum(const stn_cblas_call *call, int n, const void *x, int incx)
{
    double result = 0.0;
    stn_view view;
    if (n <= 0 || incx <= 0)
        return 0.0;
    stn_cblas_vector(&view, call->arithmetic, "x", x, n, incx);
    stn_cblas_expect(call, stn_asum(stn_cblas_exec(), call->arithmetic, &result, &view));
    return result;
}

int64_t stn_cblas_iamax(const stn_cblas_call *call, int n, const void *x, int incx)
{
    int64_t result = -1;
    stn_view view;
    if (n <= 0 || incx <= 0)
        return -1;
    stn_cblas_vector(&view, call->arithmetic, "x", x, n, incx);
    stn_cblas_expect(call, stn_iamax(stn_cblas_exec(), call->arithmetic, &result, &view));
    return result;
}

double stn_cblas_abs1(const stn_cblas_call *call, const void *z)
{
    return stn_cblas_asum(call, 1, z, 1);
}

/* ---- one vector ---- */

void stn_cblas_scal(const stn_cblas_call *call, int n, stn_c128 alpha, void *x, int incx)
{
    stn_view view;
    if (n <= 0 || incx <= 0)
        return;
    stn_cblas_vector(&view, call->arithmetic, "x", x, n, incx);
    stn_cblas_expect(call, stn_cblas_is_complex(call)
                               ? stn_scal_complex(stn_cblas_exec(), call->arithmetic, alpha, &view)
                               : stn_scal(stn_cblas_exec(), call->arithmetic, alpha.re, &view));
}

void stn_cblas_scal_real(const stn_cblas_call *call, int n, double alpha, void *x, int incx)
{
    stn_view view;
    if (n <= 0 || incx <= 0)
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

static void run_pair(const pair *p, int n, const void *x, int incx, const void *y, int incy)
{
    stn_view left, right;
    if (n <= 0)
        return;
    stn_cblas_vector(&left, p->call->arithmetic, "x", x, n, incx);
    stn_cblas_vector(&right, p->call->arithmetic, "y", y, n, incy);
    const stn_status status = p->run(p, &left, &right);
    stn_cblas_expect(p->call, status == STN_ERR_ALIAS ? run_elements(p, &left, &right) : status);
}

static stn_status run_copy(const pair *p, const stn_view *x, const stn_view *y)
{
    (void)p;
    return stn_view_copy(stn_cblas_exec(), y, x);
}

void stn_cblas_copy(const stn_cblas_call *call, int n, const void *x, int incx, void *y, int incy)
{
    const pair p = {.call = call, .run = run_copy};
    run_pair(&p, n, x, incx, y, incy);
}

static stn_status run_swap(const pair *p, const stn_view *x, const stn_view *y)
{
    return stn_swap(stn_cblas_exec(), p->call->arithmetic, x, y);
}

void stn_cblas_swap(const stn_cblas_call *call, int n, void *x, int incx, void *y, int incy)
{
    const pair p = {.call = call, .run = run_swap, .order = WRITES_X_FIRST};
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
    const pair p = {.call = call, .run = run_axpy, .alpha = alpha};
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
    const pair p = {.call = call, .run = run_axpby, .alpha = alpha, .beta = beta};
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
