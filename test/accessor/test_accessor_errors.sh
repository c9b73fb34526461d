#!/usr/bin/env bash
# Mistakes that are made with accessor.h: each file of test/accessor/errors fails, in C and C++, by
# gcc and clang, with one error that says what is wrong. Beside each stands, compiled with TWIN, what
# was meant; that compiles.
#
# The pattern of the message is in the file, "error: ..." for both languages, "error c: ..." or
# "error c++: ..." for one; a file without a pattern for a language is not meant for it.
set -u
source "$(dirname "$0")/../accessor/report.sh"
texts=${STENO_ERROR_TEXTS:-$texts} # of test_kernel_errors.sh
include=${STENO_INCLUDE_DIR:-$SOURCE_DIR/include}

pattern() { # pattern <language> <file>
    sed -n "s|^/\* error: \(.*\) \*/$|\1|p; s|^/\* error $1: \(.*\) \*/$|\1|p" "$2"
}

compile() { # compile <compiler> <standard> <language> <options...>
    local compiler=$1 standard=$2 language=$3
    shift 3
    # shellcheck disable=SC2086 # words
    "$compiler" -std="$standard" -x "$language" -Wall -Wextra -pedantic -O1 -I "$include" -c \
        ${STENO_ERROR_OPTIONS:-} -o /dev/null "$@"
}

# One error, and the right one. What is looked at twice may say it twice.
one_error() { # one_error <pattern>
    [ "$(grep 'error:' "$work/log" | sort -u | wc -l)" = 1 ] && grep 'error:' "$work/log" | grep -qE "$1"
}

# What compilers print is not longer than the file allows, or STENO_ERROR_LINES.
is_short() { # is_short <file>
    local most
    most=$(sed -n 's|^/\* lines: \([0-9]*\) \*/$|\1|p' "$1")
    [ "$(wc -l <"$work/log")" -le "${most:-${STENO_ERROR_LINES:-1000}}" ]
}

mistake() { # mistake <compiler> <standard> <language> <file>
    local what expected file=$4
    what="$(basename "$file" .c), $1 $2"
    expected=$(pattern "$3" "$file")
    [ -n "$expected" ] || return
    if compile "$1" "$2" "$3" "$file" >"$work/log" 2>&1; then
        echo "it compiles" >"$work/log"
        bad "$what" "$work/log"
    elif ! one_error "$expected"; then
        echo "error lines: $(grep -c 'error:' "$work/log"), expected one: $expected" >"$work/said"
        grep 'error:' "$work/log" >>"$work/said"
        bad "$what" "$work/said"
    elif ! is_short "$file"; then
        bad "$what: $(wc -l <"$work/log") lines" "$work/log"
    elif ! compile "$1" "$2" "$3" -Werror -DSTENO_HEADERS_WARN -DTWIN "$file" >"$work/log" 2>&1; then
        bad "$what: its twin" "$work/log"
    else
        good "$what"
    fi
}

mistakes() { # mistakes <compiler> <standard> <language>
    local file
    if ! has "$1"; then
        skip "$1 $2" "no $1"
        return
    fi
    for file in "$texts"/errors/*.c; do
        mistake "$1" "$2" "$3" "$file"
    done
}
mistakes gcc c11 c
mistakes clang++ c++17 c++
if [ -n "${STENO_TEST_FULL:-}" ]; then
    mistakes clang c11 c
    mistakes g++ c++11 c++
fi
finish
