/* Formats and members of accessors, which macros would replace. Also for devices.
 * Written by test_names.sh write. No include guard: macros may be defined between headers. */
/* clang-format off */
#if \
    defined begin || defined bf16 || defined bits || defined bytes || defined c128 || defined c32 \
    || defined c64 || defined e4m3 || defined e5m2 || defined end || defined exponent_bits || \
    defined f16 || defined f24 || defined f32 || defined f40 || defined f48 || defined f64 || \
    defined finite_only || defined fraction_bits || defined i16 || defined i32 || defined i64 || \
    defined i8 || defined im || defined overflow || defined re || defined u16 || defined u32 || \
    defined u64 || defined u8 || \
    0
#error steno: one of these words is a macro, define it after including Steno: \
    begin bf16 bits bytes c128 c32 c64 e4m3 e5m2 end exponent_bits f16 f24 f32 f40 f48 f64 \
    finite_only fraction_bits i16 i32 i64 i8 im overflow re u16 u32 u64 u8
#endif
#ifdef __cplusplus
#if \
    defined imag || defined length || defined rank || defined real || \
    0
#error steno: one of these words is a macro, define it after including Steno: \
    imag length rank real
#endif
#endif
/* clang-format on */
