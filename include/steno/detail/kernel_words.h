/* Words of parameter lists, which a program's macros would replace.
 * Written by test_names.sh write. No include guard: macros may be defined between headers. */
/* clang-format off */
#if defined(__GNUC__) && ( \
    defined at || defined bf16 || defined bits || defined c128 || defined c32 || defined c64 || \
    defined e4m3 || defined e5m2 || defined f16 || defined f32 || defined f64 || defined gather \
    || defined i16 || defined i32 || defined i64 || defined i8 || defined in || defined index || \
    defined inout || defined inside || defined masked || defined nearest || defined out || \
    defined periodic || defined real || defined real_t || defined scatter || defined shifted || \
    defined stencil || defined u16 || defined u32 || defined u64 || defined u8 || defined value \
    || defined zero || \
    0)
#ifdef __cplusplus
#define STN_ASSERT static_assert
#else
#define STN_ASSERT _Static_assert
#endif
#define STN_W(word) STN_W_EXPANDED(#word, #word "(stn_x)", word(stn_x))
#define STN_W_EXPANDED(...) STN_W_CHECK(__VA_ARGS__)
#define STN_W_CHECK(name, text, ...) \
    STN_ASSERT(!__builtin_strcmp(text, #__VA_ARGS__), \
        "steno: the program has a macro " name "; kernels need this word, undefine the macro")
    STN_W(at); STN_W(bf16); STN_W(bits); STN_W(c128); STN_W(c32); STN_W(c64); STN_W(e4m3);
    STN_W(e5m2); STN_W(f16); STN_W(f32); STN_W(f64); STN_W(gather); STN_W(i16); STN_W(i32);
    STN_W(i64); STN_W(i8); STN_W(in); STN_W(index); STN_W(inout); STN_W(inside); STN_W(masked);
    STN_W(nearest); STN_W(out); STN_W(periodic); STN_W(real); STN_W(real_t); STN_W(scatter);
    STN_W(shifted); STN_W(stencil); STN_W(u16); STN_W(u32); STN_W(u64); STN_W(u8); STN_W(value);
    STN_W(zero);
#undef STN_W
#undef STN_W_EXPANDED
#undef STN_W_CHECK
#undef STN_ASSERT
#endif
/* clang-format on */
