/* steno bench versus: compares operations with those of OpenBLAS and BLIS over a range of sizes.
 * steno bench small: the same for sizes at which the overhead of a call matters. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_versus.h"
#include "command.h"
#include "core/cpu.h"
#include "core/memory.h"
#include "output.h"
#include "versus.h"
#include "parse.h"

static const char help[] =
    "usage: steno bench versus [OPERATION,...] [OPTION]...\n"
    "       steno bench small [OPERATION,...] [OPTION]...\n\n"
    "Compares operations with those of OpenBLAS and BLIS, if these are installed (packages\n"
    "libopenblas0-pthread, libblis4-pthread), on the same arrays in alternating rounds.\n\n"
    "  dot      x . y          nrm2     sqrt(x . x)                axpy     y = 1e-9 x + y\n"
    "  gemv     y = A x        gemv-t   y = A' x; A is n x n, row-major\n"
    "  trsv     A y = x with the lower triangle of A\n"
    "  gemm     C = A B, n x n, row-major; Steno uses the system's gemm, or its own with\n"
    "           STENO_GEMM=own (default: all)\n"
    "  level1   asum iamax scal swap copy rot, and -strided with increment 2: dot-strided ...\n"
    "  level2   symv trmv ger syr; packed: spmv tpmv tpsv; 5 diagonals: gbmv sbmv tbmv tbsv\n"
    "  level3   symm syrk trmm trsm\n\n"
    "  --size LIST       elements of a vector, or rows of the matrix (default 8 to 2^25 in steps "
    "of\n"
    "                    4, 8 to 8192 in steps of 2, 2048 for gemm; small, in ns: 1 to 4096 and 1\n"
    "                    to 64 in steps of 2)\n"
    "  --pair LIST       storage/arithmetic of Steno: f64/f64, f32/f32, f32/f64; the other\n"
    "                    libraries compute in the storage type (default all)\n"
    "  --threads LIST    numbers of threads (default 1 and the number of processors)\n"
    "  --blas FILE       another library with the C interface of BLAS; may be repeated\n"
    "  --alone           only the libraries given by --blas\n"
    "  --repeat N        number of rounds, at most 41; the median counts (default as time allows)\n"
    "  --json FILE       write one JSON object per size and library; - is the standard output\n"
    "  --csv FILE        write comma-separated values; - is the standard output\n\n"
    "ratio: time of the library divided by the time of Steno; Steno is faster above 1. error: of\n"
    "dot, gemv and trsv relative to the sum of magnitudes, of nrm2 relative to the result; of\n"
    "level1 to level3 the difference from the result of Steno.\n";

enum { SIZE = FIRST_LONG_OPTION, PAIR, THREADS, BLAS, ALONE, REPEAT, JSON, CSV };
enum { MAX_LIST = 32, MAX_OPERATIONS = 64 };

typedef struct pair {
    stn_format format, arithmetic;
} pair;

static const struct {
    const char *name;
    pair pair;
} pairs[] = {{"f64/f64", {STN_F64, STN_F64}},
             {"f32/f32", {STN_F32, STN_F32}},
             {"f32/f64", {STN_F32, STN_F64}}};

typedef struct versus {
    const versus_operation *operations[MAX_OPERATIONS];
    int64_t sizes[MAX_LIST], threads[MAX_LIST], repeat;
    pair pairs[MAX_LIST];
    const char *libraries[MAX_PEERS];
    columns_files files;
    int operation_count, size_count, thread_count, pair_count, file_count, alone, help, small;
    peers peers;
    versus_row *rows;
    int row_count, row_capacity;
} versus;

/* ---- options ---- */

static stn_status refuse_too_many(const char *what, int maximum)
{
    return stn_fail(STN_ERR_RANGE, "more than %d %s", maximum, what);
}

/* Rows of the table of further functions: those of a level, or the one with this name. */
static stn_status take_more(const char *word, versus *all)
{
    const int level = strncmp(word, "level", 5) == 0 && word[5] && !word[6] ? word[5] - '0' : -1;
    const versus_operation *one;
    for (int k = 0; (one = versus_more_at(k)); k++) {
        if (one->level != level && strcmp(one->name, word) != 0)
            continue;
        if (all->operation_count == MAX_OPERATIONS)
            return refuse_too_many("operations", MAX_OPERATIONS);
        all->operations[all->operation_count++] = one;
    }
    return STN_OK;
}

static stn_status take_operation(const char *word, void *context)
{
    versus *all = context;
    const int count = all->operation_count;
    STN_TRY(take_more(word, all));
    if (all->operation_count > count)
        return STN_OK;
    if (all->operation_count == MAX_OPERATIONS)
        return refuse_too_many("operations", MAX_OPERATIONS);
    return versus_find(word, &all->operations[all->operation_count++]);
}

static stn_status take_size(const char *word, void *context)
{
    versus *all = context;
    if (all->size_count == MAX_LIST)
        return refuse_too_many("sizes", MAX_LIST);
    return parse_count("size", word, INT32_MAX, &all->sizes[all->size_count++]);
}

static stn_status take_threads(const char *word, void *context)
{
    versus *all = context;
    if (all->thread_count == MAX_LIST)
        return refuse_too_many("numbers of threads", MAX_LIST);
    return parse_count("number of threads", word, 1024, &all->threads[all->thread_count++]);
}

static stn_status take_pair(const char *word, void *context)
{
    versus *all = context;
    if (all->pair_count == MAX_LIST)
        return refuse_too_many("pairs", MAX_LIST);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (strcmp(pairs[k].name, word) == 0) {
            all->pairs[all->pair_count++] = pairs[k].pair;
            return STN_OK;
        }
    return stn_fail(STN_ERR_ARGUMENT, "pair '%s' must be f64/f64, f32/f32 or f32/f64", word);
}

static stn_status take_option(int option, const char *value, versus *all)
{
    switch (option) {
    case SIZE:
        return parse_list("size", value, take_size, all);
    case PAIR:
        return parse_list("pair", value, take_pair, all);
    case THREADS:
        return parse_list("number of threads", value, take_threads, all);
    case BLAS:
        if (all->file_count == MAX_PEERS)
            return stn_fail(STN_ERR_RANGE, "more than %d libraries of BLAS", MAX_PEERS);
        all->libraries[all->file_count++] = value;
        return STN_OK;
    case ALONE:
        all->alone = 1;
        return STN_OK;
    case REPEAT:
        return parse_count("number of repeats", value, 41, &all->repeat);
    case JSON:
        return output_take(&all->files.json, value);
    case CSV:
        return output_take(&all->files.csv, value);
    case 'h':
        all->help = 1;
        return STN_OK;
    default:
        return STN_ERR_ARGUMENT; /* next_option has recorded the message */
    }
}

static void use_defaults(versus *all)
{
    if (all->operation_count == 0)
        for (const versus_operation *one; (one = versus_operation_at(all->operation_count));)
            all->operations[all->operation_count++] = one;
    if (all->pair_count == 0)
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
            all->pairs[all->pair_count++] = pairs[k].pair;
    if (all->thread_count == 0) {
        stn_exec *exec;
        all->threads[all->thread_count++] = 1;
        if (stn_exec_create(&exec, "threads") == STN_OK && stn_exec_threads(exec) > 1)
            all->threads[all->thread_count++] = stn_exec_threads(exec);
        stn_exec_release(exec);
    }
}

static stn_status parse(int argc, char **argv, versus *all)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"size", required_argument, NULL, SIZE},
                                            {"pair", required_argument, NULL, PAIR},
                                            {"threads", required_argument, NULL, THREADS},
                                            {"blas", required_argument, NULL, BLAS},
                                            {"alone", no_argument, NULL, ALONE},
                                            {"repeat", required_argument, NULL, REPEAT},
                                            {"json", required_argument, NULL, JSON},
                                            {"csv", required_argument, NULL, CSV},
                                            {NULL, 0, NULL, 0}};
    for (int option; !all->help && (option = next_option(argc, argv, options)) != -1;)
        STN_TRY(take_option(option, optarg, all));
    if (all->help)
        return STN_OK;
    for (; optind < argc; optind++)
        STN_TRY(parse_list("operation", argv[optind], take_operation, all));
    STN_TRY(columns_check_files(&all->files));
    use_defaults(all);
    return STN_OK;
}

/* ---- libraries ---- */

static stn_status find_libraries(versus *all)
{
    if (!all->alone)
        peers_find(&all->peers);
    for (int k = 0; k < all->file_count; k++)
        STN_TRY(peers_open(&all->peers, all->libraries[k]));
    if (all->peers.count == 0)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        all->alone
                            ? "--alone requires --blas FILE"
                            : "no BLAS library found for comparison: install libopenblas0-pthread "
                              "or libblis4-pthread, or use --blas FILE");
    return STN_OK;
}

static void print_libraries(const versus *all)
{
    printf("steno %s, %s", stn_version(), stn_isa_name(stn_isa_chosen()));
    for (int k = 0; k < all->peers.count; k++) {
        const peer *one = &all->peers.list[k];
        printf("; %s%s%s", one->name, *one->core ? ", for " : "", one->core);
    }
    printf("\n");
}

/* ---- rows ---- */

static void print_head(const versus *all, const versus_contest *contest, const versus_row *row)
{
    char name[PEER_NAME];
    const int is_narrow = contest->format != STN_F64;
    printf("\n%s stored in %s, arithmetic %s, %" PRId64 " thread%s\n", row->operation, row->format,
           row->arith, row->threads, row->threads == 1 ? "" : "s");
    for (int k = 0; k < all->peers.count; k++)
        if (!versus_has(&all->peers.list[k], contest->operation, contest->format)) {
            peer_name_more(name, contest->operation->function, is_narrow);
            printf("%s has no %s: its columns are nan\n", all->peers.list[k].name, name);
        }
    printf("%10s %11s %9s", "n", all->small ? "Steno ns" : "Steno us", "error");
    for (int k = 0; k < all->peers.count; k++)
        printf(" %11.11s %6s %9s", all->peers.list[k].name, "ratio", "error");
    printf("\n");
}

static void print_row(const versus *all, const versus_row *rows)
{
    const double unit = all->small ? 1e9 : 1e6;
    printf("%10" PRId64 " %11.3f %9.1e", rows->n, unit * rows->seconds, rows->error);
    for (int k = 1; k <= all->peers.count; k++)
        printf(" %11.3f %6.2f %9.1e", unit * rows[k].seconds, rows[k].ratio, rows[k].error);
    printf("\n");
    fflush(stdout);
}

static stn_status run_size(versus *all, versus_contest *contest, int is_first)
{
    const int count = 1 + all->peers.count;
    if (all->row_count + count > all->row_capacity) {
        const int capacity = 2 * (all->row_capacity + count);
        versus_row *more = realloc(all->rows, (size_t)capacity * sizeof *more);
        if (!more)
            return stn_fail(STN_ERR_MEMORY, "no memory for %d rows", capacity);
        all->rows = more;
        all->row_capacity = capacity;
    }
    versus_row *rows = &all->rows[all->row_count];
    stn_status status = versus_create(contest);
    if (status == STN_OK)
        status = versus_measure(contest, &all->peers, all->repeat, rows);
    versus_release(contest);
    if (status != STN_OK)
        return status;
    all->row_count += count;
    if (columns_replace_table(&all->files))
        return STN_OK;
    if (is_first)
        print_head(all, contest, rows);
    print_row(all, rows);
    return STN_OK;
}

/* Size k of the list or of the defaults; 0 after the last one. */
static int64_t size_at(const versus *all, const versus_operation *operation, int k)
{
    if (all->size_count)
        return k < all->size_count ? all->sizes[k] : 0;
    const int64_t small = (int64_t)1 << k;
    const int64_t n = operation->is_matrix ? (int64_t)8 << k : (int64_t)8 << 2 * k;
    if (all->small)
        return small <= (operation->is_matrix ? 64 : 4096) ? small : 0;
    return n <= (operation->is_product  ? 2048
                 : operation->is_matrix ? 8192
                                        : (int64_t)1 << 25)
               ? n
               : 0;
}

static stn_status run_sizes(versus *all, versus_contest *contest)
{
    for (int k = 0; (contest->n = size_at(all, contest->operation, k)) != 0; k++)
        STN_TRY(run_size(all, contest, k == 0));
    return STN_OK;
}

static stn_status expect_all(const versus *all)
{
    for (int o = 0; o < all->operation_count; o++)
        for (int p = 0; p < all->pair_count; p++)
            for (int k = 0; size_at(all, all->operations[o], k) != 0; k++)
                STN_TRY(expect_memory(versus_bytes(all->operations[o], all->pairs[p].format,
                                                   size_at(all, all->operations[o], k)),
                                      all->operations[o]->name));
    return STN_OK;
}

static stn_status run_threads(versus *all, int64_t threads)
{
    char resource[64];
    stn_exec *exec;
    snprintf(resource, sizeof resource, "threads:threads=%" PRId64, threads);
    STN_TRY(stn_exec_create(&exec, resource));
    for (int k = 0; k < all->peers.count; k++)
        (void)peer_set_threads(&all->peers.list[k], (int)threads);
    stn_status status = STN_OK;
    for (int o = 0; o < all->operation_count && status == STN_OK; o++)
        for (int p = 0; p < all->pair_count && status == STN_OK; p++) {
            versus_contest contest = {.operation = all->operations[o],
                                      .format = all->pairs[p].format,
                                      .arithmetic = all->pairs[p].arithmetic,
                                      .exec = exec};
            status = run_sizes(all, &contest);
        }
    stn_exec_release(exec);
    return status;
}

static stn_status run(versus *all)
{
    STN_TRY(find_libraries(all));
    STN_TRY(expect_all(all));
    if (!columns_replace_table(&all->files))
        print_libraries(all);
    for (int t = 0; t < all->thread_count; t++)
        STN_TRY(run_threads(all, all->threads[t]));
    return columns_write_files(&versus_columns, all->rows, all->row_count, &all->files);
}

stn_status bench_versus(int argc, char **argv)
{
    static versus all;
    all.small = strcmp(argv[0], "bench small") == 0;
    STN_TRY(parse(argc, argv, &all));
    if (all.help) {
        fputs(help, stdout);
        return STN_OK;
    }
    const stn_status status = run(&all);
    free(all.rows);
    return status;
}
