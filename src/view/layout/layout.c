/* Layouts independent of extents: constructors, names, and parsing. */
#include "steno/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"

static const char *const names[] = {
    [STN_LAYOUT_RIGHT] = "right",     [STN_LAYOUT_LEFT] = "left",
    [STN_LAYOUT_STRIDED] = "strided", [STN_LAYOUT_BLOCK_COL_MAJOR] = "block_col_major",
    [STN_LAYOUT_TILED] = "tiled",     [STN_LAYOUT_MORTON] = "morton",
    [STN_LAYOUT_CUSTOM] = "custom",   [STN_LAYOUT_PACKED] = "packed",
    [STN_LAYOUT_BANDED] = "banded",
};
enum { KINDS = sizeof names / sizeof names[0] };

const char *stn_layout_name(stn_layout_kind kind)
{
    return (unsigned)kind < KINDS ? names[kind] : "unknown layout";
}

stn_layout stn_layout_of(stn_layout_kind kind)
{
    return (stn_layout){.kind = kind};
}

/* A rank of -1 is refused when a view is created. */
static int32_t copy_numbers(int rank, const int64_t *from, int64_t *to)
{
    if (rank < 0 || rank > STN_MAX_RANK || (rank > 0 && !from))
        return -1;
    for (int d = 0; d < rank; d++)
        to[d] = from[d];
    return rank;
}

stn_layout stn_layout_strided(int rank, const int64_t *strides)
{
    stn_layout layout = {.kind = STN_LAYOUT_STRIDED};
    layout.rank = copy_numbers(rank, strides, layout.stride);
    return layout;
}

stn_layout stn_layout_tiled(int rank, const int64_t *tile, stn_layout_kind inner)
{
    stn_layout layout = {.kind = STN_LAYOUT_TILED, .inner = inner};
    layout.rank = copy_numbers(rank, tile, layout.tile);
    return layout;
}

stn_layout stn_layout_custom(stn_layout_offset *offset,
                             int64_t (*span)(const void *context, int rank, const int64_t *extents),
                             const void *context)
{
    return (stn_layout){
        .kind = STN_LAYOUT_CUSTOM, .offset = offset, .span = span, .context = context};
}

stn_layout stn_layout_packed(stn_triangle triangle, stn_layout_kind order)
{
    return (stn_layout){.kind = STN_LAYOUT_PACKED, .inner = order, .tile = {triangle}};
}

stn_layout stn_layout_banded(int64_t below, int64_t above, int64_t leading, stn_layout_kind order)
{
    return (stn_layout){.kind = STN_LAYOUT_BANDED, .inner = order, .tile = {below, above, leading}};
}

/* ---- from a text ---- */

/* Parses numbers of at least `lowest`, separated by `separator`. *end points after the last one.
 * Returns 0 if there are none or too many. */
static int parse_numbers(const char *text, char separator, int64_t lowest, int64_t *numbers,
                         const char **end)
{
    for (int count = 0; count < STN_MAX_RANK;) {
        char *after;
        const char *digits = *text == '-' ? text + 1 : text;
        if (*digits < '0' || *digits > '9')
            return 0;
        errno = 0;
        const long long number = strtoll(text, &after, 10);
        if (errno || number < lowest)
            return 0;
        numbers[count++] = number;
        *end = after;
        if (*after != separator)
            return count;
        text = after + 1;
    }
    return 0;
}

/* The text after "name:", or NULL. */
static const char *after_name(const char *text, stn_layout_kind kind)
{
    const size_t length = strlen(names[kind]);
    return strncmp(text, names[kind], length) == 0 && text[length] == ':' ? text + length + 1
                                                                          : NULL;
}

static int parse_strided(const char *text, stn_layout *layout)
{
    const char *end;
    layout->kind = STN_LAYOUT_STRIDED;
    layout->rank = parse_numbers(text, ',', INT64_MIN, layout->stride, &end);
    return layout->rank && *end == '\0';
}

/* Parses "", ":right" or ":left". */
static int parse_order(const char *text, stn_layout *layout)
{
    layout->inner = strcmp(text, ":left") == 0 ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT;
    return *text == '\0' || strcmp(text, ":right") == 0 || layout->inner == STN_LAYOUT_LEFT;
}

static int parse_tiled(const char *text, stn_layout *layout)
{
    const char *end;
    layout->kind = STN_LAYOUT_TILED;
    layout->rank = parse_numbers(text, 'x', 1, layout->tile, &end);
    return layout->rank && parse_order(end, layout);
}

static int parse_packed(const char *text, stn_layout *layout)
{
    const int is_upper = strncmp(text, "upper", 5) == 0;
    if (!is_upper && strncmp(text, "lower", 5) != 0)
        return 0;
    *layout = stn_layout_packed(is_upper ? STN_UPPER : STN_LOWER, STN_LAYOUT_RIGHT);
    return parse_order(text + 5, layout);
}

/* Without a leading dimension, the smallest possible one is used. */
static int parse_banded(const char *text, stn_layout *layout)
{
    int64_t numbers[STN_MAX_RANK];
    const char *end;
    const int count = parse_numbers(text, ',', 0, numbers, &end);
    if (count != 2 && count != 3)
        return 0;
    if (count == 2 && (__builtin_add_overflow(numbers[0], numbers[1], &numbers[2]) ||
                       __builtin_add_overflow(numbers[2], 1, &numbers[2])))
        return 0;
    *layout = stn_layout_banded(numbers[0], numbers[1], numbers[2], STN_LAYOUT_RIGHT);
    return parse_order(end, layout);
}

static int parse_name(const char *text, stn_layout *layout)
{
    static const stn_layout_kind plain[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT,
                                            STN_LAYOUT_BLOCK_COL_MAJOR, STN_LAYOUT_MORTON};
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++)
        if (strcmp(text, names[plain[k]]) == 0) {
            layout->kind = plain[k];
            return 1;
        }
    return 0;
}

stn_status stn_layout_parse(const char *text, stn_layout *layout)
{
    if (!text || !layout)
        return stn_fail(STN_ERR_ARGUMENT, "stn_layout_parse: %s is NULL", text ? "layout" : "text");
    stn_layout result = {.kind = STN_LAYOUT_RIGHT};
    const char *strided = after_name(text, STN_LAYOUT_STRIDED);
    const char *tiled = after_name(text, STN_LAYOUT_TILED);
    const char *packed = after_name(text, STN_LAYOUT_PACKED);
    const char *banded = after_name(text, STN_LAYOUT_BANDED);
    if (!(strided  ? parse_strided(strided, &result)
          : tiled  ? parse_tiled(tiled, &result)
          : packed ? parse_packed(packed, &result)
          : banded ? parse_banded(banded, &result)
                   : parse_name(text, &result)))
        return stn_fail(STN_ERR_PARSE,
                        "stn_layout_parse: '%.80s' is not a layout; layouts are right, left, "
                        "block_col_major, morton, "
                        "tiled:2x3, tiled:2x3:left, strided:12,1, packed:lower, packed:upper:left, "
                        "banded:1,2 and banded:1,2,5:left",
                        text);
    *layout = result;
    return STN_OK;
}
