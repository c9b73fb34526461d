/* Rows of results, as a table, as JSON and as comma-separated values. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "core/cpu.h"
#include "executor.h"

/* ---- the columns of JSON and CSV ---- */

#define REPORT(kind, name) COLUMN(struct report_row, kind, name)
static const column_spec list[] = {
    REPORT(TEXT, kernel),      REPORT(TEXT, exec),         REPORT(TEXT, format),
    REPORT(TEXT, arith),       REPORT(INTEGER, n),         REPORT(INTEGER, threads),
    REPORT(REAL, seconds),     REPORT(WHOLE, bytes),       REPORT(REAL, gbps),
    REPORT(REAL, stream_gbps), REPORT(REAL, fraction),     REPORT(REAL, speedup_vs_f64),
    REPORT(REAL, error),       REPORT(REAL, error_stored), REPORT(TEXT, processor),
    REPORT(TEXT, isa),         REPORT(TEXT, matrix),       REPORT(TEXT, result_bits),
    REPORT(TEXT, device),      REPORT(TEXT, same_bits_as),
};
const column_list report_columns = {list, sizeof list / sizeof *list, sizeof(report_row)};

/* ---- rows ---- */

void report_fill_row(const measurement *all, const variant *own, report_row *row)
{
    const bench_settings *settings = all->settings;
    const bench_kernel *kernel = all->kernel;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    (void)stn_format_describe(own->format, &info); /* cannot fail: the format was measured */
    *row = (struct report_row){.kernel = kernel->name,
                               .exec = executor_name(all->exec),
                               .format = info.name,
                               .arith = settings->arithmetic == STN_F64 ? "f64" : "f32",
                               .n = all->problem.n,
                               .threads = stn_exec_threads(all->exec),
                               .seconds = own->seconds,
                               .bytes = own->bytes,
                               .gbps = 1e-9 * own->bytes / own->seconds,
                               .stream_gbps = 1e-9 * own->bytes / own->stream_seconds,
                               .fraction = own->stream_seconds / own->seconds,
                               .speedup_vs_f64 = all->variants[0].seconds / own->seconds,
                               .error = own->error,
                               .error_stored = own->error_stored,
                               .processor = processor_name(),
                               .isa = settings->isa,
                               .matrix = kernel->a == ABSENT ? NULL : settings->matrix,
                               .same_bits_as = settings->same_bits};
    if (executor_is_device(all->exec)) {
        snprintf(row->device_text, sizeof row->device_text, "%s", executor_device(all->exec));
        row->device = row->device_text;
    }
    if (settings->matrix && !row->matrix)
        row->matrix = ""; /* all rows have the same columns */
    if (settings->bits) {
        snprintf(row->bits, sizeof row->bits, "%016" PRIx64, own->bits);
        row->result_bits = row->bits;
    }
}

/* ---- the table ---- */

void report_head(const bench_settings *settings, const stn_exec *exec)
{
    printf("steno %s, %s, ", stn_version(), executor_description(exec));
    if (!executor_is_device(exec))
        printf("%s, ", stn_isa_name(stn_isa_chosen()));
    printf("arithmetic %s\n", settings->arithmetic == STN_F64 ? "f64" : "f32");
}

static void print_shape(const measurement *all)
{
    const bench_problem *problem = &all->problem;
    if (all->kernel->a == ABSENT)
        printf("%" PRId64 " elements", problem->n);
    else
        printf("%" PRId64 " x %" PRId64, problem->pattern.rows, problem->pattern.columns);
    if (all->kernel->sparse)
        printf(", %" PRId64 " entries", problem->n);
    if (all->kernel->a != ABSENT && all->settings->matrix)
        printf(", %s", all->settings->matrix);
}

/* Bytes of the f64 matrix in each kind, before any conversion. */
static void print_kinds(const measurement *all)
{
    static const struct {
        const char *name;
        stn_matrix_kind kind;
    } kinds[] = {{"compressed rows", STN_MATRIX_CSR},
                 {"slices", STN_MATRIX_SLICED},
                 {"packed slices", STN_MATRIX_PACKED}};
    int64_t bytes;
    if (!all->kernel->sparse || executor_is_device(all->exec))
        return;
    printf("bytes in f64:");
    for (int k = 0; k < 3; k++)
        if (stn_sparse_bytes(all->variants[0].operands.matrix, kinds[k].kind, STN_F64, &bytes) ==
            STN_OK)
            printf("%s %s %" PRId64, k ? "," : "", kinds[k].name, bytes);
    printf("\n");
}

void report_table(const measurement *all, const report_row *rows, int count)
{
    printf("\n%s: ", all->kernel->name);
    print_shape(all);
    printf("; median of %d round%s\n", all->rounds, all->rounds == 1 ? "" : "s");
    if (all->compared)
        printf("all results have the bits of %s\n", executor_description(all->compared));
    print_kinds(all);
    printf("%-7s %11s %8s %8s %9s %9s %10s %10s\n", "format", "seconds", "GB/s", "stream",
           "fraction", "speed-up", "error", "as stored");
    for (int k = 0; k < count; k++)
        printf("%-7s %11.3e %8.2f %8.2f %9.2f %9.2f %10.1e %10.1e\n", rows[k].format,
               rows[k].seconds, rows[k].gbps, rows[k].stream_gbps, rows[k].fraction,
               rows[k].speedup_vs_f64, rows[k].error, rows[k].error_stored);
    fflush(stdout);
}
