#!/usr/bin/env bash
# The steno command: every option, every refusal, and the same bits for all threads and instruction sets.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno"

same() { expect "$1" "$3" "$2"; }

accepts() { succeeds "$steno" "$@"; }

notes() { # notes WORDS ARGUMENTS...: succeeds, with one note about the data on the standard error
    local words=$1
    shift
    returns 0 "$steno" "$@"
    { [ "$(wc -l <err)" -eq 1 ] && grep -q '^steno: note: ' err; } || fail "steno $*: prints '$(cat err)'"
    says "$words" err
}

refuses() { # refuses WORDS ARGUMENTS...: in the folder inside, no file of which is created or changed
    local words=$1 before
    shift
    before=$(ls -la --time-style=full-iso inside)
    refused "$words" env -C inside "$steno" "$@"
    expect "files after steno $*" "$(ls -la --time-style=full-iso inside)" "$before"
}

# Column NAME of the row of KERNEL and FORMAT in a CSV file.
value() { # value FILE KERNEL FORMAT NAME
    awk -F, -v kernel="$2" -v format="$3" -v name="$4" '
        NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
        $at["kernel"] == kernel && $at["format"] == format { print $at[name] }' "$1"
}

within() { # within WHAT LOW VALUE HIGH
    awk -v low="$2" -v value="$3" -v high="$4" 'BEGIN { exit !(low <= value + 0 && value + 0 <= high) }' ||
        fail "$1: $3 is not from $2 to $4"
}

mkdir inside
quick="--repeat 1"
keys="kernel exec format arith n threads seconds bytes gbps stream_gbps fraction speedup_vs_f64 error error_stored processor"

# ---- help, version, info

accepts --help
holds "help names bench" grep -q '^ *bench ' out
accepts help
holds "help is --help" grep -q '^ *bench ' out
refuses "unknown command 'frob'" help frob
accepts --version
holds "a version" grep -Eq '^steno [0-9]+\.[0-9]+\.[0-9]+$' out
for command in info bench matrix view pack unpack; do
    accepts $command --help
    holds "$command --help" grep -q "^usage: steno $command" out
    cp out options
    accepts help $command
    holds "help $command" cmp -s out options
    accepts $command -h
done
for option in format arith size matrix sum threads exec same-bits-as isa repeat json csv bits; do
    accepts bench --help
    holds "bench --help lists --$option" grep -q -- "^  --$option " out
done

accepts info
isas=$(sed -n 's/^instruction sets *\(.*\), in use.*/\1/p' out)
formats=$(awk '$3 == "float" || $3 == "integer" { printf "%s%s", comma, $1; comma = "," }' out)
holds "info lists instruction sets" test -n "$isas"
holds "info lists f64 first" test "${formats%%,*}" = f64
holds "the range of f16" grep -Eq '^ *f16 .* 16 +-65504 +65504 ' out
holds "info names the executor" grep -q '^executor  *threads with [0-9]* thread' out
holds "info describes the pool" grep -q '^pool  *threads poll for 1 ms after a call, or 5 us' out
STENO_NUM_THREADS=3 accepts info
holds "a number from the environment" grep -q '^threads  *default: 3, from the variable STENO_NUM_THREADS$' out
holds "the variable" grep -q '^environment  *STENO_NUM_THREADS=3, OMP_NUM_THREADS' out
OMP_NUM_THREADS=2,4 accepts info
holds "a number of OpenMP" grep -q '^threads  *default: 2, from the variable OMP_NUM_THREADS$' out
env -u OMP_NUM_THREADS -u STENO_NUM_THREADS taskset -c "$(taskset -cp $$ | grep -o '[0-9]*$')" "$steno" info >out
holds "one processor" grep -q '^processors  *affinity mask: 1; CPU quota: ' out
holds "one thread" grep -q '^threads  *default: 1, from the \(affinity mask\|CPU quota\)$' out
STENO_NUM_THREADS=2x refuses "STENO_NUM_THREADS is '2x'" info --exec reference
accepts info --exec threads:threads=2
holds "the executor of the option" grep -q '^executor  *threads with 2 threads$' out
refuses "unknown executor 'frob'" info --exec frob
accepts info --json
same "one line of JSON" 1 "$(wc -l <out)"
if command -v python3 >/dev/null; then
    holds "JSON describes the pool" python3 -c '
import json
info = json.load(open("out"))
pool = info["pool"]
assert info["exec"] == "threads" and info["device"] is None and info["threads"] == pool["threads"] >= 1
assert pool["processors"] >= 1 and (pool["quota"] is None or pool["quota"] > 0)
assert pool["poll_ns"] == 1000000 and pool["poll_busy_ns"] == 5000 and pool["bound"] is False
assert pool["OMP_NUM_THREADS"] is None or pool["source"] == "variable OMP_NUM_THREADS"
'
fi
holds "JSON names f16" grep -q '"name":"f16"' out

# ---- refusals

STENO_ISA=avx1024 refuses "STENO_ISA is 'avx1024'" bench dot --size 1000
refuses "command is missing"
refuses "unknown command 'frob'" frob
refuses "unexpected argument 'x'" info x
refuses "does not accept" info --json=1
refuses "unknown kernel 'frob'" bench frob
refuses "unknown kernel 'frob'" bench dot,frob
refuses "empty kernel" bench dot,,axpy
refuses "empty kernel" bench ""
refuses "empty kernel" bench dot,
refuses "unknown format 'f99'" bench --format f64,f99
refuses "empty format" bench --format ,
refuses "bench supports real formats of single elements" bench --format c64
refuses "f64 or f32" bench --arith f16
refuses "unknown format" bench --arith frob
refuses "unknown" bench --frob
refuses "unknown option '-q'" bench -q
refuses "requires a value" bench --size
for size in 0 -1 "" abc 1.5 1e-3 1e 5Q 5MM nan inf " 7"; do
    refuses "must be a positive integer" bench dot --size "$size"
done
refuses "must be a positive integer" bench gemv --size 0x3
refuses "is not of the form ROWSxCOLUMNS" bench gemv --size 3x
refuses "must be a positive integer" bench gemv --size -3x3
refuses "too large" bench dot --size 1e30
refuses "too large" bench dot --size 99999999999999999999
refuses "too large" bench gemv --size 1e9x1e30
refuses "too large" bench gemv --size 1e9x1e9
refuses "too large" bench spmv --size 1e12
refuses "GiB of memory" bench dot --size 1e15
refuses "GiB of memory" bench gemv --size 1e14
refuses "applies to gemv" bench dot --size 3x3
for threads in 0 -1 x 100000; do
    refuses "number of threads" bench --threads $threads
done
refuses "number of repeats" bench --repeat 0
refuses "number of repeats" bench --repeat 1e9
refuses "unknown executor 'frob'" bench --exec frob
refuses "threads=N" bench --exec threads:frob
refuses "executor 'reference' has one thread, not 2" bench --exec reference --threads 2
refuses "unknown executor 'frob'" bench --size 10 --same-bits-as frob
refuses "threads=N" bench --exec "threads:$(printf 'x%.0s' {1..300})" --threads 2
refuses "both set" bench --exec threads:threads=1 --threads 1
refuses "unknown instruction set" bench --isa frob
refuses "No such file" bench --json nowhere/rows.json
refuses "regular file" bench --csv /dev/null
refuses "regular file" bench --json .
refuses "is empty" bench --csv ""
refuses "cannot both be written" bench --json - --csv -
refuses "cannot both be written" bench --json rows --csv rows
refuses "the name of a matrix is missing" matrix
refuses "unknown matrix 'frob'" matrix frob
refuses "unexpected argument 'x'" matrix poisson3d x
refuses "size '0'" matrix poisson3d --size 0
refuses "too large" matrix poisson3d --size 1291
refuses "No such file" matrix poisson3d --size 2 --output nowhere/a.mtx
refuses "regular file" matrix poisson3d --size 2 --output .
refuses "standard output" matrix poisson3d --size 2 --output -
refuses "--sum applies to files, not to poisson3d" matrix poisson3d --sum
refuses "--lenient applies to files, not to poisson3d" matrix poisson3d --lenient
refuses "--lenient applies to files, not to poisson3d" solve poisson3d --lenient
refuses "--lenient requires --matrix" bench --lenient
refuses "size '1x' is not of the form ROWSxCOLUMNS" bench gemv --size 1x
refuses "size 'x8' is not of the form ROWSxCOLUMNS" bench gemv --size x8
refuses "--sum requires --matrix" bench --sum
refuses "requires --output" matrix ../sparse.mtx
refuses "--size applies to equations, not to the file a.mtx" matrix a.mtx --size 2 --output b.mtx
refuses "a.mtx: cannot be opened: No such file" matrix ./a.mtx --output b.mtx
for isa in neon avx2 avx512; do
    case " $isas " in
    *" $isa "*) ;;
    *) refuses "not supported" bench --isa $isa ;;
    esac
done
"$steno" info >/dev/full 2>err && fail "a full standard output goes unnoticed"
holds "a sentence about it" grep -q '^steno: cannot write' err

# ---- matrices

accepts matrix poisson3d --size 4 --output sparse.mtx
holds "a Matrix Market file" grep -q '^%%MatrixMarket matrix coordinate real general' sparse.mtx
same "its size line" "64 64 352" "$(grep -v '^%' sparse.mtx | head -n 1)"
accepts matrix poisson3d --size 4 --output again.mtx.gz
same "the same twice, and compressed" "$(cksum <sparse.mtx)" "$(gzip -dc again.mtx.gz | cksum)"
(cd inside && "$steno" matrix convection --size 3 >../out)
holds "the usual name" test -s inside/convection-3.mtx
rm inside/*
printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6.5\n' >dense.mtx
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2\n' >complex.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 0\n' >empty.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n' >short.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n2 2 1\n' >long.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 nan\n' >nan.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n1000000000000 1 1\n1 1 1\n' >huge.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n' >outside.mtx
printf '\037\213 this is no gzip file' >garbage.mtx.gz
gzip -c sparse.mtx | head -c 400 >cut.mtx.gz
printf 'hello\n' >text.mtx
for file in short.mtx long.mtx nan.mtx huge.mtx outside.mtx garbage.mtx.gz cut.mtx.gz text.mtx; do
    refuses "$file" bench --matrix ../$file
    refuses "$file" bench dot,spmv --matrix ../$file --json rows.json
done
refuses "complex" bench --matrix ../complex.mtx
refuses "no entries" bench --matrix ../empty.mtx
refuses "directory" bench --matrix ..
refuses "nowhere.mtx" bench --matrix nowhere.mtx
refuses "use spmv" bench gemv --matrix ../sparse.mtx
refuses "use gemv" bench spmv --matrix ../dense.mtx
refuses "applies to gemv, spmv and sliced only" bench dot --matrix ../dense.mtx
printf '%%%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n2 1 5\n\n1 2 2\n1 1 1\n' >twice.mtx
for command in "bench --matrix ../twice.mtx" "matrix ../twice.mtx --output a.mtx"; do
    # shellcheck disable=SC2086
    refuses "twice.mtx:5: row 1, column 2 is repeated: line 3 has the mirrored position; --sum adds" $command
done
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 5\n1 1 2\n' >full.mtx
refuses "row 1, column 1 is repeated: line 3 has the same position; --sum adds" matrix ../full.mtx --output a.mtx
printf '%%%%MatrixMarket matrix coordinate real hermitian\n2 2 3\n1 1 2\n2 1 1\n2 2 2\n' >loose.mtx
refuses "loose.mtx:1: a hermitian matrix must be complex, not real; --lenient reads it as symmetric" matrix ../loose.mtx --output a.mtx
notes "loose.mtx: 1 field other than complex in a hermitian matrix, read as symmetric" \
    solve loose.mtx --lenient --repeat 1
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1 %% one\n' >trailing.mtx
refuses "; --lenient accepts trailing comments" matrix ../trailing.mtx --output a.mtx
notes "trailing.mtx: 1 comment at the end of a line" matrix trailing.mtx --lenient --output tight.mtx
notes "twice.mtx: 1 of 3 entries are added to an earlier one" matrix twice.mtx --sum --output once.mtx.gz
same "what it wrote" "once.mtx.gz: 2 x 2, 3 entries" "$(cat out)"
same "sums on both sides" "2 2 3,1 1 1,1 2 7,2 1 7" "$(gzip -dc once.mtx.gz | tail -n +2 | paste -sd,)"
notes "twice.mtx: 1 of 3" bench --matrix twice.mtx --sum --repeat 1 --format f64 --csv -
same "entries of the sum" 3 "$(value out spmv f64 n)"
accepts matrix sparse.mtx --sum --output again.mtx
same "a matrix that needs no sums" "$(cksum <sparse.mtx)" "$(cksum <again.mtx)"
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 1 5\n1 1 7\n' >values.mtx
notes "values.mtx: ignored 2 values of a pattern matrix" matrix values.mtx --output pattern.mtx
same "a pattern without them" "2 2 2,1 1,2 1" "$(tail -n +2 pattern.mtx | paste -sd,)"
mkdir locked && chmod a-w locked
[ -w locked ] || refuses "Permission denied" bench --json ../locked/rows.json

# ---- rows

check_head() { # check_head CSV KEYS
    same "columns of $1" "$(echo "$2" | tr ' ' ,)" "$(head -n 1 "$1")"
}

# shellcheck disable=SC2086 # quick is words
accepts bench axpy,dot,gemv,spmv,sliced --size 1000 $quick --threads 2 --json rows.json --csv rows.csv
for kernel in axpy dot gemv spmv sliced; do
    holds "a table of $kernel" grep -q "^$kernel: " out
done
same "bytes before conversion" 2 "$(grep -c '^bytes in f64: compressed rows [0-9]*, slices [0-9]*, packed slices [0-9]*$' out)"
check_head rows.csv "$keys"
same "rows of JSON" 35 "$(wc -l <rows.json)"
same "rows of CSV" 36 "$(wc -l <rows.csv)"
same "keys of JSON" "$keys" "$(head -n 1 rows.json | grep -o '"[a-z0-9_]*":' | tr -d '":' | xargs)"
same "no temporary file" "" "$(find . -name '*.part')"
if command -v python3 >/dev/null; then
    holds "valid JSON" python3 -c '
import json, sys
for line in open("rows.json"):
    row = json.loads(line)
    assert row["seconds"] > 0 and row["bytes"] > 0 and row["stream_gbps"] > 0, row
    assert abs(row["gbps"] * row["seconds"] * 1e9 / row["bytes"] - 1) < 1e-6, row
    assert abs(row["gbps"] / row["stream_gbps"] / row["fraction"] - 1) < 1e-6, row
'
fi
same "bytes of axpy" $((1000 * (4 + 16))) "$(value rows.csv axpy f32 bytes)"
same "bytes of dot" $((1000 * 4)) "$(value rows.csv dot f16 bytes)"
same "bytes of gemv" $((31 * 31 * 1 + 31 + 31 * 8)) "$(value rows.csv gemv i8 bytes)"
same "entries of spmv" $((7 * 125 - 6 * 25)) "$(value rows.csv spmv f64 n)"
same "fewer bytes than rows" 1 $(($(value rows.csv sliced i8 bytes) < $(value rows.csv spmv i8 bytes)))
same "entries of gemv" $((31 * 31)) "$(value rows.csv gemv f64 n)"
same "f64 over f64" 1 "$(value rows.csv dot f64 speedup_vs_f64)"
same "threads" 2 "$(value rows.csv dot f64 threads)"

for kernel in axpy dot gemv spmv sliced; do
    within "$kernel f64" 0 "$(value rows.csv $kernel f64 error)" 1e-15
    within "$kernel f32" 1e-12 "$(value rows.csv $kernel f32 error)" 1e-7
    within "$kernel f16" 1e-8 "$(value rows.csv $kernel f16 error)" 1e-3
    within "$kernel bf16" 1e-6 "$(value rows.csv $kernel bf16 error)" 1e-2
    within "$kernel i16" 1e-9 "$(value rows.csv $kernel i16 error)" 1e-3
    within "$kernel e4m3" 1e-5 "$(value rows.csv $kernel e4m3 error)" 0.1
    within "$kernel i8" 1e-6 "$(value rows.csv $kernel i8 error)" 0.1
    for format in f64 f32 f16 bf16 i16 e4m3 i8; do
        within "$kernel $format as stored" 0 "$(value rows.csv $kernel $format error_stored)" 1e-15
    done
done

# Block formats: rows of 37 elements consist of two blocks of 32, or three of 16.
# shellcheck disable=SC2086
{
    accepts bench axpy,dot,spmv,sliced --size 1000 $quick --format bfp16,mxfp6_e2m3,nvfp4 --csv blocks.csv
    accepts bench gemv --size 5x37 $quick --format bfp16,nvfp4 --csv -
    same "bytes of blocks" $((5 * 2 * 66 + 2 * 66 + 5 * 8)) "$(value out gemv bfp16 bytes)"
    same "bytes of short blocks" $((5 * 3 * 9 + 3 * 9 + 5 * 8)) "$(value out gemv nvfp4 bytes)"
    within "gemv bfp16" 1e-9 "$(value out gemv bfp16 error)" 1e-3
    within "gemv bfp16 as stored" 0 "$(value out gemv bfp16 error_stored)" 1e-15
}
for kernel in axpy dot spmv sliced; do
    within "$kernel bfp16" 1e-9 "$(value blocks.csv $kernel bfp16 error)" 1e-3
    within "$kernel nvfp4" 1e-5 "$(value blocks.csv $kernel nvfp4 error)" 0.3
    for format in bfp16 mxfp6_e2m3 nvfp4; do
        within "$kernel $format as stored" 0 "$(value blocks.csv $kernel $format error_stored)" 1e-15
    done
done

# shellcheck disable=SC2086
{
    accepts bench dot --size 1K $quick --format f16 --csv -
    same "f64 is measured, but not printed" 2 "$(wc -l <out)"
    same "K is 1024" 1024 "$(value out dot f16 n)"
    accepts bench dot,axpy --size 2e3 --repeat 3 --format f16,f16,f64 --arith f32 --json -
    same "formats once each" 4 "$(wc -l <out)"
    holds "arithmetic f32" grep -q '"arith": "f32"' out
    accepts bench gemv --size 3x5 $quick --csv -
    same "3 x 5" 15 "$(value out gemv f64 n)"
    accepts bench --size 7x1 $quick --format f64 --csv -
    same "rows x columns means gemv" gemv "$(value out gemv f64 kernel)"
    accepts bench dot --size 1 $quick --format f64 --exec reference --csv -
    same "the reference executor" reference "$(value out dot f64 exec)"
    accepts bench dot --size 1 $quick --format f64 --exec threads:threads=3 --same-bits-as reference --csv -
    same "threads of the resource string" 3 "$(value out dot f64 threads)"
    check_head out "$keys same_bits_as"
    same "the other executor" reference "$(value out dot f64 same_bits_as)"
    accepts bench axpy --size 1 $quick --format f64 --exec threads:streams=2 --threads 2 --same-bits-as threads:threads=1
    holds "the bits of another executor" grep -q '^all results have the bits of threads with 1 thread' out
    accepts bench --matrix sparse.mtx $quick --format i8 --csv -
    check_head out "$keys matrix"
    same "bytes of spmv" $((352 * 5 + 65 * 8 + 2 * 64 * 8)) "$(value out spmv i8 bytes)"
    same "the matrix is named" sparse.mtx "$(value out spmv i8 matrix)"
    accepts bench --matrix again.mtx.gz $quick --isa c --bits --csv -
    check_head out "$keys isa matrix result_bits"
    accepts bench --matrix dense.mtx $quick --format all --csv -
    same "a dense matrix goes to gemv" 6 "$(value out gemv f16 n)"
    accepts bench spmv --matrix sparse.mtx $quick --format all --csv rows.csv
    accepts bench axpy --size 100 $quick --csv rows.csv
    same "the file is replaced" 8 "$(wc -l <rows.csv)"
}
before=$(cksum rows.csv)
"$steno" bench axpy --size 0 --csv rows.csv 2>/dev/null
same "a refused run leaves the file" "$before" "$(cksum rows.csv)"

# ---- the same bits everywhere

bits_of() { # bits_of ARITH OPTIONS...
    local arith=$1
    shift
    # shellcheck disable=SC2086
    "$steno" bench axpy,dot,gemv,spmv,sliced --size 20011 $quick --format all --arith "$arith" --bits "$@" \
        --json - 2>err | sed 's/"exec".*"format"/"format"/; s/"n".*"error"/"error"/; s/"isa": "[a-z0-9]*", //'
    cat err
}

of_kernel() { # of_kernel KERNEL JSON
    grep "\"kernel\": \"$1\"" "$2" | grep -o '"format": "[a-z0-9]*"\|"result_bits": "[0-9a-f]*"'
}

for arith in f64 f32; do
    bits_of $arith --exec reference >expected
    same "bits of slices" "$(of_kernel spmv expected)" "$(of_kernel sliced expected)"
    same "rows with bits" $((5 * $(echo "$formats" | tr ',' '\n' | wc -l))) \
        "$(grep -c '"result_bits": "[0-9a-f]\{16\}"' expected)"
    for isa in $isas; do
        for threads in 1 2 3; do
            bits_of $arith --isa "$isa" --threads $threads >found
            cmp -s expected found || fail "other bits on $isa with $threads threads, arithmetic $arith:
$(diff expected found | head -n 4)"
        done
    done
done

# ---- matrices of a collection, if it is installed

for file in "${STENO_SHARED_DATA:-/nowhere}"/*.mtx.gz; do
    [ -e "$file" ] || continue
    # shellcheck disable=SC2086
    case $file in
    */young1c*) refuses "complex" bench --matrix "$file" ;;
    *)
        accepts bench --matrix "$file" $quick --format f64,f16,bf16 --csv -
        within "$file f64" 0 "$(value out spmv f64 error)" 1e-15
        within "$file f16" 0 "$(value out spmv f16 error)" 1e-3
        ;;
    esac
done

# ---- documentation

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$SOURCE_DIR/README.md" >quoted
holds "README.md quotes examples/dot.c" cmp quoted "$SOURCE_DIR/examples/dot.c"
accepts info
for format in $(awk '$2 ~ /^[0-9]+$/ && $3 ~ /^[a-z]+$/ { print $1 }' out); do
    holds "doc/formats.md lists $format" grep -q "^| .*\`$format\`" "$SOURCE_DIR/doc/formats.md"
done
for word in $keys isa matrix result_bits device same_bits_as; do
    holds "doc/command.md explains $word" grep -q "^| .*\`$word\`" "$SOURCE_DIR/doc/command.md"
done
accepts bench --help
for option in $(grep -o '^  --[a-z-]*' out); do
    holds "doc/command.md explains $option" grep -q "^| \`$option" "$SOURCE_DIR/doc/command.md"
done

finish
