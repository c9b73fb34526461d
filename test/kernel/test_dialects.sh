#!/usr/bin/env bash
# codec.h in every language it is written for: C11 to C23, C++11 to C++20, OpenCL C 1.2 and 3.0,
# CUDA C++ (clang, nvcc, and as NVRTC sees it) and HIP. Where the result can be run, it gives the
# same bits as C11. A toolchain that is not there is skipped, and said so.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ran=0
failed=0

# One word per index, in which every result of the codec takes part, for each format of the table.
cat > "$work/probe.h" <<'PROBE'
#include "steno/codec.h"
#define NAMED_8(name, k) NAMED(name, k)
#define NAMED_16(name, k) NAMED(name, k)
#define NAMED_24(name, k) NAMED(name, k)
#define NAMED_32(name, k) 0
#define NAMED_40(name, k) NAMED(name, k)
#define NAMED_48(name, k) NAMED(name, k)
#define NAMED_64(name, k) 0
#define NAMED(name, k) (from_f32_##name(k) ^ DOUBLES(name, k))
#define FUNCTIONS_8(name) FUNCTIONS(name)
#define FUNCTIONS_16(name) FUNCTIONS(name)
#define FUNCTIONS_24(name) FUNCTIONS(name)
#define FUNCTIONS_32(name)
#define FUNCTIONS_40(name) FUNCTIONS(name)
#define FUNCTIONS_48(name) FUNCTIONS(name)
#define FUNCTIONS_64(name)
#define FUNCTIONS(name)                                                                            \
    STN_FN stn_u64 from_f32_##name(stn_u64 k)                                                      \
    {                                                                                              \
        const stn_##name code = stn_##name##_of_bits(k);                                           \
        const stn_##name made = stn_##name##_from_f32(stn_f32_of_bits((stn_u32)stn_hash_bits(k))); \
        return stn_bits_of_f32(stn_##name##_to_f32(code)) ^                                        \
               stn_hash_bits((stn_u64)stn_bits_of_##name(made));                                   \
    }                                                                                              \
    FUNCTIONS_F64(name)
#ifdef STN_HAVE_DOUBLE
#define DOUBLES(name, k) from_f64_##name(k)
#define FUNCTIONS_F64(name)                                                                        \
    STN_FN stn_u64 from_f64_##name(stn_u64 k)                                                      \
    {                                                                                              \
        const stn_##name code = stn_##name##_of_bits(k);                                           \
        const stn_##name made = stn_##name##_from_f64(stn_f64_of_bits(stn_hash_bits(k)));          \
        return stn_bits_of_f64(stn_##name##_to_f64(code)) ^                                        \
               stn_hash_bits((stn_u64)stn_bits_of_##name(made));                                   \
    }
#else
#define DOUBLES(name, k) 0
#define FUNCTIONS_F64(name)
#endif

/* Bits of a binary64: any, or of middling size. */
STN_FN stn_u64 value_of(stn_u64 k)
{
    const stn_u64 bits = stn_hash_bits(k + 1);
    return k & 1 ? bits : (bits & 0x83ffffffffffffffu) | 0x3c00000000000000u;
}
STN_FN stn_u64 mask_of(int bits)
{
    return ~(stn_u64)0 >> (64 - bits);
}
#define FLOAT_ROW(id, NAME, name, width, exponent, fraction, specials, habit)                      \
    FUNCTIONS_##width(name) STN_FN stn_u64 probe_##name(stn_u64 k)                              \
    {                                                                                              \
        unsigned events = 0;                                                                       \
        const stn_u64 code = (width > 16 ? stn_hash_bits(k) : k) & mask_of(width);                  \
        const stn_u64 back = stn_float_decode(code, stn_##name##_kind());                          \
        const stn_u64 made = stn_float_encode(value_of(k), stn_##name##_kind(),                    \
                                              (stn_rounding)(k % 3), (stn_overflow)(k / 3 % 4),    \
                                              stn_random_bits(7, k), &events);                     \
        return stn_hash_bits(back ^ stn_hash_bits(made ^ (stn_u64)events << 61)) ^                   \
               NAMED_##width(name, code);                                                          \
    }
#define INTEGER_ROW(id, NAME, name, width, is_signed)                                              \
    STN_FN stn_u64 probe_##name(stn_u64 k)                                                         \
    {                                                                                              \
        unsigned events = 0;                                                                       \
        const stn_u64 code = (width > 16 ? stn_hash_bits(k) : k) & mask_of(width);                  \
        const stn_u64 back = (stn_u64)stn_integer_decode(code, width, is_signed);                  \
        const stn_u64 made = stn_integer_encode(value_of(k), width, is_signed,                     \
                                                (stn_rounding)(k % 3), stn_random_bits(7, k),      \
                                                &events);                                          \
        return stn_hash_bits(back ^ stn_hash_bits(made ^ (stn_u64)events << 61));                    \
    }
#define NO_ROW(id, NAME, name, component)
STN_FORMAT_TABLE(FLOAT_ROW, INTEGER_ROW, NO_ROW)
#define COUNT 300000
PROBE

cat > "$work/host.c" <<'HOST'
#include "probe.h"
#include <stdio.h>
#define SUM(id, NAME, name, ...)                                                                   \
    sum = 0;                                                                                       \
    for (stn_u64 k = 0; k < COUNT; k++)                                                            \
        sum += probe_##name(k);                                                                    \
    printf(#name " %016llx\n", (unsigned long long)sum);
int main(void)
{
    stn_u64 sum;
    STN_FORMAT_TABLE(SUM, SUM, NO_ROW)
    return 0;
}
HOST
cp "$work/host.c" "$work/host.cpp"

cat > "$work/device.cl" <<'CL'
#include "probe.h"
#define KERNEL(id, NAME, name, ...)                                                                \
    kernel void sum_##name(global ulong *sums)                                                     \
    {                                                                                              \
        sums[get_global_id(0)] = probe_##name(get_global_id(0));                                   \
    }
STN_FORMAT_TABLE(KERNEL, KERNEL, NO_ROW)
#if defined(WITHOUT_DOUBLE) == defined(STN_HAVE_DOUBLE)
#error "double is taken for what it is not"
#endif
CL

# What an SDK's own headers would define, for compilers without one.
cat > "$work/device.cu" <<'CU'
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#if !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)
extern "C" __device__ void *memcpy(void *, const void *, __SIZE_TYPE__);
#else
__device__ unsigned __float_as_uint(float);
__device__ float __uint_as_float(unsigned);
__device__ long long __double_as_longlong(double);
__device__ double __longlong_as_double(long long);
#endif
#include "probe.h"
#define KERNEL(id, NAME, name, ...)                                                                \
    __global__ void sum_##name(stn_u64 *sums)                                                      \
    {                                                                                              \
        sums[0] = probe_##name(sums[1]);                                                           \
    }
STN_FORMAT_TABLE(KERNEL, KERNEL, NO_ROW)
CU

# A program for a real device; it ends with 77 where there is none.
cat > "$work/cuda.cu" <<'CU'
#include "probe.h"
#include <stdio.h>
#define KERNEL(id, NAME, name, ...)                                                                \
    __global__ void sum_##name(unsigned long long *sum)                                            \
    {                                                                                              \
        for (stn_u64 k = threadIdx.x + 256 * blockIdx.x; k < COUNT; k += 256 * gridDim.x)          \
            atomicAdd(sum, (unsigned long long)probe_##name(k));                                   \
    }
STN_FORMAT_TABLE(KERNEL, KERNEL, NO_ROW)
#define SUM(id, NAME, name, ...)                                                                   \
    *sum = 0;                                                                                      \
    sum_##name<<<64, 256>>>(sum);                                                                  \
    if (cudaDeviceSynchronize() != cudaSuccess)                                                    \
        return 1;                                                                                  \
    printf(#name " %016llx\n", *sum);
int main(void)
{
    int devices = 0;
    unsigned long long *sum;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return 77;
    if (cudaMallocManaged(&sum, sizeof *sum) != cudaSuccess)
        return 1;
    STN_FORMAT_TABLE(SUM, SUM, NO_ROW)
    return 0;
}
CU

skip() { echo "skipped: $1 ($2)"; }
good() { echo "ok: $1"; ran=$((ran + 1)); }
bad() { echo "FAILED: $1"; sed 's/^/    /' "$work/log" | head -40; failed=1; }
has() { command -v "$1" > /dev/null 2>&1; }

# compiles <what> <command...>
compiles() {
    local what=$1
    shift
    if "$@" > "$work/log" 2>&1; then good "$what"; else bad "$what"; fi
}

# compiles_nothing <language> <compiler> <options...>: does it know them at all?
compiles_nothing() {
    local language=$1
    shift
    echo > "$work/empty.$language"
    "$@" -S -o /dev/null "$work/empty.$language" > /dev/null 2>&1
}

# same_bits <what> <program>: its output is that of the first one.
same_bits() {
    "$2" > "$work/output" 2> "$work/log"
    local status=$?
    if [ $status = 77 ]; then
        skip "$1" "no device"
    elif [ $status != 0 ]; then
        bad "$1"
    elif [ ! -s "$work/expected" ]; then
        cp "$work/output" "$work/expected"
        good "$1"
    elif diff "$work/expected" "$work/output" > "$work/log"; then
        good "$1"
    else
        bad "$1: other bits than C11"
    fi
}

warnings=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror)
level=-O2
host() { # host <compiler> <standard> <source>
    if ! has "$1"; then
        skip "$1 $2" "no $1"
    elif ! compiles_nothing "${3##*.}" "$1" "$2"; then
        skip "$1 $2" "not known to it"
    elif "$1" "$2" $level "${warnings[@]}" -I "$SOURCE_DIR/include" "$3" -o "$work/host" \
        > "$work/log" 2>&1; then
        same_bits "$1 $2" "$work/host"
    else
        bad "$1 $2"
    fi
}
hosts() { # hosts <compiler> <source> <standard>...
    local compiler=$1 source=$2 standard
    shift 2
    for standard in "$@"; do
        host "$compiler" "-std=$standard" "$source"
    done
}
if [ -n "${STENO_TEST_FULL:-}" ]; then
    hosts gcc "$work/host.c" c11 c17 c2x
    hosts clang "$work/host.c" c11 c17 c2x
    hosts g++ "$work/host.cpp" c++11 c++14 c++17 c++20
    hosts clang++ "$work/host.cpp" c++11 c++14 c++17 c++20
else # each compiler, and each standard by one
    hosts gcc "$work/host.c" c11
    level=-O1
    hosts gcc "$work/host.c" c2x
    hosts clang "$work/host.c" c17
    hosts g++ "$work/host.cpp" c++11 c++20
    hosts clang++ "$work/host.cpp" c++14 c++17
fi

device=(-O0 -Wall -Wextra -Werror -I "$SOURCE_DIR/include" -I "$work" -S -emit-llvm -o /dev/null)
clang_for() { # clang_for <what> <language> <options...>
    local what=$1 language=$2
    shift 2
    if ! has clang; then
        skip "$what" "no clang"
    elif ! compiles_nothing "$language" clang "$@" -emit-llvm; then
        skip "$what" "this clang cannot"
    else
        compiles "$what" clang "$@" "${device[@]}" "$work/device.$language"
    fi
}
clang_for "OpenCL C 1.2" cl -x cl -cl-std=CL1.2
clang_for "OpenCL C 3.0" cl -x cl -cl-std=CL3.0
clang_for "OpenCL C 1.2 without double" cl -x cl -cl-std=CL1.2 -target spir64 \
    -Xclang -cl-ext=-cl_khr_fp64 -DWITHOUT_DOUBLE
clang_for "OpenCL C 3.0 without double" cl -x cl -cl-std=CL3.0 -target spir64 \
    -Xclang -cl-ext=-cl_khr_fp64,-__opencl_c_fp64 -DWITHOUT_DOUBLE
cuda=(-x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_70 --cuda-device-only
    -Wno-unknown-cuda-version)
clang_for "CUDA by clang" cu "${cuda[@]}" -D__CUDACC__
clang_for "CUDA by clang, as NVRTC sees it" cu "${cuda[@]}" -D__CUDACC__ -D__CUDACC_RTC__ -nostdinc
hip=(-x hip -nogpuinc -nogpulib --offload-arch=gfx906 --cuda-device-only)
clang_for "HIP" cu "${hip[@]}"
clang_for "HIP as hipRTC sees it" cu "${hip[@]}" -D__HIPCC_RTC__ -nostdinc

if has nvcc; then
    compiles "CUDA by nvcc" nvcc -Werror all-warnings -I "$SOURCE_DIR/include" -I "$work" \
        "$work/cuda.cu" -o "$work/cuda"
    [ -x "$work/cuda" ] && same_bits "CUDA on the device" "$work/cuda"
else
    skip "CUDA by nvcc" "no nvcc"
fi

[ $failed = 0 ] || exit 1
[ $ran != 0 ] || exit 77
