/* The figures of `steno bench report` as one self-contained HTML file. */
#define _POSIX_C_SOURCE 200809L
#include "page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chart.h"
#include "core/cpu.h"
#include "core/memory.h"
#include "output.h"

enum { COLOURS = 8, LIBRARY_COLOURS = 2 };

/* Colors that color-blind readers can distinguish (Okabe and Ito, 2008), darker on white. */
const char page_style[] =
    ":root{color-scheme:light dark;--back:#fff;--card:#fafafa;--text:#1c1c1e;--faint:#6a6a70;"
    "--rule:#dcdce0;"
    "--s0:#0072b2;--s1:#d55e00;--s2:#008a64;--s3:#b5478b;--s4:#a87b00;--s5:#2f9fe0;--s6:#7a5a3a;"
    "--s7:#5b5bd6;--v0:#3a3a3c;--v1:#94949a}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#141416;--card:#1c1c1f;--text:#ececee;"
    "--faint:#a0a0a8;--rule:#36363b;--s0:#5db4ff;--s1:#ff8a4c;--s2:#3fd6a4;--s3:#f08cc8;"
    "--s4:#ffc83d;--s5:#9adcff;--s6:#d2ab84;--s7:#a9a9ff;--v0:#e2e2e6;--v1:#8a8a92}}\n"
    "body{margin:0 auto;max-width:1240px;padding:24px;background:var(--back);color:var(--text);"
    "font:15px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:40px 0 4px}\n"
    "p,dl{max-width:78ch}.faint{color:var(--faint)}code{font-size:13px}\n"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:8px 0;padding:0;list-style:none;"
    "font-size:13px}.swatch{vertical-align:-1px;margin-right:6px}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));"
    "gap:14px}\n"
    "figure{margin:0;padding:8px;background:var(--card);border:1px solid var(--rule);"
    "border-radius:8px}figure svg{width:100%;height:auto;display:block}\n"
    "svg text{font:11px system-ui,sans-serif;fill:var(--text)}svg .name{font-size:14px;"
    "font-weight:600}svg .unit{font-size:11px;font-weight:400;fill:var(--faint)}\n"
    ".grid{stroke:var(--rule);stroke-width:1}.axis{stroke:var(--faint);stroke-width:1}\n"
    ".line{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round}"
    ".dashed{stroke-dasharray:5 4}\n"
    ".mark{fill:var(--c);stroke:var(--card);stroke-width:1}"
    ".hollow{fill:var(--card);stroke:var(--c);stroke-width:1.6}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px;"
    "font-variant-numeric:tabular-nums}th,td{padding:3px 10px;text-align:right;"
    "border-bottom:1px solid var(--rule);white-space:nowrap}th{font-weight:600}"
    "th.t,td.t{text-align:left}tr.last td{border-bottom:2px solid var(--faint)}\n"
    "details{margin:10px 0}summary{cursor:pointer}dt{font-weight:600}dd{margin:0 0 8px 20px}\n";

static const char notes[] =
    "<h2>Method</h2>\n"
    "<p>The figures are those of accessor-BLAS (Gr&#252;tzmacher, Anzt, Quintana-Ort&#237;: "
    "<cite>Using Ginkgo's memory accessor for improving the accuracy of memory-bound low precision "
    "BLAS</cite>, Software: Practice and Experience, 2021): values stored with few bits and "
    "computed "
    "with many.</p>\n"
    "<dl>\n"
    "<dt>Operations</dt><dd>dot: x &#183; y. gemv: y = A x; gemv-t: y = A' x; A is n x n, "
    "row-major. "
    "trsv: A y = x with the lower triangle of A. Values are uniform in (-1, 1). The triangle has a "
    "unit diagonal, and its other values are divided by a power of two close to the square root of "
    "n. Steno stores A and x (in trsv only A) in the storage format, and the result (in trsv also "
    "x) "
    "in the arithmetic type. 8-bit floats and integers have one scale per array, a power of two. "
    "All operands of the other libraries have one type.</dd>\n"
    "<dt>Time</dt><dd>median time of one call over the rounds. Each round measures each line once, "
    "on operands that it has just used, which are in a cache if they fit.</dd>\n"
    "<dt>Gflop/s</dt><dd>a multiplication and an addition for each element of A (in trsv of the "
    "triangle, in dot of x).</dd>\n"
    "<dt>GB/s</dt><dd>bytes of the operands that must be read and of the result, divided by the "
    "time.</dd>\n"
    "<dt>Of streaming</dt><dd>the time in which the fastest plain loop reads the same number of "
    "bytes, measured immediately before each call, divided by the time of the call. Reported from "
    "16 MiB on; below, caches determine the time.</dd>\n"
    "<dt>Error</dt><dd>|y - exact| / |exact| in 1-norms; for dot the median of ten pairs of "
    "vectors. "
    "The exact result is computed from the values before they are stored, with twice the precision "
    "of f64, so that the error includes the rounding to the storage format.</dd>\n"
    "<dt>Error of the arithmetic</dt><dd>the same, with the exact result computed from the stored "
    "values: the error that the computation adds. 0: the exact result, rounded at most once.</dd>\n"
    "</dl>\n";

/* ---- numbers ---- */

static void cell(FILE *out, const char *format, double value)
{
    char text[64];
    if (isfinite(value))
        snprintf(text, sizeof text, format, value);
    fprintf(out, "<td>%s</td>", isfinite(value) ? text : "&#8211;");
}

static void text_cell(FILE *out, const char *text)
{
    fputs("<td class=\"t\">", out);
    chart_text(out, text);
    fputs("</td>", out);
}

/* ---- the machine ---- */

static void print_processor(FILE *out)
{
    char line[256] = "";
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && fgets(line, sizeof line, info) && strncmp(line, "model name", 10) != 0)
        line[0] = '\0';
    if (info)
        fclose(info);
    char *name = strchr(line, ':');
    line[strcspn(line, "\n")] = '\0';
    chart_text(out, name ? name + 2 : "unknown processor");
}

static void print_date(FILE *out)
{
    char text[32];
    struct tm parts;
    const time_t now = time(NULL);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &parts));
    fputs(text, out);
}

static void print_machine(FILE *out, const page *all)
{
    fputs("<p class=\"faint\">", out);
    print_processor(out);
    fprintf(out, ", %ld processors, %d thread%s &#183; steno %s, %s", sysconf(_SC_NPROCESSORS_ONLN),
            all->threads, all->threads == 1 ? "" : "s", stn_version(),
            stn_isa_name(stn_isa_chosen()));
    for (int k = 0; k < all->peers->count; k++) {
        const peer *one = &all->peers->list[k];
        fputs("; ", out);
        chart_text(out, one->name);
        fputs(*one->core ? ", for " : "", out);
        chart_text(out, one->core);
    }
    fputs(" &#183; ", out);
    print_date(out);
    fputs("<br/><code>steno", out);
    for (int k = 0; k < all->argc; k++) {
        fputc(' ', out);
        chart_text(out, all->argv[k]);
    }
    fputs("</code></p>\n", out);
}

/* ---- sections: the rows of one operation ---- */

typedef struct section {
    const figures_row *rows;
    int sizes, lines;
} section;

static const figures_row *row_of(const section *part, int size, int line)
{
    return &part->rows[size * part->lines + line];
}

/* The section after `rows`; its rows are NULL after the last one. */
static section next_section(const page *all, const figures_row *rows)
{
    const figures_row *const end = all->rows + all->row_count;
    section part = {rows < end ? rows : NULL, 0, all->line_count};
    while (rows < end && strcmp(rows->operation, part.rows->operation) == 0) {
        rows += part.lines;
        part.sizes++;
    }
    return part;
}

static const figures_row *after(const section *part)
{
    return row_of(part, part->sizes, 0);
}

/* ---- lines ---- */

/* Storage formats have colors; libraries are gray. */
static void choose_color(const page *all, int line, char *colour, size_t capacity)
{
    const figures_line *own = &all->lines[line];
    int number = 0;
    if (own->by) {
        number = (int)(own->by - all->peers->list) % LIBRARY_COLOURS;
    } else {
        for (int k = 1; k <= line; k++)
            number += all->lines[k].format != all->lines[k - 1].format;
        number %= COLOURS;
    }
    snprintf(colour, capacity, "%s%d", own->by ? "v" : "s", number);
}

static void print_legend(FILE *out, const chart_line *lines, int count)
{
    fputs("<ul class=\"legend\">", out);
    for (int k = 0; k < count; k++) {
        fputs("<li>", out);
        chart_swatch(out, &lines[k]);
        chart_text(out, lines[k].label);
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
}

/* ---- figures ---- */

static const struct {
    const char *title, *unit_name;
    size_t offset;
    chart_unit unit;
} figures[] = {
    {"Time", "of a call, less is better", offsetof(figures_row, seconds), CHART_SECONDS},
    {"Speed", "Gflop/s", offsetof(figures_row, gflops), CHART_NUMBER},
    {"Error", "relative, of storing and of the arithmetic", offsetof(figures_row, error),
     CHART_POWER},
    {"Error of the arithmetic", "relative, of the numbers as stored",
     offsetof(figures_row, error_stored), CHART_POWER},
};
enum { FIGURES = sizeof figures / sizeof *figures };

static void fill_lines(const section *part, size_t offset, chart_line *lines)
{
    for (int l = 0; l < part->lines; l++)
        for (int k = 0; k < part->sizes; k++) {
            const figures_row *row = row_of(part, k, l);
            lines[l].x[k] = (double)row->n;
            memcpy(&lines[l].y[k], (const char *)row + offset, sizeof(double));
        }
}

static void print_figures(FILE *out, const section *part, chart_line *lines)
{
    char title[96];
    fputs("<div class=\"figures\">\n", out);
    for (int k = 0; k < FIGURES; k++) {
        snprintf(title, sizeof title, "%s of %s", figures[k].title, part->rows->operation);
        fill_lines(part, figures[k].offset, lines);
        const chart drawn = {title,
                             part->rows->operation[0] == 'd' ? "n, elements" : "n, rows",
                             figures[k].unit_name,
                             figures[k].unit,
                             lines,
                             part->lines,
                             0};
        fputs("<figure>", out);
        chart_write(out, &drawn);
        fputs("</figure>\n", out);
    }
    fputs("</div>\n", out);
}

static void print_table(FILE *out, const page *all, const section *part)
{
    fprintf(out,
            "<details><summary>The numbers of %s: %d rows</summary><div class=\"scroll\">"
            "<table class=\"rows\"><thead><tr><th class=\"t\">storage/arithmetic</th><th>n</th>"
            "<th>time, &#181;s</th><th>Gflop/s</th><th>GB/s</th><th>of streaming</th>"
            "<th>error</th><th>of the arithmetic</th></tr></thead><tbody>\n",
            part->rows->operation, part->sizes * part->lines);
    for (int k = 0; k < part->sizes; k++)
        for (int l = 0; l < part->lines; l++) {
            const figures_row *row = row_of(part, k, l);
            fprintf(out, "<tr%s>", l == part->lines - 1 ? " class=\"last\"" : "");
            text_cell(out, all->lines[l].label);
            fprintf(out, "<td>%" PRId64 "</td>", row->n);
            cell(out, "%.4g", 1e6 * row->seconds);
            cell(out, "%.3g", row->gflops);
            cell(out, "%.3g", row->gbps);
            cell(out, "%.2f", row->fraction);
            cell(out, "%.2e", row->error);
            cell(out, "%.2e", row->error_stored);
            fputs("</tr>\n", out);
        }
    fputs("</tbody></table></div></details>\n", out);
}

static stn_status print_section(FILE *out, const page *all, const section *part)
{
    static chart_line lines[MAX_LINES];
    static char colours[MAX_LINES][8];
    double *values;
    STN_TRY(stn_allocate(&values, 2 * (int64_t)part->lines * part->sizes, sizeof *values, "chart"));
    for (int l = 0; l < part->lines; l++) {
        double *const own = values + 2 * l * part->sizes;
        choose_color(all, l, colours[l], sizeof *colours);
        lines[l] = (chart_line){.label = all->lines[l].label,
                                .colour = colours[l],
                                .dashed = all->lines[l].arithmetic == STN_F32,
                                .hollow = all->lines[l].by != NULL,
                                .count = part->sizes,
                                .x = own,
                                .y = own + part->sizes};
    }
    fprintf(out, "<section><h2>%s</h2>\n", part->rows->operation);
    print_legend(out, lines, part->lines);
    print_figures(out, part, lines);
    print_table(out, all, part);
    fputs("</section>\n", out);
    stn_free(values);
    return STN_OK;
}

/* ---- summary table ---- */

/* The line that speeds refer to: f64 of a library, or else the first one. */
static int base_of(const page *all)
{
    for (int l = 0; l < all->line_count; l++)
        if (all->lines[l].by && all->lines[l].format == STN_F64)
            return l;
    return 0;
}

static void print_summary(FILE *out, const page *all)
{
    const int base = base_of(all);
    fputs("<h2>At the largest size</h2>\n<p>Speed: the time of ", out);
    chart_text(out, all->lines[base].label);
    fputs(" over the line's, so that more is better.</p>\n<div class=\"scroll\">"
          "<table class=\"summary\"><thead><tr><th class=\"t\">storage/arithmetic</th>",
          out);
    for (section part = next_section(all, all->rows); part.rows;
         part = next_section(all, after(&part)))
        fprintf(out, "<th>%s of %" PRId64 ": speed</th><th>error</th>", part.rows->operation,
                row_of(&part, part.sizes - 1, 0)->n);
    fputs("</tr></thead><tbody>\n", out);
    for (int l = 0; l < all->line_count; l++) {
        fputs("<tr>", out);
        text_cell(out, all->lines[l].label);
        for (section part = next_section(all, all->rows); part.rows;
             part = next_section(all, after(&part))) {
            const figures_row *row = row_of(&part, part.sizes - 1, l);
            cell(out, "%.2f", row_of(&part, part.sizes - 1, base)->seconds / row->seconds);
            cell(out, "%.1e", row->error);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static stn_status print_page(FILE *out, const page *all)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>"
            "<meta charset=\"utf-8\"/>"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
            "<title>Steno: stored narrow, computed wide</title>\n<style>\n%s",
            page_style);
    for (int k = 0; k < COLOURS; k++)
        fprintf(out, ".s%d{--c:var(--s%d)}", k, k);
    for (int k = 0; k < LIBRARY_COLOURS; k++)
        fprintf(out, ".v%d{--c:var(--v%d)}", k, k);
    fputs("\n</style></head>\n<body>\n<h1>Stored narrow, computed wide</h1>\n", out);
    print_machine(out, all);
    fputs(
        "<p>Time and error over problem size. Each storage format has a color. Solid lines are f64 "
        "arithmetic, dashed lines f32 arithmetic, and squares other libraries. Point at a mark to "
        "see its value.</p>\n",
        out);
    print_summary(out, all);
    for (section part = next_section(all, all->rows); part.rows;
         part = next_section(all, after(&part)))
        STN_TRY(print_section(out, all, &part));
    fputs(notes, out);
    fputs("</body>\n</html>\n", out);
    return STN_OK;
}

stn_status page_write(const page *all, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return stn_fail(STN_ERR_MEMORY, "no memory for the text of %s", path);
    stn_status status = print_page(out, all);
    if (fclose(out) != 0 && status == STN_OK)
        status = stn_fail(STN_ERR_MEMORY, "no memory for the text of %s", path);
    if (status == STN_OK)
        status = output_write(path, text, length);
    free(text);
    return status;
}
