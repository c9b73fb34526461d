#!/usr/bin/env bash
# abi.sh check           compares the binary interface of the libraries with abi/
# abi.sh write           writes abi/
# abi.sh symbols BUILD   compares the functions of the headers with those of the libraries in a build
#
# The public headers define the interface: a stub of each library, with an empty function for each
# prototype, has all its types and symbols. It compiles in a second, without the sources of the
# library. Exit status 77: libabigail (abidw, abidiff) is missing.
set -u
cd "$(dirname "$0")/.." || exit
mode=${1:-check} build=${2:-}
if [ "$mode" != symbols ]; then
    for tool in abidw abidiff; do
        command -v $tool >/dev/null || { echo "skipped: $tool is missing (package abigail-tools)"; exit 77; }
    done
fi
cc=${CC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

headers_of() { # headers_of LIBRARY: the headers that declare its functions
    case $1 in
    steno_contract) echo contract.h contract_model.h ;;
    steno_market) echo market.h ;;
    steno_cblas) echo cblas.h ;;
    steno_codec) echo archive.h ;;
    steno_petsc) echo petsc.h ;;
    steno) (cd include/steno && echo *.h) | sed -E 's/\b(contract|contract_model|market|cblas|archive|petsc|kernel_file|accessor_define)\.h//g' ;;
    esac
}

# Prototypes after the preprocessor, from the files of the library only, become functions.
define_functions() { # define_functions HEADER...
    awk -v headers="$*" '
        BEGIN { split(headers, list, " "); for (k in list) own[list[k]] = 1 }
        /^# [0-9]+ "/ { file = $3; sub(/.*\//, "", file); sub(/"$/, "", file); detail = $3 ~ /steno\/detail\//; next }
        !text && /^ *__attribute__\(\(_*visibility_*\("default"\)\)\)/ && ((file in own) || (detail && all)) { text = " " }
        text { text = text " " $0; if ($0 ~ /;/) { sub(/;.*/, " { __builtin_trap(); }", text); print text; text = "" } }
    ' all="$([ "$1" = contract.h ] || [ "$1" = market.h ] || [ "$1" = cblas.h ] || [ "$1" = archive.h ] || [ "$1" = petsc.h ] || echo 1)"
}

stub() { # stub LIBRARY: $work/LIBRARY.so
    local library=$1 header
    for header in $(headers_of "$library"); do
        echo "#include <steno/$header>"
    done >"$work/$library.c"
    # shellcheck disable=SC2046 # names are words
    "$cc" -std=c2x -E -Iinclude "$work/$library.c" | sed "s/;/;\n/g" | define_functions $(headers_of "$library") >"$work/functions"
    cat "$work/functions" >>"$work/$library.c"
    (cd "$work" && "$cc" -std=c2x -g -w -O0 -fPIC -shared -fvisibility=hidden -Wl,-soname,"lib$library.so" \
        -I"$OLDPWD/include" "$library.c" -o "$library.so")
}

describe() { # describe LIBRARY FILE
    abidw --headers-dir include/steno --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed \
        --no-architecture --out-file "$2" "$work/$1.so"
}

check() { # check LIBRARY
    describe "$1" "$work/$1.abi" && abidiff --no-show-locs "abi/$1.abi" "$work/$1.abi" || {
        echo "FAILED: the interface of lib$1 has changed: if that is intended, run make abi"
        failed=1
    }
}

symbols() { nm -D --defined-only "$1" | awk '$2 ~ /[TW]/ && $3 !~ /PRIVATE/ { sub(/@.*/, "", $3); print $3 }' | sort -u; }

compare() { # compare LIBRARY SIDE MESSAGE
    local names
    names=$(comm "$2" <(symbols "$work/$1.so") <(symbols "$build/lib$1.so"))
    [ -z "$names" ] || { echo "FAILED: $3:" $names; failed=1; }
}

check_symbols() { # check_symbols LIBRARY
    [ -e "$build/lib$1.so" ] || return
    compare "$1" -23 "lib$1.so lacks functions of its headers"
    [ "$1" = steno_cblas ] || compare "$1" -13 "no header declares these functions of lib$1.so" # cblas: Fortran
}

for library in steno steno_contract steno_market steno_cblas steno_codec steno_petsc; do
    stub "$library" || exit 1
    case $mode in
    write) mkdir -p abi && describe "$library" "abi/$library.abi" || exit 1 ;;
    check) check "$library" ;;
    symbols) check_symbols "$library" ;;
    *) sed -n 2,4p "$0"; exit 2 ;;
    esac
done
exit $failed
