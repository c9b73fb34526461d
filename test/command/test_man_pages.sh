#!/usr/bin/env bash
# Man pages of the command: one per subcommand, with name, usage, description and options, and without errors of groff.
set -u
steno=${STENO:?the command}
[ -x "$steno" ] && command -v python3 >/dev/null && command -v groff >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

section() { # section PAGE TITLE: the text of a section
    groff -man -K utf8 -Tutf8 -P-cbou -rLL=100n "$folder/man1/$1.1" |
        awk -v title="$2" '/^[A-Z]/ { inside = $0 == title } inside'
}

cd "${SOURCE_DIR:?}" || exit 1
python3 tools/docs/commands.py "$steno" doc/command.md "$folder" 1.2.3 2001-02-03 || fail "writing the pages"
for name in $("$steno" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v '^steno$'); do
    page=steno-$name
    [ -e "$folder/man1/$page.1" ] || { fail "there is no page $page"; continue; }
    section "$page" NAME | grep -q "$page - [a-z]" || fail "$page has no purpose"
    section "$page" SYNOPSIS | grep -q "steno $name " || fail "$page has no usage"
    [ "$(section "$page" DESCRIPTION | wc -l)" -gt 3 ] || fail "$page has no description"
    section steno COMMANDS | grep -q "$page(1)" || fail "$page is missing in steno(1)"
done
section steno-solve OPTIONS | grep -q -e '--restart N' || fail "an option of steno solve is missing"
section steno-contract-report OPTIONS | grep -q -e '--loop LOOP' || fail "an option of a subcommand is missing"
groff -man -ww -z -K utf8 "$folder"/man1/* 2>"$folder/errors" || fail "groff"
[ ! -s "$folder/errors" ] || fail "errors in the pages: $(cat "$folder/errors")"
[ $failures = 0 ]
