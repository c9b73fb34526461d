/* steno view: prints the offsets of the elements of a layout. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "command.h"
#include "output.h"
#include "parse.h"
#include "steno/view.h"

enum { MAX_CELLS = 10000 };

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
        "  --json FILE      write one JSON object per element, which steno-plot draws; - is the "
        "standard\n"
        "                   output\n"
        "  --csv FILE       write comma-separated values; - is the standard output\n",
        MAX_CELLS);
}

typedef struct view_options {
    const char *extents, *layout, *format;
    columns_files files;
    int padded;
} view_options;

/* An element that has an offset. */
typedef struct cell {
    const char *extents, *layout, *padded, *kind; /* padded: a format, or NULL */
    int64_t span, slice, row, column, offset;
} cell;

static const column_spec cell_list[] = {
    COLUMN(cell, TEXT, extents),   COLUMN(cell, TEXT, layout),    COLUMN(cell, TEXT, padded),
    COLUMN(cell, INTEGER, span),   COLUMN(cell, INTEGER, slice),  COLUMN(cell, INTEGER, row),
    COLUMN(cell, INTEGER, column), COLUMN(cell, INTEGER, offset), COLUMN(cell, TEXT, kind)};
static const column_list cell_columns = {cell_list, sizeof cell_list / sizeof *cell_list,
                                         sizeof(cell)};

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

static int64_t columns_of(const stn_view *view)
{
    return view->extent[view->rank - 1];
}

static int64_t rows_of(const stn_view *view)
{
    return view->rank > 1 ? view->extent[view->rank - 2] : 1;
}

/* Packed matrices store one triangle, banded matrices the band; NULL: the element has no offset. */
static const char *kind_of(const stn_layout *layout, int64_t row, int64_t column)
{
    const int64_t above = column - row;
    if (layout->kind == STN_LAYOUT_PACKED &&
        !(layout->tile[0] == STN_UPPER ? above >= 0 : above <= 0))
        return "mirrored";
    if (layout->kind == STN_LAYOUT_BANDED &&
        !(-above <= layout->tile[0] && above <= layout->tile[1]))
        return NULL;
    return "stored";
}

/* Fills `cells` with the elements that have an offset, in the order of their indices. */
static stn_status find_cells(const view_options *options, const stn_layout *layout,
                             const stn_view *view, cell *cells, int *count)
{
    const int64_t rows = rows_of(view), columns = columns_of(view);
    *count = 0;
    for (int64_t k = 0; k < stn_view_count(view); k++) {
        const int64_t indices[] = {k / columns / rows, k / columns % rows, k % columns};
        const char *const kind = kind_of(layout, indices[1], indices[2]);
        if (!kind)
            continue;
        cell *own = &cells[(*count)++];
        *own = (cell){.extents = options->extents,
                      .layout = options->layout,
                      .padded = options->padded ? options->format : NULL,
                      .kind = kind,
                      .span = stn_view_span(view),
                      .slice = indices[0],
                      .row = indices[1],
                      .column = indices[2]};
        STN_TRY(stn_view_offset(view, view->rank, indices + 3 - view->rank, &own->offset));
    }
    return STN_OK;
}

static int width_of(const cell *cells, int count)
{
    int width = 1;
    for (int k = 0; k < count; k++) {
        const int digits = snprintf(NULL, 0, "%" PRId64, cells[k].offset);
        width = digits > width ? digits : width;
    }
    return width;
}

/* Elements without an offset are dots. */
static void print_cells(const view_options *options, const stn_view *view, const cell *cells,
                        int count)
{
    const int64_t rows = rows_of(view), columns = columns_of(view);
    const int width = width_of(cells, count);
    int at = 0;
    printf("extents %s, layout %s%s%s, span %" PRId64 "\n", options->extents, options->layout,
           options->padded ? ", padded for " : "", options->padded ? options->format : "",
           stn_view_span(view));
    for (int64_t k = 0; k < stn_view_count(view); k++) {
        const int64_t row = k / columns % rows, column = k % columns;
        if (view->rank == 3 && row == 0 && column == 0)
            printf("index %" PRId64 "\n", k / columns / rows);
        if (at < count && cells[at].slice == k / columns / rows && cells[at].row == row &&
            cells[at].column == column)
            printf("%*" PRId64, width, cells[at++].offset);
        else
            printf("%*s", width, ".");
        putchar(column + 1 < columns ? ' ' : '\n');
    }
}

static stn_status report(const view_options *options, const stn_layout *layout,
                         const stn_view *view)
{
    static cell cells[MAX_CELLS];
    int count;
    STN_TRY(find_cells(options, layout, view, cells, &count));
    STN_TRY(columns_write_files(&cell_columns, cells, count, &options->files));
    if (!columns_replace_table(&options->files))
        print_cells(options, view, cells, count);
    return STN_OK;
}

enum { EXTENTS = FIRST_LONG_OPTION, LAYOUT, PADDED, FORMAT, JSON, CSV };

/* Sets *helps to 1 if only help is requested. */
static stn_status parse_options(int argc, char **argv, view_options *options, int *helps)
{
    static const struct option listed[] = {{"help", no_argument, NULL, 'h'},
                                           {"extents", required_argument, NULL, EXTENTS},
                                           {"layout", required_argument, NULL, LAYOUT},
                                           {"padded", no_argument, NULL, PADDED},
                                           {"format", required_argument, NULL, FORMAT},
                                           {"json", required_argument, NULL, JSON},
                                           {"csv", required_argument, NULL, CSV},
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
        else if (option == JSON)
            STN_TRY(output_take(&options->files.json, optarg));
        else if (option == CSV)
            STN_TRY(output_take(&options->files.csv, optarg));
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
    STN_TRY(columns_check_files(&options.files));
    STN_TRY(create_view(&options, &layout, &view));
    const stn_status status = report(&options, &layout, &view);
    stn_view_release(&view);
    return status;
}
