#!/usr/bin/env bash
# Misuse of accessor.h: each case of errors.txt fails, in C by gcc and in C++ by clang, with one error that
# describes the problem; the intended program, which is compiled with TWIN, compiles.
#
# With STENO_ERROR_TEXTS (test_kernel_errors.sh), cases are the files errors/*.c of that folder: their
# patterns are comments, and the intended program is selected by #ifdef TWIN.
set -u
source "$(dirname "$0")/../accessor/report.sh"
include=${STENO_INCLUDE_DIR:-$SOURCE_DIR/include}

split_cases() { # split_cases <file>: into $work/errors
    mkdir "$work/errors"
    awk -v folder="$work/errors" '
        /^# [a-z_0-9]+$/ { file = folder "/" $2 ".c"; included = 0; next }
        !file || !NF { next }
        /^# / { print "/* " substr($0, 3) " */" >file; next }
        !included++ { print "#include \"steno/accessor.h\"" >file }
        /^[-+]/ { print ($0 ~ /^-/ ? "#ifndef" : "#ifdef") " TWIN\n" substr($0, 2) "\n#endif" >file; next }
        { print >file }' "$1"
}
if [ -z "${STENO_ERROR_TEXTS:-}" ]; then
    split_cases "$texts/errors.txt"
    texts=$work
else
    texts=$STENO_ERROR_TEXTS
fi

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

# One error, and the right one. A compiler may print it twice.
one_error() { # one_error <pattern>
    [ "$(grep 'error:' "$work/log" | sort -u | wc -l)" = 1 ] && grep 'error:' "$work/log" | grep -qE "$1"
}

# The output is not longer than the file allows, or STENO_ERROR_LINES.
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

# With STENO_TEST_QUICK set, every other case, beginning with the first or the second.
mistakes() { # mistakes <compiler> <standard> <language> <0 or 1>
    local file number=$4
    if ! has "$1"; then
        skip "$1 $2" "no $1"
        return
    fi
    for file in "$texts"/errors/*.c; do
        number=$((number + 1))
        [ -n "${STENO_TEST_QUICK:-}" ] && [ $((number % 2)) = 0 ] && has gcc && has clang++ && continue
        mistake "$1" "$2" "$3" "$file"
    done
}
mistakes gcc c11 c 0
mistakes clang++ c++17 c++ 1
if [ -n "${STENO_TEST_FULL:-}" ]; then
    mistakes clang c11 c 0
    mistakes g++ c++11 c++ 0
fi
finish
