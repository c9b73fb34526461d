/* What a checkpoint holds, and how methods write and read it. */
#ifndef STENO_SOLVER_CHECKPOINT_H
#define STENO_SOLVER_CHECKPOINT_H

#include "solver/image.h"
#include "solver/solver.h"

struct stn_checkpoint {
    stn_image image;
};

/* Where a method's state lies, in an order of its own: vectors of the run, and numbers. */
enum { STN_STATE_ITEMS = 10 };
typedef struct stn_state {
    const stn_view *vectors[STN_STATE_ITEMS];
    struct {
        void *data;
        size_t bytes;
    } numbers[STN_STATE_ITEMS];
    int vector_count, number_count;
} stn_state;

void stn_state_add(stn_state *state, const stn_view *vector);
void stn_state_add_numbers(stn_state *state, void *data, size_t bytes);

/* Does the run go on from a checkpoint, which a method has to recall instead of its start? */
int stn_solver_is_resumed(const stn_solving *s);

/* Sets s->b_sum, by which a checkpoint knows its b; overwrites vectors[0]. */
stn_status stn_solver_sum_b(stn_solving *s);

/* Before a method begins: is the checkpoint of this solve? What all methods have is as it was. */
stn_status stn_solver_reopen(stn_solving *s);

/* The state as it was kept; *reason is STN_STOP_NONE, or says that all iterations are spent. */
stn_status stn_solver_recall(stn_solving *s, const stn_state *state, int *reason);

/* Keeps it where the reason is one that a later call may go on from. */
stn_status stn_solver_keep(stn_solving *s, const stn_state *state, int reason);
int stn_solver_is_pause(int reason);

/* More of it, behind what is kept or recalled: the elements of a view, as they are stored, and
 * those of an inner solver, or none. */
stn_status stn_solver_keep_view(stn_solving *s, const stn_view *view);
stn_status stn_solver_recall_view(stn_solving *s, const stn_view *view);
stn_status stn_solver_keep_inner(stn_solving *s, const stn_image *inner);
stn_status stn_solver_recall_inner(stn_solving *s, stn_image *inner);

/* Behind a run: the checkpoint becomes what was kept, or empty; or stays as it was. */
void stn_solver_close(stn_solving *s, int has_failed);

#endif
