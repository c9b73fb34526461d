/* Words of parameter lists, which a program's macros would replace.
 * Written by test_names.sh write. No include guard: macros may be defined between headers. */
/* clang-format off */
#if defined(__GNUC__) && ( \
    defined at || defined bf16 || defined bits || defined c128 || defined c32 || defined c64 || \
    defined e4m3 || defined e5m2 || defined f16 || defined f24 || defined f32 || defined f40 || \
    defined f48 || defined f64 || defined gather || defined i16 || defined i32 || defined i64 || \
    defined i8 || defined in || defined index || defined inout || defined inside || defined \
    masked || defined nearest || defined out || defined periodic || defined real || defined \
    real_t || defined scatter || defined shifted || defined stencil || defined u16 || defined u32 \
    || defined u64 || defined u8 || defined value || defined zero || \
    0)
#ifdef __cplusplus
#define STN_ASSERT static_assert
#else
#define STN_ASSERT _Static_assert
#endif
#define STN_W(a, b, c, d, e, f, g, h) \
    STN_W_EXPANDED(#a, #a "(stn_x)", a(stn_x)); STN_W_EXPANDED(#b, #b "(stn_x)", b(stn_x)); \
    STN_W_EXPANDED(#c, #c "(stn_x)", c(stn_x)); STN_W_EXPANDED(#d, #d "(stn_x)", d(stn_x)); \
    STN_W_EXPANDED(#e, #e "(stn_x)", e(stn_x)); STN_W_EXPANDED(#f, #f "(stn_x)", f(stn_x)); \
    STN_W_EXPANDED(#g, #g "(stn_x)", g(stn_x)); STN_W_EXPANDED(#h, #h "(stn_x)", h(stn_x))
#define STN_W_EXPANDED(...) STN_W_CHECK(__VA_ARGS__)
#define STN_W_CHECK(name, text, ...) \
    STN_ASSERT(!__builtin_strcmp(text, #__VA_ARGS__), \
        "steno: the program has a macro " name "; kernels need this word, undefine the macro")
    STN_W(at, bf16, bits, c128, c32, c64, e4m3, e5m2); STN_W(f16, f24, f32, f40, f48, f64,
    gather, i16); STN_W(i32, i64, i8, in, index, inout, inside, masked); STN_W(nearest, out,
    periodic, real, real_t, scatter, shifted, stencil); STN_W(u16, u32, u64, u8, value, zero,
    stn_w, stn_w);
#undef STN_W
#undef STN_W_EXPANDED
#undef STN_W_CHECK
#undef STN_ASSERT
#endif
/* clang-format on */
