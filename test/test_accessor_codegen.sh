#!/usr/bin/env bash
# get and set cost nothing: the loops of accessor/loops.c through accessors and through raw pointers
# become equally many instructions, counted in the disassembly.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/.." && pwd)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compared=0
failed=0

has() { command -v "$1" >/dev/null 2>&1; }

# "<instructions> <of them in loops>" of one function; a loop is what a jump back jumps over.
count() { # count <object> <function>
    objdump -d --no-show-raw-insn --disassemble="$2" "$1" | tr -d '%' | awk -F '\t' '
        NF >= 2 && $1 ~ /^ *[0-9a-f]+:/ {
            split($2, word, " ")
            if (word[1] ~ /^(nop[wl]?|data16|xchg|cs)$/)
                next
            sub(/^ +/, "", $1)
            sub(/:.*/, "", $1)
            place[$1] = ++all
            if (word[1] ~ /^j/ && word[2] in place)
                for (k = place[word[2]]; k <= all; k++)
                    inside[k] = 1
        }
        END {
            for (k in inside)
                loops++
            print all + 0, loops + 0
        }'
}

# Loops of as many instructions, give or take one in the addresses of loops that were unrolled;
# around them there may be what computes addresses once.
compare() { # compare <object> <what>
    local name accessor pointer
    for name in $(nm "$1" | sed -n 's/.* T by_pointer_//p'); do
        read -r -a accessor <<<"$(count "$1" "by_accessor_$name")"
        read -r -a pointer <<<"$(count "$1" "by_pointer_$name")"
        compared=$((compared + 1))
        if [ "${pointer[0]}" = 0 ] || [ "${accessor[1]}" -gt $((pointer[1] + pointer[1] / 50 + 1)) ] ||
            [ "${accessor[0]}" -gt $((pointer[0] + pointer[0] / 10 + 2)) ]; then
            echo "FAILED: $2, $name: ${accessor[0]} instructions, ${accessor[1]} in loops;" \
                "by pointer ${pointer[0]} and ${pointer[1]}"
            failed=1
        fi
    done
}

if ! has objdump; then
    echo "skipped: no objdump"
    exit 77
fi
for compiler in gcc clang; do
    has $compiler || { echo "skipped: no $compiler"; continue; }
    for level in -O2 -O3; do
        for machine in "" -march=native; do
            # shellcheck disable=SC2086 # no machine is no word
            if ! $compiler -std=c11 $level $machine -ffp-contract=off -I "$SOURCE_DIR/include" \
                -c "$SOURCE_DIR/test/accessor/loops.c" -o "$work/loops.o"; then
                echo "FAILED: $compiler $level $machine does not compile the loops"
                failed=1
                continue
            fi
            compare "$work/loops.o" "$compiler $level $machine"
        done
    done
done
echo "$compared pairs compared"
[ $failed = 0 ] || exit 1
[ $compared != 0 ] || exit 77
