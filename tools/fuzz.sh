#!/usr/bin/env bash
# fuzz.sh [seconds [runs]]: builds test/fuzz/fuzz_*.c with clang's libFuzzer and the sanitizers, and runs
# each for this time and at least this number of runs. Seeds: test/fuzz/corpus/<name>/; results are
# stored in build/fuzz/.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-60}
least=${2:-0}
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

# Runs a fuzzer and sets `runs` to the number of runs.
fuzz() { # fuzz <name> <option that ends it> [option, folder]...
    local name=$1 log=$build/$1.log
    shift
    runs=0
    "$build/fuzz/$name" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$@" >"$log" 2>&1 </dev/null || return
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
}

failed=0
for fuzzer in "$build"/fuzz/fuzz_*; do
    name=${fuzzer##*/}
    words=test/fuzz/${name#fuzz_}.dict
    given=("$build/corpus/$name")
    mkdir -p "${given[0]}"
    [ ! -d "test/fuzz/corpus/$name" ] || given+=("test/fuzz/corpus/$name")
    [ ! -f "$words" ] || given+=("-dict=$words")
    all=0
    if fuzz "$name" -max_total_time="$seconds" "${given[@]}" && all=$runs &&
        { [ "$all" -ge "$least" ] || fuzz "$name" -runs=$((least - all)) "${given[@]}"; }; then
        [ "$all" -ge "$least" ] || all=$((all + runs))
        echo "$name: $all runs, no crash"
    else
        tail -n 40 "$build/$name.log"
        echo "$name: failed, see $build/$name.log"
        failed=1
    fi
done
exit $failed
