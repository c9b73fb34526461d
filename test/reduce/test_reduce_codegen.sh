#!/usr/bin/env bash
# The loops of reductions keep the contracts of kernel/reduce.cg.
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
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "skipped: no $compiler"; continue; }
    for level in x86-64-v3 x86-64-v4; do
        if ! $compiler -O2 -std=c11 -march=$level -DSTN_KERNEL_ONE_VERSION -I "$SOURCE_DIR/include" \
            -c "$SOURCE_DIR/test/kernel/reduce.c" -o "$work/reduce.o"; then
            echo "FAILED: $compiler -march=$level does not compile"
            failed=1
        elif ! "$steno" contract check --target "x86-64-${level##*-}" "$work/reduce.o" \
            "$SOURCE_DIR/test/kernel/reduce.cg" >"$work/said" 2>&1; then
            echo "FAILED: $compiler -march=$level"
            head -20 "$work/said"
            failed=1
        fi
        checked=$((checked + 1))
    done
done
echo "$checked objects checked"
[ $failed = 0 ] || exit 1
[ $checked != 0 ] || exit 77
