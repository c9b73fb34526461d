/* Kernels of bench_device.c over accessors of one storage format: FORMAT is its name. In f64 and
 * f32 arithmetic: fill, axpy with 16 bytes per thread and access and with one element per thread, and
 * dot and sum in the order of doc/order.md. */
#include "steno/accessor.h"

#define PASTE_(a, b)  a##_##b
#define PASTE(a, b)   PASTE_(a, b)
#define CODE          PASTE(stn, FORMAT)
#define KERNEL        extern "C" __global__ void
#define THREAD_NUMBER (blockIdx.x * (stn_size)blockDim.x + threadIdx.x)

enum { LANES = 32, TILE = 128, THREADS = 256, TILES_IN_TURN = 2 };

STN_ACCESSOR_OF(stored_f64, 1, f64, FORMAT, stn_right)
STN_ACCESSOR_OF(stored_f32, 1, f32, FORMAT, stn_right)

/* Values from -1 to 1; of integers, from -100 to 100. */
KERNEL fill(CODE *codes, stn_size count, stn_u64 seed, double reach)
{
    const stn_size k = THREAD_NUMBER;
    const stored_f64 x = stored_f64_dense(codes, count);
    if (k < count)
        stored_f64_set(x, k, ((double)(stn_hash_bits(seed + k) >> 40) * 0x1p-23 - 1.0) * reach);
}

/* What a copy with 16 bytes per thread reaches. */
KERNEL copy(uint4 *to, const uint4 *from, stn_size count)
{
    const stn_size k = THREAD_NUMBER;
    if (k < count)
        to[k] = from[k];
}

/* ---- y = a x + y ---- */

#define AXPY(real)                                                                                 \
    KERNEL axpy_##real(stn_##real a, CODE *x_codes, CODE *y_codes, stn_size count)                 \
    {                                                                                              \
        const stored_##real x = stored_##real##_dense(x_codes, count);                             \
        const stored_##real y = stored_##real##_dense(y_codes, count);                             \
        const stn_size k = THREAD_NUMBER * stored_##real##_vector;                                 \
        stn_##real of_x[stored_##real##_vector], of_y[stored_##real##_vector];                     \
        if (k >= count)                                                                            \
            return;                                                                                \
        stored_##real##_load_vector(x, k, of_x);                                                   \
        stored_##real##_load_vector(y, k, of_y);                                                   \
        for (int part = 0; part < stored_##real##_vector; part++)                                  \
            of_y[part] = a * of_x[part] + of_y[part];                                              \
        stored_##real##_store_vector(y, k, of_y);                                                  \
    }                                                                                              \
    KERNEL axpy_element_##real(stn_##real a, CODE *x_codes, CODE *y_codes, stn_size count)         \
    {                                                                                              \
        const stored_##real x = stored_##real##_dense(x_codes, count);                             \
        const stored_##real y = stored_##real##_dense(y_codes, count);                             \
        const stn_size k = THREAD_NUMBER;                                                          \
        if (k < count)                                                                             \
            stored_##real##_set(y, k, a * stored_##real##_get(x, k) + stored_##real##_get(y, k));  \
    }
AXPY(f64)
AXPY(f32)

/* ---- sums by tiles: lanes, tiles, blocks of tiles, each pairwise by index ---- */

#define FMA_f64(x, y, z) fma(x, y, z)
#define FMA_f32(x, y, z) fmaf(x, y, z)

/* The lanes of a tile are those of `group` neighbouring threads, `width` each. */
#define LANES_TO_TILE(real)                                                                        \
    template <int width, int half> struct fold_##real {                                            \
        static __device__ __forceinline__ void run(stn_##real *lanes)                              \
        {                                                                                          \
            if (half >= width)                                                                     \
                _Pragma("unroll") for (int l = 0; l < width; l++)                                  \
                    lanes[l] += __shfl_down_sync(0xffffffffu, lanes[l], half / width);             \
            else                                                                                   \
                _Pragma("unroll") for (int l = 0; l < half; l++) lanes[l] += lanes[l + half];      \
            fold_##real<width, half / 2>::run(lanes);                                              \
        }                                                                                          \
    };                                                                                             \
    template <int width> struct fold_##real<width, 0> {                                            \
        static __device__ __forceinline__ void run(stn_##real *)                                   \
        {                                                                                          \
        }                                                                                          \
    };
LANES_TO_TILE(f64)
LANES_TO_TILE(f32)

/* Partial sums: `group` neighboring threads process TILES_IN_TURN tiles sequentially, and a block of
 * threads a power of two of tiles. The launch bounds let two blocks fit into a multiprocessor;
 * without them, the compiler uses up to 240 registers for 8-bit elements, which halves the speed
 * (H100, dot of e4m3 in f64: 0.87 of a copy with bounds and two tiles, 0.47 without bounds; 0.82
 * with four tiles, 0.79 with one). */
#define SUM(name, real, OPERANDS, LOADS, FIRST, NEXT)                                              \
    KERNEL __launch_bounds__(THREADS, 2)                                                           \
        name##_##real(OPERANDS stn_##real *sums, stn_size count)                                   \
    {                                                                                              \
        enum { width = stored_##real##_vector, group = LANES / width, groups = THREADS / group };  \
        __shared__ stn_##real of_groups[groups];                                                   \
        const int place = threadIdx.x % group, number = threadIdx.x / group;                       \
        const stn_size tile = (blockIdx.x * (stn_size)groups + number) * TILES_IN_TURN;            \
        stn_##real turns[TILES_IN_TURN];                                                           \
        _Pragma("unroll") for (int turn = 0; turn < TILES_IN_TURN; turn++)                         \
        {                                                                                          \
            stn_##real lanes[width];                                                               \
            _Pragma("unroll") for (int row = 0; row < TILE / LANES; row++)                         \
            {                                                                                      \
                const stn_size k = (tile + turn) * TILE + row * LANES + place * width;             \
                stn_##real a[width], b[width];                                                     \
                (void)b;                                                                           \
                LOADS(real)                                                                        \
                _Pragma("unroll") for (int l = 0; l < width; l++) lanes[l] =                       \
                    row == 0 ? FIRST(real) : NEXT(real);                                           \
            }                                                                                      \
            fold_##real<width, LANES / 2>::run(lanes);                                             \
            turns[turn] = lanes[0];                                                                \
        }                                                                                          \
        if (place == 0)                                                                            \
            of_groups[number] = turns[0] + turns[1];                                               \
        for (int half = 1; half < groups; half *= 2) {                                             \
            __syncthreads();                                                                       \
            if (threadIdx.x < groups / (2 * half))                                                 \
                of_groups[2 * half * threadIdx.x] += of_groups[2 * half * threadIdx.x + half];     \
        }                                                                                          \
        if (threadIdx.x == 0)                                                                      \
            sums[blockIdx.x] = of_groups[0];                                                       \
    }

#define X_AND_Y CODE *x_codes, CODE *y_codes,
#define LOAD_X_AND_Y(real)                                                                         \
    stored_##real##_load_vector(stored_##real##_dense(x_codes, count), k, a);                      \
    stored_##real##_load_vector(stored_##real##_dense(y_codes, count), k, b);
#define PRODUCT(real)     a[l] * b[l]
#define ADD_PRODUCT(real) FMA_##real(a[l], b[l], lanes[l])
#define X                 CODE *x_codes,
#define LOAD_X(real)      stored_##real##_load_vector(stored_##real##_dense(x_codes, count), k, a);
#define ONLY(real)        a[l]
#define ADD(real)         lanes[l] + a[l]
SUM(dot, f64, X_AND_Y, LOAD_X_AND_Y, PRODUCT, ADD_PRODUCT)
SUM(dot, f32, X_AND_Y, LOAD_X_AND_Y, PRODUCT, ADD_PRODUCT)
SUM(sum, f64, X, LOAD_X, ONLY, ADD)
SUM(sum, f32, X, LOAD_X, ONLY, ADD)

/* Combines a power of two sums with one block of threads. The buffer has capacity for half as many
 * additional sums after them. */
#define FINISH(real)                                                                               \
    KERNEL finish_##real(stn_##real *sums, stn_##real *result, stn_size count)                     \
    {                                                                                              \
        enum { FAN = 16 };                                                                         \
        stn_##real *from = sums, *to = sums + count;                                               \
        while (count > 1) {                                                                        \
            const int fan = count < FAN ? (int)count : FAN;                                        \
            for (stn_size k = threadIdx.x; k < count / fan; k += blockDim.x) {                     \
                stn_##real of[FAN];                                                                \
                _Pragma("unroll") for (int i = 0; i < FAN; i++) of[i] =                            \
                    i < fan ? from[k * fan + i] : 0;                                               \
                _Pragma("unroll") for (int half = 1; half < FAN; half *= 2)                        \
                    _Pragma("unroll") for (int i = 0; i < FAN; i += 2 * half) if (i + half < fan)  \
                        of[i] += of[i + half];                                                     \
                to[k] = of[0];                                                                     \
            }                                                                                      \
            __syncthreads();                                                                       \
            count /= fan;                                                                          \
            from = to;                                                                             \
            to += count;                                                                           \
        }                                                                                          \
        if (threadIdx.x == 0)                                                                      \
            *result = from[0];                                                                     \
    }
FINISH(f64)
FINISH(f32)
