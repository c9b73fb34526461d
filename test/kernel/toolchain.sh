# Head of tests that build programs with the shared library: SOURCE_DIR, BUILD_DIR, a folder `work`
# that is removed at the end, and counters. Exits with 77 (skipped) without that library.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${BUILD_DIR:?a build of Steno}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compared=0
failed=0

has() { command -v "$1" >/dev/null 2>&1; }

fail() {
    echo "FAILED: $*"
    failed=1
}

[ -e "$BUILD_DIR/libsteno.so" ] || { echo "skipped: no shared library"; exit 77; }
if grep -q '^STENO_SANITIZE:BOOL=ON' "$BUILD_DIR/CMakeCache.txt"; then
    echo "skipped: the library is built with sanitizers"
    exit 77
fi
