#!/usr/bin/env bash
# check.sh [phase ...]: everything that must hold, in phases that run two at a time:
#   gcc          build everything and run all tests, including scripts for other toolchains
#   clang        build the library and examples, and run the tests whose results depend on compiled loops, thinned out
#   sanitize     the tests under the address and undefined-behaviour sanitizers, without OpenMP, thinned out
#   without_openmp  the phase clang without OpenMP
#   thread       multithreaded code, under clang's thread sanitizer with its OpenMP and Archer
#   thread_gcc   the executor `threads`, under gcc's thread sanitizer, without OpenMP
#   aarch64      code specific to 64-bit Arm, under qemu, thinned out
#   headers      every public header separately, and all in each C and C++ standard, by both compilers
#   format tree  the layout of the sources; binary files in test/ and doc/ only
#   docs         the API reference: undocumented symbols, dead links, man pages (tools/docs.sh)
#   abi          the binary interface is that of abi/ (tools/abi.sh, libabigail)
#   prose        words of the house dialect in headers, documentation and messages (tools/prose.sh)
#   python       build the wheel of the Python package with the library of phase gcc, and test it (tools/python.sh)
#   quick        build library, tests and examples by clang, quickly, and run them thinned out
#   fuzz         every fuzzer for FUZZ_SECONDS and 100 000 runs, whichever takes longer
# Without a name: gcc, clang, sanitize, headers, format, tree, docs, abi, prose and python. The summary prints the processor time.
# QUICK=1 runs quick, format, tree, docs, abi and prose. FULL=1 runs all tests in all combinations, and also without_openmp,
# thread, thread_gcc, aarch64 and fuzz.
# The last line is the total. The output of a phase is in build/check/<phase>.log.
set -u
cd "$(dirname "$0")/.." || exit
unset MAKEFLAGS MAKELEVEL

results=build/check
jobs=$(nproc)
quick=${QUICK:-}
full=${FULL:-}
test_options=-O0 # of most tests; test_kernel_flags and tests of matrices have others
[ -z "$full" ] || test_options=
warnings="-Wall -Wextra -Wconversion -pedantic -Werror -DSTENO_HEADERS_WARN"
# Tests of loops: their results depend on the compiler and the processor more than those of other tests.
computing='^test_(tile|codec|block_formats|integers|quotients|order|fork|blas|gemm|gemv(t|_pairs)|level3|spmv|triangular'
computing+='|sparse_(sums|values|vectors)|view_(any|values|scales|copy|block_products|segmented)|(kernel|reduce|scan|levels)_matrix'
computing+='|kernel_(stencil|math|arguments|wide|gather|fuse)|reduce_(plain|shapes|complex|views)|complex_kernel)'
threaded='^test_(atomic|kernel(_(parameters|updates|wide|matrix|fuse|stencil))?$|reduce|scan|view_copy|view_fill|exec|event|threads)'
[ -z "$full" ] || threaded="${threaded/(_(parameters|updates|wide|matrix|fuse|stencil))?$/}|^test_(spmv|triangular|ilu|solver)$"
progress='^(\[ *[0-9]+[/%]|-- |passed: | +Start )' # lines that say nothing when a phase fails
only=.     # the tests to run, as a regular expression
selection= # ctest's words that leave some out
keep_going=-k # a build names all that is wrong, not the first
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja && keep_going='-k 0'

# ---- results of a phase: "passed failed skipped" in .count, reasons in .note, and
# "seconds what" of its compilations and tests in .slow

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
    sed -nE "s/.*$line([^ ]+) .* ([0-9.]+) sec.*/\2 \1/p" "$log" >>"$results/$phase.slow"
}

# The lines of ninja's log that this build added: start and end in milliseconds, ..., output.
note_compilations() { # note_compilations <log before> <log now>
    sort "$2" | comm -13 <(sort "$1") - |
        awk '!/^#/ { printf "%.2f %s\n", ($2 - $1) / 1000, $4 }' |
        sed -E 's|CMakeFiles/[^/]*\.dir/||; s|\.o$||' >>"$results/$phase.slow"
}

build() { # build <targets> <cmake arguments>
    local targets=$1 folder=$results/$phase before=$results/$phase.before done=0
    shift
    cat "$folder/.ninja_log" >"$before" 2>/dev/null
    # shellcheck disable=SC2086 # targets are words
    cmake -S . -B "$folder" -DSTENO_WERROR=ON ${full:+-DSTENO_TEST_TIMEOUT=7200} "$@" &&
        cmake --build "$folder" --parallel "$jobs" --target $targets -- $keep_going || done=$?
    [ ! -e "$folder/.ninja_log" ] || note_compilations "$before" "$folder/.ninja_log"
    [ $done = 0 ] || fail "the build"
    return $done
}

build_and_test() { # build_and_test <targets> <cmake arguments>
    local log=$results/$phase.tests
    build "$@" || return
    # shellcheck disable=SC2086 # no selection is no word
    (cd "$results/$phase" &&
        ctest --output-on-failure -j "$jobs" -R "$only" $selection) >"$log" 2>&1
    cat "$log"
    count_tests "$log"
}

programs() { # programs <regular expression>: the C tests of these names
    find test ./*/test -name 'test_*.c' | sed 's/.*\/\(.*\)\.c/\1/' | grep -E "$1"
}

# Loops over all bit patterns, pairs or shapes cover a subset, which is smaller by this factor:
# additional compilers find fewer errors, and some configurations take ten times as long. The phase
# gcc runs what does not depend on the build, for the others.
thin_out() { # thin_out <factor> [other]
    [ -z "$full" ] || return
    export STENO_TEST_QUICK=$1
    [ $# = 1 ] || export STENO_TEST_OTHER=1
}

# ---- the phases

# Phases after gcc build loops for some formats and one instruction set: their source is the same, and
# they compile slowly. Other formats are decoded to tiles.
set_loops() { # set_loops [formats]
    loops=
    [ -z "$full" ] || return
    loops="-DSTENO_LOOP_FORMATS=${1:-f64;f32;f16;i8;bfp16;mxfp8_e4m3;nvfp4}"
    ! grep -qw avx512vl /proc/cpuinfo || loops+=" -DSTENO_ISAS=avx512"
}

phase_gcc() {
    local left_out=
    thin_out 2
    # test_accessor_isa compiles it with vector instructions, the sanitizers and clang without.
    [ -n "$full" ] || left_out=test_accessor_run
    build_and_test "all benches" -DCMAKE_C_COMPILER=gcc -DSTENO_TEST_OPTIONS="$test_options" -DSTENO_TESTS_WITHOUT="$left_out"
}

# Tests that compare values, or compile texts, with what the phase gcc compares as well: other compilers and sanitizers
# add little to them.
# Accessors of all formats, rules and ranks are many types, which take long to compile; those that are left have each part of
# accessor.h, and test_accessor_languages and _template, which gcc's phase runs, compile all of it by clang.
repeated='test_(advise|advise_.*|jit|order|round_trip|integers|reduce_accuracy|solver_(memory|history)|plot|bench_libraries)'
repeated="$repeated|test_accessor_(choices|fit|masks|matrix_.*|ranks|rules)"

# Other tests depend little on the compiler: the phase gcc runs them.
phase_clang() {
    local loops targets="all benches" selection="-LE toolchains"
    thin_out 4 other
    set_loops
    if [ -z "$full" ]; then
        only="$computing|^example_|^test_(contract_library|symbols)$"
        targets="$(programs "$computing") examples steno_command"
        selection="-LE device"
    fi
    # shellcheck disable=SC2086 # no loops are no word
    build_and_test "$targets" -DCMAKE_C_COMPILER=clang -DSTENO_TEST_OPTIONS="$test_options" $loops "$@"
}

phase_without_openmp() {
    phase_clang -DSTENO_WITH_OPENMP=OFF
}

phase_quick() {
    local selection="-LE toolchains -E ^(test_contract_library|install)$" # these look at what -O3 makes
    thin_out 1 other
    build_and_test "tests examples" -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS_RELEASE=-O1 \
        -DSTENO_TEST_OPTIONS="$test_options"
}

# Device tests use the stand-in of HIP, which detects leaks, but not PoCL. Tests of matrices compare values of formats, whose loops
# other tests call.
phase_sanitize() {
    local loops left_out="" without="" selection="-LE toolchains -E codegen" # that code is not what users run
    thin_out 40 other
    set_loops "f64;f32;f16;bfp16"
    if [ -z "$full" ]; then
        without="null;object-size;pointer-overflow;nonnull-attribute"
        left_out="$repeated|example_.*|test_(doc_quotes|command_tune|versus|(example|command)_devices)|.*_(codegen|matrix|opencl)"
        left_out="$left_out|test_(accessor_run|accessor_value|device_(code|math|language|levels)|petsc_ranks|nvrtc_.*|opencl.*)"
        selection="-LE toolchains|opencl|cuda -E codegen|^test_device_kernel_jit$"
    fi
    # shellcheck disable=SC2086 # no loops are no word
    build_and_test "tests examples" -DCMAKE_C_COMPILER=gcc -DSTENO_WITH_OPENMP=OFF -DSTENO_SANITIZE=ON \
        -DSTENO_SANITIZE_WITHOUT="$without" -DSTENO_TESTS_WITHOUT="$left_out" \
        -DCMAKE_C_FLAGS_RELEASE=-g1 -DSTENO_TEST_OPTIONS="$test_options" $loops
}

# The thread sanitizer must report two threads that add to one variable.
add_by_threads() { # add_by_threads [clause of the loop]
    cat >"$results/thread.c" <<SUM
int main(int count, char **all)
{
    int sum = 0;
    #pragma omp parallel for num_threads(2) $*
    for (int k = 0; k < 1000 * count; k++)
        sum++;
    return sum == 0 || !all;
}
SUM
    clang -g1 -fopenmp -fsanitize=thread "$results/thread.c" -o "$results/thread.sum" &&
        "$results/thread.sum"
}

phase_thread() {
    local archer tests loops selection="-LE device"
    archer=$(clang -print-resource-dir 2>/dev/null)/../../libarcher.so # where libomp.so is
    [ -e "$archer" ] || { skip "clang's libarcher.so is missing"; return; }
    [ -e "$(clang -print-file-name="libclang_rt.tsan-$(uname -m).a")" ] ||
        { skip "clang's thread sanitizer is missing"; return; }
    thin_out 6 other
    export OMP_TOOL_LIBRARIES=$archer
    export TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1"
    add_by_threads "reduction(+ : sum)" || { skip "the thread sanitizer does not run here"; return; }
    ! add_by_threads || { fail "the thread sanitizer sees no race"; return; }
    tests=$(programs "$threaded")
    only=$threaded
    set_loops
    # shellcheck disable=SC2086 # no loops are no word
    build_and_test "$tests" -DCMAKE_C_COMPILER=clang -DSTENO_SANITIZE_THREAD=ON \
        -DCMAKE_C_FLAGS_RELEASE="-O1 -g1" -DSTENO_WITH_CONTRACT=OFF -DSTENO_WITH_MARKET=OFF $loops
}

# Other tests use OpenMP, whose synchronization gcc's thread sanitizer does not see.
phase_thread_gcc() {
    local loops only='^test_threads(_operations)?$'
    [ -e "$(gcc -print-file-name=libtsan.so)" ] || { skip "gcc's thread sanitizer is missing"; return; }
    thin_out 6 other
    set_loops
    # shellcheck disable=SC2086 # no loops are no word
    build_and_test "$(programs "$only")" -DCMAKE_C_COMPILER=gcc -DSTENO_SANITIZE_THREAD=ON -DSTENO_WITH_OPENMP=OFF \
        -DCMAKE_C_FLAGS_RELEASE="-O1 -g1" -DCMAKE_C_FLAGS=-Wno-maybe-uninitialized -DSTENO_WITH_CONTRACT=OFF \
        -DSTENO_WITH_MARKET=OFF -DSTENO_WITH_CBLAS=OFF $loops
}

phase_aarch64() {
    local tests reason root=$PWD/$results/aarch64-root
    thin_out 6 other
    [ "$(uname -m)" != aarch64 ] || { skip "this machine is one: see gcc and clang"; return; }
    for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
        command -v $tool || { skip "$tool is missing"; return; }
    done
    reason=$(bash tools/aarch64-root.sh "$root") || { skip "$reason"; return; }
    tests=$(programs "$computing")
    only=$computing
    build_and_test "$tests" -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake \
        -DSTENO_TEST_OPTIONS="$test_options" -DSTENO_AARCH64_ROOT="$root" \
        -DSTENO_WITH_CONTRACT=OFF -DSTENO_WITH_MARKET=OFF
}

# Some headers need definitions.
include_lines() { # include_lines <header>: the lines of a program that include it
    case $1 in
    include/steno/accessor_define.h)
        printf '#define STN_%s\n' "NAME a" "RANK 2" "REAL double" "STORAGE float"
        ;;
    include/steno/kernel_file.h)
        printf '#define STN_KERNEL_%s\n' "NAME b" "PARAMETERS (inout(y))" 'FILE "one.k"'
        ;;
    include/steno/detail/complex_functions.h) # once for each type of its parts
        echo '#include "steno/complex.h"'
        return
        ;;
    esac
    echo "#include \"${1#include/}\""
}

compile_headers() { # compile_headers "<compiler> <language> <standard> <source> <what>"
    local compiler language standard source what
    read -r compiler language standard source what <<<"$1"
    # shellcheck disable=SC2086 # warnings are words
    if $compiler -x "$language" -std="$standard" $warnings -Iinclude -I"$body" -fsyntax-only \
        "$body/$source"; then
        echo "passed: $compiler $standard $what"
    else
        echo "failed: $compiler $standard $what"
    fi
}

# Missing includes of a header are detected in one standard per language; all headers together are
# compiled in each.
list_headers() {
    local compiler standard header number=0 alone="gcc:c:c11 clang:c++:c++11"
    [ -z "$full" ] || alone="$alone gcc:c:c17 clang:c:c11 clang:c:c2x gcc:c++:c++11 gcc:c++:c++20"
    for header in include/steno/*.h include/steno/detail/{,accessor/}*.h; do
        number=$((number + 1))
        { include_lines "$header" && echo "extern int the_end;"; } >"$body/$number.h.c"
        include_lines "$header" >>"$body/all.c"
        for standard in $alone; do
            echo "${standard//:/ } $number.h.c $header"
        done
    done
    { echo '#include "steno/accessor.hpp"' && echo "extern int the_end;"; } >"$body/hpp.c"
    for standard in gcc:c++:c++11 clang:c++:c++20; do
        echo "${standard//:/ } hpp.c include/steno/accessor.hpp"
    done
    echo "extern int the_end;" >>"$body/all.c"
    for compiler in gcc clang; do
        for standard in c11 c17 c2x c++11 c++17 c++20; do
            echo "$compiler ${standard//[0-9]*/} $standard all.c all"
        done
    done
}

phase_headers() {
    local body=$results/body log=$results/headers.tests
    rm -rf "$body"
    mkdir -p "$body"
    echo 'y = y + y;' >"$body/one.k"
    export warnings body
    export -f compile_headers
    list_headers >"$results/headers.list"
    # shellcheck disable=SC2016 # the inner bash expands it
    xargs -P "$jobs" -d '\n' -n 1 bash -c 'compile_headers "$1"' - \
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

phase_tree() {
    if bash tools/tree.sh .; then count 1 0 0; else fail "binary files"; fi
}

phase_prose() {
    if bash tools/prose.sh; then count 1 0 0; else fail "more words of the house dialect than allowed"; fi
}

phase_docs() {
    bash tools/docs.sh check "$results/docs"
    case $? in
    0) count 1 0 0 ;;
    77) skip "doxygen or python3 is missing" ;;
    *) fail "dead links, errors in man pages, or more undocumented than allowed" ;;
    esac
}

phase_abi() {
    bash tools/abi.sh check
    case $? in
    0) count 1 0 0 ;;
    77) skip "abidw is missing (package abigail-tools)" ;;
    *) fail "the binary interface has changed: make abi, if that is intended" ;;
    esac
}

# The library is that of the phase gcc, if there is one: it takes five minutes of processor time to compile.
phase_python() {
    local gcc=$results/gcc library=
    if [ -e "$gcc/CMakeCache.txt" ]; then
        cmake --build "$gcc" --parallel "$jobs" --target steno_static || { fail "the library" && return; }
        library=$gcc/libsteno.a
    fi
    bash tools/python.sh check "$results/python" $library
    case $? in
    0) count "$(sed -n 's/^\([0-9]*\) passed.*/\1/p' "$results/python.log" | awk '{ sum += $1 } END { print sum + 0 }')" 0 0 ;;
    77) skip "python3 with venv and headers, or the package index, is missing" ;;
    *) fail "the wheel or its tests" ;;
    esac
}

phase_fuzz() {
    if bash tools/fuzz.sh "${FUZZ_SECONDS:-60}" 100000; then count 1 0 0; else fail "see build/fuzz"; fi
}

# ---- running the phases, and the summary

# User and system seconds of this shell's children; a shell in a pipe would have none.
note_processor_seconds() {
    times >"$results/$phase.times"
    sed 's/[ms]/ /g' "$results/$phase.times" |
        awk 'END { printf "%.0f\n", 60 * ($1 + $3) + $2 + $4 }' >"$results/$phase.seconds"
}

run_phase() {
    phase=$1
    rm -f "$results/$phase".*
    local start=$SECONDS
    count 0 1 0
    "phase_$phase" >"$results/$phase.log" 2>&1 </dev/null
    note_processor_seconds
    report $((SECONDS - start))
}

report() {
    local passed failed skipped
    read -r passed failed skipped <"$results/$phase.count"
    printf '%-9s %4d passed %4d failed %4d skipped %5d s, %5d s of processor time\n' \
        "$phase" "$passed" "$failed" "$skipped" "$1" "$(cat "$results/$phase.seconds")"
    [ ! -e "$results/$phase.note" ] || sed 's/^/    /' "$results/$phase.note"
    if [ "$failed" -gt 0 ]; then
        echo "---- end of $results/$phase.log"
        grep -v -E "$progress" "$results/$phase.log" | tail -n 100
        echo "----"
    fi
}

name_slowest() {
    local phase
    echo "the slowest:"
    for phase in "$@"; do
        [ ! -e "$results/$phase.slow" ] || sed "s/^/$phase /" "$results/$phase.slow"
    done | sort -k2,2 -g -r | head -n 10 | awk '{ printf "%7.1f s  %-9s %s\n", $2, $1, $3 }'
}

sum_up() {
    local passed=0 failed=0 skipped=0 seconds=0 p f s
    for phase in "$@"; do
        read -r p f s <"$results/$phase.count"
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
        seconds=$((seconds + $(cat "$results/$phase.seconds")))
    done
    echo "$seconds s of processor time"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}

mkdir -p "$results"
trap 'trap - INT TERM; kill 0' INT TERM
[ -z "$full" ] || export STENO_TEST_FULL=1
if [ $# -eq 0 ]; then
    set -- sanitize gcc clang headers format tree docs abi prose python
    [ -z "$full" ] || set -- "$@" without_openmp aarch64 thread thread_gcc fuzz
    [ -z "$quick" ] || set -- quick format tree docs abi prose
fi
free=$(df -Pm "$results" | awk 'END { print $4 }')
[ "$free" -ge 6000 ] || echo "$results may need 6000 MB, but only $free MB are free"
running=0 gcc_job=
for phase in "$@"; do
    [ "$running" -lt 2 ] || wait -n
    [ "$phase" != python ] || [ -z "$gcc_job" ] || wait "$gcc_job" # which builds the library
    run_phase "$phase" &
    [ "$phase" != gcc ] || gcc_job=$!
    running=$((running + 1))
done
wait
name_slowest "$@"
sum_up "$@"
