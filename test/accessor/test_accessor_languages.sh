#!/usr/bin/env bash
# accessor.h in C11 to C23 and C++11 to C++20: the kernels of test/accessor give the same words at
# every optimisation, with every instruction set, and in C++ by operators too. With STENO_TEST_QUICK
# set, two programs of each compiler are compiled, with STENO_TEST_FULL every combination.
set -u
source "$(dirname "$0")/../accessor/report.sh"

warnings=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror)
quick=${STENO_TEST_QUICK:-}

# The compilers to look at, that of the build first.
families=(gcc clang)
cache=${BUILD_DIR:-}/CMakeCache.txt
if [ -e "$cache" ] && "$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$cache")" --version 2>&1 |
    grep -q clang; then
    families=(clang gcc)
fi

# ---- what is compiled: one line each, "compiler standard options"

few=-DFEW_KERNELS # a third of the kernels, which compile in a third of the time: all of them at -O3
                  # take 20 s (vectors of every type: test_accessor_isa)
native=-march=native

# The first one is what the others are measured against.
thorough() { # thorough <C compiler> <C++ compiler>
    cat <<LIST
$1 c11 -O0
$1 c17 -O3 $few $native
$1 c2x -O1 $native
$2 c++11 -O3 $few
$2 c++17 -O2 $few $native -DOPERATORS
$2 c++20 -O0 $few $native
LIST
}

# Every combination, which takes half an hour.
everything() { # everything <C compiler> <C++ compiler>
    local standard level flags
    for level in -O0 -O2 -O3; do
        for flags in "" $native; do
            for standard in c11 c17 c2x; do
                echo "$1 $standard $level $flags -DALL_PAIRS"
            done
            for standard in c++11 c++14 c++17 c++20; do
                echo "$2 $standard $level $flags -DALL_PAIRS"
            done
            echo "$2 c++17 $level -DOPERATORS $flags -DALL_PAIRS"
        done
    done
}

brief() { # brief <C compiler> <C++ compiler>: optimized by the first C compiler
    local level=-O0
    [ "$1" != "${families[0]}" ] || level=-O2
    cat <<LIST
$1 c11 $level $few
$2 c++14 -O0 $few -DOPERATORS
LIST
}

cxx_of() { if [ "$1" = gcc ]; then echo g++; else echo clang++; fi; }

list() {
    local compiler
    for compiler in "${families[@]}"; do
        if ! has "$compiler" || ! has "$(cxx_of "$compiler")"; then
            skip "$compiler and $(cxx_of "$compiler")" "one of them is missing" >&3
        elif [ -n "${STENO_TEST_FULL:-}" ]; then
            everything "$compiler" "$(cxx_of "$compiler")"
        elif [ -z "$quick" ] && [ "$compiler" = "${families[0]}" ]; then
            thorough "$compiler" "$(cxx_of "$compiler")"
        else
            brief "$compiler" "$(cxx_of "$compiler")"
        fi
    done
}

# ---- compiling, several at a time, and comparing

compile_and_run() { # compile_and_run <number> <compiler> <standard> <options...>
    local out=$work/$1 compiler=$2 standard=$3 language=c
    shift 3
    [[ $standard != c++* ]] || language=c++
    if ! echo | $compiler -std="$standard" -x $language -fsyntax-only - 2>/dev/null; then
        echo "not known to it" >"$out.unknown"
    elif $compiler -std="$standard" "$@" -ffp-contract=off $warned -I "$include" -x $language \
        "$texts/host.c" -o "$out.program" >"$out.log" 2>&1; then
        "$out.program" >"$out.words" 2>>"$out.log" || rm "$out.words"
    fi
}

# Words of a text with few kernels are among those of the one with all.
same_words() { # same_words <number>
    local words=$work/$1.words
    [ "$(wc -l <"$words")" -ge 15 ] || { echo "hardly any words" && return 1; }
    ! grep -vxF -f "$expected" "$words"
}

compare() {
    local number=0 what
    while read -r what; do
        number=$((number + 1))
        if [ -e "$work/$number.unknown" ]; then
            skip "$what" "not known to it"
        elif [ ! -e "$work/$number.words" ]; then
            bad "$what" "$work/$number.log"
        elif same_words $number >"$work/different"; then
            good "$what"
        else
            bad "$what: other words than $(head -n 1 "$work/list")" "$work/different"
        fi
    done <"$work/list"
}

export work texts include=${STENO_INCLUDE_DIR:-$SOURCE_DIR/include} warned="${warnings[*]}"
export -f compile_and_run
list 3>&1 >"$work/list"
awk '{ print NR, $0 }' "$work/list" | xargs -r -P 2 -L 1 bash -c 'compile_and_run "$@"' -
expected=$work/1.words
compare
finish
