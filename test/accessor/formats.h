/* Plain accessors of rank 2 of every format, and one kernel for each: f16_f64 reads f16 as f64. The
 * width of a format determines its arithmetic types, one or two; with ALL_PAIRS they are all that
 * match it. */
#ifndef TEST_ACCESSOR_FORMATS_H
#define TEST_ACCESSOR_FORMATS_H

/* clang-format off */
#ifdef ALL_PAIRS
#    define FLOAT_8(name)    ON_PLAIN(name, f32) DOUBLE(ON_PLAIN(name, f64))
#    define FLOAT_16(name)   FLOAT_8(name)
#    define FLOAT_24(name)   FLOAT_8(name)
#    define FLOAT_32(name)   FLOAT_8(name)
#    define FLOAT_40(name)   FLOAT_64(name)
#    define FLOAT_48(name)   FLOAT_64(name)
#    define FLOAT_64(name)   DOUBLE(ON_PLAIN(name, f32) ON_PLAIN(name, f64))
#    define INTEGER_8(name)  FLOAT_8(name) ON_PLAIN(name, i64)
#    define INTEGER_16(name) INTEGER_8(name)
#    define INTEGER_32(name) INTEGER_8(name)
#    define INTEGER_64(name) FLOAT_64(name) ON_PLAIN(name, i64)
#    define PARTS_F16(name)  ON_PLAIN(name, c64) DOUBLE(ON_PLAIN(name, c128))
#    define PARTS_F32(name)  PARTS_F16(name)
#    define PARTS_F64(name)  DOUBLE(ON_PLAIN(name, c64) ON_PLAIN(name, c128))
#else
#    define FLOAT_8(name)    ON_PLAIN(name, f32)
#    define FLOAT_16(name)   ON_PLAIN(name, f32) DOUBLE(ON_PLAIN(name, f64))
#    define FLOAT_24(name)   ON_PLAIN(name, f32)
#    define FLOAT_32(name)   ON_PLAIN(name, f32)
#    define FLOAT_40(name)   DOUBLE(ON_PLAIN(name, f64))
#    define FLOAT_48(name)   DOUBLE(ON_PLAIN(name, f64))
#    define FLOAT_64(name)   DOUBLE(ON_PLAIN(name, f64))
#    define INTEGER_8(name)  ON_PLAIN(name, f32) ON_PLAIN(name, i64)
#    define INTEGER_16(name) DOUBLE(ON_PLAIN(name, f64))
#    define INTEGER_32(name) ON_PLAIN(name, f32)
#    define INTEGER_64(name) ON_PLAIN(name, i64)
#    define PARTS_F16(name)  ON_PLAIN(name, c64)
#    define PARTS_F32(name)  ON_PLAIN(name, c64)
#    define PARTS_F64(name)  DOUBLE(ON_PLAIN(name, c128))
#endif
/* clang-format on */
#define PLAIN_FLOAT_ROW(id, NAME, name, bits, ...)   FLOAT_##bits(name)
#define PLAIN_INTEGER_ROW(id, NAME, name, bits, ...) INTEGER_##bits(name)
#define PLAIN_COMPLEX_ROW(id, NAME, name, PART)      PARTS_##PART(name)

/* ON_PLAIN(format, arithmetic type) for each pair. */
#ifndef FEW_KERNELS
#    define PLAIN_LIST STN_FORMAT_TABLE(PLAIN_FLOAT_ROW, PLAIN_INTEGER_ROW, PLAIN_COMPLEX_ROW)
#else
#    define PLAIN_LIST                                                                             \
        ON_PLAIN(f32, f32)                                                                         \
        ON_PLAIN(f16, f32)                                                                         \
        ON_PLAIN(i64, i64)                                                                         \
        ON_PLAIN(u8, i64)                                                                          \
        ON_PLAIN(c64, c64)                                                                         \
        ON_PLAIN(c32, c64)                                                                         \
        DOUBLE(ON_PLAIN(f64, f64) ON_PLAIN(bf16, f64))
#endif

#define ON_PLAIN(format, real) STN_ACCESSOR(format##_##real, 2, stn_##real, stn_##format)
PLAIN_LIST
#undef ON_PLAIN

/* Work items, and the memory of each in elements and in scales: a multiple of 16 bytes in any
 * format. */
enum { ITEMS = 192, REGION = 96, SCALES = 80 };

/* Rows of 17 with gaps of two: more than 16 bytes of any format are contiguous. */
enum { ROWS = 4, COLUMNS = 17, GAPPED = 19 };

/* The elements of each 16 bytes; each other 16 are stored. */
#define FOLD_VECTORS(type, real)                                                                   \
    for (int place = 0; place + (int)type##_vector <= REGION; place += type##_vector) {            \
        stn_##real values[type##_vector];                                                          \
        if (place / (int)type##_vector % 3)                                                        \
            type##_load_vector(type##_dense(codes, 1, REGION), 0, place, values);                  \
        else                                                                                       \
            type##_load_vector_streaming(type##_dense(codes, 1, REGION), 0, place, values);        \
        for (int part = 0; part < (int)type##_vector; part++) {                                    \
            sum = fold_##real(sum, values[part]);                                                  \
            values[part] = input_##real(seed + (stn_u64)(place + part));                           \
        }                                                                                          \
        if (place / (int)type##_vector % 4 == 1)                                                   \
            type##_store_vector(type##_dense(codes, 1, REGION), 0, place, values);                 \
        if (place / (int)type##_vector % 4 == 3)                                                   \
            type##_store_vector_streaming(type##_dense(codes, 1, REGION), 0, place, values);       \
    }

#define PLAIN_KERNEL(type, format, real)                                                           \
    STEPS(type, real)                                                                              \
    RUNS(type, real)                                                                               \
    AXPY(type, real)                                                                               \
    ROUTINE stn_u64 plain_##type(STN_MEM stn_##format *memory, STN_MEM stn_##real *wide,           \
                                 STN_MEM stn_##real *scales, stn_u64 item)                         \
    {                                                                                              \
        const stn_size extents[2] = {ROWS, COLUMNS}, stride[1] = {GAPPED};                         \
        const stn_u64 seed = item << 20;                                                           \
        STN_MEM stn_##format *const codes = memory + REGION * item;                                \
        const type x = type##_make(codes, extents, stride);                                        \
        const real##_##real y = real##_##real##_dense(wide + REGION * item, ROWS, COLUMNS);        \
        stn_u64 sum = stn_hash_bits(item);                                                         \
        (void)scales;                                                                              \
        fill_##format(codes, REGION, seed);                                                        \
        FOLD_VECTORS(type, real)                                                                   \
        for (int i = 0; i < ROWS; i++)                                                             \
            for (int j = 0; j < COLUMNS; j++) {                                                    \
                real##_##real##_set(y, i, j, input_##real(seed + (stn_u64)(64 * i + j)));          \
                type##_axpy(input_##real(seed), type##_to_const(x), y, i, j);                      \
                sum = fold_##real(sum, real##_##real##_get(y, i, j));                              \
            }                                                                                      \
        sum = type##_runs(x, seed, sum);                                                           \
        sum = type##_steps(x, seed, sum);                                                          \
        sum = type##_runs(type##_dense(codes, ROWS, COLUMNS), seed + 1, sum);                      \
        sum = type##_steps(type##_sub(x, stn_span_of(1, 3), stn_at(5)), seed, sum);                \
        sum = fold_all_##format(sum, codes, REGION);                                               \
        return sum;                                                                                \
    }

#define ON_PLAIN(format, real) PLAIN_KERNEL(format##_##real, format, real)
PLAIN_LIST
#undef ON_PLAIN

#endif
