#!/usr/bin/env bash
# Programs with kernels link and run however they are built: their loops come in versions that gcc
# chooses from before main, where sanitizers and profilers may not be ready.
source "$(dirname "$0")/toolchain.sh"
cd "$work" || exit
export OMP_NUM_THREADS=2

runs() { # runs <libraries> <compiler and options ...>
    local libraries=$1
    shift
    # Can the compiler make any program in this way?
    # shellcheck disable=SC2086 # words
    echo 'int main(void) { return 0; }' | "$@" -x c - -x none $libraries -o any 2>/dev/null &&
        ./any || { echo "skipped: $*"; return; }
    # shellcheck disable=SC2086 # words
    "$@" -I "$SOURCE_DIR/include" "$SOURCE_DIR/test/kernel/small.c" $libraries -lm -o program \
        >log 2>&1 || { fail "$* does not build: $(head -5 log)"; return; }
    ./program >log 2>&1 || fail "$* does not run: $(head -5 log)"
    compared=$((compared + 1))
}

shared="$BUILD_DIR/libsteno.so -Wl,-rpath,$BUILD_DIR"
# gcc's OpenMP is not built for the thread sanitizer, and its barriers look like races to it.
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 report_bugs=0"
for options in "-O2 -fsanitize=thread" "-O2 -fsanitize=address" "-O2 -fsanitize=undefined" \
    "-O2 -pg" "-O2 -fno-pie -no-pie" "-O2 -fPIE -pie" "-O2 -flto" "-O3 -fstack-protector-all" \
    "-O2 -fprofile-arcs -ftest-coverage" "-O2 -finstrument-functions"; do
    # shellcheck disable=SC2086 # words
    runs "$shared" gcc $options
done
for options in "-O2 -fsanitize=thread" "-O2 -fsanitize=address" "-O2 -fPIE -pie"; do
    # shellcheck disable=SC2086 # words
    runs "$shared" clang $options
done

runs "$BUILD_DIR/libsteno.a -fopenmp" gcc -O2 -static

echo "$compared programs"
[ $failed = 0 ] || exit 1
[ $compared != 0 ] || exit 77
