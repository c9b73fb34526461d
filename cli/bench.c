/* steno bench: checks the memory and options of every kernel, measures the kernels, writes the
 * files. */
#include <stdio.h>
#include <string.h>

#include "bench_report.h"
#include "bench_versus.h"
#include "command.h"
#include "executor.h"
#include "problem.h"
#include "report.h"
#include "rounds.h"
#include "settings.h"

typedef struct bench {
    bench_settings settings;
    stn_exec *exec, *compared;
    stn_market_matrix matrix; /* all zero: none */
    bench_problem plans[MAX_KERNELS];
    report_row rows[MAX_KERNELS * STN_FIRST_REGISTERED];
    int row_count;
} bench;

/* Without a kernel name, selects the kernels that match the matrix. */
static stn_status choose_kernel(bench *all)
{
    if (all->settings.kernel_count > 0)
        return STN_OK;
    all->settings.kernel_count = 1;
    return kernel_find(all->matrix.storage == STN_MARKET_DENSE ? "gemv" : "spmv",
                       &all->settings.kernels[0]);
}

/* Detects all errors that can be detected before any result is printed. */
static stn_status plan(bench *all)
{
    if (all->settings.matrix)
        STN_TRY(problem_read_matrix(&all->settings, &all->matrix));
    STN_TRY(choose_kernel(all));
    for (int k = 0; k < all->settings.kernel_count; k++) {
        const bench_kernel *kernel = all->settings.kernels[k];
        char what[64];
        STN_TRY(problem_plan(kernel, &all->settings, all->settings.matrix ? &all->matrix : NULL,
                             &all->plans[k]));
        snprintf(what, sizeof what, "%s of %g elements", kernel->name, (double)all->plans[k].n);
        const double bytes = rounds_memory(kernel, &all->settings, &all->plans[k]);
        STN_TRY(expect_memory(bytes, what));
        STN_TRY(executor_expect_memory(all->exec, bytes, what));
    }
    return STN_OK;
}

/* Rows of the requested formats, in their order. f64 is measured even if it is not requested. */
static int take_rows(bench *all, const measurement *measured)
{
    const int first = measured->kernel->sparse == STN_MATRIX_SLICED;
    int count = 0;
    for (int f = 0; f < all->settings.format_count; f++)
        for (int k = first; k < measured->variant_count; k++)
            if (measured->variants[k].format == all->settings.formats[f])
                report_fill_row(measured, &measured->variants[k],
                                &all->rows[all->row_count + count++]);
    return count;
}

static stn_status run_kernel(bench *all, int which)
{
    measurement measured = {.kernel = all->settings.kernels[which],
                            .settings = &all->settings,
                            .exec = all->exec,
                            .compared = all->compared,
                            .problem = all->plans[which]};
    const stn_status status = rounds_run(&measured, all->settings.matrix ? &all->matrix : NULL);
    if (status == STN_OK) {
        const int count = take_rows(all, &measured);
        const int has_table = !columns_replace_table(&all->settings.files);
        if (has_table && all->row_count == 0)
            report_head(&all->settings, all->exec);
        if (has_table)
            report_table(&measured, &all->rows[all->row_count], count);
        all->row_count += count;
    }
    rounds_release(&measured);
    return status;
}

static stn_status run(bench *all)
{
    STN_TRY(settings_make_exec(&all->settings, &all->exec));
    STN_TRY(executor_expect_f64(all->exec, "the f64 storage that bench compares formats with"));
    if (all->settings.same_bits)
        STN_TRY(stn_exec_create(&all->compared, all->settings.same_bits));
    STN_TRY(plan(all));
    for (int k = 0; k < all->settings.kernel_count; k++)
        STN_TRY(run_kernel(all, k));
    return columns_write_files(&report_columns, all->rows, all->row_count, &all->settings.files);
}

/* `label` is the name used in messages. */
static struct {
    const char *name;
    char label[16];
    stn_status (*run)(int argc, char **argv);
} parts[] = {{"versus", "bench versus", bench_versus},
             {"small", "bench small", bench_versus},
             {"report", "bench report", bench_report}};

stn_status command_bench(int argc, char **argv)
{
    static bench all;
    for (size_t k = 0; argc > 1 && k < sizeof parts / sizeof *parts; k++)
        if (strcmp(argv[1], parts[k].name) == 0) {
            argv[1] = parts[k].label;
            return parts[k].run(argc - 1, argv + 1);
        }
    STN_TRY(settings_parse(argc, argv, &all.settings));
    if (all.settings.help) {
        fputs(settings_help, stdout);
        return STN_OK;
    }
    const stn_status status = run(&all);
    stn_market_release(&all.matrix);
    stn_exec_release(all.exec);
    stn_exec_release(all.compared);
    return status;
}
