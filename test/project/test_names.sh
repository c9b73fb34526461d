#!/usr/bin/env bash
# Names: one type and one constant by each name in the library's source, and no collisions with macros.
#
# A program's macros change nothing in the headers, in kernels, reductions, scans and accessors: a macro that
# would replace a word of a header is refused by one error that names it.
#
# test_names.sh write    writes the lists of refused macros: macro_check.h, kernel_words.h and
#                        accessor/macro_check.h in include/steno/detail
source "$(dirname "$0")/../support/test.sh"
export LC_ALL=C
tried=0
include="-I $SOURCE_DIR/include"
detail=$SOURCE_DIR/include/steno/detail

compile() { # compile <what> <compiler and options ...> of $work/program
    local what=$1
    shift
    command -v "$1" >/dev/null || return
    # shellcheck disable=SC2086 # words
    "$@" -Wall -Wextra -Werror -DSTENO_HEADERS_WARN $include -fsyntax-only "$work/program" >"$work/log" 2>&1 ||
        fail "$what by $*: $(grep -m 3 'error' "$work/log")"
    tried=$((tried + 1))
}

# In quick runs by one compiler of each language, which alternate.
turn=0
has_turn() { [ -z "${STENO_TEST_QUICK:-}" ] || ! has gcc || ! has clang || [ $((turn % 2)) = "$1" ]; }
in_c() {
    ! has_turn 0 || compile "$1" gcc -x c -std=c11 -O1 -DSTN_KERNEL_ONE_VERSION
    ! has_turn 1 || compile "$1" clang -x c -O1 -DSTN_KERNEL_ONE_VERSION
    turn=$((turn + 1))
}
in_cxx() {
    ! has_turn 1 || compile "$1" g++ -x c++ -std=c++11 -O1 -DSTN_KERNEL_ONE_VERSION
    ! has_turn 0 || compile "$1" clang++ -x c++ -std=c++17 -O1 -DSTN_KERNEL_ONE_VERSION
    turn=$((turn + 1))
}
in_both() { in_c "$1"; turn=$((turn - 1)); in_cxx "$1"; }

# ---- one meaning of a name in the source ----

sources() { find "$SOURCE_DIR"/{src,contract,market,cblas,codec,petsc,include} '(' -name test -o -name command ')' -prune -o -name '*.[ch]' -print | sort; }
# "NAME = value file" of constants in an enumeration of one line, or in a line of an enumeration.
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
# A constant of the same name and value in two files belongs in a header.
again=$(constants | twice)
[ -z "$again" ] || fail "constants of several files: $again"
again=$(constants | sed -n 's/^\(STN_[A-Z0-9_]*\) = .*\t/\1\t/p' | twice)
[ -z "$again" ] || fail "constants that are two: $again"
# Declarations for the reference (STN_DOXYGEN) are not compiled.
again=$(sources | xargs awk '/^#ifdef STN_DOXYGEN/ { skips = 1 } /^#endif/ { skips = 0 }
    !skips && /^}.* stn_[a-z0-9_]+;/ { sub(/;.*/, "", $NF); print $NF "\t" FILENAME }' | twice)
[ -z "$again" ] || fail "types that are two: $again"

# ---- the words that macros would replace ----

# The words of the headers without comments, strings and directives that include. The names of the
# library, of compilers and of macros, and those that end in an underscore are the headers' own.
words_of_headers() {
    cat "$SOURCE_DIR"/include/steno/*.{h,hpp} "$detail"/{,accessor/}*.h |
        sed -e ':a' -e '/\\$/{N;s/\\\n/ /;ba' -e '}' | grep -v -E '^ *# *(include|pragma|error)' |
        gcc -fpreprocessed -dD -E -P -x c - 2>/dev/null |
        sed -e 's/"\([^"\\]\|\\.\)*"/ /g' -e "s/'[^']*'/ /g" -e 's/\b[0-9][0-9A-Za-z.]*/ /g' |
        grep -oE '\b[A-Za-z_][A-Za-z_0-9]*' |
        grep -vE '^(stn_|STN_|STENO_|_|[Cc]blas|[A-Z][A-Z0-9_]*$)|_$' | sort -u
}
# C, C++, the standard headers, OpenCL C, and what only directives know.
functions=$(grep -oE 'ROW\([a-z0-9]+' "$detail/kernel_math.h" | sed 's/ROW(//' | sed 's/.*/& &f/')
language="$functions abort asm class printf as_double as_float as_uint as_ulong auto break case ceil ceilf char
cl_khr_fp64 clang const constexpr continue cos cosf decltype default define defined delete do double elif
else endif enum error exp expf explicit extern fabs fabsf float floor floorf fma fmaf for fprintf goto
hypot hypotf if ifdef ifndef include inline int int16_t int32_t int64_t int8_t log logf long memcpy
operator pow powf pragma private public register reinterpret_cast restrict return short signed sin sinf
size_t sizeof sqrt sqrtf static static_assert static_cast stderr struct switch template this typedef
typename uchar uint uint16_t uint32_t uint4 uint64_t uint8_t uintptr_t ulong undef union unsigned ushort
using void volatile while bool false friend namespace nullptr true"
words=$(comm -23 <(words_of_headers) <(tr ' ' '\n' <<<"$language" | sort -u))
formats=$(sed -n 's/^#define STN_STORAGE_stn_[a-z0-9]* *//p' "$detail/format_table.h" | sort -u)
accessor_headers="accessor.h accessor_span.h codec.h complex.h"
all_headers=$(cd "$SOURCE_DIR/include/steno" && ls -- *.h | grep -v -x -e accessor_define.h -e kernel_file.h)

# Lists of macros as they are defined before the headers, and those that the headers use after all.
macros() { sed "s/.*/#define &$1 1 @ & @ 2/"; } # macros "" or "(...)" <words
include_all() { # include_all "" or "(...)" <headers>: a program whose macros are defined first
    printf '#include <%s.h>\n' stddef stdint string stdio stdlib math float
    printf '#if defined(__x86_64__)\n#include <immintrin.h>\n#endif\n'
    macros "$1"
    shift
    printf '#include "steno/%s"\n' "$@"
}
# The macro checks are empty here.
mkdir -p "$work/unchecked/steno/detail/accessor"
touch "$work"/unchecked/steno/detail/{macro_check,kernel_words,accessor/macro_check}.h
languages="c c++"
replaced() { # replaced "" or "(...)" <headers> <program: words of $words that are replaced in the headers' text
    local program language form=$1
    shift
    program=$(include_all "$form" "$@" <<<"$words" && cat)
    for language in $languages; do
        gcc -x "$language" -E -P -DSTENO_HEADERS_WARN -I "$work/unchecked" -I "$SOURCE_DIR/include" - <<<"$program" |
            grep -oE '@ [A-Za-z_0-9]+ @' | tr -d '@ '
    done | sort -u
}

kernel_words="at bits gather in index inout inside masked nearest out periodic real real_t scatter shifted
stencil value zero"
in_lines() { # in_lines <text of each word> <end of lines> <words on stdin
    sed "s/.*/$1/" | tr '\n' ' ' | fold -s -w 94 | sed -e "s/ *\$/$2/" -e 's/^/    /'
}
by_eight() { # lists of up to eight words, completed by a word that is no macro
    awk -F ', ' '{ for (n = NF; n < 8; n++) $0 = $0 ", stn_w"; print }'
}
check_header() { # check_header <comment> <form of use> <what to do> <words on stdin
    local list
    list=$(cat)
    printf '/* %s\n * Written by test_names.sh write. No include guard: macros may be defined between headers. */\n' "$1"
    printf '/* clang-format off */\n#if defined(__GNUC__) && ( \\\n'
    in_lines 'defined & ||' ' \\' <<<"$list"
    printf '\n    0)\n#ifdef __cplusplus\n#define STN_ASSERT static_assert\n#else\n'
    printf '#define STN_ASSERT _Static_assert\n#endif\n'
    printf '#define STN_W(a, b, c, d, e, f, g, h) \\\n'
    printf '    STN_W_EXPANDED(#%s, #%s "%s", %s%s); STN_W_EXPANDED(#%s, #%s "%s", %s%s); \\\n' \
        a a "$2" a "$2" b b "$2" b "$2" c c "$2" c "$2" d d "$2" d "$2" e e "$2" e "$2" f f "$2" f "$2" |
        cat - <(printf '    STN_W_EXPANDED(#g, #g "%s", g%s); STN_W_EXPANDED(#h, #h "%s", h%s)\n' "$2" "$2" "$2" "$2")
    printf '#define STN_W_EXPANDED(...) STN_W_CHECK(__VA_ARGS__)\n'
    printf '#define STN_W_CHECK(name, text, ...) \\\n    STN_ASSERT(!__builtin_strcmp(text, #__VA_ARGS__), \\\n'
    printf '        "steno: the program has a macro " name "; %s")\n' "$3"
    paste -d ' ' - - - - - - - - <<<"$list" | sed -e 's/  */, /g' -e 's/, $//' | by_eight | in_lines 'STN_W(&);' ''
    printf '\n#undef STN_W\n#undef STN_W_EXPANDED\n#undef STN_W_CHECK\n#undef STN_ASSERT\n#endif\n/* clang-format on */\n'
}
macro_check() {
    # shellcheck disable=SC2086 # words
    { replaced "" $all_headers </dev/null; } |
        check_header "Names of parameters and members in public headers, which a program's macros would replace." \
            "" "define it after including the headers of Steno"
}
kernel_check() {
    # shellcheck disable=SC2086 # words
    printf '%s\n' $kernel_words $formats | sort |
        check_header "Words of parameter lists, which a program's macros would replace." \
            "(stn_x)" "kernels need this word, undefine the macro"
}
accessor_words() { # accessor_words <languages>: the words of accessors' headers
    # shellcheck disable=SC2086 # words
    { languages=$1 replaced "" $accessor_headers </dev/null; printf '%s\n' $formats; } | sort -u
}
refuse() { # refuse <words: an error if one of them is a macro
    local list
    list=$(cat)
    printf '#if \\\n%s\n    0\n' "$(in_lines 'defined & ||' ' \\' <<<"$list")"
    printf '#error steno: one of these words is a macro, define it after including Steno: \\\n'
    printf '%s\n#endif\n' "$(in_lines '&' '' <<<"$list" | sed '$!s/$/ \\/')"
}
accessor_check() {
    printf '/* Formats and members of accessors, which macros would replace. Also for devices.\n'
    printf ' * Written by test_names.sh write. No include guard: macros may be defined between headers. */\n'
    printf '/* clang-format off */\n'
    accessor_words c | refuse
    printf '#ifdef __cplusplus\n'
    comm -13 <(accessor_words c) <(accessor_words "c c++") | refuse
    printf '#endif\n/* clang-format on */\n'
}
if [ "${1:-}" = write ]; then
    macro_check >"$detail/macro_check.h"
    kernel_check >"$detail/kernel_words.h"
    accessor_check >"$detail/accessor/macro_check.h"
fi
cmp "$detail/macro_check.h" <(macro_check) && cmp "$detail/kernel_words.h" <(kernel_check) &&
    cmp "$detail/accessor/macro_check.h" <(accessor_check) ||
    fail "the lists of refused macros are not those of the headers: run test_names.sh write"

# ---- macros before the headers ----

words_of() { # words_of <header>: the words that it refuses
    sed -n -e 's/\\$//' -e '/^#if/,$p' "$1" | tr '\n' ' ' | grep -oE 'defined +[A-Za-z_0-9]+' | sed 's/.* //' | sort -u
}
refused=$(words_of "$detail/macro_check.h")
# Each refused macro is one error with its name, and with an argument only where the word has one.
errors_of() { # errors_of <header>: the names in the errors of a program whose macros are standard input
    { cat; echo "#include \"steno/detail/$1\""; } >"$work/program"
    # shellcheck disable=SC2086 # words
    gcc -x c $include -fsyntax-only "$work/program" 2>&1 |
        sed -n 's/.*error: static assertion failed: "steno: the program has a macro \([^;]*\);.*/\1/p' | sort -u
}
[ "$(macros "" <<<"$refused" | errors_of macro_check.h)" = "$refused" ] || fail "macros that are not refused"
[ -z "$(macros "(...)" <<<"$refused" | errors_of macro_check.h)" ] || fail "macros with arguments are refused"
in_accessors=$(words_of "$detail/accessor/macro_check.h")
# shellcheck disable=SC2086 # words
in_kernels=$(printf '%s\n' $kernel_words $formats | sort)
for form in "" "(...)"; do
    [ "$(macros "$form" <<<"$in_kernels" | errors_of kernel_words.h)" = "$in_kernels" ] ||
        fail "macros of words of kernels that are not refused"
done
for word in re f16; do
    printf '#define %s 1\n#include "steno/accessor.h"\n' $word >"$work/program"
    # shellcheck disable=SC2086 # words
    gcc -x c $include -fsyntax-only "$work/program" 2>&1 | grep -m 1 'error' | grep -q "one of these words is a macro.*\b" ||
        fail "the macro $word is not refused"
done

# All other words may be macros.
free() { # free <words that are not: words that may be macros before all headers
    # shellcheck disable=SC2086 # words
    comm -23 <(echo "$words") <(printf '%s\n' $refused $in_kernels $in_accessors $1 | sort -u)
}
common='#include <complex.h>
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define abs(x) ((x) < 0 ? -(x) : (x))
#define N 100
#define M 200
#define R 8.314'

kernels='
STN_MAP(stn_a_map, (real(alpha_), index(n_), bits(b_), at(i_, j_), in(x_), inout(y_), out(z_),
                    masked(m_), gather(g_, 2), scatter(u_, 2), shifted(s_, value(1.5), 0, -1),
                    stencil(v_, nearest, 0, 1)),
        z_ = STN_R(0.5) * alpha_ * x_ + y_ + STN_AT(v_, i_, j_ + 1); y_ = x_ + STN_AT(g_, i_, j_) + s_;
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
{
    # shellcheck disable=SC2086 # words
    include_all "" $all_headers < <(free "")
    echo "$kernels"
} >"$work/program"
in_both "kernels and all headers after macros"
{
    echo "$common"
    # shellcheck disable=SC2086 # words
    printf '#include "steno/%s"\n' $all_headers
    echo "$kernels"
} >"$work/program"
in_both "kernels and all headers after common macros"
# Macros that are defined after the headers.
{
    # shellcheck disable=SC2086 # words
    printf '#include "steno/%s"\n' $all_headers
    comm -23 <(printf '%s\n' $words R N M I x y | sort -u) <(echo "$in_kernels") | macros ""
    echo "$kernels"
} >"$work/program"
in_both "kernels before macros"
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
in_c "kernels after capitals"

# ---- accessor types after macros and types, and with such names ----

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
    # shellcheck disable=SC2086 # words
    include_all "" accessor.h accessor_define.h < <(free "")
    echo "${accessors%%STN_ACCESSOR_FROM_VIEW*}"
} | grep -v 'include "steno/accessor_define.h"$' >"$work/program"
in_both "accessors after macros"
sed -i '1i #define STN_CHECKED' "$work/program"
in_cxx "checked accessors after macros"
template_words=$(sed -n '/^#if defined(accessor)/,/^#endif/p' "$SOURCE_DIR/include/steno/accessor.hpp" |
    grep -oE 'defined\([a-z_]+' | sed 's/.*(//')
include_all "" accessor.hpp < <(free "$template_words") >"$work/program"
in_cxx "the class template after macros"
{
    capitals
    echo '#include "steno/accessor_view.h"'
    echo "$accessors"
} >"$work/program"
in_c "accessors after capitals"
names="x real rank length data size stride at in sum i value a n values extent m offset count span shape k"
{
    echo '#include "steno/accessor_view.h"'
    # shellcheck disable=SC2086 # words
    printf 'typedef struct { int stn_; } %s;\n' $names
    echo "$accessors"
} >"$work/program"
in_both "accessors after types"
{
    echo '#include "steno/accessor.h"'
    # shellcheck disable=SC2086 # words
    printf 'STN_ACCESSOR(%s, 2, double, float)\n' $names
    echo 'static float kept[2]; int main(void) { double all = 0;'
    for word in $names; do
        echo "{ $word its = ${word}_dense(kept, 1, 2); ${word}_set(its, 0, 1, 1.5); all += ${word}_get(its, 0, 1); }"
    done
    echo '#ifdef __cplusplus
    { real its = real_dense(kept, 1, 2); its(0, 0) = real::real(2) * (int)real::rank;
      all += its(0, 0) + (double)its.length(1) + (double)length_dense(kept, 3, 1).length(0) + (int)rank::rank; }
#else
    all += 4 + 2 + 3 + 2;
#endif'
    echo "return all == 1.5 * $(wc -w <<<"$names") + 11 ? 0 : 1; }"
} >"$work/program"
in_both "accessors of any name"
for compiler in "gcc -x c -std=c11" "g++ -x c++ -std=c++20"; do
    # shellcheck disable=SC2086 # words
    $compiler $include "$work/program" -o "$work/named" && "$work/named" ||
        fail "accessors of any name give other numbers by $compiler"
done

# ---- R ----

echo '#define STN_SHORT_NAMES
#include "steno/reduce.h"
#include <functional>
template <class R, class... A> struct call { std::function<R(A...)> f; };
STN_MAP(tenth, (in(x), out(y)), y = x * R(0.1) + R(1);)
STN_MAP_INTEGER(more, (in(x), out(y)), y = x * R(3);)
STN_REDUCE_BY(own, (in(x)), x * R(2), a * R(0.9) + b, a - R(1), R(0))
int main() { call<int, int> c; c.f = [](int v) { return v; }; return c.f(0); }' >"$work/program"
in_cxx "R in C++"
echo '#define STN_SHORT_NAMES
#include "steno/reduce.h"
STN_MAP(tenth, (in(x), out(y)), y = x * R(0.1) + R(1);)
STN_REDUCE_BY(own, (in(x)), x * R(2), a * R(0.9) + b, a - R(1), R(0))' >"$work/program"
in_c "R in C"
echo '#include "steno/reduce.h"
#define R 8.314
STN_MAP(tenth, (in(x), out(y)), y = x * STN_R(0.1);)
STN_MAP_COMPLEX(turned, (in(x), out(y)), y.re = x.im; y.im = R * x.re;)
STN_REDUCE(total, sum, (in(x)), x * STN_R(R))' >"$work/program"
in_both "a macro R after the headers"
printf '#define STN_SHORT_NAMES\n#define R 8.314\n#include "steno/kernel.h"\n' >"$work/program"
# shellcheck disable=SC2086 # words
gcc -x c $include -fsyntax-only "$work/program" 2>&1 | grep -m 1 error | grep -q "STN_SHORT_NAMES defines R" ||
    fail "a macro R with STN_SHORT_NAMES is not refused"

echo "$tried programs"
finish "$tried"
