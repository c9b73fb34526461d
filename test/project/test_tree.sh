#!/usr/bin/env bash
# tools/tree.sh: a source tree has no binary files but in test/ and doc/.
source "$(dirname "$0")/../support/test.sh"

checks() { # checks <status> <part of the output> <why>
    local said status=0
    said=$(bash "$SOURCE_DIR/tools/tree.sh" "$work") || status=$?
    [ $status = "$1" ] && [[ $said == *"$2"* ]] && return
    fail "$3: status $status, '$said'"
}

mkdir -p "$work/test" "$work/doc" "$work/src" "$work/a folder"
echo 'text' >"$work/README.md"
echo 'Größe' >"$work/src/utf8.c"
: >"$work/src/empty.c"
printf 'a\0b' >"$work/test/data.bin"
printf 'a\0b' >"$work/doc/picture.png"
checks 0 "" "binary files in test/ and doc/"
printf 'PERFILE2\0\0' >"$work/perf.data"
checks 1 "perf.data is a binary file" "a recording at the root"
git -C "$work" init -q && checks 1 "perf.data is a binary file" "a recording that git does not know"
git -C "$work" add . && checks 1 "perf.data is a binary file" "a recording that git knows"
rm "$work/perf.data"
printf '\377\376\0' >"$work/a folder/one more"
checks 1 "a folder/one more is a binary file" "a name with spaces"
rm -r "$work/a folder"
checks 0 "" "deleted files that git knows"
finish
