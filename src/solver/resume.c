/* Interrupted solves: the state that all methods share, followed by the state of the method. */
#include <math.h>
#include <string.h>

#include "format/registry.h"
#include "solver/checkpoint.h"
#include "view/view.h"

/* Properties that the checkpoint and the solve must share. */
typedef struct description {
    int64_t method, arithmetic, rows, first, count, restart, side, basis, block, orthogonalization;
    uint64_t b_sum;
    double scale;
} description;

/* State that all methods share. */
typedef struct common {
    int64_t iterations, restarts, inner_iterations;
    double residual, norm, lost, best_residual;
} common;

void stn_state_add(stn_state *state, const stn_view *vector)
{
    state->vectors[state->vector_count++] = vector;
}

void stn_state_add_numbers(stn_state *state, void *data, size_t bytes)
{
    state->numbers[state->number_count].data = data;
    state->numbers[state->number_count++].bytes = bytes;
}

int stn_solver_is_pause(int reason)
{
    return reason == STN_STOP_MAX_ITERATIONS || reason == STN_STOP_MAX_SECONDS ||
           reason == STN_STOP_INTERRUPTED;
}

int stn_solver_is_resumed(const stn_solver_state *s)
{
    return s->options->checkpoint && s->options->checkpoint->image.bytes;
}

/* ---- views ---- */

/* A view of the same elements, contiguous in host memory at `buffer`. Blocks are decoded, which
 * keeps their values. */
static stn_status twin_of(const stn_view *view, void *buffer, stn_view *twin)
{
    stn_storage storage = view->storage;
    if (stn_format_block(storage.format))
        storage.format = STN_F64;
    return stn_view_wrap(twin, "a checkpoint", storage, buffer, view->rank, view->extent);
}

/* Bytes of the elements, contiguous and without scale. */
static stn_status bytes_of(const stn_view *view, int64_t *bytes)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    STN_TRY(stn_format_describe(view->storage.format, &info));
    *bytes = info.bytes;
    for (int d = 0; d < view->rank; d++)
        *bytes *= view->extent[d];
    return STN_OK;
}

stn_status stn_solver_save_view(stn_solver_state *s, const stn_view *view)
{
    void *buffer = NULL;
    int64_t bytes;
    stn_view twin;
    STN_TRY(bytes_of(view, &bytes));
    STN_TRY(stn_image_put(&s->saved, &bytes, sizeof bytes));
    STN_TRY(stn_image_extend(&s->saved, bytes, &buffer));
    STN_TRY(twin_of(view, buffer, &twin));
    STN_TRY(stn_view_copy(s->exec, &twin, view));
    return stn_exec_wait(s->exec);
}

static stn_status get_size(stn_image *image, int64_t bytes, const char *what)
{
    int64_t expected;
    STN_TRY(stn_image_get(image, &expected, sizeof expected));
    if (bytes != expected)
        return stn_fail(STN_ERR_PARSE, "stn_solve: the checkpoint has %lld bytes of %s, not %lld",
                        (long long)expected, what, (long long)bytes);
    return STN_OK;
}

stn_status stn_solver_restore_view(stn_solver_state *s, const stn_view *view)
{
    stn_image *const image = &s->options->checkpoint->image;
    int64_t bytes;
    stn_view twin;
    STN_TRY(bytes_of(view, &bytes));
    STN_TRY(get_size(image, bytes, view->label ? view->label : "a view"));
    void *const buffer = image->bytes + image->at;
    STN_TRY(stn_image_get(image, NULL, bytes));
    STN_TRY(twin_of(view, buffer, &twin));
    STN_TRY(stn_view_copy(s->exec, view, &twin));
    return stn_exec_wait(s->exec);
}

/* ---- inner solvers ---- */

stn_status stn_solver_save_inner(stn_solver_state *s, const stn_image *inner)
{
    const int64_t bytes = inner->count;
    STN_TRY(stn_image_put(&s->saved, &bytes, sizeof bytes));
    return bytes > 0 ? stn_image_put(&s->saved, inner->bytes, bytes) : STN_OK;
}

stn_status stn_solver_restore_inner(stn_solver_state *s, stn_image *inner)
{
    stn_image *const image = &s->options->checkpoint->image;
    int64_t bytes;
    stn_image_release(inner);
    STN_TRY(stn_image_get(image, &bytes, sizeof bytes));
    if (bytes <= 0)
        return STN_OK;
    const unsigned char *const from = image->bytes + image->at;
    STN_TRY(stn_image_get(image, NULL, bytes));
    STN_TRY(stn_image_expect("stn_solve", from, bytes));
    return stn_image_put(inner, from, bytes);
}

/* ---- the head of a checkpoint ---- */

stn_status stn_solver_sum_b(stn_solver_state *s)
{
    const stn_view numbers = stn_solver_numbers(s, &s->vectors[0]);
    STN_TRY(stn_view_copy(s->exec, &numbers, s->b));
    STN_TRY(stn_solver_save_view(s, &s->vectors[0]));
    s->b_sum = stn_image_sum(&s->saved);
    stn_image_release(&s->saved);
    return STN_OK;
}

static description describe(const stn_solver_state *s)
{
    const stn_solver_options *const options = s->options;
    const int has_basis = stn_solver_functions_of(options->method)->has_basis;
    return (description){.method = options->method,
                         .arithmetic = s->numbers,
                         .rows = s->rows,
                         .first = s->partition ? stn_partition_first(s->partition) : 0,
                         .count = s->n,
                         .restart = has_basis ? s->restart : 0,
                         .side = s->left    ? 1
                                 : s->right ? 2
                                            : 0,
                         .basis = has_basis ? (int64_t)stn_solver_basis_format(s) : 0,
                         .block = options->basis_block,
                         .orthogonalization = options->orthogonalization,
                         .b_sum = s->b_sum,
                         .scale = s->scale};
}

static stn_status refuse(const char *what, int64_t expected, int64_t actual)
{
    return stn_fail(STN_ERR_ARGUMENT,
                    "stn_solve: the checkpoint has %s %lld, but the solve has %lld", what,
                    (long long)expected, (long long)actual);
}

static const char *name_of(int64_t method)
{
    const stn_solver_functions *const found = stn_solver_functions_of((stn_solver_method)method);
    return found ? found->name : "no method";
}

static const char *name_of_side(int64_t side)
{
    return side == 0   ? "no preconditioner"
           : side == 1 ? "a preconditioner on the left"
                       : "a preconditioner on the right";
}

static stn_status compare(const description *expected, const description *actual)
{
    if (expected->method != actual->method)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: the checkpoint belongs to method %s, but the method is %s",
                        name_of(expected->method), name_of(actual->method));
    if (expected->arithmetic != actual->arithmetic)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: the checkpoint has arithmetic %s, but the solve has %s",
                        stn_format_text((stn_format)expected->arithmetic),
                        stn_format_text((stn_format)actual->arithmetic));
    if (expected->rows != actual->rows)
        return refuse("rows", expected->rows, actual->rows);
    if (expected->first != actual->first)
        return refuse("first row", expected->first, actual->first);
    if (expected->count != actual->count)
        return refuse("rows of this rank:", expected->count, actual->count);
    if (expected->restart != actual->restart)
        return refuse("restart", expected->restart, actual->restart);
    if (expected->basis != actual->basis)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: the checkpoint has a basis of format %s, but the solve has %s",
                        stn_format_text((stn_format)expected->basis),
                        stn_format_text((stn_format)actual->basis));
    if (expected->block != actual->block)
        return refuse("basis_block", expected->block, actual->block);
    if (expected->orthogonalization != actual->orthogonalization)
        return refuse("orthogonalization", expected->orthogonalization, actual->orthogonalization);
    if (expected->side != actual->side)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: the checkpoint has %s, but the solve has %s",
                        name_of_side(expected->side), name_of_side(actual->side));
    if (expected->b_sum != actual->b_sum || expected->scale != actual->scale)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_solve: the checkpoint belongs to another b: its checksum is %016llx, "
                        "that of b is %016llx",
                        (unsigned long long)expected->b_sum, (unsigned long long)actual->b_sum);
    return STN_OK;
}

/* Counts that no solve reaches are refused, so that sums do not overflow. */
static stn_status expect_counts(const common *job)
{
    const int64_t counts[] = {job->iterations, job->restarts, job->inner_iterations};
    for (int k = 0; k < 3; k++)
        if (counts[k] < 0 || counts[k] > INT64_MAX / 4)
            return stn_fail(STN_ERR_PARSE, "stn_solve: the checkpoint counts %lld %s",
                            (long long)counts[k],
                            k == 0   ? "iterations"
                            : k == 1 ? "restarts"
                                     : "inner iterations");
    return STN_OK;
}

typedef struct agreed {
    common first;    /* of the lowest rank */
    int64_t differs; /* another rank has another state */
} agreed;

static stn_status compare_states(void *context, void *left, const void *right)
{
    agreed *const to = left;
    const agreed *const from = right;
    (void)context;
    to->differs |= from->differs | (memcmp(&to->first, &from->first, sizeof to->first) != 0);
    return STN_OK;
}

/* Ranks whose checkpoints are of different times would not execute the same exchanges. */
static stn_status expect_same_state(const stn_solver_state *s, const common *job)
{
    agreed all = {*job, 0};
    if (!s->partition)
        return STN_OK;
    STN_TRY(stn_comm_reduce(s->partition->comm, &all, sizeof all, compare_states, NULL));
    return all.differs ? stn_fail(STN_ERR_ARGUMENT,
                                  "stn_solve: the checkpoints of the ranks were not written by the "
                                  "same call")
                       : STN_OK;
}

stn_status stn_solver_reopen(stn_solver_state *s)
{
    stn_image *const image = &s->options->checkpoint->image;
    const description actual = describe(s);
    description expected;
    common job;
    stn_image_rewind(image);
    STN_TRY(stn_image_get(image, &expected, sizeof expected));
    STN_TRY(compare(&expected, &actual));
    STN_TRY(stn_image_get(image, &job, sizeof job));
    STN_TRY(expect_counts(&job));
    STN_TRY(expect_same_state(s, &job));
    s->iterations = job.iterations;
    s->report->restarts = job.restarts;
    s->report->inner_iterations = job.inner_iterations;
    s->residual = job.residual;
    s->norm = job.norm;
    s->lost = job.lost;
    s->best_residual = job.best_residual;
    stn_solver_set_target(s);
    STN_TRY(stn_solver_restore_view(s, &s->x));
    return s->best.data ? stn_solver_restore_view(s, &s->best) : STN_OK;
}

static stn_status save_head(stn_solver_state *s)
{
    const description actual = describe(s);
    const common job = {
        s->iterations, s->report->restarts, s->report->inner_iterations, s->residual, s->norm,
        s->lost,       s->best_residual};
    stn_image_release(&s->saved);
    STN_TRY(stn_image_begin(&s->saved));
    STN_TRY(stn_image_put(&s->saved, &actual, sizeof actual));
    STN_TRY(stn_image_put(&s->saved, &job, sizeof job));
    STN_TRY(stn_solver_save_view(s, &s->x));
    return s->best.data ? stn_solver_save_view(s, &s->best) : STN_OK;
}

/* ---- the state of a method ---- */

stn_status stn_solver_save(stn_solver_state *s, const stn_state *state, int reason)
{
    if (!s->options->checkpoint || !stn_solver_is_pause(reason))
        return STN_OK;
    STN_TRY(save_head(s));
    for (int k = 0; k < state->number_count; k++)
        STN_TRY(stn_image_put(&s->saved, state->numbers[k].data, (int64_t)state->numbers[k].bytes));
    for (int k = 0; k < state->vector_count; k++)
        STN_TRY(stn_solver_save_view(s, state->vectors[k]));
    return STN_OK;
}

stn_status stn_solver_restore(stn_solver_state *s, const stn_state *state, int *reason)
{
    stn_image *const image = &s->options->checkpoint->image;
    for (int k = 0; k < state->number_count; k++)
        STN_TRY(stn_image_get(image, state->numbers[k].data, (int64_t)state->numbers[k].bytes));
    for (int k = 0; k < state->vector_count; k++)
        STN_TRY(stn_solver_restore_view(s, state->vectors[k]));
    *reason = s->iterations >= s->max_iterations ? STN_STOP_MAX_ITERATIONS : STN_STOP_NONE;
    return STN_OK;
}

void stn_solver_close(stn_solver_state *s, int has_failed)
{
    stn_checkpoint *const checkpoint = s->options->checkpoint;
    if (checkpoint && !has_failed) {
        stn_image_release(&checkpoint->image);
        checkpoint->image = s->saved;
        if (checkpoint->image.bytes)
            stn_image_complete(&checkpoint->image);
        s->saved = (stn_image){0};
    }
    stn_image_release(&s->saved);
}
