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

/* Checks whether solve_plot can write `path`. STN_ERR_UNSUPPORTED for a PNG without gnuplot. */
stn_status solve_plot_check(const char *path);

/* The suffix selects the format: .png, otherwise SVG, also for "-", the standard output. */
stn_status solve_plot(const char *path, const char *title, const residual_line *lines, int count);

#endif
