#!/usr/bin/env bash
# What is not in the machine code does not hold: jumps through tables are followed, so that a loop
# around a switch has all cases of the function, or the answer is that it cannot be told.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/.." && pwd)}"
steno=${STENO:?the command}
switches=$SOURCE_DIR/test/contract/switches.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
resolved=0

has() { command -v "$1" >/dev/null 2>&1; }
has objdump || { echo "skipped: no objdump"; exit 77; }

fail() {
    echo "FAILED: $*"
    failed=1
}

quantity() { # quantity FILE FUNCTION LOOP NAME
    "$steno" contract report --json --loop "$3" --fn "$2" "$1" 2>/dev/null | tr ',{}' '\n\n\n' |
        sed -n "s/^\"$4\"://p"
}

compare() { # compare WHAT: the loops in code.o have all divisions of their functions
    local name count all
    for name in dense moved bytes longer two; do
        count=$(quantity "$work/code.o" $name main divisions)
        all=$(quantity "$work/code.o" $name none divisions)
        echo "kernel $name @* loop=main : divisions == 0" >"$work/none.cg"
        "$steno" contract check "$work/code.o" "$work/none.cg" >"$work/out" 2>/dev/null &&
            fail "$*: $name divides: $(cat "$work/out")"
        [ "$(quantity "$work/code.o" $name main unresolved_jumps)" = 0 ] || continue
        grep -q 'cannot be told' "$work/out" && continue # a part of it lies elsewhere
        [ "$count" = "$all" ] || fail "$*: $name: $count divisions of $all"
        resolved=$((resolved + 1))
    done
}

try() { # try COMPILER OPTION...
    case $* in
    *-shared*) "$@" "$switches" -o "$work/code.o" ;;
    *) "$@" -c "$switches" -o "$work/code.o" ;;
    esac || { fail "$*"; return; }
    compare "$*"
    "$@" -fno-jump-tables -c "$switches" -o "$work/code.o" 2>/dev/null || { fail "$* -fno-jump-tables"; return; }
    compare "$* -fno-jump-tables"
}

if [ "$(uname -m)" = x86_64 ]; then
    if has gcc; then
        try gcc -O1
        try gcc -O2 -fPIC -ffunction-sections
        try gcc -O2 -fno-pic
        try gcc -Os -shared -fPIC -Wl,--unresolved-symbols=ignore-all
    fi
    if has clang; then
        try clang -O2 -fPIC
        try clang -O2 -fno-pic
        try clang -Os -shared -fPIC -Wl,--unresolved-symbols=ignore-all
    fi
fi
if has aarch64-linux-gnu-objdump; then
    if has aarch64-linux-gnu-gcc; then
        try aarch64-linux-gnu-gcc -O2
        try aarch64-linux-gnu-gcc -Os
        try aarch64-linux-gnu-gcc -O2 -shared -fPIC -nostdlib -Wl,--unresolved-symbols=ignore-all
    fi
    if has clang && echo 'int x;' | clang --target=aarch64-linux-gnu -x c -c - -o "$work/x.o" 2>/dev/null; then
        try clang --target=aarch64-linux-gnu -O2
    fi
fi
[ -f "$work/code.o" ] || exit 77
echo "$resolved loops around a switch have all their cases"
[ $resolved -ge 60 ] || fail "no more than $resolved"

# A jump to what stands in memory leads anywhere, also back into the loop before it.
cat >"$work/on.cg" <<'END'
kernel goes_on @* loop=main : store >= 1, packed <= 8, divisions == 0
END
"$steno" contract check "$work/code.o" "$work/on.cg" >"$work/out" 2>/dev/null
grep -q '^1 held, 2 broken' "$work/out" || fail "goes_on: $(cat "$work/out")"
grep -q 'divisions == 0 cannot be told: .* jumps nobody knows where to' "$work/out" ||
    fail "goes_on: $(cat "$work/out")"

untold() { # untold WHAT WORDS FACTS: no fact of the main loop of f in code.o holds, as `words` say
    printf 'kernel f @* loop=main : %s\n' "$3" >"$work/untold.cg"
    "$steno" contract check "$work/code.o" "$work/untold.cg" >"$work/out" 2>/dev/null
    grep -q '^0 held' "$work/out" && grep -q "cannot be told: .*$2" "$work/out" ||
        fail "$1: $(cat "$work/out")"
}

# A loop over memset of 8192 bytes, and one of scalable vectors.
cat >"$work/f.c" <<'END'
#include <string.h>
void f(long n, char (*x)[8192]);
void f(long n, char (*x)[8192])
{
    for (long i = 0; i < n; i++)
        memset(x[i], 0, sizeof x[i]);
}
END
if [ "$(uname -m)" = x86_64 ] && has gcc; then
    gcc -O2 -minline-all-stringops -mstringop-strategy=rep_8byte -c "$work/f.c" -o "$work/code.o" || fail rep
    untold "rep stos" "repeats, nobody knows how often" "bytes <= 32, store <= 3, elements == 8192"
    gcc -O2 -mmemset-strategy=libcall:-1:noalign -c "$work/f.c" -o "$work/code.o" || fail call
    untold "a call" "leads to another function" "bytes <= 32, store == 0, divisions == 0"
fi
cat >"$work/f.c" <<'END'
void f(long n, float *restrict y, const float *restrict x);
void f(long n, float *restrict y, const float *restrict x)
{
    for (long i = 0; i < n; i++)
        y[i] += 2 * x[i];
}
END
if has aarch64-linux-gnu-objdump && has aarch64-linux-gnu-gcc; then
    aarch64-linux-gnu-gcc -O3 -march=armv8.2-a+sve -c "$work/f.c" -o "$work/code.o" || fail sve
    untold "scalable vectors" "is not known" "load == 0, bytes <= 12, bytes/elem <= 12, calls == 0, load.width >= 8"
fi
exit $failed
