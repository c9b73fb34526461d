#!/usr/bin/env bash
# The loops of contract/loops.c as compilers make them: bytes per element on every target, and, of
# the compiler versions it was measured with, the table of widths.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
"$steno" contract --help >/dev/null 2>&1 || skip "built without contracts"
held=0

# Independent of the compiler: bytes of an element, and no unknown instructions.
cat >"$work/always.cg" <<'END'
kernel muladd_c8 @* loop=main : bytes >= 64, unknown == 0, spill == 0, calls == 0
kernel muladd_c16 @* loop=main : bytes >= 64, unknown == 0, spill == 0, calls == 0
kernel copy_c8 @* : load.128 == 1, store.128 == 1, load == 1, store == 1
kernel copy_c16 @* : load.128 == 1, store.128 == 1, load == 1, store == 1
kernel axpy_narrow @* loop=main : bytes/elem == 12, unknown == 0, cvt > 0, gathers == 0
kernel axpy_mixed @* loop=main : bytes/elem == 20, unknown == 0, cvt > 0, spill == 0
kernel scale @* loop=main : bytes/elem == 16, cvt == 0, divisions == 0
kernel add_words @* loop=main : bytes/elem == 6, scalar == 0, packed == 0
kernel strided_sum @* loop=main : store == 0, fma == 0
kernel gather @* loop=main : calls == 0, unknown == 0
kernel matrix @* loop=main : bytes/elem == 16, loops >= 2
kernel matrix @* loop=0 : store.64 == 1
kernel calls @* loop=main calls=left-out : calls == 1, divisions == 1, elements == 1
kernel passes_on @* : calls == 1, loops == 0
END

# -O1 vectorises nothing.
cat >"$work/O1.cg" <<'END'
kernel muladd_c8 @* loop=main : load.64 == 6, store.64 == 2, load == 6, store == 2, packed == 0
kernel muladd_c16 @* loop=main : load.64 == 6, store.64 == 2, load == 6, store == 2, packed == 0
kernel axpy_narrow @* loop=main : load.32 == 2, store.32 == 1, scalar_cvt == 3, packed_cvt == 0
END
cat >"$work/gcc-O2.cg" <<'END'
kernel muladd_c8 @* gcc==12 loop=main : load.128 == 4, store.128 == 1, load == 4,
    instructions == 18, bytes/elem == 32
kernel muladd_c16 @* gcc==12 loop=main : load.128 == 4, store.128 == 1, load == 4,
    instructions == 17, bytes/elem == 32
kernel axpy_narrow @* gcc==12 loop=main : load.32 == 2, store.32 == 1, scalar_cvt == 3
END
cat >"$work/gcc-O3.cg" <<'END'
kernel muladd_c8 @* gcc==12 loop=main : load.128 == 4, store.128 == 1, load == 4,
    instructions == 18, bytes/elem == 32
kernel muladd_c16 @* gcc==12 loop=main : load.128 == 4, store.128 == 1, load == 4,
    instructions == 17, bytes/elem == 32
END
cat >"$work/gcc-v3.cg" <<'END'
kernel muladd_c8 @* gcc==12 loop=main : load.256 == 5, store.256 == 1, load == 5,
    instructions == 10,
    elements == 4, bytes/elem == 32, bytes.read == 96, bytes.raw == 192
kernel muladd_c16 @* gcc==12 loop=main : load.256 == 5, store.256 == 1, load == 5,
    instructions == 10
kernel axpy_narrow @* gcc==12 loop=main : load.256 == 2, store.256 == 1, packed_cvt == 6,
    elements == 8
END
cat >"$work/gcc-v4.cg" <<'END'
kernel muladd_c8 @* gcc==12 loop=main : load.512 == 5, store.512 == 1, load == 5,
    instructions == 10,
    elements == 8, bytes/elem == 32, bytes.read == 192, bytes.raw == 384
kernel muladd_c16 @* gcc==12 loop=main : load.512 == 5, store.512 == 1, load == 5,
    instructions == 10
kernel axpy_narrow @* gcc==12 loop=main : load.512 == 2, store.512 == 1, packed_cvt == 6,
    elements == 16
END
for level in O2 O3; do
    cat >"$work/clang-$level.cg" <<'END'
kernel muladd_c8 @* clang==14 loop=main : load.128 == 6, store.128 == 2, instructions == 32,
    bytes == 128
kernel muladd_c16 @* clang==14 loop=main : load.128 == 6, store.128 == 2, instructions == 32,
    bytes == 128
END
    # An iteration of two complex numbers: three ld2 of two registers and one st2.
    cat >"$work/arm-clang-$level.cg" <<'END'
kernel muladd_c8 @aarch64 clang==14 loop=main : load.256 == 3, store.256 == 1, load == 3,
    bytes == 128
kernel muladd_c16 @aarch64 clang==14 loop=main : load.256 == 3, store.256 == 1, load == 3
END
done
cat >"$work/arm-gcc-O3.cg" <<'END'
kernel muladd_c8 @aarch64 gcc==12 loop=main : load.256 == 3, store.256 == 1, load == 3,
    bytes == 128
kernel axpy_mixed @aarch64 gcc==12 loop=main : load.128 == 1, load.256 == 1, packed_cvt == 2
END

check() { # check <object> <expectations> <what>
    local report
    report=$("$steno" contract check "$work/$1" "$work/$2" 2>&1)
    case $? in
    0) held=$((held + 1)) ;;
    77) echo "skipped, another compiler: $3" ;;
    *) fail "$3: $report" ;;
    esac
}

try() { # try <expectations> <compiler and options>...
    local expectations=$1
    shift
    if ! "$@" -std=c11 -ffp-contract=off -c "$SOURCE_DIR/contract/test/loops.c" -o "$work/loops.o" \
        2>"$work/errors"; then
        fail "$*: $(cat "$work/errors")"
        return
    fi
    check loops.o always.cg "$*"
    [ ! -f "$work/$expectations.cg" ] || check loops.o "$expectations.cg" "$* ($expectations)"
}

needs objdump
if [ "$(uname -m)" = x86_64 ]; then
    for compiler in gcc clang; do
        has $compiler || { echo "skipped: no $compiler"; continue; }
        try O1 $compiler -O1
        try $compiler-O2 $compiler -O2
        try $compiler-O3 $compiler -O3
        try $compiler-v3 $compiler -O3 -march=x86-64-v3
        try $compiler-v4 $compiler -O3 -march=x86-64-v4
    done
fi
if has aarch64-linux-gnu-objdump || has llvm-objdump; then
    if has aarch64-linux-gnu-gcc; then
        try arm-gcc-O2 aarch64-linux-gnu-gcc -O2
        try arm-gcc-O3 aarch64-linux-gnu-gcc -O3
    fi
    if has clang && echo 'int x;' | clang --target=aarch64-linux-gnu -x c -c - -o "$work/x.o"; then
        try arm-clang-O2 clang --target=aarch64-linux-gnu -O2
        try arm-clang-O3 clang --target=aarch64-linux-gnu -O3
    fi
fi

# Variables of loops of -O0 are on the stack, relative to the frame pointer; the factor is
# a constant in memory.
for compiler in gcc clang; do
    has $compiler || continue
    $compiler -std=c11 -O0 -c "$SOURCE_DIR/contract/test/loops.c" -o "$work/plain.o" || exit 1
    echo 'kernel scale @* loop=main : spill > 3, load.64 == 2, store.64 == 1, unknown == 0' \
        >"$work/plain.cg"
    check plain.o plain.cg "$compiler -O0"
done

# Functions in separate sections all begin at address 0 before linking.
for compiler in gcc clang; do
    has $compiler && try none $compiler -O2 -ffunction-sections
done
"$steno" contract report --list --loop none "$work/loops.o" >"$work/list"
grep -qE ' (jmp|b) unknown_function' "$work/list" || fail "list: $(cat "$work/list")"

# Runs of zeros are code like other code, a byte that is no instruction is counted, and functions
# may lie in others.
if [ "$(uname -m)" = x86_64 ] && has gcc; then
    cat >"$work/zeros.s" <<'END'
.globl zeros, inner
.type zeros, @function
.type inner, @function
zeros: .zero 64
inner: .byte 0x06
ret
.size zeros, . - zeros
.size inner, . - inner
END
    for name in one two three four five; do # of the same code
        printf '.type %s, @function\n.set %s, zeros\n.size %s, 66\n' $name $name $name
    done >>"$work/zeros.s"
    cat >"$work/zeros.cg" <<'END'
kernel zeros @* : instructions == 34, unknown == 1, scalar.integer >= 32
kernel inner @* : instructions == 2, unknown == 1
END
    gcc -c "$work/zeros.s" -o "$work/zeros.o" && check zeros.o zeros.cg zeros
    "$steno" contract report --list "$work/zeros.o" >"$work/list"
    [ "$(grep -c ' ret  *; end' "$work/list")" = 7 ] || fail "list: $(cat "$work/list")"
fi

# A missing disassembler is a status that names it.
if [ -f "$work/loops.o" ]; then
    mkdir "$work/empty"
    message=$(PATH=$work/empty "$steno" contract report "$work/loops.o" 2>&1) &&
        fail "no objdump, no error"
    case $message in
    *objdump*PATH*) ;;
    *) fail "without objdump: $message" ;;
    esac
fi

# Both disassemblers say the same of every machine.
if has llvm-objdump && [ -f "$work/loops.o" ]; then
    mkdir "$work/llvm"
    ln -s "$(command -v llvm-objdump)" "$work/llvm/llvm-objdump"
    for options in "-O2" "-O3 -march=x86-64-v4" "--target=aarch64-linux-gnu -O3"; do
        # shellcheck disable=SC2086 # several options
        clang $options -ffunction-sections -c "$SOURCE_DIR/contract/test/loops.c" \
            -o "$work/both.o" 2>/dev/null || continue
        "$steno" contract report --json "$work/both.o" >"$work/one" || fail "report, clang $options"
        PATH=$work/llvm "$steno" contract report --json "$work/both.o" >"$work/other" ||
            fail "report by llvm-objdump, clang $options"
        cmp "$work/one" "$work/other" || fail "llvm-objdump differs, clang $options"
        grep -q muladd_c16 "$work/one" || fail "no functions, clang $options"
    done
fi

# No instruction of the library is unknown, those of every instruction set in it among them. A quick run looks at
# every third of the objects with vector instructions.
library=()
for file in "${BUILD_DIR:?the build folder}"/libsteno.so*; do
    [ ! -f "$file" ] || library=("$file")
done
if [ -n "${STENO_TEST_QUICK:-}" ] && [ ${#library[@]} -gt 0 ]; then
    mapfile -t library < <(find "$BUILD_DIR/CMakeFiles/steno_objects.dir/instances" -name '*.o' | sort | awk 'NR % 3 == 0')
    [ ${#library[@]} -gt 10 ] || fail "there are ${#library[@]} objects"
fi
if [ ${#library[@]} -gt 0 ]; then
    unknown=$(printf '%s\n' "${library[@]}" | xargs -d '\n' -n 1 "$steno" contract report --loop none --json | tr ',{' '\n' |
        awk -F: '/"symbol"/ {name = $2} /"unknown"/ {all++; if ($2 + 0 > 0) print name, $2}
                 END {if (all < 100) print "only", all + 0, "functions"}')
    [ -z "$unknown" ] || fail "unknown instructions: $unknown"
fi

echo "$held expectations held"
finish "$held"
