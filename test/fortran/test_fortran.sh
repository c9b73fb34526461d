#!/usr/bin/env bash
# The Fortran interface, compiled by gfortran and flang: test/fortran/*.f90, under valgrind where it is
# installed, and the Fortran examples.
source "$(dirname "$0")/../support/test.sh"
: "${BUILD_DIR:?}"
modules="c core handles memory views arrays c_operations blas_vectors blas_matrix_vector"
modules="$modules blas_matrices sparse solver kernels"

compile() { # compile SOURCE...: by the compiler of this round
    "$compiler" "${flags[@]}" -I "$SOURCE_DIR/fortran" -I "$work/$compiler" "$@" 2>&1 ||
        fail "$compiler: $*"
}

# See steno_c.f90: a file calls each of these functions once.
count_calls() {
    local name
    for name in $(sed -n 's/.*procedure(.*name="\([a-z0-9_]*\)").*/\1/p' \
        "$SOURCE_DIR"/fortran/steno_c{,_operations}.f90); do
        grep -co "\<$name(" "$SOURCE_DIR"/fortran/*.f90 | grep -v ':[01]$' &&
            fail "$name: several calls in a file need an interface of its own"
    done
}

build_modules() {
    local name
    for name in $modules ""; do
        name=steno${name:+_$name}
        compile -c "$SOURCE_DIR/fortran/$name.f90" -o "$work/$compiler/$name.o"
    done
    compile -c "$SOURCE_DIR/test/fortran/checks.f90" -o "$work/$compiler/checks.o"
}

link_and_run() { # link_and_run SOURCE [COMMAND...]
    local source=$1 name
    shift
    name=$work/$compiler/$(basename "$source" .f90)
    compile "$source" "$work/$compiler"/steno*.o "$work/$compiler/checks.o" "$work/reference.o" \
        -L "$BUILD_DIR" -lsteno "-Wl,-rpath,$BUILD_DIR" -o "$name.run"
    "$@" "$name.run" || fail "$compiler: $(basename "$source") returns $?"
}

cc -std=c11 -I "$SOURCE_DIR/include" -c "$SOURCE_DIR/test/fortran/reference.c" \
    -o "$work/reference.o" || fail "reference.c"
count_calls
tested=0
export STENO_GEMM=own # the system BLAS is not clean under valgrind

for compiler in gfortran flang flang-new-19; do
    has "$compiler" || continue
    mkdir -p "$work/$compiler"
    flags=(-std=f2018 -g -O0 -module-dir "$work/$compiler")
    memory=()
    if [ "$compiler" = gfortran ]; then
        flags=(-std=f2018 -g -O0 -Wall -Wextra -Wno-compare-reals -Werror -fimplicit-none)
        flags+=(-fcheck=all,no-array-temps -J "$work/$compiler")
        ! has valgrind || memory=(valgrind -q --error-exitcode=9
            --leak-check=full
            --errors-for-leak-kinds=definite
            --show-leak-kinds=definite)
    fi
    build_modules
    for source in "$SOURCE_DIR"/test/fortran/*.f90; do
        [ "$(basename "$source")" = checks.f90 ] || link_and_run "$source" "${memory[@]}"
    done
    for source in "$SOURCE_DIR"/examples/*.f90; do
        [ ! -e "$source" ] || link_and_run "$source"
    done
    tested=$((tested + 1))
done
finish $tested
