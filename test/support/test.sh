# Begins a shell test: source "$(dirname "$0")/../support/test.sh". The current folder is $work, which is empty and
# removed at the end; `fail` counts failures, and `finish` is the last line of the test.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}"
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() { # fail WORDS...: the test continues
    echo "FAILED: $*"
    failures=$((failures + 1))
}

has() { command -v "$1" >/dev/null 2>&1; }

skip() { # skip WORDS...: ends the test
    echo "skipped: $*"
    exit 77
}

needs() { # needs TOOL...: skips the test if one is missing
    local tool
    for tool; do
        has "$tool" || skip "no $tool"
    done
}

holds() { # holds WHAT COMMAND...: the command succeeds
    local what=$1
    shift
    "$@" || fail "$what"
}

says() { # says WORDS [FILE]: the file, `out` by default, contains them
    grep -qF -- "$1" "${2:-out}" || fail "'$1' is not in: $(cat "${2:-out}")"
}

expect() { # expect WHAT FOUND EXPECTED
    [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"
}

succeeds() { # succeeds COMMAND...: status 0, and nothing on the standard error; the output is in the file out
    "$@" >out 2>err || fail "$*: status $?: $(cat out err)"
    [ ! -s err ] || fail "$*: prints '$(cat err)'"
}

returns() { # returns STATUS COMMAND...: with this status; the output is in the files out and err
    local expected=$1 status
    shift
    "$@" >out 2>err </dev/null
    status=$?
    [ $status -eq "$expected" ] || fail "$*: status $status: $(cat out err)"
}

sanitized() { # the build has the address sanitizer, whose address space a limit of memory would not hold
    grep -q '^STENO_SANITIZE:BOOL=ON' "${BUILD_DIR:?}/CMakeCache.txt"
}

refused() { # refused WORDS COMMAND...: one sentence with these words, nothing else printed, status 1
    local words=$1
    shift
    returns 1 "$@"
    [ ! -s out ] || fail "$*: prints $(head -n 1 out)"
    { [ "$(wc -l <err)" -eq 1 ] && grep -q '^steno: ' err; } || fail "$*: prints '$(cat err)'"
    says "$words" err
}

finish() { # finish [COUNT]: the test is skipped if it checked nothing
    [ $failures -eq 0 ] || exit 1
    [ "${1:-1}" -gt 0 ] || exit 77
    exit 0
}
