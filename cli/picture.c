/* The offsets of the elements of a view as text, and as colored cells connected in memory order. */
#define _POSIX_C_SOURCE 200809L
#include "picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

/* ---- text ---- */

static int width_of(int64_t number)
{
    char digits[32];
    return snprintf(digits, sizeof digits, "%" PRId64, number);
}

void picture_print(const picture *drawn, FILE *out)
{
    const int low = width_of(drawn->lowest), high = width_of(drawn->highest);
    const int width = low > high ? low : high;
    const picture_cell *cell = drawn->cell;
    fprintf(out, "%s\n", drawn->title);
    for (int64_t slice = 0; slice < drawn->slices; slice++) {
        if (drawn->rank == 3)
            fprintf(out, "index %" PRId64 "\n", slice);
        for (int64_t row = 0; row < drawn->rows; row++, fputc('\n', out))
            for (int64_t column = 0; column < drawn->columns; column++, cell++)
                if (cell->kind == CELL_NONE)
                    fprintf(out, "%s%*s", column > 0 ? " " : "", width, ".");
                else
                    fprintf(out, "%s%*" PRId64, column > 0 ? " " : "", width, cell->offset);
    }
}

/* ---- SVG, lengths in pixels ---- */

enum { HEIGHT = 28, EDGE = 40, TITLE = 30, DIGIT = 9, GAP = 24 };

static const char INDEX[] = "#666", NUMBER[] = "#000", EMPTY[] = "#f2f2f2"; /* colours */

/* Lengths derived from the picture. */
typedef struct frame {
    int64_t cell_width, slice_width;
} frame;

static frame frame_of(const picture *drawn)
{
    const int low = width_of(drawn->lowest), high = width_of(drawn->highest);
    const int64_t cell = (low > high ? low : high) * DIGIT + 18;
    return (frame){cell, drawn->columns * cell + EDGE + GAP};
}

static int64_t left_of(const frame *lengths, const picture_cell *cell)
{
    return cell->slice * lengths->slice_width + EDGE + cell->column * lengths->cell_width;
}

static int64_t top_of(const picture_cell *cell)
{
    return TITLE + EDGE + cell->row * HEIGHT;
}

/* From light yellow at the lowest offset to blue-green at the highest. */
static void print_color(FILE *out, const picture *drawn, int64_t offset)
{
    static const int from[] = {255, 247, 188}, to[] = {65, 182, 196};
    const double range = (double)drawn->highest - (double)drawn->lowest;
    const double at = range > 0.0 ? ((double)offset - (double)drawn->lowest) / range : 0.0;
    fputc('#', out);
    for (int k = 0; k < 3; k++)
        fprintf(out, "%02x", (unsigned)(from[k] + at * (to[k] - from[k]) + 0.5));
}

static void print_number(FILE *out, const char *colour, int64_t x, int64_t y, int64_t number)
{
    fprintf(out,
            "<text fill=\"%s\" text-anchor=\"middle\" x=\"%" PRId64 "\" y=\"%" PRId64 "\">%" PRId64
            "</text>\n",
            colour, x, y, number);
}

static void print_cell(FILE *out, const picture *drawn, const frame *lengths,
                       const picture_cell *cell)
{
    const int64_t x = left_of(lengths, cell), y = top_of(cell);
    fprintf(out,
            "<rect x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64 "\" height=\"%d\" "
            "stroke=\"#fff\" stroke-width=\"2\" fill=\"",
            x, y, lengths->cell_width, HEIGHT);
    if (cell->kind == CELL_OWN)
        print_color(out, drawn, cell->offset);
    else
        fputs(EMPTY, out);
    fputs("\"/>\n", out);
}

/* Indices above and to the left of each slice. */
static void print_indices(FILE *out, const picture *drawn, const frame *lengths, int64_t slice)
{
    picture_cell at = {.slice = slice};
    for (; at.column < drawn->columns; at.column++)
        print_number(out, INDEX, left_of(lengths, &at) + lengths->cell_width / 2, TITLE + EDGE - 8,
                     at.column);
    at.column = 0;
    for (; at.row < drawn->rows && drawn->rank > 1; at.row++)
        print_number(out, INDEX, left_of(lengths, &at) - 14, top_of(&at) + HEIGHT / 2 + 5, at.row);
    if (drawn->rank == 3)
        fprintf(out, "<text x=\"%" PRId64 "\" y=\"%d\">index %" PRId64 "</text>\n",
                slice * lengths->slice_width + EDGE, TITLE + 14, slice);
}

static int by_offset(const void *a, const void *b)
{
    const int64_t left = ((const picture_cell *)a)->offset,
                  right = ((const picture_cell *)b)->offset;
    return (left > right) - (left < right);
}

/* A line through the centers of the stored cells, from the lowest to the highest offset. */
static stn_status print_order(FILE *out, const picture *drawn, const frame *lengths)
{
    const size_t all = (size_t)(drawn->slices * drawn->rows * drawn->columns);
    size_t count = 0;
    picture_cell *sorted = malloc(all * sizeof *sorted);
    if (!sorted)
        return stn_fail(STN_ERR_MEMORY, "no memory for a picture");
    for (size_t k = 0; k < all; k++)
        if (drawn->cell[k].kind == CELL_OWN)
            sorted[count++] = drawn->cell[k];
    qsort(sorted, count, sizeof *sorted, by_offset);
    fputs("<polyline fill=\"none\" stroke=\"#c00\" stroke-width=\"1.5\" stroke-opacity=\"0.45\" "
          "points=\"",
          out);
    for (size_t k = 0; k < count; k++)
        fprintf(out, "%s%" PRId64 ",%" PRId64, k > 0 ? " " : "",
                left_of(lengths, &sorted[k]) + lengths->cell_width / 2,
                top_of(&sorted[k]) + HEIGHT / 2);
    fputs("\"/>\n", out);
    free(sorted);
    return STN_OK;
}

static void print_head(FILE *out, const picture *drawn, const frame *lengths)
{
    const int64_t digits = (int64_t)strlen(drawn->title) * DIGIT + 2 * 12;
    const int64_t slices = drawn->slices * lengths->slice_width;
    const int64_t width = slices > digits ? slices : digits;
    const int64_t height = TITLE + EDGE + drawn->rows * HEIGHT + GAP;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRId64 " %" PRId64
            "\" width=\"%" PRId64 "\" height=\"%" PRId64 "\">\n",
            width, height, width, height);
    fprintf(out, "<title>%s</title>\n", drawn->title);
    fprintf(out,
            "<rect x=\"0\" y=\"0\" width=\"%" PRId64 "\" height=\"%" PRId64 "\" fill=\"#fff\"/>\n",
            width, height);
    fprintf(out,
            "<g font-family=\"monospace\" font-size=\"14\">\n<text x=\"12\" y=\"20\">%s</text>\n",
            drawn->title);
}

static stn_status print_svg(FILE *out, const picture *drawn)
{
    const frame lengths = frame_of(drawn);
    const int64_t count = drawn->slices * drawn->rows * drawn->columns;
    print_head(out, drawn, &lengths);
    for (int64_t slice = 0; slice < drawn->slices; slice++)
        print_indices(out, drawn, &lengths, slice);
    for (int64_t k = 0; k < count; k++)
        print_cell(out, drawn, &lengths, &drawn->cell[k]);
    STN_TRY(print_order(out, drawn, &lengths));
    for (int64_t k = 0; k < count; k++)
        if (drawn->cell[k].kind != CELL_NONE)
            print_number(out, drawn->cell[k].kind == CELL_OWN ? NUMBER : INDEX,
                         left_of(&lengths, &drawn->cell[k]) + lengths.cell_width / 2,
                         top_of(&drawn->cell[k]) + HEIGHT / 2 + 5, drawn->cell[k].offset);
    fputs("</g>\n</svg>\n", out);
    return STN_OK;
}

stn_status picture_write_svg(const picture *drawn, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return stn_fail(STN_ERR_MEMORY, "no memory for a picture");
    stn_status status = print_svg(out, drawn);
    if (fclose(out) != 0 && status == STN_OK)
        status = stn_fail(STN_ERR_MEMORY, "no memory for a picture");
    if (status == STN_OK)
        status = output_write(path, text, length);
    free(text);
    return status;
}
