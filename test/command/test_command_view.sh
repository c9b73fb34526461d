#!/usr/bin/env bash
# steno view: tables against offsets computed here by awk, rows of JSON and CSV, and every refusal.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno"

# The rows of offsets, by formulas that share nothing with the library: offsets LAYOUT A B C PITCH,
# where A, B, C are extents (1 for dimensions before the first), and PITCH a padded row or column.
offsets() {
    awk -v layout="$1" -v A="$2" -v B="$3" -v C="$4" -v pitch="${5:-0}" '
    function bit(x, k) { while (k-- > 0) x = int(x / 2); return x % 2 }
    function bits(n, k) { k = 0; for (n--; n > 0; n = int(n / 2)) k++; return k }
    function morton(i, j, at, k, value) { # the last index has the lowest bit
        value = 1
        for (k = 0; k < 20; k++) {
            if (k < bits(C)) { at += bit(j, k) * value; value *= 2 }
            if (k < bits(B)) { at += bit(i, k) * value; value *= 2 }
        }
        return at
    }
    function tiled(i, j, p, q, left, inside) {
        inside = left ? (i % p) + (j % q) * p : (i % p) * q + j % q
        return (int(i / p) * int((C + q - 1) / q) + int(j / q)) * p * q + inside
    }
    function packed(less, more, k, at, before) { # the elements of lines before, one by one
        # The lower triangle by rows and the upper one by columns have lines that grow.
        if (layout == "packed:lower" || layout == "packed:upper:left") {
            for (k = 0; k < more; k++) before += k + 1
            return before + less
        }
        for (k = 0; k < less; k++) before += B - k
        return before + more - less
    }
    function banded(i, j) { # 1 below, 2 above
        if (i - j > 1 || j - i > 2) return "."
        return layout == "banded:1,2" ? i * 4 + 1 + j - i : j * 6 + 2 + i - j
    }
    function at(h, i, j) {
        if (layout == "right") return (h * B + i) * (pitch ? pitch : C) + j
        if (layout == "left" && A > 1) return h + A * (i + B * j)
        if (layout == "left") return i + (pitch ? pitch : B) * j
        if (layout == "block_col_major") return h * B * C + i + B * j
        if (layout == "strided:20,3") return 20 * i + 3 * j
        if (layout == "strided:-1,7") return 7 * j - i
        if (layout == "strided:2") return 2 * j
        if (layout == "tiled:2x3") return tiled(i, j, 2, 3, 0)
        if (layout == "tiled:3x2:left") return tiled(i, j, 3, 2, 1)
        if (layout == "morton") return morton(i, j)
        if (layout ~ /^packed/) return packed(i < j ? i : j, i < j ? j : i)
        if (layout ~ /^banded/) return banded(i, j)
    }
    BEGIN {
        for (h = 0; h < A; h++) for (i = 0; i < B; i++) for (j = 0; j < C; j++) {
            w = length(at(h, i, j) ""); if (w > width) width = w
        }
        for (h = 0; h < A; h++) {
            if (A > 1) print "index " h
            for (i = 0; i < B; i++)
                for (j = 0; j < C; j++)
                    printf "%*s%s", width, at(h, i, j), j < C - 1 ? " " : "\n"
        }
    }'
}

# table TITLE OFFSETS-ARGUMENTS -- ARGUMENTS OF STENO VIEW
table() {
    local title=$1 words=()
    shift
    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    shift
    { echo "$title" && offsets "${words[@]}"; } >expected
    "$steno" view "$@" >out 2>err || fail "steno view $*: $(cat err)"
    diff expected out >difference || fail "steno view $*: $(head -n 6 difference)"
}

for extents in 4x6 8x8 5x7 1x9 9x1 13x2; do
    b=${extents%x*} c=${extents#*x}
    for layout in right left block_col_major; do
        table "extents $extents, layout $layout, span $((b * c))" $layout 1 "$b" "$c" -- \
            --extents $extents --layout $layout
    done
    table "extents $extents, layout tiled:2x3, span $(((b + 1) / 2 * ((c + 2) / 3) * 6))" \
        tiled:2x3 1 "$b" "$c" -- --extents $extents --layout tiled:2x3
    table "extents $extents, layout tiled:3x2:left, span $(((b + 2) / 3 * ((c + 1) / 2) * 6))" \
        tiled:3x2:left 1 "$b" "$c" -- --extents $extents --layout tiled:3x2:left
    span=$(offsets morton 1 "$b" "$c" | tr ' ' '\n' | sort -n | tail -n 1)
    table "extents $extents, layout morton, span $((span + 1))" morton 1 "$b" "$c" -- \
        --extents $extents --layout morton
    table "extents $extents, layout strided:20,3, span $((20 * (b - 1) + 3 * (c - 1) + 1))" \
        strided:20,3 1 "$b" "$c" -- --extents $extents --layout strided:20,3
done
for layout in packed:lower packed:upper packed:lower:left packed:upper:left; do
    for n in 1 5 6; do
        table "extents ${n}x$n, layout $layout, span $((n * (n + 1) / 2))" $layout 1 $n $n -- \
            --extents ${n}x$n --layout $layout
    done
done
table "extents 5x7, layout banded:1,2, span 20" banded:1,2 1 5 7 -- --extents 5x7 --layout banded:1,2
table "extents 5x4, layout banded:1,2,6:left, span 24" banded:1,2,6:left 1 5 4 -- \
    --extents 5x4 --layout banded:1,2,6:left
table "extents 4x6, layout right, span 24" right 1 4 6 -- --extents 4x6
table "extents 3x4, layout strided:-1,7, span 24" strided:-1,7 1 3 4 -- --extents 3x4 --layout strided:-1,7
table "extents 7, layout right, span 7" right 1 1 7 -- --extents 7
table "extents 5, layout strided:2, span 9" strided:2 1 1 5 -- --extents=5 --layout=strided:2
for layout in right left block_col_major; do
    table "extents 2x3x4, layout $layout, span 24" $layout 2 3 4 -- --extents 2x3x4 --layout $layout
done
table "extents 3x9, layout right, padded for f64, span 41" right 1 3 9 16 -- --extents 3x9 --padded
table "extents 9x3, layout left, padded for f64, span 41" left 1 9 3 16 -- --extents 9x3 --padded --layout left
table "extents 2x65, layout right, padded for i8, span 193" right 1 2 65 128 -- \
    --extents 2x65 --padded --format i8
table "extents 3x8, layout right, padded for f64, span 24" right 1 3 8 8 -- --extents 3x8 --padded
table "extents 100x100, layout right, span 10000" right 1 100 100 -- --extents 100x100

# ---- JSON and CSV

# rows STORED/ROWS ARGUMENTS...: a row for each number of the table, in its order; STORED of them are stored.
rows() {
    local stored=${1%/*} count=${1#*/}
    shift
    "$steno" view "$@" --csv rows.csv --json rows.json >out 2>err || fail "steno view $*: $(cat err)"
    "$steno" view "$@" >alone 2>err
    diff alone out >difference || fail "steno view $* --csv: another table"
    tail -n +2 alone | grep -v '^index' | tr -s ' ' '\n' | grep '[0-9]' >shown
    sed 's/"[^"]*"/text/g' rows.csv | awk -F, 'NR > 1 { print $(NF - 1) }' |
        diff - shown >difference || fail "steno view $* --csv: $(head -n 4 difference)"
    sed 's/.*"offset": \(-\{0,1\}[0-9]*\).*/\1/' rows.json | diff - shown >difference ||
        fail "steno view $* --json: $(head -n 4 difference)"
    expect "rows of steno view $*" "$(wc -l <rows.json)" "$count"
    expect "stored elements of steno view $*" "$(grep -c ',stored$' rows.csv)" "$stored"
    [ -z "$(find . -name '*.part')" ] || fail "steno view $*: a temporary file is left"
}
rows 24/24 --extents 2x3x4 --layout left
expect "an element of rank 3" "$(sed -n 14p rows.csv)" 2x3x4,left,24,1,0,0,1,stored
rows 12/12 --extents 3x4 --layout strided:-1,7
rows 15/25 --extents 5x5 --layout packed:upper
expect "a mirrored element" "$(sed -n 7p rows.csv)" 5x5,packed:upper,15,0,1,0,1,mirrored
rows 13/13 --extents 5x4 --layout banded:1,2
rows 27/27 --extents 3x9 --padded
expect "columns of a padded view" "$(head -n 1 rows.csv)" extents,layout,padded,span,slice,row,column,offset,kind
succeeds "$steno" view --extents 7 --json -
expect "the standard output has rows only" "$(grep -c '^{"extents": "7", "layout": "right", "span": 7, ' out)" 7

# ---- refusals

refuses() { # refuses WORDS ARGUMENTS...
    local words=$1
    shift
    refused "$words" "$steno" view "$@"
}

refuses "requires --extents"
refuses "requires a value" --extents
for extents in "" x 4x 4xx6 x6 0 0x4 4x0 -3 4x-6 a 4,6 1.5 "4 6"; do
    refuses "must be a positive integer" --extents "$extents"
done
refuses "too large" --extents 99999999999
refuses "exceed the maximum of 10000 elements" --extents 10001
refuses "exceed the maximum of 10000 elements" --extents 101x100
refuses "exceed the maximum of 10000 elements" --extents 2147483647x2147483647x2147483647
refuses "--extents 1x2x3x4 has more than 3 dimensions" --extents 1x2x3x4
for layout in "" spiral rights tiled tiled: tiled:0x3 tiled:2x3:up strided: strided:1,,2 custom packed packed:diagonal banded:1; do
    refuses "'$layout' is not a layout" --extents 4x6 --layout "$layout"
done
refuses "its layout has 1 strides, but its rank is 2" --extents 4x6 --layout strided:1
refuses "its layout has tiles of rank 3, but its rank is 2" --extents 4x6 --layout tiled:1x2x3
refuses "layout packed requires a square matrix" --extents 4x6 --layout packed:lower
refuses "layout banded requires rank 2, not 1" --extents 4 --layout banded:1,1
refuses "its leading dimension is 3; it must be more than" --extents 4x6 --layout banded:1,2,3
refuses "cannot be padded" --extents 4x6 --layout morton --padded
refuses "unknown format 'f99'" --extents 4x6 --format f99
refuses "unexpected argument 'more'" --extents 4x6 more
refuses "unknown" --extents 4x6 --colour
refuses "No such file or directory" --extents 4x6 --csv nowhere/x.csv
refuses "the name of an output file is empty" --extents 4x6 --csv ""
refuses "not a regular file" --extents 4x6 --json .
mkdir locked && chmod a-w locked
[ -w locked ] || refuses "Permission denied" --extents 4x6 --json locked/x.json
if [ -e /dev/full ]; then
    "$steno" view --extents 4x6 >/dev/full 2>err && fail "a full disk is not noticed"
fi
refuses "JSON and CSV cannot both be written to rows" --extents 4x6 --json rows --csv rows
echo old >rows.csv
refuses "--extents 1x2x3x4 has more than 3 dimensions" --extents 1x2x3x4 --csv rows.csv
[ "$(cat rows.csv)" = old ] || fail "a refused run changes the file"

"$steno" view --help >out || fail "--help"
for option in extents layout padded format json csv; do
    grep -q "^  --$option " out || fail "--help does not list --$option"
    grep -q "^| \`--$option" "$SOURCE_DIR/doc/command.md" ||
        fail "doc/command.md does not explain --$option"
done

finish
