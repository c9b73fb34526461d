#!/usr/bin/env bash
# Structs may grow: a program that was compiled with shorter layouts of the public structs runs with the
# library, and so does one whose structs are longer, if their additional bytes are 0.
#
# growth/structs.h lists the structs. A public struct that begins with `size_t size` and is neither in that
# list nor exempt below fails this test.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
build=${BUILD_DIR:?a build of Steno}
sources=$SOURCE_DIR/test/core/growth
libraries=(contract market codec)
for library in "" "${libraries[@]/#/_}"; do
    [ -e "$build/libsteno$library.so" ] || { echo "skipped: no libsteno$library.so"; exit 77; }
done
if grep -q '^STENO_SANITIZE:BOOL=ON' "$build/CMakeCache.txt"; then
    echo "skipped: programs without a sanitizer cannot use this library"
    exit 77
fi
command -v objdump >/dev/null || { echo "skipped: no objdump"; exit 77; }
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# stn_view and stn_operator: their layouts are frozen, with reserved members.
exempt="stn_view stn_operator"

# ---- every struct is listed ----

sized() { # names of structs whose first member is their size
    awk '/^typedef struct stn_[a-z0-9_]+ \{$/ { name = $3; next }
         name && /^ *size_t size;/ { print name }
         !/^ *(\/\*|\*)/ { name = "" }' "$SOURCE_DIR"/include/steno/*.h
}
listed=$(sed -n 's/^ *STRUCT([A-Z]*, \(stn_[a-z0-9_]*\),.*/\1/p' "$sources/structs.h")
[ "$(sized | wc -l)" -ge 10 ] || fail "structs with a size are not found in the headers"
for name in $(sized); do
    case " $exempt $(echo $listed) " in
    *" $name "*) ;;
    *) fail "$name has a size: add it to test/core/growth/structs.h, and a call to growth/program.c" ;;
    esac
done
for name in $listed; do
    sized | grep -qx "$name" || fail "$name is in structs.h, but no public struct that begins with its size"
done

# ---- headers with the shortest layouts ----

mkdir -p "$work/old"
cp -r "$SOURCE_DIR/include/steno" "$work/old/"
while IFS=' ' read -r name last; do
    header=$(grep -l "^typedef struct $name {" "$work"/old/steno/*.h)
    "$cc" -fpreprocessed -dD -E -P "$header" 2>/dev/null |
        awk -v name="$name" -v last="$last" '
            $0 ~ "^typedef struct " name " \\{" { inside = 1 }
            $0 ~ "^} " name ";" { inside = 0 }
            inside < 2
            inside == 1 && $0 ~ "[ *]" last "(\\[[^]]*\\])*;" { inside = 2 }' >"$work/header"
    mv "$work/header" "$header"
done < <(sed -n 's/^ *STRUCT([A-Z]*, \(stn_[a-z0-9_]*\), \([a-z_]*\)).*/\1 \2/p' "$sources/structs.h")

# ---- programs ----

printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 2\n' >"$work/a.mtx"
run() { # run NAME INCLUDE OPTIONS...
    local name=$1 include=$2
    shift 2
    "$cc" -std=c11 -Wall -Wextra -Werror -I "$include" "$@" "$sources/program.c" "$build/libsteno.so" \
        "${libraries[@]/#/$build/libsteno_}" -Wl,-rpath,"$build" -lm -o "$work/$name" 2>"$work/log" || {
        fail "$name: $(grep -m 3 error "$work/log")"
        return 1
    }
    "$work/$name" "$work/a.mtx" >"$work/$name.out" 2>&1 || fail "$name: $(grep -v '^stn_[a-z0-9_]* [0-9]*$' "$work/$name.out")"
}
libraries=("${libraries[@]/%/.so}")
run whole "$SOURCE_DIR/include" -DSTENO_WHOLE_STRUCTS
run shortest "$work/old"

# The shorter layouts are shorter, except where the last member is the last of all.
if [ "$failed" -eq 0 ]; then
    shorter=$(paste -d ' ' "$work/whole.out" "$work/shortest.out" | awk '$4 > $2 || $1 != $3 { print "?" } $4 < $2')
    case $shorter in *'?'*) fail "layouts of the programs: $shorter" ;; esac
    [ "$(echo "$shorter" | wc -l)" -ge 12 ] || fail "few layouts are shorter: $shorter"
fi
exit "$failed"
