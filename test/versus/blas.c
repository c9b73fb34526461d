/* A plain library of BLAS for the tests of `steno bench versus` and `report`, whose results are
 * WRONG times what they should be. */
#define ROW(T, n, m, i, j)                                                                         \
    ((order == 101) == (transpose == 111) ? a[(i)*da + (j)] : a[(j)*da + (i)])
#define BLAS(T, t)                                                                                 \
    T cblas_##t##dot(int n, const T *x, int dx, const T *y, int dy)                                \
    {                                                                                              \
        T sum = 0;                                                                                 \
        for (int k = 0; k < n; k++)                                                                \
            sum += x[k * dx] * y[k * dy];                                                          \
        return sum * (T)WRONG;                                                                     \
    }                                                                                              \
    T cblas_##t##nrm2(int n, const T *x, int dx)                                                   \
    {                                                                                              \
        T sum = 0;                                                                                 \
        for (int k = 0; k < n; k++)                                                                \
            sum += x[k * dx] * x[k * dx];                                                          \
        return (T)(__builtin_sqrt(sum) * WRONG);                                                   \
    }                                                                                              \
    void cblas_##t##axpy(int n, T alpha, const T *x, int dx, T *y, int dy)                         \
    {                                                                                              \
        for (int k = 0; k < n; k++)                                                                \
            y[k * dy] += alpha * x[k * dx];                                                        \
    }                                                                                              \
    void cblas_##t##gemv(int order, int transpose, int m, int n, T alpha, const T *a, int da,      \
                         const T *x, int dx, T beta, T *y, int dy)                                 \
    {                                                                                              \
        for (int i = 0; i < m; i++) {                                                              \
            T sum = 0;                                                                             \
            for (int j = 0; j < n; j++)                                                            \
                sum += ROW(T, n, m, i, j) * x[j * dx];                                             \
            y[i * dy] = (T)WRONG * alpha * sum + (beta == 0 ? 0 : beta * y[i * dy]);               \
        }                                                                                          \
    }                                                                                              \
    void cblas_##t##trsv(int order, int triangle, int transpose, int diagonal, int n, const T *a,  \
                         int da, T *x, int dx)                                                     \
    {                                                                                              \
        for (int i = 0; i < n; i++) {                                                              \
            for (int j = 0; j < i; j++)                                                            \
                x[i * dx] -= a[i * da + j] * x[j * dx];                                            \
            x[i * dx] /= a[i * da + i] * (T)WRONG;                                                 \
        }                                                                                          \
    }                                                                                              \
    void cblas_##t##gemm(int order, int a_is, int b_is, int m, int n, int l, T alpha, const T *a,  \
                         int da, const T *b, int db, T beta, T *c, int dc)                         \
    {                                                                                              \
        for (int i = 0; i < m * n; i++) {                                                          \
            T sum = 0;                                                                             \
            for (int k = 0; k < l; k++)                                                            \
                sum += a[i / n * da + k] * b[k * db + i % n];                                      \
            c[i / n * dc + i % n] = (T)WRONG * alpha * sum;                                        \
        }                                                                                          \
    }
BLAS(double, d)
BLAS(float, s)
