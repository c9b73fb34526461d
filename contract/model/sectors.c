/* Sectors of 32 bytes accessed by the threads of a launch: per executed instruction, which are the
 * requests to L1, and in total, which cold caches fetch. */
#include "contract/flow/distinct.h"
#include "contract/model/model.h"
#include "core/memory.h"

/* The accesses of one array in ascending order of bytes. */
typedef struct array {
    const stn_code_location *first;
    int32_t count;
    int64_t from, to; /* bytes of the first element */
    int64_t stride;
} array;

enum {
    MAX_BYTES = 1 << 16
}; /* maximum distance from an element's address to its accesses, and maximum extent */

/* Addresses may precede the first element. */
static int64_t sector_of(int64_t address)
{
    return (address + MAX_BYTES) / STN_SECTOR_BYTES;
}

/* Addresses of one instruction do not decrease from lane to lane. */
static int64_t sectors_of_warp(const stn_code_location *at, int64_t address, int64_t stride,
                               int64_t lanes)
{
    int64_t count = 0, reached = -1;
    for (int64_t lane = 0; lane < lanes; lane++) {
        const int64_t begin = address + lane * stride;
        const int64_t last = sector_of(begin + at->to - at->from - 1);
        const int64_t first = sector_of(begin);
        count += last - (first > reached ? first : reached + 1) + 1;
        reached = last;
    }
    return count;
}

static int64_t sectors_of_block(const stn_code_location *at, int64_t address, int64_t stride,
                                int64_t threads)
{
    int64_t count = 0;
    for (int64_t t = 0; t < threads; t += STN_WARP_THREADS)
        count += sectors_of_warp(at, address + t * stride, stride,
                                 threads - t < STN_WARP_THREADS ? threads - t : STN_WARP_THREADS);
    return count;
}

/* After 32 blocks, an array is at the same byte of a sector again. */
static int64_t sectors_of_launch(const stn_code_location *at, const stn_gpu_launch *launch,
                                 int64_t stride)
{
    const stn_gpu_shape shape = stn_launch_shape(launch);
    const int64_t begin = launch->offset + at->from, step = launch->threads * stride;
    int64_t count = sectors_of_block(at, begin + shape.full * step, stride, shape.rest);
    for (int64_t b = 0; b < STN_SECTOR_BYTES && b < shape.full; b++)
        count += sectors_of_block(at, begin + b * step, stride, launch->threads) *
                 ((shape.full - b + STN_SECTOR_BYTES - 1) / STN_SECTOR_BYTES);
    return count;
}

/* ---- total ---- */

/* The widest gap between the accesses of a thread, which begin at `from`. */
static int64_t widest_gap(const array *of)
{
    int64_t reached = of->from, widest = 0;
    for (int32_t k = 0; k < of->count; k++) {
        if (of->first[k].from - reached > widest)
            widest = of->first[k].from - reached;
        if (of->first[k].to > reached)
            reached = of->first[k].to;
    }
    return widest;
}

/* A gap of fewer than 32 bytes skips no sector, neither within elements nor between them. Elements
 * with larger gaps share no sector. Other cases, such as neighbors of every fourth element, are
 * unsupported. */
static int64_t sectors_at_all(const array *of, const stn_gpu_launch *launch)
{
    const stn_gpu_shape shape = stn_launch_shape(launch);
    const int64_t threads = shape.full * launch->threads + shape.rest;
    const int64_t begin = launch->offset + of->from, length = of->to - of->from;
    if (threads == 0)
        return 0;
    if (widest_gap(of) >= STN_SECTOR_BYTES)
        return -1;
    if (of->stride - length < STN_SECTOR_BYTES)
        return sector_of(begin + (threads - 1) * of->stride + length - 1) - sector_of(begin) + 1;
    int64_t count = 0;
    for (int64_t t = 0; t < STN_SECTOR_BYTES && t < threads; t++) {
        const int64_t address = begin + t * of->stride;
        count += (sector_of(address + length - 1) - sector_of(address) + 1) *
                 ((threads - t + STN_SECTOR_BYTES - 1) / STN_SECTOR_BYTES);
    }
    return count;
}

/* ---- all arrays ---- */

static void count_array(const array *of, const stn_gpu_launch *launch, stn_gpu_counts *counts)
{
    const stn_gpu_shape shape = stn_launch_shape(launch);
    const int64_t threads = shape.full * launch->threads + shape.rest;
    const int writes = of->first->writes;
    int64_t *const sectors = writes ? &counts->store_sectors : &counts->load_sectors;
    int64_t *const bytes = writes ? &counts->store_bytes : &counts->load_bytes;
    int64_t *const misses = writes ? &counts->store_misses : &counts->load_misses;
    for (int32_t k = 0; k < of->count; k++) {
        *sectors += sectors_of_launch(&of->first[k], launch, of->stride);
        *bytes += threads * (of->first[k].to - of->first[k].from);
    }
    const int64_t touched = sectors_at_all(of, launch);
    *misses = *misses < 0 || touched < 0 ? -1 : *misses + touched;
}

static array array_at(const stn_code_location *locations, int32_t left, int64_t stride)
{
    array of = {locations, 1, locations->from, locations->to, stride};
    for (; of.count < left && stn_code_location_is_contiguous(locations, &locations[of.count]);
         of.count++)
        if (locations[of.count].to > of.to)
            of.to = locations[of.count].to;
    if (stride == 0)
        of.stride = of.to - of.from;
    return of;
}

static stn_status check_locations(const stn_code_location *locations, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        if (locations[k].from < -MAX_BYTES / 2 || locations[k].to > MAX_BYTES / 2 ||
            locations[k].to <= locations[k].from)
            return stn_fail(STN_ERR_UNSUPPORTED,
                            "the work of a launch cannot be determined: an access is more than %d "
                            "bytes from the element of its thread",
                            MAX_BYTES / 2);
    return STN_OK;
}

stn_status stn_code_sectors(const stn_code *code, const stn_gpu_launch *launch,
                            stn_gpu_counts *counts)
{
    stn_code_location *locations;
    int32_t count = 0;
    stn_status status = stn_code_locations(code, &locations, &count);
    if (status == STN_OK)
        status = check_locations(locations, count);
    for (int32_t k = 0; status == STN_OK && k < count;) {
        const array of = array_at(&locations[k], count - k, launch->stride);
        count_array(&of, launch, counts);
        k += of.count;
    }
    stn_free(locations);
    return status;
}
