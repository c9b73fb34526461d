/* Kernels whose machine code is known: complex numbers at three alignments, storage narrower than
 * arithmetic, a grid-stride loop, and more values than there are registers. */
struct c8 {
    double re, im;
};

struct __align__(16) c16
{
    double re, im;
};

struct __align__(32) c32
{
    double a, b, c, d;
};

template <class C> __device__ void multiply_add(C *c, const C *a, const C *b, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const C x = a[i], y = b[i];
    c[i].re += x.re * y.re - x.im * y.im;
    c[i].im += x.re * y.im + x.im * y.re;
}

extern "C" __global__ void muladd_c8(c8 *c, const c8 *a, const c8 *b, int n)
{
    multiply_add(c, a, b, n);
}

extern "C" __global__ void muladd_c16(c16 *c, const c16 *a, const c16 *b, int n)
{
    multiply_add(c, a, b, n);
}

extern "C" __global__ void copy_c32(c32 *c, const c32 *a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i];
}

extern "C" __global__ void axpy_f32_f64(float *y, const float *x, double a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (float)((double)y[i] + a * x[i]);
}

extern "C" __global__ void axpy_loop(float *y, const float *x, double a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = (float)((double)y[i] + a * x[i]);
}

/* Functions inside: division and square root call them in the same section. */
extern "C" __global__ void divide(double *y, const double *x, int *k)
{
    const int i = threadIdx.x;
    y[i] = sqrt(x[i]) / y[i];
    k[i] = k[i + 1] % k[i + 2];
    atomicAdd(k, 1);
}

extern "C" __global__ void spill(double *x, int n)
{
    enum { VALUES = 320 };
    double v[VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        v[i] = x[i * n + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < VALUES; k++)
        v[k] = v[k] * v[(k * 7 + 1) % VALUES] + v[(k * 13 + 5) % VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        x[i * n + threadIdx.x] = v[i];
}
