/* The results as pictures: two bars for each quantity, and the sectors that one warp requests. */
#include <inttypes.h>
#include <math.h>

#include "chart.h"
#include "contract_alignment.h"

/* Colors that color-blind readers can distinguish (Okabe and Ito, 2008). */
static const char *const colours[ALIGNMENTS] = {"#d55e00", "#0072b2"};
static const char *const labels[ALIGNMENTS] = {"aligned to 8 bytes", "aligned to 16 bytes"};

static void open_svg(FILE *out, int width, int height, const char *title)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\">\n<title>",
            width, height, width, height);
    chart_text(out, title);
    fprintf(out,
            "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
            "<g font-family=\"system-ui,sans-serif\" font-size=\"13\" fill=\"#1c1c1e\">\n",
            width, height);
}

static void close_svg(FILE *out)
{
    fputs("</g>\n</svg>\n", out);
}

static void print_text(FILE *out, int x, int y, const char *anchor, const char *text)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
    chart_text(out, text);
    fputs("</text>\n", out);
}

static void print_box(FILE *out, double x, double y, double width, double height,
                      const char *colour)
{
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y,
            width, height, colour);
}

/* ---- bars ---- */

enum { BAR_LEFT = 190, BAR_MOST = 340, BAR_HEIGHT = 15, BAR_STEP = 46, BAR_TOP = 66 };

static const int drawn[] = {EXECUTED_LOADS, EXECUTED_STORES, EXECUTED_INSTRUCTIONS, LOAD_SECTORS,
                            STORE_SECTORS,  LOAD_MISSES,     LOAD_EFFICIENCY};
enum { DRAWN = sizeof drawn / sizeof *drawn };

/* Relative to the longer bar of the row. */
static void draw_bar(FILE *out, const alignment_values *values, int row, int which)
{
    const alignment_quantity *q = &alignment_quantities[drawn[row]];
    const double *of = values->of[drawn[row]];
    const double maximum = fmax(of[ALIGNED_8], of[ALIGNED_16]);
    const double length =
        isfinite(of[which]) && maximum > 0.0 ? BAR_MOST * of[which] / maximum : 0.0;
    const int y = BAR_TOP + row * BAR_STEP + which * (BAR_HEIGHT + 2);
    char word[32];
    alignment_number(of[which], q->is_percent, word, sizeof word);
    print_box(out, BAR_LEFT, y, length, BAR_HEIGHT, colours[which]);
    print_text(out, BAR_LEFT + (int)length + 6, y + BAR_HEIGHT - 3, "start", word);
}

void alignment_draw_bars(FILE *out, const alignment *all)
{
    const alignment_gpu *gpu = alignment_shown(all);
    char title[160];
    snprintf(title, sizeof title,
             "c += a * b on %" PRId64
             " complex numbers, %s: instructions and memory requests of all warps",
             all->settings.elements, gpu->target);
    open_svg(out, 640, BAR_TOP + DRAWN * BAR_STEP, title);
    print_text(out, 12, 22, "start", title);
    for (int which = 0; which < ALIGNMENTS; which++) {
        print_box(out, BAR_LEFT + which * 170, 36, 12, 12, colours[which]);
        print_text(out, BAR_LEFT + 18 + which * 170, 47, "start", labels[which]);
    }
    for (int row = 0; row < DRAWN; row++) {
        print_text(out, BAR_LEFT - 10, BAR_TOP + row * BAR_STEP + BAR_HEIGHT + 6, "end",
                   alignment_quantities[drawn[row]].name);
        for (int which = 0; which < ALIGNMENTS; which++)
            draw_bar(out, &gpu->model, row, which);
    }
    close_svg(out);
}

/* ---- sectors ---- */

enum {
    WORD_BYTES = 8,
    WORDS = STN_SECTOR_BYTES / WORD_BYTES,
    SECTORS = 16, /* of 32 threads with 16 bytes each */
    WORD_WIDTH = 11,
    SECTOR_WIDTH = WORDS * WORD_WIDTH + 3,
    SECTOR_LEFT = 152,
    SECTOR_HEIGHT = 24
};

/* Bytes that a thread loads at once, of 16 contiguous ones; 0 if its loads differ in width. */
static int bytes_of_loads(const stn_code_counts *counts)
{
    int bytes = 0;
    for (int w = 0; w < STN_WIDTHS; w++)
        if (counts->loads[w] > 0)
            bytes = bytes == 0 && 1 << w <= ALIGNMENT_ELEMENT ? 1 << w : ALIGNMENT_ELEMENT + 1;
    return bytes <= ALIGNMENT_ELEMENT && bytes >= WORD_BYTES ? bytes : 0;
}

/* One instruction of 32 threads: the requested words of all words in the sectors. */
static void draw_instruction(FILE *out, int y, int which, int bytes, int number)
{
    char word[64];
    snprintf(word, sizeof word, "load %d of %d: %d bits", number + 1, ALIGNMENT_ELEMENT / bytes,
             8 * bytes);
    print_text(out, SECTOR_LEFT - 8, y + SECTOR_HEIGHT - 8, "end", word);
    for (int k = 0; k < SECTORS * WORDS; k++) {
        const int in_element = k * WORD_BYTES % ALIGNMENT_ELEMENT;
        const int is_requested = in_element / bytes == number;
        print_box(out, SECTOR_LEFT + k / WORDS * SECTOR_WIDTH + k % WORDS * WORD_WIDTH, y,
                  WORD_WIDTH - 1, SECTOR_HEIGHT, is_requested ? colours[which] : "#dcdce0");
    }
}

static int draw_kernel(FILE *out, const alignment_gpu *gpu, int y, int which)
{
    const int bytes = bytes_of_loads(&gpu->counts[which]);
    char word[160];
    if (bytes == 0)
        return y;
    snprintf(word, sizeof word,
             "%s: %d load%s of an array, %d sectors each, %d %% of the bytes used", labels[which],
             ALIGNMENT_ELEMENT / bytes, bytes == ALIGNMENT_ELEMENT ? "" : "s", SECTORS,
             100 * bytes / ALIGNMENT_ELEMENT);
    print_text(out, 12, y + 14, "start", word);
    for (int number = 0; number < ALIGNMENT_ELEMENT / bytes; number++)
        draw_instruction(out, y + 24 + number * (SECTOR_HEIGHT + 6), which, bytes, number);
    return y + 24 + ALIGNMENT_ELEMENT / bytes * (SECTOR_HEIGHT + 6) + 16;
}

void alignment_draw_sectors(FILE *out, const alignment *all)
{
    const alignment_gpu *gpu = alignment_shown(all);
    int y = 40;
    open_svg(out, SECTOR_LEFT + SECTORS * SECTOR_WIDTH + 12, 230,
             "Memory requests of one warp whose 32 threads load one element each");
    print_text(out, 12, 22, "start",
               "32 threads load one complex number each: 16 sectors of 32 bytes");
    for (int which = 0; which < ALIGNMENTS; which++)
        y = draw_kernel(out, gpu, y, which);
    close_svg(out);
}
