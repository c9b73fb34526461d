/* Certificates of steno advise: JSON files with figures that can be computed again. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise.h"
#include "output.h"

/* Figures are computed in the same order on every machine; decimal digits are rounded. */
static const double AGREEMENT = 1e-9;

/* FNV-1a. */
static uint64_t checksum(const void *bytes, size_t count, uint64_t sum)
{
    const unsigned char *const byte = bytes;
    for (size_t k = 0; k < count; k++)
        sum = (sum ^ byte[k]) * UINT64_C(1099511628211);
    return sum;
}

static stn_status file_checksum(const char *path, char text[24])
{
    char buffer[4096];
    uint64_t sum = UINT64_C(14695981039346656037);
    FILE *const file = fopen(path, "rb");
    if (!file)
        return stn_fail(STN_ERR_IO, "cannot open %s", path);
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, file)) > 0;)
        sum = checksum(buffer, count, sum);
    const int failed = ferror(file);
    fclose(file);
    snprintf(text, 24, "%016" PRIx64, sum);
    return failed ? stn_fail(STN_ERR_IO, "cannot read %s", path) : STN_OK;
}

static stn_status vector_checksum(const stn_view *x, stn_format arithmetic, char text[24])
{
    const size_t bytes = (size_t)x->extent[0] * (arithmetic == STN_C128 ? 16 : 8);
    snprintf(text, 24, "%016" PRIx64, checksum(x->data, bytes, UINT64_C(14695981039346656037)));
    return STN_OK;
}

/* Options that decide how Matrix Market files are read. */
static const struct {
    const char *name;
    unsigned flag;
} market_flags[] = {{"sum", STN_MARKET_SUM}, {"lenient", STN_MARKET_LENIENT}};
enum { FLAGS = sizeof market_flags / sizeof *market_flags };

static stn_status write_object(const advise_job *job, json_t *object)
{
    const char *const path = job->certificate;
    for (int k = 0; object && k < FLAGS; k++)
        if (job->market & market_flags[k].flag)
            json_object_set_new(object, market_flags[k].name, json_true());
    char *const text = object ? json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(object);
    if (!text)
        return stn_fail(STN_ERR_MEMORY, "not enough memory for the certificate %s", path);
    const size_t length = strlen(text);
    char *const line = malloc(length + 2);
    stn_status status = STN_ERR_MEMORY;
    if (line) {
        memcpy(line, text, length);
        memcpy(line + length, "\n", 2);
        status = output_write(path, line, length + 1);
    }
    free(line);
    free(text);
    return status;
}

/* ---- writing ---- */

stn_status certificate_write_array(const advise_job *job, const advise_stored *stored)
{
    char sum[24];
    if (!stored->storage[0])
        return stn_fail(STN_ERR_CONVERGENCE, "no storage meets the target; nothing is certified");
    STN_TRY(file_checksum(job->path, sum));
    return write_object(
        job, json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:f, s:f}", "certificate", "array",
                       "file", job->path, "file_checksum", sum, "target",
                       job->target_text ? job->target_text : "max=0", "storage", stored->storage,
                       "elements", (json_int_t)stored->elements, "bytes", (json_int_t)stored->bytes,
                       "max_error", stored->max_error, "rms_error", stored->rms_error));
}

stn_status certificate_write_solve(const advise_solve_job *s, const stn_guard_report *report)
{
    const advise_job *const job = s->job;
    stn_solve_choice choice = STN_SOLVE_CHOICE_INIT;
    char sum[24], x_sum[24];
    STN_TRY(file_checksum(job->path, sum));
    STN_TRY(vector_checksum(&s->x, s->arithmetic, x_sum));
    STN_TRY(stn_solve_advice_describe(s->advice, 0, &choice));
    json_t *const object =
        json_pack("{s:s, s:s, s:s, s:f, s:s, s:f, s:f, s:I, s:I, s:s}", "certificate", "solve",
                  "file", job->path, "file_checksum", sum, "target", job->solve.target, "method",
                  choice.text, "residual", report->residual, "backward_error",
                  report->backward_error, "iterations", (json_int_t)report->iterations,
                  "promotions", (json_int_t)report->promotions, "solution_checksum", x_sum);
    if (object && job->rhs)
        json_object_set_new(object, "rhs", json_string(job->rhs));
    if (object && job->is_condition) {
        json_object_set_new(object, "condition_estimate", json_real(s->condition));
        json_object_set_new(object, "forward_error_estimate",
                            isfinite(s->forward_error) ? json_real(s->forward_error) : json_null());
    }
    return write_object(job, object);
}

stn_status certificate_write_product(const advise_job *job, const advise_product *figures)
{
    char sum[24], y_sum[24];
    STN_TRY(file_checksum(job->path, sum));
    STN_TRY(vector_checksum(figures->y, STN_F64, y_sum));
    json_t *const object = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:f, s:s, s:f, s:I, s:f, s:f, s:f, s:s}", "certificate",
        "product", "file", job->path, "file_checksum", sum, "target",
        job->target_text ? job->target_text : "relative-max=1e-6", "matrix_format",
        figures->matrix_format, "matrix_scale", figures->matrix_scale, "vector_format",
        figures->vector_format, "vector_scale", figures->vector_scale, "bytes",
        (json_int_t)figures->bytes, "max_bound", figures->max_bound, "relative_bound",
        figures->relative_bound, "max_error", figures->max_error, "product_checksum", y_sum);
    if (object && job->vector)
        json_object_set_new(object, "vector", json_string(job->vector));
    return write_object(job, object);
}

/* ---- checking ---- */

typedef struct certificate {
    json_t *object;
    const char *path, *kind, *file;
} certificate;

static stn_status text_of(const certificate *c, const char *key, const char **text)
{
    *text = json_string_value(json_object_get(c->object, key));
    return *text ? STN_OK : stn_fail(STN_ERR_PARSE, "%s: the text \"%s\" is missing", c->path, key);
}

static stn_status number_of(const certificate *c, const char *key, double *value)
{
    const json_t *const member = json_object_get(c->object, key);
    *value = json_number_value(member);
    return json_is_number(member)
               ? STN_OK
               : stn_fail(STN_ERR_PARSE, "%s: the number \"%s\" is missing", c->path, key);
}

static stn_status expect_file(const certificate *c)
{
    const char *wanted;
    char sum[24];
    STN_TRY(text_of(c, "file_checksum", &wanted));
    STN_TRY(file_checksum(c->file, sum));
    return strcmp(sum, wanted) == 0
               ? STN_OK
               : stn_fail(STN_ERR_PARSE,
                          "%s: %s is not the file that was certified: its checksum "
                          "is %s, not %s",
                          c->path, c->file, sum, wanted);
}

static stn_status expect_number(const certificate *c, const char *key, double found)
{
    double wanted;
    STN_TRY(number_of(c, key, &wanted));
    if (fabs(found - wanted) <= AGREEMENT * fabs(wanted))
        return STN_OK;
    return stn_fail(STN_ERR_PARSE, "%s: %s is %.10g, not %.10g as certified", c->path, key, found,
                    wanted);
}

static stn_status check_array(const certificate *c, advise_job *job)
{
    advise_stored found = {.bytes = 0};
    const char *storage;
    STN_TRY(text_of(c, "storage", &storage));
    STN_TRY(text_of(c, "target", &job->target_text));
    STN_TRY(advise_parse_target(job));
    snprintf(found.storage, sizeof found.storage, "%s", storage);
    STN_TRY(advise_with_array(job, c->file, advise_array_again, &found));
    if (!found.meets_target)
        return stn_fail(STN_ERR_CONVERGENCE, "%s: %s of %s misses the target %s", c->path, storage,
                        c->file, job->target_text);
    STN_TRY(expect_number(c, "elements", (double)found.elements));
    STN_TRY(expect_number(c, "max_error", found.max_error));
    STN_TRY(expect_number(c, "rms_error", found.rms_error));
    printf("%s: %s of %s has a maximum error of %.3g and an rms error of %.3g, as certified\n",
           c->path, storage, c->file, found.max_error, found.rms_error);
    return STN_OK;
}

/* The index of the certified method. */
static stn_status find_method(const certificate *c, const advise_solve_job *s, int *index)
{
    const char *method;
    STN_TRY(text_of(c, "method", &method));
    for (*index = 0; *index < stn_solve_advice_count(s->advice); ++*index) {
        stn_solve_choice choice = STN_SOLVE_CHOICE_INIT;
        STN_TRY(stn_solve_advice_describe(s->advice, *index, &choice));
        if (strcmp(choice.text, method) == 0)
            return STN_OK;
    }
    return stn_fail(STN_ERR_PARSE, "%s: no method is called '%s'", c->path, method);
}

/* Estimates depend on the advised methods. They agree within a factor of 10. */
static stn_status check_estimate(const certificate *c, advise_solve_job *s,
                                 const stn_guard_report *report)
{
    double wanted;
    if (!json_object_get(c->object, "condition_estimate"))
        return STN_OK;
    STN_TRY(number_of(c, "condition_estimate", &wanted));
    STN_TRY(advise_estimate_error(s, report));
    if (!(s->condition <= 10.0 * wanted && wanted <= 10.0 * s->condition))
        return stn_fail(STN_ERR_PARSE, "%s: condition_estimate is about %.3g, not %.3g", c->path,
                        s->condition, wanted);
    return STN_OK;
}

static stn_status check_solution(const certificate *c, advise_solve_job *s)
{
    stn_guard_report report = STN_GUARD_REPORT_INIT;
    const char *wanted;
    char sum[24];
    int index;
    STN_TRY(find_method(c, s, &index));
    STN_TRY(text_of(c, "solution_checksum", &wanted));
    STN_TRY(advise_solve_once(s, index, &report));
    STN_TRY(vector_checksum(&s->x, s->arithmetic, sum));
    STN_TRY(expect_number(c, "residual", report.residual));
    STN_TRY(expect_number(c, "backward_error", report.backward_error));
    if (report.residual > s->job->solve.target)
        return stn_fail(STN_ERR_CONVERGENCE, "%s: the residual %.3g exceeds the target %.3g",
                        c->path, report.residual, s->job->solve.target);
    if (strcmp(sum, wanted) != 0)
        return stn_fail(STN_ERR_PARSE, "%s: the solution has the checksum %s, not %s as certified",
                        c->path, sum, wanted);
    STN_TRY(check_estimate(c, s, &report));
    printf("%s: the solution of %s has a residual of %.3g and a backward error of %.3g, as "
           "certified, and the same bits\n",
           c->path, c->file, report.residual, report.backward_error);
    if (isfinite(s->condition))
        printf("%s: estimated again: condition number %.3g, forward error %.2g\n", c->path,
               s->condition, s->forward_error);
    return STN_OK;
}

static stn_status check_solve(const certificate *c, advise_job *job)
{
    advise_solve_job s = {.job = job, .file = STN_MARKET_MATRIX_INIT, .condition = (double)NAN};
    STN_TRY(number_of(c, "target", &job->solve.target));
    job->path = c->file;
    job->rhs = json_string_value(json_object_get(c->object, "rhs"));
    stn_status status = advise_solve_open(&s);
    if (status == STN_OK && !s.advice)
        status = stn_fail(STN_ERR_PARSE, "%s: %s is a dense matrix", c->path, c->file);
    if (status == STN_OK)
        status = check_solution(c, &s);
    advise_solve_close(&s);
    return status;
}

static stn_status compare_product(void *context, const advise_product *found)
{
    const certificate *const c = context;
    const char *wanted;
    char sum[24];
    STN_TRY(text_of(c, "product_checksum", &wanted));
    STN_TRY(expect_number(c, "max_bound", found->max_bound));
    STN_TRY(expect_number(c, "relative_bound", found->relative_bound));
    STN_TRY(expect_number(c, "max_error", found->max_error));
    STN_TRY(vector_checksum(found->y, STN_F64, sum));
    if (strcmp(sum, wanted) != 0)
        return stn_fail(STN_ERR_PARSE, "%s: the product has the checksum %s, not %s as certified",
                        c->path, sum, wanted);
    printf("%s: the product of %s with a matrix in %s and a vector in %s has a bound of %.3g and "
           "an error of %.3g, as certified, and the same bits\n",
           c->path, c->file, found->matrix_format, found->vector_format, found->max_bound,
           found->max_error);
    return STN_OK;
}

static stn_status check_product(certificate *c, advise_job *job)
{
    advise_product figures = {.bytes = 0};
    STN_TRY(text_of(c, "target", &job->target_text));
    STN_TRY(text_of(c, "matrix_format", &figures.matrix_format));
    STN_TRY(text_of(c, "vector_format", &figures.vector_format));
    STN_TRY(number_of(c, "matrix_scale", &figures.matrix_scale));
    STN_TRY(number_of(c, "vector_scale", &figures.vector_scale));
    job->path = c->file;
    job->vector = json_string_value(json_object_get(c->object, "vector"));
    return advise_product_again(job, &figures, compare_product, c);
}

static stn_status check(certificate *c, advise_job *job)
{
    STN_TRY(text_of(c, "certificate", &c->kind));
    STN_TRY(text_of(c, "file", &c->file));
    STN_TRY(expect_file(c));
    for (int k = 0; k < FLAGS; k++)
        if (json_is_true(json_object_get(c->object, market_flags[k].name)))
            job->market |= market_flags[k].flag;
    if (strcmp(c->kind, "array") == 0)
        return check_array(c, job);
    if (strcmp(c->kind, "solve") == 0)
        return check_solve(c, job);
    if (strcmp(c->kind, "product") == 0)
        return check_product(c, job);
    return stn_fail(STN_ERR_PARSE, "%s: the kind of certificate '%s' is unknown", c->path, c->kind);
}

stn_status certificate_check(advise_job *job)
{
    json_error_t error;
    certificate c = {.object = json_load_file(job->path, JSON_REJECT_DUPLICATES, &error),
                     .path = job->path};
    if (!c.object)
        return stn_fail(STN_ERR_PARSE, "%s is no certificate: line %d: %s", job->path, error.line,
                        error.text);
    const stn_status status = check(&c, job);
    json_decref(c.object);
    return status;
}
