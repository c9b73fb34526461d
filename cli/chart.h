/* A line chart in SVG, the y axis logarithmic. Colours and fonts are a style sheet's around it. */
#ifndef STENO_CLI_CHART_H
#define STENO_CLI_CHART_H

#include <stdio.h>

typedef struct chart_line {
    const char *label;
    const char *colour; /* a class of the style sheet */
    int dashed, hollow; /* the line, its marks */
    int count;
    double *x, *y; /* not finite: no mark there; 0 is drawn below the axis */
} chart_line;

typedef enum chart_unit { CHART_NUMBER, CHART_SECONDS, CHART_POWER } chart_unit;

typedef struct chart {
    const char *title, *x_label, *y_label;
    chart_unit unit; /* of y: 20, 20 us, or 10^-7 */
    const chart_line *lines;
    int line_count;
    int is_linear; /* x, from 0 on, without marks; else it is logarithmic */
} chart;

/* The text with what XML reserves written otherwise. */
void chart_text(FILE *out, const char *text);

void chart_write(FILE *out, const chart *drawn);

/* As a file of its own, with a style and a legend. */
void chart_write_alone(FILE *out, const chart *drawn);

/* A short piece of a line with its mark, for a legend. */
void chart_swatch(FILE *out, const chart_line *line);

#endif
