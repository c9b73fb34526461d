#!/usr/bin/env bash
# STN_CODES_OF: accessors over _Float16 by gcc and clang in C and C++, over __half and __nv_bfloat16 by
# nvcc and NVRTC.
set -u
source "$(dirname "$0")/../accessor/report.sh"

warnings=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror)
host() { # host <compiler> <language> <options...>
    local compiler=$1 language=$2
    shift 2
    has "$compiler" || { skip "$compiler" "it is missing"; return; }
    check "$compiler $*: compiled" "$compiler" -x "$language" "$@" "${warnings[@]}" \
        -I "$SOURCE_DIR/include" -o "$work/program" "$texts/pointers.h" -lm
    check "$compiler $*: one memory" "$work/program"
}
native=
[ "$(uname -m)" != x86_64 ] || native=-march=x86-64-v3
host gcc c -std=c11 -O2
host g++ c++ -std=c++11 -O3 $native
host clang c -std=c11 -O2 $native
host clang++ c++ -std=c++20 -O2
echo '#include "steno/accessor.h"
int of(char *p) { return STN_FORMAT_OF(p); }' >"$work/char.c"
for language in c c++; do
    ! cc -x $language -I "$SOURCE_DIR/include" -fsyntax-only "$work/char.c" 2>"$work/log" ||
        bad "a char * in $language is taken" "$work/log"
done

if has nvcc && [ -z "${STENO_TEST_OTHER:-}" ]; then
    check "CUDA's types by nvcc" nvcc -x cu -cubin -arch=sm_80 -Werror all-warnings \
        -I "$SOURCE_DIR/include" -o "$work/pointers.cubin" "$texts/pointers.h"
    nvrtc=$(ls "$(dirname "$(readlink -f "$(command -v nvcc)")")"/../lib64/libnvrtc.so* 2>/dev/null | head -n 1)
    cuda=$(dirname "$(readlink -f "$(command -v nvcc)")")/../include
    if [ -n "$nvrtc" ]; then
        cc -std=gnu11 "$texts/runtime_compiler.c" -ldl -o "$work/runtime_compiler" || exit 1
        check "CUDA's types by NVRTC" "$work/runtime_compiler" "$nvrtc" nvrtc "$texts" pointers.h - \
            "-I$SOURCE_DIR/include" "-I$texts" "-I$cuda" -arch=sm_90
    fi
else
    skip "CUDA's types by nvcc" "no nvcc, or thinned out"
fi
finish
