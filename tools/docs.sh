#!/usr/bin/env bash
# docs.sh site FOLDER            writes the site into FOLDER/html, and man pages of functions into FOLDER/man
# docs.sh commands FOLDER STENO  writes man pages of the command STENO and its subcommands into FOLDER/man
# docs.sh check FOLDER           does the same as `site`, and fails if a link is dead, if groff reports an error in a man page,
#                                or if more is undocumented than tools/docs.allowed, which is only ever lowered
# Doxygen reads the public headers, all Markdown pages in doc/ and above it, and the comments of the examples. The other
# steps are the scripts in tools/docs/. The exit status is 77 if a tool is missing.
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n 's/^project(steno VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
date=$(git log -1 --format=%cs 2>/dev/null || date -u +%Y-%m-%d)

run_doxygen() { # run_doxygen <folder>
    {
        cat tools/docs/Doxyfile
        echo "PROJECT_NUMBER = $version"
        echo "INPUT = include/steno \"$1/pages\""
        echo "STRIP_FROM_PATH = include \"$1/pages\""
        echo "OUTPUT_DIRECTORY = \"$1\""
        echo "WARN_LOGFILE = \"$1/warnings\""
    } | doxygen -
}

write_site() { # write_site <folder>: fails if a link is dead
    local folder=$1 result=0
    rm -rf "$folder"/{html,xml,pages,man/man3}
    mkdir -p "$folder/pages"
    python3 tools/docs/pages.py "$folder/pages" || result=1
    run_doxygen "$folder"
    python3 tools/docs/site.py "$folder/html" "$folder/xml" "$folder/pages/files" || result=1
    python3 tools/docs/man.py "$folder/xml" "$folder/man" "$version" "$date"
    return $result
}

write_commands() { # write_commands <folder> <steno>
    rm -rf "$1/man/man1"
    python3 tools/docs/commands.py "$2" doc/command.md "$1/man" "$version" "$date"
}

# A page that only names the page that it shares has no errors of its own.
check_man_pages() { # check_man_pages <folder>
    command -v groff >/dev/null || return 0
    find "$1/man" -type f -name '*.[13]' -size +64c -print0 |
        xargs -0 -r groff -man -ww -z -K utf8 >"$1/groff" 2>&1
    [ ! -s "$1/groff" ] || { head -n 20 "$1/groff"; return 1; }
}

check_symbols() { # check_symbols <folder>
    local count allowed
    python3 tools/docs/reference.py "$1/xml" "$1/warnings" >"$1/undocumented"
    count=$(tail -n 1 "$1/undocumented")
    allowed=$(cat tools/docs.allowed)
    grep -v '^ ' "$1/undocumented" | sed '$d'
    echo "undocumented: $count, $allowed allowed; see $1/undocumented"
    [ "$count" -le "$allowed" ]
}

check() { # check <folder>
    local result=0
    write_site "$1" || { echo "dead links: see above"; result=1; }
    check_man_pages "$1" || { echo "errors in man pages: see above"; result=1; }
    check_symbols "$1" || result=1
    return $result
}

for tool in doxygen python3; do
    command -v $tool >/dev/null || { echo "docs: $tool is missing"; exit 77; }
done
case ${1:-}:$# in
site:2) write_site "$2" ;;
commands:3) write_commands "$2" "$3" ;;
check:2) check "$2" ;;
*) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
