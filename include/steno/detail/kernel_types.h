/* The tables of kernels that the macros of kernel.h define: loops over tiles and descriptions of
 * parameters. */
#ifndef STENO_KERNEL_TYPES_H
#define STENO_KERNEL_TYPES_H

#include "steno/detail/tile.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/** Rank of a space that is the broadcast of the extents of the views. */
#define STN_RANK_BROADCAST (-1)

/** Maximum number of parameters of a kernel. */
#define STN_MAX_PARAMETERS 48

#define STN_KERNEL_VERSION    1 /* version of the interface between loops and library */
#define STN_TILE_BUFFER_BYTES 65536
#define STN_STENCIL_RANK      4   /* maximum rank of shifted and stencil views */
#define STN_STENCIL_ROWS      128 /* maximum number of rows within the radius */

typedef enum stn_parameter_kind {
    STN_PARAMETER_REAL = 0,
    STN_PARAMETER_INDEX = 1,
    STN_PARAMETER_BITS = 2,
    STN_PARAMETER_AT = 3, /* names of indices; no argument */
    STN_PARAMETER_IN = 4,
    STN_PARAMETER_INOUT = 5,
    STN_PARAMETER_OUT = 6,
    STN_PARAMETER_MASKED = 7,
    STN_PARAMETER_SHIFTED = 8,
    STN_PARAMETER_STENCIL = 9,
    STN_PARAMETER_GATHER = 10,
    STN_PARAMETER_SCATTER = 11
} stn_parameter_kind;

/* Values outside a view. */
typedef enum stn_boundary {
    STN_BOUNDARY_NEAREST = 0,
    STN_BOUNDARY_ZERO = 1,
    STN_BOUNDARY_PERIODIC = 2,
    STN_BOUNDARY_VALUE = 3,
    STN_BOUNDARY_INSIDE = 4 /* elements that would read outside are not computed */
} stn_boundary;

typedef struct stn_parameter {
    stn_parameter_kind kind;
    const char *name;
    int32_t rank;                     /* of at, shifted, stencil, gather, scatter; otherwise 0 */
    int32_t offset[STN_STENCIL_RANK]; /* offset of shifted, radius of stencil */
    stn_boundary boundary;            /* of shifted and stencil */
    double value;                     /* of STN_BOUNDARY_VALUE; in i64 arithmetic `integer` */
    int64_t integer;
} stn_parameter;

/* How the loop encodes an element. */
typedef enum stn_code_storing {
    STN_STORES_BY_CALL = 0,
    STN_STORES_NARROW = 1,  /* floats of up to 16 bits */
    STN_STORES_INTEGER = 2, /* of up to 32 bits; saturated */
    STN_STORES_F32 = 3,
    STN_STORES_WORD = 4 /* 64 bits: f64, or integers modulo 2^64 */
} stn_code_storing;

/* How the loop decodes and encodes an element: value = (code - zero) * scale. */
typedef struct stn_code_form {
    stn_format format; /* STN_FORM_NONE: elements are read by calls of the library */
    /* Floats of up to 16 bits: shift of exponent and fraction to those of a binary32, correction of
     * the exponent, and the smallest bits of infinity or NaN. */
    uint32_t shift, special;
    float factor;
    double scale, zero;
    int64_t whole_zero; /* in i64 arithmetic */

    stn_code_storing storing;
    int32_t bytes;
    int32_t is_plain; /* codes are values: scale 1 and zero point 0 */
    double added;     /* the zero point; -0 if it is 0, which changes no sum */
    /* Floats of up to 16 bits, as bits of a binary64: the number of dropped bits, half their unit
     * minus 1, the smallest normal number, the difference of the exponents, and the positions of
     * the signs. */
    int32_t dropped, sign_shift;
    uint64_t half, least_normal, bias;
    double unit; /* the last place of this number is that of subnormal codes */
    /* The largest finite code, the code of larger numbers without its sign, and that of NaN, which
     * has no sign. */
    uint32_t largest, beyond, nan;
    /* Integers: the range of codes; in i64 arithmetic, that of values. */
    double lowest, highest;
    int64_t whole_lowest, whole_highest;
} stn_code_form;

#define STN_FORM_NONE (-1)

/* A gather or scatter view. */
typedef struct stn_indexed {
    char *data;
    int64_t stride[STN_MAX_RANK]; /* in bytes; if not native, positions of the reader times element
                                     size */
    int native;                   /* elements are stored in the arithmetic type, unscaled */
    const struct stn_reader *reader; /* reads and writes elements that are not native */
    const stn_view *view;
    int *beyond;        /* set if an element outside the view is accessed */
    stn_code_form form; /* of elements that are not native */
} stn_indexed;

/* The neighborhood of a row of elements in the arithmetic type: one row of the view per distance in
 * all dimensions except the last, in C order. */
typedef struct stn_stencil_rows {
    const void *rows[STN_STENCIL_ROWS];
    int64_t first;
    const stn_view *view;
    int *beyond; /* set if an element beyond the radius is read */
} stn_stencil_rows;

/* Types of gather, scatter and stencil parameters in bodies. */
struct stn_stencil;
/* clang-format off */
#define STN_DEFINE_RANKED(n)                                                                       \
    typedef struct stn_gather_##n { const stn_indexed *stn_elements; } stn_gather_##n;             \
    typedef struct stn_scatter_##n { const stn_indexed *stn_elements; } stn_scatter_##n;           \
    typedef struct stn_stencil_##n { const struct stn_stencil *stn_elements; } stn_stencil_##n
STN_DEFINE_RANKED(0); STN_DEFINE_RANKED(9); /* placeholders: 0 and more than 8 indices are errors */
STN_DEFINE_RANKED(1); STN_DEFINE_RANKED(2); STN_DEFINE_RANKED(3); STN_DEFINE_RANKED(4);
STN_DEFINE_RANKED(5); STN_DEFINE_RANKED(6); STN_DEFINE_RANKED(7); STN_DEFINE_RANKED(8);
/* clang-format on */

/* A scalar argument of a kernel. */
typedef union stn_number {
    stn_f64 f64;
    stn_f32 f32;
    stn_i64 i64;
    stn_u64 u64;
    stn_c128 c128;
    stn_c64 c64;
    const stn_indexed *indexed;
    void *mask; /* of masked views: per element, all bits 1 if it was stored */
} stn_number;

/* Up to STN_TILE_ELEMENTS elements along the last dimension. */
typedef struct stn_tile {
    void *values[STN_MAX_PARAMETERS];       /* of views, in the arithmetic type; stn_stencil_rows */
    stn_number numbers[STN_MAX_PARAMETERS]; /* arguments that are the same for all elements */
    int64_t index[STN_MAX_RANK];            /* of the first element */
    int64_t step[STN_MAX_RANK];             /* 1 for the last dimension, 0 for others */
    int64_t count;
    const struct stn_kernel *kernel;
    int *flags;   /* of outputs of checked kernels: set if an element was not assigned */
    void *buffer; /* buffer of the thread: STN_TILE_BUFFER_BYTES, aligned to 64 bytes */
} stn_tile;

typedef void stn_tile_loop(const stn_tile *tile);

/* A loop of STN_FUSE, which decodes and encodes views of given formats that are contiguous along
 * the last dimension. */
typedef struct stn_fused_loop {
    const stn_parameter *parameters; /* those of the kernel, which identify it */
    stn_format arithmetic;
    const stn_format *formats; /* format per parameter; -1 if it is not a view */
    stn_tile_loop *loop;
} stn_fused_loop;

/* Begin and end of the fused loops of a program or shared library, which the linker places in one
 * section. Both are NULL if there are none. */
#define STN_FUSED_SECTION "stn_fused"
extern const stn_fused_loop *const __start_stn_fused[]
    __attribute__((__weak__, __visibility__("hidden")));
extern const stn_fused_loop *const __stop_stn_fused[]
    __attribute__((__weak__, __visibility__("hidden")));

/* Rules of arithmetic that compiler flags of the program break: bits. */
typedef enum stn_kernel_breaks {
    STN_BREAKS_FUSED = 1,     /* products and sums are fused */
    STN_BREAKS_REORDERED = 2, /* sums are reordered */
    STN_BREAKS_INVERTED = 4,  /* quotients are products with a reciprocal */
    STN_BREAKS_UNSIGNED = 8   /* signs of zeros are lost */
} stn_kernel_breaks;

typedef struct stn_kernel {
    size_t size;      /* of the table that begins with this struct: stn_kernel or stn_reduction */
    uint32_t version; /* STN_KERNEL_VERSION of its headers */
    int32_t count;    /* of parameters */
    const char *name, *text;
    const stn_parameter *parameters;
    stn_tile_loop *f64, *f32, *i64, *c128, *c64; /* NULL if the arithmetic type is not supported */
    const stn_fused_loop *const *fused, *const *fused_end; /* all fused loops of the program */
    uint32_t (*probe)(void); /* returns the broken rules (stn_kernel_breaks); NULL: none */
    int32_t is_checked;      /* STN_KERNEL_CHECKED */
    int32_t is_cplusplus;    /* the text is C++ */
} stn_kernel;

/* Access to elements that are not native, at an offset in bytes. */
STN_API void stn_indexed_read(const stn_indexed *indexed, int64_t offset, void *value);
STN_API void stn_indexed_write(const stn_indexed *indexed, int64_t offset, const void *value);
STN_API int64_t stn_indexed_read_index(const stn_indexed *indexed, int64_t offset);

/* Updates an element atomically. Operations: -1 minimum, 0 sum, 1 maximum. */
STN_API void stn_indexed_update(const stn_indexed *indexed, int64_t offset, int operation,
                                const void *value);

STN_END_DECLS

#endif
