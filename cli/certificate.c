/* Certificates of steno advise: JSON files with figures that can be computed again. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise.h"
#include "core/status.h"
#include "output.h"
#include "solve.h"

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
        return stn_fail(STN_ERR_IO, "cannot open %s: %s", path, strerror(errno));
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

/* A file and its checksum, unless `path` is NULL. */
static stn_status add_file(json_t *object, const char *key, const char *path)
{
    char sum[24], sum_key[32];
    if (!path)
        return STN_OK;
    snprintf(sum_key, sizeof sum_key, "%s_checksum", key);
    const stn_status status = file_checksum(path, sum);
    if (status == STN_OK && object) {
        json_object_set_new(object, key, json_string(path));
        json_object_set_new(object, sum_key, json_string(sum));
    }
    return status;
}

/* Writes the files, followed by the figures. `key` is the name of the vector. */
static stn_status write_with_files(const advise_job *job, const char *kind, json_t *figures,
                                   const char *key, const char *vector)
{
    json_t *object = figures ? json_pack("{s:s}", "certificate", kind) : NULL;
    stn_status status = add_file(object, "file", job->path);
    if (status == STN_OK)
        status = add_file(object, key, vector);
    if (object)
        json_object_update(object, figures);
    json_decref(figures);
    if (status == STN_OK)
        return write_object(job, object);
    json_decref(object);
    return status;
}

stn_status certificate_write_array(const advise_job *job, const advise_stored *stored)
{
    if (!stored->storage[0])
        return stn_fail(STN_ERR_CONVERGENCE, "no storage meets the target; nothing is certified");
    json_t *const object = json_pack(
        "{s:s, s:s, s:I, s:I, s:f, s:f}", "target", job->target_text ? job->target_text : "max=0",
        "storage", stored->storage, "elements", (json_int_t)stored->elements, "bytes",
        (json_int_t)stored->bytes, "max_error", stored->max_error, "rms_error", stored->rms_error);
    return write_with_files(job, "array", object, "", NULL);
}

/* A number, or null if it is infinite. */
static json_t *finite_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

stn_status certificate_write_solve(const advise_solve_job *s, const stn_guard_report *report)
{
    const advise_job *const job = s->job;
    const stn_solve_choice *const used = &s->used;
    stn_solve_choice advised = STN_SOLVE_CHOICE_INIT;
    char x_sum[24];
    STN_TRY(vector_checksum(&s->x, s->arithmetic, x_sum));
    STN_TRY(stn_solve_advice_describe(s->advice, 0, &advised));
    json_t *const object = json_pack(
        "{s:f, s:I, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:f, s:f, s:I, s:I, s:s}", "target",
        job->solve.target, "memory", (json_int_t)job->solve.max_bytes, "advised_method",
        advised.text, "method", used->text, "restart", (json_int_t)used->restart,
        "orthogonalization", advise_orthogonalization(used), "matrix_format",
        advise_format_name(used->matrix_format), "basis_format",
        advise_format_name(used->basis_format), "preconditioner_format",
        advise_format_name(used->preconditioner_format), "residual", report->residual,
        "backward_error", report->backward_error, "iterations", (json_int_t)report->iterations,
        "promotions", (json_int_t)report->promotions, "solution_checksum", x_sum);
    if (object && job->is_condition) {
        json_object_set_new(object, "condition_estimate", json_real(s->condition));
        json_object_set_new(object, "forward_error_estimate", finite_or_null(s->forward_error));
    }
    return write_with_files(job, "solve", object, "rhs", job->rhs);
}

stn_status certificate_write_product(const advise_job *job, const advise_product *figures)
{
    char y_sum[24];
    STN_TRY(vector_checksum(figures->y, STN_F64, y_sum));
    json_t *const object = json_pack(
        "{s:s, s:s, s:f, s:s, s:f, s:I, s:f, s:f, s:f, s:s}", "target",
        job->target_text ? job->target_text : "relative-max=1e-6", "matrix_format",
        figures->matrix_format, "matrix_scale", figures->matrix_scale, "vector_format",
        figures->vector_format, "vector_scale", figures->vector_scale, "bytes",
        (json_int_t)figures->bytes, "max_bound", figures->max_bound, "relative_bound",
        figures->relative_bound, "max_error", figures->max_error, "product_checksum", y_sum);
    return write_with_files(job, "product", object, "vector", job->vector);
}

/* ---- reading ---- */

typedef struct certificate {
    json_t *object;
    json_t *unread; /* members that no check has read */
    const char *path, *kind, *file;
} certificate;

static const json_t *member_of(const certificate *c, const char *key)
{
    json_object_del(c->unread, key);
    return json_object_get(c->object, key);
}

static stn_status wrong_type(const certificate *c, const char *key, const json_t *member,
                             const char *type)
{
    return stn_fail(STN_ERR_PARSE, "%s: \"%s\" %s; it must be %s", c->path, key,
                    member ? "has another type" : "is missing", type);
}

static stn_status text_of(const certificate *c, const char *key, const char **text)
{
    const json_t *const member = member_of(c, key);
    *text = json_string_value(member);
    return *text ? STN_OK : wrong_type(c, key, member, "a text");
}

static stn_status number_of(const certificate *c, const char *key, double *value)
{
    const json_t *const member = member_of(c, key);
    *value = json_number_value(member);
    return json_is_number(member) ? STN_OK : wrong_type(c, key, member, "a number");
}

static stn_status integer_of(const certificate *c, const char *key, int64_t *value)
{
    const json_t *const member = member_of(c, key);
    *value = json_integer_value(member);
    return json_is_integer(member) ? STN_OK : wrong_type(c, key, member, "an integer");
}

/* A file with the certified checksum. */
static stn_status file_of(const certificate *c, const char *key, const char *what,
                          const char **path)
{
    const char *wanted;
    char sum[24], sum_key[32];
    snprintf(sum_key, sizeof sum_key, "%s_checksum", key);
    STN_TRY(text_of(c, key, path));
    STN_TRY(text_of(c, sum_key, &wanted));
    STN_TRY(file_checksum(*path, sum));
    return strcmp(sum, wanted) == 0
               ? STN_OK
               : stn_fail(STN_ERR_PARSE,
                          "%s: %s %s is not the file that was certified: its checksum "
                          "is %s, not %s",
                          c->path, what, *path, sum, wanted);
}

/* The same, or NULL if the certificate has neither the file nor a checksum. */
static stn_status optional_file_of(const certificate *c, const char *key, const char *what,
                                   const char **path)
{
    char sum_key[32];
    snprintf(sum_key, sizeof sum_key, "%s_checksum", key);
    *path = NULL;
    if (!json_object_get(c->object, key) && !json_object_get(c->object, sum_key))
        return STN_OK;
    return file_of(c, key, what, path);
}

/* ---- comparing ---- */

static stn_status expect_number(const certificate *c, const char *key, double found)
{
    double wanted;
    STN_TRY(number_of(c, key, &wanted));
    if (fabs(found - wanted) <= AGREEMENT * fabs(wanted))
        return STN_OK;
    return stn_fail(STN_ERR_PARSE, "%s: %s is %.10g, not %.10g as certified", c->path, key, found,
                    wanted);
}

static stn_status expect_integer(const certificate *c, const char *key, int64_t found)
{
    int64_t wanted;
    STN_TRY(integer_of(c, key, &wanted));
    return found == wanted
               ? STN_OK
               : stn_fail(STN_ERR_PARSE, "%s: %s is %" PRId64 ", not %" PRId64 " as certified",
                          c->path, key, found, wanted);
}

static stn_status expect_text(const certificate *c, const char *key, const char *found)
{
    const char *wanted;
    STN_TRY(text_of(c, key, &wanted));
    return strcmp(found, wanted) == 0 ? STN_OK
                                      : stn_fail(STN_ERR_PARSE, "%s: %s is %s, not %s as certified",
                                                 c->path, key, found, wanted);
}

static stn_status expect_checksum(const certificate *c, const char *key, const stn_view *vector,
                                  stn_format arithmetic)
{
    char sum[24];
    STN_TRY(vector_checksum(vector, arithmetic, sum));
    return expect_text(c, key, sum);
}

/* Every member has been read. */
static stn_status expect_end(const certificate *c)
{
    const char *const key = json_object_iter_key(json_object_iter(c->unread));
    return key ? stn_fail(STN_ERR_PARSE, "%s: the key \"%s\" is unknown", c->path, key) : STN_OK;
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
    STN_TRY(expect_integer(c, "elements", found.elements));
    STN_TRY(expect_integer(c, "bytes", found.bytes));
    STN_TRY(expect_number(c, "max_error", found.max_error));
    STN_TRY(expect_number(c, "rms_error", found.rms_error));
    STN_TRY(expect_end(c));
    printf("%s: %s of %s has a maximum error of %.3g and an rms error of %.3g, as certified\n",
           c->path, storage, c->file, found.max_error, found.rms_error);
    return STN_OK;
}

/* The index of the method with which the solve began. */
static stn_status find_method(const certificate *c, const advise_solve_job *s, int *index)
{
    const char *method;
    STN_TRY(text_of(c, "advised_method", &method));
    for (*index = 0; *index < stn_solve_advice_count(s->advice); ++*index) {
        stn_solve_choice choice = STN_SOLVE_CHOICE_INIT;
        STN_TRY(stn_solve_advice_describe(s->advice, *index, &choice));
        if (strcmp(choice.text, method) == 0)
            return STN_OK;
    }
    return stn_fail(STN_ERR_PARSE, "%s: no method is called '%s'", c->path, method);
}

static stn_status expect_used(const certificate *c, const stn_solve_choice *used)
{
    STN_TRY(expect_text(c, "method", used->text));
    STN_TRY(expect_integer(c, "restart", used->restart));
    STN_TRY(expect_text(c, "orthogonalization", advise_orthogonalization(used)));
    STN_TRY(expect_text(c, "matrix_format", advise_format_name(used->matrix_format)));
    STN_TRY(expect_text(c, "basis_format", advise_format_name(used->basis_format)));
    return expect_text(c, "preconditioner_format", advise_format_name(used->preconditioner_format));
}

/* The forward error follows from the certified backward error and condition number. */
static stn_status expect_forward_error(const certificate *c, double condition,
                                       const stn_guard_report *report)
{
    static const char key[] = "forward_error_estimate";
    const double error = advise_forward_error(report, condition);
    if (isfinite(error))
        return expect_number(c, key, error);
    const json_t *const member = member_of(c, key);
    return json_is_null(member) ? STN_OK : wrong_type(c, key, member, "null");
}

/* Estimates depend on the advised methods. They agree within a factor of 10. */
static stn_status check_estimate(const certificate *c, advise_solve_job *s,
                                 const stn_guard_report *report)
{
    double wanted;
    if (!json_object_get(c->object, "condition_estimate") &&
        !json_object_get(c->object, "forward_error_estimate"))
        return STN_OK;
    STN_TRY(number_of(c, "condition_estimate", &wanted));
    STN_TRY(expect_forward_error(c, wanted, report));
    STN_TRY(advise_estimate_error(s, report));
    if (!(s->condition <= 10.0 * wanted && wanted <= 10.0 * s->condition))
        return stn_fail(STN_ERR_PARSE, "%s: condition_estimate is about %.3g, not %.3g", c->path,
                        s->condition, wanted);
    return STN_OK;
}

static stn_status check_solution(const certificate *c, advise_solve_job *s)
{
    stn_guard_report report = STN_GUARD_REPORT_INIT;
    int index;
    STN_TRY(find_method(c, s, &index));
    STN_TRY(advise_solve_once(s, index, &report));
    STN_TRY(expect_number(c, "residual", report.residual));
    STN_TRY(expect_number(c, "backward_error", report.backward_error));
    if (report.residual > s->job->solve.target)
        return stn_fail(STN_ERR_CONVERGENCE, "%s: the residual %.3g exceeds the target %.3g",
                        c->path, report.residual, s->job->solve.target);
    STN_TRY(expect_used(c, &s->used));
    STN_TRY(expect_integer(c, "iterations", report.iterations));
    STN_TRY(expect_integer(c, "promotions", report.promotions));
    STN_TRY(expect_checksum(c, "solution_checksum", &s->x, s->arithmetic));
    STN_TRY(check_estimate(c, s, &report));
    STN_TRY(expect_end(c));
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
    STN_TRY(integer_of(c, "memory", &job->solve.max_bytes));
    STN_TRY(optional_file_of(c, "rhs", "the right-hand side", &job->rhs));
    job->path = c->file;
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
    STN_TRY(expect_number(c, "matrix_scale", found->matrix_scale));
    STN_TRY(expect_number(c, "vector_scale", found->vector_scale));
    STN_TRY(expect_integer(c, "bytes", found->bytes));
    STN_TRY(expect_number(c, "max_bound", found->max_bound));
    STN_TRY(expect_number(c, "relative_bound", found->relative_bound));
    STN_TRY(expect_number(c, "max_error", found->max_error));
    STN_TRY(expect_checksum(c, "product_checksum", found->y, STN_F64));
    STN_TRY(expect_end(c));
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
    STN_TRY(optional_file_of(c, "vector", "the vector", &job->vector));
    job->path = c->file;
    return advise_product_again(job, &figures, compare_product, c);
}

static stn_status read_flags(const certificate *c, advise_job *job)
{
    for (int k = 0; k < FLAGS; k++) {
        const json_t *const member = member_of(c, market_flags[k].name);
        if (member && !json_is_true(member))
            return wrong_type(c, market_flags[k].name, member, "true");
        if (member)
            job->market |= market_flags[k].flag;
    }
    return STN_OK;
}

static stn_status check(certificate *c, advise_job *job)
{
    STN_TRY(text_of(c, "certificate", &c->kind));
    STN_TRY(file_of(c, "file", "the file", &c->file));
    STN_TRY(read_flags(c, job));
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
        return error.line > 0 ? stn_fail(STN_ERR_PARSE, "%s is no certificate: line %d: %s",
                                         job->path, error.line, error.text)
                              : stn_fail(STN_ERR_IO, "%s", error.text);
    c.unread = json_copy(c.object);
    const stn_status status =
        c.unread ? check(&c, job) : stn_fail(STN_ERR_MEMORY, "no memory for %s", job->path);
    json_decref(c.unread);
    json_decref(c.object);
    return status;
}
