/* Measures an operation in each pair of storage and arithmetic, and in other libraries. */
#include "figures.h"

#include <math.h>
#include <string.h>

#include "command.h"
#include "core/cpu.h"
#include "core/memory.h"
#include "measure/exact.h"
#include "reference.h"

#define FIGURES(kind, name) COLUMN(figures_row, kind, name)
static const column_spec list[] = {
    FIGURES(TEXT, operation), FIGURES(TEXT, library),    FIGURES(TEXT, format),
    FIGURES(TEXT, arith),     FIGURES(INTEGER, threads), FIGURES(INTEGER, n),
    FIGURES(REAL, seconds),   FIGURES(REAL, gflops),     FIGURES(REAL, gbps),
    FIGURES(REAL, fraction),  FIGURES(REAL, error),      FIGURES(REAL, error_stored),
    FIGURES(TEXT, isa),       FIGURES(TEXT, core),       FIGURES(TEXT, processor)};
const column_list figures_columns = {list, sizeof list / sizeof *list, sizeof(figures_row)};

/* ---- operations ---- */

/* The exact result; for dot, `a` is the other vector. */
typedef stn_status exact_result(int64_t n, const stored *a, const stored *x, double *high,
                                double *low);

static const struct {
    const char *name;
    exact_result *exact;
    int draws; /* sets of random operands; the error is their median */
} known[] = {{"dot", reference_dot, 10},
             {"gemv", reference_product, 1},
             {"gemv-t", reference_transposed_product, 1},
             {"trsv", reference_solution, 1}};
enum { KNOWN = sizeof known / sizeof *known, MAX_DRAWS = 10 };

static int number_of(const char *name)
{
    int k = 0;
    while (k < KNOWN && strcmp(known[k].name, name) != 0)
        k++;
    return k;
}

stn_status figures_find(const char *name, const versus_operation **found)
{
    if (number_of(name) == KNOWN)
        return stn_fail(STN_ERR_ARGUMENT, "unknown operation '%s' (known: dot, gemv, gemv-t, trsv)",
                        name);
    return versus_find(name, found);
}

static int64_t results_of(const versus_operation *operation, int64_t n)
{
    return operation->is_matrix ? n : 1;
}

static int64_t entries_of(const versus_operation *operation, int64_t n)
{
    return operation->is_matrix ? n * n : n;
}

/* Elements of a that are read: for trsv those of the triangle. */
static double read_of(const versus_operation *operation, int64_t n)
{
    const double all = (double)entries_of(operation, n);
    return operation->is_solved ? 0.5 * (all + (double)n) : all;
}

/* ---- the operands of a line ---- */

typedef struct entry {
    const figures_line *line;
    versus_contest contest;
    versus_turn turn;
    stored a, x;
    void *result;
    double errors[MAX_DRAWS], errors_stored[MAX_DRAWS];
} entry;

/* The operands as doubles before they are stored. */
typedef struct original {
    double *a, *x, *high, *low;
} original;

static const char *name_of(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    (void)stn_format_describe(format,
                              &info); /* cannot fail: the format was parsed from the command line */
    return info.name;
}

static int width_of(stn_format arithmetic)
{
    return arithmetic == STN_F64 ? 8 : 4;
}

static stn_status wrap(entry *own)
{
    versus_contest *c = &own->contest;
    const int64_t extents[] = {c->n, c->n}, turned[] = {1, c->n};
    STN_TRY(stn_view_wrap_const(&c->view_x, "x", own->x.storage, own->x.codes, 1, extents));
    c->x = own->x.codes;
    if (!c->operation->is_matrix) {
        c->y = own->a.codes;
        return stn_view_wrap_const(&c->view_y, "y", own->a.storage, c->y, 1, extents);
    }
    c->a = own->a.codes;
    c->y = own->result;
    c->width = (size_t)width_of(c->arithmetic);
    STN_TRY(stn_view_wrap_const(&c->view_a, "A", own->a.storage, c->a, 2, extents));
    STN_TRY(stn_view_wrap_spec(&c->view_transposed,
                               &STN_VIEW_SPEC(.label = "transposed A", .storage = own->a.storage,
                                              .const_data = c->a, .rank = 2, .extents = extents,
                                              .strides = turned)));
    return stn_view_wrap(&c->view_y, "y", stn_storage_of(c->arithmetic), c->y, 1, extents);
}

static stn_status entry_create(entry *own, const versus_operation *operation, int64_t n,
                               const stn_exec *exec, const original *from)
{
    const stn_format format = own->line->format, arithmetic = own->line->arithmetic;
    own->contest = (versus_contest){
        .operation = operation, .format = format, .arithmetic = arithmetic, .n = n, .exec = exec};
    own->turn = (versus_turn){&own->contest, own->line->by};
    STN_TRY(stored_create(&own->a, format, arithmetic, from->a, entries_of(operation, n)));
    STN_TRY(
        stored_create(&own->x, operation->is_solved ? arithmetic : format, arithmetic, from->x, n));
    STN_TRY(stn_allocate(&own->result, n, (size_t)width_of(arithmetic), "result"));
    return wrap(own);
}

static void entry_release(entry *own)
{
    stored_release(&own->a);
    stored_release(&own->x);
    stn_free(own->result);
    own->result = NULL;
}

static double bytes_of(const entry *own)
{
    const versus_operation *operation = own->contest.operation;
    const int64_t n = own->contest.n;
    const double results = operation->is_matrix ? (double)n * width_of(own->line->arithmetic) : 0;
    return read_of(operation, n) * (double)own->a.info.bytes + stored_bytes(&own->x) + results;
}

static double width_at(const figures_setup *setup, int line)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    (void)stn_format_describe(setup->lines[line].format,
                              &info); /* cannot fail: it succeeded for the label */
    return (double)info.bytes;
}

/* Doubles, stored operands, and streams, which lines of one width share. */
double figures_memory(const versus_operation *operation, int64_t n, const figures_setup *setup)
{
    const double vectors = operation->is_matrix ? 4.0 : 1.0;
    double widths = 8.0;
    for (int k = 0; k < setup->line_count; k++) {
        int shares = 0;
        for (int l = 0; l < k; l++)
            shares |= width_at(setup, l) == width_at(setup, k);
        widths += shares ? 0.0 : width_at(setup, k);
        widths += setup->lines[k].format == STN_F64 ? 0.0 : width_at(setup, k);
    }
    return widths * ((double)entries_of(operation, n) + vectors * (double)n);
}

/* ---- data ---- */

static stn_status fill(double **values, int64_t count, uint64_t seed, double factor)
{
    STN_TRY(stn_allocate(values, count, sizeof **values, "operands"));
    double *all = *values;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < count; k++)
        all[k] = factor * measure_datum(MEASURE_RANDOM, seed, k, count);
    return STN_OK;
}

/* Triangle: unit diagonal, other elements about 1 / sqrt(n), so that solutions have the magnitude
 * of right-hand sides for every n. */
static stn_status original_create(original *all, const versus_operation *operation, int64_t n,
                                  int draw)
{
    const uint64_t seed = 2 * (uint64_t)draw;
    const double next_to = ldexp(1.0, -(int)ceil(0.5 * log2((double)n)));
    STN_TRY(
        fill(&all->a, entries_of(operation, n), seed + 1, operation->is_solved ? next_to : 1.0));
    for (int64_t k = 0; operation->is_solved && k < n; k++)
        all->a[k * (n + 1)] = 1.0;
    STN_TRY(fill(&all->x, n, seed + 2, 1.0));
    STN_TRY(stn_allocate(&all->high, results_of(operation, n), sizeof(double), "exact result"));
    return stn_allocate(&all->low, results_of(operation, n), sizeof(double), "exact result");
}

static void original_release(original *all)
{
    stn_free(all->a);
    stn_free(all->x);
    stn_free(all->high);
    stn_free(all->low);
    *all = (original){NULL, NULL, NULL, NULL};
}

/* ---- errors ---- */

static double error_of(const entry *own, const original *exact)
{
    const versus_contest *c = &own->contest;
    const int is_matrix = c->operation->is_matrix;
    return reference_norm1_error(results_of(c->operation, c->n), exact->high, exact->low,
                                 is_matrix ? c->arithmetic : STN_F64,
                                 is_matrix ? own->result : &c->result);
}

/* Errors relative to the original operands, then relative to the stored ones. */
static stn_status judge(entry *all, int count, int draw, const original *from)
{
    const versus_contest *c = &all[0].contest;
    exact_result *exact = known[number_of(c->operation->name)].exact;
    stored a, x;
    STN_TRY(stored_borrow(&a, from->a, entries_of(c->operation, c->n)));
    STN_TRY(stored_borrow(&x, from->x, c->n));
    STN_TRY(exact(c->n, &a, &x, from->high, from->low));
    for (int k = 0; k < count; k++) {
        STN_TRY(versus_call(&all[k].turn));
        all[k].errors[draw] = error_of(&all[k], from);
    }
    for (int k = 0; k < count; k++) {
        STN_TRY(exact(c->n, &all[k].a, &all[k].x, from->high, from->low));
        all[k].errors_stored[draw] = error_of(&all[k], from);
    }
    return STN_OK;
}

/* ---- a point ---- */

/* Lines with about the same number of bytes share a stream. */
static stn_status find_stream(contender *all, int which, int threads)
{
    contender *own = &all[which];
    if (own->bytes < MIN_STREAM)
        return STN_OK;
    for (int k = 0; k < which && !own->stream; k++)
        if (all[k].stream && fabs(all[k].bytes - own->bytes) < own->bytes / 32.0)
            own->stream = all[k].stream;
    if (!own->stream)
        own->stream = measure_stream_create((int64_t)own->bytes, threads);
    return own->stream ? STN_OK : stn_fail(STN_ERR_MEMORY, "no memory for a streaming loop");
}

static void release_streams(contender *all, int count)
{
    for (int k = 0; k < count; k++) {
        int others = 0;
        for (int l = 0; l < k; l++)
            others |= all[l].stream == all[k].stream;
        if (!others)
            measure_stream_release(all[k].stream);
    }
}

static stn_status measure(entry *all, const figures_setup *setup, figures_row *rows)
{
    static contender turns[MAX_LINES]; /* large */
    stn_status status = STN_OK;
    for (int k = 0; k < setup->line_count; k++)
        turns[k] =
            (contender){.call = versus_call, .work = &all[k].turn, .bytes = bytes_of(&all[k])};
    for (int k = 0; k < setup->line_count && status == STN_OK; k++)
        status = find_stream(turns, k, setup->limits.threads);
    if (status == STN_OK)
        status = contenders_run(turns, setup->line_count, &setup->limits);
    for (int k = 0; k < setup->line_count && status == STN_OK; k++) {
        const versus_contest *c = &all[k].contest;
        const double seconds = turns[k].seconds;
        rows[k] = (figures_row){.operation = c->operation->name,
                                .library = all[k].line->by ? all[k].line->by->name : "Steno",
                                .format = name_of(c->format),
                                .arith = name_of(c->arithmetic),
                                .threads = setup->limits.threads,
                                .n = c->n,
                                .seconds = seconds,
                                .gflops = 2e-9 * read_of(c->operation, c->n) / seconds,
                                .gbps = 1e-9 * turns[k].bytes / seconds,
                                .fraction = turns[k].fraction,
                                .isa = stn_isa_name(stn_isa_chosen()),
                                .core = all[k].line->by ? all[k].line->by->core : "",
                                .processor = processor_name()};
    }
    release_streams(turns, setup->line_count);
    return status;
}

static stn_status measure_draw(entry *all, const versus_operation *operation, int64_t n, int draw,
                               const figures_setup *setup, original *from, figures_row *rows)
{
    STN_TRY(original_create(from, operation, n, draw));
    for (int k = 0; k < setup->line_count; k++)
        STN_TRY(entry_create(&all[k], operation, n, setup->exec, from));
    if (draw == 0)
        STN_TRY(measure(all, setup, rows));
    return judge(all, setup->line_count, draw, from);
}

stn_status figures_measure(const versus_operation *operation, int64_t n, const figures_setup *setup,
                           figures_row *rows)
{
    static entry all[MAX_LINES];
    const int draws = known[number_of(operation->name)].draws;
    stn_status status = STN_OK;
    for (int k = 0; k < setup->line_count; k++)
        all[k] = (entry){.line = &setup->lines[k]};
    for (int draw = 0; draw < draws && status == STN_OK; draw++) {
        original from = {NULL, NULL, NULL, NULL};
        status = measure_draw(all, operation, n, draw, setup, &from, rows);
        original_release(&from);
        for (int k = 0; k < setup->line_count; k++)
            entry_release(&all[k]);
    }
    for (int k = 0; k < setup->line_count && status == STN_OK; k++) {
        rows[k].error = measure_median(all[k].errors, draws);
        rows[k].error_stored = measure_median(all[k].errors_stored, draws);
    }
    return status;
}
