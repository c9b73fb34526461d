/* A program of libsteno_market: a matrix is written and read; an error has a sentence in libsteno.
 */
#include <stdio.h>
#include <string.h>

#include <steno/market.h>

int main(void)
{
    double values[] = {1.5, -2};
    const stn_market_matrix matrix =
        STN_INIT(stn_market_matrix, .storage = STN_MARKET_DENSE, .rows = 2, .columns = 1,
                 .entries = 2, .value_format = STN_F64, .values = values);
    const char *const path = "installed.mtx.gz";
    stn_market_matrix read = STN_MARKET_MATRIX_INIT;
    if (stn_market_read_file(&read, "/none", 0) != STN_ERR_IO || !strstr(stn_error(), "none"))
        return 1;
    if (stn_market_write_file(&matrix, path) || stn_market_read_file(&read, path, 0)) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    const int same = memcmp(read.values, values, sizeof values) == 0;
    stn_market_release(&read);
    remove(path);
    printf("%s\n", stn_version());
    return !same;
}
