/* Pieces of blocks of integers, based on code, load_f64, load_f32 and load_integers. */
#define NARROW_SHIFT SHIFT

STN_FN vf32 load_narrow(const unsigned char *codes, int piece)
{
    return load_f32((const code *)(const void *)codes + piece * V_PIECE);
}

STN_FN vf64x2 load_exact(const unsigned char *codes, int piece)
{
    return load_f64((const code *)(const void *)codes + piece * V_PIECE);
}

#ifdef load_integers
/* Products of codes of up to 16 bits are exact in 32 bits. */
#    define PRODUCT_SHIFT (2 * SHIFT)
STN_FN vf64x2 product_of(const unsigned char *x, const unsigned char *y, int piece)
{
    typedef int32_t words __attribute__((vector_size(sizeof(vi32))));
    const words a = (words)load_integers((const code *)(const void *)x + piece * V_PIECE);
    const words b = (words)load_integers((const code *)(const void *)y + piece * V_PIECE);
    return v_i32_to_f64((vi32)(a * b));
}
#endif

/* Codes of 8 bits as integers of 16 bits. */
#ifdef PRODUCTS_EXACT_IN_F32
#    define HAS_WORDS
#    define WORDS_SHIFT              (2 * SHIFT)
#    define load_words(codes, first) v_load_i8_i16((codes) + (first))
#endif
