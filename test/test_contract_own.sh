#!/usr/bin/env bash
# Steno's own loops keep their contracts: those of contracts/TEMPLATE_ISA.cg in every format, checked on
# the objects that the library is made of.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/.." && pwd)}"
steno=${STENO:?the command}
objects=${BUILD_DIR:?the build folder}/CMakeFiles/steno_objects.dir/instances
[ -x "$steno" ] || exit 77
[ -d "$objects" ] || { echo "skipped: no objects in $objects"; exit 77; }
command -v objdump >/dev/null || { echo "skipped: no objdump"; exit 77; }
setting() { sed -n "s/^$1:[A-Z]*=//p" "$BUILD_DIR/CMakeCache.txt"; }
[ "$(setting CMAKE_BUILD_TYPE)" = Release ] || { echo "skipped: not a Release build"; exit 77; }
[ "$(setting STENO_SANITIZE)" != ON ] || { echo "skipped: built with sanitizers"; exit 77; }

checked=0
failures=0
for contract in "$SOURCE_DIR"/contracts/*.cg; do
    name=$(basename "$contract" .cg)
    level=x86-64-v3
    [ "${name#*_}" = avx512 ] && level=x86-64-v4
    for object in "$objects"/*/"${name%%_*}"_*_"${name#*_}".c.o; do
        # No conversions between f64 and 64-bit integers before AVX-512: they are scalar.
        case $object in
        *_[iu]64_avx2.c.o | */sparse/* | *'*'*) continue ;;
        esac
        found=$("$steno" contract check --target $level "$object" "$contract" 2>&1)
        if [ $? -ne 0 ]; then
            echo "FAILED: ${object#"$objects"/}: $found"
            failures=$((failures + 1))
        fi
        checked=$((checked + 1))
    done
done
echo "$checked objects checked"
[ $failures -eq 0 ] || exit 1
[ $checked -ne 0 ] || exit 77
