#!/usr/bin/env bash
# complex.h in C++, OpenCL C and CUDA C++, whose products are rounded before they are summed; and that loops over complex numbers call nothing, such as
# __muldc3 and __divdc3, and are vectors by gcc and clang where there is fma.
set -u
source "$(dirname "$0")/../accessor/report.sh"
texts=$SOURCE_DIR/test/complex
include=${STENO_INCLUDE_DIR:-$SOURCE_DIR/include}
warnings=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror)

# ---- C++

operators() { # operators <compiler and options...>
    "$@" "${warnings[@]}" -I "$include" "$texts/operators.cpp" -o "$work/operators" &&
        "$work/operators"
}
for compiler in "g++ -std=c++11 -O2" "g++ -std=c++20 -O0 -march=native" \
    "g++ -std=gnu++17 -O2 -march=native" "clang++ -std=c++17 -O1"; do
    # shellcheck disable=SC2086 # words
    ! has "${compiler%% *}" || check "$compiler" operators $compiler
done

# ---- loops

# What an object asks of others, and whether each loop has vectors: instructions of doubles or floats
# that are packed.
no_calls() { # no_calls <compiler and options...>
    "$@" -std=c11 "${warnings[@]}" -I "$include" -c "$texts/loops.c" -o "$work/loops.o" || return 1
    ! nm -u "$work/loops.o" | grep . && {
        [[ $* != *x86-64-v* ]] || [ "$(packed_loops)" = 8 ] ||
            { echo "error: vectors in $(packed_loops) loops of 8" && return 1; }
    }
}
packed_loops() {
    objdump -d --no-show-raw-insn "$work/loops.o" |
        awk '/^[0-9a-f]+ <.*>:/ { name = $2 }
            $2 ~ /^v?(div|mul|fn?m[a-z0-9]*)p[sd]$/ && name != last { n++; last = name }
            END { print n + 0 }'
}
for compiler in "gcc -O3 -ffp-contract=off" "gcc -O3 -march=x86-64-v3 -ffp-contract=off" \
    "gcc -O3 -march=x86-64-v4" "clang -O3" "clang -O3 -march=x86-64-v3"; do
    [ "$(uname -m)" = x86_64 ] || compiler=${compiler%% -march*}
    [[ $compiler != *x86-64* || $(uname -m) = x86_64 ]] || continue
    # shellcheck disable=SC2086 # words
    ! has "${compiler%% *}" || check "no calls in loops of $compiler" no_calls $compiler
done

# ---- devices

opencl() { clang -x cl "$@" -Wall -Wextra -Werror -I "$include" -emit-llvm -S -o /dev/null \
    "$texts/kernels.h"; }
if has clang; then
    check "OpenCL C 1.2" opencl -cl-std=CL1.2
    check "OpenCL C 3.0 without double" opencl -cl-std=CL3.0 -target spir64 \
        -Xclang -cl-ext=-cl_khr_fp64,-__opencl_c_fp64
fi
# nvcc fuses by default, without a word about std::complex.
fused() { # fused <kernel>: multiply-adds in its text, outside of what errors of products need
    awk -v kernel="$1" '/\.entry/ { inside = index($0, kernel "(") } inside && /fma\.rn/ { n++ }
        END { print n + 0 }' "$work/products.ptx"
}
products() {
    nvcc -std=c++17 -Werror all-warnings -I "$include" -arch=compute_80 -ptx \
        "$texts/products.cu" -o "$work/products.ptx" || return 1
    for kernel in products_c128 products_c64; do
        [ "$(fused $kernel)" = 0 ] || { echo "error: $(fused $kernel) in $kernel" && return 1; }
    done
}
if has nvcc && [ -z "${STENO_TEST_OTHER:-}" ]; then
    check "products of nvcc are not fused" products
else
    skip "products of nvcc" "no nvcc, or thinned out"
fi
nvrtc=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's/.*=> //p' |
    grep -E '/libnvrtc\.so' | head -n 1)
if [ -n "$nvrtc" ] && [ -z "${STENO_TEST_OTHER:-}" ]; then
    cc -std=gnu11 "$SOURCE_DIR/test/accessor/runtime_compiler.c" -ldl -o "$work/compiler" || exit 1
    check "NVRTC" "$work/compiler" "$nvrtc" nvrtc "$texts" kernels.h - "-I$include" "-I$texts" \
        -arch=sm_80 --fmad=false
else
    skip "NVRTC" "no libnvrtc.so, or thinned out"
fi
finish
