/* Matrix Market files of benches, as compressed rows in f64. */
#ifndef STENO_BENCH_SPARSE_FILE_H
#define STENO_BENCH_SPARSE_FILE_H

#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "steno/market.h"

typedef struct bench_sparse_file {
    char name[17];
    stn_market_matrix read;
    stn_matrix *file, *a;
} bench_sparse_file;

static inline void bench_release_sparse(bench_sparse_file *f)
{
    stn_matrix_release(f->a);
    stn_matrix_release(f->file);
    stn_market_release(&f->read);
}

/* Returns 0 and prints the reason if values are not real. */
static inline int bench_read_sparse(bench_sparse_file *f, const char *path)
{
    const stn_storage f64 = stn_storage_of(STN_F64);
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    f->read = (stn_market_matrix)STN_MARKET_MATRIX_INIT;
    (void)snprintf(f->name, sizeof f->name, "%.*s", (int)strcspn(name, "."), name);
    bench_must(stn_market_read_file(&f->read, path, 0));
    bench_must(stn_market_wrap(&f->file, &f->read, path));
    if (stn_sparse_convert(NULL, &f->a, f->file, STN_MATRIX_CSR, &f64) == STN_OK)
        return 1;
    printf("%s: skipped: %s\n", path, stn_error());
    bench_release_sparse(f);
    return 0;
}

#endif
