#!/usr/bin/env bash
# Accessors whose elements' addresses are multiples of more than their parts' bytes: what nvcc makes of
# test/accessor/alignment.h keeps the contracts of alignment.cg.
set -u
source "$(dirname "$0")/../accessor/report.sh"
steno=${STENO:?the command}
"$steno" contract --help >/dev/null 2>&1 || { echo "skipped: a build without contracts"; exit 77; }
has nvcc || { echo "skipped: no nvcc"; exit 77; }

compile_and_check() { # compile_and_check <architecture>
    nvcc -x cu -cubin "-arch=sm_$1" --fmad=false -Werror all-warnings -I "$SOURCE_DIR/include" \
        -o "$work/sm_$1.cubin" "$texts/alignment.h" &&
        "$steno" contract check "$work/sm_$1.cubin" "$texts/alignment.cg"
}

for architecture in 80 90; do
    if nvcc --list-gpu-arch | grep -q "compute_$architecture"; then
        check "sm_$architecture" compile_and_check $architecture
    else
        skip "sm_$architecture" "not known to this nvcc"
    fi
done
finish
