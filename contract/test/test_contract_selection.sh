#!/usr/bin/env bash
# objdump reads the requested functions only: neighbours in one run, distant ones separately, sections by name. The
# counts are those of separate requests.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
needs "$steno" objdump gcc
objdump=$(command -v objdump)
[ "$(uname -m)" = x86_64 ] || skip "the functions are for x86-64"

# An objdump that notes what it is asked, a line for each time.
mkdir tools
printf '#!/bin/sh\necho "$@" >>"%s/calls"\nexec "%s" "$@"\n' "$work" "$objdump" >tools/objdump
chmod +x tools/objdump
export PATH=$work/tools:$PATH

report() { # report FILE ARGUMENTS...: its output without the first line, in the file out
    : >calls
    "$steno" contract report "$@" 2>err | tail -n +2 >out
    [ ! -s err ] || fail "report $*: $(cat err)"
}

functions() { # functions COUNT SECTION BYTES: function k adds k numbers to itself, BYTES apart
    local k
    for ((k = 0; k < $1; k++)); do
        printf '.section %s,"ax",@progbits\n.globl f%d\n.type f%d, @function\nf%d:\n' \
            "${2/%./.f$k}" $k $k $k
        printf '.rept %d\nadd (%%rdi), %%rax\n.endr\nret\n.size f%d, . - f%d\n.skip %d, 0x90\n' \
            $((k % 50 + 1)) $k $k "$3"
    done
}

one_by_one() { # one_by_one FILE NUMBER...: what reports of each alone print, in alone
    local file=$1 k
    shift
    for k; do
        "$steno" contract report "$file" --fn "f$k" | tail -n +2
    done >alone
}

# Bytes that objdump was asked to read, all times together.
asked_bytes() {
    local from to sum=0
    while read -r from to; do
        sum=$((sum + to - from))
    done < <(sed -n 's/.*--start-address=\([^ ]*\) --stop-address=\([^ ]*\).*/\1 \2/p' calls)
    echo $sum
}

# ---- a library of 20 MB: six functions in three places

functions 200 .text 100000 >far.s
gcc -shared -nostdlib far.s -o far.so || exit 77
report far.so --fn '/^f(10|11|60|61|62|199)$/'
one_by_one far.so 10 11 60 61 62 199
cmp -s out alone || fail "six at once differ from each alone: $(diff out alone | head -n 5)"
report far.so --fn '/^f(10|11|60|61|62|199)$/'
expect "processes for functions far apart" "$(wc -l <calls)" 6
expect "all with their addresses" "$(grep -c -- '--start-address' calls)" 6
[ "$(asked_bytes)" -lt 2000 ] || fail "of 20 MB $(asked_bytes) bytes were read for six functions"

# ---- functions that lie together are read together

functions 3000 .text 16 >near.s
gcc -shared -nostdlib near.s -o near.so || exit 77
report near.so --fn '/^f[0-9]*7$/'
expect "functions found" "$(grep -c '^f[0-9]*7 ' out)" 300
expect "processes for neighbours" "$(wc -l <calls)" 1
"$steno" contract report near.so --fn '/^f(7|17|1237|2997)$/' | tail -n +2 >some
one_by_one near.so 7 17 1237 2997
sort some >some.sorted
for k in 7 17 1237 2997; do
    sed -n "/^f$k /,/^\$/p" out
done | grep . | sort >out.sorted
grep . some.sorted | cmp -s - out.sorted || fail "a few of many differ: $(diff some.sorted out.sorted)"
report near.so --loop none
expect "all functions" "$(grep -c '^f' out)" 3000

# ---- an object with a section for each function

functions 600 .text. 16 >parts.s
gcc -c parts.s -o parts.o || exit 77
report parts.o
expect "functions of all sections" "$(grep -c '^f' out)" 600
expect "processes for 600 sections" "$(wc -l <calls)" 3
grep -q -- '--section=.text.f599 ' calls || fail "the last section is not named"
report parts.o --fn '/^f(3|77|599)$/'
one_by_one parts.o 3 77 599
sort out >out.sorted
sort alone | cmp -s - out.sorted || fail "three sections at once differ: $(diff alone out)"
report parts.o --fn '/^f(3|77|599)$/'
expect "processes for three sections" "$(wc -l <calls)" 1
expect "sections read" "$(grep -o -- '--section' calls | wc -l)" 3

# ---- an archive: the files of several functions are read together

members=()
for k in {0..39}; do
    {
        printf '.globl g%d\n' "$k"
        functions $((k % 3 + 1)) ".text.%" $((k % 2 * 16 + 16))
        printf '.text\n.type g%d, @function\ng%d: .rept %d\naddsd %%xmm0, %%xmm1\n.endr\n' "$k" "$k" "$k"
        printf 'jmp f0\n.size g%d, . - g%d\n' "$k" "$k"
    } | as -o "p$k.o" - || exit 77
    members+=("p$k.o")
done
ar rc parts.a "${members[@]}" || exit 77
report parts.a
expect "functions of all files" "$(grep -c '^[fg]' out)" 119
expect "processes for 40 files" "$(wc -l <calls)" 1
for k in "${members[@]}"; do
    "$steno" contract report "$k" | tail -n +2
done >alone
sed -E 's/ in p[0-9]+\.o / /' out | cmp -s - alone || fail "an archive differs from its files: $(diff out alone | head)"
report parts.a --fn '/^g(3|17|38)$/'
expect "functions of three files" "$(grep -c '^g' out)" 3
expect "processes for three files" "$(wc -l <calls)" 1
for k in 3 17 38; do
    "$steno" contract report "p$k.o" --fn "g$k" | tail -n +2
done >alone
sed -E 's/ in p[0-9]+\.o / /' out | cmp -s - alone || fail "three files differ from each alone"
report "parts.a(p17.o)"
expect "functions of one file" "$(grep -c '^[fg]' out)" 4
llvm=$(command -v llvm-objdump llvm-objdump-{14..21} | head -n 1)
if [ -n "$llvm" ]; then
    report parts.a --loop none
    mv out by_objdump
    ln -sf "$llvm" tools/objdump
    report parts.a --loop none
    printf '#!/bin/sh\necho "$@" >>"%s/calls"\nexec "%s" "$@"\n' "$work" "$objdump" >tools/asked
    chmod +x tools/asked
    mv tools/asked tools/objdump
    cmp -s out by_objdump || fail "llvm-objdump differs for an archive: $(diff out by_objdump | head -n 5)"
fi

# ---- memory: nothing is kept of a function that has been reported; sanitizers keep it

peak() { # peak FILE: kilobytes that a report of it took
    /usr/bin/time -f %M -o kilobytes "$steno" contract report "$1" --loop none >out || fail "$1"
    cat kilobytes
}

if [ -x /usr/bin/time ] &&
    ! grep -q '^STENO_SANITIZE:BOOL=ON' "${BUILD_DIR:-.}/CMakeCache.txt" 2>err; then
    functions 500 .text 16 | sed 's/^\.rept .*/.rept 1000/' >large.s
    gcc -shared -nostdlib large.s -o large.so || exit 77
    kilobytes=$(peak large.so)
    expect "functions of the large one" "$(grep -c '^f' out)" 500
    [ "$kilobytes" -lt 110000 ] || fail "$kilobytes kB for half a million instructions"
fi

finish
