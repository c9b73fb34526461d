#!/usr/bin/env bash
# block_codec.h in C, C++, OpenCL C, CUDA C++ and HIP: compiled without warnings, and run on the host. test_block_codec_opencl compares
# the bits of a device with those of the library.
set -u
source "$(dirname "$0")/../accessor/report.sh"
texts=$SOURCE_DIR/test/format/blocks
include=${STENO_INCLUDE_DIR:-$SOURCE_DIR/include}

program() { # program <compiler and options...>
    "$@" -Wall -Wextra -pedantic -Werror -ffp-contract=off -I "$include" "$texts/kernels.h" -o "$work/program" && "$work/program"
}
compilers=("gcc -x c -std=c11 -O2" "clang++ -x c++ -std=c++17 -O1")
[ -n "${STENO_TEST_QUICK:-}" ] || compilers+=("gcc -x c -std=c17 -O0" "g++ -x c++ -std=c++11 -O2"
    "g++ -x c++ -std=c++20 -O1" "clang -x c -std=c11 -O2")
for compiler in "${compilers[@]}"; do
    # shellcheck disable=SC2086 # words
    ! has "${compiler%% *}" || check "$compiler" program $compiler
done

# ---- devices

! has clang || check "OpenCL C 1.2" clang -x cl -cl-std=CL1.2 -Wall -Wextra -Werror -I "$include" -emit-llvm -S -o /dev/null \
    "$texts/kernels.h"

first_library() { # first_library <pattern>: known to the loader
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's/.*=> //p' | grep -E "/$1" | head -n 1
}
runtime() { # runtime <what> <library> <vendor> <options...>
    if [ -z "$2" ] || [ -n "${STENO_TEST_OTHER:-}" ]; then
        skip "$1" "no library, or thinned out"
    else
        check "$1" "$work/compiler" "$2" "$3" "$texts" kernels.h - "-I$include" "-I$texts" "${@:4}"
    fi
}
cc -std=gnu11 "$SOURCE_DIR/test/accessor/runtime_compiler.c" -ldl -o "$work/compiler" || exit 1
runtime "NVRTC for sm_80" "$(first_library 'libnvrtc\.so')" nvrtc -arch=sm_80 --fmad=false \
    ${STENO_TEST_QUICK:+--device-debug} # without optimization: less time
hiprtc=$(first_library 'libhiprtc\.so')
runtime "hipRTC for gfx90a" "${hiprtc:-$(first_library 'libamdhip64\.so')}" hiprtc --offload-arch=gfx90a -ffp-contract=off
finish
