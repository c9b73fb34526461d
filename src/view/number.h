/* Storage of elements with one scale, for runs of a view. With stochastic rounding, each element
 * draws by its number in the whole array that the view is a part of. */
#ifndef STENO_VIEW_NUMBER_H
#define STENO_VIEW_NUMBER_H

#include "format/run.h"
#include "view/view.h"

/* The number by which an element draws: in C order of the whole array. */
uint64_t stn_view_number(const stn_view *view, const int64_t *indices);

/* The number of element (0, ..., 0), and the differences per index of each dimension. They wrap if
 * there are no elements. */
uint64_t stn_view_draw_first(const stn_view *view);
void stn_view_draw_steps(const stn_view *view, int64_t *steps);

/* The differences per index of the numbers in C order of the view itself. */
void stn_view_order_steps(const stn_view *view, int64_t *steps);

/* Returns whether elements draw by their numbers in C order of the view itself. */
int stn_view_draws_in_order(const stn_view *view);

/* The number, in C order of the view's own elements, of the element at an offset in elements. */
int64_t stn_view_order_at(const stn_view *view, int64_t offset);

/* The storage of elements that have one scale. */
stn_storage stn_view_storage(const stn_view *view);

/* stn_run_init_in_modes for the elements of a view, which must have one scale and outlive the run.
 * Messages name the call and the view. */
stn_status stn_view_run_init_in_modes(stn_run *run, const char *call, stn_format arithmetic,
                                      const stn_view *view);

/* Makes element n of the run, in C order of the view, draw by its number. */
void stn_view_number_run(stn_run *run, const stn_view *view);

#endif
