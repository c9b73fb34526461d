/* How a view's elements are stored and read by runs: under one scale, and with stochastic rounding
 * by the number that each has in the whole that the view is a part of. */
#ifndef STENO_VIEW_NUMBER_H
#define STENO_VIEW_NUMBER_H

#include "format/run.h"
#include "view/view.h"

/* The number by which an element draws: in C order of the whole. */
uint64_t stn_view_number(const stn_view *view, const int64_t *indices);

/* That of element (0, ..., 0), and from the number of an element to that of the next one in each
 * dimension. Where there are no elements the steps wrap. */
uint64_t stn_view_draw_first(const stn_view *view);
void stn_view_draw_steps(const stn_view *view, int64_t *steps);

/* From an element's number in C order of the view itself to the next one's. */
void stn_view_order_steps(const stn_view *view, int64_t *steps);

/* Do the elements draw by their numbers in C order of the view itself? */
int stn_view_draws_in_order(const stn_view *view);

/* The number in C order of the view's own elements of the one at an offset, in elements. */
int64_t stn_view_order_at(const stn_view *view, int64_t offset);

/* How the elements are stored that have one scale. */
stn_storage stn_view_storage(const stn_view *view);

/* stn_run_make_in_modes for the elements of a view, which must live as long and have one scale.
 * Messages name the call and it. */
stn_status stn_view_run_make_in_modes(stn_run *run, const char *call, stn_format arithmetic,
                                      const stn_view *view);

/* Let element n of the run, in C order of the view, draw by its number. */
void stn_view_number_run(stn_run *run, const stn_view *view);

#endif
