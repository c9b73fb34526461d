/* Products of rows of real codes with complex vectors: Re v^H w is the real product of both, and Im
 * v^H w that of v and -i w. */
#include "blas/pairs.h"

#include "blas/call.h"
#include "blas/panels.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP_COMPLEX(turn_back, (in(w), out(rotated)), rotated = stn_c_of(w.im, -w.re);)
STN_MAP_COMPLEX(add_turned, (real(factor), in(w), inout(sum)),
    sum.re -= factor.re * w.im;
    sum.im += factor.re * w.re;
)
/* clang-format on */

/* ---- one pass over the rows ---- */

static int are_values(const stn_pairs *p, const stn_view *view)
{
    return stn_operand_is_plain(p->exec, p->arithmetic, view, 1, 0) &&
           view->storage.format == p->arithmetic;
}

/* *is_done: is it available? */
static stn_status prepare(const stn_pairs *p, const stn_view *w, stn_panels *job, stn_operand *to,
                          int *is_done)
{
    *is_done = stn_panels_support(p->exec, &p->rows) && are_values(p, &p->re) &&
               are_values(p, &p->im) && are_values(p, w);
    if (!*is_done)
        return STN_OK;
    *job = (stn_panels){.arithmetic = p->arithmetic,
                        .a = &p->rows,
                        .parts = 2,
                        .x = {p->re.data, p->im.data},
                        .y = w->data,
                        .z = {&to[0], &to[1]},
                        .factor = 1.0};
    STN_TRY(stn_operand_init("stn_solve", p->exec, p->arithmetic, &p->re, &to[0]));
    return stn_operand_init("stn_solve", p->exec, p->arithmetic, &p->im, &to[1]);
}

/* ---- any rows ---- */

static stn_view numbers_of(const stn_pairs *p, const stn_view *parts)
{
    stn_view numbers = *parts;
    numbers.storage.format = p->arithmetic == STN_F64 ? STN_C128 : STN_C64;
    numbers.extent[0] /= 2;
    return numbers;
}

static stn_status project_separately(const stn_pairs *p, const stn_view *w)
{
    const stn_view from = numbers_of(p, w), to = numbers_of(p, p->rotated);
    STN_TRY(stn_gemv(p->exec, p->arithmetic, 1.0, &p->rows, w, 0.0, &p->re));
    STN_TRY(turn_back_run(p->exec, to.storage.format, &from, &to));
    return stn_gemv(p->exec, p->arithmetic, 1.0, &p->rows, p->rotated, 0.0, &p->im);
}

static stn_status combine_separately(const stn_pairs *p, double sign, double beta,
                                     const stn_view *w)
{
    const stn_view from = numbers_of(p, p->rotated), to = numbers_of(p, w);
    stn_view columns;
    STN_TRY(stn_blas_transpose(&columns, &p->rows));
    STN_TRY(stn_gemv(p->exec, p->arithmetic, sign, &columns, &p->re, beta, w));
    STN_TRY(stn_gemv(p->exec, p->arithmetic, 1.0, &columns, &p->im, 0.0, p->rotated));
    return add_turned_run(p->exec, to.storage.format, stn_blas_real(sign), &from, &to);
}

/* ---- selection ---- */

static stn_status project(const stn_pairs *p, const stn_view *w)
{
    stn_operand to[2];
    stn_panels job;
    int is_done;
    STN_TRY(prepare(p, w, &job, to, &is_done));
    if (!is_done)
        return project_separately(p, w);
    job.x[0] = NULL;
    return stn_panels_run("stn_solve", p->exec, &job, w);
}

static stn_status combine(const stn_pairs *p, double sign, double beta, const stn_view *w)
{
    stn_operand to[2];
    stn_panels job;
    int is_done;
    STN_TRY(prepare(p, w, &job, to, &is_done));
    if (!is_done)
        return combine_separately(p, sign, beta, w);
    job.alpha = sign;
    job.beta = beta;
    job.z[0] = NULL;
    return stn_panels_run("stn_solve", p->exec, &job, w);
}

static stn_status subtract(const stn_pairs *p, const stn_view *w)
{
    stn_operand to[2];
    stn_panels job;
    int is_done;
    STN_TRY(prepare(p, w, &job, to, &is_done));
    if (is_done) {
        job.alpha = -1.0;
        job.beta = 1.0;
        return stn_panels_run("stn_solve", p->exec, &job, w);
    }
    STN_TRY(combine_separately(p, -1.0, 1.0, w));
    return project_separately(p, w);
}

stn_status stn_pairs_project(const stn_pairs *p, const stn_view *w)
{
    STN_RETURN_IN_MODES(project(p, w));
}

stn_status stn_pairs_combine(const stn_pairs *p, double sign, double beta, const stn_view *w)
{
    STN_RETURN_IN_MODES(combine(p, sign, beta, w));
}

stn_status stn_pairs_subtract(const stn_pairs *p, const stn_view *w)
{
    STN_RETURN_IN_MODES(subtract(p, w));
}
