/* Rows of a band, whose parts are of type STN_FORMAT, f64 or f32, for STN_ISA: a lane holds the
 * sums of several rows, so that a diagonal is added to them at once. Real and imaginary parts are
 * separate, for the reason that blas/complex.c gives. */
#include "blas/band.h"
#include "format/vec.h"
#include "order/fold.h"

#include "blas/complex_lane.h"

STN_FN void add_real(value *lane, const stn_band_diagonal *d, const value *x, int64_t rows,
                     int is_first)
{
    const value *const a = d->a;
    for (int64_t r = 0; r < rows; r++)
        lane[r] = is_first ? a[r * d->step] * x[r] : STN_FUSE_PARTS(a[r * d->step], x[r], lane[r]);
}

STN_FN void add_complex(value *re, value *im, const stn_band_diagonal *d, const value *x,
                        int64_t rows, int is_first)
{
    const value *const a = d->a;
    for (int64_t r = 0; r < rows; r++)
        (is_first ? set_lane : add_lane)(re + r, im + r, a + 2 * r * d->step, x[2 * r],
                                         x[2 * r + 1], d->is_conjugated);
}

STN_FN void add_all(value *lanes, const stn_band_diagonal *diagonals, int64_t from, int64_t count,
                    const value *x, int64_t rows, int parts, int64_t wide)
{
    for (int64_t k = 0; k < count; k++) {
        value *const lane = lanes + (from + k) % STN_LANES * parts * wide;
        const int is_first = from + k < STN_LANES;
        if (parts == 2 && is_first)
            add_complex(lane, lane + wide, diagonals + k, x + 2 * k, rows, 1);
        else if (parts == 2)
            add_complex(lane, lane + wide, diagonals + k, x + 2 * k, rows, 0);
        else if (is_first)
            add_real(lane, diagonals + k, x + k, rows, 1);
        else
            add_real(lane, diagonals + k, x + k, rows, 0);
    }
}

static void add(void *lanes, const stn_band_diagonal *diagonals, int64_t from, int64_t count,
                const void *x, int64_t rows, int parts, int64_t wide)
{
    if (parts == 2)
        add_all(lanes, diagonals, from, count, x, rows, 2, wide);
    else if (rows == STN_BAND_ROWS && wide == STN_BAND_ROWS)
        add_all(lanes, diagonals, from, count, x, STN_BAND_ROWS, 1, STN_BAND_ROWS);
    else if (rows == 2 * STN_BAND_ROWS && wide == rows)
        add_all(lanes, diagonals, from, count, x, 2 * STN_BAND_ROWS, 1, 2 * STN_BAND_ROWS);
    else if (rows == STN_BAND_MANY_ROWS)
        add_all(lanes, diagonals, from, count, x, STN_BAND_MANY_ROWS, 1, STN_BAND_MANY_ROWS);
    else
        add_all(lanes, diagonals, from, count, x, rows, 1, wide);
}

/* Lane l is added to lane l + h for h = 16, 8, 4, 2, 1. */
STN_FN void fold_rows(value *lanes, int64_t held, int64_t rows, int parts, int64_t wide)
{
    const int64_t size = parts * wide;
    for (int64_t half = STN_LANES / 2; half > 0; half /= 2) {
        for (int64_t l = half; l < held; l++)
            for (int part = 0; part < parts; part++)
                for (int64_t r = 0; r < rows; r++)
                    lanes[(l - half) * size + part * wide + r] += lanes[l * size + part * wide + r];
        held = held < half ? held : half;
    }
}

static void fold(double *sums, void *lanes, int64_t held, int64_t rows, int parts, int64_t wide)
{
    const value *const lane = lanes;
    if (rows == STN_BAND_ROWS && parts == 1 && wide == STN_BAND_ROWS)
        fold_rows(lanes, held, STN_BAND_ROWS, 1, STN_BAND_ROWS);
    else if (rows == 2 * STN_BAND_ROWS && parts == 1 && wide == rows)
        fold_rows(lanes, held, 2 * STN_BAND_ROWS, 1, 2 * STN_BAND_ROWS);
    else if (rows == STN_BAND_MANY_ROWS && parts == 1)
        fold_rows(lanes, held, STN_BAND_MANY_ROWS, 1, STN_BAND_MANY_ROWS);
    else
        fold_rows(lanes, held, rows, parts, wide);
    for (int64_t r = 0; r < rows; r++)
        for (int part = 0; part < parts; part++)
            sums[parts * r + part] = (double)lane[part * wide + r];
}

extern const stn_band_loops STN_INSTANCE(stn_band_lanes);
const stn_band_loops STN_INSTANCE(stn_band_lanes) = {add, fold};
