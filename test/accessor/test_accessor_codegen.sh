#!/usr/bin/env bash
# get and set cost nothing: the main loops of accessor/loops.c through accessors and through raw
# pointers do the same in every quantity of a contract, with at most what computes addresses once
# around them; and both keep the contracts of accessor/loops.cg.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
steno=${STENO:?the command}
"$steno" contract --help >/dev/null 2>&1 || { echo "skipped: built without contracts"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
loops=$SOURCE_DIR/test/accessor
names=$(sed -n 's/^[a-z].* by_pointer_\([a-z]*\)(.*/\1/p' "$loops/loops.c")
expression="/^($(tr '\n' '|' <<<"$names" | sed 's/|$//'))\$/"
compared=0
failed=0

has() { command -v "$1" >/dev/null 2>&1; }

fail() {
    echo "FAILED: $*"
    failed=1
}

# The object with by_<side>_NAME renamed to NAME, so that both sides have functions of one name.
rename() { # rename <side>
    local name arguments=()
    for name in $names; do
        arguments+=(--redefine-sym "by_$1_$name=$name")
    done
    objcopy "${arguments[@]}" "$work/loops.o" "$work/$1.o"
}

instructions() { # instructions <side> <name>: of the whole function
    "$steno" contract report "$work/$1.o" --fn "$2" --loop none | awk '$1 == "function" { print $2 }'
}

compare() { # compare <what>
    local name said accessor pointer
    rename accessor && rename pointer || { fail "$1: objcopy"; return; }
    said=$("$steno" contract diff "$work/pointer.o" "$work/accessor.o" --fn "$expression" \
        --loop main) || fail "$1: diff"
    [ "$said" = "0 functions changed, 0 in one file only, $(wc -w <<<"$names") alike" ] ||
        fail "$1: from pointers to accessors: $said"
    for name in $names; do
        accessor=$(instructions accessor "$name")
        pointer=$(instructions pointer "$name")
        compared=$((compared + 1))
        [ "$accessor" -le $((pointer + pointer / 10 + 2)) ] ||
            fail "$1, $name: $accessor instructions; by pointer $pointer"
    done
}

for tool in objdump objcopy; do
    has $tool || { echo "skipped: no $tool"; exit 77; }
done
for compiler in gcc clang; do
    has $compiler || { echo "skipped: no $compiler"; continue; }
    for options in -O2 "-O2 -march=native" -O3 "-O3 -march=native" "-O3 -march=x86-64-v3"; do
        case $options in *x86-64*) [ "$(uname -m)" = x86_64 ] || continue ;; esac
        # shellcheck disable=SC2086 # words
        if ! $compiler -std=c11 $options -ffp-contract=off -I "$SOURCE_DIR/include" \
            -c "$loops/loops.c" -o "$work/loops.o"; then
            fail "$compiler $options does not compile the loops"
            continue
        fi
        compare "$compiler $options"
        case $options in *x86-64*) ;; *) continue ;; esac
        "$steno" contract check --target x86-64-v3 "$work/loops.o" "$loops/loops.cg" \
            >"$work/out" 2>&1 || fail "$compiler $options: $(cat "$work/out")"
    done
done
echo "$compared pairs compared"
[ $failed = 0 ] || exit 1
[ $compared != 0 ] || exit 77
