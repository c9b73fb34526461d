#!/usr/bin/env bash
# Runs of accessors in programs that are built for vector instructions: test_accessor_run.c compiled
# for AVX2 with F16C, and for AVX-512, where this machine has them.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${BUILD_DIR:=$SOURCE_DIR/build}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cached() { sed -n "s/^$1:[A-Z]*=//p" "$BUILD_DIR/CMakeCache.txt"; }

cc=$(cached CMAKE_C_COMPILER)
flags=(-std=c11 -O1 -ffp-contract=off -fopenmp -Wall -Wextra -I"$SOURCE_DIR/include"
    -I"$SOURCE_DIR/src" -I"$SOURCE_DIR/test" -I"$SOURCE_DIR/test/support")
[ "$(cached STENO_SANITIZE)" != ON ] || flags+=(-fsanitize=address,undefined -fno-sanitize-recover=all)
case "$(uname -m)" in
x86_64) ;;
*) echo "no vector instructions that accessors know of" && exit 77 ;;
esac

supports() { # supports <feature of gcc's cpu_supports>...
    local feature condition=1
    for feature in "$@"; do
        condition="$condition && __builtin_cpu_supports(\"$feature\")"
    done
    printf 'int main(void) { return !(%s); }\n' "$condition" >"$work/cpu.c"
    "$cc" "$work/cpu.c" -o "$work/cpu" && "$work/cpu"
}

failed=0
ran=0
run() { # run <flag>...
    if ! "$cc" "${flags[@]}" "$@" "$SOURCE_DIR"/test/{accessor/test_accessor_run,support/{accessor_check,accessor_model,oracle}}.c \
        "$BUILD_DIR/libsteno.a" -lcmocka -lm -o "$work/test"; then
        echo "$*: does not compile"
        failed=1
    elif ! "$work/test" >"$work/log" 2>&1; then
        grep -v 'RUN\|OK' "$work/log"
        echo "$*: failed"
        failed=1
    fi
    ran=$((ran + 1))
}

supports avx512f avx512bw avx512vl avx512dq &&
    run -mavx2 -mf16c -mavx512f -mavx512bw -mavx512vl -mavx512dq
# A quick run compiles it once.
{ [ "$ran" = 0 ] || [ -z "${STENO_TEST_QUICK:-}" ]; } && supports avx2 && run -mavx2 -mf16c
[ "$ran" -gt 0 ] || { echo "this machine has neither AVX2 nor AVX-512" && exit 77; }
exit "$failed"
