/* The executor of all calls, scalars, and errors. */
#define _POSIX_C_SOURCE 200809L
#include "cblas/call.h"

#include <pthread.h>
#include <stdio.h>

#include "cblas/xerbla.h"

/* ---- the executor ---- */

_Atomic(const stn_exec *) stn_cblas_shared_exec;
static stn_exec *simple; /* the reference executor */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void create(void)
{
    stn_exec *all_threads;
    stn_status status = stn_exec_create(&all_threads, "threads");
    if (status == STN_ERR_ARGUMENT) { /* STENO_NUM_THREADS */
        (void)fprintf(stderr, "libsteno_cblas: %s; calls use one thread\n", stn_error());
        status = stn_exec_create(&all_threads, "threads:threads=1");
    }
    if (status == STN_OK && stn_exec_create(&simple, "reference") == STN_OK)
        atomic_store_explicit(&stn_cblas_shared_exec, all_threads, memory_order_release);
}

const stn_exec *stn_cblas_create_exec(void)
{
    pthread_once(&once, create);
    return atomic_load_explicit(&stn_cblas_shared_exec, memory_order_acquire);
}

const stn_exec *stn_cblas_exec_without_system(void)
{
    return simple;
}

/* ---- views and numbers ---- */

stn_status stn_cblas_separate(const stn_exec *exec, const stn_view *view, stn_view *copy)
{
    const stn_status status = stn_view_create_spec(
        exec, copy,
        &STN_VIEW_SPEC(.label = view->label, .storage = view->storage, .rank = view->rank,
                       .extents = view->extent, .flags = STN_CREATE_UNINITIALIZED));
    return status == STN_OK ? stn_view_copy(exec, copy, view) : status;
}

stn_c128 stn_cblas_number(stn_format format, const void *at)
{
    const double *const wide = at;
    const float *const narrow = at;
    switch (format) {
    case STN_F64:
        return stn_c128_of(wide[0], 0.0);
    case STN_F32:
        return stn_c128_of((double)narrow[0], 0.0);
    case STN_C128:
        return stn_c128_of(wide[0], wide[1]);
    default:
        return stn_c128_of((double)narrow[0], (double)narrow[1]);
    }
}

void stn_cblas_set_number(stn_format format, void *at, stn_c128 number)
{
    double *const wide = at;
    float *const narrow = at;
    if (format == STN_F64 || format == STN_C128)
        wide[0] = number.re;
    else
        narrow[0] = (float)number.re;
    if (format == STN_C128)
        wide[1] = number.im;
    if (format == STN_C64)
        narrow[1] = (float)number.im;
}

/* ---- errors ---- */

/* Argument positions that are exchanged in row-major calls, as in the transposed column-major
 * problem: the reference reports them like this, and cblas_xerbla functions written for it exchange
 * them back. */
static const struct {
    const char *operation;
    int arguments_of_call[4];
} transposed[] = {{"gemv", {3, 4}},       {"gbmv", {3, 4, 5, 6}},  {"ger", {2, 3, 6, 8}},
                  {"geru", {2, 3, 6, 8}}, {"gerc", {2, 3, 6, 8}},  {"her2", {6, 8}},
                  {"hpr2", {6, 8}},       {"gemm", {4, 5, 9, 11}}, {"symm", {4, 5}},
                  {"hemm", {4, 5}},       {"trmm", {6, 7}},        {"trsm", {6, 7}}};

static int transposed_argument(const char *operation, int argument)
{
    for (size_t k = 0; k < sizeof transposed / sizeof *transposed; k++) {
        const int *const arguments_of_call = transposed[k].arguments_of_call;
        for (int p = 0; strcmp(operation, transposed[k].operation) == 0 && p < 4; p++)
            if (arguments_of_call[p] == argument)
                return arguments_of_call[p ^ 1];
    }
    return argument;
}

/* "m" for position 3 of "trans, m, n". */
static void name_argument(const stn_cblas_call *call, int argument, char *name, size_t size)
{
    const char *at = argument == 1 ? "layout" : call->arguments;
    for (int k = 2; k < argument; k++)
        at = strchr(at, ',') + 2;
    (void)snprintf(name, size, "%.*s", (int)strcspn(at, ","), at);
}

static void report_to_c(const stn_cblas_call *call, int argument, const char *reason)
{
    char name[24];
    const int is_turned = call->layout == CblasRowMajor;
    (void)snprintf(name, sizeof name, "cblas_%s", call->name);
    RowMajorStrg = is_turned;
    cblas_xerbla(is_turned ? transposed_argument(call->name + 1, argument) : argument, name,
                 "%s: argument %d %s\n", name, argument, reason);
    RowMajorStrg = 0;
}

static _Thread_local const char *reason_of_call = "";

const char *stn_cblas_reason(void)
{
    return reason_of_call;
}

/* There is no layout, and names have 6 capitals or blanks. */
static void report_to_fortran(const stn_cblas_call *call, int argument, const char *reason)
{
    char name[7] = "      ";
    const int info = argument - 1;
    for (int k = 0; k < 6 && call->name[k]; k++)
        name[k] = stn_cblas_upper(call->name[k]);
    reason_of_call = reason;
    xerbla_(name, &info, 6);
    reason_of_call = "";
}

static int report(const stn_cblas_call *call, int argument, const char *value, const char *allowed)
{
    char name[16], reason[160];
    name_argument(call, argument, name, sizeof name);
    (void)snprintf(reason, sizeof reason, "(%s) is %s; it must %s", name, value, allowed);
    (call->is_fortran ? report_to_fortran : report_to_c)(call, argument, reason);
    return 1;
}

int stn_cblas_refuse_choice(const stn_cblas_call *call, int argument, int value,
                            stn_cblas_choice choice)
{
    static const struct {
        const char *values, *letters;
    } allowed[] = {
        [STN_CBLAS_IS_LAYOUT] = {"be CblasRowMajor (101) or CblasColMajor (102)", ""},
        [STN_CBLAS_IS_TRANSPOSE] = {"be CblasNoTrans (111), CblasTrans (112) or CblasConjTrans "
                                    "(113)",
                                    "be N, T or C"},
        [STN_CBLAS_IS_PLAIN_OR_TRANS] = {"be CblasNoTrans (111) or CblasTrans (112)", "be N or T"},
        [STN_CBLAS_IS_PLAIN_OR_CONJ] = {"be CblasNoTrans (111) or CblasConjTrans (113)",
                                        "be N or C"},
        [STN_CBLAS_IS_TRIANGLE] = {"be CblasUpper (121) or CblasLower (122)", "be U or L"},
        [STN_CBLAS_IS_DIAGONAL] = {"be CblasNonUnit (131) or CblasUnit (132)", "be N or U"},
        [STN_CBLAS_IS_SIDE] = {"be CblasLeft (141) or CblasRight (142)", "be L or R"}};
    const int letter = value - STN_CBLAS_LETTER;
    char text[24];
    if (!call->is_fortran)
        (void)snprintf(text, sizeof text, "%d", value);
    else if (letter > ' ' && letter < 127)
        (void)snprintf(text, sizeof text, "'%c'", letter);
    else if (letter >= 0)
        (void)snprintf(text, sizeof text, "character %d", letter);
    else /* a valid enumerator that this function does not support */
        (void)snprintf(text, sizeof text, "'%c'", "NTC"[value - CblasNoTrans]);
    return report(call, argument, text,
                  call->is_fortran ? allowed[choice].letters : allowed[choice].values);
}

int stn_cblas_refuse_number(const stn_cblas_call *call, int argument, int value, int64_t minimum)
{
    char text[16], allowed[40] = "not be 0";
    (void)snprintf(text, sizeof text, "%d", value);
    if (minimum != STN_CBLAS_NOT_ZERO)
        (void)snprintf(allowed, sizeof allowed, "be at least %lld", (long long)minimum);
    return report(call, argument, text, allowed);
}

void stn_cblas_expect(const stn_cblas_call *call, stn_status status)
{
    if (status != STN_OK)
        cblas_xerbla(0, call->name, "%s: %s\n", call->name, stn_error());
}
