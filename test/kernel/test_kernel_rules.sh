#!/usr/bin/env bash
# Flags that allow a compiler to change results: kernels, reductions, scans and complex functions give
# the bits that they give without, or each launch is refused by a sentence that names the flag, or the
# compilation stops with one.
source "$(dirname "$0")/toolchain.sh"
export OMP_NUM_THREADS=3

# Fusing needs a machine that can; on 64-bit Arm each can.
with_fma=
if [ "$(uname -m)" = x86_64 ]; then
    grep -qw fma /proc/cpuinfo || { echo "skipped: no fused operations here"; exit 77; }
    with_fma=-march=x86-64-v3
fi
include="-I $SOURCE_DIR/include -I $SOURCE_DIR/examples"

build() { # build <compiler and options ...>
    # shellcheck disable=SC2086 # words
    "$@" -Wall -Wextra $include -c "$SOURCE_DIR/test/kernel/rules.c" -o "$work/object.o" \
        >"$work/log" 2>&1 &&
        "$1" "$work/object.o" "$BUILD_DIR/libsteno.so" "-Wl,-rpath,$BUILD_DIR" -lm \
            -o "$work/program" >>"$work/log" 2>&1 && return
    fail "$* does not build: $(head -5 "$work/log")"
    return 1
}

# What the one without optimization calculates element by element is expected of all.
same() { # same <lines to leave out, or none> <compiler and options ...>
    local without=${1:-nothing} executor
    shift
    has "$1" || { echo "skipped: no $1"; return; }
    build "$@" || return
    for executor in reference openmp; do
        "$work/program" $executor | grep -v "^$without" >"$work/found" ||
            fail "$*: on $executor"
        [ -e "$work/expected" ] || cp "$work/found" "$work/expected"
        diff <(grep -v "^$without" "$work/expected") "$work/found" >"$work/log" ||
            fail "$* on $executor: $(head -4 "$work/log")"
        compared=$((compared + 1))
    done
}

refused() { # refused <what the sentence names> <compiler and options ...>
    local named=$1
    shift
    has "$1" || { echo "skipped: no $1"; return; }
    build "$@" || return
    "$work/program" openmp | grep -v ^functions >"$work/found"
    [ -s "$work/found" ] && ! grep -qv "^STN_ERR_UNSUPPORTED: .*without $named," "$work/found" ||
        fail "$* is not refused: $(head -3 "$work/found")"
    compared=$((compared + 1))
}

stops() { # stops <text of the error> <compiler and options ...>
    local text=$1
    shift
    has "$1" || { echo "skipped: no $1"; return; }
    # shellcheck disable=SC2086 # words
    printf '#include "steno/reduce.h"\n%s\nSTN_REDUCE(total, sum, (in(x)), x)\n' "${between:-}" |
        "$@" -x c $include -fsyntax-only - >"$work/log" 2>&1 && fail "$* compiles"
    grep 'error: ' "$work/log" | head -1 | grep -q -e "without $text only" ||
        fail "$* stops otherwise: $(head -3 "$work/log")"
}

same "" gcc -O0 -std=c11
same "" gcc -O2 $with_fma -ffp-contract=fast -DSTN_KERNEL_ONE_VERSION
same "" gcc -O3 -march=native -ffp-contract=fast -DSTN_KERNEL_ONE_VERSION
same "" gcc -O1 $with_fma -DSTN_KERNEL_ONE_VERSION -ffp-contract=fast -frounding-math
same "" g++ -x c++ -std=c++17 -O2 $with_fma -DSTN_KERNEL_ONE_VERSION -ffp-contract=fast
same "" clang++ -x c++ -std=c++17 -O3 -march=native
associative="-fassociative-math -fno-signed-zeros -fno-trapping-math"
if [ "$(uname -m)" = x86_64 ]; then
    same "" gcc -O2 -ffp-contract=fast # a version of each loop has fused operations
    same functions clang -O2 $with_fma -funsafe-math-optimizations -ffp-contract=on
    same functions clang++ -x c++ -std=c++17 -O2 $with_fma -freciprocal-math -fno-signed-zeros
fi

refused -ffp-contract=fast clang -O2 $with_fma -ffp-contract=fast
refused -ffp-contract=fast clang++ -x c++ -std=c++17 -O3 -march=native -ffp-contract=fast
# As by a compiler that does not say what it was told.
# shellcheck disable=SC2086 # words
same functions gcc -O1 $with_fma $associative -U__ASSOCIATIVE_MATH__ -U__NO_SIGNED_ZEROS__ \
    -DSTN_KERNEL_ONE_VERSION
same functions gcc -DSTN_KERNEL_ONE_VERSION -O1 -freciprocal-math -U__RECIPROCAL_MATH__
same functions gcc -DSTN_KERNEL_ONE_VERSION -O1 -fno-signed-zeros -U__NO_SIGNED_ZEROS__

# shellcheck disable=SC2086 # words
stops -fassociative-math gcc -O2 $associative
stops -fassociative-math gcc -O2 -funsafe-math-optimizations
stops -freciprocal-math gcc -O2 -freciprocal-math
stops -fno-signed-zeros gcc -O2 -fno-signed-zeros
stops -fsingle-precision-constant gcc -O2 -fsingle-precision-constant
between='#pragma GCC optimize("single-precision-constant")' stops -fsingle-precision-constant gcc -O2
for compiler in gcc clang; do
    stops -ffast-math $compiler -Ofast
    stops -ffast-math $compiler -ffinite-math-only
done

echo "$compared runs compared"
[ $failed = 0 ] || exit 1
[ $compared != 0 ] || exit 77
