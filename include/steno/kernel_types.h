/* Kernels as the library sees them: loops over tiles, and what is known of their parameters. Made
 * by the macros of kernel.h. */
#ifndef STENO_KERNEL_TYPES_H
#define STENO_KERNEL_TYPES_H

#include "steno/names/hide.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

#define STN_MOST_PARAMETERS 24
#define STN_TILE_ELEMENTS   128
#define STN_ROOM_BYTES      65536
#define STN_NEAR_RANK       4   /* dimensions that a reach is declared for */
#define STN_NEAR_ROWS       128 /* within reach of a row of elements */

typedef enum stn_parameter_kind {
    STN_PARAMETER_REAL = 0,
    STN_PARAMETER_INDEX = 1,
    STN_PARAMETER_BITS = 2,
    STN_PARAMETER_IN = 3,
    STN_PARAMETER_INOUT = 4,
    STN_PARAMETER_OUT = 5,
    STN_PARAMETER_FIELD = 6,
    STN_PARAMETER_NEAR = 7 /* a field with a declared reach */
} stn_parameter_kind;

typedef struct stn_parameter {
    stn_parameter_kind kind;
    const char *name;
    int32_t rank; /* dimensions of the reach; 0 without one */
    int32_t reach[STN_NEAR_RANK];
} stn_parameter;

/* A field as a kernel sees it. */
typedef struct stn_field {
    char *data;
    int64_t stride[STN_MAX_RANK];    /* in bytes; where elements are not native: positions of the
                                      * reader,    times the bytes of one */
    int native;                      /* elements are values of the arithmetic type as they are */
    const struct stn_reader *reader; /* what reads and writes the others */
    const stn_view *view;
    int *beyond;    /* set when an element outside of the field is asked for */
    int put_native; /* elements may be stored, as they are */
    int *refused;   /* NULL: elements may be stored; else set when that is asked for */
} stn_field;

/* What is within reach of a row of elements, in the arithmetic type: rows of a field, one for each
 * distance in all dimensions but the last, in C order, and which element of the row they begin at.
 */
typedef struct stn_near_rows {
    const void *rows[STN_NEAR_ROWS];
    int64_t first;
    const stn_view *view;
    int *beyond; /* set when an element beyond the reach is asked for */
} stn_near_rows;

/* A number for a kernel. */
typedef union stn_number {
    stn_f64 f64;
    stn_f32 f32;
    stn_i64 i64;
    stn_u64 u64;
    stn_c128 c128;
    stn_c64 c64;
    const stn_field *field;
} stn_number;

/* Up to STN_TILE_ELEMENTS elements along the last dimension. */
typedef struct stn_tile {
    void *values[STN_MOST_PARAMETERS];       /* of views, in the arithmetic type; stn_near_rows */
    stn_number numbers[STN_MOST_PARAMETERS]; /* of what is the same for all elements */
    int64_t index[STN_MAX_RANK];             /* of the first element */
    int64_t step[STN_MAX_RANK];              /* 1 for the last dimension, 0 for others */
    int64_t count;
    const struct stn_kernel *kernel;
    void *room; /* for loops: STN_ROOM_BYTES that are the thread's own, at a multiple of 64 */
} stn_tile;

typedef void stn_tile_loop(const stn_tile *tile);

/* A loop for views of given formats, contiguous along the last dimension and plainly stored, which
 * it reads and writes itself; made by STN_FUSE. */
typedef struct stn_fused_loop {
    const struct stn_fused_loop *next;
    stn_format arithmetic;
    const stn_format *formats; /* of each parameter; -1: no view */
    stn_tile_loop *loop;
} stn_fused_loop;

/* Rules of arithmetic that a compiler was told not to keep, as bits. */
typedef enum stn_kernel_breaks {
    STN_BREAKS_FUSED = 1,     /* products and sums have one rounding */
    STN_BREAKS_REORDERED = 2, /* sums are taken in another order */
    STN_BREAKS_INVERTED = 4,  /* quotients are products with an inverse */
    STN_BREAKS_UNSIGNED = 8   /* zeros lose their signs */
} stn_kernel_breaks;

typedef struct stn_kernel {
    size_t size;     /* of this struct */
    uint32_t traits; /* found by the first launch */
    int32_t count;   /* of parameters */
    const char *name, *text;
    const stn_parameter *parameters;
    stn_tile_loop *f64, *f32, *i64, *c128, *c64; /* NULL: not in this arithmetic */
    const stn_fused_loop *fused;
    uint32_t (*probe)(void); /* which rules are broken where the loops are; NULL: none */
} stn_kernel;

/* What a parameter is given: as its kind says. */
typedef union stn_argument {
    stn_f64 real;
    stn_c128 complex_number;
    stn_i64 index;
    stn_u64 bits;
    const stn_view *view;
} stn_argument;

enum { STN_KERNEL_INSIDE = -2 }; /* a rank for stn_kernel_run */

/* Launch a kernel over `extents`, or, where rank is -1 and that is NULL, over the broadcast of its
 * views' extents; rank STN_KERNEL_INSIDE keeps to elements whose reach lies inside of all fields
 * that have one. What STN_MAP's functions call. */
STN_API stn_status stn_kernel_run(const stn_exec *exec, stn_kernel *kernel, stn_format arithmetic,
                                  int rank, const int64_t *extents, const stn_argument *arguments);

/* Elements of fields that are not values as they are, at an offset in bytes; and what is stored in
 * a field that is not to be written. */
STN_API void stn_field_read(const stn_field *field, int64_t offset, void *value);
STN_API void stn_field_write(const stn_field *field, int64_t offset, const void *value);
STN_API int64_t stn_field_read_index(const stn_field *field, int64_t offset);

STN_END_DECLS

#include "steno/names/show.h"

#endif
