/* An array of compressed blocks: created, saved, and used by a reduction as any other view. */
#include <math.h>
#include <stdio.h>

#include "steno/archive.h"
#include "steno/array_functions.h"

enum { N = 200 };

static double field[N][N];

static int failed(stn_status status)
{
    if (status != STN_OK)
        fprintf(stderr, "%s\n", stn_error());
    return status != STN_OK;
}

int main(void)
{
    const int64_t extents[] = {N, N};
    stn_exec *exec;
    stn_view plain, compressed;
    stn_archive *archive;
    double exact, sum;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            field[i][j] = sin(0.02 * i) * cos(0.03 * j);
    stn_archive_options options = STN_INIT(stn_archive_options, .codec = "sz:error=1e-6");
    stn_archive_info info = STN_ARCHIVE_INFO_INIT;
    if (failed(stn_exec_create(&exec, "threads")) ||
        failed(stn_view_wrap(&plain, "field", stn_storage_of(STN_F64), field, 2, extents)) ||
        failed(stn_archive_pack(exec, &archive, STN_F64, &plain, &options)) ||
        failed(stn_archive_describe(archive, &info)) ||
        failed(stn_archive_view(&compressed, archive)) ||
        failed(stn_sum(exec, STN_F64, &exact, &plain)) ||
        failed(stn_sum(exec, STN_F64, &sum, &compressed)))
        return 1;
    printf("smaller than a fifth: %s\n", info.ratio > 5.0 ? "yes" : "no");
    printf("error of the sum within the bound: %s\n",
           fabs(sum - exact) <= info.error_bound * N * N ? "yes" : "no");
    stn_view_release(&compressed);
    stn_archive_release(archive);
    stn_exec_release(exec);
    return 0;
}
