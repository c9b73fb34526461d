#!/usr/bin/env bash
# steno info, bench and solve --exec: the device that ran is named, results have the bits of the host, and what a device
# lacks is reported before anything runs.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno" python3
export STENO_CACHE=$work/cache
ran=0

has_device() { "$steno" info | grep -q "^device  *$1:"; }

rows() { # rows EXPRESSION: holds for each row of JSON in the file out
    python3 -c '
import json, sys
rows = [json.loads(line) for line in open("out")]
assert rows
for row in rows:
    assert eval(sys.argv[1]), row
' "$1" || fail "$1: $(cat out)"
}

# ---- a device: kernels, and solvers with their preconditioners

# The first compilation of each kernel takes half a second.
check_device() {
    local device=$1 name
    ran=1
    succeeds "$steno" info --exec "$device"
    name=$(sed -n "s/^executor *$device (\(.*\))$/\1/p" out)
    holds "info names the executor" test -n "$name"
    succeeds "$steno" bench axpy,dot,sliced --size 3000 --repeat 1 --format f16 --exec "$device" \
        --same-bits-as reference --json rows.json
    says "$device ($name), arithmetic f64"
    says "all results have the bits of reference with 1 thread"
    cp rows.json out
    rows "row['exec'] == '$device' and row['device'] == '$name' and row['same_bits_as'] == 'reference'"
    rows "row['seconds'] > 0 and row['stream_gbps'] > 0 and row['error_stored'] < 1e-15"
    expect "rows of a device" "$(wc -l <out)" 3
    succeeds "$steno" bench axpy,dot --size 3000 --repeat 1 --format bfp16 --exec "$device" --same-bits-as reference
    succeeds "$steno" solve --size 5 --repeat 1 --basis bfp16 --exec "$device" --same-bits-as threads
    succeeds "$steno" solve --size 5 --repeat 1 --exec "$device" --same-bits-as threads --solver cg --precond ic
    says "cg with ic, $device ($name)"
    says "all solutions have the bits of threads"
    succeeds "$steno" solve --size 5 --repeat 1 --exec "$device" --same-bits-as threads --solver refinement \
        --basis f16 --precond jacobi --json -
    rows "row['exec'] == '$device' and row['device'] == '$name' and row['reason'] == 'converged'"
    succeeds "$steno" solve --size 5 --repeat 1 --exec "$device" --same-bits-as threads --solver refinement \
        --arithmetic c128 --basis c64 --json -
    rows "row['arithmetic'] == 'c128' and row['reason'] == 'converged'"
}

for device in opencl:0 cuda:0 hip:0; do
    ! has_device $device || check_device $device
done

# ---- stand-ins: a device without f64 and with 1 MiB of memory; a driver that computes nothing

stand_in=$BUILD_DIR/test/cuda/stand_in_opencl.so
if [ -e "$stand_in" ]; then
    ran=1
    export STENO_OPENCL=$stand_in STENO_STAND_IN_RULES=0x87
    STENO_STAND_IN_F64_RULES=0 refused "opencl:0 (stand-in) has no f64, which is needed for the f64 storage" \
        "$steno" bench dot --size 10 --exec opencl:0 --arith f32
    STENO_STAND_IN_F64_RULES=0 refused "opencl:0 (stand-in) has no f64, which is needed for the matrix" \
        "$steno" solve --exec opencl:0
    refused "GiB of memory, and opencl:0 has 0.000977 GiB" "$steno" bench dot --size 1M --exec opencl:0
    refused "convection needs 0.0564 GiB of memory, and opencl:0 has 0.000977 GiB" \
        "$steno" solve --size 40 --exec opencl:0
    refused "executor 'opencl:0' has one thread, not 2" "$steno" bench --exec opencl:0 --threads 2
    STENO_STAND_IN_RULES=0x07 refused "'opencl:0:inexact=allow' accepts this" "$steno" bench --exec opencl:0
    unset STENO_OPENCL
fi
stand_in=$BUILD_DIR/test/cuda/stand_in.so
if [ -e "$stand_in" ] && STENO_CUDA_DRIVER=$stand_in has_device cuda:0; then
    ran=1
    export STENO_CUDA_DRIVER=$stand_in
    returns 1 "$steno" bench axpy --size 10 --repeat 1 --exec cuda:0 --same-bits-as threads
    grep -q 'NVRTC' err || says "axpy of f64: 10 of 10 results on cuda:0 have other bits than on threads" err
    returns 1 "$steno" solve --size 3 --repeat 1 --basis f64 --exec cuda:0 --same-bits-as threads
    grep -q 'NVRTC' err || says "f64: 27 of 27 elements of the solution on cuda:0 have other bits than on threads" err
fi

finish $ran
