#!/usr/bin/env bash
# Files that contain objects (archives, compressed cubins) are read. Messages name the kind of files without machine
# code, and of symbols that are no functions.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
needs "$steno" objdump objcopy ar gcc
seeds=$SOURCE_DIR/test/fuzz/corpus/fuzz_contract
mkdir temporary
export TMPDIR=$work/temporary

accepts() { # accepts ARGUMENTS...: succeeds, and leaves no temporary files
    succeeds "$steno" contract "$@"
    [ -z "$(ls temporary)" ] || fail "steno contract $*: leaves $(ls temporary)"
}

refuses() { # refuses WORDS ARGUMENTS...
    local words=$1
    shift
    refused "$words" "$steno" contract "$@"
}

counted() { # counted FILE FUNCTION: the counts, without the line that names it
    "$steno" contract report "$1" --fn "$2" | tail -n +4
}

cat >part.c <<'END'
static double thrice(double x) { return x * 3; }
double squares(const double *x, long n);
double squares(const double *x, long n)
{
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += x[k] * x[k];
    return thrice(sum);
}
END
sed 's/squares/cubes/g; s/double/float/g; s/x\[k\] \*/& x[k] */' part.c >a_name_longer_than_sixteen.c
for name in part a_name_longer_than_sixteen; do
    gcc -O1 -fno-inline -c $name.c || exit 77
done

# ---- archives

echo "no object" >note.txt
ar rcs lib.a part.o note.txt a_name_longer_than_sixteen.o
accepts report lib.a
grep -q '^squares in part.o (' out || fail "the file of a function is missing: $(cat out)"
[ "$(grep -c ' in a_name_longer_than_sixteen.o (' out)" -eq 2 ] || fail "a long name: $(cat out)"
for name in part a_name_longer_than_sixteen; do
    "$steno" contract report $name.o | tail -n +2
done >both
sed 's/ in [a-z_]*\.o (/ (/; 1d' out | cmp -s - both || fail "together: $(diff both out)"
for name in squares cubes; do
    object=part.o
    [ $name = squares ] || object=a_name_longer_than_sixteen.o
    [ -n "$(counted lib.a $name)" ] && [ "$(counted lib.a $name)" = "$(counted $object $name)" ] ||
        fail "$name is counted otherwise in an archive: $(counted lib.a $name)"
done
[ "$(counted 'lib.a(part.o)' thrice)" = "$(counted part.o thrice)" ] || fail "one file of an archive"
accepts report lib.a --fn thrice --json
[ "$(grep -oE '"member": ?"(part|a_name_longer_than_sixteen)\.o"' out | wc -l)" -eq 2 ] || fail "members in JSON: $(cat out)"
echo 'kernel squares @x86-64|aarch64 loop=main : load.64 == 1, cvt == 0' >lib.cg
accepts check lib.a lib.cg
echo 'kernel thrice @* : cvt == 0' >two.cg
! "$steno" contract check lib.a two.cg >out 2>err && grep -q "more than one function thrice in lib.a" out ||
    fail "a name in two files: $(cat out err)"
accepts check 'lib.a(part.o)' two.cg
refuses "lib.a(none.o): the archive has no such file" report 'lib.a(none.o)'
refuses "none.a(part.o): No such file or directory" report 'none.a(part.o)'
head -c 700 lib.a >cut.a
refuses "cut.a: a damaged or truncated archive" report cut.a
ar rcsT thin.a part.o
refuses "thin.a: a thin archive, which contains only the names of its objects" report thin.a
ar qcsS bsd.a part.o
printf '#1/8            ' | dd of=bsd.a bs=1 seek=8 conv=notrunc 2>/dev/null
python3 - <<'END' 2>/dev/null && accepts report 'bsd.a(part.o)'
bytes = open("bsd.a", "rb").read()
size = int(bytes[56:66]) + 8
open("bsd.a", "wb").write(bytes[:56] + b"%-10d" % size + bytes[66:68] + b"part.o\0\0" + bytes[68:])
END

# ---- no machine code

gcc -g -O1 -shared -fPIC part.c -o part.so
objcopy --only-keep-debug part.so part.debug
refuses "part.debug has no functions; it has debugging information without code" report part.debug
refuses "none of its 0 functions is squares; it has debugging information" report part.debug --fn squares
if gcc -flto -fno-fat-lto-objects -O1 -c part.c -o slim.o 2>/dev/null; then
    refuses "slim.o has no functions; it is an object of link-time optimization" report slim.o
    ar rcs slim.a slim.o
    refuses "slim.a has no functions; it is an object of link-time optimization" report slim.a
fi

cp part.o core
printf '\004' | dd of=core bs=1 seek=16 conv=notrunc 2>/dev/null
refuses "core: a core file; pass the program instead" report core

# ---- more sections than 16 bits can number

cat >cases.c <<'END'
long cases(const int *x, long n);
long cases(const int *x, long n)
{
    long sum = 0;
    for (long k = 0; k < n; k++)
        switch (x[k]) {
        case 0: sum += k; break;
        case 1: sum *= k + 5; break;
        case 2: sum ^= 77; break;
        case 3: sum -= n; break;
        case 4: sum |= k << 3; break;
        case 5: sum = sum * sum + 1; break;
        }
    return sum;
}
END
if gcc -O2 -fno-pic -ffunction-sections -fdata-sections -S cases.c -o cases.s && gcc -c cases.s &&
    { seq 65300 | sed 's/.*/.section .many.&,"a"\n.byte 1/' && cat cases.s; } >many.s &&
    gcc -c many.s 2>/dev/null; then
    [ -n "$(counted cases.o cases)" ] && [ "$(counted many.o cases)" = "$(counted cases.o cases)" ] ||
        fail "beyond 65280 sections: $(cat out; "$steno" contract report many.o --fn cases 2>&1)"
    rm many.o many.s
fi

# ---- several versions of a name, and several names of one function

cat >versions.c <<'END'
double old(double x) { return x / 3; }
double new(double x) { return x * 3; }
double older(double x) { return x / 5; }
__asm__(".symver older,f@V0");
__asm__(".symver old,f@V1");
__asm__(".symver new,f@@V2");
END
echo 'V0 { }; V1 { } V0; V2 { global: f; local: *; } V1;' >versions.map
if gcc -O1 -shared -fPIC -s -Wl,--version-script=versions.map versions.c -o versions.so 2>/dev/null; then
    echo 'kernel f @x86-64|aarch64 : divisions == 0, scalar.f64 == 1' >versions.cg
    accepts check versions.so versions.cg
    accepts report versions.so --fn f
    [ "$(grep -c '^f (' out)" -eq 3 ] || fail "all versions are reported: $(cat out)"
fi
echo 'struct A { A(int *); }; A::A(int *x) { *x = 1; }' >twins.cpp
if g++ -O1 -c twins.cpp 2>/dev/null; then
    echo 'kernel /^A::A\(int\*\)$/ @x86-64|aarch64 : store == 1' >twins.cg
    accepts check twins.o twins.cg
fi

# ---- indirect functions

cat >chosen.c <<'END'
static int plain(void) { return 1; }
static int (*choose(void))(void) { return plain; }
int several(void) __attribute__((ifunc("choose")));
END
if gcc -O1 -shared -fPIC chosen.c -o chosen.so 2>/dev/null; then
    refuses "none of its " report chosen.so --fn several
    grep -q 'functions is several; it is an indirect function (IFUNC)' err || fail "$(cat err)"
    accepts report chosen.so --fn plain
fi

# ---- cubins

accepts cubin "$seeds/fatbin_lz4"
mv out lz4
[ "$(grep -c '^sm_' lz4)" -eq 4 ] || fail "cubins that LZ4 compressed: $(cat lz4)"
if ldconfig -p 2>/dev/null | grep -q 'libzstd\.so\.1'; then
    accepts cubin "$seeds/fatbin_zstd"
    cmp -s out lz4 || fail "what zstd compressed differs: $(diff out lz4)"
fi
sed 's/\x50\xed\x55\xba/&/; s/\x02\x00\x01\x01/\x08\x00\x01\x01/g' "$seeds/fatbin" >ptx.fatbin
refuses "its GPU code is not machine code" report ptx.fatbin

finish
