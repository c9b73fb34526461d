#!/usr/bin/env bash
# tree.sh [folder]: lists binary files of a source tree outside of test/ and doc/, and fails if
# there are any. A file is binary according to grep, for example if it contains a zero byte.
set -eu
cd "${1:-.}"

files() {
    git ls-files -co --exclude-standard -z 2>/dev/null ||
        find . -path ./build -prune -o -type f -print0
}

found=$(files | while IFS= read -r -d '' file; do
    case ${file#./} in
    test/* | doc/*) ;;
    *) [ ! -f "$file" ] || [ ! -s "$file" ] || printf '%s\0' "$file" ;;
    esac
done | LC_ALL=C.UTF-8 xargs -0 -r grep -LI '' || :)
[ -z "$found" ] && exit 0
while read -r file; do
    echo "$file is a binary file; binary files are allowed in test/ and doc/ only"
done <<<"$found"
exit 1
