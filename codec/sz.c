/* Prediction and quantization with an absolute error bound, after SZ (S. Di and F. Cappello, Fast
 * error-bounded lossy HPC data compression with SZ, IPDPS 2016; D. Tao et al., IPDPS 2017).
 *
 * Each value is predicted from restored neighbors with smaller indices, by the Lorenzo predictor of
 * the last three dimensions; neighbors outside of the block are 0. The difference in units of twice
 * the bound is rounded to an integer q, which is stored as a code of 16 bits: 0 for 0, 1 for -1, 2
 * for 1, and so on. The restored value is prediction + 2 bound q, rounded to the format. If it
 * differs by more than the bound, the code is OUTLIER, and the value is stored unchanged.
 *
 * A block consists of the number of outliers (4 bytes) and the output of zstd, zlib or LZW for the
 * low bytes of the codes, their high bytes, and the outliers. */
#include <math.h>
#include <string.h>

#include "codec/packer.h"

enum { OUTLIER = 0xffff, MAX_STEPS = 0x7ffe, COUNT_BYTES = 4 };

/* The block as planes of rows, in memory with one row and one column of zeros before each plane and
 * one plane of zeros before all, so that each value has all neighbors. */
typedef struct grid {
    int64_t blocks, planes, rows, columns; /* blocks: indices of dimensions before the last three */
    int64_t row_step, plane_step;          /* in restored values */
} grid;

/* Of a thread. */
typedef struct sz_memory {
    double *restored;
    uint8_t *codes; /* low bytes, high bytes, outliers */
} sz_memory;

static int64_t at_most(int64_t count, int64_t factor)
{
    return count * factor + 64;
}

static grid grid_of(const stn_cells *cells)
{
    grid g = {1, 1, 1, 1, 0, 0};
    for (int d = 0; d < cells->rank; d++) {
        const int64_t extent = cells->extent[d];
        *(d == cells->rank - 1   ? &g.columns
          : d == cells->rank - 2 ? &g.rows
          : d == cells->rank - 3 ? &g.planes
                                 : &g.blocks) *= extent;
    }
    g.row_step = g.columns + 1;
    g.plane_step = g.row_step * (g.rows + 1);
    return g;
}

static int64_t restored_count(const grid *g)
{
    return g->plane_step * (g->planes + 1);
}

/* The codec of codes, which has memory after that of this one. */
static const stn_packer_row *entropy(void)
{
    return stn_packer_zstd.library   ? &stn_packer_zstd
           : stn_packer_zlib.library ? &stn_packer_zlib
                                     : &stn_packer_lzw;
}

static int64_t entropy_bytes(const stn_cells *cells)
{
    return entropy()->scratch_bytes ? entropy()->scratch_bytes(cells) : 0;
}

/* Smaller blocks have no more restored values than the largest: 2 per value along each of three
 * dimensions at most. */
static int64_t sz_bytes(const stn_cells *largest)
{
    const grid g = grid_of(largest);
    return entropy_bytes(largest) + at_most(restored_count(&g), sizeof(double)) +
           at_most(largest->count, 2 + 8);
}

static sz_memory memory_of(const stn_packer_state *state, const stn_cells *cells)
{
    char *const begin = (char *)state->scratch + (entropy_bytes(cells) + 63) / 64 * 64;
    const grid g = grid_of(cells);
    sz_memory memory = {.restored = (double *)(void *)begin};
    memory.codes = (uint8_t *)(begin + restored_count(&g) * (int64_t)sizeof(double));
    memset(memory.restored, 0, (size_t)restored_count(&g) * sizeof(double));
    return memory;
}

static stn_cells bytes_of(int64_t count)
{
    return (stn_cells){.rank = 1, .extent = {count}, .count = count, .bytes = 1, .parts = 1};
}

static inline double predict(const double *at, const grid *g)
{
    const double *const above = at - g->row_step, *const before = at - g->plane_step;
    const double *const both = before - g->row_step;
    return ((above[0] - above[-1]) + ((before[0] - before[-1]) - (both[0] - both[-1]))) + at[-1];
}

/* ---- encoder ---- */

typedef struct sz_job {
    grid g;
    double bound;
    double *restored;    /* of the next element */
    uint8_t *low, *high; /* codes */
    uint8_t *outliers;
    int64_t outlier_count;
} sz_job;

static uint32_t code_of(double steps)
{
    const int q = (int)steps;
    return q >= 0 ? 2 * (uint32_t)q : 2 * (uint32_t)-q - 1;
}

static double steps_of(uint32_t code)
{
    const double half = (double)((code + 1) / 2);
    return code % 2 ? -half : half;
}

#define ENCODE(type)                                                                               \
    static void encode_row_##type(sz_job *job, const void *values, int64_t first,                  \
                                  double *restored)                                                \
    {                                                                                              \
        const type *const from = (const type *)values + first;                                     \
        const double step = 2.0 * job->bound, inverse = 1.0 / step;                                \
        for (int64_t k = 0; k < job->g.columns; k++) {                                             \
            const double x = (double)from[k], prediction = predict(restored + k, &job->g);         \
            const double steps = rint((x - prediction) * inverse);                                 \
            const double made = (double)(type)(prediction + step * steps);                         \
            uint32_t code = OUTLIER;                                                               \
            if (fabs(steps) <= MAX_STEPS && fabs(made - x) <= job->bound) {                        \
                code = code_of(steps);                                                             \
                restored[k] = made;                                                                \
            } else {                                                                               \
                memcpy(job->outliers + job->outlier_count++ * (int64_t)sizeof(type), &from[k],     \
                       sizeof(type));                                                              \
                restored[k] = isfinite(x) ? x : 0.0;                                               \
            }                                                                                      \
            job->low[first + k] = (uint8_t)code;                                                   \
            job->high[first + k] = (uint8_t)(code >> 8);                                           \
        }                                                                                          \
    }
ENCODE(double)
ENCODE(float)

/* Calls `row` for each row of the block, with the number of its first element. Planes of restored
 * values are zero before each block. Returns 0 if a row fails. */
#define FOR_ROWS(g, memory, first, restored, ...)                                                  \
    for (int64_t b_ = 0, first = 0; b_ < (g).blocks; b_++) {                                       \
        for (int64_t p_ = 0; p_ < (g).planes; p_++)                                                \
            for (int64_t r_ = 0; r_ < (g).rows; r_++, first += (g).columns) {                      \
                double *const restored =                                                           \
                    (memory).restored + (p_ + 1) * (g).plane_step + (r_ + 1) * (g).row_step + 1;   \
                __VA_ARGS__                                                                        \
            }                                                                                      \
    }

static sz_job job_of(const stn_packer *packer, const sz_memory *memory, const stn_cells *cells)
{
    return (sz_job){.g = grid_of(cells),
                    .bound = packer->value[0],
                    .low = memory->codes,
                    .high = memory->codes + cells->count,
                    .outliers = memory->codes + 2 * cells->count};
}

static int64_t encode_sz(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                         const void *values, uint8_t *bytes, int64_t capacity)
{
    static const stn_packer plain = {.row = NULL};
    const sz_memory memory = memory_of(state, cells);
    sz_job job = job_of(packer, &memory, cells);
    FOR_ROWS(job.g, memory, first, restored, {
        if (cells->component == STN_F64)
            encode_row_double(&job, values, first, restored);
        else
            encode_row_float(&job, values, first, restored);
    })
    const uint32_t count = (uint32_t)job.outlier_count;
    if (capacity <= COUNT_BYTES)
        return 0;
    memcpy(bytes, &count, COUNT_BYTES);
    const stn_cells all = bytes_of(2 * cells->count + count * cells->bytes);
    const int64_t length = entropy()->encode(&plain, state, &all, memory.codes, bytes + COUNT_BYTES,
                                             capacity - COUNT_BYTES);
    return length <= 0 ? length : COUNT_BYTES + length;
}

/* ---- decoder ---- */

#define DECODE(type)                                                                               \
    static int decode_row_##type(sz_job *job, void *values, int64_t first, double *restored,       \
                                 int64_t outliers)                                                 \
    {                                                                                              \
        type *const to = (type *)values + first;                                                   \
        const double step = 2.0 * job->bound;                                                      \
        for (int64_t k = 0; k < job->g.columns; k++) {                                             \
            const uint32_t code = job->low[first + k] | (uint32_t)job->high[first + k] << 8;       \
            if (code != OUTLIER) {                                                                 \
                to[k] = (type)(predict(restored + k, &job->g) + step * steps_of(code));            \
                restored[k] = (double)to[k];                                                       \
                continue;                                                                          \
            }                                                                                      \
            if (job->outlier_count == outliers)                                                    \
                return 0;                                                                          \
            memcpy(&to[k], job->outliers + job->outlier_count++ * (int64_t)sizeof(type),           \
                   sizeof(type));                                                                  \
            restored[k] = isfinite((double)to[k]) ? (double)to[k] : 0.0;                           \
        }                                                                                          \
        return 1;                                                                                  \
    }
DECODE(double)
DECODE(float)

static const char *decode_sz(const stn_packer *packer, stn_packer_state *state,
                             const stn_cells *cells, const uint8_t *bytes, int64_t length,
                             void *values)
{
    static const char few[] = "the number of its outliers does not match";
    static const stn_packer plain = {.row = NULL};
    uint32_t count;
    if (length <= COUNT_BYTES)
        return "its codes are missing";
    memcpy(&count, bytes, COUNT_BYTES);
    if (count > cells->count)
        return few;
    const sz_memory memory = memory_of(state, cells);
    const stn_cells all = bytes_of(2 * cells->count + count * cells->bytes);
    const char *const reason = entropy()->decode(&plain, state, &all, bytes + COUNT_BYTES,
                                                 length - COUNT_BYTES, memory.codes);
    if (reason)
        return reason;
    sz_job job = job_of(packer, &memory, cells);
    FOR_ROWS(job.g, memory, first, restored, {
        if (!(cells->component == STN_F64 ? decode_row_double(&job, values, first, restored, count)
                                          : decode_row_float(&job, values, first, restored, count)))
            return few;
    })
    return job.outlier_count == count ? NULL : few;
}

static void close_sz(stn_packer_state *state)
{
    if (entropy()->close)
        entropy()->close(state);
}

const stn_packer_row stn_packer_sz = {.name = "sz",
                                      .library = "Steno",
                                      .parameters = "error=BOUND",
                                      .loss = STN_ARCHIVE_BOUNDED,
                                      .is_typed = 1,
                                      .parameter_is_required = 1,
                                      .parameter = {{"error", 1e-300, 1e300, 0}},
                                      .scratch_bytes = sz_bytes,
                                      .encode = encode_sz,
                                      .decode = decode_sz,
                                      .close = close_sz};
