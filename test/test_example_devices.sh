#!/usr/bin/env bash
# The example of devices prints the same on every executor that this machine has.
set -u
device=$BUILD_DIR/examples/device
expected=$("$device" reference) || { echo "it fails on reference"; exit 1; }
ran=0
for resource in openmp opencl:0 cuda:0; do
    if [ $resource != openmp ] && ! "$STENO" info | grep -q "^device  *$resource:"; then
        echo "skipped: there is no $resource"
        continue
    fi
    found=$("$device" $resource) || { echo "it fails on $resource"; exit 1; }
    [ "$found" = "$expected" ] || { echo "$resource prints $found"; exit 1; }
    ran=$((ran + 1))
done
[ $ran -gt 0 ]
