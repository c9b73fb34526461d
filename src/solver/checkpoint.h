/* Contents of a checkpoint, and functions with which methods write and read it. */
#ifndef STENO_SOLVER_CHECKPOINT_H
#define STENO_SOLVER_CHECKPOINT_H

#include "solver/image.h"
#include "solver/solver.h"

struct stn_checkpoint {
    stn_image image;
};

/* State of a method in a fixed order: vectors and scalars. */
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

/* Does the solve continue from a checkpoint? The method then reads its state instead of starting.
 */
int stn_solver_is_resumed(const stn_solver_state *s);

/* Sets s->b_sum, the checksum that identifies b; overwrites vectors[0]. */
stn_status stn_solver_sum_b(stn_solver_state *s);

/* Before the method starts: checks that the checkpoint matches the solve, and restores the state
 * that all methods share. */
stn_status stn_solver_reopen(stn_solver_state *s);

/* Restores the state; *reason is STN_STOP_NONE, or STN_STOP_MAX_ITERATIONS if no iteration is left.
 */
stn_status stn_solver_restore(stn_solver_state *s, const stn_state *state, int *reason);

/* Writes the state if a later call can continue after this reason. */
stn_status stn_solver_save(stn_solver_state *s, const stn_state *state, int reason);
int stn_solver_is_pause(int reason);

/* Additional state, written or read next: the raw elements of a view, and the state of an inner
 * solver, which may be empty. */
stn_status stn_solver_save_view(stn_solver_state *s, const stn_view *view);
stn_status stn_solver_restore_view(stn_solver_state *s, const stn_view *view);
stn_status stn_solver_save_inner(stn_solver_state *s, const stn_image *inner);
stn_status stn_solver_restore_inner(stn_solver_state *s, stn_image *inner);

/* After a solve: sets the checkpoint to the written state or makes it empty; after an error it is
 * unchanged. */
void stn_solver_close(stn_solver_state *s, int has_failed);

#endif
