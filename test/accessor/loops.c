/* Pairs of loops for test_accessor_codegen.sh: by_accessor_NAME and by_pointer_NAME do the same,
 * one through an accessor, the other through a raw pointer. A compiler makes the same code of both.
 */
#include "steno/accessor.h"

STN_ACCESSOR(f64_vector, 1, double, double)
STN_ACCESSOR(f32_vector, 1, double, float)
STN_ACCESSOR(f32_column, 2, double, float)
STN_ACCESSOR(f32_matrix, 2, double, float)
STN_ACCESSOR(f32_single, 1, float, float)
STN_ACCESSOR(f64_cube, 3, double, double)
STN_ACCESSOR_LEFT(f64_left, 2, double, double)
STN_ACCESSOR_BLOCK_COL_MAJOR(f64_blocks, 3, double, double)
STN_ACCESSOR_STATIC(f32_tile, 2, double, float, (8, 8), (8, 1))
STN_ACCESSOR_SCALED(i8_scaled, 1, double, int8_t, 0)

#define STN_NAME       f32_short
#define STN_RANK       2
#define STN_REAL       float
#define STN_STORAGE    float
#define STN_INDEX_BITS 32
#include "steno/accessor_define.h"

/* y = a x + y */
void by_accessor_axpy(stn_size n, double a, const float *p, double *q)
{
    const f32_vector_const x = f32_vector_const_dense(p, n);
    const f64_vector y = f64_vector_dense(q, n);
    for (stn_size i = 0; i < n; i++)
        f64_vector_set(y, i, a * f32_vector_const_get(x, i) + f64_vector_get(y, i));
}
void by_pointer_axpy(stn_size n, double a, const float *p, double *q)
{
    for (stn_size i = 0; i < n; i++)
        q[i] = a * (double)p[i] + q[i];
}

/* the same over N x 1 ranges, as the field writes vectors; the stride is known to be 1 here */
void by_accessor_column(stn_size n, double a, const float *p, float *q)
{
    const f32_column_const x = f32_column_const_dense(p, n, 1);
    const f32_column y = f32_column_dense(q, n, 1);
    for (stn_size i = 0; i < n; i++)
        f32_column_set(y, i, 0, a * f32_column_const_get(x, i, 0) + f32_column_get(y, i, 0));
}
void by_pointer_column(stn_size n, double a, const float *p, float *q)
{
    for (stn_size i = 0; i < n; i++)
        q[i] = (float)(a * (double)p[i] + (double)q[i]);
}

/* f32 arithmetic: nothing is computed in f64 */
void by_accessor_single(stn_size n, float a, const float *p, float *q)
{
    const f32_single_const x = f32_single_const_dense(p, n);
    const f32_single y = f32_single_dense(q, n);
    for (stn_size i = 0; i < n; i++)
        f32_single_set(y, i, a * f32_single_const_get(x, i) + f32_single_get(y, i));
}
void by_pointer_single(stn_size n, float a, const float *p, float *q)
{
    for (stn_size i = 0; i < n; i++)
        q[i] = a * p[i] + q[i];
}

/* one row of a matrix times a vector */
double by_accessor_row(stn_size row, stn_size n, const float *p, stn_size ld, const double *q)
{
    const stn_size extents[2] = {row + 1, n}, strides[1] = {ld};
    const f32_matrix_const a = f32_matrix_const_make(p, extents, strides);
    const f64_vector_const x = f64_vector_const_dense(q, n);
    double sum = 0.0;
    for (stn_size j = 0; j < n; j++)
        sum += f32_matrix_const_get(a, row, j) * f64_vector_const_get(x, j);
    return sum;
}
double by_pointer_row(stn_size row, stn_size n, const float *p, stn_size ld, const double *q)
{
    double sum = 0.0;
    for (stn_size j = 0; j < n; j++)
        sum += (double)p[row * ld + j] * q[j];
    return sum;
}

/* a stencil along the last dimension of a cube with padded strides */
void by_accessor_stencil(stn_size i, stn_size j, stn_size n, double *p, stn_size s, stn_size t,
                         const double *q)
{
    const stn_size extents[3] = {i + 1, j + 1, n}, strides[2] = {s, t};
    const f64_cube u = f64_cube_make(p, extents, strides);
    const f64_cube_const v = f64_cube_const_make(q, extents, strides);
    for (stn_size k = 1; k < n - 1; k++)
        f64_cube_set(u, i, j, k,
                     f64_cube_const_get(v, i, j, k - 1) + f64_cube_const_get(v, i, j, k + 1));
}
void by_pointer_stencil(stn_size i, stn_size j, stn_size n, double *p, stn_size s, stn_size t,
                        const double *q)
{
    for (stn_size k = 1; k < n - 1; k++)
        p[i * s + j * t + k] = q[i * s + j * t + (k - 1)] + q[i * s + j * t + (k + 1)];
}

/* down a column of a column-major matrix */
void by_accessor_left(stn_size j, stn_size n, double a, double *p, stn_size ld)
{
    const stn_size extents[2] = {n, j + 1}, strides[1] = {ld};
    const f64_left x = f64_left_make(p, extents, strides);
    for (stn_size i = 0; i < n; i++)
        f64_left_set(x, i, j, a * f64_left_get(x, i, j));
}
void by_pointer_left(stn_size j, stn_size n, double a, double *p, stn_size ld)
{
    for (stn_size i = 0; i < n; i++)
        p[i + j * ld] = a * p[i + j * ld];
}

/* a column of one block */
double by_accessor_blocks(stn_size b, stn_size j, stn_size n, const double *p, stn_size s,
                          stn_size ld)
{
    const stn_size extents[3] = {b + 1, n, j + 1}, strides[2] = {s, ld};
    const f64_blocks_const x = f64_blocks_const_make(p, extents, strides);
    double sum = 0.0;
    for (stn_size i = 0; i < n; i++)
        sum += f64_blocks_const_get(x, b, i, j);
    return sum;
}
double by_pointer_blocks(stn_size b, stn_size j, stn_size n, const double *p, stn_size s,
                         stn_size ld)
{
    double sum = 0.0;
    for (stn_size i = 0; i < n; i++)
        sum += p[b * s + i + j * ld];
    return sum;
}

/* a tile whose extents and strides the type knows */
double by_accessor_tile(const float *p)
{
    const f32_tile_const x = f32_tile_const_make(p, 0, 0);
    double sum = 0.0;
    for (stn_size i = 0; i < f32_tile_const_length(x, 0); i++)
        for (stn_size j = 0; j < f32_tile_const_length(x, 1); j++)
            sum += f32_tile_const_get(x, i, j);
    return sum;
}
double by_pointer_tile(const float *p)
{
    double sum = 0.0;
    for (stn_size i = 0; i < 8; i++)
        for (stn_size j = 0; j < 8; j++)
            sum += (double)p[i * 8 + j];
    return sum;
}

/* indices of 32 bits */
void by_accessor_short(int i, int n, float *p, int ld, float a)
{
    const stn_size extents[2] = {i + 1, n}, strides[1] = {ld};
    const f32_short x = f32_short_make(p, extents, strides);
    for (int j = 0; j < n; j++)
        f32_short_set(x, i, j, a * f32_short_get(x, i, j));
}
void by_pointer_short(int i, int n, float *p, int ld, float a)
{
    for (int j = 0; j < n; j++)
        p[i * ld + j] = a * p[i * ld + j];
}

/* reading integers with one scale */
double by_accessor_scaled(stn_size n, const stn_i8 *p, const double *scale)
{
    const i8_scaled_const x = i8_scaled_const_dense(p, n, scale);
    double sum = 0.0;
    for (stn_size i = 0; i < n; i++)
        sum += i8_scaled_const_get(x, i);
    return sum;
}
double by_pointer_scaled(stn_size n, const stn_i8 *p, const double *scale)
{
    double sum = 0.0;
    for (stn_size i = 0; i < n; i++)
        sum += (double)p[i] * *scale;
    return sum;
}
