#!/usr/bin/env bash
# check.sh [phase ...]: everything that must hold, in phases that run two at a time:
#   gcc clang    build all and run the tests
#   sanitize     the tests under the address and undefined-behaviour sanitizers, thinned out
#   aarch64      the codec and BLAS tests built for 64-bit Arm, under qemu
#   headers      every public header alone, in each C and C++ standard, by both compilers
#   format       the layout of the sources
# The last line is the sum. What a phase printed stays in build/check/<phase>.log.
set -u
cd "$(dirname "$0")/.." || exit
unset MAKEFLAGS MAKELEVEL

results=build/check
jobs=$(nproc)
warnings="-Wall -Wextra -Wconversion -pedantic -Werror"
emulated='^test_(tile|codec|blas|order)'
progress='^(\[ *[0-9]+[/%]|-- |passed: | +Start )' # lines that say nothing when a phase fails
only=.     # the tests to run, as a regular expression
selection= # ctest's words that leave some out
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja

# ---- what a phase leaves behind: "passed failed skipped" in .count, reasons in .note

count() { echo "$1 $2 $3" >"$results/$phase.count"; }

note() { echo "$*" >>"$results/$phase.note"; }

skip() {
    note "skipped: $*"
    count 0 0 1
}

fail() {
    note "failed: $*"
    count 0 1 0
}

# Lines such as " 3/12 Test  #7: test_view ......   Passed    0.01 sec" from ctest.
count_tests() {
    local log=$1 line=' Test +#[0-9]+: ' passed total skipped
    passed=$(grep -E "$line" "$log" | grep -c ' Passed ')
    skipped=$(grep -E "$line" "$log" | grep -c '\*\*\*Skipped')
    total=$(grep -c -E "$line" "$log")
    count "$passed" $((total - passed - skipped)) "$skipped"
    [ "$total" -gt 0 ] || skip "there are no tests"
    grep -E "$line" "$log" | grep -v ' Passed ' |
        sed -E 's/.*#[0-9]+: ([^ ]+) .*\*\*\*([A-Za-z ]*[A-Za-z]).*/\2: \1/' \
            >>"$results/$phase.note"
}

build_and_test() { # build_and_test <targets> <cmake arguments>
    local targets=$1 folder=$results/$phase log=$results/$phase.tests
    shift
    # shellcheck disable=SC2086 # targets are words
    if ! cmake -S . -B "$folder" -DSTENO_WERROR=ON "$@" ||
        ! cmake --build "$folder" --parallel "$jobs" --target $targets; then
        fail "the build"
        return
    fi
    # shellcheck disable=SC2086 # no selection is no word
    (cd "$folder" && ctest --output-on-failure -j "$jobs" -R "$only" $selection) >"$log" 2>&1
    cat "$log"
    count_tests "$log"
}

# ---- the phases

phase_gcc() {
    build_and_test "all benches" -DCMAKE_C_COMPILER=gcc
}

phase_clang() {
    local selection="-LE toolchains" # the phase gcc has them
    build_and_test "all benches" -DCMAKE_C_COMPILER=clang
}

phase_sanitize() {
    local selection="-LE toolchains"
    export STENO_TEST_QUICK=1
    build_and_test "tests examples" -DCMAKE_C_COMPILER=gcc -DSTENO_SANITIZE=ON
}

phase_aarch64() {
    local tests reason root=$PWD/$results/aarch64-root
    export STENO_TEST_QUICK=1
    [ "$(uname -m)" != aarch64 ] || { skip "this machine is one: see gcc and clang"; return; }
    for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
        command -v $tool || { skip "$tool is missing"; return; }
    done
    reason=$(bash tools/aarch64-root.sh "$root") || { skip "$reason"; return; }
    tests=$(find test -maxdepth 1 -name 'test_*.c' | sed 's/.*\/\(.*\)\.c/\1/' |
        grep -E "$emulated")
    [ -n "$tests" ] || { skip "there are no tests"; return; }
    only=$emulated
    build_and_test "$tests" -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake \
        -DSTENO_AARCH64_ROOT="$root" -DSTENO_WITH_CLI=OFF -DSTENO_WITH_CONTRACT=OFF
}

compile_header() { # compile_header "<compiler> <language> <standard> <header>"
    local compiler language standard header choices=
    read -r compiler language standard header <<<"$1"
    [ "$header" != include/steno/accessor_define.h ] ||
        choices="-DSTN_NAME=a -DSTN_RANK=2 -DSTN_REAL=double -DSTN_STORAGE=float"
    [ "$header" != include/steno/kernel_file.h ] ||
        choices="-DSTN_KERNEL_NAME=a -DSTN_KERNEL_PARAMETERS=(inout(y)) -DSTN_KERNEL_FILE=\"one.k\" -I$body"
    # shellcheck disable=SC2086 # warnings are words
    if printf '#include "%s"\nextern int the_end;\n' "${header#include/}" |
        $compiler -x "$language" -std="$standard" $warnings $choices -Iinclude -fsyntax-only -; then
        echo "passed: $1"
    else
        echo "failed: $1"
    fi
}

phase_headers() {
    local header compiler standard body=$results/body log=$results/headers.tests
    mkdir -p "$body"
    echo 'y = y + y;' >"$body/one.k"
    export warnings body
    export -f compile_header
    for header in include/steno/*.h include/steno/accessor/*.h; do
        for compiler in gcc clang; do
            for standard in c11 c17 c2x; do
                echo "$compiler c $standard $header"
            done
            for standard in c++11 c++17 c++20; do
                echo "$compiler c++ $standard $header"
            done
        done
    done >"$results/headers.list"
    # shellcheck disable=SC2016 # the inner bash expands it
    xargs -P "$jobs" -d '\n' -n 1 bash -c 'compile_header "$1"' - \
        <"$results/headers.list" >"$log" 2>&1
    cat "$log"
    grep '^failed: ' "$log" >>"$results/headers.note"
    count "$(grep -c '^passed: ' "$log")" "$(grep -c '^failed: ' "$log")" 0
}

phase_format() {
    bash tools/format.sh check
    case $? in
    0) count 1 0 0 ;;
    77) skip "clang-format 14 is missing" ;;
    *) fail "run make format" ;;
    esac
}

# ---- running them and adding up

run_phase() {
    phase=$1
    rm -f "$results/$phase".*
    local start=$SECONDS
    count 0 1 0
    "phase_$phase" >"$results/$phase.log" 2>&1 </dev/null
    report $((SECONDS - start))
}

report() {
    local passed failed skipped
    read -r passed failed skipped <"$results/$phase.count"
    printf '%-9s %4d passed %4d failed %4d skipped %5d s\n' \
        "$phase" "$passed" "$failed" "$skipped" "$1"
    [ ! -e "$results/$phase.note" ] || sed 's/^/    /' "$results/$phase.note"
    if [ "$failed" -gt 0 ]; then
        echo "---- end of $results/$phase.log"
        grep -v -E "$progress" "$results/$phase.log" | tail -n 100
        echo "----"
    fi
}

sum_up() {
    local passed=0 failed=0 skipped=0 p f s
    for phase in "$@"; do
        read -r p f s <"$results/$phase.count"
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    done
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}

mkdir -p "$results"
trap 'trap - INT TERM; kill 0' INT TERM
[ $# -gt 0 ] || set -- sanitize gcc clang aarch64 headers format
running=0
for phase in "$@"; do
    [ "$running" -lt 2 ] || wait -n
    run_phase "$phase" &
    running=$((running + 1))
done
wait
sum_up "$@"
