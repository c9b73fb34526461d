/* Reads the rows of each rank of a partition. Each rank parses a part of the bytes of the file, or
 * the first rank the whole file if it cannot be divided, and sends entries to the ranks that have
 * their rows. */
#define _POSIX_C_SOURCE 200809L
#include "core/grow.h"
#include "core/memory.h"
#include "core/temporary.h"
#include "market/market.h"
#include "market/modes.h"
#include "steno/distribute.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 1 << 18 }; /* entries that the first rank sends at once */

/* What the first rank finds. */
typedef struct head {
    stn_market_matrix matrix; /* without arrays */
    int64_t body, size;       /* offset of the entries; size of the file, or -1 */
} head;

typedef struct reader {
    const char *path;
    unsigned flags;
    stn_comm *comm;
    int rank, ranks;
    stn_partition_info rows;
    int64_t *starts; /* first row of each rank, followed by the number of rows */
    stn_text text;
    int is_open;
    head head;
    int64_t begin, end;  /* bytes that this rank parses */
    int has_ended;       /* they are parsed */
    int64_t read;        /* entries of the file that this rank has parsed */
    stn_entries parsed;  /* not yet sent */
    stn_entries entries; /* of the rows of this rank */
} reader;

/* ---- the file ---- */

static stn_status open_text(reader *r)
{
    STN_TRY(stn_text_open(&r->text, r->path));
    r->text.lenient = (r->flags & STN_MARKET_LENIENT) != 0;
    r->is_open = 1;
    return STN_OK;
}

static stn_status read_head(reader *r)
{
    r->head.matrix = (stn_market_matrix)STN_MARKET_MATRIX_INIT;
    if (r->rank != 0)
        return STN_OK;
    STN_TRY(open_text(r));
    STN_TRY(stn_market_read_head(&r->text, &r->head.matrix));
    r->head.body = stn_text_offset(&r->text);
    r->head.size = r->text.size;
    return STN_OK;
}

static stn_status keep_first(void *context, void *left, const void *right)
{
    (void)context, (void)left, (void)right;
    return STN_OK;
}

static stn_status expect_head(const reader *r)
{
    const stn_market_matrix *const matrix = &r->head.matrix;
    if (matrix->storage == STN_MARKET_DENSE)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: an array file is read as a whole only", r->path);
    if (matrix->rows != r->rows.rows)
        return stn_fail(STN_ERR_SHAPE,
                        "%s: the file has %" PRId64 " rows, and the partition has %" PRId64,
                        r->path, matrix->rows, r->rows.rows);
    return STN_OK;
}

static stn_status find_starts(reader *r)
{
    STN_TRY(stn_comm_agree(
        r->comm, stn_allocate(&r->starts, r->ranks + 1, sizeof *r->starts, "rows of ranks")));
    STN_TRY(stn_comm_allgather(r->comm, r->starts, &r->rows.first, sizeof *r->starts));
    r->starts[r->ranks] = r->rows.rows;
    return STN_OK;
}

/* Bytes from which the lines of a rank begin. */
static int64_t part_of(const reader *r, int rank)
{
    const int64_t bytes = r->head.size - r->head.body;
    return r->head.body + bytes / r->ranks * rank + bytes % r->ranks * rank / r->ranks;
}

/* Skips the line that contains the byte before the first one. */
static stn_status go_to_part(reader *r)
{
    char *line;
    STN_TRY(stn_text_seek(&r->text, r->begin - 1));
    STN_TRY(stn_text_line(&r->text, &line));
    if (line)
        stn_text_skip(&r->text, line);
    return STN_OK;
}

static stn_status open_part(reader *r)
{
    r->has_ended = r->head.size < 0 && r->rank != 0;
    r->end = INT64_MAX;
    if (r->head.size < 0)
        return STN_OK;
    r->begin = part_of(r, r->rank);
    r->end = part_of(r, r->rank + 1);
    r->has_ended = r->begin == r->end;
    if (r->has_ended || r->rank == 0)
        return STN_OK;
    STN_TRY(open_text(r));
    return r->begin > r->head.body ? go_to_part(r) : stn_text_seek(&r->text, r->begin);
}

/* ---- entries of this rank's bytes ---- */

static stn_status parse(reader *r)
{
    const int64_t most = r->head.size < 0 ? BATCH : INT64_MAX;
    if (r->has_ended)
        return STN_OK;
    STN_TRY(
        stn_market_read_body(&r->text, &r->head.matrix, &r->parsed, r->end, most, &r->has_ended));
    r->read += r->parsed.count;
    return STN_OK;
}

/* Lines before the first byte of this rank. */
static stn_status count_lines(reader *r, int64_t *count)
{
    *count = 0;
    STN_TRY(stn_text_seek(&r->text, 0));
    for (char *line; stn_text_offset(&r->text) < r->begin; ++*count) {
        STN_TRY(stn_text_line(&r->text, &line));
        if (!line)
            return STN_OK;
        stn_text_skip(&r->text, line);
    }
    return STN_OK;
}

/* Parses again with the line numbers of the file, so that the message has them. */
static stn_status fail_with_line(reader *r, stn_status status)
{
    int64_t lines;
    int has_ended;
    if (r->rank == 0 || (status != STN_ERR_PARSE && status != STN_ERR_RANGE))
        return status;
    r->parsed.count = r->parsed.run_count = 0;
    STN_TRY(count_lines(r, &lines)); /* ends at the first line of this rank */
    r->text.line = lines;
    STN_TRY(
        stn_market_read_body(&r->text, &r->head.matrix, &r->parsed, r->end, INT64_MAX, &has_ended));
    return status;
}

/* ---- entries as they are sent: row, column, value ---- */

static int owner_of(const reader *r, int64_t row)
{
    int low = 0, high = r->ranks;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (r->starts[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The ranks that have the entry or its mirror image; -1: the same. */
static void find_owners(const reader *r, int64_t k, int owners[2])
{
    const int is_mirrored = r->head.matrix.symmetry != STN_MARKET_GENERAL;
    owners[0] = owner_of(r, r->parsed.row[k]);
    owners[1] = is_mirrored ? owner_of(r, r->parsed.column[k]) : -1;
    if (owners[1] == owners[0])
        owners[1] = -1;
}

static int64_t value_bytes(const reader *r)
{
    const stn_market_field field = r->head.matrix.field;
    return field == STN_MARKET_PATTERN ? 0 : (int64_t)stn_market_values[field].bytes;
}

static int64_t record_bytes(const reader *r)
{
    return 2 * (int64_t)sizeof(int32_t) + value_bytes(r);
}

static void pack(const reader *r, int64_t k, char *record)
{
    const int64_t bytes = value_bytes(r);
    memcpy(record, &r->parsed.row[k], sizeof(int32_t));
    memcpy(record + sizeof(int32_t), &r->parsed.column[k], sizeof(int32_t));
    if (bytes > 0)
        memcpy(record + 2 * sizeof(int32_t), r->parsed.value + k * bytes, (size_t)bytes);
}

static void unpack(reader *r, const char *record)
{
    stn_entries *const to = &r->entries;
    const int64_t bytes = value_bytes(r);
    memcpy(&to->row[to->count], record, sizeof(int32_t));
    memcpy(&to->column[to->count], record + sizeof(int32_t), sizeof(int32_t));
    if (bytes > 0)
        memcpy(to->value + to->count * bytes, record + 2 * sizeof(int32_t), (size_t)bytes);
    to->count++;
}

/* The parsed entries in the order of their owners, and of the file for each owner. */
static stn_status pack_all(const reader *r, int64_t *counts, int64_t *places, char **records)
{
    int owners[2];
    int64_t total = 0;
    memset(counts, 0, (size_t)r->ranks * sizeof *counts);
    for (int64_t k = 0; k < r->parsed.count; k++) {
        find_owners(r, k, owners);
        for (int j = 0; j < 2; j++)
            if (owners[j] >= 0)
                counts[owners[j]]++;
    }
    for (int rank = 0; rank < r->ranks; rank++) {
        places[rank] = total;
        total += counts[rank];
    }
    STN_TRY(stn_allocate(records, total, (size_t)record_bytes(r), "entries to send"));
    for (int64_t k = 0; k < r->parsed.count; k++) {
        find_owners(r, k, owners);
        for (int j = 0; j < 2; j++)
            if (owners[j] >= 0)
                pack(r, k, *records + places[owners[j]]++ * record_bytes(r));
    }
    return STN_OK;
}

static stn_status unpack_all(reader *r, const char *records, int64_t count)
{
    stn_entries *const to = &r->entries;
    const int64_t all = to->count + count, twice = 2 * to->count;
    if (all > to->capacity)
        STN_TRY(stn_market_enlarge(to, &r->head.matrix, all > twice ? all : twice));
    for (int64_t k = 0; k < count; k++)
        unpack(r, records + k * record_bytes(r));
    return STN_OK;
}

/* After a collective function has failed, the ranks are at different calls and must return. */
static stn_status receive(reader *r, const int64_t *counts, const int64_t *received_counts,
                          const char *records)
{
    int64_t total = 0;
    char *received = NULL;
    for (int rank = 0; rank < r->ranks; rank++)
        total += received_counts[rank];
    stn_status status = stn_comm_agree(
        r->comm, stn_allocate(&received, total, (size_t)record_bytes(r), "entries of this rank"));
    if (status == STN_OK)
        status =
            stn_comm_alltoall(r->comm, received, received_counts, records, counts, record_bytes(r));
    if (status == STN_OK)
        status = stn_comm_agree(r->comm, unpack_all(r, received, total));
    stn_free(received);
    return status;
}

/* Sends the parsed entries; `counts` has three numbers for each rank. */
static stn_status exchange_with(reader *r, int64_t *counts)
{
    int64_t *const received_counts = counts + r->ranks, *const ones = received_counts + r->ranks;
    char *records = NULL;
    stn_status status = stn_comm_agree(r->comm, pack_all(r, counts, received_counts, &records));
    r->parsed.count = r->parsed.run_count = 0;
    if (r->has_ended) {
        stn_market_release_entries(&r->parsed);
        r->parsed = (stn_entries){0};
    }
    for (int rank = 0; rank < r->ranks; rank++)
        ones[rank] = 1;
    if (status == STN_OK)
        status = stn_comm_alltoall(r->comm, received_counts, ones, counts, ones, sizeof *counts);
    if (status == STN_OK)
        status = receive(r, counts, received_counts, records);
    stn_free(records);
    return status;
}

static stn_status exchange(reader *r)
{
    int64_t *counts = NULL;
    stn_status status = stn_allocate(&counts, 3 * (int64_t)r->ranks, sizeof *counts, "counts");
    status = stn_comm_agree(r->comm, status);
    if (status == STN_OK)
        status = exchange_with(r, counts);
    stn_free(counts);
    return status;
}

/* ---- the whole ---- */

static stn_status add(void *context, void *left, const void *right)
{
    const int64_t count = *(const int64_t *)context;
    int64_t *const to = left;
    const int64_t *const from = right;
    for (int64_t k = 0; k < count; k++)
        to[k] += from[k];
    return STN_OK;
}

static stn_status add_up(const reader *r, int64_t *numbers, int64_t count)
{
    return stn_comm_allreduce(r->comm, numbers, count * (int64_t)sizeof *numbers, add, &count);
}

static stn_status read_entries(reader *r)
{
    int64_t unfinished;
    do {
        stn_status status = parse(r);
        if (status != STN_OK)
            status = fail_with_line(r, status);
        STN_TRY(stn_comm_agree(r->comm, status));
        STN_TRY(exchange(r));
        unfinished = !r->has_ended;
        STN_TRY(add_up(r, &unfinished, 1));
    } while (unfinished > 0);
    int64_t read = r->read;
    STN_TRY(add_up(r, &read, 1));
    return read == r->head.matrix.stored
               ? STN_OK
               : stn_fail(STN_ERR_PARSE,
                          "%s: the file has %" PRId64 " entries, not the %" PRId64
                          " of the size line",
                          r->text.name, read, r->head.matrix.stored);
}

static stn_status assemble(reader *r, stn_market_matrix *matrix)
{
    r->entries.first = r->rows.first;
    r->entries.end = r->rows.first + r->rows.count;
    matrix->rows = r->rows.count;
    return stn_market_assemble(&r->text, &r->entries, r->flags, matrix);
}

/* Counts of all ranks. */
static stn_status finish(const reader *r, stn_market_matrix *matrix)
{
    enum { KINDS = sizeof matrix->deviations / sizeof *matrix->deviations };
    int64_t counts[2 + KINDS] = {matrix->summed, matrix->unused_values};
    memcpy(counts + 2, r->text.deviations, sizeof matrix->deviations);
    STN_TRY(add_up(r, counts, 2 + KINDS));
    matrix->summed = counts[0];
    matrix->unused_values = counts[1];
    memcpy(matrix->deviations, counts + 2, sizeof matrix->deviations);
    return STN_OK;
}

static stn_status read_rows(reader *r, stn_market_matrix *matrix)
{
    STN_TRY(stn_comm_agree(r->comm, read_head(r)));
    STN_TRY(stn_comm_allreduce(r->comm, &r->head, sizeof r->head, keep_first, NULL));
    STN_TRY(expect_head(r));
    STN_TRY(find_starts(r));
    STN_TRY(stn_comm_agree(r->comm, open_part(r)));
    STN_TRY(read_entries(r));
    *matrix = r->head.matrix;
    STN_TRY(stn_comm_agree(r->comm, assemble(r, matrix)));
    return finish(r, matrix);
}

static stn_status read_all(reader *r, stn_market_matrix *matrix)
{
    const stn_decimal_modes modes = stn_decimal_modes_enter();
    r->text.lenient = (r->flags & STN_MARKET_LENIENT) != 0;
    (void)snprintf(r->text.name, sizeof r->text.name, "%s", stn_tail_of(r->path));
    const stn_status status = read_rows(r, matrix);
    stn_decimal_modes_leave(modes);
    stn_market_release_entries(&r->parsed);
    stn_market_release_entries(&r->entries);
    stn_free(r->starts);
    if (r->is_open)
        stn_text_close(&r->text);
    if (status != STN_OK)
        stn_market_release(matrix);
    return status;
}

stn_status stn_market_read_distributed(stn_market_matrix *matrix, const char *path, unsigned flags,
                                       const stn_partition *partition)
{
    static const char argument[] = "stn_market_read_distributed: matrix";
    stn_market_matrix found = STN_MARKET_MATRIX_INIT;
    reader r = {.path = path, .flags = flags, .rows = STN_PARTITION_INFO_INIT};
    if (!partition)
        return stn_fail(STN_ERR_ARGUMENT, "stn_market_read_distributed: partition is NULL");
    STN_TRY(stn_partition_describe(partition, &r.rows));
    r.comm = r.rows.comm;
    r.rank = stn_comm_rank(r.comm);
    r.ranks = stn_comm_ranks(r.comm);
    STN_TRY(stn_comm_agree(r.comm, stn_market_expect(argument, matrix, path, flags)));
    const stn_status status = read_all(&r, &found);
    STN_STRUCT_WRITE(matrix, &found, stn_market_matrix);
    return status;
}
