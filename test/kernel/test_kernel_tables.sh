#!/usr/bin/env bash
# What a program compiles of a kernel: constant tables beside the loops. Nothing of it is written to
# but what the compiler was found to keep, once for a file; nothing runs before main, and nothing is
# locked.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
tried=0
fail() {
    echo "FAILED: $*"
    failed=1
}
command -v readelf >/dev/null || {
    echo "no readelf"
    exit 77
}
cat >"$work/tables.c" <<'PROGRAM'
#include "steno/kernel_fuse.h"
STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(blur, (at(i), stencil(u, value(2), 1), gather(w, 1), out(y)), y = STN_AT(u, i - 1) + STN_AT(w, i);)
STN_MAP_INTEGER(none, (), ;)
STN_MAP_COMPLEX(turned, (in(x), masked(y)), if (x.re > 0) STN_STORE(y, x);)
STN_FUSE(axpy_f16, axpy, f64, (real(alpha), in(x, f16), inout(y, f64)))
extern const void *const tables[];
const void *const tables[] = {&axpy_kernel, &blur_kernel, &none_kernel, &turned_kernel, &axpy_f16_fused};
PROGRAM

# Sections by their numbers, and the objects in them.
section_of() { # section_of <number>
    readelf -SW "$work/tables.o" | sed -n "s/^ *\[ *$1\] *\([^ ]*\) .*/\1/p"
}
look() { # look <what>
    local name section
    readelf -SW "$work/tables.o" | grep -qE '\.(init_array|ctors|preinit)' && fail "$1: constructors"
    readelf -sW "$work/tables.o" | grep -E 'UND.*(pthread|mtx_|call_once|cxa_)' && fail "$1: locks"
    while read -r section name; do
        section=$(section_of "$section")
        case "$name $section" in
        *" .rodata"* | *" .data.rel.ro"* | *" stn_fused") ;;
        kept_*" .bss"* | *stn_kernel_probe*kept_" .bss"* | DW.ref.*) ;;
        *) fail "$1: $name is in $section" ;;
        esac
    done < <(readelf -sW "$work/tables.o" | awk '$4 == "OBJECT" && $7 ~ /^[0-9]+$/ { print $7, $8 }')
    for name in axpy_kernel axpy_parameters blur_kernel none_kernel turned_parameters axpy_f16_fused; do
        readelf -sW "$work/tables.o" | grep -q "OBJECT.*$name" || fail "$1: there is no $name"
    done
    tried=$((tried + 1))
}

compile() { # compile <compiler> <options ...>
    command -v "$1" >/dev/null || return
    "$@" -I "$SOURCE_DIR/include" -DSTN_KERNEL_ONE_VERSION -O1 -c "$work/tables.c" -o "$work/tables.o" \
        2>"$work/log" || fail "$*: $(head -3 "$work/log")"
    look "$*"
}
compile gcc -std=c11 -fPIC
compile gcc -std=c11 -fno-pie
compile clang -std=c11 -fPIC
compile g++ -std=c++17 -x c++ -fPIC
compile clang++ -std=c++17 -x c++ -fPIC
echo "$tried programs"
exit "$failed"
