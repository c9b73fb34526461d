#!/usr/bin/env bash
# steno bench versus next to a small BLAS library: every requested point is measured, wrong sums are errors, and
# invalid arguments and libraries are refused.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno"

cp "$SOURCE_DIR/test/versus/blas.c" . || exit 1
make_library() { # make_library NAME FLAG...
    local name=$1
    shift
    "${CC:-cc}" -shared -fPIC -O1 "$@" -o "$name.so" blas.c || exit 77
}
make_library right -DWRONG=1
make_library wrong -DWRONG=1.001
echo 'int nothing;' | "${CC:-cc}" -shared -fPIC -x c -o lacking.so - || exit 77

versus() { succeeds "$steno" bench versus --alone --blas ./right.so --repeat 2 "$@"; }

# Every operation, pair, size, number of threads and library has its row, and its keys.
versus dot,nrm2,axpy,gemv,gemv-t,trsv,gemm --blas ./wrong.so --size 8,33 --threads 1,2 --csv rows.csv --json rows.json
[ "$(wc -l <rows.csv)" -eq $((1 + 7 * 3 * 2 * 2 * 3)) ] || fail "rows.csv has $(wc -l <rows.csv) lines"
[ "$(wc -l <rows.json)" -eq $((7 * 3 * 2 * 2 * 3)) ] || fail "rows.json has $(wc -l <rows.json) lines"
[ "$(head -n 1 rows.csv)" = operation,format,arith,threads,n,library,seconds,ratio,error ] ||
    fail "the columns are $(head -n 1 rows.csv)"
grep -q '"library": "right.so"' rows.json || fail "no library in rows.json"
grep -q '^dot stored in f32, arithmetic f64, 2 threads' out || fail "no head in the table"

# Errors: Steno's and the right library's are roundings, the wrong one's a thousandth.
awk -F, '
    NR == 1 || $1 == "axpy" { next }
    { most = $2 == "f32" ? 1e-6 : 1e-15 }
    $6 != "wrong.so" && !($9 <= most) { print "error of " $0; bad = 1 }
    $6 == "wrong.so" && $1 == "nrm2" && !($9 > 9e-4 && $9 < 1.1e-3) { print "error of " $0; bad = 1 }
    $6 == "wrong.so" && $1 == "trsv" && !($9 > 1e-5) { print "error of " $0; bad = 1 }
    $6 == "wrong.so" && $1 == "gemm" && !($9 > 1e-6) { print "error of " $0; bad = 1 }
    $6 == "wrong.so" && $1 == "gemv" && !($9 > 1e-5) { print "error of " $0; bad = 1 }
    $6 == "Steno" && $8 != 1 { print "ratio of " $0; bad = 1 }
    !($7 > 0) { print "seconds of " $0; bad = 1 }
    END { exit bad }' rows.csv || fail "rows.csv"
awk -F, '$1 == "axpy" && $9 != "nan" { exit 1 }' rows.csv || fail "axpy has an error"

versus dot --size 8 --pair f32/f64 --threads 1 --json -
[ "$(wc -l <out)" -eq 2 ] || fail "the standard output has $(wc -l <out) lines of JSON"

# Short calls, in nanoseconds.
"$steno" bench small dot,gemv --alone --blas ./right.so --repeat 2 --threads 1 --pair f64/f64 --csv small.csv >out ||
    fail "small"
[ "$(awk -F, '$6 == "Steno" { print $1 $5 }' small.csv | tr '\n' ' ')" = "$(
    for n in 1 2 4 8 16 32 64 128 256 512 1024 2048 4096; do printf 'dot%s ' $n; done
    for n in 1 2 4 8 16 32 64; do printf 'gemv%s ' $n; done
)" ] || fail "sizes of small: $(cat small.csv)"
grep -q 'Steno ns' out || fail "small is not in ns"

refuses() { # refuses WORDS ARGUMENTS...
    local words=$1
    shift
    refused "$words" "$steno" bench versus "$@"
}

refuses "unknown operation 'gesv'" gesv
refuses "pair 'f16/f32' must be" --pair f16/f32
refuses "size '0' must be a positive integer" --size 8,0
refuses "size 3e9 is too large" --size 3e9
refuses "number of threads '-1'" --threads -1
refuses "number of repeats 42 is too large" --repeat 42
refuses "an empty size in the list" --size 8,
refuses "--alone requires --blas FILE" --alone
refuses "cannot open ./absent.so: cannot open shared object file" --alone --blas ./absent.so
refuses "cannot open ./blas.c" --alone --blas ./blas.c
refuses "lacking.so has no cblas_ddot" --alone --blas ./lacking.so
refuses "more than 8 libraries" $(printf -- '--blas ./right.so %.0s' 1 2 3 4 5 6 7 8 9)
refuses "JSON and CSV cannot both be written to" --json - --csv -
refuses "option '--nothing' is unknown; see steno bench versus --help" --nothing
refuses "GiB" --alone --blas ./right.so gemv --size 2000000 --threads 1

finish
