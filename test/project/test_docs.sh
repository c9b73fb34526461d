#!/usr/bin/env bash
# tools/docs.sh check: undocumented symbols and parameters, dead links, and the man pages of a small source tree.
source "$(dirname "$0")/../support/test.sh"
needs doxygen python3

mkdir -p "$work/tools" "$work/include/steno" "$work/examples" "$work/doc"
cp -r "$SOURCE_DIR/tools/docs" "$SOURCE_DIR/tools/docs.sh" "$work/tools"
echo 'project(steno VERSION 1.2.3 LANGUAGES C)' >"$work/CMakeLists.txt"
echo 0 >"$work/tools/docs.allowed"
printf '# Sample\n\nSee [the guide](doc/guide.md#second-part).\n' >"$work/README.md"
printf '# Documentation\n\n[guide.md](guide.md)\n' >"$work/doc/README.md"
printf '# Guide\n\n## Second part\n\n`stn_scale` of [sample.h](../include/steno/sample.h)\n' >"$work/doc/guide.md"
cat >"$work/include/steno/sample.h" <<'HEADER'
/** @file
 * A sample. */
#ifndef STENO_SAMPLE_H
#define STENO_SAMPLE_H
/** Kinds. */
typedef enum stn_kind {
    STN_KIND_ONE = 1 /**< The first. */
} stn_kind;
/** Options. */
typedef struct stn_options {
    int size; /**< Size of this struct. */
} stn_options;
/** Scales a number.
 *
 * @param x      number
 * @param scale  factor
 * @retval STN_ERR_RANGE  the product is out of range
 *
 * @code
 * stn_scale(&x, 2.0);
 * @endcode */
stn_status stn_scale(double *x_, double scale_);
/** Version of stn_scale for floats. */
stn_status stn_scale_float(float *x_, float scale_);
/** Negates `x`. */
void stn_negate(double *x_);
/** @cond INTERNAL */
int stn_hidden(int x);
/** @endcond */
#endif
HEADER

checks() { # checks <status> <part of the output> <what>: the output stays in $output
    local status=0
    output=$(cd "$work" && bash tools/docs.sh check "$work/docs" 2>&1) || status=$?
    [ $status = "$1" ] && [[ $output == *"$2"* ]] && return
    fail "$3: status $status, '$output', $(cat "$work/docs/undocumented")"
}

checks 0 "undocumented: 0, 0 allowed" "a documented tree"
grep -q 'href="sample_8h.html#[^"]*">stn_scale<' "$work/docs/html/guide.html" || fail "link to a symbol"
grep -q '^stn_scale(&x, 2.0);' "$work/docs/man/man3/stn_scale.3" || fail "example in a man page"
[ "$(cat "$work/docs/man/man3/stn_scale_float.3")" = ".so man3/stn_scale.3" ] || fail "a shared man page"

sed -i '/@param scale/s/scale /scales /
        s/ \/\*\*< The first. \*\///
        s/ \/\*\*< Size of this struct. \*\///
        /Version of stn_scale/d
        s/Negates `x`/Negates a number/
        /@cond/d; /@endcond/d' "$work/include/steno/sample.h"
checks 1 "argument 'scales' of command @param" "a @param of another name"
while read -r line; do
    grep -q ": $line\$" "$work/docs/undocumented" || fail "$line is missing"
done <<'LINES'
STN_KIND_ONE of stn_kind has no comment
size of stn_options has no comment
stn_scale does not document scale
stn_negate does not document x
stn_scale_float has no comment
stn_hidden has no comment
LINES

echo 100 >"$work/tools/docs.allowed"
sed -i 's/A sample/See doc\/missing.md/' "$work/include/steno/sample.h"
sed -i 's/second-part/third-part/; s/$/ [a](guides.md)/' "$work/README.md"
checks 1 "dead links" "dead links"
for line in "there is no file guides.md" "doc/guide.md has no heading #third-part" "there is no missing.html"; do
    grep -q "$line" <<<"$output" || fail "$line is missing in '$output'"
done
finish
