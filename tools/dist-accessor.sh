#!/usr/bin/env bash
# dist-accessor.sh [FOLDER]: the accessors, for programs that use nothing else of Steno, in FOLDER
# (build/dist):
#   steno_accessor.h                 accessor.h and everything it includes in one file
#   steno-accessor-VERSION.tar.gz    that file, the separate headers, examples/standalone, LICENSE
# dist-accessor.sh -: print the one file. The same sources always give the same bytes.
set -euo pipefail
export LC_ALL=C
folder=$(realpath -m "${1:-$(dirname "$0")/../build/dist}") # unless it is -
cd "$(dirname "$0")/.."

version=$(sed -n 's/^project(steno VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
copyright=$(sed -n '/^Copyright/{p;q;}' LICENSE)
[ -n "$version" ] && [ -n "$copyright" ]

# ---- the one file

headers=() # in the order in which they were first included

# The text of a header, with its includes expanded at their first use. A conditional include would
# be missing for later headers.
expand() {
    local line name
    headers+=("$1")
    while IFS= read -r line; do
        if [[ $line =~ ^\#include\ \"(steno/[a-z0-9_/]+\.h)\"$ ]]; then
            name=${BASH_REMATCH[1]}
            [[ " ${headers[*]} " == *" $name "* ]] || expand "$name"
        elif [[ $line =~ ^\ *#\ *include.*steno ]]; then
            echo "dist-accessor: $1 includes under a condition: $line" >&2
            exit 1
        else
            printf '%s\n' "$line"
        fi
    done <"include/$1"
}

one_file() {
    cat <<HEAD
/* steno_accessor.h $version: accessors of Steno, which read and write arrays of narrow storage
 * formats in wide arithmetic types. For C11, C++11, CUDA C++, HIP and OpenCL C; needs nothing else.
 * Made from steno/accessor.h by tools/dist-accessor.sh: changes belong there.
 *
 * $copyright
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the text below speaks of steno/accessor_define.h, this file is included again:
 *
 *     #define STN_NAME     qrange
 *     #define STN_RANK     2
 *     #define STN_REAL     double
 *     #define STN_STORAGE  int8_t
 *     #define STN_ROUNDING STN_ROUND_STOCHASTIC
 *     #include "steno_accessor.h" */
HEAD
    expand steno/accessor.h
    echo '#if defined(STN_NAME) || defined(STN_RANK) || defined(STN_REAL) || defined(STN_STORAGE)'
    expand steno/accessor_define.h
    echo '#endif'
}

# ---- the archive

readme() {
    cat <<README
# Steno accessors $version

Arrays that are stored narrow and computed wide, at compile time: header only, for C11, C++11, CUDA C++,
HIP and OpenCL C. There is nothing to build or to link.

* \`include/\`: put it on the include path and include \`steno/accessor.h\`, whose end says what every
  function does. \`steno/accessor_define.h\` makes accessors by named choices.
* \`steno_accessor.h\`: the same in one file, to be copied into a project.
* \`examples/standalone/\`: a mixed-precision kernel for CPU and GPU; see the README there.

BSD-3-Clause: see \`LICENSE\`.
README
}

# Sorted names, one time, one owner and fixed modes, so that the archive is reproducible.
pack() {
    local name=steno-accessor-$version root header
    root=$folder/.$name.$$/$name
    mkdir -p "$root/examples/standalone"
    for header in "${headers[@]}"; do
        mkdir -p "$root/include/$(dirname "$header")"
        cp "include/$header" "$root/include/$header"
    done
    find examples/standalone -maxdepth 1 -type f -exec cp {} "$root/examples/standalone" \;
    cp LICENSE "$folder/steno_accessor.h" "$root"
    readme >"$root/README.md"
    tar --sort=name --mtime="@${SOURCE_DATE_EPOCH:-1735689600}" --owner=0 --group=0 --numeric-owner \
        --mode='u=rwX,go=rX' --format=ustar -C "$root/.." -cf - "$name" |
        gzip -n -9 >"$folder/$name.tar.gz"
    rm -rf "$folder/.$name.$$"
}

if [ "${1:-}" = - ]; then
    one_file
else
    mkdir -p "$folder"
    one_file >"$folder/steno_accessor.h"
    pack
    echo "$folder/steno_accessor.h"
    echo "$folder/steno-accessor-$version.tar.gz"
fi
