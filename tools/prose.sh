#!/usr/bin/env bash
# prose.sh [count|list]: counts words of the house dialect that plain technical English replaces, in public headers,
# in documentation and in messages (string literals of the sources). It fails if a number exceeds its allowance in
# tools/prose.allowed. Allowances are only ever lowered. `list` prints each occurrence.
set -u
cd "$(dirname "$0")/.." || exit

words='behind|beside|told|tells|stands|nobody|that there (is|are)|as (it is|they are)|of (its|their) own'
words="$words|one (behind|after) the other|room|blame|meeting|ending"

headers() { grep -rnoiwE "$words" include --include='*.h' --include='*.hpp'; }

pages() {
    grep -noiwE "$words" README.md CONTRIBUTING.md CHANGELOG.md
    grep -rnoiwE "$words" doc --include='*.md'
}

# String literals, without the lines that include files.
messages() {
    grep -rnoE '"([^"\\]|\\.)*"' src cli contract market cblas codec petsc --include='*.c' --include='*.h' | grep -v '\.h"$' |
        grep -oiwE "^[^\"]*|$words" | awk '/^(src|cli|contract|market|cblas|codec|petsc)\// { place = $0; next } { print place $0 }'
}

failed=0
while read -r part allowed; do
    count=$($part | wc -l)
    [ "${1:-count}" != list ] || $part
    echo "$part: $count, $allowed allowed"
    [ "$count" -le "$allowed" ] || failed=1
done <tools/prose.allowed
[ $failed = 0 ] || echo "words to replace: bash tools/prose.sh list"
exit $failed
