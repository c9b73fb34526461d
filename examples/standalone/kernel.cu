/* y = alpha * x + y on a GPU, by a kernel that is a template over the accessors, which are passed
 * by value. The program allocates the memory. For each storage of x, the result must have the bits
 * of the CPU's result. Exit status 77: no device. */
#include "storages.h"

#include <cstdio>
#include <cstring>

template <class X, class Y>
__host__ __device__ void axpy(typename Y::real alpha, X x, Y y, stn_size i)
{
    y(i) = alpha * x(i) + y(i);
}

template <class X, class Y> __global__ void axpy_on_device(typename Y::real alpha, X x, Y y)
{
    const stn_size i = blockIdx.x * (stn_size)blockDim.x + threadIdx.x;
    if (i < x.length(0))
        axpy(alpha, x, y, i);
}

static double values[COUNT], expected[COUNT];

/* Memory that both the CPU and the device can access. */
template <class T> static T *allocate(size_t count)
{
    void *memory = nullptr;
    return cudaMallocManaged(&memory, count * sizeof(T)) == cudaSuccess ? (T *)memory : nullptr;
}

template <class X> static bool compare(const char *name, X x, double *y_data)
{
    const double alpha = 2.5;
    const y_f64 y = y_f64_dense(y_data, COUNT), y_on_cpu = y_f64_dense(expected, COUNT);
    for (stn_size i = 0; i < COUNT; i++) {
        y(i) = y_on_cpu(i) = y_value(i);
        axpy(alpha, x, y_on_cpu, i);
    }
    axpy_on_device<<<(COUNT + 255) / 256, 256>>>(alpha, x, y);
    const cudaError_t status = cudaDeviceSynchronize();
    const bool same = status == cudaSuccess && std::memcmp(y_data, expected, sizeof expected) == 0;
    std::printf("%-12s %s\n", name,
                status != cudaSuccess ? cudaGetErrorString(status)
                : same                ? "same bits"
                                      : "DIFFERS");
    return same;
}

#define TRY(type, element, KIND, x_error)                                                          \
    {                                                                                              \
        element *const codes = allocate<element>(COUNT);                                           \
        if (codes) {                                                                               \
            const type x = MAKE_##KIND(type, codes, scales);                                       \
            STORE_##KIND(type, x, values);                                                         \
            good = compare(#type, x, y_data) && good;                                              \
        } else {                                                                                   \
            good = false;                                                                          \
        }                                                                                          \
        cudaFree(codes);                                                                           \
    }

int main()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("no CUDA device\n");
        return 77;
    }
    double *const y_data = allocate<double>(COUNT), *const scales = allocate<double>(BLOCKS);
    bool good = y_data && scales;
    for (stn_size i = 0; i < COUNT; i++)
        values[i] = x_value(i);
    if (good) {
        STORAGES(TRY)
    }
    cudaFree(y_data);
    cudaFree(scales);
    return !good;
}
