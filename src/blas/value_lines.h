/* Sums of a tile of values whose lines, rows or columns, are consecutive in memory: in place, also
 * in packed matrices. */
#ifndef STENO_BLAS_VALUE_LINES_H
#define STENO_BLAS_VALUE_LINES_H

#include <stdint.h>

/* Elements of lines that are part of the sums. */
typedef enum stn_line_part {
    STN_LINE_ALL,
    STN_LINE_TO_DIAGONAL,  /* elements 0 to k of line k */
    STN_LINE_FROM_DIAGONAL /* elements k, ... */
} stn_line_part;

/* Up to a tile of lines of up to a tile of elements, aligned like vectors of values. The elements
 * of other parts are in memory, too. */
typedef struct stn_value_lines {
    const void *a;        /* element 0 of line 0 */
    int64_t step, growth; /* bytes from line 0 to line 1, and more of them for each further line */
    int64_t lines, count;
    stn_line_part part;
} stn_value_lines;

/* Sums in the order of doc/order.md, in f64 or f32: along each line, of products with x[element];
 * or of each element across lines, with x[line]. Absent elements are skipped. */
typedef struct stn_line_loops {
    void (*along)(double *sums, const stn_value_lines *lines, const void *x);
    void (*across)(double *sums, const stn_value_lines *lines, const void *x);
    /* Both, of complete lines, which are read once. */
    void (*both)(double *along, double *across, const stn_value_lines *lines, const void *x,
                 const void *of_lines);
    /* Of rows of the symmetric matrix whose triangle is the part of a square without growth. */
    void (*symmetric)(double *sums, const stn_value_lines *lines, const void *x);
} stn_line_loops;

/* For the instruction set in use; NULL in portable C. */
const stn_line_loops *stn_line_loops_of(int is_wide);

#endif
