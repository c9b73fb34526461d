/* Distributed solves: all ranks must execute the same sequence of exchanges. They compare the
 * options and shapes that determine it, and agree on limits that depend on time. */
#include <math.h>
#include <string.h>

#include "solver/checkpoint.h"
#include "view/extra.h"

enum { COMPARED = 18 };

typedef struct signature {
    double values[COMPARED];
    int64_t differs; /* 1 + index of a value that differs between ranks; 0: none */
    int64_t is_watched;
} signature;

static const char *const names[COMPARED] = {"the number of columns of b",
                                            "method",
                                            "arithmetic",
                                            "side",
                                            "relative_tolerance",
                                            "absolute_tolerance",
                                            "max_iterations",
                                            "restart",
                                            "the presence of a preconditioner",
                                            "the format of x",
                                            "the scale of x",
                                            "the presence of scales of x or b",
                                            "basis.format",
                                            "basis_block",
                                            "orthogonalization",
                                            "the kind of A",
                                            "the presence or the state of a checkpoint",
                                            "inner_operator_count"};

static signature sign(const stn_solver_state *s, const stn_view *b, const stn_view *x)
{
    const stn_solver_options *const o = s->options;
    return (signature){
        {(double)stn_solver_columns_of(b), o->method, s->numbers, o->side, o->relative_tolerance,
         o->absolute_tolerance, (double)o->max_iterations, (double)o->restart,
         o->preconditioner != NULL, x->storage.format, x->storage.scale,
         stn_view_has_scales(x) + 2 * stn_view_has_scales(b), o->basis.format,
         (double)o->basis_block, o->orthogonalization, stn_solver_has_matrix(s),
         (o->checkpoint != NULL) + stn_solver_is_resumed(s), (double)o->inner_operator_count},
        0,
        o->monitor != NULL || o->max_seconds > 0.0};
}

static stn_status compare(void *context, void *left, const void *right)
{
    signature *const one = left;
    const signature *const other = right;
    (void)context;
    for (int k = 0; k < COMPARED && one->differs == 0; k++)
        if (!(one->values[k] == other->values[k]))
            one->differs = k + 1;
    if (one->differs == 0)
        one->differs = other->differs;
    one->is_watched |= other->is_watched;
    return STN_OK;
}

stn_status stn_solver_agree(stn_solver_state *s, const stn_view *b, const stn_view *x)
{
    signature all = sign(s, b, x);
    s->rows = s->n;
    if (!s->partition)
        return STN_OK;
    s->rows = s->partition->rows;
    STN_TRY(stn_comm_reduce(s->partition->comm, &all, sizeof all, compare, NULL));
    s->is_watched = all.is_watched != 0;
    if (all.differs == 0)
        return STN_OK;
    return stn_fail(STN_ERR_SHAPE, "stn_solve: %s differs between ranks", names[all.differs - 1]);
}

stn_status stn_solver_agree_on_limits(const stn_solver_state *s, int *is_interrupted, int *is_late)
{
    int64_t both = *is_interrupted + ((int64_t)*is_late << 32);
    if (!s->partition || !s->is_watched)
        return STN_OK;
    STN_TRY(stn_partition_count_all(s->partition, &both));
    *is_interrupted = (both & INT32_MAX) != 0;
    *is_late = both >> 32 != 0;
    return STN_OK;
}

stn_status stn_solver_dot(const stn_solver_state *s, double *result, const stn_view *x,
                          const stn_view *y)
{
    return stn_partition_dot(s->partition, s->exec, s->arithmetic, stn_solver_parts(s), result, x,
                             y);
}

stn_status stn_solver_dot_of_product(const stn_solver_state *s, double *result)
{
    *result = s->product;
    return isnan(*result) ? stn_solver_dot(s, result, s->from, s->to) : STN_OK;
}

stn_status stn_solver_nrm2(const stn_solver_state *s, double *result, const stn_view *x)
{
    return stn_partition_nrm2(s->partition, s->exec, s->arithmetic, stn_solver_parts(s), result, x);
}
