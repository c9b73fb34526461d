/* The program's text in device texts: its identifiers must have their meaning in C. */
#include <string.h>

#include "expr/source_writer.h"

/* ---- names ---- */

/* Identifiers that are free in C but reserved in OpenCL C or C++. */
static const char *const reserved[] = {
    "kernel",    "global",    "local",      "constant",   "private",  "generic",   "pipe",
    "half",      "uchar",     "ushort",     "uint",       "ulong",    "quad",      "complex",
    "imaginary", "read_only", "write_only", "read_write", "uniform",  "sampler_t", "event_t",
    "catch",     "class",     "concept",    "constexpr",  "decltype", "delete",    "explicit",
    "export",    "friend",    "mutable",    "namespace",  "new",      "noexcept",  "nullptr",
    "operator",  "protected", "public",     "requires",   "template", "this",      "throw",
    "try",       "typeid",    "typename",   "using",      "virtual",  "wchar_t",   "asm"};

/* Functions of device languages that C does not have, and that a program may define differently:
 * OpenCL C's for numbers (except for images, pipes and queues, and as_float and as_double, which
 * may be used by INFINITY), and CUDA's. */
static const char *const foreign[] = {"get_work_dim",
                                      "get_global_size",
                                      "get_global_id",
                                      "get_local_size",
                                      "get_enqueued_local_size",
                                      "get_local_id",
                                      "get_num_groups",
                                      "get_group_id",
                                      "get_global_offset",
                                      "get_global_linear_id",
                                      "get_local_linear_id",
                                      "get_sub_group_size",
                                      "get_max_sub_group_size",
                                      "get_num_sub_groups",
                                      "get_enqueued_num_sub_groups",
                                      "get_sub_group_id",
                                      "get_sub_group_local_id",
                                      "acospi",
                                      "asinpi",
                                      "atanpi",
                                      "atan2pi",
                                      "cospi",
                                      "sinpi",
                                      "tanpi",
                                      "exp10",
                                      "fract",
                                      "lgamma_r",
                                      "mad",
                                      "maxmag",
                                      "minmag",
                                      "pown",
                                      "powr",
                                      "rootn",
                                      "rsqrt",
                                      "sincos",
                                      "half_cos",
                                      "half_divide",
                                      "half_exp",
                                      "half_exp2",
                                      "half_exp10",
                                      "half_log",
                                      "half_log2",
                                      "half_log10",
                                      "half_powr",
                                      "half_recip",
                                      "half_rsqrt",
                                      "half_sin",
                                      "half_sqrt",
                                      "half_tan",
                                      "native_cos",
                                      "native_divide",
                                      "native_exp",
                                      "native_exp2",
                                      "native_exp10",
                                      "native_log",
                                      "native_log2",
                                      "native_log10",
                                      "native_powr",
                                      "native_recip",
                                      "native_rsqrt",
                                      "native_sin",
                                      "native_sqrt",
                                      "native_tan",
                                      "abs_diff",
                                      "add_sat",
                                      "sub_sat",
                                      "hadd",
                                      "rhadd",
                                      "clz",
                                      "ctz",
                                      "mad_hi",
                                      "mad_sat",
                                      "mad24",
                                      "mul24",
                                      "mul_hi",
                                      "rotate",
                                      "upsample",
                                      "popcount",
                                      "bitfield_insert",
                                      "bitfield_extract_signed",
                                      "bitfield_extract_unsigned",
                                      "bit_reverse",
                                      "dot_4x8packed_uu_uint",
                                      "dot_4x8packed_ss_int",
                                      "dot_4x8packed_us_int",
                                      "dot_4x8packed_su_int",
                                      "dot_acc_sat",
                                      "dot_acc_sat_4x8packed_uu_uint",
                                      "dot_acc_sat_4x8packed_ss_int",
                                      "dot_acc_sat_4x8packed_us_int",
                                      "dot_acc_sat_4x8packed_su_int",
                                      "clamp",
                                      "degrees",
                                      "max",
                                      "min",
                                      "mix",
                                      "radians",
                                      "step",
                                      "smoothstep",
                                      "sign",
                                      "cross",
                                      "dot",
                                      "distance",
                                      "length",
                                      "normalize",
                                      "fast_distance",
                                      "fast_length",
                                      "fast_normalize",
                                      "isequal",
                                      "isnotequal",
                                      "isordered",
                                      "any",
                                      "all",
                                      "bitselect",
                                      "select",
                                      "shuffle",
                                      "shuffle2",
                                      "vec_step",
                                      "vload2",
                                      "vload3",
                                      "vload4",
                                      "vload8",
                                      "vload16",
                                      "vstore2",
                                      "vstore3",
                                      "vstore4",
                                      "vstore8",
                                      "vstore16",
                                      "vload_half",
                                      "vstore_half",
                                      "barrier",
                                      "work_group_barrier",
                                      "sub_group_barrier",
                                      "mem_fence",
                                      "read_mem_fence",
                                      "write_mem_fence",
                                      "atomic_work_item_fence",
                                      "async_work_group_copy",
                                      "async_work_group_strided_copy",
                                      "wait_group_events",
                                      "prefetch",
                                      "to_global",
                                      "to_local",
                                      "to_private",
                                      "get_fence",
                                      "atomic_add",
                                      "atom_add",
                                      "atomic_sub",
                                      "atom_sub",
                                      "atomic_xchg",
                                      "atom_xchg",
                                      "atomic_inc",
                                      "atom_inc",
                                      "atomic_dec",
                                      "atom_dec",
                                      "atomic_cmpxchg",
                                      "atom_cmpxchg",
                                      "atomic_min",
                                      "atom_min",
                                      "atomic_max",
                                      "atom_max",
                                      "atomic_and",
                                      "atom_and",
                                      "atomic_or",
                                      "atom_or",
                                      "atomic_xor",
                                      "atom_xor",
                                      "atomic_init",
                                      "atomic_load",
                                      "atomic_store",
                                      "atomic_exchange",
                                      "atomic_compare_exchange_strong",
                                      "atomic_compare_exchange_weak",
                                      "atomic_flag_test_and_set",
                                      "atomic_flag_clear",
                                      "atomic_fetch_add",
                                      "atomic_fetch_sub",
                                      "atomic_fetch_or",
                                      "atomic_fetch_xor",
                                      "atomic_fetch_and",
                                      "atomic_fetch_min",
                                      "atomic_fetch_max",
                                      "work_group_all",
                                      "work_group_any",
                                      "work_group_broadcast",
                                      "work_group_reduce_add",
                                      "work_group_scan_exclusive_add",
                                      "work_group_scan_inclusive_add",
                                      "work_group_reduce_min",
                                      "work_group_scan_exclusive_min",
                                      "work_group_scan_inclusive_min",
                                      "work_group_reduce_max",
                                      "work_group_scan_exclusive_max",
                                      "work_group_scan_inclusive_max",
                                      "sub_group_all",
                                      "sub_group_any",
                                      "sub_group_broadcast",
                                      "sub_group_reduce_add",
                                      "sub_group_scan_exclusive_add",
                                      "sub_group_scan_inclusive_add",
                                      "sub_group_reduce_min",
                                      "sub_group_scan_exclusive_min",
                                      "sub_group_scan_inclusive_min",
                                      "sub_group_reduce_max",
                                      "sub_group_scan_exclusive_max",
                                      "sub_group_scan_inclusive_max",
                                      "as_char",
                                      "as_uchar",
                                      "as_short",
                                      "as_ushort",
                                      "as_int",
                                      "as_uint",
                                      "as_long",
                                      "as_ulong",
                                      "convert_char",
                                      "convert_uchar",
                                      "convert_short",
                                      "convert_ushort",
                                      "convert_int",
                                      "convert_uint",
                                      "convert_long",
                                      "convert_ulong",
                                      "convert_float",
                                      "convert_double",
                                      "convert_half",
                                      "convert_char_sat",
                                      "convert_uchar_sat",
                                      "convert_short_sat",
                                      "convert_ushort_sat",
                                      "convert_int_sat",
                                      "convert_uint_sat",
                                      "convert_long_sat",
                                      "convert_ulong_sat",
                                      "convert_char_rte",
                                      "convert_char_rtz",
                                      "convert_char_rtp",
                                      "convert_char_rtn",
                                      "convert_uchar_rte",
                                      "convert_uchar_rtz",
                                      "convert_uchar_rtp",
                                      "convert_uchar_rtn",
                                      "convert_short_rte",
                                      "convert_short_rtz",
                                      "convert_short_rtp",
                                      "convert_short_rtn",
                                      "convert_ushort_rte",
                                      "convert_ushort_rtz",
                                      "convert_ushort_rtp",
                                      "convert_ushort_rtn",
                                      "convert_int_rte",
                                      "convert_int_rtz",
                                      "convert_int_rtp",
                                      "convert_int_rtn",
                                      "convert_uint_rte",
                                      "convert_uint_rtz",
                                      "convert_uint_rtp",
                                      "convert_uint_rtn",
                                      "convert_long_rte",
                                      "convert_long_rtz",
                                      "convert_long_rtp",
                                      "convert_long_rtn",
                                      "convert_ulong_rte",
                                      "convert_ulong_rtz",
                                      "convert_ulong_rtp",
                                      "convert_ulong_rtn",
                                      "sincospi",
                                      "rcbrt",
                                      "erfinv",
                                      "erfcinv",
                                      "erfcx",
                                      "normcdf",
                                      "normcdfinv",
                                      "j0",
                                      "j1",
                                      "jn",
                                      "y0",
                                      "y1",
                                      "yn",
                                      "cyl_bessel_i0",
                                      "cyl_bessel_i1",
                                      "norm",
                                      "rnorm",
                                      "norm3d",
                                      "rnorm3d",
                                      "norm4d",
                                      "rnorm4d",
                                      "rhypot",
                                      "fdivide",
                                      "umin",
                                      "umax",
                                      "llmin",
                                      "llmax",
                                      "ullmin",
                                      "ullmax",
                                      "mulhi",
                                      "umulhi",
                                      "mul64hi",
                                      "umul64hi",
                                      "umul24",
                                      "float_as_int",
                                      "int_as_float",
                                      "uint_as_float",
                                      "float_as_uint",
                                      "float2int",
                                      "float2uint",
                                      "int2float",
                                      "uint2float",
                                      "saturate",
                                      "usad",
                                      "clock",
                                      "clock64",
                                      "atomicAdd",
                                      "atomicSub",
                                      "atomicExch",
                                      "atomicMin",
                                      "atomicMax",
                                      "atomicInc",
                                      "atomicDec",
                                      "atomicCAS",
                                      "atomicAnd",
                                      "atomicOr",
                                      "atomicXor"};

void stn_put_reserved(stn_writer *w)
{
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        stn_put(w, "#define %s stn_name_%s\n", reserved[k], reserved[k]);
}

void stn_put_reserved_end(stn_writer *w)
{
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        stn_put(w, "#undef %s\n", reserved[k]);
}

/* Some are macros in OpenCL C, which the library uses after the program's text. */
static void put_macro(stn_writer *w, const char *what)
{
    stn_put_text(w, "#ifdef __OPENCL_VERSION__\n");
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        stn_put(w, "#pragma %s_macro(\"%s\")\n", what, foreign[k]);
    stn_put_text(w, "#endif\n");
}

void stn_put_foreign(stn_writer *w)
{
    put_macro(w, "push");
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        stn_put(w, "#undef %s\n#define %s stn_name_%s\n", foreign[k], foreign[k], foreign[k]);
    stn_put_reserved(w);
}

void stn_put_foreign_end(stn_writer *w)
{
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        stn_put(w, "#undef %s\n", foreign[k]);
    put_macro(w, "pop");
    stn_put_reserved_end(w);
}

/* ---- a body ---- */

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int begins_with(const char *text, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - text) >= length && strncmp(text, word, length) == 0;
}

/* Position after a comment; `text` if there is none. */
static const char *after_comment(const char *text, const char *end)
{
    if (begins_with(text, end, "//")) {
        while (text < end && (*text != '\n' || text[-1] == '\\'))
            text++;
    } else if (begins_with(text, end, "/*")) {
        text += 2;
        while (text < end && !begins_with(text, end, "*/"))
            text++;
        text += text < end ? 2 : 0;
    }
    return text;
}

/* Position after a string or character; `text` if there is none. */
static const char *after_string(const char *text, const char *end)
{
    const char quote = *text;
    if (quote != '"' && quote != '\'')
        return text;
    for (text++; text < end && *text != quote; text++)
        text += *text == '\\' && text + 1 < end;
    return text < end ? text + 1 : text;
}

/* Position after a pragma, preprocessor line, or _Pragma with parentheses; `text` if there is
 * none. */
static const char *after_pragma(const char *text, const char *end)
{
    const char *at = text + 1;
    while (*text == '#' && at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (*text == '#' && begins_with(at, end, "pragma")) {
        while (at < end && *at != '\n')
            at++;
        return at;
    }
    if (!begins_with(text, end, "_Pragma") || is_word(text[7]))
        return text;
    while (text < end && *text != ')') {
        const char *const next = after_string(text, end);
        text = next > text ? next : text + 1;
    }
    return text < end ? text + 1 : text;
}

/* A number without one of two L suffixes: long has 64 bits on every device, and long long 128 on
 * some. */
static void put_number_word(stn_writer *w, const char *word, size_t length)
{
    size_t end = length;
    while (end > 0 && strchr("lLuU", word[end - 1]))
        end--;
    for (size_t k = 0; k < length; k++) {
        const int is_twice =
            k > end && (word[k] == 'l' || word[k] == 'L') && word[k] == word[k - 1];
        if (!is_twice)
            stn_put(w, "%c", word[k]);
    }
}

/* Can the word be combined with `long` in a type, in any order? */
static int combines_with_long(const char *word, size_t length)
{
    static const char *const words[] = {"int",     "signed", "unsigned", "const",  "volatile",
                                        "typedef", "static", "register", "extern", "auto"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (length == strlen(words[k]) && strncmp(word, words[k], length) == 0)
            return 1;
    return 0;
}

/* Is a `static` declaration const, in text from its first word on? Then it can be per element, and
 * languages without static variables in functions support it. */
static int is_constant(const char *text, const char *end)
{
    int has = 0;
    for (; text < end && !strchr("=;[(", *text); text++) {
        if (*text == '*')
            has = 0; /* qualifier of the pointed-to type */
        else if (is_word(*text) && begins_with(text, end, "const") && !is_word(text[5]))
            has = 1;
        while (text + 1 < end && is_word(*text) && is_word(text[1]))
            text++;
    }
    return has;
}

/* The first word of the declaration that contains a word. */
static const char *declaration_of(const char *word, const char *begin)
{
    while (word > begin && !strchr(";{}", word[-1]))
        word--;
    return word;
}

/* A word; `had_long` is whether its type has a `long` before it, and is updated. */
static void put_word(stn_writer *w, const char *word, size_t length, int *had_long)
{
    const int is_long = length == 4 && strncmp(word, "long", 4) == 0;
    if (*word >= '0' && *word <= '9')
        put_number_word(w, word, length);
    else if (!is_long || !*had_long)
        stn_put_letters(w, word, length);
    *had_long = is_long || (*had_long && combines_with_long(word, length));
}

/* Removes comments and pragmas, some of which change arithmetic. */
void stn_put_body(stn_writer *w, const char *text, size_t letters)
{
    const char *const begin = text, *const end = text + letters;
    int had_long = 0;
    while (text < end) {
        const char *next = after_comment(text, end);
        next = next > text ? next : after_pragma(text, end);
        if (next > text) {
            stn_put_text(w, " ");
        } else if ((next = after_string(text, end)) > text) {
            stn_put_letters(w, text, (size_t)(next - text));
            had_long = 0;
        } else if (is_word(*text)) {
            while (next < end && is_word(*next))
                next++;
            if (next - text == 6 && begins_with(text, end, "static") &&
                is_constant(declaration_of(text, begin), end))
                stn_put_text(w, "STN_STATIC");
            else
                put_word(w, text, (size_t)(next - text), &had_long);
        } else {
            had_long &= is_blank(*text);
            stn_put_letters(w, text, 1);
            next = text + 1;
        }
        text = next;
    }
}
