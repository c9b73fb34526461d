#!/usr/bin/env bash
# Kernels are the caller's code: with the caller's compiler, language and flags they compile without
# a warning, and the same bits come out. What must not compile says so in one line.
source "$(dirname "$0")/toolchain.sh"
export OMP_NUM_THREADS=3

examples=$(cd "$SOURCE_DIR/examples" && grep -lE 'steno/(kernel|reduce|scan)|kernels/d2q9' ./*.c)
warnings="-Wall -Wextra -Werror -DSTENO_HEADERS_WARN"
include="-I $SOURCE_DIR/include -I $SOURCE_DIR/examples"

# The one that calculates element by element, without optimization, says what is expected.
expected=
build() { # build <program> <source> <compiler and options ...>
    local program=$1 source=$2
    shift 2
    # shellcheck disable=SC2086 # words
    "$@" $warnings $include -c "$source" -o "$work/object.o" >"$work/log" 2>&1 &&
        "$1" "$work/object.o" "$BUILD_DIR/libsteno.so" "-Wl,-rpath,$BUILD_DIR" -lm -o "$program" \
            >>"$work/log" 2>&1 && return
    fail "$* does not build ${source##*/}: $(head -5 "$work/log")"
    return 1
}

# Of the examples, those whose number leaves the first of the turn when it is divided by the second.
check_build() { # check_build [turn] <compiler and options ...>
    local example executor turn="" number=0
    [[ $1 != */* ]] || { turn=$1 && shift; }
    build "$work/bits" "$SOURCE_DIR/test/kernel/bits.c" "$@" || return
    for executor in reference openmp openmp:threads=1; do
        "$work/bits" $executor >"$work/found" || fail "$*: bits on $executor"
        [ -n "$expected" ] || { expected=$work/expected; cp "$work/found" "$expected"; }
        cmp -s "$work/found" "$expected" ||
            fail "$* on $executor: $(diff "$expected" "$work/found" | head -4)"
        compared=$((compared + 1))
    done
    [ -n "$turn" ] || [ -n "${STENO_TEST_FULL:-}" ] || return
    for example in $examples; do
        number=$((number + 1))
        [ -n "${STENO_TEST_FULL:-}" ] || [ $((number % ${turn#*/})) = "${turn%/*}" ] || continue
        build "$work/example" "$SOURCE_DIR/examples/$example" "$@" || continue
        "$work/example" >"$work/found" 2>&1 || fail "$*: $example: $(cat "$work/found")"
    done
}

# Each example by one of these, as C or as C++.
full=${STENO_TEST_FULL:-}
turn=0
for compiler in gcc clang; do
    has $compiler || { echo "skipped: no $compiler"; continue; }
    check_build $turn/6 $compiler -O0 -g -std=c11 -pedantic
    check_build $compiler -O2 -std=gnu17 -march=native -pedantic
    [ -z "$full" ] || check_build $compiler -O2 -std=gnu17 -pedantic
    check_build $((turn + 1))/6 $compiler -O3 -std=c11 -march=native -pedantic -DSTN_KERNEL_ONE_VERSION
    check_build $((turn + 2))/6 ${compiler/gcc/g}++ -x c++ -std=c++17 -O0 -g
    turn=3
done
for pragma in fast-math ${full:+'associative-math","no-signed-zeros","no-trapping-math' fp-contract=fast}; do
    ! has gcc || check_build gcc -O2 -march=native "-DBITS_PRAGMA=\"$pragma\""
done
check_build g++ -x c++ -std=c++17 -O2 -march=native
[ -z "$full" ] || ! has clang || check_build clang++ -x c++ -std=c++17 -O2 -march=native

# ---- what is refused ----

expect_error() { # expect_error <what> <text of the error, or none> <options> <program>
    local what=$1 text=$2 options=$3 program=$4 compiler
    for compiler in gcc clang; do
        has $compiler || continue
        echo "$program" >"$work/refused.c"
        # shellcheck disable=SC2086 # words
        if $compiler $options $include -c "$work/refused.c" -o "$work/object.o" 2>"$work/log"; then
            [ -z "$text" ] || fail "$compiler: $what compiles"
        elif [ -z "$text" ]; then
            fail "$compiler: $what does not compile: $(head -3 "$work/log")"
        elif ! grep 'error: ' "$work/log" | head -1 | grep -q "$text"; then
            fail "$compiler: $what is refused otherwise: $(head -3 "$work/log")"
        fi
    done
}

refuses() { # refuses <what> <text of the error> <options> <statement>
    expect_error "$1" "$2" "$3" "#include \"steno/kernel.h\"
        STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
        int launch(const stn_exec *on, const stn_view *x, const stn_view *y);
        int launch(const stn_exec *on, const stn_view *x, const stn_view *y)
        { (void)x, (void)y; return (int)$4; }"
}

good='axpy_run(on, STN_F64, 2.0, x, y)'
refuses "a launch" "" "-O2 -std=c11" "$good"
refuses "fast maths" "steno: kernels keep their promises without -ffast-math only" \
    "-O2 -std=c11 -ffast-math" "$good"
refuses "finite maths" "steno: kernels keep their promises without -ffast-math only" \
    "-O2 -std=c11 -ffinite-math-only" "$good"
for header in status exec view kernel; do
    expect_error "short enums behind $header.h" \
        "steno: enumerations of the library have 4 bytes: compile without -fshort-enums" \
        "-O2 -std=c11 -fshort-enums" "#include \"steno/$header.h\""
done
refuses "an argument too few" "too few arguments" "-std=c11" 'axpy_run(on, STN_F64, 2.0, x)'
refuses "an argument too many" "too many arguments" "-std=c11" 'axpy_run(on, STN_F64, 2.0, x, y, y)'
refuses "a number for a view" "incompatible type" "-std=c11" 'axpy_run(on, STN_F64, 2.0, 3.0, y)'
refuses "a view for a number" "incompatible type" "-std=c11" 'axpy_run(on, STN_F64, x, x, y)'

# As many parameters as can be, and one more.
parameters() { # parameters <count>
    local at list=
    for ((at = 1; at < $1; at++)); do list="${list}index(p$at), "; done
    echo "${list}in(x)"
}
most=$(sed -n 's/^#define STN_MAX_PARAMETERS *//p' "$SOURCE_DIR/include/steno/detail/kernel_types.h")
counted() { # counted <macro> <what> <text behind the parameters> <most>
    local program="#include \"steno/reduce.h\"
        #include \"steno/kernel.h\""
    expect_error "$1 of $4 parameters" "" "-std=c11 -Wall -Wextra -Werror" "$program
        $1 ($(parameters "$4")), $3)"
    expect_error "$1 of $(($4 + 1)) parameters" "large: more than $4 parameters" "-std=c11" \
        "$program
        $1 ($(parameters $(($4 + 1)))), $3)"
}
counted "STN_MAP(large," "a kernel" "(void)x;" "$most"
counted "STN_REDUCE(large, sum," "a reduction" "x" "$most"
counted "STN_REDUCE_INTEGER(large, max," "a reduction" "x" "$most"
counted "STN_SCAN(large, sum," "a scan" "x" "$most"
counted "STN_SCAN_INTEGER(large, min," "a scan" "x" "$most"

for use in "STN_PUT(u, x, i)" "(void)STN_INDEX_AT(u, i)"; do
    expect_error "$use of a stencil" "it takes a .*scatter of that rank" "-std=c11" \
        "#include \"steno/kernel.h\"
        STN_MAP(near, (at(i), stencil(u, zero, 1), in(x)), $use;)"
done

reach="(at(i), stencil(u, zero, 1), in(x)), x + STN_AT(u, i + 1))"
for macro in "STN_REDUCE(near," "STN_SCAN(near,"; do
    expect_error "$macro of a stencil" \
        "near: no parameter of reductions and scans is written stencil(u, zero, 1)" "-std=c11" \
        "#include \"steno/reduce.h\"
        $macro sum, $reach"
done

# In C++ nothing draws a warning, in a namespace without a name either.
for compiler in g++ clang++; do
    has $compiler || continue
    for standard in c++11 c++17; do
        echo '#include "steno/steno.h"
            #include "steno/reduce.h"
            namespace {
            STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
            STN_REDUCE(total, sum, (in(x)), x)
            STN_SCAN(running, sum, (in(x)), x)
            }
            stn_status use(const stn_exec *on, stn_view *x, unsigned i);
            stn_status use(const stn_exec *on, stn_view *x, unsigned i)
            {
                double value = 0;
                if (STN_VIEW_GET(x, &value, i, 2) || STN_VIEW_SET(x, value, 0, i) ||
                    STN_VIEW_ATOMIC_ADD(x, value, 0, i))
                    return STN_ERR_RANGE;
                if (total_reduce(on, STN_F64, &value, x) || running_scan(on, STN_F64, STN_SCAN_INCLUSIVE, x, x))
                    return STN_ERR_RANGE;
                return axpy_run(on, STN_F64, value, x, x);
            }' >"$work/nameless.cpp"
        # shellcheck disable=SC2086 # words
        $compiler -std=$standard -DSTENO_HEADERS_WARN -Wall -Wextra -Wconversion -Wshadow -pedantic \
            -Werror $include -c "$work/nameless.cpp" -o "$work/object.o" 2>"$work/log" ||
            fail "$compiler -std=$standard: $(grep -m 2 'error' "$work/log")"
        compared=$((compared + 1))
    done
done

# A body is the program's: what is doubtful in it draws a warning, though the macros around it are not
# shown.
for compiler in gcc clang g++ clang++; do
    has $compiler || continue
    echo '#include "steno/kernel.h"
        STN_MAP_INTEGER(doubtful, (in(x), out(y)), int half = 0.5 * 3; y = x + half;)' >"$work/doubtful.c"
    language=c
    case $compiler in *++) language=c++ ;; esac
    # shellcheck disable=SC2086 # words
    $compiler -x $language -Wconversion $include -c "$work/doubtful.c" -o "$work/object.o" 2>"$work/log"
    grep -q 'doubtful.c:2:.*warning: .*conver' "$work/log" || fail "$compiler: no warning in a body"
    compared=$((compared + 1))
done

echo "$compared runs compared"
[ $failed = 0 ] || exit 1
[ $compared != 0 ] || exit 77
