#!/usr/bin/env bash
# Mistakes that are made with STN_MAP, STN_FUSE, STN_REDUCE and STN_SCAN: each file of
# test/kernel/errors fails, in C and C++, by gcc and clang, with one error that says what is wrong, in
# ten lines or what the file says; what was meant, compiled with TWIN, compiles. As
# test_accessor_errors.sh has it.
set -u
texts=$(cd "$(dirname "$0")/kernel" && pwd)
export STENO_ERROR_TEXTS=$texts STENO_ERROR_LINES=10 STENO_ERROR_OPTIONS=-DSTN_KERNEL_ONE_VERSION
exec bash "$(dirname "$0")/test_accessor_errors.sh"
