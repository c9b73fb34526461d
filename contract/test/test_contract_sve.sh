#!/usr/bin/env bash
# Loops of scalable vectors as gcc and clang make them: loads, stores and elements of vectors of 128
# bits, gathers, conversions, and vectors and predicates on the stack.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
needs "$steno" aarch64-linux-gnu-objdump
compilers=0

cat >loops.c <<'END'
typedef signed char i8;
void axpy(long n, double a, const double *restrict x, double *restrict y)
{ for (long k = 0; k < n; k++) y[k] += a * x[k]; }
void gather(long n, const double *restrict x, const int *restrict i, double *restrict y)
{ for (long k = 0; k < n; k++) y[k] = x[i[k]] * 2; }
void scatter(long n, double *restrict x, const long *restrict i, const double *restrict y)
{ for (long k = 0; k < n; k++) x[i[k]] = y[k] * 2; }
void pairs(long n, const double *restrict x, double *restrict y)
{ for (long k = 0; k < n; k++) { y[2 * k] += x[2 * k] * x[2 * k + 1]; y[2 * k + 1] -= x[2 * k]; } }
void some(long n, const float *restrict x, float *restrict y)
{ for (long k = 0; k < n; k++) if (x[k] > 0) y[k] = x[k] * 3; }
void integers(long n, const int *restrict x, float *restrict y)
{ for (long k = 0; k < n; k++) y[k] = (float)x[k]; }
void roots(long n, const double *restrict x, double *restrict y)
{ for (long k = 0; k < n; k++) y[k] = __builtin_sqrt(x[k]) / (y[k] + 1); }
int bytes(long n, const i8 *x)
{ int sum = 0; for (long k = 0; k < n; k++) sum += x[k]; return sum; }
END

# Bounds that hold however far a compiler unrolls.
cat >both.cg <<'END'
kernel axpy @aarch64 loop=main : load.width == 128, store.width == 128, packed.f64 >= 1, fma >= 1, scalar.f64 == 0, unknown == 0, spill == 0
kernel gather @aarch64 loop=main : gathers >= 1, load.width == 64, store.width == 128, unknown == 0
kernel scatter @aarch64 loop=main : scatters >= 1, store.width == 64, unknown == 0
kernel pairs @aarch64 loop=main : load.width == 256, store.width == 256, packed.f64 >= 2, unknown == 0
kernel some @aarch64 loop=main : load.128 >= 1, store.128 >= 1, unknown == 0, packed.f32 >= 1
kernel integers @aarch64 loop=main : packed_cvt >= 1, scalar_cvt == 0, unknown == 0
kernel roots @aarch64 loop=main : divisions >= 2, packed.f64 >= 3, unknown == 0
kernel bytes @aarch64 loop=main : load.32 >= 1, unknown == 0
END

# gcc does not unroll, and keeps the length of vectors in one register.
cat >gcc.cg <<'END'
kernel axpy @aarch64 loop=main : load.128 == 2, store.128 == 1, elements == 2, bytes/elem == 24, bytes == 48, instructions <= 8
kernel gather @aarch64 loop=main : load.64 == 3, bytes <= 40
kernel pairs @aarch64 loop=main : load.256 == 2, store.256 == 1
kernel some @aarch64 loop=main : elements == 4, bytes/elem == 8
kernel integers @aarch64 loop=main : elements == 4, bytes/elem == 8, packed_cvt == 1
kernel roots @aarch64 loop=main : elements == 2, bytes/elem == 24, divisions == 2
kernel bytes @aarch64 loop=main : elements == 4, bytes/elem == 1, load.32 == 1
END

check() { # check WHAT OBJECT CONTRACT
    "$steno" contract check "$2" "$3" >out 2>&1 && grep -q ' 0 broken, 0 skipped' out && return
    fail "$1: $(cat out)"
}

options="-Ofast -march=armv8-a+sve -ffreestanding -c"
if command -v aarch64-linux-gnu-gcc >/dev/null &&
    aarch64-linux-gnu-gcc $options loops.c -o gcc.o 2>/dev/null; then
    compilers=1
    check gcc gcc.o gcc.cg
    check gcc gcc.o both.cg
fi
if command -v clang >/dev/null &&
    clang --target=aarch64-linux-gnu $options loops.c -o clang.o 2>/dev/null; then
    compilers=1
    grep -v -e 'kernel gather' -e 'kernel scatter' both.cg >clang.cg # clang 14 makes none
    check clang clang.o clang.cg
fi

# Spills: a loop that keeps a vector and a predicate on the stack, which it makes by addvl.
cat >spills.s <<'END'
    .globl f
    .type f, %function
f:  addvl sp, sp, #-2
    cntd x4
    mov x3, #0
    whilelo p0.d, xzr, x0
1:  str p0, [sp, #7, mul vl]
    ld1d {z0.d}, p0/z, [x1, x3, lsl #3]
    str z0, [sp, #1, mul vl]
    ldr z1, [sp, #1, mul vl]
    fmul z1.d, z1.d, z0.d
    ldr p0, [sp, #7, mul vl]
    st1d {z1.d}, p0, [x2, x3, lsl #3]
    add x3, x3, x4
    whilelo p0.d, x3, x0
    b.any 1b
    addvl sp, sp, #2
    ret
    .size f, . - f
END
echo 'kernel f @aarch64 loop=main : spill == 4, load == 1, store == 1, load.128 == 1, elements == 2, unknown == 0' >spills.cg
sed 's/whilelo p0.d, xzr, x0/&\n    add x4, x4, #1/' spills.s >other.s
echo 'kernel f @aarch64 loop=main : elements == 2' >other.cg
if command -v aarch64-linux-gnu-as >/dev/null &&
    aarch64-linux-gnu-as -march=armv8-a+sve spills.s -o spills.o 2>/dev/null; then
    compilers=1
    check spills spills.o spills.cg
    aarch64-linux-gnu-as -march=armv8-a+sve other.s -o other.o
    "$steno" contract check other.o other.cg >out 2>&1
    says "0 held, 1 broken"
fi

finish "$compilers"
