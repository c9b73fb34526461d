/* Whether a view may be assigned to another one, and if not, the reason. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "format/registry.h"
#include "view/layout/shape.h"

/* Buffer for a sentence. */
typedef struct reason {
    char *text;
    size_t capacity;
} reason;

static int __attribute__((format(printf, 2, 3)))
refuse(reason message, const char *message_format, ...)
{
    va_list arguments;
    va_start(arguments, message_format);
    if (message.text && message.capacity)
        vsnprintf(message.text, message.capacity, message_format, arguments);
    va_end(arguments);
    return 0;
}

static int same_type(const stn_view *to, const stn_view *from, reason message)
{
    if (to->storage.format != from->storage.format)
        return refuse(message, "the format of %s is not that of %s", stn_view_text(from),
                      stn_view_text(to));
    if (to->rank != from->rank)
        return refuse(message, "the rank of %s is not that of %s", stn_view_text(from),
                      stn_view_text(to));
    if (to->space != from->space)
        return refuse(message, "%s is in %s memory, %s in %s memory", stn_view_text(from),
                      stn_space_name((stn_space)from->space), stn_view_text(to),
                      stn_space_name((stn_space)to->space));
    if (stn_view_is_read_only(from) && !stn_view_is_read_only(to))
        return refuse(message, "%s is read-only, and %s is not", stn_view_text(from),
                      stn_view_text(to));
    return 1;
}

static int same_fixed_extents(const stn_view *to, const stn_view *from, reason message)
{
    for (int d = 0; d < to->rank; d++)
        if ((to->fixed >> d & 1) && to->extent[d] != from->extent[d])
            return refuse(message, "extent %d of %s is fixed, and %s has %lld", d,
                          stn_view_text(to), stn_view_text(from), (long long)from->extent[d]);
    return 1;
}

static int fits_mapping(const stn_view *to, const stn_view *from)
{
    return stn_view_mapping(from) &&
           stn_layout_is_same(&stn_view_mapping(to)->layout, &stn_view_mapping(from)->layout);
}

/* If the strides of *to are those of no layout, any strides fit. Otherwise they must be those of
 * the same layout. */
static int fits_strides(const stn_view *to, const stn_view *from)
{
    static const stn_layout_kind kinds[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT,
                                            STN_LAYOUT_BLOCK_COL_MAJOR};
    int is_strided = 1;
    if (stn_view_mapping(from))
        return 0;
    if (stn_view_count(from) == 0)
        return 1;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (stn_view_count(to) > 0 && !stn_view_is_laid(to, kinds[k]))
            continue;
        if (stn_view_is_laid(from, kinds[k]))
            return 1;
        is_strided = 0;
    }
    return is_strided;
}

static int may_assign(const stn_view *to, const stn_view *from, reason message)
{
    if (stn_view_is_empty(to) || stn_view_is_empty(from))
        return stn_view_is_empty(to) ||
               refuse(message, "an empty view cannot be assigned to %s", stn_view_text(to));
    if (!same_type(to, from, message) || !same_fixed_extents(to, from, message))
        return 0;
    if (stn_view_mapping(to) ? !fits_mapping(to, from) : !fits_strides(to, from))
        return refuse(message, "%s has layout %s, and %s layout %s", stn_view_text(from),
                      stn_layout_name(stn_view_layout(from)), stn_view_text(to),
                      stn_layout_name(stn_view_layout(to)));
    if ((to->traits & STN_TRAIT_ALIGNED) && !stn_view_is_aligned(from))
        return refuse(message, "%s is not aligned, and %s is", stn_view_text(from),
                      stn_view_text(to));
    return 1;
}

int stn_view_can_assign(const stn_view *to, const stn_view *from, char *text, size_t capacity)
{
    const reason message = {text, capacity};
    if (text && capacity)
        text[0] = '\0';
    if (stn_view_check("stn_view_can_assign", to) != STN_OK ||
        stn_view_check("stn_view_can_assign", from) != STN_OK)
        return refuse(message, "%s", stn_error());
    return may_assign(to, from, message);
}

stn_status stn_view_assign(stn_view *to, const stn_view *from)
{
    char message[400];
    stn_view result;
    STN_TRY(stn_view_check("stn_view_assign", to));
    STN_TRY(stn_view_check("stn_view_assign", from));
    if (to == from)
        return STN_OK;
    if (!stn_view_can_assign(to, from, message, sizeof message))
        return stn_fail(STN_ERR_SHAPE, "stn_view_assign: %s", message);
    STN_TRY(stn_view_share(&result, from));
    if (!stn_view_is_empty(to)) {
        result.read_only = to->read_only;
        result.traits = to->traits;
        result.fixed = to->fixed;
    }
    stn_view_release(to);
    *to = result;
    return STN_OK;
}
