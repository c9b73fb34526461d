/* Words that kernels are written in, and a program's macros of the same names would replace: each
 * is one error here rather than a hundred in the first kernel. Included wherever kernels begin. */
#ifdef real
#    error "steno: kernels have the word real, which is a macro here: undefine it before"
#endif
#ifdef index
#    error "steno: kernels have the word index, which is a macro here: undefine it before"
#endif
#ifdef bits
#    error "steno: kernels have the word bits, which is a macro here: undefine it before"
#endif
#ifdef in
#    error "steno: kernels have the word in, which is a macro here: undefine it before"
#endif
#ifdef inout
#    error "steno: kernels have the word inout, which is a macro here: undefine it before"
#endif
#ifdef out
#    error "steno: kernels have the word out, which is a macro here: undefine it before"
#endif
#ifdef real_t
#    error "steno: kernels have the word real_t, which is a macro here: undefine it before"
#endif
#ifdef f64
#    error "steno: kernels have the word f64, which is a macro here: undefine it before"
#endif
#ifdef f32
#    error "steno: kernels have the word f32, which is a macro here: undefine it before"
#endif
#ifdef i64
#    error "steno: kernels have the word i64, which is a macro here: undefine it before"
#endif
#ifdef c128
#    error "steno: kernels have the word c128, which is a macro here: undefine it before"
#endif
#ifdef c64
#    error "steno: kernels have the word c64, which is a macro here: undefine it before"
#endif
#ifdef at
#    error "steno: kernels have the word at, which is a macro here: undefine it before"
#endif
#ifdef masked
#    error "steno: kernels have the word masked, which is a macro here: undefine it before"
#endif
#ifdef shifted
#    error "steno: kernels have the word shifted, which is a macro here: undefine it before"
#endif
#ifdef stencil
#    error "steno: kernels have the word stencil, which is a macro here: undefine it before"
#endif
#ifdef gather
#    error "steno: kernels have the word gather, which is a macro here: undefine it before"
#endif
#ifdef scatter
#    error "steno: kernels have the word scatter, which is a macro here: undefine it before"
#endif
#ifdef nearest
#    error "steno: kernels have the word nearest, which is a macro here: undefine it before"
#endif
#ifdef zero
#    error "steno: kernels have the word zero, which is a macro here: undefine it before"
#endif
#ifdef periodic
#    error "steno: kernels have the word periodic, which is a macro here: undefine it before"
#endif
#ifdef value
#    error "steno: kernels have the word value, which is a macro here: undefine it before"
#endif
#ifdef inside
#    error "steno: kernels have the word inside, which is a macro here: undefine it before"
#endif
