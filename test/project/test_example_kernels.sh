#!/usr/bin/env bash
# The kernels of examples/kernels in OpenCL C, CUDA C++ and HIP. Missing toolchains are skipped.
source "$(dirname "$0")/../support/test.sh"
ran=0

compiles() { # compiles <what> <compiler> <options ...>
    local what=$1
    shift
    if ! has "$1"; then
        echo "skipped: $what (no $1)"
        return
    fi
    ran=1
    if "$@" -I "$SOURCE_DIR/include" >"$work/log" 2>&1; then
        echo "ok: $what"
    else
        fail "$what: $(cut -c1-300 "$work/log" | head -40)"
    fi
}

kernels=$SOURCE_DIR/examples/kernels
for standard in CL1.2 CL3.0; do
    compiles "OpenCL $standard" clang -x cl -cl-std=$standard -Wall -Wextra -Werror -fsyntax-only \
        "$kernels/axpy.cl"
done
compiles "CUDA" nvcc -Werror all-warnings -c "$kernels/axpy.cu" -o "$work/cuda.o"
compiles "HIP" hipcc -x hip -Wall -Wextra --offload-arch=gfx906 -nogpulib -fsyntax-only \
    "$kernels/axpy.cu"

finish "$ran"
