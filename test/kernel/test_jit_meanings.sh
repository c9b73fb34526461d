#!/usr/bin/env bash
# Kernels of programs in C and C++ mean on threads:jit, whose compiler takes their texts as C, what they
# mean in the program.
source "$(dirname "$0")/toolchain.sh"
export STENO_CACHE=$work TMPDIR=$work

means() { # means <compiler and options ...>
    command -v "$1" >/dev/null 2>&1 || { echo "skipped: no $1"; return; }
    compared=$((compared + 1))
    if "$@" -Wall -Wextra -Werror -O1 -I "$SOURCE_DIR/include" "$SOURCE_DIR/test/kernel/meanings.c" \
        -x none "$BUILD_DIR/libsteno.so" "-Wl,-rpath,$BUILD_DIR" -lm -o "$work/program" \
        >"$work/log" 2>&1 && "$work/program" >"$work/log" 2>&1; then
        echo "ok: $*"
    else
        echo "FAILED: $*: $(head -5 "$work/log")"
        failed=1
    fi
}

means gcc -std=c11
means g++ -x c++ -std=c++11
means clang -std=c11
means clang++ -x c++ -std=c++17
echo "$compared programs"
[ $compared -gt 0 ] || exit 77
exit $failed
