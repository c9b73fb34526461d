#!/usr/bin/env bash
# One type and one constant by a name, and one name for a constant, in all of the library's source.
#
# A program's own macros of common words change nothing in the public headers, nor in kernels,
# reductions, scans and accessors behind them; the words that kernels are written in are refused by one error. The
# name R stays the program's in C++.
set -u
export LC_ALL=C
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0
failed=0
include="-I $SOURCE_DIR/include"
names=$SOURCE_DIR/include/steno/detail/names

fail() {
    echo "FAILED: $*"
    failed=1
}

compile() { # compile <what> <compiler and options ...> of $work/program
    local what=$1
    shift
    command -v "$1" >/dev/null || return
    # shellcheck disable=SC2086 # words
    "$@" -Wall -Wextra -Werror -DSTENO_HEADERS_WARN $include -c "$work/program" -o "$work/object.o" >"$work/log" 2>&1 ||
        fail "$what by $*: $(grep -m 3 'error' "$work/log")"
    tried=$((tried + 1))
}

in_c() { compile "$1" gcc -x c -std=c11 -O1 -DSTN_KERNEL_ONE_VERSION; compile "$1" clang -x c -O1; }
in_cxx() {
    compile "$1" g++ -x c++ -std=c++11 -O1 -DSTN_KERNEL_ONE_VERSION
    compile "$1" clang++ -x c++ -std=c++17 -O1
}

# ---- one meaning of a name in the source ----

sources() { find "$SOURCE_DIR/src" "$SOURCE_DIR/include" -name '*.[ch]' | sort; }
# "NAME = value file" of constants that stand in an enumeration of one line, or in a line of one.
constants() {
    sources | xargs awk '
        /^ *enum [a-z_]*\{?.*=|^    [A-Z][A-Z0-9_]+ = / {
            line = $0
            sub(/\/\*.*/, "", line)
            while (match(line, /[A-Z][A-Z0-9_]+ = [^,}]+/)) {
                one = substr(line, RSTART, RLENGTH)
                sub(/ +$/, "", one)
                print one "\t" FILENAME
                line = substr(line, RSTART + RLENGTH)
            }
        }
        /^# *define STN_[A-Z0-9_]+ +[0-9]/ { print $2 " = " $3 "\t" FILENAME }'
}
twice() { sort -u | cut -f 1 | uniq -d | tr '\n' ';'; }
# A constant of the same name and value in two files has no place of its own.
again=$(constants | twice)
[ -z "$again" ] || fail "constants of several files: $again"
again=$(constants | sed -n 's/^\(STN_[A-Z0-9_]*\) = .*\t/\1\t/p' | twice)
[ -z "$again" ] || fail "constants that are two: $again"
again=$(sources | xargs awk '/^}.* stn_[a-z0-9_]+;/ { sub(/;.*/, "", $NF); print $NF "\t" FILENAME }' | twice)
[ -z "$again" ] || fail "types that are two: $again"

# ---- every word that headers use is put away ----

# The words of the headers, without comments, strings, directives that include, and what begins as
# the library's names, the compiler's and macros do.
words_of_headers() {
    cat "$SOURCE_DIR"/include/steno/*.{h,hpp} "$SOURCE_DIR"/include/steno/detail/{,accessor/}*.h |
        sed -e ':a' -e '/\\$/{N;s/\\\n/ /;ba' -e '}' | grep -v -E '^ *# *(include|pragma|error)' |
        gcc -fpreprocessed -dD -E -P -x c - 2>/dev/null |
        sed -e 's/"\([^"\\]\|\\.\)*"/ /g' -e "s/'[^']*'/ /g" -e 's/\b[0-9][0-9A-Za-z.]*/ /g' |
        grep -oE '\b[A-Za-z_][A-Za-z_0-9]*' |
        grep -vE '^(stn_|STN_|STENO_|_|[A-Z][A-Z0-9_]*$)' | sort -u
}
# C, C++, the standard headers, OpenCL C, and what only directives know.
functions=$(grep -oE 'ROW\([a-z0-9]+' "$SOURCE_DIR/include/steno/detail/kernel_math.h" | sed 's/ROW(//' |
    sed 's/.*/& &f/')
language="$functions abort class printf as_double as_float as_uint as_ulong auto break case ceil ceilf char cl_khr_fp64 clang
const constexpr continue cos cosf decltype default define defined delete do double elif else endif
enum error exp expf explicit extern fabs fabsf float floor floorf fma fmaf for fprintf goto hypot
hypotf if ifdef ifndef include inline int int16_t int32_t int64_t int8_t log logf long memcpy
operator pow powf pragma private public register restrict return short signed sin sinf size_t
sizeof sqrt sqrtf static static_assert stderr struct switch template this typedef typename uchar
uint uint16_t uint32_t uint4 uint64_t uint8_t uintptr_t ulong undef union unsigned ushort using
void volatile while always_inline unused bool false friend namespace nullptr true"
put_away=$(comm -23 <(words_of_headers) <(tr ' ' '\n' <<<"$language" | sort -u))
# The two headers are made of them: `test_names.sh write` does it.
words_header() { # words_header <sentence> <one line of each word, or several>
    echo "/* $1 */"
    # shellcheck disable=SC2086,SC2059 # words, and a format
    printf "$2" $put_away
}
put_away_header() {
    words_header "The words that headers use for themselves, found by test_names.sh write." \
        '#pragma push_macro("%s")\n'
}
bring_back_header() { words_header "The words of put_away.h." '#pragma pop_macro("%s")\n'; }
# Formats that are no words of kernels.
fuse_words_header() {
    echo '/* Formats, which fused loops are written in, written by test_names.sh write. */'
    sed -n 's/^#define STN_STORAGE_stn_[a-z0-9]* *//p' "$SOURCE_DIR/include/steno/detail/format_table.h" |
        grep -vxF "$(sed -n 's/^#ifdef //p' "$names/kernel_words.h")" |
        sed 's/.*/#ifdef &\n#    error "steno: fused loops have the word &, which is a macro here: undefine it before"\n#endif/'
}
undefined() { sed -e 's/^#pragma push_macro("\(.*\)")/&\n#undef \1/'; }
if [ "${1:-}" = write ]; then
    put_away_header | undefined >"$names/put_away.h"
    bring_back_header >"$names/bring_back.h"
    fuse_words_header >"$names/fuse_words.h"
fi
cmp "$names/put_away.h" <(put_away_header | undefined) &&
    cmp "$names/bring_back.h" <(bring_back_header) &&
    cmp "$names/fuse_words.h" <(fuse_words_header) ||
    fail "names/put_away.h, bring_back.h and fuse_words.h are not the headers' words: test_names.sh write"

# ---- headers behind macros of all those words ----

reserved=$(sed -n 's/^#ifdef //p' "$names/kernel_words.h" "$names/fuse_words.h")
macros() { # each a macro of no sense, but for those that are refused
    comm -23 <(tr ' ' '\n' <<<"$put_away" | sort -u) <(sort -u <<<"$reserved") |
        sed 's/.*/#define & 1 @ "of the program" 2/'
}
standard="stddef.h stdint.h string.h stdio.h stdlib.h math.h float.h"
include_all() {
    local header
    # shellcheck disable=SC2086 # words
    printf '#include <%s>\n' $standard
    echo "#if defined(__x86_64__)
#include <immintrin.h>
#endif"
    macros
    for header in "$SOURCE_DIR"/include/steno/*.h; do
        case ${header##*/} in
        accessor_define.h | kernel_file.h) ;;
        *) echo "#include \"steno/${header##*/}\"" ;;
        esac
    done
}
kernels='
STN_MAP(stn_a_map, (real(alpha_), index(n_), bits(b_), at(i_, j_), in(x_), inout(y_), out(z_),
                    masked(m_), gather(g_, 2), scatter(u_, 2), shifted(s_, value(1.5), 0, -1),
                    stencil(v_, nearest, 0, 1)),
        z_ = R(0.5) * alpha_ * x_ + y_ + STN_AT(v_, i_, j_ + 1); y_ = x_ + STN_AT(g_, i_, j_) + s_;
        if (STN_EXTENT_OF(u_, 0) > n_ && b_) STN_PUT(u_, x_, i_, j_);
        if (STN_INDEX_AT(g_, i_, j_) > 3) STN_ADD(u_, x_, i_, j_);
        if (x_ < 0) STN_STORE(m_, z_);)
STN_MAP_INTEGER(stn_an_integer_map, (real(alpha_), in(x_), inout(y_)), y_ = alpha_ * x_;)
STN_MAP_COMPLEX(stn_a_complex_map, (real(alpha_), in(x_), inout(y_)), y_ = x_; (void)alpha_;)
STN_FUSE(stn_a_fused_map, stn_an_integer_map, i64, (real(alpha_), in(x_, i8), inout(y_, i64)))
STN_REDUCE(stn_a_sum, sum, (real(alpha_), in(x_)), alpha_ * x_)
STN_REDUCE(stn_a_dot, products, (in(x_), in(y_)), x_, y_)
STN_REDUCE_INTEGER(stn_a_most, argmax, (in(x_)), x_)
STN_SCAN(stn_a_scan, sum, (in(x_)), x_)'
include_all >"$work/program"
in_c "all headers behind macros"
in_cxx "all headers behind macros"
echo '#include "steno/accessor.hpp"' >>"$work/program"
in_cxx "the class template behind macros"
{
    include_all
    echo "$kernels"
} >"$work/program"
in_c "kernels behind macros"
in_cxx "kernels behind macros"
# Capitals that programs have as macros.
capitals() {
    printf '#define %s (-1)\n' REAL INDEX BITS IN INOUT OUT AT MASKED SHIFTED STENCIL GATHER \
        SCATTER YES NO ONE MANY T U ITEM KIND N M RIGHT LEFT STRIDED STATIC FREE FIXED FLOAT INTEGER
}
{
    capitals
    printf '#include "steno/%s"\n' kernel_fuse.h reduce.h
    echo "$kernels"
} >"$work/program"
in_c "kernels behind capitals"

# ---- accessor types behind macros and types of all those words, and called so ----

accessors='
typedef double stn_context_;
STN_FN double stn_get_(const int *stn_p, stn_size stn_q, stn_context_ stn_c)
{
    return stn_p[stn_q] * stn_c;
}
STN_FN void stn_set_(int *stn_p, stn_size stn_q, double stn_v, stn_context_ stn_c)
{
    stn_p[stn_q] = (int)(stn_v / stn_c);
}
STN_ACCESSOR(stn_m_, 2, double, float)
STN_ACCESSOR_LEFT(stn_m_left_, 2, double, stn_f16)
STN_ACCESSOR_BLOCK_COL_MAJOR(stn_m_blocks_, 3, float, stn_bf16)
STN_ACCESSOR_STRIDED(stn_m_strided_, 2, double, float)
STN_ACCESSOR_STATIC(stn_m_static_, 2, double, float, (8, STN_DYNAMIC), (8, 1))
STN_ACCESSOR_SCALED(stn_m_scaled_, 2, double, int8_t, 0x2)
STN_ACCESSOR_BLOCK_SCALED(stn_m_by_blocks_, 2, float, int8_t, 0x3, 32)
STN_ACCESSOR_AFFINE(stn_m_affine_, 2, double, uint8_t, 0x1)
STN_ACCESSOR(stn_m_complex_, 1, stn_c128, stn_c64)
STN_ACCESSOR_CUSTOM(stn_m_custom_, 1, double, int, stn_context_, stn_get_, stn_set_)
STN_ACCESSOR_SLICE(stn_m_slice_, stn_m_, 2, stn_m_strided_, 0x3)
#define STN_NAME     stn_m_by_name_
#define STN_RANK     1
#define STN_REAL     double
#define STN_STORAGE  int8_t
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#include "steno/accessor_define.h"
STN_SAME_REAL(stn_m_, stn_m_left_);
STN_ACCESSOR_FROM_VIEW(stn_m_)
STN_ACCESSOR_FROM_VIEW(stn_m_affine_)'
{
    echo '#include <string.h>
#include <stdio.h>'
    macros
    echo '#include "steno/accessor_view.h"'
    echo "$accessors"
} >"$work/program"
in_c "accessors behind macros"
in_cxx "accessors behind macros"
sed -i '1i #define STN_CHECKED' "$work/program"
in_cxx "checked accessors behind macros"
{
    capitals
    echo '#include "steno/accessor_view.h"'
    echo "$accessors"
} >"$work/program"
in_c "accessors behind capitals"
words="x real rank length data size stride at in sum i value a n values extent m offset count span shape k"
{
    echo '#include "steno/accessor_view.h"'
    # shellcheck disable=SC2086 # words
    printf 'typedef struct { int stn_; } %s;\n' $words
    echo "$accessors"
} >"$work/program"
in_c "accessors behind types"
in_cxx "accessors behind types"
{
    echo '#include "steno/accessor.h"'
    # shellcheck disable=SC2086 # words
    printf 'STN_ACCESSOR(%s, 2, double, float)\n' $words
    echo 'static float kept[2]; int main(void) { double all = 0;'
    for word in $words; do
        echo "{ $word its = ${word}_dense(kept, 1, 2); ${word}_set(its, 0, 1, 1.5); all += ${word}_get(its, 0, 1); }"
    done
    echo '#ifdef __cplusplus
    { real its = real_dense(kept, 1, 2); its(0, 0) = real::real(2) * (int)real::rank;
      all += its(0, 0) + (double)its.length(1) + (double)length_dense(kept, 3, 1).length(0) + (int)rank::rank; }
#else
    all += 4 + 2 + 3 + 2;
#endif'
    echo "return all == 1.5 * $(wc -w <<<"$words") + 11 ? 0 : 1; }"
} >"$work/program"
in_c "accessors of any name"
in_cxx "accessors of any name"
for compiler in "gcc -x c -std=c11" "g++ -x c++ -std=c++20"; do
    # shellcheck disable=SC2086 # words
    $compiler $include "$work/program" -o "$work/named" && "$work/named" ||
        fail "accessors of any name give other numbers by $compiler"
done

# And they are there again behind the headers.
echo '#define count 17
#define scale (count + 1)
#include "steno/steno.h"
#include "steno/reduce.h"
typedef char macros_are_back[count == 17 && scale == 18 ? 1 : -1];' >"$work/program"
in_c "macros behind headers"

# ---- what is refused ----

for word in $reserved; do
    header=kernel.h
    grep -q "^#ifdef $word\$" "$names/kernel_words.h" || header=kernel_fuse.h
    # shellcheck disable=SC2086 # words
    printf '#define %s double\n#include "steno/%s"\n' "$word" $header |
        gcc -x c $include -fsyntax-only - 2>"$work/log" && fail "the macro $word is not refused"
    [ "$(grep -c error "$work/log")" -ge 1 ] &&
        grep -m 1 error "$work/log" | grep -q "have the word $word, which is a macro here" ||
        fail "the macro $word is refused otherwise: $(head -3 "$work/log")"
done

# ---- R ----

echo '#include "steno/reduce.h"
#include <functional>
template <class R, class... A> struct call { std::function<R(A...)> f; };
STN_MAP(tenth, (in(x), out(y)), y = x * R(0.1) + R(1);)
STN_MAP_INTEGER(more, (in(x), out(y)), y = x * R(3);)
STN_REDUCE_BY(own, (in(x)), x * R(2), a * R(0.9) + b, a - R(1), R(0))
int main() { call<int, int> c; c.f = [](int v) { return v; }; return c.f(0); }' >"$work/program"
in_cxx "R in C++"
echo '#include "steno/reduce.h"
#undef R
#define R 8.314
STN_MAP(tenth, (in(x), out(y)), y = x * STN_R(0.1);)
STN_MAP_COMPLEX(turned, (in(x), out(y)), y.re = x.im; y.im = R * x.re;)
STN_REDUCE(total, sum, (in(x)), x * STN_R(R))' >"$work/program"
in_c "a macro R after the headers"
in_cxx "a macro R after the headers"
echo '#define R 8.314
#include "steno/reduce.h"
STN_MAP(tenth, (in(x), out(y)), y = x * STN_R(0.1);)
STN_REDUCE(total, sum, (in(x)), x * STN_R(R))' >"$work/program"
in_c "a macro R"
in_cxx "a macro R"

echo "$tried programs"
[ $failed = 0 ] || exit 1
[ $tried != 0 ] || exit 77
