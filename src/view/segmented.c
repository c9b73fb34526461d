/* See segmented.h. */
#include "view/segmented.h"

#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"
#include "core/versions.h"
#include "exec/exec.h"
#include "view/owner.h"
#include "view/plain.h"
#include "view/view.h"

typedef uint64_t bits64 __attribute__((__may_alias__));

/* ---- codes ---- */

static inline uint64_t extended(uint16_t part)
{
    return (uint64_t)(int64_t)(int16_t)part;
}

static inline uint64_t bits_at(const stn_planes *planes, int64_t at)
{
    uint64_t bits = (uint64_t)planes->upper[at] << 32;
    if (planes->count > 1)
        bits += extended(planes->middle[at]) << 16;
    if (planes->count > 2)
        bits += extended(planes->lower[at]);
    return bits;
}

STN_VERSIONS static void read_planes_1(bits64 *restrict to, const uint32_t *restrict upper,
                                       int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = (uint64_t)upper[k] << 32;
}

STN_VERSIONS static void read_planes_2(bits64 *restrict to, const uint32_t *restrict upper,
                                       const uint16_t *restrict middle, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = ((uint64_t)upper[k] << 32) + (extended(middle[k]) << 16);
}

STN_VERSIONS static void read_planes_3(bits64 *restrict to, const uint32_t *restrict upper,
                                       const uint16_t *restrict middle,
                                       const uint16_t *restrict lower, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = ((uint64_t)upper[k] << 32) + (extended(middle[k]) << 16) + extended(lower[k]);
}

void stn_planes_read(const stn_planes *planes, int64_t offset, int64_t stride, int64_t count,
                     void *values)
{
    bits64 *const to = values;
    const uint32_t *const upper = planes->upper + offset;
    const uint16_t *const middle = planes->middle + offset, *const lower = planes->lower + offset;
    if (stride != 1)
        for (int64_t k = 0; k < count; k++)
            to[k] = bits_at(planes, offset + k * stride);
    else if (planes->count == 1)
        read_planes_1(to, upper, count);
    else if (planes->count == 2)
        read_planes_2(to, upper, middle, count);
    else
        read_planes_3(to, upper, middle, lower, count);
}

static inline float narrow(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return (float)value;
}

STN_VERSIONS static void narrow_planes_1(float *restrict to, const uint32_t *restrict upper,
                                         int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = narrow((uint64_t)upper[k] << 32);
}

STN_VERSIONS static void narrow_planes_2(float *restrict to, const uint32_t *restrict upper,
                                         const uint16_t *restrict middle, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        to[k] = narrow(((uint64_t)upper[k] << 32) + (extended(middle[k]) << 16));
}

STN_VERSIONS static void narrow_planes_3(float *restrict to, const uint32_t *restrict upper,
                                         const uint16_t *restrict middle,
                                         const uint16_t *restrict lower, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        to[k] =
            narrow(((uint64_t)upper[k] << 32) + (extended(middle[k]) << 16) + extended(lower[k]));
}

void stn_planes_read_narrow(const stn_planes *planes, int64_t offset, int64_t count, float *values)
{
    const uint32_t *const upper = planes->upper + offset;
    const uint16_t *const middle = planes->middle + offset, *const lower = planes->lower + offset;
    if (planes->count == 1)
        narrow_planes_1(values, upper, count);
    else if (planes->count == 2)
        narrow_planes_2(values, upper, middle, count);
    else
        narrow_planes_3(values, upper, middle, lower, count);
}

/* A NaN keeps the bits of its upper part and becomes quiet: rounding its fraction up could change
 * its sign. */
static inline uint64_t storable(uint64_t bits)
{
    const uint64_t is_nan = bits << 1 > UINT64_C(0xffe0000000000000);
    return is_nan ? (bits >> 32 << 32) | UINT64_C(0x0008000000000000) : bits;
}

STN_VERSIONS static void write_planes(uint32_t *restrict upper, uint16_t *restrict middle,
                                      uint16_t *restrict lower, const bits64 *restrict from,
                                      int64_t stride, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        const uint64_t bits = storable(from[k]);
        const uint64_t upper_two = bits - extended((uint16_t)bits);
        const uint16_t second = (uint16_t)(upper_two >> 16);
        upper[k * stride] = (uint32_t)((upper_two - (extended(second) << 16)) >> 32);
        middle[k * stride] = second;
        lower[k * stride] = (uint16_t)bits;
    }
}

/* ---- the store ---- */

static void move(void *context, int64_t offset, int64_t stride, int64_t count, void *codes,
                 int stores)
{
    const stn_planes *const planes = context;
    if (stores)
        write_planes(planes->upper + offset, planes->middle + offset, planes->lower + offset, codes,
                     stride, count);
    else
        stn_planes_read(planes, offset, stride, count, codes);
}

static stn_status prepare(void *context, const char *call, const stn_exec *exec)
{
    (void)context, (void)call, (void)exec;
    return STN_OK;
}

const stn_planes *stn_view_planes_of(const stn_view *view)
{
    const stn_store *const store = stn_view_store(view);
    return store && store->move == move ? (const stn_planes *)(const void *)store : NULL;
}

stn_affine stn_planes_affine(const stn_planes *planes)
{
    return planes->count == 1 ? stn_affine_plain()
                              : (stn_affine){.codes = planes->upper,
                                             .middle = planes->middle,
                                             .lower = planes->count > 2 ? planes->lower : NULL};
}

stn_view stn_view_plane(const stn_view *view, int number)
{
    const stn_planes *const planes = stn_view_planes_of(view);
    stn_view plane = *view;
    stn_view_linear_steps(view, plane.stride);
    plane.storage = stn_storage_of(number == 0 ? STN_U32 : STN_U16);
    plane.data = number == 0 ? (void *)(planes->upper + view->first)
                             : (number == 1 ? planes->middle : planes->lower) + view->first;
    plane.owner = NULL;
    plane.extra = NULL;
    plane.traits = 0; /* alignment of elements of 8 bytes */
    plane.first = 0;
    return plane;
}

int stn_view_as_planes(const stn_view *view, stn_view *upper, stn_affine *affine)
{
    const stn_planes *const planes = stn_view_planes_of(view);
    if (!planes || !stn_view_has_plain_elements(view))
        return 0;
    *affine = stn_planes_affine(planes);
    *upper = stn_view_plane(view, 0);
    return 1;
}

int stn_view_plane_count(const stn_view *view)
{
    if (!view || view->size != sizeof *view)
        return 0;
    const stn_planes *const planes = stn_view_planes_of(view);
    return planes ? planes->count : 0;
}

/* ---- descriptions, one for each array and number of planes of an owner ---- */

typedef struct segmented_extra {
    stn_view_extra extra;
    stn_mapping mapping;
    stn_planes planes;
} segmented_extra;

static int is_of_array(const stn_mapping *mapping, const stn_mapping *array)
{
    return mapping->rank == array->rank &&
           memcmp(mapping->extent, array->extent, sizeof mapping->extent) == 0;
}

int stn_planes_are_of_one_array(const stn_view *a, const stn_view *b)
{
    const stn_planes *const x = stn_view_planes_of(a), *const y = stn_view_planes_of(b);
    return x && y && x->upper == y->upper && is_of_array(stn_view_mapping(a), stn_view_mapping(b));
}

static const stn_view_extra *find_extra(const stn_owner *owner, const stn_view *view, int count)
{
    const stn_view_extra *extra = atomic_load_explicit(&owner->extra, memory_order_acquire);
    for (; extra; extra = extra->next) {
        const stn_view other = {.extra = extra};
        if (stn_planes_are_of_one_array(&other, view) && stn_view_planes_of(&other)->count == count)
            return extra;
    }
    return NULL;
}

static stn_status create_extra(stn_owner *owner, stn_view *view, int count)
{
    segmented_extra *result;
    STN_TRY(stn_allocate(&result, 1, sizeof *result, "planes of a view"));
    const int64_t span = stn_view_mapping(view)->span;
    stn_planes *const planes = &result->planes;
    *planes = (stn_planes){
        .store = {.move = move, .prepare = prepare, .context = planes, .state = "segmented"},
        .count = count,
        .upper = view->data};
    planes->middle = (uint16_t *)(void *)(planes->upper + span);
    planes->lower = planes->middle + span;
    result->mapping = *stn_view_mapping(view);
    result->mapping.store = &planes->store;
    result->extra = (stn_view_extra){.mapping = &result->mapping};
    stn_owner_add_extra(owner, &result->extra);
    view->extra = &result->extra;
    return STN_OK;
}

stn_status stn_planes_select(stn_owner *owner, stn_view *view, int count)
{
    const stn_view_extra *const extra = find_extra(owner, view, count);
    if (extra)
        view->extra = extra;
    else
        STN_TRY(create_extra(owner, view, count));
    view->read_only |= count < STN_MAX_PLANES;
    return STN_OK;
}

stn_status stn_planes_create(stn_owner *owner, stn_view *view)
{
    return create_extra(owner, view, STN_MAX_PLANES);
}

stn_status stn_planes_move(stn_owner *owner, stn_view *view, void *copy)
{
    const int count = stn_view_planes_of(view)->count;
    view->data = copy;
    STN_TRY(create_extra(owner, view, STN_MAX_PLANES));
    return stn_planes_select(owner, view, count);
}

/* ---- views ---- */

/* An array that is a single tile. */
static stn_layout layout_of(int rank, const int64_t *extents)
{
    int64_t tile[STN_MAX_RANK];
    for (int d = 0; d < rank; d++)
        tile[d] = extents[d] > 0 ? extents[d] : 1;
    return stn_layout_tiled(rank, tile, STN_LAYOUT_RIGHT);
}

static stn_status check(const char *call, stn_view *view, int rank, const int64_t *extents)
{
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is NULL", call);
    memset(view, 0, sizeof *view);
    if (rank < 1 || rank > STN_MAX_RANK)
        return stn_fail(STN_ERR_ARGUMENT, "%s: rank %d is out of range (1 to %d)", call, rank,
                        STN_MAX_RANK);
    if (!extents)
        return stn_fail(STN_ERR_ARGUMENT, "%s: extents is NULL", call);
    return STN_OK;
}

/* Divides the elements of a new view into planes, and releases it on an error. */
static stn_status segment(const char *call, stn_status status, stn_view *view)
{
    if (status == STN_OK) {
        status = stn_planes_create(view->owner, view);
        if (status != STN_OK)
            (void)stn_view_release(view);
    }
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

stn_status stn_view_create_segmented(const stn_exec *exec, stn_view *view, const char *label,
                                     int rank, const int64_t *extents)
{
    static const char call[] = "stn_view_create_segmented";
    STN_TRY(check(call, view, rank, extents));
    const stn_layout layout = layout_of(rank, extents);
    return segment(call,
                   stn_view_create_spec(exec, view,
                                        &STN_VIEW_SPEC(.label = label, .rank = rank,
                                                       .storage = stn_storage_of(STN_F64),
                                                       .layout = &layout, .extents = extents)),
                   view);
}

stn_status stn_view_wrap_segmented(stn_view *view, const char *label, void *data, int rank,
                                   const int64_t *extents)
{
    static const char call[] = "stn_view_wrap_segmented";
    STN_TRY(check(call, view, rank, extents));
    const stn_layout layout = layout_of(rank, extents);
    return segment(call,
                   stn_view_wrap_spec(view, &STN_VIEW_SPEC(.label = label, .rank = rank,
                                                           .storage = stn_storage_of(STN_F64),
                                                           .layout = &layout, .data = data,
                                                           .extents = extents)),
                   view);
}

static stn_status select_planes(stn_view *result, const stn_view *view, int planes)
{
    static const char call[] = "stn_view_planes";
    STN_TRY(stn_view_check(call, view));
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "%s: result is NULL", call);
    if (!stn_view_planes_of(view))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s is not segmented; stn_view_create_segmented creates such views",
                        call, stn_view_text(view));
    if (planes < 1 || planes > STN_MAX_PLANES)
        return stn_fail(STN_ERR_RANGE, "%s: planes is %d; it must be 1, 2 or 3", call, planes);
    if (!view->owner)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: %s is a part without a handle; create it with stn_view_share_slice",
                        call, stn_view_text(view));
    STN_TRY(stn_view_share(result, view));
    const stn_status status = stn_planes_select(result->owner, result, planes);
    if (status != STN_OK && result != view)
        (void)stn_view_release(result);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

stn_status stn_view_planes(stn_view *result, const stn_view *view, int planes)
{
    return stn_view_derived(select_planes(result, view, planes), result, view);
}
