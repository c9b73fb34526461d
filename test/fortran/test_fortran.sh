#!/usr/bin/env bash
# The Fortran interface, compiled by gfortran and flang: test/fortran/*.f90, and the Fortran examples. Programs that
# create and release objects run under valgrind where it is installed; with STENO_TEST_FULL all tests do.
source "$(dirname "$0")/../support/test.sh"
: "${BUILD_DIR:?}"
# The modules in the order that doc/fortran.md gives.
modules=$(sed -n '/^ *for m in/,/; do$/ { s/for m in//; s/; do//; s/\\\\//; p }' "$SOURCE_DIR/doc/fortran.md" | xargs)

compile() { # compile SOURCE...: by the compiler of this round
    "$compiler" "${flags[@]}" -I "$SOURCE_DIR/fortran" -I "$work/$compiler" "$@" 2>&1 ||
        fail "$compiler: $*"
}

# Functions that the modules call, and those of doc/fortran.md that they do not, are the exported ones.
compare_functions() {
    local library name pattern
    for library in "$BUILD_DIR"/libsteno{,_market,_codec,_contract,_mpi}.so; do
        [ ! -e "$library" ] || nm -D --defined-only --with-symbol-versions "$library"
    done | sed -n 's/.* \(stn_[a-z0-9_]*\)@@STENO\(_MARKET\|_CODEC\|_CONTRACT\|_MPI\)*_[0-9.]*$/\1/p' | sort -u >exported
    [ -s exported ] || fail "no exported functions"
    grep -hE '\<stn_[a-z0-9_]+\(' "$SOURCE_DIR"/fortran/*.f90 | grep -vE '^ *(function|subroutine|!)' |
        grep -oE '\<stn_[a-z0-9_]+\(' | tr -d '(' | sort -u >called
    awk '/^## / { listed = /Functions without/ } listed && /^\| `/' "$SOURCE_DIR/doc/fortran.md" |
        cut -d'|' -f2 | grep -oE 'stn_[a-z0-9_]+\*?' >exceptions
    while read -r pattern; do
        name=^${pattern/%\*/[a-z0-9_]*}'$'
        ! grep -E "$name" called || fail "$pattern: doc/fortran.md states that it has no interface"
        grep -qE "$name" exported || [[ $pattern == stn_@(contract|image)* ]] ||
            fail "$pattern of doc/fortran.md is not exported"
        printf '%s\n' "$name" >>patterns
    done <exceptions
    comm -23 exported called | grep -vE -f patterns >missing
    [ ! -s missing ] || fail "without Fortran interface and not in doc/fortran.md:" $(cat missing)
    comm -13 exported called >unknown
    [ ! -s unknown ] || [ ! -e "$BUILD_DIR/libsteno_market.so" ] || fail "not exported:" $(cat unknown)
}

# Constants have the values of the headers, and enumerations are complete.
compare_constants() {
    local header
    grep -ohE '\<STENO_[A-Z0-9_]+ = -?[0-9]+' "$SOURCE_DIR"/fortran/*.f90 | sort -u >constants
    {
        for header in "$SOURCE_DIR"/include/steno/*.h; do
            [[ $header == */@(accessor_define|accessor_span|kernel_file).h ]] ||
                echo "#include \"steno/$(basename "$header")\""
        done
        sed 's/STENO_\(.*\) = \(.*\)/_Static_assert((int)STN_\1 == \2, "STENO_\1");/' constants
    } >constants.c
    cc -std=c11 -I "$SOURCE_DIR/include" -fsyntax-only constants.c || fail "constants"
    sed 's/STENO_\(.*\) = .*/STN_\1/' constants >known
    awk 'NR == FNR { known[$1] = 1; next }
         /^(typedef )?enum.*{$/ { found = 0; missing = "" }
         match($0, /^ +STN_[A-Z0-9_]+ (=|,)/) { found += $1 in known; if (!($1 in known)) missing = missing " " $1 }
         /^}/ { if (found && missing) print missing; found = 0; missing = "" }' \
        known "$SOURCE_DIR"/include/steno/*.h >missing
    [ ! -s missing ] || fail "enumerators without Fortran constant:" $(cat missing)
}

# See steno_c.f90: a file calls each of these functions once.
count_calls() {
    local name
    for name in $(sed -n 's/.*procedure(.*name="\([a-z0-9_]*\)").*/\1/p' \
        "$SOURCE_DIR"/fortran/steno_c{,_operations}.f90); do
        grep -co "\<$name(" "$SOURCE_DIR"/fortran/*.f90 | grep -v ':[01]$' &&
            fail "$name: several calls in a file need a separate interface"
    done
}

build_modules() {
    local name
    for name in $modules "" ${market:+market} ${codec:+archive}; do
        name=steno${name:+_$name}
        compile -c "$SOURCE_DIR/fortran/$name.f90" -o "$work/$compiler/$name.o"
    done
    compile -c "$SOURCE_DIR/test/fortran/checks.f90" -o "$work/$compiler/checks.o"
}

# Programs whose default integers and reals have 64 bits compile the modules with the same options.
compile_with_wide_defaults() {
    local name
    mkdir -p "$work/wide"
    for name in $modules "" ${market:+market} ${codec:+archive}; do
        name=steno${name:+_$name}
        gfortran -std=f2018 -fsyntax-only -fdefault-integer-8 -fdefault-real-8 -J "$work/wide" \
            -I "$SOURCE_DIR/fortran" "$SOURCE_DIR/fortran/$name.f90" 2>&1 || fail "$name with wide default kinds"
    done
}

link_and_run() { # link_and_run SOURCE [COMMAND...]
    local source=$1 name
    shift
    name=$work/$compiler/$(basename "$source" .f90)
    compile "${threads[@]}" "$source" "$work/$compiler"/steno*.o "$work/$compiler/checks.o" "$work/reference.o" \
        -L "$BUILD_DIR" "${libraries[@]}" "-Wl,-rpath,$BUILD_DIR" -o "$name.run"
    "$@" "$name.run" || fail "$compiler: $(basename "$source") returns $?"
}

link_program() { # link_program NAME: test/fortran/NAME.f90 without other objects than the modules
    compile "$SOURCE_DIR/test/fortran/$1.f90" "$work/$compiler"/steno*.o -L "$BUILD_DIR" \
        "${libraries[@]}" "-Wl,-rpath,$BUILD_DIR" -o "$work/$compiler/$1.run"
}

# Without stat=, errors end the program with a status and their message.
expect_error_stop() { # expect_error_stop ARGUMENT MESSAGE
    ! "$work/$compiler/error_stop.run" "$1" >out 2>&1 || fail "$compiler: error stop $1: status 0"
    says "$2"
}

check_errors() {
    link_program error_stop
    expect_error_stop shape "x (f64, 3) and y (f64, 4) differ in extents"
    expect_error_stop errmsg "x (f64, 3) and y (f64, 4) differ in extents"
    expect_error_stop executor "unknown executor 'nowhere'"
    expect_error_stop pointer "the type of the pointer does not match the format of the view"
    expect_error_stop matrix "rows is -1"
    expect_error_stop kernel "a value is missing"
    succeeds "$work/$compiler/error_stop.run" none
    ! "$compiler" "${flags[@]}" -I "$work/$compiler" -c "$SOURCE_DIR/test/fortran/no_target.f90" \
        -o no_target.o >out 2>&1 || fail "$compiler: an array without target"
    [ "$compiler" != gfortran ] || says "There is no specific subroutine for the generic"
}

# With STENO_TEST_QUICK, compilers after the first compile all modules, and the programs in which layouts of arrays,
# pointers, procedures and finalization depend on them.
is_left_out() { # is_left_out SOURCE
    [ $tested -gt 0 ] && [ -n "${STENO_TEST_QUICK:-}" ] && [[ $1 != */@(handles|layout|operations|views).f90 ]]
}

cc -std=c11 -I "$SOURCE_DIR/include" -c "$SOURCE_DIR/test/fortran/reference.c" \
    -o "$work/reference.o" || fail "reference.c"
count_calls
compare_functions
compare_constants
tested=0
libraries=(-lsteno) market='' codec=''
if [ -e "$BUILD_DIR/libsteno_market.so" ]; then
    libraries+=(-lsteno_market)
    market=1
fi
if [ -e "$BUILD_DIR/libsteno_codec.so" ]; then
    libraries+=(-lsteno_codec)
    codec=1
fi
export STENO_GEMM=own # the system BLAS is not clean under valgrind

for compiler in gfortran flang flang-new-19; do
    has "$compiler" || continue
    mkdir -p "$work/$compiler"
    flags=(-std=f2018 -g -O0 -module-dir "$work/$compiler")
    memory=() threads=()
    if [ "$compiler" = gfortran ]; then
        flags=(-std=f2018 -g -O0 -Wall -Wextra -Wno-compare-reals -Werror -fimplicit-none)
        flags+=(-fcheck=all,no-array-temps -J "$work/$compiler")
        threads=(-fopenmp) # flang's OpenMP needs libomp of its version
        ! has valgrind || memory=(valgrind -q --error-exitcode=9
            --leak-check=full
            --errors-for-leak-kinds=definite
            --show-leak-kinds=definite)
    fi
    build_modules
    for source in "$SOURCE_DIR"/test/fortran/*.f90; do
        checked=("${memory[@]}")
        [ -n "${STENO_TEST_FULL:-}" ] || [[ $source == */@(handles|memory).f90 ]] || checked=()
        is_left_out "$source" || [[ $source == */@(checks|error_stop|no_target).f90 ]] || { [ -z "$market" ] && grep -q "use steno_market" "$source"; } ||
            { [ -z "$codec" ] && grep -q "use steno_archive" "$source"; } || link_and_run "$source" "${checked[@]}"
    done
    check_errors
    [ "$compiler" != gfortran ] || compile_with_wide_defaults
    for source in "$SOURCE_DIR"/examples/*.f90; do
        [ ! -e "$source" ] || is_left_out "$source" || link_and_run "$source"
    done
    tested=$((tested + 1))
done
finish $tested
