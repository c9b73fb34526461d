/* Parameter lists of kernels: a macro call per parameter, and one error for an invalid list. */
#ifndef STENO_KERNEL_LIST_H
#define STENO_KERNEL_LIST_H

/* clang-format off */

/* _YES if the macro x is defined as `~, _YES`, otherwise _NO. */
#define STN_IS_DEFINED(...)           STN_SECOND_(__VA_ARGS__, _NO, ~)
#define STN_SECOND_(a, b, ...)   b

#define STN_PARAMETERS(...)      __VA_ARGS__
#define STN_CHOOSE(...)          STN_CHOOSE_(__VA_ARGS__)
#define STN_CHOOSE_(is, a, b)    STN_CHOOSE_##is(a, b)
#define STN_CHOOSE__YES(a, b)     a
#define STN_CHOOSE__NO(a, b)      b
#define STN_BOTH(...)            STN_BOTH_(__VA_ARGS__)
#define STN_BOTH_(a, b)          STN_IS_DEFINED(STN_BOTH_##a##_##b)
#define STN_BOTH__YES__YES         ~, _YES

/* Is this one argument empty? */
#define STN_IS_EMPTY(p)                                                                            \
    STN_EMPTY_OF(STN_HAS_COMMA(p), STN_HAS_COMMA(STN_COMMA_AFTER p), STN_HAS_COMMA(p ()),          \
                 STN_HAS_COMMA(STN_COMMA_AFTER p ()))
#define STN_EMPTY_OF(...)             STN_EMPTY_OF_(__VA_ARGS__)
#define STN_EMPTY_OF_(a, b, c, d)     STN_IS_DEFINED(STN_EMPTY_##a##b##c##d)
#define STN_EMPTY_0001                ~, _YES
#define STN_COMMA_AFTER(...)         ,
#define STN_HAS_COMMA(...)            STN_HAS_COMMA_(__VA_ARGS__, 1, 1, 1, 0, ~)
#define STN_HAS_COMMA_(a, b, c, d, is, ...) is

/* Is this name missing? Pasting prevents the expansion of a function-like macro of that name. */
#define STN_IS_NAMELESS(name)    STN_IS_DEFINED(STN_NAMELESS_##name)
#define STN_NAMELESS_            ~, _YES

/* Does it begin with a parenthesis? */
#define STN_IS_PAREN(p)          STN_IS_DEFINED(STN_PAREN_IS p)
#define STN_PAREN_IS(...)        ~, _YES,

/* The number of arguments: 0 to 9, where 9 means more than eight. */
#define STN_NUMBER_OF(...)       STN_NUMBER_OF_(__VA_ARGS__, 9, 9, 9, 9, 9, 9, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1, ~)(__VA_ARGS__)
#define STN_NUMBER_OF_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) STN_NUMBER_IS_##count
#define STN_NUMBER_IS_1(a)       STN_CHOOSE(STN_IS_EMPTY(a), 0, 1)
#define STN_NUMBER_IS_2(...)     2
#define STN_NUMBER_IS_3(...)     3
#define STN_NUMBER_IS_4(...)     4
#define STN_NUMBER_IS_5(...)     5
#define STN_NUMBER_IS_6(...)     6
#define STN_NUMBER_IS_7(...)     7
#define STN_NUMBER_IS_8(...)     8
#define STN_NUMBER_IS_9(...)     9

/* ---- one item per parameter: STN_EACH_PARAMETER(ITEM, T, (real(a), in(x))) is
 * ITEM_SCALAR(_REAL, T, 00, a) ITEM_VIEW(_IN, T, 01, x) ---- */

#define STN_EACH_PARAMETER(ITEM, T, parameters) STN_ITEMS(STN_ONE, ITEM, T, STN_PARAMETERS parameters)
#define STN_ITEMS(...)                     STN_ITEMS_(__VA_ARGS__)
#define STN_ITEMS_(ONE, ITEM, T, ...)      STN_ITEMS_OF(STN_ROUNDS(__VA_ARGS__), ONE, ITEM, T, __VA_ARGS__)
#define STN_ITEMS_OF(...)                  STN_ITEMS_OF_(__VA_ARGS__)
#define STN_ITEMS_OF_(count, ...)         STN_ITEMS_##count(__VA_ARGS__)

/* The number of groups of eight parameters. _ONE means none or one, _MANY more than
 * STN_MAX_PARAMETERS, which expand to nothing. */
#define STN_ROUNDS(...)                                                                            \
    STN_ROUNDS_(__VA_ARGS__, _MANY, _MANY, _MANY, _MANY, _MANY, _MANY, _MANY, _MANY,               \
                _MANY, _MANY, _MANY, _MANY, _MANY, _MANY, _MANY, _MANY,                            \
                6, 6, 6, 6, 6, 6, 6, 6, 5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4,            \
                3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, _ONE, ~)
#define STN_ROUNDS_(_a0, _b0, _c0, _d0, _e0, _f0, _g0, _h0,                                        \
                    _a1, _b1, _c1, _d1, _e1, _f1, _g1, _h1,                                        \
                    _a2, _b2, _c2, _d2, _e2, _f2, _g2, _h2,                                        \
                    _a3, _b3, _c3, _d3, _e3, _f3, _g3, _h3,                                        \
                    _a4, _b4, _c4, _d4, _e4, _f4, _g4, _h4,                                        \
                    _a5, _b5, _c5, _d5, _e5, _f5, _g5, _h5,                                        \
                    _a6, _b6, _c6, _d6, _e6, _f6, _g6, _h6,                                        \
                    _a7, _b7, _c7, _d7, _e7, _f7, _g7, _h7,                                        \
                    count, ...)  count
#define STN_ITEMS__MANY(...)
#define STN_ITEMS__ONE(ONE, I, T, p)        STN_CHOOSE(STN_IS_EMPTY(p), STN_ITEMS_NONE, STN_ITEMS_LONE)(ONE, I, T, p)
#define STN_ITEMS_NONE(ONE, I, T, p)
#define STN_ITEMS_LONE(ONE, I, T, p)       ONE(I, T, 0, p)
/* The number of a parameter is an octal literal: the number of its group, and 0 to 7. */
#define STN_ITEMS_1(ONE, I, T, ...) STN_OCTET(ONE, I, T, 0, __VA_ARGS__, STN_ABSENT)
#define STN_ITEMS_2(ONE, I, T, ...)                                                                \
    STN_ITEMS_1(ONE, I, T, __VA_ARGS__) STN_OCTET(ONE, I, T, 01, STN_LESS_8(__VA_ARGS__, STN_ABSENT))
#define STN_ITEMS_3(ONE, I, T, ...)                                                                \
    STN_ITEMS_2(ONE, I, T, __VA_ARGS__) STN_OCTET(ONE, I, T, 02, STN_LESS_16(__VA_ARGS__, STN_ABSENT))
#define STN_ITEMS_4(ONE, I, T, ...)                                                                \
    STN_ITEMS_3(ONE, I, T, __VA_ARGS__) STN_OCTET(ONE, I, T, 03, STN_LESS_24(__VA_ARGS__, STN_ABSENT))
#define STN_ITEMS_5(ONE, I, T, ...)                                                                \
    STN_ITEMS_4(ONE, I, T, __VA_ARGS__) STN_OCTET(ONE, I, T, 04, STN_LESS_32(__VA_ARGS__, STN_ABSENT))
#define STN_ITEMS_6(ONE, I, T, ...)                                                                \
    STN_ITEMS_5(ONE, I, T, __VA_ARGS__) STN_OCTET(ONE, I, T, 05, STN_LESS_40(__VA_ARGS__, STN_ABSENT))
#define STN_ABSENT stn_absent(), stn_absent(), stn_absent(), stn_absent(), stn_absent(), stn_absent(), stn_absent(), stn_absent()
#define STN_LESS_8(...)   STN_LESS_8_(__VA_ARGS__)
#define STN_LESS_8_(a, b, c, d, e, f, g, h, ...) __VA_ARGS__
#define STN_LESS_16(...)  STN_LESS_8(STN_LESS_8(__VA_ARGS__))
#define STN_LESS_24(...)  STN_LESS_8(STN_LESS_16(__VA_ARGS__))
#define STN_LESS_32(...)  STN_LESS_8(STN_LESS_24(__VA_ARGS__))
#define STN_LESS_40(...)  STN_LESS_8(STN_LESS_32(__VA_ARGS__))
#define STN_OCTET(...)    STN_OCTET_(__VA_ARGS__)
#define STN_OCTET_(ONE, I, T, group, a, b, c, d, e, f, g, h, ...)                                  \
    ONE(I, T, group##0, a) ONE(I, T, group##1, b) ONE(I, T, group##2, c) ONE(I, T, group##3, d)    \
    ONE(I, T, group##4, e) ONE(I, T, group##5, f) ONE(I, T, group##6, g) ONE(I, T, group##7, h)

/* STN_EACH_VIEW calls the macro of the kind, ITEM_IN(T, at, x), for views only. */
#define STN_EACH_VIEW(ITEM, T, parameters) STN_ITEMS(STN_ONE_VIEW, ITEM, T, STN_PARAMETERS parameters)

#define STN_ONE(ITEM, T, at, parameter)      STN_ROW_OF(STN_CALL, ITEM, T, at, STN_KIND_##parameter)
#define STN_ONE_VIEW(ITEM, T, at, parameter) STN_ROW_OF(STN_CALL_VIEW, ITEM, T, at, STN_KIND_##parameter)
#define STN_ROW_OF(...)                      STN_ROW_OF_(__VA_ARGS__)
#define STN_ROW_OF_(CALL, ITEM, T, at, CLASS, ...) CALL##CLASS(ITEM, T, at, __VA_ARGS__)
#define STN_CALL_SCALAR(ITEM, T, at, KIND, ...)    ITEM##_SCALAR(KIND, T, at, __VA_ARGS__)
#define STN_CALL_INDICES(ITEM, T, at, KIND, ...)   ITEM##_INDICES(KIND, T, at, __VA_ARGS__)
#define STN_CALL_VIEW(ITEM, T, at, KIND, ...)      ITEM##_VIEW(KIND, T, at, __VA_ARGS__)
#define STN_CALL_REACH(ITEM, T, at, KIND, ...)     ITEM##_REACH(KIND, T, at, __VA_ARGS__)
#define STN_CALL_INDEXED(ITEM, T, at, KIND, ...)   ITEM##_INDEXED(KIND, T, at, __VA_ARGS__)
#define STN_CALL_ABSENT(...)
#define STN_CALL_VIEW_SCALAR(...)
#define STN_CALL_VIEW_INDICES(...)
#define STN_CALL_VIEW_VIEW(ITEM, T, at, KIND, ...) ITEM##KIND(T, at, __VA_ARGS__)
#define STN_CALL_VIEW_ABSENT(...)
#define STN_KIND_stn_absent()     _ABSENT, ~, ~
#define STN_KIND_real(...)        _SCALAR, _REAL, __VA_ARGS__
#define STN_KIND_index(...)       _SCALAR, _INDEX, __VA_ARGS__
#define STN_KIND_bits(...)        _SCALAR, _BITS, __VA_ARGS__
#define STN_KIND_at(...)          _INDICES, _AT, __VA_ARGS__
#define STN_KIND_in(...)          _VIEW, _IN, __VA_ARGS__
#define STN_KIND_inout(...)       _VIEW, _INOUT, __VA_ARGS__
#define STN_KIND_out(...)         _VIEW, _OUT, __VA_ARGS__
#define STN_KIND_masked(...)      _VIEW, _MASKED, __VA_ARGS__
#define STN_KIND_shifted(...)     _REACH, _SHIFTED, __VA_ARGS__
#define STN_KIND_stencil(...)     _REACH, _STENCIL, __VA_ARGS__
#define STN_KIND_gather(...)      _INDEXED, _GATHER, __VA_ARGS__
#define STN_KIND_scatter(...)     _INDEXED, _SCATTER, __VA_ARGS__

/* ITEM(at, d, name) for each name of a list, including those of indices. */
#define STN_EACH_NAMED(ITEM, parameters)           STN_EACH_PARAMETER(STN_NAMED, ITEM, parameters)
#define STN_NAMED_SCALAR(KIND, ITEM, at, name)     ITEM(at, 0, name)
#define STN_NAMED_INDICES(KIND, ITEM, at, ...)     STN_EACH_NAME(ITEM, at, __VA_ARGS__)
#define STN_NAMED_VIEW                             STN_NAMED_SCALAR
#define STN_NAMED_REACH(KIND, ITEM, at, name, ...) ITEM(at, 0, name)
#define STN_NAMED_INDEXED                          STN_NAMED_REACH

/* ITEM(at, d, name) for each of up to eight names. */
#define STN_EACH_NAME(ITEM, at, ...)                                                               \
    STN_JOIN(STN_NAMES_, STN_NUMBER_OF(__VA_ARGS__))(ITEM, at, __VA_ARGS__)
#define STN_NAMES_1(I, at, a)                      I(at, 0, a)
#define STN_NAMES_2(I, at, a, b)                   I(at, 0, a) I(at, 1, b)
#define STN_NAMES_3(I, at, a, b, c)                I(at, 0, a) I(at, 1, b) I(at, 2, c)
#define STN_NAMES_4(I, at, a, b, c, d)             STN_NAMES_3(I, at, a, b, c) I(at, 3, d)
#define STN_NAMES_5(I, at, a, b, c, d, ...)        STN_NAMES_4(I, at, a, b, c, d) I(at, 4, __VA_ARGS__)
#define STN_NAMES_6(I, at, a, b, c, d, e, ...)     STN_NAMES_5(I, at, a, b, c, d, e) I(at, 5, __VA_ARGS__)
#define STN_NAMES_7(I, at, a, b, c, d, e, f, ...)  STN_NAMES_6(I, at, a, b, c, d, e, f) I(at, 6, __VA_ARGS__)
#define STN_NAMES_8(I, at, a, b, c, d, e, f, g, h) STN_NAMES_7(I, at, a, b, c, d, e, f, g) I(at, 7, h)

/* ---- checks of lists ---- */

/* Per kind: are the items in the parentheses valid? Nothing may follow the parentheses. */
#define STN_IS_NUMBER(FORMS, ...) STN_IS_DEFINED(STN_JOIN(FORMS, STN_NUMBER_OF(__VA_ARGS__)))
#define STN_FORM_real(...)        ~, STN_IS_NUMBER(STN_FORM_OF_1_, __VA_ARGS__), ("real(a)"),
#define STN_FORM_index(...)       ~, STN_IS_NUMBER(STN_FORM_OF_1_, __VA_ARGS__), ("index(n)"),
#define STN_FORM_bits(...)        ~, STN_IS_NUMBER(STN_FORM_OF_1_, __VA_ARGS__), ("bits(m)"),
#define STN_FORM_in(...)          ~, STN_IS_NUMBER(STN_FORM_OF_1_, __VA_ARGS__), ("in(x)"),
#define STN_FORM_inout(...)       ~, STN_IS_NUMBER(STN_FORM_OF_1_, __VA_ARGS__), ("inout(y)"),
#define STN_FORM_out(...)         ~, STN_IS_NUMBER(STN_FORM_OF_1_, __VA_ARGS__), ("out(y)"),
#define STN_FORM_masked(...)      ~, STN_IS_NUMBER(STN_FORM_OF_1_, __VA_ARGS__), ("masked(y)"),
#define STN_FORM_at(...)                                                                           \
    ~, STN_BOTH(STN_IS_NUMBER(STN_KERNEL_RANK_, __VA_ARGS__), STN_ARE_NAMED(__VA_ARGS__)), ("at(i, j)"),
#define STN_FORM_shifted(...)     STN_FORM_OF_REACH("shifted(u, nearest, -1, 1)", __VA_ARGS__)
#define STN_FORM_stencil(...)     STN_FORM_OF_REACH("stencil(u, nearest, 1, 1)", __VA_ARGS__)
#define STN_FORM_gather(...)      STN_FORM_OF_RANK("gather(u, 2)", __VA_ARGS__)
#define STN_FORM_scatter(...)     STN_FORM_OF_RANK("scatter(u, 2)", __VA_ARGS__)
#define STN_FORM_OF_REACH(words, ...)                                                              \
    ~, STN_BOTH(STN_BOTH(STN_IS_NUMBER(STN_FORM_OF_REACH_, __VA_ARGS__),                           \
                         STN_FORM_RULE(__VA_ARGS__, _NONE, _NONE)),                                \
                STN_ARE_GIVEN(__VA_ARGS__)), (words STN_FORM_RULES),
#define STN_FORM_OF_RANK(words, ...)                                                               \
    ~, STN_BOTH(STN_BOTH(STN_IS_NUMBER(STN_FORM_OF_2_, __VA_ARGS__),                               \
                         STN_FORM_RANK(__VA_ARGS__, _NONE, _NONE)),                                \
                STN_IS_NAMED(__VA_ARGS__, _NONE)), (words ", of 1 to 8 dimensions"),
/* Is there a name? Are all items names? Is no item empty? */
#define STN_IS_NAMED(name, ...)   STN_CHOOSE(STN_IS_NAMELESS(name), _NO, _YES)
#define STN_ARE_NAMED(...)        STN_SECOND(~ STN_EACH_NAME(STN_COUNT_NAMELESS, ~, __VA_ARGS__), _YES, ~)
#define STN_ARE_GIVEN(...)        STN_SECOND(~ STN_EACH_NAME(STN_COUNT_EMPTY, ~, __VA_ARGS__), _YES, ~)
#define STN_COUNT_NAMELESS(at, d, name) STN_CHOOSE(STN_IS_NAMELESS(name), STN_COUNT_ONE, STN_COUNT_NONE)()
#define STN_COUNT_EMPTY(at, d, p) STN_CHOOSE(STN_IS_EMPTY(p), STN_COUNT_ONE, STN_COUNT_NONE)()
#define STN_FORM_RULES            ", with nearest, zero, periodic, value(c) or inside as the boundary"
#define STN_FORM_RULE(name, rule, ...)  STN_IS_DEFINED(STN_RULE_IS_##rule)
#define STN_FORM_RANK(name, rank, ...)  STN_IS_DEFINED(STN_KERNEL_RANK_##rank)
#define STN_KERNEL_RANK_1         ~, _YES
#define STN_KERNEL_RANK_2         ~, _YES
#define STN_KERNEL_RANK_3         ~, _YES
#define STN_KERNEL_RANK_4         ~, _YES
#define STN_KERNEL_RANK_5         ~, _YES
#define STN_KERNEL_RANK_6         ~, _YES
#define STN_KERNEL_RANK_7         ~, _YES
#define STN_KERNEL_RANK_8         ~, _YES
#define STN_FORM_OF_1_1           ~, _YES
#define STN_FORM_OF_2_2           ~, _YES
#define STN_FORM_OF_REACH_3       ~, _YES
#define STN_FORM_OF_REACH_4       ~, _YES
#define STN_FORM_OF_REACH_5       ~, _YES
#define STN_FORM_OF_REACH_6       ~, _YES
#define STN_RULE_IS_nearest       ~, _YES
#define STN_RULE_IS_zero          ~, _YES
#define STN_RULE_IS_periodic      ~, _YES
#define STN_RULE_IS_inside        ~, _YES
#define STN_RULE_IS_value(...)    ~, _YES
#define STN_JOIN(...)             STN_JOIN_(__VA_ARGS__)
#define STN_JOIN_(a, b)           a##b
#define STN_FORM_stn_absent()     ~, _YES, ~,
#define STN_FORM_WHERE            ""
#define STN_FORM_MESSAGE                                                                           \
    "real(a), index(n), bits(m), at(i, j), in(x), inout(y), out(y), masked(y), "                   \
    "shifted(u, nearest, -1, 1), stencil(u, nearest, 1, 1), gather(u, 2) and scatter(u, 2)" STN_FORM_RULES

/* Kinds of reductions and scans. */
#define STN_READS_real(...)       STN_FORM_real(__VA_ARGS__)
#define STN_READS_index(...)      STN_FORM_index(__VA_ARGS__)
#define STN_READS_bits(...)       STN_FORM_bits(__VA_ARGS__)
#define STN_READS_in(...)         STN_FORM_in(__VA_ARGS__)
#define STN_READS_at(...)         STN_FORM_at(__VA_ARGS__)
#define STN_READS_gather(...)     STN_FORM_gather(__VA_ARGS__)
#define STN_READS_stn_absent()    ~, _YES, ~,
#define STN_READS_WHERE           " of reductions and scans"
#define STN_READS_MESSAGE         "real(a), index(n), bits(m), at(i, j), in(x) and gather(u, 2)"

/* Kinds of fused loops. */
#define STN_FUSES_real(...)       STN_FORM_real(__VA_ARGS__)
#define STN_FUSES_index(...)      STN_FORM_index(__VA_ARGS__)
#define STN_FUSES_bits(...)       STN_FORM_bits(__VA_ARGS__)
#define STN_FUSES_at(...)         STN_FORM_at(__VA_ARGS__)
#define STN_FUSES_in(...)         STN_FUSES_VIEW("in(x, f16)", __VA_ARGS__)
#define STN_FUSES_inout(...)      STN_FUSES_VIEW("inout(y, f16)", __VA_ARGS__)
#define STN_FUSES_out(...)        STN_FUSES_VIEW("out(y, f16)", __VA_ARGS__)
#define STN_FUSES_VIEW(words, ...)                                                                 \
    ~, STN_BOTH(STN_BOTH(STN_IS_NUMBER(STN_FORM_OF_2_, __VA_ARGS__),                               \
                         STN_FORM_FORMAT(__VA_ARGS__, _NONE, _NONE)),                              \
                STN_IS_NAMED(__VA_ARGS__, _NONE)), (words STN_FUSES_FORMATS),
#define STN_FORM_FORMAT(name, format, ...) STN_FORM_CLASS(STN_CLASS_##format)
#define STN_FORM_CLASS(...)       STN_FORM_CLASS_(__VA_ARGS__)
#define STN_FORM_CLASS_(name)     STN_IS_DEFINED(STN_FORM_CLASS_##name)
#define STN_FORM_CLASS_stn_floats ~, _YES
#define STN_FORM_CLASS_stn_integers ~, _YES
#define STN_FORM_CLASS_stn_complexes ~, _YES
#define STN_FUSES_stn_absent()    ~, _YES, ~,
#define STN_FUSES_WHERE           " of fused loops"
#define STN_FUSES_FORMATS         ", with the formats of format.h"
#define STN_FUSES_MESSAGE                                                                          \
    "real(a), index(n), bits(m), at(i, j), in(x, f16), inout(y, f16) and out(y, f16)" STN_FUSES_FORMATS

/* _YES if this is a list in parentheses with valid parameters, otherwise _NO. */
#define STN_ARE_PARAMETERS(FORM, parameters)                                                       \
    STN_CHOOSE(STN_IS_LIST(parameters), STN_ARE_LISTED, STN_ARE_BARE)(FORM, parameters)
#define STN_IS_LIST(parameters)                                                                    \
    STN_BOTH(STN_IS_PAREN(parameters), STN_IS_EMPTY(STN_NOTHING parameters))
#define STN_NOTHING(...)
#define STN_ARE_BARE(FORM, parameters)   _NO
#define STN_ARE_LISTED(FORM, parameters)                                                           \
    STN_BOTH(STN_ARE_COUNTED(STN_ROUNDS parameters),                                               \
             STN_SECOND(~ STN_ITEMS(STN_COUNT_WRONG, FORM, ~, STN_PARAMETERS parameters), _YES, ~))
#define STN_SECOND(...)                  STN_SECOND_(__VA_ARGS__)
#define STN_ARE_COUNTED(...)                 STN_ARE_COUNTED_(__VA_ARGS__)
#define STN_ARE_COUNTED_(count)             STN_CHOOSE(STN_IS_DEFINED(STN_ARE_##count), _NO, _YES)
#define STN_ARE__MANY                     ~, _YES
#define STN_COUNT_WRONG(FORM, T, at, p)  STN_CHOOSE(STN_IS_FORM(FORM, p), STN_COUNT_NONE, STN_COUNT_ONE)()
#define STN_COUNT_NONE()
#define STN_COUNT_ONE()                  , _NO

/* _YES if this is a valid parameter, otherwise _NO. */
#define STN_IS_FORM(FORM, p)                                                                       \
    STN_CHOOSE(STN_IS_PAREN(p), STN_IS_FORM_NOT, STN_IS_FORM_)(FORM, p)
#define STN_IS_FORM_NOT(FORM, p)         _NO
#define STN_IS_FORM_(FORM, p)            STN_FORM_IS(FORM##p, _NO, ~, ~, ~)
#define STN_FORM_IS(...)                 STN_FORM_IS_(__VA_ARGS__)
#define STN_FORM_IS_(a, is, words, rest, ...) STN_BOTH(is, STN_IS_EMPTY(rest))

/* An error of one line. clang lists the enclosing macros unless the error is in a word of the program,
 * such as the name. */
#if defined(__clang__)
#    define STN_REFUSE(name, words)                                                                \
        static inline __attribute__((__unused__)) void name##_refused(void)                        \
        {                                                                                          \
            typedef int name __attribute__((__unavailable__(words)));                              \
            (void)sizeof(name);                                                                    \
        }
#elif defined(__cplusplus)
#    define STN_REFUSE(name, words) static_assert(0, words);
#else
#    define STN_REFUSE(name, words) _Static_assert(0, words);
#endif
/* For macros whose first argument is empty. */
#ifdef __cplusplus
#    define STN_REFUSE_NAMELESS(...) static_assert(0, "steno: the first argument, the name, is empty");
#else
#    define STN_REFUSE_NAMELESS(...) _Static_assert(0, "steno: the first argument, the name, is empty");
#endif
/* After an error, functions that take any arguments, so that calls of them are no further errors. */
#define STN_ANY(function)       stn_status function(const void *stn_any, ...);
#define STN_ANY_KERNEL(name)    STN_ANY(name##_run) STN_ANY(name##_run_over)
#define STN_ANY_REDUCTION(name)                                                                    \
    STN_ANY(name##_reduce) STN_ANY(name##_reduce_over) STN_ANY(name##_reduce_into)                 \
    STN_ANY(name##_reduce_into_over) STN_ANY(name##_reduce_part) STN_ANY(name##_reduce_parts)      \
    STN_ANY(name##_reduce_merge) STN_ANY(name##_reduce_finish) STN_ANY(name##_scan)                \
    STN_ANY(name##_scan_dimension) STN_ANY(name##_scan_total) STN_ANY(name##_scan_over)
#define STN_EXPLAIN_PARAMETERS(FORM, name, parameters)                                             \
    STN_REFUSE(name, "steno: " #name ":" STN_EXPLAIN_LIST_OR_ITEM(FORM, parameters))
#define STN_EXPLAIN_LIST_OR_ITEM(FORM, parameters)                                                 \
    STN_CHOOSE(STN_IS_PAREN(parameters), STN_EXPLAIN_PAREN, STN_EXPLAIN_BARE)(FORM, parameters)
#define STN_EXPLAIN_BARE(FORM, parameters)                                                         \
    " the parameters must be in parentheses, (in(x), out(y)), not " #parameters
#define STN_EXPLAIN_PAREN(FORM, parameters)                                                        \
    STN_CHOOSE(STN_IS_LIST(parameters), STN_EXPLAIN_LIST, STN_EXPLAIN_COMMA)(FORM, parameters)
#define STN_EXPLAIN_COMMA(FORM, parameters)                                                        \
    " a comma is missing after the parameters, in " #parameters
#define STN_EXPLAIN_LIST(FORM, parameters)                                                         \
    STN_CHOOSE(STN_ARE_COUNTED(STN_ROUNDS parameters), STN_EXPLAIN_EACH, STN_EXPLAIN_TOO_MANY)(FORM, parameters)
#define STN_EXPLAIN_TOO_MANY(FORM, parameters) " more than 48 parameters"
#define STN_EXPLAIN_EACH(FORM, parameters) STN_ITEMS(STN_EXPLAIN, FORM, ~, STN_PARAMETERS parameters)
#define STN_EXPLAIN(FORM, T, at, p)                                                                \
    STN_CHOOSE(STN_IS_FORM(FORM, p), STN_EXPLAIN_NOT, STN_EXPLAIN_IT)(FORM, p)
#define STN_EXPLAIN_NOT(FORM, p)
#define STN_EXPLAIN_IT(FORM, p)                                                                    \
    STN_CHOOSE(STN_IS_EMPTY(p), STN_EXPLAIN_EMPTY, STN_EXPLAIN_FORM)(FORM, p)
#define STN_EXPLAIN_EMPTY(FORM, p) " an item of the parameter list is empty."
#define STN_EXPLAIN_FORM(FORM, p)                                                                  \
    " no parameter" STN_JOIN(FORM, WHERE) " is written " #p "; "                                   \
    STN_CHOOSE(STN_IS_PAREN(p), STN_EXPLAIN_ALL, STN_EXPLAIN_KIND)(FORM, p) "."
#define STN_EXPLAIN_ALL(FORM, p)           "there are " STN_JOIN(FORM, MESSAGE)
#define STN_EXPLAIN_KIND(FORM, p)          STN_EXPLAIN_BY(FORM, p, FORM##p, _NO, ~, ~)
#define STN_EXPLAIN_BY(...)                STN_EXPLAIN_BY_(__VA_ARGS__)
#define STN_EXPLAIN_BY_(FORM, p, a, is, words, ...)                                                \
    STN_CHOOSE(STN_IS_PAREN(words), STN_EXPLAIN_FORM_OF, STN_EXPLAIN_ALL)(FORM, words)
#define STN_EXPLAIN_FORM_OF(FORM, words)  "there is " STN_PARAMETERS words

/* clang-format on */

#endif
