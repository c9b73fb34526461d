/* Rows of all ranks. */
#include "distribute/partition.h"

#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "steno/detail/tile.h"

enum { MIN_GRANULES = 32 }; /* of each rank, if rows are divided evenly: at most 3 % imbalance */

static int64_t tiles_of(int64_t rows)
{
    return rows / STN_TILE_ELEMENTS + (rows % STN_TILE_ELEMENTS != 0);
}

int stn_partition_owner(const stn_partition *p, int64_t row)
{
    int low = 0, high = stn_comm_ranks(p->comm);
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (p->start[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- creation ---- */

static stn_status allocate(stn_partition **partition, stn_comm *comm)
{
    const int64_t ranks = stn_comm_ranks(comm);
    const size_t words = sizeof **partition / sizeof(int64_t);
    STN_TRY(stn_allocate(partition, (int64_t)words + ranks + 1, sizeof(int64_t), "a partition"));
    memset(*partition, 0, sizeof **partition);
    (*partition)->comm = comm;
    return STN_OK;
}

/* The granule is the largest power of two that divides all starts. */
static void finish(stn_partition *p)
{
    const int ranks = stn_comm_ranks(p->comm);
    uint64_t bits = 0;
    p->rows = p->start[ranks];
    for (int r = 0; r < ranks; r++)
        if (p->start[r] < p->rows)
            bits |= (uint64_t)(p->start[r] / STN_TILE_ELEMENTS);
    p->tiles = 1;
    const int64_t tiles = tiles_of(p->rows);
    while (p->tiles < tiles && !(bits & (uint64_t)p->tiles))
        p->tiles *= 2;
    p->blocks = 3;
    for (int64_t granules = tiles / p->tiles; granules > 0; granules /= 2)
        p->blocks += 2;
}

static void divide(stn_partition *p, int64_t rows, int64_t granule)
{
    const int64_t ranks = stn_comm_ranks(p->comm), tiles = tiles_of(rows);
    while (2 * granule <= tiles / (MIN_GRANULES * ranks))
        granule *= 2;
    const int64_t granules = tiles / granule + (tiles % granule != 0);
    for (int64_t r = 0; r <= ranks; r++) {
        const int64_t tile = (granules / ranks * r + granules % ranks * r / ranks) * granule;
        p->start[r] = tile < tiles ? tile * STN_TILE_ELEMENTS : rows;
    }
}

static stn_status expect_same(const char *call, const stn_comm *comm, const char *name,
                              const int64_t *all)
{
    for (int r = 0; r < stn_comm_ranks(comm); r++)
        if (all[r] != all[0])
            return stn_fail(STN_ERR_SHAPE, "%s: %s is %lld on rank %d and %lld on rank 0", call,
                            name, (long long)all[r], r, (long long)all[0]);
    return STN_OK;
}

static stn_status divide_evenly(const char *call, stn_partition **partition, stn_comm *comm,
                                int64_t rows, int64_t granule)
{
    if (rows < 0)
        return stn_fail(STN_ERR_SHAPE, "%s: rows is %lld; it must be at least 0", call,
                        (long long)rows);
    if (granule < STN_TILE_ELEMENTS || (granule & (granule - 1)) != 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: granule is %lld; it must be a power of two of at least %d", call,
                        (long long)granule, STN_TILE_ELEMENTS);
    STN_TRY(allocate(partition, comm));
    stn_partition *const p = *partition;
    STN_TRY(stn_comm_gather(comm, p->start, &granule, sizeof granule));
    STN_TRY(expect_same(call, comm, "granule", p->start));
    STN_TRY(stn_comm_gather(comm, p->start, &rows, sizeof rows));
    STN_TRY(expect_same(call, comm, "rows", p->start));
    divide(p, rows, granule / STN_TILE_ELEMENTS);
    finish(p);
    return STN_OK;
}

/* Replaces numbers of rows by first rows. */
static stn_status add_up(const char *call, stn_partition *p)
{
    int64_t first = 0;
    for (int r = 0; r < stn_comm_ranks(p->comm); r++) {
        const int64_t count = p->start[r];
        if (count < 0 || (count > 0 && first % STN_TILE_ELEMENTS != 0))
            return stn_fail(STN_ERR_SHAPE,
                            "%s: the first row of rank %d is %lld and it has %lld rows; the first "
                            "row of a rank must be a multiple of %d",
                            call, r, (long long)first, (long long)count, STN_TILE_ELEMENTS);
        p->start[r] = first;
        if (__builtin_add_overflow(first, count, &first))
            return stn_fail(STN_ERR_RANGE, "%s: more than 2^63 - 1 rows", call);
    }
    p->start[stn_comm_ranks(p->comm)] = first;
    return STN_OK;
}

static stn_status collect(const char *call, stn_partition **partition, stn_comm *comm,
                          int64_t count, int64_t granule)
{
    (void)granule;
    STN_TRY(allocate(partition, comm));
    stn_partition *const p = *partition;
    STN_TRY(stn_comm_gather(comm, p->start, &count, sizeof count));
    STN_TRY(add_up(call, p));
    finish(p);
    return STN_OK;
}

static stn_status create(const char *call, stn_partition **partition, stn_comm *comm, int64_t rows,
                         int64_t granule,
                         stn_status (*fill)(const char *call, stn_partition **partition,
                                            stn_comm *comm, int64_t rows, int64_t granule))
{
    stn_partition *p = NULL;
    if (!comm)
        return stn_fail(STN_ERR_ARGUMENT, "%s: comm is NULL", call);
    stn_comm_begin(comm);
    stn_status status = partition ? fill(call, &p, comm, rows, granule)
                                  : stn_fail(STN_ERR_ARGUMENT, "%s: partition is NULL", call);
    status = stn_comm_end(comm, status, STN_COMM_ENDS_TOGETHER);
    if (partition)
        *partition = status == STN_OK ? p : NULL;
    if (status != STN_OK)
        stn_free(p);
    return status;
}

stn_status stn_partition_create(stn_partition **partition, stn_comm *comm, int64_t rows)
{
    return create("stn_partition_create", partition, comm, rows, STN_TILE_ELEMENTS, divide_evenly);
}

stn_status stn_partition_create_aligned(stn_partition **partition, stn_comm *comm, int64_t rows,
                                        int64_t granule)
{
    return create("stn_partition_create_aligned", partition, comm, rows, granule, divide_evenly);
}

stn_status stn_partition_create_local(stn_partition **partition, stn_comm *comm, int64_t count)
{
    return create("stn_partition_create_local", partition, comm, count, STN_TILE_ELEMENTS, collect);
}

void stn_partition_release(stn_partition *partition)
{
    stn_free(partition);
}

stn_status stn_partition_describe(const stn_partition *partition, stn_partition_info *info)
{
    STN_TRY(STN_STRUCT_CHECK(info, stn_partition_info, comm, "stn_partition_describe: info"));
    if (!partition)
        return stn_fail(STN_ERR_ARGUMENT, "stn_partition_describe: partition is NULL");
    const stn_partition_info known = {.size = sizeof known,
                                      .rows = partition->rows,
                                      .first = stn_partition_first(partition),
                                      .count = stn_partition_count(partition),
                                      .granule = partition->tiles * STN_TILE_ELEMENTS,
                                      .comm = partition->comm};
    STN_STRUCT_WRITE(info, &known, stn_partition_info);
    return STN_OK;
}
