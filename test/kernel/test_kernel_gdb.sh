#!/usr/bin/env bash
# A debugger stops on a line of a kernel in a file of its own, knows its variables, and steps.
source "$(dirname "$0")/toolchain.sh"
has gdb || { echo "skipped: no gdb"; exit 77; }

line=$(grep -n 'const real_t step' "$SOURCE_DIR/examples/kernels/cg_step_2.k" | cut -d: -f1)
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "skipped: no $compiler"; continue; }
    if ! $compiler -O0 -g -std=c11 -I "$SOURCE_DIR/include" -I "$SOURCE_DIR/examples" \
        "$SOURCE_DIR/examples/cg_step.c" "$BUILD_DIR/libsteno.so" "-Wl,-rpath,$BUILD_DIR" -lm \
        -o "$work/cg_step" >"$work/log" 2>&1; then
        echo "FAILED: $compiler: $(head -3 "$work/log")"
        failed=1
        continue
    fi
    OMP_NUM_THREADS=1 gdb -q -batch -nx -ex "set debuginfod enabled off" \
        -ex "break cg_step_2.k:$line" \
        -ex run -ex "print rho" -ex "print beta" -ex next -ex "print step" "$work/cg_step" \
        </dev/null >"$work/said" 2>&1
    if ! grep -q "^Breakpoint 1[.0-9]*," "$work/said" && grep -i 'ptrace' "$work/said"; then
        echo "skipped: gdb may not run programs here"
        continue
    fi
    compared=1
    for expected in "^Breakpoint 1[.0-9]*, step_2" "at [^ ]*kernels/cg_step_2[.]k:$line\$" \
        "^$line[[:space:]]*const real_t step" '\$1 = 1$' '\$2 = 2$' '\$3 = 0.5$'; do
        grep -q -- "$expected" "$work/said" && continue
        echo "FAILED: $compiler: gdb does not say $expected"
        cat "$work/said"
        failed=1
        break
    done
done
[ $failed = 0 ] || exit 1
[ $compared != 0 ] || exit 77
