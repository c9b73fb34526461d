/* bench advise: advice for linear systems compared with the fastest of all methods of its list.
 *
 *   bench_advise [--threads N] [--cpu] [--all] [--families] [--json FILE]
 *                [NAME | FILE.mtx]...
 *
 * NAME is a generated matrix; without names, all generated ones, with --families those to which the
 * model was not fitted. Columns: time of the advised
 * solve, of the fastest method, their quotient, the time of the advice in products and relative to
 * the unpreconditioned solve in f64, and the residual. Each method runs once, within twice the time
 * of the fastest one so far, or three methods within 3 s if none converges; the advised one and the
 * fastest three run three times, and the least time counts. --all prints every method.
 * --cpu, with one thread, measures processor time: for machines with other load. */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "advise/solve.h"
#include "advise_families.h"
#include "advise_matrices.h"
#include "frame.h"
#include "steno/blas.h"
#include "steno/market.h"
#include "steno/sparse_optimize.h"

enum { MOST = 128, FINALISTS = 3, REPEATS = 2, EXPECTED_PRODUCTS = 1000 };

static stn_exec *exec;
static int prints_all, is_cpu;
static FILE *json;

typedef struct result {
    stn_solve_choice choice;
    double seconds, residual;
    int64_t iterations;
    int promotions, converged;
} result;

static double now(void)
{
    struct timespec time;
    clock_gettime(is_cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void solve(const stn_solve_advice *advice, int index, const stn_view *x, const stn_view *b,
                  result *r)
{
    stn_guard_report report = STN_GUARD_REPORT_INIT;
    bench_must(stn_view_fill(exec, x, 0.0));
    const double begin = now();
    const stn_status status = stn_solve_advised(exec, x, advice, index, b, &report);
    const double seconds = now() - begin;
    if (status != STN_OK && status != STN_ERR_CONVERGENCE)
        bench_must(status);
    r->choice = advice->list[index];
    r->converged = report.converged;
    r->promotions = report.promotions;
    r->residual = report.residual;
    r->iterations = report.iterations;
    r->seconds = fmin(r->seconds, seconds);
}

/* Every method of the list, the fastest of which run again. Limits are those of the elapsed time,
 * of which other load takes a part. */
static int try_all(stn_solve_advice *advice, const stn_view *x, const stn_view *b, result *list)
{
    const double load = is_cpu ? 6.0 : 1.0;
    int best = 0;
    for (int k = 0; k < advice->count; k++)
        list[k] = (result){.seconds = (double)INFINITY, .choice = advice->list[k]};
    for (int k = 0; k < advice->count && (list[best].converged || k < FINALISTS); k++) {
        advice->options.max_seconds = k == 0 ? 20.0 * load : advice->options.max_seconds;
        solve(advice, k, x, b, &list[k]);
        if (list[k].converged && (!list[best].converged || list[k].seconds < list[best].seconds))
            best = k;
        advice->options.max_seconds =
            list[best].converged ? load * fmax(0.02, 2.0 * list[best].seconds) : 3.0 * load;
    }
    const double limit = 1.25 * list[best].seconds;
    for (int round = 0; round < REPEATS; round++)
        for (int k = 0; k < advice->count; k++)
            if (list[k].converged && (k == 0 || list[k].seconds <= limit)) {
                advice->options.max_seconds = 0.0;
                solve(advice, k, x, b, &list[k]);
            }
    for (int k = 0; k < advice->count; k++)
        if (list[k].converged && list[k].seconds < list[best].seconds)
            best = k;
    return best;
}

static const result *plain_of(const result *list, int count)
{
    for (int k = 0; k < count; k++) {
        const stn_solve_choice *const c = &list[k].choice;
        if (c->preconditioner == STN_ADVISE_NO_PRECONDITIONER && !c->is_equilibrated &&
            c->method != STN_SOLVER_REFINEMENT && c->method != STN_SOLVER_MINRES &&
            c->method != STN_SOLVER_BICGSTAB &&
            (c->basis_format == STN_F64 || c->basis_format == STN_C128))
            return &list[k];
    }
    return &list[0];
}

static void print_all(const char *name, const stn_solve_advice *advice, const result *list)
{
    for (int k = 0; k < advice->count; k++) {
        const char *const text = list[k].choice.text;
        if (prints_all)
            printf("    %-44s %9.4f s, predicted %9.4f; %6lld iterations, predicted %6.0f; "
                   "%d promotions, %s%.1e\n",
                   text, list[k].seconds, list[k].choice.seconds, (long long)list[k].iterations,
                   list[k].choice.iterations, list[k].promotions,
                   list[k].converged ? "" : "not converged, ", list[k].residual);
        if (json)
            fprintf(json,
                    "{\"matrix\": \"%s\", \"rows\": %lld, \"entries\": %lld, \"method\": \"%s\", "
                    "\"seconds\": %.6g, \"predicted\": %.6g, \"iterations\": %lld, "
                    "\"predicted_iterations\": %.6g, \"converged\": %d, \"promotions\": %d, "
                    "\"product\": %.4g, \"byte\": %.4g, \"dominance\": %.6g, "
                    "\"mean_dominance\": %.6g, \"bandwidth\": %lld, \"diagonal_spread\": %.4g, "
                    "\"row_spread\": %.4g}\n",
                    name, (long long)advice->rows, (long long)advice->entries, text,
                    list[k].seconds, list[k].choice.seconds, (long long)list[k].iterations,
                    list[k].choice.iterations, list[k].converged, list[k].promotions,
                    advice->times.product, advice->times.byte, advice->traits.dominance,
                    advice->traits.mean_dominance, (long long)advice->traits.bandwidth,
                    advice->traits.diagonal_spread, advice->traits.row_spread);
    }
    fflush(stdout);
}

static void create_vectors(stn_format arithmetic, const stn_matrix *a, int64_t rows, stn_view *x,
                           stn_view *b)
{
    bench_must(stn_view_create(exec, x, "x", stn_storage_of(arithmetic), 1, &rows));
    bench_must(stn_view_create(exec, b, "b", stn_storage_of(arithmetic), 1, &rows));
    bench_must(stn_view_fill(exec, x, 1.0));
    for (int64_t k = 0; arithmetic == STN_F64 && k < rows; k++)
        ((double *)x->data)[k] = 1.0 + 0.5 * sin(0.37 * (double)k);
    bench_must(stn_spmv(exec, arithmetic, 1.0, a, x, 0.0, b));
}

static void run(const char *name, stn_matrix *a)
{
    static result list[MOST];
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    stn_solve_advice *advice;
    stn_view x, b;
    bench_must(stn_matrix_describe(a, &info));
    const stn_format arithmetic = info.storage.format == STN_C128 ? STN_C128 : STN_F64;
    create_vectors(arithmetic, a, info.rows, &x, &b);
    bench_must(stn_matrix_optimize(exec, arithmetic, a, EXPECTED_PRODUCTS, NULL, NULL));
    const double begin = now();
    bench_must(stn_advise_solve(exec, &advice, a, NULL));
    const double cost = now() - begin;
    const int best = try_all(advice, &x, &b, list);
    const result *const plain = plain_of(list, advice->count);
    printf("%-18s %8lld %-38s %9.4f  %-38s %9.4f %6.2f %6.1f %6.3f %9.1e%s\n", name,
           (long long)info.rows, list[0].choice.text, list[0].seconds, list[best].choice.text,
           list[best].seconds, list[0].seconds / list[best].seconds, cost / advice->times.product,
           cost / plain->seconds, list[0].residual, list[0].converged ? "" : " MISSED");
    print_all(name, advice, list);
    stn_solve_advice_release(advice);
    (void)stn_view_release(&x);
    (void)stn_view_release(&b);
}

static void run_file(const char *path)
{
    stn_market_matrix read = STN_MARKET_MATRIX_INIT;
    stn_matrix *file, *wide;
    const char *const slash = strrchr(path, '/');
    bench_must(stn_market_read_file(&read, path, 0));
    bench_must(stn_market_wrap(&file, &read, path));
    const stn_storage storage =
        stn_storage_of(read.field == STN_MARKET_COMPLEX ? STN_C128 : STN_F64);
    bench_must(stn_sparse_convert(exec, &wide, file, STN_MATRIX_CSR, &storage));
    run(slash ? slash + 1 : path, wide);
    stn_matrix_release(wide);
    stn_matrix_release(file);
    stn_market_release(&read);
}

static void run_generated(const bench_matrix *of)
{
    stn_matrix *const a = bench_matrix_create(of);
    run(of->name, a);
    bench_matrix_release(a);
}

static void run_family(const bench_family *of)
{
    bench_rows rows;
    stn_matrix *const a = bench_family_create(of, &rows);
    run(of->name, a);
    bench_family_release(a, &rows);
}

static void run_name(const char *name)
{
    if (strstr(name, ".mtx")) {
        run_file(name);
        return;
    }
    for (const bench_matrix *of = bench_matrices; of->name; of++)
        if (strcmp(of->name, name) == 0) {
            run_generated(of);
            return;
        }
    for (const bench_family *of = bench_families; of->name; of++)
        if (strcmp(of->name, name) == 0) {
            run_family(of);
            return;
        }
    bench_fail(name);
}

static void run_all(int are_families)
{
    for (const bench_family *of = bench_families; are_families && of->name; of++)
        run_family(of);
    for (const bench_matrix *of = bench_matrices; !are_families && of->name; of++)
        run_generated(of);
}

int main(int count, char **words)
{
    static const struct option options[] = {
        {"threads", required_argument, NULL, 't'}, {"json", required_argument, NULL, 'j'},
        {"all", no_argument, NULL, 'a'},           {"cpu", no_argument, NULL, 'c'},
        {"families", no_argument, NULL, 'f'},      {NULL, 0, NULL, 0}};
    char resource[40] = "threads";
    int are_families = 0;
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;) {
        if (option == 't')
            snprintf(resource, sizeof resource, "threads:threads=%d", atoi(optarg));
        else if (option == 'a')
            prints_all = 1;
        else if (option == 'c')
            is_cpu = 1;
        else if (option == 'f')
            are_families = 1;
        else if (option != 'j' || !(json = fopen(optarg, "a")))
            bench_fail(
                "usage: bench_advise [--threads N] [--all] [--families] [--json FILE] [NAME | "
                "FILE]...");
    }
    bench_must(stn_exec_create(&exec, resource));
    stn_speeds speeds;
    bench_must(stn_advise_speeds(exec, &speeds)); /* once per process */
    printf("%-18s %8s %-38s %9s  %-38s %9s %6s %6s %6s %9s\n", "matrix", "rows", "advice", "s",
           "fastest", "s", "ratio", "prod.", "/ f64", "residual");
    for (int k = optind; k < count; k++)
        run_name(words[k]);
    if (optind == count)
        run_all(are_families);
    if (json)
        fclose(json);
    stn_exec_release(exec);
    return 0;
}
