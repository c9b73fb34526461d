#!/usr/bin/env bash
# What views cost in loops: through accessors of them the loop of a shifted update is made of vectors
# where one side is read-only and both are promised not to overlap, as with raw pointers; and it has
# as many instructions.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
steno=${STENO:?the command}
"$steno" contract --help >/dev/null 2>&1 || { echo "skipped: a build without contracts"; exit 77; }
command -v objdump >/dev/null || { echo "skipped: no objdump"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/loops.c" <<'END'
#include "steno/accessor_view.h"

STN_ACCESSOR(line, 1, double, double)
STN_ACCESSOR(source, 1, double, float)
STN_ACCESSOR_FROM_VIEW(line)
STN_ACCESSOR_FROM_VIEW(source_const)

static inline void shift(line a, source_const b, stn_size n)
{
    for (stn_size i = 0; i < n; i++)
        line_set(a, i + 1, line_get(a, i + 1) + source_const_get(b, i));
}
void through_views(double *restrict to, const float *restrict from, stn_size n)
{
    shift(line_dense(to, n + 1), source_const_dense(from, n), n);
}
void through_pointers(double *restrict to, const float *restrict from, stn_size n)
{
    for (stn_size i = 0; i < n; i++)
        to[i + 1] += (double)from[i];
}
stn_status of_views(const stn_view *to, const stn_view *from, stn_size n)
{
    line a;
    source_const b;
    stn_status status = line_from_view(&a, to);
    if (status == STN_OK)
        status = source_const_from_view(&b, from);
    if (status == STN_OK)
        shift(a, b, n);
    return status;
}
END
cat >"$work/loops.cg" <<'END'
kernel through_views @x86-64*    loop=main : packed.f64 >= 1, scalar.f64 == 0, calls == 0, spill == 0
kernel through_pointers @x86-64* loop=main : packed.f64 >= 1, scalar.f64 == 0, calls == 0, spill == 0
kernel of_views @x86-64*         loop=main : packed.f64 >= 1, scalar.f64 == 0, calls == 0
END

main_loop() { # main_loop OBJECT FUNCTION: instructions of its main loop
    "$steno" contract report "$1" --fn "$2" --loop main | awk '/^ +loop/ { print $4 }'
}

failures=0
checked=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "no $compiler"; continue; }
    $compiler -std=c11 -O3 -I"$SOURCE_DIR/include" -c "$work/loops.c" -o "$work/loops.o" || exit 1
    "$steno" contract check "$work/loops.o" "$work/loops.cg" --target x86-64 || failures=$((failures + 1))
    views=$(main_loop "$work/loops.o" through_views)
    pointers=$(main_loop "$work/loops.o" through_pointers)
    [ "${views:-0}" -gt 0 ] && [ "$views" = "$pointers" ] || {
        echo "$compiler: $views instructions through views, $pointers through pointers"
        failures=$((failures + 1))
    }
    checked=$((checked + 1))
done
[ "$(uname -m)" = x86_64 ] || { echo "skipped: the loops of x86-64 only"; exit 77; }
[ "$checked" -gt 0 ] || { echo "skipped: no compiler"; exit 77; }
exit "$failures"
