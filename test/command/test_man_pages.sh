#!/usr/bin/env bash
# Man pages of the command: one per subcommand, with name, usage, description and options, and without errors of groff.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno" python3 groff

section() { # section PAGE TITLE: the text of a section
    groff -man -K utf8 -Tutf8 -P-cbou -rLL=100n "$work/man1/$1.1" |
        awk -v title="$2" '/^[A-Z]/ { inside = $0 == title } inside'
}

cd "${SOURCE_DIR:?}" || exit 1
python3 tools/docs/commands.py "$steno" doc/command.md "$work" 1.2.3 2001-02-03 || fail "writing the pages"
for name in $("$steno" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v '^steno$'); do
    page=steno-$name
    [ -e "$work/man1/$page.1" ] || { fail "there is no page $page"; continue; }
    section "$page" NAME | grep -q "$page - [a-z]" || fail "$page has no purpose"
    section "$page" SYNOPSIS | grep -q "steno $name " || fail "$page has no usage"
    [ "$(section "$page" DESCRIPTION | wc -l)" -gt 3 ] || fail "$page has no description"
    section steno COMMANDS | grep -q "$page(1)" || fail "$page is missing in steno(1)"
done
section steno-plot OPTIONS | grep -q -e '--panel TEXT' || fail "steno-plot has no page of its options"
section steno-plot DESCRIPTION | grep -q 'steno solve' || fail "steno-plot has no description"
section steno-solve OPTIONS | grep -q -e '--restart N' || fail "an option of steno solve is missing"
section steno-contract-report OPTIONS | grep -q -e '--loop LOOP' || fail "an option of a subcommand is missing"
groff -man -ww -z -K utf8 "$work"/man1/* 2>"$work/errors" || fail "groff"
[ ! -s "$work/errors" ] || fail "errors in the pages: $(cat "$work/errors")"
finish
