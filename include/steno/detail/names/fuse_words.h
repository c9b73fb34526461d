/* Formats, which fused loops are written in, written by test_names.sh write. */
#ifdef f16
#    error "steno: fused loops have the word f16, which is a macro here: undefine it before"
#endif
#ifdef bf16
#    error "steno: fused loops have the word bf16, which is a macro here: undefine it before"
#endif
#ifdef e4m3
#    error "steno: fused loops have the word e4m3, which is a macro here: undefine it before"
#endif
#ifdef i8
#    error "steno: fused loops have the word i8, which is a macro here: undefine it before"
#endif
#ifdef u8
#    error "steno: fused loops have the word u8, which is a macro here: undefine it before"
#endif
#ifdef i16
#    error "steno: fused loops have the word i16, which is a macro here: undefine it before"
#endif
#ifdef u16
#    error "steno: fused loops have the word u16, which is a macro here: undefine it before"
#endif
#ifdef i32
#    error "steno: fused loops have the word i32, which is a macro here: undefine it before"
#endif
#ifdef u32
#    error "steno: fused loops have the word u32, which is a macro here: undefine it before"
#endif
#ifdef u64
#    error "steno: fused loops have the word u64, which is a macro here: undefine it before"
#endif
#ifdef c32
#    error "steno: fused loops have the word c32, which is a macro here: undefine it before"
#endif
#ifdef e5m2
#    error "steno: fused loops have the word e5m2, which is a macro here: undefine it before"
#endif
