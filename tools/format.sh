#!/usr/bin/env bash
# format.sh check|write: formats all C sources by .clang-format. Layout differs between releases of
# clang-format, so only version 14 decides; exit status 77 if it is missing.
set -eu
cd "$(dirname "$0")/.."

sources() {
    git ls-files -co --exclude-standard -z -- '*.c' '*.h' '*.hpp' 2>/dev/null ||
        find . -path ./build -prune -o '(' -name '*.[ch]' -o -name '*.hpp' ')' -print0
}

formatter=$(command -v clang-format-14 || command -v clang-format || :)
if [ -z "$formatter" ] || ! "$formatter" --version | grep -q 'version 14\.'; then
    echo "clang-format 14 is missing"
    exit 77
fi
case ${1:-} in
check)
    sources | xargs -0 -r "$formatter" --dry-run -Werror 2>&1 |
        sed -n 's/^\([^:]*\):[0-9].* error: .*/\1/p' | sort | uniq -c | awk '
            { print $2 ": " $1 " places"; bad = 1 } END { exit bad }'
    ;;
write) sources | xargs -0 -r "$formatter" -i ;;
*) echo "usage: format.sh check|write" >&2 && exit 2 ;;
esac
