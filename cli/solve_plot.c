/* Plots of `steno solve`. */
#define _POSIX_C_SOURCE 200809L
#include "solve_plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "core/memory.h"
#include "output.h"
#include "process.h"

enum { MAX_LINES = 16 };

static int ends_in(const char *path, const char *reason)
{
    const size_t length = strlen(path), maximum = strlen(reason);
    return length > maximum && strcmp(path + length - maximum, reason) == 0;
}

static int is_png(const char *path)
{
    return ends_in(path, ".png");
}

/* ---- SVG ---- */

static void fill_lines(const residual_line *lines, int count, double *numbers, chart_line *drawn)
{
    static const char *const colours[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
    for (int k = 0; k < count; k++)
        drawn[k] = (chart_line){.label = lines[k].label,
                                .colour = colours[k % 8],
                                .dashed = k > 7,
                                .count = (int)lines[k].count,
                                .x = numbers,
                                .y = (double *)(uintptr_t)lines[k].residuals};
}

static stn_status draw(const char *path, const char *title, const residual_line *lines, int count,
                       double *numbers)
{
    chart_line drawn[MAX_LINES];
    char *text = NULL;
    size_t length = 0;
    fill_lines(lines, count, numbers, drawn);
    const chart all = {.title = title,
                       .x_label = "iterations",
                       .y_label = "|b - A x| / |b|",
                       .unit = CHART_POWER,
                       .is_linear = 1,
                       .lines = drawn,
                       .line_count = count};
    FILE *const out = open_memstream(&text, &length);
    if (!out)
        return stn_fail(STN_ERR_MEMORY, "no memory for a plot");
    chart_write_alone(out, &all);
    const stn_status status = fclose(out) == 0 ? output_write(path, text, length)
                                               : stn_fail(STN_ERR_MEMORY, "no memory for a plot");
    free(text);
    return status;
}

static stn_status plot_svg(const char *path, const char *title, const residual_line *lines,
                           int count)
{
    double *numbers;
    int64_t maximum = 1;
    for (int k = 0; k < count; k++)
        maximum = lines[k].count > maximum ? lines[k].count : maximum;
    STN_TRY(stn_allocate(&numbers, maximum, sizeof *numbers, "numbers of iterations"));
    for (int64_t i = 0; i < maximum; i++)
        numbers[i] = (double)(i + 1);
    const stn_status status = draw(path, title, lines, count, numbers);
    stn_free(numbers);
    return status;
}

/* ---- PNG ---- */

static stn_status run_gnuplot(const char *word, const process_folder *folder)
{
    const char *const arguments[] = {"gnuplot", word, NULL};
    char output[PROCESS_PATH];
    char *said;
    int result;
    process_path(folder, "said", output);
    STN_TRY(process_run(arguments, output, &result));
    if (result == 0)
        return STN_OK;
    if (result == PROCESS_MISSING)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "PNG plots require gnuplot, which was not found; SVG plots do not");
    STN_TRY(process_read(output, &said));
    said[strcspn(said, "\n")] = '\0';
    const stn_status status =
        stn_fail(STN_ERR_IO, "gnuplot returned exit status %d: %.200s", result, said);
    stn_free(said);
    return status;
}

stn_status solve_plot_check(const char *path)
{
    process_folder folder;
    if (!is_png(path) && !ends_in(path, ".svg") && strcmp(path, "-") != 0)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the name of a plot must end in .svg or .png",
                        path);
    STN_TRY(output_check(path));
    if (!is_png(path))
        return STN_OK;
    STN_TRY(process_folder_create(&folder));
    const stn_status status = run_gnuplot("--version", &folder);
    process_folder_remove(&folder);
    return status;
}

/* Text in single quotes, in which gnuplot needs quotes doubled and nothing else escaped. */
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('\'', out);
}

/* Is there a residual that a logarithmic axis can show? Otherwise gnuplot finds no range. */
static int has_points(const residual_line *lines, int count)
{
    for (int k = 0; k < count; k++)
        for (int64_t i = 0; i < lines[k].count; i++)
            if (isfinite(lines[k].residuals[i]) && lines[k].residuals[i] > 0.0)
                return 1;
    return 0;
}

/* The script, including the residuals. The colors can be distinguished by color-blind readers
 * (Okabe and Ito, 2008). */
static void write_script(FILE *out, const char *picture, const char *title,
                         const residual_line *lines, int count)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#008a64", "#b5478b",
                                          "#555555", "#e69f00", "#56b4e9", "#332288"};
    fputs("set encoding utf8\nset terminal pngcairo noenhanced size 1120,680 fontscale 1.2\n"
          "set output ",
          out);
    quote(out, picture);
    fputs("\nset title ", out);
    quote(out, title);
    fputs("\nset border 3\nset tics nomirror\nset grid\nset logscale y\nset format y '%.0e'\n"
          "set xlabel 'iterations'\nset ylabel '|b - A x| / |b|'\n",
          out);
    if (!has_points(lines, count))
        fputs("set xrange [0:1]\nset yrange [1e-16:1]\n", out);
    for (int k = 0; k < count; k++) {
        fprintf(out, "$line%d << END\n", k);
        for (int64_t i = 0; i < lines[k].count; i++)
            fprintf(out, "%" PRId64 " %.9g\n", i + 1, lines[k].residuals[i]);
        fputs("END\n", out);
    }
    for (int k = 0; k < count; k++) {
        fprintf(out, "%s$line%d with lines lw 2 lc rgb '%s' dt %d title ", k ? ", " : "plot ", k,
                colours[k % 8], k > 7 ? 2 : 1);
        quote(out, lines[k].label);
    }
    fputc('\n', out);
}

static stn_status copy_picture(const char *picture, const char *path)
{
    char *bytes = NULL;
    size_t length = 0, got;
    char part[4096];
    FILE *const from = fopen(picture, "rbe");
    FILE *const to = open_memstream(&bytes, &length);
    if (!from || !to) {
        if (from)
            (void)fclose(from);
        if (to)
            (void)fclose(to);
        free(bytes);
        return stn_fail(STN_ERR_IO, "gnuplot wrote no output");
    }
    while ((got = fread(part, 1, sizeof part, from)) > 0)
        (void)fwrite(part, 1, got, to);
    (void)fclose(from);
    const stn_status status = fclose(to) == 0 ? output_write(path, bytes, length)
                                              : stn_fail(STN_ERR_MEMORY, "no memory for a plot");
    free(bytes);
    return status;
}

static stn_status plot_in(const process_folder *folder, const char *path, const char *title,
                          const residual_line *lines, int count)
{
    char script[PROCESS_PATH], picture[PROCESS_PATH];
    process_path(folder, "script", script);
    process_path(folder, "picture", picture);
    FILE *const out = fopen(script, "we");
    if (!out)
        return stn_fail(STN_ERR_IO, "%s cannot be written", script);
    write_script(out, picture, title, lines, count);
    if (fclose(out) != 0)
        return stn_fail(STN_ERR_IO, "%s cannot be written", script);
    STN_TRY(run_gnuplot(script, folder));
    return copy_picture(picture, path);
}

stn_status solve_plot(const char *path, const char *title, const residual_line *lines, int count)
{
    process_folder folder;
    if (count > MAX_LINES)
        return stn_fail(STN_ERR_RANGE, "a plot has too many lines: %d", count);
    if (!is_png(path))
        return plot_svg(path, title, lines, count);
    STN_TRY(process_folder_create(&folder));
    const stn_status status = plot_in(&folder, path, title, lines, count);
    process_folder_remove(&folder);
    return status;
}
