#!/usr/bin/env bash
# The testers of reference BLAS and CBLAS, Debian's package libblas-test: they need libblas.so.3, which
# is libsteno_cblas here, so that no other BLAS is there to be called. Each ends with as many passed
# tests as it has, error exits among them. And all names of the reference's library are in ours.
set -u
export LC_ALL=C LD_BIND_NOW=1
: "${BUILD_DIR:=$(cd "$(dirname "$0")/../.." && pwd)/build}"
testers=$(dirname "$(ls -d /usr/lib/*/blas/xblat1d 2>/dev/null)")
[ -x "$testers/xblat1d" ] || { echo "libblas-test is missing"; exit 77; }
[ -e "$BUILD_DIR/libsteno_cblas.so.0" ] || { echo "libsteno_cblas is not built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
ln -s "$BUILD_DIR/libsteno_cblas.so.0" libblas.so.3
export LD_LIBRARY_PATH=$work
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

passed() { grep -c -E -e "$1" "$work/said"; }

expect() { # expect <tester> <number of tests> <regular expression of each>
    local count
    count=$(passed "$3")
    [ "$count" = "$2" ] || fail "$1: $count of $2: $3"
    ! grep -E 'FAIL|SUSPECT|\*\*\*' "$work/said" || fail "$1"
}

start() { # start <tester> [input]
    "$testers/$1" <"${2:-/dev/null}" >"$work/said" 2>&1 || fail "$1 ends with $?"
    cat "$work"/*blat?.out >>"$work/said" 2>/dev/null
    rm -f "$work"/*blat?.out
}

# A function is tested where a line of the input says T.
functions_of() { grep -c 'T PUT F FOR NO TEST' "$1"; }

run_level() { # run_level <level> <letter>
    local count
    count=$(functions_of "$testers/${2}blat$1.in")
    start "xblat$1$2" "$testers/${2}blat$1.in"
    expect "xblat$1$2" "$count" 'PASSED THE TESTS OF ERROR-EXITS'
    expect "xblat$1$2" "$count" 'PASSED THE COMPUTATIONAL TESTS'
    count=$(functions_of "$testers/${2}in$1")
    start "x${2}cblat$1" "$testers/${2}in$1"
    expect "x${2}cblat$1" "$count" 'PASSED THE TESTS OF ERROR-EXITS'
    expect "x${2}cblat$1" "$((2 * count))" 'PASSED THE ((ROW|COLUMN)-MAJOR +)?COMPUTATIONAL TESTS'
}

ldd "$testers/xblat1d" | grep -q "libblas.so.3 => $work/" || fail "another libblas.so.3 is taken"
for letter in s d c z; do
    for tester in xblat1$letter x${letter}cblat1; do
        start $tester
        expect $tester "$(passed 'Test of subprogram')" '-- PASS --'
        [ "$(passed PASS)" -ge 9 ] || fail "$tester has no tests"
    done
    run_level 2 $letter
    run_level 3 $letter
done

# Products by another BLAS whose cblas_dgemm calls dgemm_: its own, or ours where it was there first.
export STENO_GEMM=$testers/libblas.so.3
run_level 3 d
export LD_PRELOAD="$work/libblas.so.3 $STENO_GEMM"
run_level 3 z
unset LD_PRELOAD

# The reference's *sub_ are its own way from C to Fortran.
names() { nm -D --defined-only "$1" | awk '{print $3}' | grep -v 'sub_$' | sort; }
missing=$(comm -23 <(names "$testers/libblas.so.3") <(names "$work/libblas.so.3"))
[ -z "$missing" ] || fail "libsteno_cblas has no" $missing
exit $failed
