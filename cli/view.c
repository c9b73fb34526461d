/* steno view: prints the offsets of the elements of a layout as a table and as a picture. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "picture.h"
#include "steno/view.h"
#include "parse.h"

static void print_help(void)
{
    printf(
        "usage: steno view --extents N[xN[xN]] [OPTION]...\n\n"
        "Prints the offset in memory of each element, in elements from the first one:\n"
        "one row and column per index, and one table per first index for rank 3.\n\n"
        "  --extents LIST   extent of each dimension, such as 4x6; at most %d elements\n"
        "  --layout NAME    right (default), left, block_col_major, morton, tiled:2x3,\n"
        "                   tiled:2x3:left (columns within tiles), strided:12,1, packed:lower,\n"
        "                   packed:upper:left (by columns), banded:1,2 (diagonals below, above)\n"
        "                   or banded:1,2,5:left (with a leading dimension, by columns)\n"
        "  --padded         pad rows to multiples of 64 bytes\n"
        "  --format NAME    format of the elements, for padding (default f64)\n"
        "  --svg FILE       draw the layout: cells colored from the lowest to the highest offset, "
        "and a\n"
        "                   line that joins them in this order; - is the standard output, without "
        "tables\n",
        MAX_CELLS);
}

typedef struct view_options {
    const char *extents, *layout, *format, *svg;
    int padded;
} view_options;

static stn_status parse_extents(const char *text, int *rank, int64_t *extent)
{
    const char *const whole = text;
    int64_t cells = 1;
    *rank = 0;
    for (const char *end;; text = end + 1) {
        char word[32] = "";
        end = text + strcspn(text, "x");
        if (*rank == 3)
            return stn_fail(STN_ERR_UNSUPPORTED, "--extents %s has more than 3 dimensions", whole);
        const size_t length = (size_t)(end - text);
        memcpy(word, text, length < sizeof word ? length : sizeof word - 1);
        STN_TRY(parse_count("extent", word, INT32_MAX, &extent[*rank]));
        cells *= extent[(*rank)++];
        if (cells > MAX_CELLS)
            return stn_fail(STN_ERR_RANGE, "--extents %s exceed the maximum of %d elements", whole,
                            MAX_CELLS);
        if (*end == '\0')
            return STN_OK;
    }
}

/* The view whose offsets are printed. Without padding, it has no memory. */
static stn_status create_view(const view_options *options, stn_layout *layout, stn_view *view)
{
    static double nothing;
    int64_t extent[3];
    int rank;
    stn_format format;
    STN_TRY(parse_extents(options->extents, &rank, extent));
    STN_TRY(stn_layout_parse(options->layout, layout));
    STN_TRY(stn_format_find(options->format, &format));
    const stn_storage storage = stn_storage_of(format);
    return options->padded
               ? stn_view_create_spec(
                     NULL, view,
                     &STN_VIEW_SPEC(.label = options->layout, .storage = storage, .layout = layout,
                                    .rank = rank, .extents = extent,
                                    .flags = STN_CREATE_PADDED | STN_CREATE_UNINITIALIZED))
               : stn_view_wrap_spec(view,
                                    &STN_VIEW_SPEC(.label = options->layout, .storage = storage,
                                                   .data = &nothing, .layout = layout, .rank = rank,
                                                   .extents = extent));
}

/* Packed matrices store one triangle, banded matrices the band. */
static cell_kind kind_of(const stn_layout *layout, int64_t row, int64_t column)
{
    const int64_t above = column - row;
    if (layout->kind == STN_LAYOUT_PACKED)
        return (layout->tile[0] == STN_UPPER ? above >= 0 : above <= 0) ? CELL_OWN : CELL_MIRRORED;
    if (layout->kind == STN_LAYOUT_BANDED)
        return -above <= layout->tile[0] && above <= layout->tile[1] ? CELL_OWN : CELL_NONE;
    return CELL_OWN;
}

static stn_status find_offsets(const stn_layout *layout, const stn_view *view, picture *drawn)
{
    picture_cell *cell = drawn->cell;
    for (int64_t slice = 0; slice < drawn->slices; slice++)
        for (int64_t row = 0; row < drawn->rows; row++)
            for (int64_t column = 0; column < drawn->columns; column++, cell++) {
                const int64_t indices[] = {slice, row, column};
                *cell = (picture_cell){.slice = slice,
                                       .row = row,
                                       .column = column,
                                       .kind = kind_of(layout, row, column)};
                if (cell->kind == CELL_NONE)
                    continue;
                STN_TRY(stn_view_offset(view, view->rank, indices + 3 - view->rank, &cell->offset));
                if (cell->offset < drawn->lowest)
                    drawn->lowest = cell->offset;
                if (cell->offset > drawn->highest)
                    drawn->highest = cell->offset;
            }
    return STN_OK;
}

static void write_title(const view_options *options, const stn_view *view, picture *drawn)
{
    snprintf(drawn->title, sizeof drawn->title, "extents %s, layout %s%s%s, span %" PRId64,
             options->extents, options->layout, options->padded ? ", padded for " : "",
             options->padded ? options->format : "", stn_view_span(view));
}

static stn_status draw(const view_options *options, const stn_layout *layout, const stn_view *view)
{
    const int rank = view->rank;
    picture drawn = {.rank = rank, .slices = 1, .rows = 1, .columns = view->extent[rank - 1]};
    if (rank > 1)
        drawn.rows = view->extent[rank - 2];
    if (rank > 2)
        drawn.slices = view->extent[0];
    drawn.cell = calloc((size_t)stn_view_count(view), sizeof *drawn.cell);
    if (!drawn.cell)
        return stn_fail(STN_ERR_MEMORY, "there is no memory for a picture");
    write_title(options, view, &drawn);
    stn_status status = find_offsets(layout, view, &drawn);
    if (status == STN_OK && options->svg)
        status = picture_write_svg(&drawn, options->svg);
    if (status == STN_OK && !(options->svg && strcmp(options->svg, "-") == 0))
        picture_print(&drawn, stdout);
    free(drawn.cell);
    return status;
}

enum { EXTENTS = FIRST_LONG_OPTION, LAYOUT, PADDED, FORMAT, SVG };

/* Sets *helps to 1 if only help is requested. */
static stn_status parse_options(int argc, char **argv, view_options *options, int *helps)
{
    static const struct option listed[] = {{"help", no_argument, NULL, 'h'},
                                           {"extents", required_argument, NULL, EXTENTS},
                                           {"layout", required_argument, NULL, LAYOUT},
                                           {"padded", no_argument, NULL, PADDED},
                                           {"format", required_argument, NULL, FORMAT},
                                           {"svg", required_argument, NULL, SVG},
                                           {NULL, 0, NULL, 0}};
    for (int option; !*helps && (option = next_option(argc, argv, listed)) != -1;) {
        if (option == 'h')
            *helps = 1;
        else if (option == EXTENTS)
            options->extents = optarg;
        else if (option == LAYOUT)
            options->layout = optarg;
        else if (option == PADDED)
            options->padded = 1;
        else if (option == FORMAT)
            options->format = optarg;
        else if (option == SVG)
            options->svg = optarg;
        else
            return STN_ERR_ARGUMENT;
    }
    return STN_OK;
}

stn_status command_view(int argc, char **argv)
{
    view_options options = {.layout = "right", .format = "f64"};
    int helps = 0;
    stn_layout layout;
    stn_view view;
    STN_TRY(parse_options(argc, argv, &options, &helps));
    if (helps) {
        print_help();
        return STN_OK;
    }
    if (optind < argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno view: unexpected argument '%s'", argv[optind]);
    if (!options.extents)
        return stn_fail(STN_ERR_ARGUMENT, "steno view requires --extents");
    if (options.svg)
        STN_TRY(output_check(options.svg));
    STN_TRY(create_view(&options, &layout, &view));
    const stn_status status = draw(&options, &layout, &view);
    stn_view_release(&view);
    return status;
}
