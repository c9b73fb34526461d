#!/usr/bin/env bash
# What is wrong in a line of STN_REDUCE is one error with a sentence in it; and what a line costs.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/.." && pwd)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
checked=0

refused() { # refused <sentence> <line>
    {
        echo '#include "steno/reduce.h"'
        echo "$2"
        echo 'stn_status use(const stn_exec *exec, void *to, const stn_view *x);'
        echo 'stn_status use(const stn_exec *exec, void *to, const stn_view *x)'
        echo '{ return wrong_reduce(exec, STN_F64, to, x); }'
    } >"$work/wrong.c"
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        $compiler -std=c11 -fsyntax-only -I "$SOURCE_DIR/include" "$work/wrong.c" >"$work/said" 2>&1
        local errors
        errors=$(grep -c ' error: ' "$work/said")
        checked=$((checked + 1))
        [ "$errors" = 1 ] && grep -qF "$1" "$work/said" && continue
        echo "FAILED: $compiler: $2: $errors errors"
        grep ' error: ' "$work/said" | head -5
        failed=1
    done
}

refused 'wrong: sum takes one expression' 'STN_REDUCE(wrong, sum, (in(x)), x, x)'
refused 'wrong: products takes two expressions' 'STN_REDUCE(wrong, products, (in(x)), x)'
refused 'wrong: total is no operation' 'STN_REDUCE(wrong, total, (in(x)), x)'
refused 'wrong: norm2 is no operation' 'STN_REDUCE_INTEGER(wrong, norm2, (in(x)), x)'
refused 'wrong: max is no operation' 'STN_REDUCE_COMPLEX(wrong, max, (in(x)), x)'

# Code and data of one line, in bytes.
costs() { # costs <most> <line> <call>
    {
        echo '#include "steno/reduce.h"'
        echo "$2"
        echo 'stn_status use(const stn_exec *exec, void *to, const stn_view *y, const stn_view *x);'
        echo 'stn_status use(const stn_exec *exec, void *to, const stn_view *y, const stn_view *x)'
        echo "{ (void)to, (void)y; return $3; }"
    } >"$work/line.c"
    gcc -std=c11 -O2 -I "$SOURCE_DIR/include" -c "$work/line.c" -o "$work/line.o" || failed=1
    local bytes
    bytes=$(size "$work/line.o" | awk 'END { print $4 }')
    checked=$((checked + 1))
    [ "$bytes" -lt "$1" ] && return
    echo "FAILED: $2: $bytes bytes, not less than $1"
    failed=1
}
if command -v gcc >/dev/null && command -v size >/dev/null; then
    costs 8192 'STN_REDUCE(line, sum, (in(x)), x)' 'line_reduce(exec, STN_F64, to, x)'
    costs 10240 'STN_SCAN(line, sum, (in(x)), x)' 'line_scan(exec, STN_F64, 0, y, x)'
fi
echo "$checked lines checked"
exit $failed
