/* Sparse products of oneMKL, opened at run time. */
#include "mkl.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

/* Constants of mkl_spblas.h and mkl_service.h. */
enum {
    INTERFACE_LP64 = 0,
    THREADING_SEQUENTIAL = 1,
    THREADING_GNU = 3,
    INDEX_BASE_ZERO = 0,
    NON_TRANSPOSE = 10,
    GENERAL = 20,
    EXPECTED_CALLS = 100000
};

typedef struct description { /* matrix_descr */
    int type, mode, diagonal;
} description;

static const description general = {GENERAL, 0, 0};

static struct {
    int (*set_interface)(int), (*set_threading)(int);
    void (*set_threads)(int);
    int (*create)(void **, int, int32_t, int32_t, int32_t *, int32_t *, int32_t *, double *);
    int (*hint)(void *, int, description, int32_t);
    int (*optimize)(void *);
    int (*multiply)(int, double, void *, description, const double *, double, double *);
    int (*destroy)(void *);
} mkl;

static void *open_library(void)
{
    static const char *const names[] = {"libmkl_rt.so", "libmkl_rt.so.3", "libmkl_rt.so.2"};
    const char *const named = getenv("STENO_BENCH_MKL");
    void *library = named ? dlopen(named, RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (named && !library)
        bench_fail(dlerror());
    for (size_t k = 0; !library && k < sizeof names / sizeof *names; k++)
        library = dlopen(names[k], RTLD_NOW | RTLD_GLOBAL);
    return library;
}

/* dlsym returns a data pointer, which C does not convert to a function pointer. */
static void find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    if (!symbol)
        bench_fail(dlerror());
    memcpy(function, &symbol, sizeof symbol);
}

int bench_mkl_open(int threads)
{
    void *const library = open_library();
    if (!library)
        return 0;
    find(library, "MKL_Set_Interface_Layer", &mkl.set_interface);
    find(library, "MKL_Set_Threading_Layer", &mkl.set_threading);
    find(library, "MKL_Set_Num_Threads", &mkl.set_threads);
    find(library, "mkl_sparse_d_create_csr", &mkl.create);
    find(library, "mkl_sparse_set_mv_hint", &mkl.hint);
    find(library, "mkl_sparse_optimize", &mkl.optimize);
    find(library, "mkl_sparse_d_mv", &mkl.multiply);
    find(library, "mkl_sparse_destroy", &mkl.destroy);
    mkl.set_interface(INTERFACE_LP64);
    mkl.set_threading(threads == 1 ? THREADING_SEQUENTIAL : THREADING_GNU);
    mkl.set_threads(threads);
    return 1;
}

static void must(int status)
{
    if (status != 0)
        bench_fail("a function of oneMKL failed");
}

void bench_mkl_create(bench_mkl_matrix *a, const bench_csr *rows)
{
    a->start = bench_allocate(rows->rows + 1, sizeof *a->start);
    for (int64_t r = 0; r <= rows->rows; r++)
        a->start[r] = (int32_t)rows->start[r];
    must(mkl.create(&a->handle, INDEX_BASE_ZERO, (int32_t)rows->rows, (int32_t)rows->columns,
                    a->start, a->start + 1, rows->column, rows->value));
    must(mkl.hint(a->handle, NON_TRANSPOSE, general, EXPECTED_CALLS));
    must(mkl.optimize(a->handle));
}

void bench_mkl_multiply(const bench_mkl_matrix *a, const double *x, double *y)
{
    must(mkl.multiply(NON_TRANSPOSE, 1.0, a->handle, general, x, 0.0, y));
}

void bench_mkl_release(bench_mkl_matrix *a)
{
    must(mkl.destroy(a->handle));
    free(a->start);
}
