/* The list of storage formats. Dispatch, tests, benches, the command and the documentation are
 * generated from it. A new format is one row here, its name and class below, and one file
 * src/format/NAME.h.
 *
 * FLOAT(id, NAME, name, bits, exponent bits, fraction bits, specials, default overflow)
 *   specials IEEE: the top exponent holds infinities and NaN; FN: finite, one NaN with all bits
 * set. INTEGER(id, NAME, name, bits, signed) COMPLEX(id, NAME, name, COMPONENT): real and imaginary
 * part, each stored as the component.
 *
 * Ids are part of the binary interface: they are only ever appended. */
#ifndef STENO_FORMAT_TABLE_H
#define STENO_FORMAT_TABLE_H

/* clang-format off */
#define STN_FORMAT_TABLE(FLOAT, INTEGER, COMPLEX)                \
    FLOAT(0, F64, f64, 64, 11, 52, IEEE, STN_OVERFLOW_INFINITY)  \
    FLOAT(1, F32, f32, 32, 8, 23, IEEE, STN_OVERFLOW_INFINITY)   \
    FLOAT(2, F16, f16, 16, 5, 10, IEEE, STN_OVERFLOW_INFINITY)   \
    FLOAT(3, BF16, bf16, 16, 8, 7, IEEE, STN_OVERFLOW_INFINITY)  \
    FLOAT(4, E4M3, e4m3, 8, 4, 3, FN, STN_OVERFLOW_SATURATE)     \
    INTEGER(5, I8, i8, 8, 1)                                     \
    INTEGER(6, U8, u8, 8, 0)                                     \
    INTEGER(7, I16, i16, 16, 1)                                  \
    INTEGER(8, U16, u16, 16, 0)                                  \
    INTEGER(9, I32, i32, 32, 1)                                  \
    INTEGER(10, U32, u32, 32, 0)                                 \
    INTEGER(11, I64, i64, 64, 1)                                 \
    INTEGER(12, U64, u64, 64, 0)                                 \
    COMPLEX(13, C128, c128, F64)                                 \
    COMPLEX(14, C64, c64, F32)                                   \
    COMPLEX(15, C32, c32, F16)                                   \
    FLOAT(16, E5M2, e5m2, 8, 5, 2, IEEE, STN_OVERFLOW_SATURATE)  \
    FLOAT(17, F24, f24, 24, 8, 15, IEEE, STN_OVERFLOW_INFINITY)  \
    FLOAT(18, F40, f40, 40, 11, 28, IEEE, STN_OVERFLOW_INFINITY) \
    FLOAT(19, F48, f48, 48, 11, 36, IEEE, STN_OVERFLOW_INFINITY)

#define STN_FLOAT_ID(id, NAME, name, bits, exponent, fraction, specials, overflow_rule) STN_##NAME = id,
#define STN_INTEGER_ID(id, NAME, name, bits, is_signed)                         STN_##NAME = id,
#define STN_COMPLEX_ID(id, NAME, name, COMPONENT)                               STN_##NAME = id,
#define STN_COUNT_ID(...)                                                       +1
#define STN_NO_ROW(...) /* for classes that are skipped */

/* Name and class of a format by its C type and by its name in lists of fused loops, for the
 * preprocessor. */
#define STN_STORAGE_stn_f64     f64
#define STN_CLASS_f64           stn_floats
#define STN_STORAGE_stn_f32     f32
#define STN_CLASS_f32           stn_floats
#define STN_STORAGE_stn_f16     f16
#define STN_CLASS_f16           stn_floats
#define STN_STORAGE_stn_bf16    bf16
#define STN_CLASS_bf16          stn_floats
#define STN_STORAGE_stn_e4m3    e4m3
#define STN_CLASS_e4m3          stn_floats
#define STN_STORAGE_stn_i8      i8
#define STN_CLASS_i8            stn_integers
#define STN_STORAGE_stn_u8      u8
#define STN_CLASS_u8            stn_integers
#define STN_STORAGE_stn_i16     i16
#define STN_CLASS_i16           stn_integers
#define STN_STORAGE_stn_u16     u16
#define STN_CLASS_u16           stn_integers
#define STN_STORAGE_stn_i32     i32
#define STN_CLASS_i32           stn_integers
#define STN_STORAGE_stn_u32     u32
#define STN_CLASS_u32           stn_integers
#define STN_STORAGE_stn_i64     i64
#define STN_CLASS_i64           stn_integers
#define STN_STORAGE_stn_u64     u64
#define STN_CLASS_u64           stn_integers
#define STN_STORAGE_stn_c128    c128
#define STN_CLASS_c128          stn_complexes
#define STN_STORAGE_stn_c64     c64
#define STN_CLASS_c64           stn_complexes
#define STN_STORAGE_stn_c32     c32
#define STN_CLASS_c32           stn_complexes
#define STN_STORAGE_stn_e5m2    e5m2
#define STN_CLASS_e5m2          stn_floats
#define STN_STORAGE_stn_f24     f24
#define STN_CLASS_f24           stn_floats
#define STN_STORAGE_stn_f40     f40
#define STN_CLASS_f40           stn_floats
#define STN_STORAGE_stn_f48     f48
#define STN_CLASS_f48           stn_floats
/* clang-format on */

/* Ids of the built-in formats with elements of whole bytes: STN_F64, STN_F32, ... and their number.
 */
enum {
    STN_FORMAT_TABLE(STN_FLOAT_ID, STN_INTEGER_ID, STN_COMPLEX_ID) STN_BUILTIN_FORMATS =
        STN_FORMAT_TABLE(STN_COUNT_ID, STN_COUNT_ID, STN_COUNT_ID)
};

/* The list of block formats, whose ids follow. A new block format is one row here.
 *
 * BLOCK(id, NAME, name, element, elements per block, scale, placement)
 *   element    format of the codes: INT8, INT16, INT32 (two's complement), E4M3, E5M2, E3M2, E2M3,
 *              E2M1 (OCP floats; 6 and 4 bits are packed, the first element in the lowest bits)
 *   scale      EXPONENT: a power of two, whose exponent is an integer of 2 bytes; the smallest that
 *              no code exceeds. E8M0: a power of two of 1 byte, chosen as the OCP MX specification
 *              describes. UE4M3: a positive e4m3, the largest magnitude divided by the largest
 *              element, rounded to nearest
 *   placement  of the scales in new memory: INLINE, before the codes of each block, or SEPARATE,
 *              in an array after all codes */
/* clang-format off */
#define STN_BLOCK_TABLE(BLOCK)                                     \
    BLOCK(20, BFP8, bfp8, INT8, 32, EXPONENT, INLINE)              \
    BLOCK(21, BFP16, bfp16, INT16, 32, EXPONENT, INLINE)           \
    BLOCK(22, BFP32, bfp32, INT32, 32, EXPONENT, INLINE)           \
    BLOCK(23, MXFP8_E4M3, mxfp8_e4m3, E4M3, 32, E8M0, SEPARATE)    \
    BLOCK(24, MXFP8_E5M2, mxfp8_e5m2, E5M2, 32, E8M0, SEPARATE)    \
    BLOCK(25, MXFP6_E3M2, mxfp6_e3m2, E3M2, 32, E8M0, SEPARATE)    \
    BLOCK(26, MXFP6_E2M3, mxfp6_e2m3, E2M3, 32, E8M0, SEPARATE)    \
    BLOCK(27, MXFP4, mxfp4, E2M1, 32, E8M0, SEPARATE)              \
    BLOCK(28, MXINT8, mxint8, INT8, 32, E8M0, SEPARATE)            \
    BLOCK(29, NVFP4, nvfp4, E2M1, 16, UE4M3, SEPARATE)

#define STN_BLOCK_ID(id, NAME, name, element, elements, scale, placement) STN_##NAME = id,
/* clang-format on */

/* Ids of the block formats, their number, and the id of the first registered format. */
enum {
    STN_BLOCK_TABLE(STN_BLOCK_ID) STN_BLOCK_FORMATS = STN_BLOCK_TABLE(STN_COUNT_ID),
    STN_FIRST_REGISTERED = STN_BUILTIN_FORMATS + STN_BLOCK_FORMATS
};

#endif
