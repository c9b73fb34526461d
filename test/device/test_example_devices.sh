#!/usr/bin/env bash
# Examples that take an executor print the same on every one that this machine has.
set -u
ran=0
for example in device columns poisson "poisson 9 csr" "cg 1" "cg 2" "cg 4" "cg 16"; do
    read -r name arguments <<<"$example"
    program=$BUILD_DIR/examples/$name
    # shellcheck disable=SC2086 # arguments are words
    expected=$("$program" reference $arguments) || { echo "$example fails on reference"; exit 1; }
    for resource in openmp threads:jit opencl:0 cuda:0; do
        if ! "$STENO" info | grep -qE "^(device  *$resource:|OpenMP  *executor $resource$)" &&
            [ "$resource" != threads:jit ]; then
            echo "skipped: there is no $resource"
            continue
        fi
        # shellcheck disable=SC2086
        found=$("$program" $resource $arguments) || { echo "$example fails on $resource"; exit 1; }
        [ "$found" = "$expected" ] || { echo "$example on $resource prints $found"; exit 1; }
        ran=$((ran + 1))
    done
done
[ $ran -gt 0 ]
