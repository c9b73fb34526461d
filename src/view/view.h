/* Views inside the library: spans, overlap and the words of error messages. */
#ifndef STENO_VIEW_VIEW_H
#define STENO_VIEW_VIEW_H

#include "steno/view.h"

/* Number of elements; 1 for rank 0. */
int64_t stn_view_count(const stn_view *view);

/* Do two views share bytes, as far as their spans tell? */
int stn_view_overlaps(const stn_view *a, const stn_view *b);

/* "x (f16, 3 x 4)" for messages. The text lasts until the fourth next call on this thread. */
const char *stn_view_words(const stn_view *view);

/* STN_ERR_SHAPE naming both unless the view has this rank; STN_ERR_ARGUMENT when it is NULL or no
 * view. */
stn_status stn_view_expect(const char *call, const stn_view *view, int rank);

#endif
