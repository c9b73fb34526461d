#!/usr/bin/env bash
# The tile loops of kernels keep the contracts of kernel/loops.cg: packed, as wide as the processor,
# and in the arithmetic type alone.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
steno=${STENO:?the command}
"$steno" contract --help >/dev/null 2>&1 || { echo "skipped: built without contracts"; exit 77; }
command -v objdump >/dev/null || { echo "skipped: no objdump"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: not x86-64"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=0
failed=0
number=0

check() { # check <level> <file of the kernels' functions> <functions> <compiler and options ...>
    local level=$1 source=$2 functions=$3
    shift 3
    # A quick run compiles each file for one level by each compiler, and both levels for each file.
    number=$((number + 1))
    [ -z "${STENO_TEST_QUICK:-}" ] || [ $((number % 2)) = 0 ] || return
    if ! "$@" -march="$level" -DSTN_KERNEL_ONE_VERSION -I "$SOURCE_DIR/include" \
        -I "$SOURCE_DIR/examples" -c "$SOURCE_DIR/$source" -o "$work/kernels.o"; then
        echo "FAILED: $* does not compile $source"
        failed=1
        return
    fi
    for name in $functions; do
        for types in "f64 f32" "f32 f64"; do
            sed -e "s/@name@/$name/" -e "s/@type@/${types% *}/" -e "s/@other@/${types#* }/" \
                "$SOURCE_DIR/test/kernel/loops.cg"
        done
    done >"$work/loops.cg"
    if ! "$steno" contract check --target "x86-64-${level##*-}" "$work/kernels.o" "$work/loops.cg" \
        >"$work/said" 2>&1; then
        echo "FAILED: $* -march=$level, $source"
        head -20 "$work/said"
        failed=1
    fi
    checked=$((checked + 1))
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "skipped: no $compiler"; continue; }
    exact=all_points_exact
    # Clang does not make vectors of loops over neighbors.
    [ $compiler = gcc ] || { exact='' && number=$((number + 1)); }
    for level in x86-64-v3 x86-64-v4; do
        check $level test/kernel/bits.c "axpy differences" $compiler -O2 -std=c11
        check $level examples/csr.c scale $compiler -O2 -std=c11
        check $level examples/fused.c axpy $compiler -O2 -std=c11
        check $level examples/masked.c cut $compiler -O2 -std=c11
        check $level examples/cg_step.c step_2 $compiler -O2 -std=c11
        check $level examples/stencils.c "five_points $exact" $compiler -O2 -std=c11
        check $level examples/lattice_boltzmann.c d2q9_step $compiler -O2 -std=c11
    done
done
echo "$checked objects checked"
[ $failed = 0 ] || exit 1
[ $checked != 0 ] || exit 77
