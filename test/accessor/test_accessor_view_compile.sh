#!/usr/bin/env bash
# STN_ACCESSOR_FROM_VIEW where the compiler decides: it is C++ as well, and an accessor whose
# elements are read by the program's own functions is refused with a sentence.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ran=0
failed=0

cat >"$work/types.h" <<'TYPES'
#include "steno/accessor_view.h"
STN_ACCESSOR(plain, 2, double, float)
STN_ACCESSOR_FROM_VIEW(plain)
STN_ACCESSOR_FROM_VIEW(plain_const)
STN_ACCESSOR_AFFINE(affine, 1, double, stn_i8, 0)
STN_ACCESSOR_FROM_VIEW(affine)
STN_ACCESSOR_FROM_VIEW(affine_const)
STN_FN double load(const char *data, stn_size index, int base)
{
    return data[index] - base;
}
STN_FN void store(char *data, stn_size index, double value, int base)
{
    data[index] = (char)(value + base);
}
STN_ACCESSOR_CUSTOM(custom, 1, double, char, int, load, store)
TYPES
printf '#include "types.h"\nSTN_ACCESSOR_FROM_VIEW(custom)\n' >"$work/custom.h"

report() { # report <status> <words>
    ran=1
    if [ "$1" = 0 ]; then
        echo "passed: $2"
    else
        echo "failed: $2"
        cat "$work/log"
        failed=1
    fi
}

try() { # try <compiler> <language> <standard>
    command -v "$1" >/dev/null || return
    local options=(-x "$2" "-std=$3" -Wall -Wextra -Wconversion -Wshadow -pedantic -Werror
        -I "$SOURCE_DIR/include" -fsyntax-only)
    "$1" "${options[@]}" "$work/types.h" >"$work/log" 2>&1
    report $? "$1 $3 takes from_view"
    ! "$1" "${options[@]}" "$work/custom.h" >"$work/log" 2>&1 &&
        grep -q 'custom: views have formats, custom elements have none' "$work/log"
    report $? "$1 $3 refuses a custom accessor from a view"
}

for standard in c11 c2x; do
    try gcc c "$standard"
    try clang c "$standard"
done
for standard in c++11 c++20; do
    try g++ c++ "$standard"
    try clang++ c++ "$standard"
done

[ $failed = 0 ] || exit 1
[ $ran != 0 ] || exit 77
