#!/usr/bin/env bash
# steno bench versus, small and report, next to small BLAS libraries, of which one is wrong: every requested point is
# measured, errors have the documented size, and invalid arguments and libraries are refused.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno"

make_library() { # make_library FILE WRONG
    "${CC:-cc}" -shared -fPIC -O1 -DWRONG="$2" -o "$1" "$SOURCE_DIR/test/versus/blas.c" || exit 77
}
make_library right.so 1
make_library wrong.so 1.001
echo 'int nothing;' | "${CC:-cc}" -shared -fPIC -x c -o lacking.so - || exit 77

refuses() { # refuses WORDS ARGUMENTS...
    local words=$1
    shift
    refused "$words" timeout 60 "$steno" bench "$@"
}

# ---- versus and small

versus() { succeeds "$steno" bench versus --alone --blas ./right.so --repeat 2 "$@"; }

# Every operation, pair, size, number of threads and library has its row, and its keys.
versus dot,nrm2,axpy,gemv,gemv-t,trsv,gemm --blas ./wrong.so --size 8,33 --threads 1,2 --csv rows.csv --json rows.json
[ "$(wc -l <rows.csv)" -eq $((1 + 7 * 3 * 2 * 2 * 3)) ] || fail "rows.csv has $(wc -l <rows.csv) lines"
[ "$(wc -l <rows.json)" -eq $((7 * 3 * 2 * 2 * 3)) ] || fail "rows.json has $(wc -l <rows.json) lines"
[ "$(head -n 1 rows.csv)" = operation,format,arith,threads,n,library,seconds,ratio,error,isa,core,processor ] ||
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

# Further functions of BLAS: a row for each, with the same results as this library by its standard names. A library may
# lack them.
cblas=$(dirname "$steno")/libsteno_cblas.so.0
if [ -e "$cblas" ]; then
    succeeds "$steno" bench versus level1,level2,level3 --alone --blas "$cblas" --size 2,7,33 --threads 1 --pair f64/f64,f32/f32 \
        --repeat 1 --csv rows.csv
    [ "$(wc -l <rows.csv)" -eq $((1 + 28 * 3 * 2 * 2)) ] || fail "rows.csv has $(wc -l <rows.csv) lines"
    awk -F, 'NR > 1 && !($7 > 0 && ($9 == "nan" || $9 <= ($2 == "f32" ? 1e-6 : 1e-15))) { print; bad = 1 }
        $9 == "nan" { none[$1] }
        END { for (name in none) count++; exit bad || count != 11 }' rows.csv || fail "rows of further functions"
fi
versus symv --size 8 --threads 1 --pair f32/f32
grep -q '^right.so has no cblas_ssymv: its columns are nan' out || fail "no sentence about a missing function"
grep -Eq '^ +8 .* nan +nan +nan$' out || fail "numbers of a missing function"

# Short calls, in nanoseconds.
"$steno" bench small dot,gemv --alone --blas ./right.so --repeat 2 --threads 1 --pair f64/f64 --csv small.csv >out ||
    fail "small"
[ "$(awk -F, '$6 == "Steno" { print $1 $5 }' small.csv | tr '\n' ' ')" = "$(
    for n in 1 2 4 8 16 32 64 128 256 512 1024 2048 4096; do printf 'dot%s ' $n; done
    for n in 1 2 4 8 16 32 64; do printf 'gemv%s ' $n; done
)" ] || fail "sizes of small: $(cat small.csv)"
grep -q 'Steno ns' out || fail "small is not in ns"

refuses "unknown operation 'gesv'" versus gesv
refuses "pair 'f16/f32' must be" versus --pair f16/f32
refuses "size '0' must be a positive integer" versus --size 8,0
refuses "size 3e9 is too large" versus --size 3e9
refuses "number of threads '-1'" versus --threads -1
refuses "number of repeats 42 is too large" versus --repeat 42
refuses "an empty size in the list" versus --size 8,
refuses "--alone requires --blas FILE" versus --alone
refuses "cannot open ./absent.so: cannot open shared object file" versus --alone --blas ./absent.so
refuses "cannot open $SOURCE_DIR/test/versus/blas.c" versus --alone --blas "$SOURCE_DIR/test/versus/blas.c"
refuses "lacking.so has no cblas_ddot" versus --alone --blas ./lacking.so
refuses "more than 8 libraries" versus $(printf -- '--blas ./right.so %.0s' 1 2 3 4 5 6 7 8 9)
refuses "JSON and CSV cannot both be written to" versus --json - --csv -
refuses "option '--nothing' is unknown; see steno bench versus --help" versus --nothing
refuses "GiB" versus --alone --blas ./right.so gemv --size 2000000 --threads 1

# ---- report

libraries=(--alone --blas ./right.so --blas ./wrong.so)

report() { succeeds "$steno" bench report "$@" --csv rows.csv; }

# Five formats in f64 and four in f32, two libraries in both: a row for each, operation and size.
report "${libraries[@]}" --size 8,70 --repeat 1 --threads 1 --json rows.json
points=$((4 * 2 * (9 + 4)))
[ "$(wc -l <rows.csv)" -eq $((1 + points)) ] || fail "rows.csv has $(wc -l <rows.csv) lines"
[ "$(wc -l <rows.json)" -eq "$points" ] || fail "rows.json has $(wc -l <rows.json) lines"
keys=operation,library,format,arith,threads,n,seconds,gflops,gbps,fraction,error,error_stored,isa,core,processor
[ "$(head -n 1 rows.csv)" = "$keys" ] ||
    fail "the columns are $(head -n 1 rows.csv)"
grep -q '^trsv, n = 70' out || fail "no table of the largest size"
[ -z "$(find . -name '*.part')" ] || fail "a temporary file is left"

# A library that is wrong by a thousandth is so in 1-norms, of the numbers as they were and as they
# are stored. Storing errs by what a format keeps, the arithmetic by its own roundings.
awk -F, '
    function near(number, wanted) { return number > 0.999 * wanted && number < 1.001 * wanted }
    BEGIN { most["f64"] = 1e-15; most["f32"] = 1e-6; most["f16"] = 1e-2; most["bf16"] = 1e-1
            most["e4m3"] = 1
            least["f32"] = 1e-10; least["f16"] = 1e-6; least["bf16"] = 1e-5; least["e4m3"] = 1e-4
            rounding["f64"] = 1e-15; rounding["f32"] = 1e-6 }
    NR == 1 { next }
    { bad_row = !($7 > 0 && $8 > 0 && $9 > 0 && $10 == "nan" && $12 < 2e-3) }
    $2 == "wrong.so" && $1 != "trsv" { bad_row += !(near($11, 1e-3) && near($12, 1e-3)) }
    $2 == "wrong.so" && $1 == "trsv" { bad_row += !($12 > 5e-4 && $12 < 1.5e-3) }
    $2 != "wrong.so" && $1 != "dot" {
        bad_row += !($11 <= most[$3] && $11 >= least[$3] && $12 <= rounding[$4])
    }
    $2 == "Steno" && $4 == "f32" && $3 == "f32" && $1 != "dot" { bad_row += !($11 > $12 / 4) }
    bad_row { print; bad = 1 }
    END { exit bad }' rows.csv || fail "rows.csv"

# Bytes and operations of one row of each, whose time is known: a triangle is half of a matrix.
awk -F, '
    function near(number, wanted) { return number > 0.999999 * wanted && number < 1.000001 * wanted }
    $3 == "e4m3" && $4 == "f64" && $6 == 70 {
        bytes = $9 * $7 * 1e9; flops = $8 * $7 * 1e9
        want = $1 == "dot" ? 2 * 70 : $1 == "trsv" ? 35 * 71 + 2 * 70 * 8 : 70 * 70 + 70 + 70 * 8
        work = $1 == "dot" ? 2 * 70 : $1 == "trsv" ? 70 * 71 : 2 * 70 * 70
        if (!near(bytes, want) || !near(flops, work)) { print; bad = 1 }
        seen++
    }
    END { exit bad || seen != 4 }' rows.csv || fail "bytes and operations"

# Two threads, without any library; the standard output has the rows alone.
succeeds "$steno" bench report dot --alone --format f64 --size 8 --repeat 1 --threads 2 --csv -
[ "$(wc -l <out)" -eq 2 ] || fail "the standard output has $(cat out)"

# A fraction where arrays are longer than caches.
report dot --alone --format f64 --arith f64 --size 1M --repeat 1 --threads 1
awk -F, 'NR > 1 && !($10 > 0.01 && $10 < 10) { exit 1 }' rows.csv || fail "no fraction: $(cat rows.csv)"

# Progress is for a terminal.
if command -v script >/dev/null; then
    script -qec "'$steno' bench report dot --alone --format f64 --size 8,16 --repeat 1 --threads 1" /dev/null >seen
    grep -q '1 of 2: dot of 8' seen || fail "no progress: $(cat seen)"
    grep -q '2 of 2: dot of 16, about 0 s left' seen || fail "no time left: $(cat seen)"
fi

# Interrupted: what was there before, and nothing else.
echo before >rows.csv
timeout -s INT 0.5 "$steno" bench report --alone --threads 1 --csv rows.csv >out 2>err
[ "$(cat rows.csv)" = before ] || fail "an interrupted run changes the file"
[ -z "$(find . -name '*.part')" ] || fail "a temporary file of an interrupted run"

refuses "cannot write absent/rows.csv" report --csv absent/rows.csv
refuses "cannot write $work: it is not a regular file" report --csv "$work"
refuses "unknown operation 'nrm2' (known: dot, gemv, gemv-t, trsv)" report dot,nrm2
refuses "the arithmetic type must be f64 or f32, not i64" report --arith i64
refuses "nothing to measure" report --alone --format f64,i64 --arith f32
refuses "sizes must increase: 8 follows 16" report --size 16,8
refuses "size '0' must be a positive integer" report --size 0
refuses "number of repeats 42 is too large" report --repeat 42
refuses "cannot open ./absent.so" report --blas ./absent.so
refuses "JSON and CSV cannot both be written to rows" report --json rows --csv rows
refuses "JSON and CSV cannot both be written to the standard output" report --json - --csv -
refuses "option '--html' is unknown" report --html page.html
refuses "format c64 is not supported: bench supports real formats" report --format c64
refuses "format bfp16 is not supported: bench supports real formats of single elements" report --format bfp16
refuses "option '--nothing' is unknown" report --nothing
refuses "GiB" report --alone gemv --size 2000000 --threads 1

finish
