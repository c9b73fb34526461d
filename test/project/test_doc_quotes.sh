#!/usr/bin/env bash
# Code and output quoted in the documentation agree with the sources. In each page of doc/ with a line such as
#   <!-- examples/axpy.c -->          the next fenced block is a part of that file, line by line
#   <!-- examples/axpy.c prints -->   the next fenced block is the complete output of that program
# every fenced block follows such a line.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${BUILD_DIR:=}"

check_document() { # check_document <file of doc>
awk -v root="$SOURCE_DIR" -v build="$BUILD_DIR" '
function fail(text) {
    print FILENAME ":" FNR ": " text
    bad = 1
}
function text_of(command,    line, text) {
    text = ""
    while ((command | getline line) > 0)
        text = text line "\n"
    line = close(command)
    if (line == 77 || line == 77 * 256)
        return "skipped"
    if (line != 0)
        fail(command " fails")
    return text
}
function check(    name) {
    quotes++
    if (source == "") {
        fail("the block above has no source")
    } else if (block == "") {
        fail("the block above is empty")
    } else if (!prints) {
        if (!index("\n" text_of("cat \"" root "/" source "\""), "\n" block))
            fail("the block above is not a part of " source)
    } else if (build != "") {
        name = source
        sub(/.*\//, "", name)
        sub(/\.c$/, "", name)
        name = text_of("cd \"" root "/examples\" && \"" build "/examples/" name "\"")
        if (name != block && name != "skipped")
            fail(source " does not print the block above")
    }
}
/^```/ && !inside {
    inside = 1
    block = ""
    next
}
/^```/ {
    inside = 0
    check()
    source = ""
    next
}
inside {
    block = block $0 "\n"
    next
}
source != "" { fail("no block follows the mark of " source); source = "" }
/^<!-- [^ ]+ (prints )?-->$/ {
    source = $2
    prints = $3 == "prints"
}
END {
    if (inside || source != "")
        fail("a block without an end")
    print quotes + 0 " quotes"
    exit bad || !quotes
}' "$SOURCE_DIR/doc/$1"
}

failed=0 pages=0
for page in $(grep -lE '^<!-- [^ ]+/[^ ]+ (prints )?-->$' "$SOURCE_DIR"/doc/*.md); do
    check_document "${page##*/}" || failed=1
    pages=$((pages + 1))
done
echo "$pages pages"
[ "$pages" -ge 10 ] || failed=1
exit $failed
