/* A line chart in SVG with a logarithmic y axis. Colors and fonts come from the surrounding style
 * sheet. */
#ifndef STENO_CLI_CHART_H
#define STENO_CLI_CHART_H

#include <stdio.h>

typedef struct chart_line {
    const char *label;
    const char *colour; /* a class of the style sheet */
    int dashed, hollow; /* line, marks */
    int count;
    double *x, *y; /* no mark if not finite; 0 is drawn below the axis */
} chart_line;

typedef enum chart_unit { CHART_NUMBER, CHART_SECONDS, CHART_POWER } chart_unit;

typedef struct chart {
    const char *title, *x_label, *y_label;
    chart_unit unit; /* labels of y: 20, 20 us, or 10^-7 */
    const chart_line *lines;
    int line_count;
    int is_linear; /* x is linear from 0, without marks; else logarithmic */
} chart;

/* Writes text with XML's reserved characters escaped. */
void chart_text(FILE *out, const char *text);

void chart_write(FILE *out, const chart *drawn);

/* Writes the chart as a separate file with a style and a legend. */
void chart_write_alone(FILE *out, const chart *drawn);

/* A short line with its mark, for a legend. */
void chart_swatch(FILE *out, const chart_line *line);

#endif
