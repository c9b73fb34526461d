/* The results as one self-contained HTML page. */
#include <inttypes.h>
#include <string.h>

#include "chart.h"
#include "contract.h"
#include "contract_alignment.h"
#include "page.h"

enum { WORD = 96 };

static void print_cell(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    chart_text(out, text);
    fprintf(out, "</%.2s>", tag);
}

static void open_table(FILE *out, const char *title, const char *const *heads)
{
    fputs("<h2>", out);
    chart_text(out, title);
    fputs("</h2>\n<div class=\"scroll\"><table>\n<tr>", out);
    for (int k = 0; heads[k]; k++)
        print_cell(out, k == 0 ? "th class=\"t\"" : "th", heads[k]);
    fputs("</tr>\n", out);
}

static void close_table(FILE *out)
{
    fputs("</table></div>\n", out);
}

static void print_widths(FILE *out, const int32_t *loads, const int32_t *stores)
{
    char word[WORD];
    contract_widths(loads, word, sizeof word);
    print_cell(out, "td", word);
    contract_widths(stores, word, sizeof word);
    print_cell(out, "td", word);
}

static void print_integer(FILE *out, int64_t number)
{
    char word[WORD];
    snprintf(word, sizeof word, "%" PRId64, number);
    print_cell(out, "td", word);
}

/* ---- GPUs ---- */

static void print_gpus(FILE *out, const alignment *all)
{
    static const char *const heads[] = {"target",    "8: loads",  "stores", "instructions",
                                        "registers", "16: loads", "stores", "instructions",
                                        "registers", NULL};
    open_table(out, "Operations of one thread, by architecture", heads);
    for (int k = 0; k < all->gpu_count; k++) {
        const alignment_gpu *gpu = &all->gpus[k];
        fputs("<tr>", out);
        print_cell(out, "td class=\"t\"", gpu->target);
        for (int which = 0; which < ALIGNMENTS; which++) {
            print_widths(out, gpu->counts[which].loads, gpu->counts[which].stores);
            print_integer(out, gpu->counts[which].instructions);
            print_integer(out, gpu->registers[which]);
        }
        fputs("</tr>\n", out);
    }
    close_table(out);
}

static void print_values(FILE *out, const alignment_values *values, int quantity)
{
    char word[WORD];
    for (int which = 0; which < ALIGNMENTS; which++) {
        alignment_number(values->of[quantity][which], alignment_quantities[quantity].is_percent,
                         word, sizeof word);
        print_cell(out, "td", word);
    }
}

static void print_launch(FILE *out, const alignment *all, const alignment_gpu *shown)
{
    static const char *const heads[] = {
        "quantity", "model, 8", "model, 16", "measured, 8", "measured, 16", "counter of ncu", NULL};
    char title[WORD];
    snprintf(title, sizeof title, "Instructions and accesses of a launch on %s", shown->target);
    open_table(out, title, heads);
    for (int q = 0; q < QUANTITIES; q++) {
        fputs("<tr>", out);
        print_cell(out, "td class=\"t\"", alignment_quantities[q].name);
        print_values(out, &shown->model, q);
        print_values(out, &all->measured, q);
        print_cell(out, "td class=\"t\"",
                   alignment_quantities[q].metric ? alignment_quantities[q].metric : "");
        fputs("</tr>\n", out);
    }
    close_table(out);
    fputs("<p class=\"faint\">", out);
    chart_text(out, all->measured_gpu >= 0 ? "Measured on " : all->measured_note);
    chart_text(out, all->measured_gpu >= 0 ? all->device : "");
    fputs("</p>\n", out);
}

static void print_pictures(FILE *out, const alignment *all)
{
    fputs("<div class=\"figures\">\n<figure>", out);
    alignment_draw_sectors(out, all);
    fputs("</figure>\n<figure>", out);
    alignment_draw_bars(out, all);
    fputs("</figure>\n</div>\n", out);
}

/* ---- CPUs ---- */

static void print_cpus(FILE *out, const alignment *all)
{
    static const char *const heads[] = {"compiler",     "8: loads",         "stores",
                                        "instructions", "16: loads",        "stores",
                                        "instructions", "executed (model)", NULL};
    open_table(out, "Operations of one iteration on CPUs", heads);
    for (int k = 0; k < all->cpu_count; k++) {
        const alignment_cpu *cpu = &all->cpus[k];
        fputs("<tr>", out);
        print_cell(out, "td class=\"t\"", cpu->command);
        for (int which = 0; which < ALIGNMENTS; which++)
            if (cpu->is_available) {
                print_widths(out, cpu->counts[which].loads, cpu->counts[which].stores);
                print_integer(out, cpu->counts[which].instructions);
            } else {
                fputs("<td></td><td></td><td></td>", out);
            }
        print_cell(out, "td class=\"t\"", *cpu->note ? cpu->note : "yes");
        fputs("</tr>\n", out);
    }
    close_table(out);
}

/* ---- the page ---- */

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
    "<title>Alignment of complex numbers</title>\n<style>\n";

static const char introduction[] =
    "</style>\n</head>\n<body>\n<h1>Alignment of complex numbers</h1>\n"
    "<p>c += a * b on complex numbers of two f64: 16 bytes each, aligned to 8 bytes, as one part "
    "of "
    "them, or to 16. A sector is the 32 bytes that caches move; a warp is 32 threads that execute "
    "one "
    "instruction together. The model follows from machine code and the shape of the launch: no GPU "
    "is "
    "needed for it.</p>\n";

void alignment_write_page(FILE *out, const alignment *all)
{
    const alignment_gpu *shown = alignment_shown(all);
    fputs(head, out);
    fputs(page_style, out);
    fputs(introduction, out);
    if (shown) {
        print_pictures(out, all);
        print_launch(out, all, shown);
        print_gpus(out, all);
    } else if (*all->gpu_note) {
        fputs("<p>No GPU figures: ", out);
        chart_text(out, all->gpu_note);
        fputs("</p>\n", out);
    }
    if (all->cpu_count > 0)
        print_cpus(out, all);
    fputs("</body>\n</html>\n", out);
}
