#!/usr/bin/env bash
# accessor.hpp: stn::accessor gives what the accessors of accessor.h give, by g++ and clang++, checked and
# not; its kernels are CUDA C++ for nvcc and NVRTC; and the example prints the same by both compilers.
set -u
source "$(dirname "$0")/../accessor/report.sh"
include=$SOURCE_DIR/include
warnings=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror)

try() { # try <compiler> <options...>
    local compiler=$1
    shift
    has "$compiler" || { skip "$compiler $*" "it is missing"; return; }
    check "$compiler $*: compiled" "$compiler" -x c++ "$@" -ffp-contract=off "${warnings[@]}" -I "$include" \
        -o "$work/program" "$texts/template.h" -lm
    check "$compiler $*: as accessor.h has it" "$work/program"
}
try g++ -std=c++11 -O0
try g++ -std=c++20 -O0 -DSTN_CHECKED
try clang++ -std=c++17 -O0 ${STENO_TEST_FULL:+-march=native}
if [ -n "${STENO_TEST_FULL:-}" ]; then
    try g++ -std=c++14 -O3 -march=native -fno-tree-slp-vectorize
    try clang++ -std=c++20 -O0 -fsanitize=address,undefined
fi

for compiler in g++ clang++; do
    has $compiler && $compiler -std=c++11 -O0 -ffp-contract=off "${warnings[@]}" -I "$include" \
        -o "$work/example" "$SOURCE_DIR/examples/axpy_template.cpp" -lm &&
        "$work/example" >"$work/$compiler.printed" || echo $compiler >"$work/$compiler.printed"
done
check "the example" grep -q "c(1) = 7+7i, as it should be" "$work/g++.printed"
! has clang++ || check "the example by both" diff "$work/g++.printed" "$work/clang++.printed"

# A loop of the template is made of vectors, as one over pointers is.
cat >"$work/loop.cpp" <<'END'
#include "steno/accessor.hpp"
extern "C" void axpy(double *__restrict to, const float *__restrict from, stn_size n, double alpha)
{
    const stn::accessor<1, double, const float> x(from, n);
    const stn::accessor<1, double, double> y(to, n);
    for (stn_size i = 0; i < n; i++)
        y(i) += alpha * x(i);
}
END
echo 'kernel axpy @x86-64-v3 loop=main : load.width >= 128, store.width >= 256, scalar == 0, scalar_cvt == 0' \
    >"$work/loop.cg"
compile_and_check() {
    "$1" -std=c++11 -O3 -march=x86-64-v3 -ffp-contract=off -I "$include" -c -o "$work/loop.o" "$work/loop.cpp" &&
        "$STENO" contract check --target x86-64-v3 "$work/loop.o" "$work/loop.cg"
}
for compiler in g++ clang++; do
    [ "$(uname -m)" = x86_64 ] && has $compiler && "${STENO:?the command}" contract --help >/dev/null 2>&1 &&
        check "$compiler makes vectors" compile_and_check $compiler
done

cuda=
! has nvcc || cuda=$(dirname "$(readlink -f "$(command -v nvcc)")")/..
if [ -n "$cuda" ] && [ -z "${STENO_TEST_OTHER:-}" ]; then
    check "CUDA by nvcc" nvcc -cubin -arch=sm_90 --fmad=false -Werror all-warnings -I "$include" \
        -o "$work/template.cubin" "$texts/template.cu"
    nvrtc=$(ls "$cuda"/lib64/libnvrtc.so* 2>/dev/null | head -n 1)
    if [ -n "$nvrtc" ]; then
        cc -std=gnu11 "$texts/runtime_compiler.c" -ldl -o "$work/runtime_compiler" || exit 1
        check "CUDA by NVRTC" "$work/runtime_compiler" "$nvrtc" nvrtc "$texts" template.cu - \
            "-I$include" "-I$texts" "-I$cuda/include" -arch=sm_80 --fmad=false
    fi
fi
finish
