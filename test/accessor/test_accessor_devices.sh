#!/usr/bin/env bash
# accessor.h in the languages of devices: OpenCL C by clang, CUDA C++ by nvcc and NVRTC, HIP by hipcc
# and hipRTC, SYCL by its own compiler, and what it allows. The kernels of test/accessor compile without a warning; where a
# device is, they give the words of C11. (OpenCL on a device: test_accessor_opencl.c.) What differs
# by a version, an architecture or another compiler of the same language only is compiled with
# STENO_TEST_FULL set.
set -u
source "$(dirname "$0")/../accessor/report.sh"

include=${STENO_INCLUDE_DIR:-$SOURCE_DIR/include}
few=-DFEW_KERNELS # a third of the kernels
debug=--device-debug # without optimization, NVRTC takes a third of the time
[ -z "${STENO_TEST_FULL:-}" ] || debug=
quick=${STENO_TEST_OTHER:-}
full=${STENO_TEST_FULL:-}
thinned="thinned out: it is in other builds"
single=$work/steno_accessor.h
bash "$SOURCE_DIR/tools/dist-accessor.sh" - >"$single" || exit 1

# runs <what> <program> <options>: it gives the words of C11 with these options, or there is no
# device.
runs() {
    "$2" >"$work/words" 2>"$work/log"
    local status=$?
    if [ $status = 77 ]; then
        skip "$1" "no device"
    elif [ $status != 0 ]; then
        bad "$1" "$work/log"
    elif ! cc -std=c11 -O2 -ffp-contract=off -fno-tree-slp-vectorize $3 -I "$include" \
        "$texts/host.c" -o "$work/host" >"$work/log" 2>&1; then
        bad "$1: C11" "$work/log"
    elif "$work/host" | diff - "$work/words" >"$work/log"; then
        good "$1"
    else
        bad "$1: other words than C11" "$work/log"
    fi
}

# ---- OpenCL C

opencl() { # opencl <what> <text> <options...>
    local what=$1 text=$2
    shift 2
    if ! has clang; then
        skip "$what" "no clang"
    else
        check "$what" clang -x cl -O0 "$@" $few -Wall -Wextra -Werror -I "$include" -emit-llvm -S \
            -o /dev/null "$texts/$text"
    fi
}
opencl "OpenCL C 1.2" kernels.h -cl-std=CL1.2
if [ -n "$full" ]; then
    opencl "OpenCL C 3.0" kernels.h -cl-std=CL3.0
    opencl "OpenCL C 1.2 without double" kernels.h -cl-std=CL1.2 -target spir64 \
        -Xclang -cl-ext=-cl_khr_fp64
    opencl "OpenCL C 1.2, checked" checked.h -cl-std=CL1.2
fi
opencl "OpenCL C 3.0 without double" kernels.h -cl-std=CL3.0 -target spir64 \
    -Xclang -cl-ext=-cl_khr_fp64,-__opencl_c_fp64

# ---- CUDA C++

known_to_nvcc() { nvcc --list-gpu-arch 2>/dev/null | grep -q "compute_$1"; }

has_device() { ls /dev/nvidia[0-9]* >/dev/null 2>&1; }

cuda_program() {
    local all=$few architecture codes=() names=()
    ! has_device || all=
    for architecture in ${full:+80} 90; do
        if known_to_nvcc $architecture; then
            names+=("sm_$architecture")
            codes+=(-gencode "arch=compute_$architecture,code=[sm_$architecture,compute_$architecture]")
        else
            skip "CUDA by nvcc for sm_$architecture" "not known to this nvcc"
        fi
    done
    check "CUDA by nvcc for ${names[*]}" nvcc "${codes[@]}" --fmad=false -Werror all-warnings \
        $all -I "$include" "$texts/device.cu" -o "$work/cuda"
    [ ! -x "$work/cuda" ] || runs "CUDA on the device" "$work/cuda" "$all"
}

cuda_checked() {
    check "CUDA by nvcc, checked" nvcc -x cu -cubin -Werror all-warnings -I "$include" \
        "$texts/checked.h" -o "$work/checked.cubin"
}
if ! has nvcc; then
    skip "CUDA by nvcc" "no nvcc"
elif [ -n "$quick" ]; then
    skip "CUDA by nvcc" "$thinned"
else
    cuda_checked
    if [ -n "$full" ] || has_device; then cuda_program; fi # NVRTC compiles the same kernels
fi

# ---- compilers of run-time texts

# runtime <what> <library> <vendor> <text> <options...>
runtime() {
    local what=$1 library=$2 vendor=$3 text=$4
    shift 4
    if [ -n "$quick" ]; then
        skip "$what" "$thinned"
    else
        check "$what" "$work/runtime_compiler" "$library" "$vendor" "$texts" "$text" "$@" $few
    fi
}

first_library() { # first_library <pattern>: next to nvcc, or known to the loader
    local folder=
    ! has nvcc || folder=$(dirname "$(readlink -f "$(command -v nvcc)")")/..
    ls "$folder"/lib64/$1 "$folder"/lib/$1 "$folder"/targets/*/lib/$1 2>/dev/null | head -n 1
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's/.*=> //p' | grep -E "/${1/\*/}"
}

cc -std=gnu11 "$texts/runtime_compiler.c" -ldl -o "$work/runtime_compiler" || exit 1
nvrtc=$(first_library 'libnvrtc.so*' | head -n 1)
folders=(- "-I$include" "-I$texts") # - and not the one file, which is handed over in memory
if [ -n "$nvrtc" ]; then
    [ -z "$full" ] || runtime "NVRTC for sm_90, headers in folders" "$nvrtc" nvrtc kernels.h \
        "${folders[@]}" -arch=sm_90 --fmad=false
    runtime "NVRTC for sm_80, headers in memory" "$nvrtc" nvrtc kernels.h "$single" -arch=sm_80 \
        --fmad=false $debug
    [ -z "$full" ] || runtime "NVRTC, checked" "$nvrtc" nvrtc checked.h "${folders[@]}" -arch=sm_80
else
    skip "NVRTC" "no libnvrtc.so"
fi
hiprtc=$(first_library 'libhiprtc.so*' | head -n 1)
hiprtc=${hiprtc:-$(first_library 'libamdhip64.so*' | head -n 1)} # older ones have it inside
if [ -n "$hiprtc" ]; then
    runtime "hipRTC for gfx90a, headers in memory" "$hiprtc" hiprtc kernels.h "$single" \
        --offload-arch=gfx90a -ffp-contract=off
    [ -z "$full" ] || runtime "hipRTC, checked" "$hiprtc" hiprtc checked.h "${folders[@]}" --offload-arch=gfx90a
else
    skip "hipRTC" "no libhiprtc.so"
fi

# ---- HIP

if ! has hipcc; then
    skip "HIP by hipcc" "no hipcc"
elif [ -n "$quick" ]; then
    skip "HIP by hipcc" "$thinned"
else
    if [ -n "$full" ] || [ -e /dev/kfd ]; then # hipRTC compiles the same kernels
        check "HIP by hipcc for gfx90a" hipcc --offload-arch=gfx90a -ffp-contract=off -Wall -Wextra \
            -Werror $few -I "$include" -x hip "$texts/device.cu" -o "$work/hip"
        [ ! -x "$work/hip" ] || runs "HIP on the device" "$work/hip" $few
    fi
    check "HIP by hipcc, checked" hipcc --offload-arch=gfx90a -Wall -Wextra -Werror -I "$include" \
        -include hip/hip_runtime.h -x hip -c "$texts/checked.h" -o "$work/checked.o"
fi

# ---- what SYCL allows in kernels

# No exceptions, no run-time types, no calls by pointer, no recursion, no data that changes, and
# nothing from outside but sqrt; the program around the kernels prints and allocates.
sycl_rules() {
    g++ -std=c++17 -fno-exceptions -fno-rtti -fcallgraph-info -c -DFEW_KERNELS -DOPERATORS \
        -I "$include" -x c++ "$texts/host.c" -o "$work/sycl.o" || return 1
    ! grep '__indirect_call' "$work"/sycl*.ci || return 1
    sed -n 's/^edge: { sourcename: "\([^"]*\)" targetname: "\([^"]*\)".*/\1 \2/p' \
        "$work"/sycl*.ci >"$work/calls"
    ! awk '$1 == $2' "$work/calls" | grep . || return 1
    tsort "$work/calls" >/dev/null || return 1
    ! nm "$work/sycl.o" | grep -E ' [BbDdCGgSsV] ' || return 1
    ! nm -u "$work/sycl.o" | grep -vwE 'memcpy|memset|sqrtf?|calloc|free|printf|puts'
}
if has g++ && has nm && has tsort; then
    check "what SYCL forbids is not there" sycl_rules
else
    skip "what SYCL forbids is not there" "g++, nm or tsort is missing"
fi

# clang's SYCL mode makes device code of the kernels without an implementation of SYCL; what it calls
# outside is the compiler's own.
sycl_device_code() {
    clang++ -std=c++17 -Xclang -fsycl-is-device -target spir64 -D__x86_64__ -D__LP64__ \
        -isystem "/usr/include/$(cc -print-multiarch)" -ffp-contract=off $few -Wall -Wextra -Werror \
        -I "$include" -S -emit-llvm "$texts/sycl.cpp" -o "$work/sycl.ll" || return 1
    [ "$(grep -c '^define.*submit' "$work/sycl.ll")" -ge 15 ] || return 1
    ! grep '^declare' "$work/sycl.ll" | grep -vE '@(llvm\.|sqrtf?\()' || return 1
    ! grep -E '^@.* global ' "$work/sycl.ll"
}
if has clang++ && [ "$(uname -m)" = x86_64 ] && [ -n "$(cc -print-multiarch)" ]; then
    check "SYCL device code by clang" sycl_device_code
else
    skip "SYCL device code by clang" "no clang++ on x86-64"
fi

# A folder with include/sycl/sycl.hpp and lib/libsycl.so, whose compiler works at run time: a virtual
# environment with intel-sycl-rt and intel-opencl-rt from PyPI is one.
sycl=${STENO_TEST_SYCL:-/opt/intel/oneapi/compiler/latest}
sycl_program() {
    local vendors=/etc/OpenCL/vendors
    if [ -e "$sycl/lib/libintelocl.so" ]; then
        vendors=$work/vendors
        mkdir -p "$vendors"
        echo "$sycl/lib/libintelocl.so" >"$vendors/intel.icd"
    fi
    LD_LIBRARY_PATH=$sycl/lib OCL_ICD_VENDORS=${OCL_ICD_VENDORS:-$vendors} \
        "$work/sycl" "$include" "$texts"
}
sycl_few=$few
[ -z "$full" ] || sycl_few=
if ! has g++ || [ ! -e "$sycl/include/sycl/sycl.hpp" ] || [ ! -e "$sycl/lib/libsycl.so" ]; then
    skip "SYCL on a device" "no libsycl.so in STENO_TEST_SYCL"
else
    check "SYCL's program by g++" g++ -std=c++17 -w $sycl_few -ffp-contract=off \
        -I "$sycl/include" -I "$include" "$texts/sycl_device.cpp" -L "$sycl/lib" -lsycl \
        -Wl,--allow-shlib-undefined -o "$work/sycl"
    [ ! -x "$work/sycl" ] || runs "SYCL on a device" sycl_program "$sycl_few"
fi
finish
