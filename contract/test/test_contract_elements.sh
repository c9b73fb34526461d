#!/usr/bin/env bash
# Bytes per element are right or undetermined: every loop of contract/elements.c, whose bytes per element
# are known by construction, main loop or remainder, by two compilers at several levels for three kinds
# of x86-64, and for 64-bit Arm.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
loops=$SOURCE_DIR/contract/test/elements.c

needs objdump

# name, bytes of an element, and, of structs whose numbers may be counted, bytes of a number
sed -n 's/^LOOP(\([a-z0-9_]*\), \([0-9]*\)\( OR(\([0-9]*\))\)\{0,1\},.*/\1 \2 \4/p' "$loops" >"$work/truth"
[ "$(wc -l <"$work/truth")" -gt 80 ] || fail "$(wc -l <"$work/truth") loops"

try() { # try COMPILER OPTION...
    if ! "$@" -std=c11 -ffp-contract=off -c "$loops" -o "$work/loops.o" 2>"$work/errors"; then
        fail "$*: $(head -n 3 "$work/errors")"
        return
    fi
    "$steno" contract report --json "$work/loops.o" | tr ',{}' '\n\n\n' >"$work/report"
    awk -F: -v what="$*" '
        NR == FNR { split($0, word, " "); bytes[word[1]] = word[2]; number[word[1]] = word[3]; next }
        /^"symbol"/ { name = $2; gsub(/"/, "", name) }
        /"loop":/ { loop = $NF }
        /^"bytes\/elem"/ && loop != "null" && $2 != "null" {
            determined++
            if ($2 + 0 != bytes[name] + 0 && $2 + 0 != number[name] + 0) {
                print "FAILED: " what ": " name ", loop " loop ": " $2 " bytes per element, not " (bytes[name] ? bytes[name] : "undetermined")
                wrong++
            }
        }
        END { print determined + 0, "determined"; exit wrong > 0 }' "$work/truth" "$work/report" >"$work/result" ||
        failures=$((failures + 1))
    grep FAILED "$work/result"
    determined=$(sed -n 's/ determined$//p' "$work/result")
    echo "$determined loops are determined, $*"
    [ "$determined" -ge 40 ] || fail "no more than $determined loops have a number of bytes, $*"
}

tried=0
for compiler in gcc clang; do
    has $compiler && [ "$(uname -m)" = x86_64 ] || continue
    for level in -O2 -O3; do
        for target in x86-64-v2 x86-64-v3 x86-64-v4; do
            # Each level and each target by each compiler, and all combinations with STENO_TEST_FULL.
            [ -n "${STENO_TEST_FULL:-}" ] || [[ $compiler$level$target == @(gcc-O2*v3|gcc-O3*v[24]|clang-O2*v[24]|clang-O3*v3) ]] ||
                continue
            try $compiler $level -march=$target
            tried=$((tried + 1))
        done
    done
    try $compiler -O1
    # gcc -Os keeps sums in memory, whose bytes are others
    [ $compiler = gcc ] || try $compiler -Os
done
if has aarch64-linux-gnu-objdump; then
    has aarch64-linux-gnu-gcc && try aarch64-linux-gnu-gcc -O1 && try aarch64-linux-gnu-gcc -O3 &&
        tried=$((tried + 1))
    if has clang && echo 'int x;' | clang --target=aarch64-linux-gnu -x c -c - -o "$work/x.o" 2>/dev/null; then
        try clang --target=aarch64-linux-gnu -O3
        try clang --target=aarch64-linux-gnu -Os
        tried=$((tried + 1))
    fi
fi
finish "$tried"
