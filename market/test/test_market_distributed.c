/* Rows of each rank of a Matrix Market file: those of the whole matrix, for all numbers of ranks.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <stdio.h>
#include <unistd.h>

#include "processes.h"
#include "steno/distribute.h"
#include "steno/market.h"
#include <zlib.h>

enum { ROWS = 1500 };

static char path[] = "/tmp/steno-rows-XXXXXX";

typedef struct file_ {
    const char *field, *symmetry;
    unsigned flags;
    int is_packed, has_end; /* of the last line */
    const char *more;       /* lines at the end */
    int added;              /* entries in these lines */
    int announced;          /* entries of the size line in addition to those of the file */
} file_;

/* ---- files ---- */

static char text[4000200];

static int put_entries(const file_ *f, char *to)
{
    const int is_general = strcmp(f->symmetry, "general") == 0;
    const int has_diagonal = is_general || strcmp(f->symmetry, "symmetric") == 0;
    uint64_t state = 5;
    int count = 0;
    for (int k = 0; k < 4 * ROWS; k++) { /* in any order, without repetition */
        const int i = (int)(k * INT64_C(7919) % ROWS) + 1,
                  j = (i * (1 + k / ROWS)) % i + 1 + k / ROWS;
        const int column = is_general ? j % ROWS + 1 : j;
        if (!is_general && (column > i || (!has_diagonal && column == i)))
            continue;
        state = state * 6364136223846793005u + 1442695040888963407u;
        to += sprintf(to, k % 100 ? "%d %d" : "%% a comment\n\n %d\t%d", i, column);
        if (strcmp(f->field, "pattern") != 0)
            to += sprintf(to, " %d", (int)(state >> 40) - 8000000);
        if (strcmp(f->field, "real") == 0)
            to += sprintf(to, ".%de%d", k, k % 20 - 10);
        if (strcmp(f->field, "complex") == 0)
            to += sprintf(to, " %d.25", k);
        to += sprintf(to, "\n");
        count++;
    }
    if (f->more)
        to += sprintf(to, "%s", f->more);
    if (!f->has_end)
        to[-1] = 0;
    return count;
}

static void write_file(const file_ *f)
{
    static char body[sizeof text - 200];
    const int count = put_entries(f, body);
    const int length =
        sprintf(text, "%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n%s", f->field,
                f->symmetry, ROWS, ROWS, count + f->added + f->announced, body);
    if (f->is_packed) {
        const gzFile packed = gzopen(path, "wb");
        assert_int_equal(gzwrite(packed, text, (unsigned)length), length);
        gzclose(packed);
        return;
    }
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, (size_t)length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* ---- ranks ---- */

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const stn_status status_ = (call);                                                         \
        if (status_ != STN_OK)                                                                     \
            return status_;                                                                        \
    } while (0)

static stn_market_matrix whole = STN_MARKET_MATRIX_INIT;

static stn_status expect_rows(const stn_market_matrix *part, const stn_partition_info *info)
{
    const size_t bytes = part->value_format == STN_C128 ? 16 : 8;
    const int64_t begin = whole.row_start[info->first];
    const char *const values = (const char *)whole.values + (size_t)begin * bytes;
    if (part->rows != info->count || part->columns != ROWS || part->stored != whole.stored ||
        part->summed != whole.summed || part->unused_values != whole.unused_values ||
        part->entries != whole.row_start[info->first + info->count] - begin ||
        memcmp(part->deviations, whole.deviations, sizeof whole.deviations) != 0)
        return STN_ERR_SHAPE;
    for (int64_t row = 0; row <= part->rows; row++)
        if (part->row_start[row] != whole.row_start[info->first + row] - begin)
            return STN_ERR_RANGE;
    if (part->entries > 0 &&
        (memcmp(part->column, whole.column + begin, (size_t)part->entries * 4) != 0 ||
         memcmp(part->values, values, (size_t)part->entries * bytes) != 0))
        return STN_ERR_FORMAT;
    return STN_OK;
}

static stn_status read_rows(stn_comm *comm, void *context)
{
    const file_ *const f = context;
    stn_market_matrix part = STN_MARKET_MATRIX_INIT;
    stn_partition_info info = STN_PARTITION_INFO_INIT;
    stn_partition *partition;
    TRY(stn_partition_create(&partition, comm, ROWS));
    TRY(stn_partition_describe(partition, &info));
    stn_status status = stn_market_read_distributed(&part, path, f->flags, partition);
    if (status == STN_OK)
        status = expect_rows(&part, &info);
    stn_market_release(&part);
    stn_partition_release(partition);
    return status;
}

static void check_file(const file_ *f)
{
    write_file(f);
    expect_ok(stn_market_read_file(&whole, path, f->flags));
    for (int ranks = 1; ranks <= MAX_RANKS; ranks += 1 + ranks / 4)
        run_ranks_ok(ranks, read_rows, (void *)(uintptr_t)f);
    stn_market_release(&whole);
}

UNIT_TEST(rows_are_those_of_the_whole)
{
    static const char *const fields[] = {"real", "integer", "complex", "pattern"};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    for (int field = 0; field < 4; field++)
        for (int symmetry = 0; symmetry < 4; symmetry++) {
            if ((symmetry == 3 && field != 2) || (symmetry == 2 && field == 3))
                continue;
            check_file(&(file_){.field = fields[field],
                                .symmetry = symmetries[symmetry],
                                .has_end = field % 2,
                                .is_packed = symmetry % 2});
        }
}

/* Sums of repeated entries have the order of the file, on whichever rank they are parsed. */
UNIT_TEST(repeated_entries)
{
    for (int is_packed = 0; is_packed < 2; is_packed++)
        check_file(&(file_){.field = "real",
                            .symmetry = is_packed ? "symmetric" : "general",
                            .flags = STN_MARKET_SUM | STN_MARKET_LENIENT,
                            .is_packed = is_packed,
                            .has_end = 1,
                            .more = "700 5 1e300\n700 5 -1e300\n700 5 0.125\n700 5 inf % comment\n"
                                    "1499 1 1e-20\n1499 1 1\n1499 1 -1\n",
                            .added = 7});
    check_file(&(file_){.field = "pattern",
                        .symmetry = "general",
                        .has_end = 1,
                        .more = "1500 1499 1.5\n",
                        .added = 1});
}

/* ---- failures ---- */

static void check_failure(const file_ *f, stn_status status, const char *message)
{
    rank_result results[MAX_RANKS];
    stn_market_matrix serial = STN_MARKET_MATRIX_INIT;
    write_file(f);
    assert_int_equal(stn_market_read_file(&serial, path, f->flags), status);
    for (int ranks = 1; ranks <= 5; ranks += 2) {
        run_ranks(ranks, 0, read_rows, (void *)(uintptr_t)f, results);
        for (int r = 0; r < ranks; r++) {
            assert_int_equal(results[r].status, status);
            if (!strstr(results[r].message, message))
                fail_msg("%s, not %s", results[r].message, message);
        }
    }
}

UNIT_TEST(errors_of_one_part_on_all_ranks)
{
    file_ f = {.field = "real", .symmetry = "general", .has_end = 1, .added = 1};
    char line[32];
    f.more = "3 4 wrong\n";
    write_file(&f);
    int lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')) && at[1]; at++)
        lines++;
    (void)snprintf(line, sizeof line, ":%d: ", lines); /* that of the whole file */
    check_failure(&f, STN_ERR_PARSE, line);
    f.more = "3 1501 1\n";
    check_failure(&f, STN_ERR_RANGE, line);
    f.more = "1 2 1\n1 2 1\n";
    f.added = 2;
    check_failure(&f, STN_ERR_PARSE, "row 1, column 2 is repeated");
    f.more = NULL;
    f.added = 0;
    f.announced = 3;
    for (f.is_packed = 0; f.is_packed < 2; f.is_packed++)
        check_failure(&f, STN_ERR_PARSE, " of the size line");
}

static stn_status read_badly(stn_comm *comm, void *context)
{
    const int which = *(const int *)context, is_second = stn_comm_rank(comm) == 1;
    stn_market_matrix part = STN_MARKET_MATRIX_INIT;
    stn_partition *partition;
    TRY(stn_partition_create(&partition, comm, which == 2 ? ROWS + 1 : ROWS));
    const stn_status status =
        stn_market_read_distributed(which == 3 && is_second ? NULL : &part,
                                    which == 0 && is_second ? NULL
                                    : which == 4            ? "/nonexistent/file"
                                                            : path,
                                    which == 1 && is_second ? 77u : 0u, partition);
    stn_market_release(&part);
    stn_partition_release(partition);
    return status;
}

UNIT_TEST(refused)
{
    static const stn_status statuses[] = {STN_ERR_ARGUMENT, STN_ERR_ARGUMENT, STN_ERR_SHAPE,
                                          STN_ERR_ARGUMENT, STN_ERR_IO};
    static const char *const messages[] = {"path is NULL", "flags 0x4d",
                                           "has 1500 rows, and the partition has 1501",
                                           "matrix is NULL", "cannot be opened"};
    rank_result results[MAX_RANKS];
    stn_market_matrix part = STN_MARKET_MATRIX_INIT;
    const file_ f = {.field = "real", .symmetry = "general", .has_end = 1};
    write_file(&f);
    for (int which = 0; which < 5; which++) {
        run_ranks(3, 0, read_badly, &which, results);
        for (int r = 0; r < 3; r++) {
            assert_int_equal(results[r].status, statuses[which]);
            assert_non_null(strstr(results[r].message, messages[which]));
        }
    }
    expect_error(stn_market_read_distributed(&part, path, 0, NULL), STN_ERR_ARGUMENT,
                 "partition is NULL");
    expect_error(stn_market_read_header(&part, NULL, 0), STN_ERR_ARGUMENT,
                 "stn_market_read_header: path is NULL");
    expect_ok(stn_market_read_header(&part, path, 0));
    assert_int_equal(part.rows, ROWS);
    assert_null(part.row_start);
    FILE *const file = fopen(path, "w");
    fputs("%%MatrixMarket matrix array real general\n1500 1\n", file);
    fclose(file);
    run_ranks(2, 0, read_rows, (void *)(uintptr_t)&f, results);
    assert_non_null(strstr(results[1].message, "read as a whole only"));
}

static int set_up(void **state)
{
    (void)state;
    const int descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0;
}

static int tear_down(void **state)
{
    (void)state;
    return remove(path);
}

RUN_UNIT_TESTS(set_up, tear_down)
