#!/usr/bin/env bash
# The accessors alone: examples/standalone built from a copy outside the tree, with the folder of
# headers, with the one file of tools/dist-accessor.sh and from its archive; what is in the archive;
# and the one file in every language.
set -u
source "$(dirname "$0")/../accessor/report.sh"
dist=$SOURCE_DIR/tools/dist-accessor.sh
version=$(sed -n 's/^project(steno VERSION \([0-9.]*\).*/\1/p' "$SOURCE_DIR/CMakeLists.txt")
name=steno-accessor-$version

# ---- the same files, twice, in another place, at another time and with another umask

make_twice() {
    bash "$dist" "$work/dist" && (umask 077 && cd / && TZ=Asia/Tokyo bash "$dist" "$work/again") &&
        diff -r "$work/dist" "$work/again" && [ "$(ls "$work/dist" | wc -l)" = 2 ]
}
check "the same bytes twice" make_twice
single=$work/dist/steno_accessor.h

print_is_the_file() { bash "$dist" - | diff - "$single"; }
check "printed verbatim" print_is_the_file

# The headers that accessor.h and accessor_define.h lead to, by the compiler, and what else belongs.
expected_files() {
    printf '#include "steno/accessor.h"\n' | cc -I "$SOURCE_DIR/include" -MM -MT x -x c - |
        tr -d '\\' | tr ' ' '\n' | sed -n "s|^$SOURCE_DIR/||p"
    echo include/steno/accessor_define.h
    (cd "$SOURCE_DIR" && find examples/standalone -maxdepth 1 -type f)
    echo LICENSE README.md steno_accessor.h | tr ' ' '\n'
}
contents() {
    expected_files | sed "s|^|$name/|" | LC_ALL=C sort >"$work/expected"
    tar -tzf "$work/dist/$name.tar.gz" | grep -v '/$' | LC_ALL=C sort | diff "$work/expected" -
}
check "contents of the archive" contents

modes() { ! tar -tvzf "$work/dist/$name.tar.gz" | grep -vE '^(-rw-r--r--|drwxr-xr-x) 0/0 '; }
check "modes and owners in the archive" modes

head_of_file() {
    head -n 20 "$single" | grep -qF "steno_accessor.h $version:" &&
        head -n 20 "$single" | grep -qF 'SPDX-License-Identifier: BSD-3-Clause' &&
        head -n 20 "$single" | grep -qF "$(grep '^Copyright' "$SOURCE_DIR/LICENSE")" &&
        ! grep -n '^ *# *include *"' "$single"
}
check "version, licence and no quoted includes" head_of_file

# ---- the one file alone, included again and again

cat >"$work/alone.c" <<'C'
#include "steno_accessor.h"
#include "steno_accessor.h"
STN_ACCESSOR(plain, 2, float, stn_f16)
#define STN_NAME     named
#define STN_RANK     1
#define STN_REAL     float
#define STN_STORAGE  int8_t
#define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#include "steno_accessor.h"
#define STN_NAME    second
#define STN_RANK    1
#define STN_REAL    float
#define STN_STORAGE uint8_t
#include "steno_accessor.h"
#ifdef STN_NAME
#    error "a name is left"
#endif
#ifdef KERNEL
KERNEL void use(STN_MEM stn_f16 *a, STN_MEM stn_i8 *b, STN_MEM stn_u8 *c)
#else
void use(stn_f16 *a, stn_i8 *b, stn_u8 *c);
void use(stn_f16 *a, stn_i8 *b, stn_u8 *c)
#endif
{
    named_set(named_dense(b, 2), 0, plain_get(plain_dense(a, 3, 4), 1, 2));
    second_set(second_dense(c, 2), 1, named_get(named_dense(b, 2), 0));
}
C
cp "$work/alone.c" "$work/alone.cu"

alone() { # alone <what> <compiler> <options...>
    local what="the one file as $1"
    shift
    if ! has "$1"; then
        skip "$what" "no $1"
    else
        check "$what" "$@" -I "$work/dist"
    fi
}
strict=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror -c -o "$work/alone.o")
for compiler in gcc clang; do
    alone "C11 by $compiler" $compiler -std=c11 "${strict[@]}" "$work/alone.c"
    alone "C++17 by $compiler" $compiler -std=c++17 "${strict[@]}" -x c++ "$work/alone.c"
done
alone "OpenCL C" clang -x cl -cl-std=CL1.2 -DKERNEL=kernel -Wall -Wextra -Werror -S -emit-llvm \
    -o /dev/null "$work/alone.c"
alone "CUDA C++" nvcc -cubin -arch=sm_80 -DKERNEL=__global__ -Werror all-warnings \
    -o "$work/alone.cubin" "$work/alone.cu"

# ---- the example

# example <what> <folder with the example> <cmake arguments...>
example() {
    local what=$1 folder=$2
    shift 2
    check "$what: build" build_example "$folder" "$@"
    [ -x "$folder/build/axpy" ] || return
    check "$what: on the CPU" "$folder/build/axpy"
    if [ ! -x "$folder/build/axpy_cuda" ]; then
        skip "$what: on a GPU" "CMake finds no CUDA compiler"
    elif "$folder/build/axpy_cuda" >"$work/log" 2>&1; then
        good "$what: on a GPU"
    elif [ $? = 77 ] && grep -qx 'no CUDA device' "$work/log"; then
        skip "$what: on a GPU" "no CUDA device"
    else
        bad "$what: on a GPU" "$work/log"
    fi
}

build_example() { # build_example <folder> <cmake arguments...>
    local folder=$1
    shift
    cmake -S "$folder" -B "$folder/build" -DCMAKE_C_FLAGS="-Wall -Wextra -pedantic -Werror" "$@" &&
        cmake --build "$folder/build"
}

if has cmake; then
    for copy in folder single; do
        mkdir "$work/$copy"
        find "$SOURCE_DIR/examples/standalone" -maxdepth 1 -type f -exec cp {} "$work/$copy" \;
    done
    tar -xzf "$work/dist/$name.tar.gz" -C "$work"
    example "from the archive" "$work/$name/examples/standalone"
    if [ -z "${STENO_TEST_OTHER:-}" ]; then
        # CMake takes seconds for CUDA; the archive's example is compiled by nvcc, and the one file was above.
        c_only=${STENO_TEST_QUICK:+-DCMAKE_CUDA_COMPILER=NOTFOUND}
        example "with the folder" "$work/folder" -DSTENO_INCLUDE_DIR="$SOURCE_DIR/include" $c_only
        example "with the one file" "$work/single" -DSTENO_INCLUDE_DIR="$work/dist" $c_only
    fi
else
    skip "the example" "no cmake"
fi
finish
