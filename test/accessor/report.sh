# shellcheck shell=bash disable=SC2034
# Read by the test_accessor_*.sh: what a check says, and how the script ends. A check that cannot
# run here is a line with its name; exit status 77 means that none could.
: "${SOURCE_DIR:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
texts=$SOURCE_DIR/test/accessor
ran=0
failed=0

has() { command -v "$1" >/dev/null 2>&1; }
skip() { echo "skipped: $1 ($2)"; }
good() { echo "ok: $1" && ran=$((ran + 1)); }

# bad <what> <file with the reason>
bad() {
    echo "FAILED: $1"
    { grep -a -m 4 'error' "$2" || head -n 20 "$2"; } | cut -c 1-200 | sed 's/^/    /'
    failed=1
}

# check <what> <command...>: it succeeds.
check() {
    local what=$1
    shift
    if "$@" >"$work/log" 2>&1; then good "$what"; else bad "$what" "$work/log"; fi
}

finish() {
    [ $failed = 0 ] || exit 1
    [ $ran != 0 ] || exit 77
    exit 0
}
