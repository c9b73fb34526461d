#!/usr/bin/env bash
# What is wrong in a line of STN_REDUCE is one error with a sentence in it; and what a line costs.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
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

# A result of another type: a warning in C, an error in C++. Calls are collected in two programs: all of the one compile, and
# each of the other is an error in its line.
calls=0
typed() { # typed <type> <line> <call> <is it right?>: functions in $work/right or $work/wrong
    calls=$((calls + 1))
    local program=wrong line=${2//line/line_$calls} call=${3//line/line_$calls}
    [ "$4" = 0 ] || program=right
    {
        [ -z "$line" ] || echo "$line"
        echo "stn_status use_$calls(const stn_exec *exec, $1 *to, const stn_partial *part, const stn_view *x);"
        echo "stn_status use_$calls(const stn_exec *exec, $1 *to, const stn_partial *part, const stn_view *x)"
        echo "{ (void)exec, (void)to, (void)part, (void)x; return $call; } /* $1: $line */"
    } >>"$work/$program"
}

sum='STN_REDUCE(line, sum, (in(x)), x)'
place='STN_REDUCE(line, argmin, (in(x)), x)'
whole='STN_REDUCE_INTEGER(line, sum, (in(x)), x)'
own='STN_REDUCE_BY(line, (in(x)), x, a > b ? a : b, a, 0)'
complex='STN_REDUCE_COMPLEX(line, sum, (in(x)), x)'
size='STN_REDUCE_COMPLEX(line, norm2, (in(x)), x)'
right_types() { # right_types <type> <line>
    for type in double int64_t stn_c128 float; do
        local right=0
        [ $type != "$1" ] || right=1
        typed $type "$2" 'line_reduce(exec, STN_F64, to, x)' $right
    done
}
right_types double "$sum"
right_types int64_t "$place"
right_types int64_t "$whole"
right_types double "$own"
right_types stn_c128 "$complex"
right_types double "$size"
typed float "$sum" 'line_reduce_over(exec, STN_F64, -1, 0, to, x)' 0
typed int64_t "$sum" 'line_reduce_finish(part, to)' 0
typed float '' 'stn_dot(exec, STN_F32, to, x, x)' 0
typed double '' 'stn_dot(exec, STN_F32, to, x, x)' 1

for program in right wrong; do
    { printf '#include "steno/blas.h"\n#include "steno/reduce.h"\n' && cat "$work/$program"; } >"$work/$program.c"
done
for compiler in 'gcc -x c -std=c11 -Werror' 'clang -x c -std=c11 -Werror -ferror-limit=0' 'g++ -x c++ -std=c++11' \
    'clang++ -x c++ -std=c++11 -ferror-limit=0'; do
    command -v ${compiler%% *} >/dev/null || continue
    checked=$((checked + calls))
    $compiler -fsyntax-only -DSTN_KERNEL_ONE_VERSION -I "$SOURCE_DIR/include" "$work/right.c" >"$work/said" 2>&1 || {
        echo "FAILED: $compiler: calls with the types of the results"
        grep ' error: ' "$work/said" | head -5
        failed=1
    }
    ! $compiler -fsyntax-only -DSTN_KERNEL_ONE_VERSION -I "$SOURCE_DIR/include" "$work/wrong.c" >"$work/said" 2>&1 || failed=1
    while IFS=: read -r line call; do
        grep -q "^$work/wrong.c:$line:.* error: .*\(pointer\|convert\|no matching\)" "$work/said" && continue
        echo "FAILED: $compiler accepts $call"
        failed=1
    done < <(grep -n '^{ ' "$work/wrong.c")
done

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
    costs 10240 'STN_SCAN(line, sum, (in(x)), x)' 'line_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, y, x)'
fi
echo "$checked lines checked"
exit $failed
