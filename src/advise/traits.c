/* Properties of sparse matrices in one pass over their entries, or from a sample of their rows. */
#include <math.h>
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "sparse/kinds/compressed.h"
#include "advise/solve.h"

/* A sample consists of SAMPLES runs of RUN rows at regular distances. The entries of
 * PAIRED rows of each run are compared with those on the other side of the diagonal. */
enum { MAX_PARTS = 64, SAMPLES = 32, RUN = 64, PAIRED = 8 };
static const char call[] = "stn_sparse_traits";

/* Partial results of rows, each with its sums. */
typedef struct part_traits {
    double largest, row_most, row_least, diagonal_most, diagonal_least;
    double dominance, side_sum, diagonal_sum, norm, similarity, neighbors;
    int64_t bandwidth, rows;
    uint64_t difference; /* of the checksums of both sides of the diagonal */
    int has_diagonal, is_positive, has_nonfinite, is_real_diagonal;
} part_traits;

typedef struct traits_job {
    const stn_compressed *from;
    int64_t parts;        /* of a value */
    const double *values; /* parts of all values */
    part_traits *list;
} traits_job;

static uint64_t bits_of(double value)
{
    const double positive = value == 0.0 ? 0.0 : value; /* -0 equals 0 */
    uint64_t bits;
    memcpy(&bits, &positive, sizeof bits);
    return bits;
}

__extension__ typedef unsigned __int128 product;

/* Both halves of a product of 128 bits. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    const product all = (product)a * b;
    return (uint64_t)all ^ (uint64_t)(all >> 64);
}

/* Checksum of an entry. */
static uint64_t checksum(int64_t row, int64_t column, double re, double im)
{
    const uint64_t position = (uint64_t)row << 32 ^ (uint64_t)column;
    const uint64_t sum =
        fold(position ^ UINT64_C(0xbf58476d1ce4e5b9), bits_of(re) ^ UINT64_C(0x94d049bb133111eb));
    return im == 0.0 ? sum : fold(sum, bits_of(im) ^ UINT64_C(0xd6e8feb86659fd93));
}

typedef struct row_sums {
    double most_side, least_side, side, diagonal, real_diagonal;
    int64_t distance; /* largest distance of an entry from the diagonal */
    uint64_t difference;
    int diagonals, is_real_diagonal, has_nonfinite;
} row_sums;

/* Entries other than 0. Those below and above the diagonal of a symmetric matrix have equal
 * checksums. */
static inline row_sums sum_row(int64_t r, const int32_t *column, const double *value, int64_t count,
                               int64_t parts)
{
    row_sums row = {.least_side = (double)INFINITY, .is_real_diagonal = 1};
    for (int64_t k = 0; k < count; k++) {
        const double re = value[k * parts], im = parts == 2 ? value[2 * k + 1] : 0.0;
        const double size = parts == 2 ? fabs(re) + fabs(im) : fabs(re);
        const int64_t c = column[k], distance = c - r;
        if (size == 0.0)
            continue;
        if (distance == 0) {
            row.diagonals++;
            row.diagonal += size;
            row.real_diagonal = re;
            row.is_real_diagonal &= im == 0.0;
            continue;
        }
        const int is_above = distance > 0;
        const uint64_t sum = checksum(is_above ? r : c, is_above ? c : r, re, is_above ? im : -im);
        const int64_t magnitude = is_above ? distance : -distance;
        row.side += size;
        row.most_side = size > row.most_side ? size : row.most_side;
        row.least_side = size < row.least_side ? size : row.least_side;
        row.distance = magnitude > row.distance ? magnitude : row.distance;
        row.difference += is_above ? sum : -sum;
    }
    /* Finite values can have an infinite sum. */
    for (int64_t k = 0; k < count * parts && !isfinite(row.side + row.diagonal); k++)
        row.has_nonfinite |= !isfinite(value[k]);
    return row;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static void add_row(part_traits *own, const row_sums *row)
{
    own->bandwidth = row->distance > own->bandwidth ? row->distance : own->bandwidth;
    own->difference += row->difference;
    own->is_real_diagonal &= row->is_real_diagonal;
    const double quotient = row->diagonal > 0.0 ? row->side / row->diagonal
                            : row->side > 0.0   ? (double)INFINITY
                                                : 0.0;
    const double most = row->most_side > row->diagonal ? row->most_side : row->diagonal;
    own->has_nonfinite |= row->has_nonfinite;
    own->similarity += row->most_side > 0.0 ? row->least_side / row->most_side : 1.0;
    own->neighbors += row->most_side > 0.0 ? row->side / row->most_side : 0.0;
    own->largest = greater(own->largest, most);
    own->norm = greater(own->norm, row->side + row->diagonal);
    own->dominance = greater(own->dominance, quotient);
    own->side_sum += row->side;
    own->diagonal_sum += row->diagonal;
    own->has_diagonal &= row->diagonals == 1;
    own->is_positive &= row->real_diagonal > 0.0;
    if (most > 0.0) {
        own->row_most = greater(own->row_most, most);
        own->row_least = lesser(own->row_least, most);
    }
    if (row->diagonal > 0.0) {
        own->diagonal_most = greater(own->diagonal_most, row->diagonal);
        own->diagonal_least = lesser(own->diagonal_least, row->diagonal);
    }
}

static const part_traits empty_part = {.row_least = (double)INFINITY,
                                       .diagonal_least = (double)INFINITY,
                                       .has_diagonal = 1,
                                       .is_positive = 1,
                                       .is_real_diagonal = 1};

static void find_rows(const traits_job *job, int64_t begin, int64_t end, part_traits *own)
{
    const stn_compressed *const from = job->from;
    for (int64_t r = begin; r < end; r++) {
        const int64_t first = from->start[r], count = from->start[r + 1] - first;
        const int32_t *const column = from->column + first;
        const row_sums row = job->parts == 2 ? sum_row(r, column, job->values + 2 * first, count, 2)
                                             : sum_row(r, column, job->values + first, count, 1);
        add_row(own, &row);
    }
    own->rows += end - begin;
}

static void find_part(void *context, int part, int parts)
{
    const traits_job *const job = context;
    part_traits own = empty_part;
    int64_t begin, end;
    stn_share(job->from->rows, part, parts, &begin, &end);
    find_rows(job, begin, end, &own);
    job->list[part] = own;
}

static void merge(part_traits *total, const part_traits *own)
{
    total->largest = fmax(total->largest, own->largest);
    total->row_most = fmax(total->row_most, own->row_most);
    total->row_least = fmin(total->row_least, own->row_least);
    total->diagonal_most = fmax(total->diagonal_most, own->diagonal_most);
    total->diagonal_least = fmin(total->diagonal_least, own->diagonal_least);
    total->dominance = fmax(total->dominance, own->dominance);
    total->side_sum += own->side_sum;
    total->diagonal_sum += own->diagonal_sum;
    total->norm = fmax(total->norm, own->norm);
    total->similarity += own->similarity;
    total->neighbors += own->neighbors;
    total->bandwidth = own->bandwidth > total->bandwidth ? own->bandwidth : total->bandwidth;
    total->rows += own->rows;
    total->difference += own->difference;
    total->has_diagonal &= own->has_diagonal;
    total->is_positive &= own->is_positive;
    total->is_real_diagonal &= own->is_real_diagonal;
    total->has_nonfinite |= own->has_nonfinite;
}

static double quotient(double most, double least)
{
    return most > 0.0 ? most / least : 1.0;
}

static void summarize(const part_traits *total, const stn_compressed *from, int is_complex,
                      stn_matrix_traits *traits)
{
    *traits = (stn_matrix_traits)STN_INIT(
        stn_matrix_traits, .has_diagonal = total->has_diagonal,
        .is_symmetric = from->rows == from->columns && total->difference == 0 &&
                        (!is_complex || total->is_real_diagonal),
        .is_positive = total->is_positive && total->is_real_diagonal,
        .has_nonfinite = total->has_nonfinite, .largest = total->largest,
        .row_spread = quotient(total->row_most, total->row_least),
        .diagonal_spread = quotient(total->diagonal_most, total->diagonal_least),
        .dominance = total->dominance,
        .mean_dominance =
            total->diagonal_sum > 0.0 ? total->side_sum / total->diagonal_sum : (double)INFINITY,
        .norm = total->norm, .bandwidth = total->bandwidth,
        .similarity = total->rows > 0 ? total->similarity / (double)total->rows : 1.0,
        .width = total->rows > 0 ? total->neighbors / (double)total->rows : 0.0);
}

/* ---- samples ---- */

/* The value in a row and column is the conjugate of the given one. Long rows are not searched. */
static int has_pair(const traits_job *job, int64_t row, int32_t column, const double *value)
{
    const stn_compressed *const from = job->from;
    if (from->start[row + 1] - from->start[row] > RUN)
        return 1;
    for (int64_t k = from->start[row]; k < from->start[row + 1]; k++) {
        const double *const other = job->values + k * job->parts;
        if (from->column[k] == column)
            return other[0] == value[0] && (job->parts == 1 || other[1] == -value[1]);
    }
    return value[0] == 0.0 && (job->parts == 1 || value[1] == 0.0);
}

static int are_paired(const traits_job *job, int64_t begin, int64_t end)
{
    const stn_compressed *const from = job->from;
    for (int64_t r = begin; r < end; r++)
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++)
            if (from->column[k] != r &&
                !has_pair(job, from->column[k], (int32_t)r, job->values + k * job->parts))
                return 0;
    return 1;
}

/* The first and the last row are part of the sample. */
static void sample_rows(const traits_job *job, part_traits *own)
{
    const int64_t rows = job->from->rows;
    int is_symmetric = 1;
    *own = empty_part;
    for (int64_t k = 0; k < SAMPLES; k++) {
        const int64_t begin = k * (rows - RUN) / (SAMPLES - 1);
        find_rows(job, begin, begin + RUN, own);
        is_symmetric = is_symmetric && are_paired(job, begin + RUN - PAIRED, begin + RUN);
    }
    own->difference = !is_symmetric;
}

/* *own is to be freed; NULL if values are stored as f64 or c128. */
static stn_status read_values(const stn_compressed *from, int64_t parts, double **own,
                              const double **values)
{
    const stn_storage *const storage = &from->storage;
    const stn_format wide = parts == 2 ? STN_C128 : STN_F64;
    *own = NULL;
    *values = (const double *)(const void *)from->codes;
    if (storage->format == wide && storage->scale == 1.0 && storage->zero == 0.0)
        return STN_OK;
    STN_TRY(stn_allocate(own, from->entries * parts, sizeof(double), "values"));
    *values = *own;
    return stn_decode(wide, *own, storage, from->codes, 1, from->entries);
}

static void find_all(const stn_exec *exec, traits_job *job, part_traits *total)
{
    part_traits list[MAX_PARTS];
    const int threads = stn_exec_threads(exec);
    job->list = list;
    *total = empty_part;
    for (int k = 0; k < MAX_PARTS; k++)
        list[k] = empty_part;
    stn_exec_run_parts(exec, threads < MAX_PARTS ? threads : MAX_PARTS, find_part, job);
    for (int k = 0; k < MAX_PARTS; k++)
        merge(total, &list[k]);
}

static stn_status find_in(const stn_exec *exec, const stn_compressed *from, int is_complex,
                          int is_sampled, stn_matrix_traits *traits)
{
    traits_job job = {.from = from, .parts = is_complex ? 2 : 1};
    part_traits total;
    double *own;
    const stn_status status = read_values(from, job.parts, &own, &job.values);
    if (status == STN_OK && is_sampled && from->rows > SAMPLES * RUN)
        sample_rows(&job, &total);
    else if (status == STN_OK)
        find_all(exec, &job, &total);
    if (status == STN_OK)
        summarize(&total, from, is_complex, traits);
    stn_free(own);
    return status;
}

stn_status stn_traits_sample(const stn_exec *exec, const stn_matrix *a, stn_matrix_traits *traits)
{
    stn_compressed from;
    STN_TRY(stn_compressed_open(call, exec, a, &from));
    const stn_status status = find_in(exec, &from, stn_matrix_is_complex(a), 1, traits);
    stn_compressed_close(&from);
    return status;
}

static stn_status find(const stn_exec *exec, const stn_matrix *a, stn_matrix_traits *traits)
{
    stn_compressed from;
    stn_matrix_traits made;
    STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(stn_matrix_expect(call, a));
    STN_TRY(STN_STRUCT_CHECK(traits, stn_matrix_traits, similarity, "stn_sparse_traits: traits"));
    if (stn_exec_device(exec) || a->memory.space != STN_SPACE_HOST)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s must be on the host", call,
                        stn_matrix_name(a));
    STN_TRY(stn_compressed_open(call, exec, a, &from));
    const stn_status status = find_in(exec, &from, stn_matrix_is_complex(a), 0, &made);
    stn_compressed_close(&from);
    if (status == STN_OK)
        STN_STRUCT_WRITE(traits, &made, stn_matrix_traits);
    return status;
}

stn_status stn_sparse_traits(const stn_exec *exec, const stn_matrix *a, stn_matrix_traits *traits)
{
    STN_RETURN_IN_MODES(find(exec, a, traits));
}
