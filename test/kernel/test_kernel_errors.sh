#!/usr/bin/env bash
# Mistakes made with STN_MAP, STN_FUSE, STN_REDUCE and STN_SCAN, compiled by gcc and clang as C and C++.
#
# Each file of test/kernel/errors has one mistake: one error describes it, in ten lines or the number
# that the file states, and the intended program, compiled with TWIN, compiles (test_accessor_errors.sh).
# The files test/kernel/mistake*.c have many mistakes: one error for each. The table below bounds what
# compilers print for mistakes in a body.
set -u
source "$(dirname "$0")/../accessor/report.sh"
texts=$SOURCE_DIR/test/kernel
include=${STENO_INCLUDE_DIR:-$SOURCE_DIR/include}

compile() { # compile <compiler> <options and files...>
    local compiler=$1 language="-x c -std=c11"
    shift
    case $compiler in *++) language="-x c++ -std=c++11" ;; esac
    case $compiler in clang*) language+=" -ferror-limit=0" ;; esac
    # shellcheck disable=SC2086 # words
    "$compiler" $language -Wall -Wextra -pedantic -fsyntax-only -DSTN_KERNEL_ONE_VERSION -I "$include" "$@"
}

# The errors of a log. A body is compiled once per arithmetic type: errors that differ only in that are
# one.
errors_of() {
    grep 'error:' "$1" | sed -E 's/const //g; s/f32/f64/g; s/c64/c128/g; s/\bfloat\b/double/g' | sort -u
}

# ---- one error per mistake ----

mistakes() { # mistakes <compiler> <file>
    local count expected line pattern what
    what="$(basename "$2"), $1"
    if compile "$1" "$2" >"$work/log" 2>&1; then
        echo "error: it compiles" >"$work/log"
        bad "$what" "$work/log"
        return
    fi
    errors_of "$work/log" >"$work/errors"
    count=$(wc -l <"$work/errors")
    expected=$(grep -c '^/\* error: ' "$2")
    if [ "$count" != "$expected" ]; then
        echo "error: there are $count errors, not $expected" | cat - "$work/errors" >"$work/said"
        bad "$what" "$work/said"
        return
    fi
    while read -r line; do
        pattern=$(sed -n "${line}s|^/\* error: \(.*\) \*/\$|\1|p" "$2")
        if ! grep -E "^[^:]*:$((line + 1)):" "$work/errors" | grep -qE "$pattern"; then
            echo "error: line $((line + 1)) has no error: $pattern" >"$work/said"
            bad "$what" "$work/said"
            return
        fi
    done < <(grep -n '^/\* error: ' "$2" | cut -d : -f 1)
    good "$what"
}

compilers="gcc clang++"
[ -n "${STENO_TEST_QUICK:-}" ] || compilers+=" clang g++"
for compiler in $compilers; do
    if has $compiler; then
        for file in "$texts"/mistake*.c; do
            mistakes $compiler "$file"
        done
        check "no mistakes, $compiler" compile $compiler -Werror -DSTENO_HEADERS_WARN "$texts/no_mistakes.c"
        case $compiler in *++) ;; *) continue ;; esac
        mistakes $compiler "$texts/static_cxx.c"
        check "no mistakes, $compiler, C++20" compile $compiler -std=c++20 -Werror -DSTENO_HEADERS_WARN \
            "$texts/no_mistakes.c"
    else
        skip "mistakes, $compiler" "no $compiler"
    fi
done

# ---- macros without their header, after each public header that includes status.h ----

for header in "$include"/steno/*.h; do
    name=$(basename "$header")
    case $name in kernel*.h | reduce.h | scan.h) continue ;; esac
    printf '#include "steno/%s"\nSTN_MAP(map, (in(x)), (void)x;)\nSTN_REDUCE(total, sum, (in(x)), x)\n' \
        "$name" >"$work/body.c"
    compile gcc -H "$work/body.c" >"$work/log" 2>&1
    grep -q '/steno/status\.h' "$work/log" || continue
    if [ "$(grep 'error:' "$work/log" | grep -c 'steno: .* needs #include')" = 2 ] &&
        [ "$(grep -c 'error:' "$work/log")" = 2 ]; then
        good "macros without their header, $name"
    else
        bad "macros without their header, $name" "$work/log"
    fi
done

# ---- lines that compilers print, at most ----

bounded() { # bounded <lines by gcc> <lines by clang> <lines of the program>
    local bound=$1 compiler
    for compiler in gcc clang; do
        has $compiler || continue
        [ $compiler = clang ] && bound=$2
        printf '#include "steno/kernel.h"\n#include "steno/reduce.h"\n%s\n' "$3" >"$work/body.c"
        if compile $compiler "$work/body.c" >"$work/log" 2>&1 || [ "$(wc -l <"$work/log")" -gt "$bound" ]; then
            bad "$compiler: $(wc -l <"$work/log") lines, not at most $bound: $3" "$work/log"
        elif [ "$(errors_of "$work/log" | wc -l)" != 1 ]; then
            bad "$compiler: other errors than one: $3" "$work/log"
        else
            good "$compiler: $3"
        fi
    done
}
# Lines of gcc 12 and clang 14.
bounded 11 5 'STN_MAP(undeclared, (real(a), in(x), inout(y)), y = a * z + y; (void)x;)'
bounded 16 5 'STN_MAP(no_semicolon, (in(x), inout(y)), real_t t = 2 * x y = t + y;)'
bounded 12 11 'STN_MAP(no_last_semicolon, (in(x), inout(y)), y = x + y)'
bounded 6 32 'STN_MAP(assigned, (in(x), inout(y)), x = 2 * y; y = x;)'
bounded 10 19 'STN_MAP(type, (in(x), inout(y)), const char *t = "a"; y = x * t;)'
bounded 6 19 'STN_MAP(no_view, (at(i), in(x), out(y)), y = STN_AT(x, i);)'
bounded 6 19 'STN_MAP(few, (at(i, j), gather(u, 2), out(y)), y = STN_AT(u, i); (void)j;)'
bounded 7 8 'STN_MAP(misspelled, (in(x), out(y)), y = no_function(x);)'
bounded 18 7 'STN_REDUCE(undeclared, sum, (in(x)), x * z)'
status=$failed

export STENO_ERROR_TEXTS=$texts STENO_ERROR_LINES=10 STENO_ERROR_OPTIONS=-DSTN_KERNEL_ONE_VERSION
bash "$(dirname "$0")/../accessor/test_accessor_errors.sh" || failed=$?
[ "$status" = 0 ] || failed=1
finish
