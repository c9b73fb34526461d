#!/usr/bin/env bash
# fuzz.sh [seconds]: build test/fuzz/fuzz_*.c with clang's libFuzzer and the sanitizers and run each
# for so long. Seeds: test/fuzz/corpus/<name>/; what is found is kept under build/fuzz/.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-60}
build=build/fuzz
unset MAKEFLAGS

if ! compgen -G 'test/fuzz/fuzz_*.c' >/dev/null; then
    echo "there are no fuzzers in test/fuzz"
    exit 0
fi
mkdir -p "$build"
build_fuzzers() {
    cmake -S . -B "$build" -DCMAKE_C_COMPILER=clang -DSTENO_FUZZ=ON -DSTENO_SANITIZE=ON \
        -DSTENO_WITH_TESTS=OFF && cmake --build "$build" --parallel "$(nproc)" --target fuzzers
}

if ! build_fuzzers >"$build/log" 2>&1; then
    tail -n 40 "$build/log"
    exit 1
fi

failed=0
for fuzzer in "$build"/fuzz/fuzz_*; do
    name=${fuzzer##*/}
    corpus=$build/corpus/$name
    seeds=test/fuzz/corpus/$name
    mkdir -p "$corpus"
    [ -d "$seeds" ] || seeds=
    words=test/fuzz/${name#fuzz_}.dict
    [ -f "$words" ] && seeds="-dict=$words $seeds"
    # shellcheck disable=SC2086 # no seeds, no word
    if "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$corpus" $seeds >"$build/$name.log" 2>&1 </dev/null; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")
        echo "$name: $runs runs, no crash"
    else
        tail -n 40 "$build/$name.log"
        echo "$name: failed, see $build/$name.log"
        failed=1
    fi
done
exit $failed
