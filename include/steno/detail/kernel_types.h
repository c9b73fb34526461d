/* Kernels as the library sees them: loops over tiles, and what is known of their parameters. Made
 * by the macros of kernel.h. */
#ifndef STENO_KERNEL_TYPES_H
#define STENO_KERNEL_TYPES_H

#include "steno/detail/tile.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

#define STN_MAX_PARAMETERS 48
#define STN_KERNEL_VERSION 1 /* of what loops and library hand to each other */
#define STN_ROOM_BYTES     65536
#define STN_STENCIL_RANK   4   /* dimensions of shifted and stencil */
#define STN_STENCIL_ROWS   128 /* within the radius of a row of elements */

typedef enum stn_parameter_kind {
    STN_PARAMETER_REAL = 0,
    STN_PARAMETER_INDEX = 1,
    STN_PARAMETER_BITS = 2,
    STN_PARAMETER_AT = 3, /* names of indices: takes no argument */
    STN_PARAMETER_IN = 4,
    STN_PARAMETER_INOUT = 5,
    STN_PARAMETER_OUT = 6,
    STN_PARAMETER_MASKED = 7,
    STN_PARAMETER_SHIFTED = 8,
    STN_PARAMETER_STENCIL = 9,
    STN_PARAMETER_GATHER = 10,
    STN_PARAMETER_SCATTER = 11
} stn_parameter_kind;

/* What is read outside of a view. */
typedef enum stn_boundary {
    STN_BOUNDARY_NEAREST = 0,
    STN_BOUNDARY_ZERO = 1,
    STN_BOUNDARY_PERIODIC = 2,
    STN_BOUNDARY_VALUE = 3,
    STN_BOUNDARY_INSIDE = 4 /* nothing: such elements are left alone */
} stn_boundary;

typedef struct stn_parameter {
    stn_parameter_kind kind;
    const char *name;
    int32_t rank;                     /* of at, shifted, stencil, gather, scatter; else 0 */
    int32_t offset[STN_STENCIL_RANK]; /* of shifted; of stencil the radius */
    stn_boundary boundary;            /* of these two */
    double value;                     /* STN_BOUNDARY_VALUE's; in i64 arithmetic the next */
    int64_t integer;
} stn_parameter;

/* A view of which any element is used, as a kernel sees it. */
typedef struct stn_indexed {
    char *data;
    int64_t stride[STN_MAX_RANK];    /* in bytes; where elements are not native: positions of the
                                      * reader,    times the bytes of one */
    int native;                      /* elements are values of the arithmetic type as they are */
    const struct stn_reader *reader; /* what reads and writes the others */
    const stn_view *view;
    int *beyond; /* set when an element outside of the view is asked for */
} stn_indexed;

/* What is within the radius of a row of elements, in the arithmetic type: rows of a view, one for
 * each distance in all dimensions but the last, in C order, and which element of the row they begin
 * at.
 */
typedef struct stn_stencil_rows {
    const void *rows[STN_STENCIL_ROWS];
    int64_t first;
    const stn_view *view;
    int *beyond; /* set when an element beyond the radius is asked for */
} stn_stencil_rows;

/* What kernels have by the names of gather, scatter and stencil. */
struct stn_stencil;
#define STN_DEFINE_RANKED(n)                                                                       \
    typedef struct stn_gather_##n {                                                                \
        const stn_indexed *stn_elements;                                                           \
    } stn_gather_##n;                                                                              \
    typedef struct stn_scatter_##n {                                                               \
        const stn_indexed *stn_elements;                                                           \
    } stn_scatter_##n;                                                                             \
    typedef struct stn_stencil_##n {                                                               \
        const struct stn_stencil *stn_elements;                                                    \
    } stn_stencil_##n;
STN_DEFINE_RANKED(0) /* no parameter: 0 and more than 8 indices are errors with a sentence */
STN_DEFINE_RANKED(9)
STN_DEFINE_RANKED(1)
STN_DEFINE_RANKED(2)
STN_DEFINE_RANKED(3)
STN_DEFINE_RANKED(4)
STN_DEFINE_RANKED(5)
STN_DEFINE_RANKED(6)
STN_DEFINE_RANKED(7)
STN_DEFINE_RANKED(8)

/* A number for a kernel. */
typedef union stn_number {
    stn_f64 f64;
    stn_f32 f32;
    stn_i64 i64;
    stn_u64 u64;
    stn_c128 c128;
    stn_c64 c64;
    const stn_indexed *indexed;
    void *mask; /* of masked: where an element was stored, all bits 1, of its width */
} stn_number;

/* Up to STN_TILE_ELEMENTS elements along the last dimension. */
typedef struct stn_tile {
    void *values[STN_MAX_PARAMETERS];       /* of views, in the arithmetic type; stn_stencil_rows */
    stn_number numbers[STN_MAX_PARAMETERS]; /* of what is the same for all elements */
    int64_t index[STN_MAX_RANK];            /* of the first element */
    int64_t step[STN_MAX_RANK];             /* 1 for the last dimension, 0 for others */
    int64_t count;
    const struct stn_kernel *kernel;
    int *flags; /* of outputs, where kernels are checked: set when an element was not assigned */
    void *room; /* for loops: STN_ROOM_BYTES that are the thread's own, at a multiple of 64 */
} stn_tile;

typedef void stn_tile_loop(const stn_tile *tile);

/* A loop for views of given formats, contiguous along the last dimension and plainly stored, which
 * it reads and writes itself; made by STN_FUSE. */
typedef struct stn_fused_loop {
    const stn_parameter *parameters; /* the kernel's: whose loop it is */
    stn_format arithmetic;
    const stn_format *formats; /* of each parameter; -1: no view */
    stn_tile_loop *loop;
} stn_fused_loop;

/* Where the fused loops of a program, or of one of its libraries, are: the linker puts them side by
 * side. None: both are NULL. */
#define STN_FUSED_SECTION "stn_fused"
extern const stn_fused_loop *const __start_stn_fused[]
    __attribute__((__weak__, __visibility__("hidden")));
extern const stn_fused_loop *const __stop_stn_fused[]
    __attribute__((__weak__, __visibility__("hidden")));

/* Rules of arithmetic that a program was compiled without, as bits. */
typedef enum stn_kernel_breaks {
    STN_BREAKS_FUSED = 1,     /* products and sums have one rounding */
    STN_BREAKS_REORDERED = 2, /* sums are taken in another order */
    STN_BREAKS_INVERTED = 4,  /* quotients are products with an inverse */
    STN_BREAKS_UNSIGNED = 8   /* zeros lose their signs */
} stn_kernel_breaks;

typedef struct stn_kernel {
    size_t size;      /* of the table that this begins: a stn_kernel, or a stn_reduction */
    uint32_t version; /* STN_KERNEL_VERSION of the headers that made it */
    int32_t count;    /* of parameters */
    const char *name, *text;
    const stn_parameter *parameters;
    stn_tile_loop *f64, *f32, *i64, *c128, *c64;           /* NULL: not in this arithmetic */
    const stn_fused_loop *const *fused, *const *fused_end; /* among which are those of the kernel */
    uint32_t (*probe)(void); /* which rules are broken where the loops are; NULL: none */
    int32_t is_checked;      /* STN_KERNEL_CHECKED */
    int32_t is_cplusplus;    /* the text means what it does there */
} stn_kernel;

/* Elements of gather and scatter that are not values as they are, at an offset in bytes. */
STN_API void stn_indexed_read(const stn_indexed *indexed, int64_t offset, void *value);
STN_API void stn_indexed_write(const stn_indexed *indexed, int64_t offset, const void *value);
STN_API int64_t stn_indexed_read_index(const stn_indexed *indexed, int64_t offset);

/* element = operation(element, value), atomically; -1, 0, 1: the least of both, their sum, the
 * greatest. */
STN_API void stn_indexed_update(const stn_indexed *indexed, int64_t offset, int operation,
                                const void *value);

STN_END_DECLS

#endif
