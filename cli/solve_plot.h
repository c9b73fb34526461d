/* Residuals over iterations as a picture: SVG, or PNG by gnuplot. */
#ifndef STENO_CLI_SOLVE_PLOT_H
#define STENO_CLI_SOLVE_PLOT_H

#include <stdint.h>

#include "core/status.h"

typedef struct residual_line {
    const char *label;
    const double *residuals;
    int64_t count;
} residual_line;

/* Could solve_plot write `path` later? STN_ERR_UNSUPPORTED where a PNG is asked for and there is no
 * gnuplot. */
stn_status solve_plot_check(const char *path);

/* By the end of the name: .png, or SVG, also on the standard output for "-". */
stn_status solve_plot(const char *path, const char *title, const residual_line *lines, int count);

#endif
