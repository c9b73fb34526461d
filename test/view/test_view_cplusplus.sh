#!/usr/bin/env bash
# The C++ example of views compiles as C++11 without warnings by g++ and clang++, and prints the right element.
source "$(dirname "$0")/../support/test.sh"
: "${BUILD_DIR:?a build of Steno}"
grep -q '^STENO_SANITIZE[A-Z_]*:BOOL=ON' "$BUILD_DIR/CMakeCache.txt" && skip "the library has a sanitizer"
needs g++

for compiler in g++ clang++; do
    has $compiler || continue
    holds "$compiler compiles the example" $compiler -std=c++11 -O0 -Wall -Wextra -Wconversion -Wshadow -pedantic \
        -Werror -I "$SOURCE_DIR/include" "$SOURCE_DIR/examples/row_scales.cpp" -o example \
        -L "$BUILD_DIR" -lsteno -Wl,-rpath,"$BUILD_DIR"
    succeeds ./example
    says "narrow(2, 3) = 2.75, scale of row 2 = 8.39e-05"
done
finish
