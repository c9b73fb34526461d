#!/usr/bin/env bash
# The texts of kernels, reductions, scans, copies and sparse operations, and the accessors, compiled by
# each NVRTC of this machine, for the oldest architecture that it knows, the newest one and one between
# them. STENO_TEST_NVRTC names further ones: paths of libnvrtc.so.* or of folders with one, separated by
# colons. With STENO_TEST_FULL=1, pip fetches the oldest and the newest version of each of NVIDIA's
# packages. The NVRTC that the loader finds first compiles copies and sparse operations only: the test
# programs use it when they run by themselves.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD_DIR:=$SOURCE_DIR/build}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
named=${STENO_TEST_NVRTC:-} full=${STENO_TEST_FULL:-}
unset STENO_TEST_NVRTC STENO_TEST_FULL
few=(test_device_copy test_device_sparse test_device_sparse_operations)
all=(test_cuda_driver test_device_kernel test_device_reduce test_device_language test_device_math
    test_device_levels "${few[@]}")
ran=0 failed=0

fail() {
    echo "FAILED: $1"
    sed 's/^/    /' "$work/log" | head -40
    failed=1
}

# libraries <file or folder>...: the NVRTCs there, by their real paths
libraries() {
    local place
    for place; do
        find -L "$place" -maxdepth 1 -type f -name 'libnvrtc.so*' 2>/dev/null
    done | xargs -r -n 1 readlink -f
}

installed() {
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's/.*=> //p' |
        grep -E '/libnvrtc\.so' | xargs -r -n 1 readlink -f
    libraries /usr/local/cuda*/lib64
}

# fetched: the oldest and the newest version of each package
fetched() {
    local package folder
    for package in nvidia-cuda-nvrtc-cu11==11.7.99 nvidia-cuda-nvrtc-cu11 \
        nvidia-cuda-nvrtc-cu12==12.0.140 nvidia-cuda-nvrtc-cu12 nvidia-cuda-nvrtc; do
        folder=$work/$package
        if python3 -m pip download -q --no-deps -d "$folder" "$package" >"$work/log" 2>&1 &&
            python3 -m zipfile -e "$folder"/*.whl "$folder" 2>>"$work/log"; then
            libraries "$folder"/nvidia/*/lib
        else
            echo "skipped: $package: $(tail -n 1 "$work/log")" >&2
        fi
    done
}

# accessors <library>: headers in C++11, for sm_80, which each version knows
accessors() {
    local texts=$SOURCE_DIR/test
    [ -x "$work/compiler" ] ||
        cc -std=gnu11 "$texts/accessor/runtime_compiler.c" -ldl -o "$work/compiler" || exit 1
    "$work/compiler" "$1" nvrtc "$texts/accessor" kernels.h - "-I$SOURCE_DIR/include" \
        "-I$texts/accessor" -arch=sm_80 --std=c++11 --fmad=false -DFEW_KERNELS &&
        "$work/compiler" "$1" nvrtc "$texts/complex" kernels.h - "-I$SOURCE_DIR/include" \
            "-I$texts/complex" -arch=sm_80 --std=c++11 --fmad=false
}

# try <library> <test program>...
try() {
    local library=$1 program before=$failed
    shift
    for program; do
        if ! STENO_TEST_EXEC=cuda:0 STENO_TEST_NVRTC=$library "$BUILD_DIR/test/$program" >"$work/log" 2>&1; then
            fail "$program with $library"
        elif grep -q '^skipped' "$work/log"; then
            fail "$program with $library: nothing was compiled"
        fi
    done
    [ "$failed" != "$before" ] || echo "ok: $library: $*"
    ran=1
}

mapfile -t found < <(installed | awk '!seen[$0]++')
IFS=: read -r -a places <<<"$named"
mapfile -t others < <({
    printf '%s\n' "${found[@]:1}"
    libraries ${places[@]+"${places[@]}"}
    [ -z "$full" ] || fetched
} | grep . | grep -v '\.alt\.' | awk '!seen[$0]++')
[ -z "${found[0]:-}" ] || try "${found[0]}" "${few[@]}"
for library in ${others[@]+"${others[@]}"}; do
    [ "$library" != "${found[0]:-}" ] || continue
    try "$library" "${all[@]}"
    accessors "$library" >"$work/log" 2>&1 || fail "accessors with $library"
done
[ $failed = 0 ] || exit 1
[ $ran = 1 ] || { echo "skipped: no NVRTC is installed" && exit 77; }
