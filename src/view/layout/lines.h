/* Lines of a mapped view, and moving their codes to and from an array. */
#ifndef STENO_VIEW_LINES_H
#define STENO_VIEW_LINES_H

#include "view/view.h"

/* Adjacent elements along one dimension of a view. */
typedef struct stn_view_line {
    int64_t index[STN_MAX_RANK]; /* of the first element */
    int dimension;               /* -1: a single element */
    int64_t count;
} stn_view_line;

/* Moves codes of `bytes` bytes from a line to an array, or from an array to a line. */
void stn_view_line_gather(const stn_view *view, const stn_view_line *line, int64_t bytes,
                          void *codes);
void stn_view_line_scatter(const stn_view *view, const stn_view_line *line, int64_t bytes,
                           const void *codes);

/* The address of element k of a line. */
char *stn_view_line_at(const stn_view *view, const stn_view_line *line, int64_t k, int64_t bytes);

#endif
