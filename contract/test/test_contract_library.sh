#!/usr/bin/env bash
# Steno's own loops keep their contracts: those of contract/library in every format,
# checked on the objects that the library is made of, and for 64-bit Arm on objects of a cross compiler
# where there is one.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
objects=${BUILD_DIR:?the build folder}/CMakeFiles/steno_objects.dir/instances
needs "$steno"
[ -d "$objects" ] || skip "no objects in $objects"
needs objdump
setting() { sed -n "s/^$1:[A-Z]*=//p" "$BUILD_DIR/CMakeCache.txt"; }
[ "$(setting CMAKE_BUILD_TYPE)" = Release ] || skip "not a Release build"
declare -A level=([avx2]="--target x86-64-v3" [avx512]="--target x86-64-v4" [neon]="")
checked=0
shopt -s globstar

# The library's objects; those for 64-bit Arm are in $work on other machines. Contracts of TEMPLATE_bytes are
# for floats of 24, 40 and 48 bits, the others for all other formats.
objects_of() { # objects_of FOLDER/TEMPLATE ISA
    local found class
    for found in "$objects/${1%_bytes}"_*_"$2".c.o "$work/${1%_bytes}"_*_"$2".c.o; do
        class=${1%_bytes}
        case $found in
        # No conversions between f64 and 64-bit integers before AVX-512: they are scalar.
        *_[iu]64_avx2.c.o | *_[iu]64_neon.c.o | *'*'*) continue ;;
        # The first plane of segmented values has loops in f64 arithmetic only.
        *_upper_*.o) continue ;;
        *_f24_*.o | *_f40_*.o | *_f48_*.o) class=${1%_bytes}_bytes ;;
        esac
        [ "$class" != "$1" ] || echo "$found"
    done
}

build_neon() { # build_neon FOLDER/TEMPLATE FORMAT
    local source=$work/$1_$2_neon.c
    mkdir -p "${source%/*}"
    printf '#define STN_FORMAT %s\n#define STN_ISA neon\n#include "%s.c"\n' "$2" "$1" >"$source"
    aarch64-linux-gnu-gcc -std=c11 -O3 -ffp-contract=off -fno-tree-slp-vectorize \
        -DSTN_HAVE_ISA_NEON -I"$SOURCE_DIR/src" -I"$SOURCE_DIR/include" -c "$source" -o "$source.o"
}

build_all_neon() {
    local contract template object format formats='(f16|i16)|tile (f64|f24)|row_tile f64' # fused loops take 5 s each
    [ -z "${STENO_TEST_FULL:-}" ] || formats='.*'
    for contract in "$SOURCE_DIR"/contract/library/**/*_neon.cg; do
        template=${contract#"$SOURCE_DIR"/contract/library/}
        template=${template%_neon.cg}
        template=${template%_bytes}
        for object in "$objects/$template"_*_avx2.c.o; do
            format=${object%_avx2.c.o}
            format=${format##*_}
            [[ $format == [iu]64 ]] || # f24, f40 and f48 have contracts only of templates that have one for bytes
                { [[ $format == f@(24|40|48) ]] && [ ! -e "$SOURCE_DIR/contract/library/${template}_bytes_neon.cg" ]; } ||
                echo "$template $format"
        done
    done | sort -u | grep -E "( |/)($formats)\$" >"$work/list"
    export -f build_neon
    export work SOURCE_DIR
    # shellcheck disable=SC2016 # the inner bash expands it
    xargs -P 2 -L 1 bash -c 'build_neon "$1" "$2"' - <"$work/list" && return
    fail "the objects for 64-bit Arm"
}

if ls "$objects"/*/*_neon.c.o >/dev/null 2>&1; then
    echo "the library is for 64-bit Arm"
elif [ -n "${STENO_TEST_OTHER:-}" ]; then
    echo "skipped: those for 64-bit Arm, which are the same whatever the build's compiler is"
elif command -v aarch64-linux-gnu-gcc >/dev/null && command -v aarch64-linux-gnu-objdump >/dev/null; then
    build_all_neon
else
    echo "skipped: no aarch64-linux-gnu-gcc with its objdump for the contracts of 64-bit Arm"
fi
for contract in "$SOURCE_DIR"/contract/library/**/*.cg; do
    name=${contract#"$SOURCE_DIR"/contract/library/}
    name=${name%.cg}
    isa=${name##*_}
    for object in $(objects_of "${name%_*}" "$isa"); do
        # shellcheck disable=SC2086 # two words or none
        found=$("$steno" contract check ${level[$isa]} "$object" "$contract" 2>&1)
        [ $? -eq 0 ] || fail "$name.cg, ${object##*/}: $found"
        checked=$((checked + 1))
    done
done
echo "$checked objects checked"
finish "$checked"
