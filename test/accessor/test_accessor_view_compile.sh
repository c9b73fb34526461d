#!/usr/bin/env bash
# STN_ACCESSOR_FROM_VIEW in C and C++; an accessor whose elements are read by functions of the program is
# refused with a message.
set -u
source "$(dirname "$0")/../accessor/report.sh"

cat >"$work/types.h" <<'TYPES'
#include "steno/accessor_view.h"
STN_ACCESSOR(plain, 2, double, float)
STN_ACCESSOR_FROM_VIEW(plain)
STN_ACCESSOR_FROM_VIEW(plain_const)
STN_ACCESSOR_AFFINE(affine, 1, double, stn_i8, 0)
STN_ACCESSOR_FROM_VIEW(affine)
STN_ACCESSOR_FROM_VIEW(affine_const)
STN_FN double load(const char *data, stn_size index, int base)
{
    return data[index] - base;
}
STN_FN void store(char *data, stn_size index, double value, int base)
{
    data[index] = (char)(value + base);
}
STN_ACCESSOR_CUSTOM(custom, 1, double, char, int, load, store)
TYPES
printf '#include "types.h"\nSTN_ACCESSOR_FROM_VIEW(custom)\n' >"$work/custom.h"

cat >"$work/members.h" <<'C'
#include "steno/solver.h"
const stn_solver_options none = STN_INIT(stn_solver_options);
const stn_solver_options some = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .restart = 7);
C

options=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror -I "$SOURCE_DIR/include" -fsyntax-only)
refuses_custom() { # refuses_custom <compiler and options>...
    ! "$@" "${options[@]}" "$work/custom.h" 2>"$work/errors" &&
        grep -q 'custom: views have formats, custom elements have none' "$work/errors"
}
for compiler in "gcc -x c -std=c11" "gcc -x c -std=c2x" "clang -x c -std=c11" "clang -x c -std=c2x" \
    "g++ -x c++ -std=c++11" "g++ -x c++ -std=c++20" "clang++ -x c++ -std=c++11" "clang++ -x c++ -std=c++20"; do
    has "${compiler%% *}" || continue
    # shellcheck disable=SC2086 # words
    check "$compiler" $compiler "${options[@]}" "$work/types.h"
    [[ $compiler != *c++20 ]] || check "$compiler: designated members" $compiler "${options[@]}" \
        -Wno-missing-field-initializers "$work/members.h"
    check "$compiler refuses custom elements" refuses_custom $compiler
done
finish
