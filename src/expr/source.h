/* A kernel as a device text (exec/dialect.h): its body, surrounded by code that reads and writes
 * the views in their storage. Formats, rounding rules, ranks and strides of 0 and 1 are
 * constants of the text; extents, other strides, scales and the kernel's constants are in an
 * array passed at launch, so that one text serves all sizes. */
#ifndef STENO_EXPR_SOURCE_H
#define STENO_EXPR_SOURCE_H

#include "steno/detail/kernel_types.h"

/* Storage of a view, and indices of its constants. */
typedef struct stn_source_view {
    const char *format;      /* its name: elements are stn_NAME */
    const char *part;        /* format of a part if complex, otherwise the same */
    const char *device_text; /* of a registered format */
    int bytes;               /* bytes of an element */
    int counts;              /* position of its counters among the reported words; 0: none */
    int rank;                /* of the offset of an element */
    int place; /* index: offset in bytes of element (0, ...) from the argument, followed by rank
                  strides */
    enum {
        STN_SOURCE_STRIDED,
        STN_SOURCE_TILED,
        STN_SOURCE_MORTON,
        STN_SOURCE_TABLE,
        STN_SOURCE_PACKED,
        STN_SOURCE_BANDED
    } layout;
    int mapping; /* index of the constants of the layout. Tiled, per dimension of the mapping: first
                  * index, extent of a tile, stride of tiles and within a tile. Morton, per
                  * dimension: first index and bits. Table of offsets, and rows of blocks: position
                  * of element (0, ...). Packed: both first indices, and 0 or 2 n - 1. Banded: both
                  * first indices, their two factors, the constant, and the last offset */
    int mapping_rank;               /* number of dimensions that strides are indices of */
    signed char axis[STN_MAX_RANK]; /* its dimension; -1: none */
    int extents;                    /* rank of them */
    int affine;                     /* scale, zero point; only if one of these two is set: */
    signed char has_scale, has_zero;
    int scales;          /* index: scale of element (0, ...), phase and block, rank steps */
    int scales_at;       /* index: offset in bytes of the scales in additional data */
    int places_at;       /* the same of the table */
    int scale_bytes;     /* 4, 8; 0: one scale */
    int scale_dimension; /* dimension of blocks; -1: none */
    signed char scale_step[STN_MAX_RANK]; /* 0 or 1 */
    int widens; /* 64-bit integers are converted to f64, as in device/widen.h; 0: no */
    int draws;  /* seed, number of the first element, rank steps; only if: */
    signed char is_stochastic;
    signed char rounding, overflow;
    signed char is_whole; /* complex elements are aligned to their size, and accessed as a unit */
    signed char returns;  /* storing a value that was read restores its code */
    signed char returns_finite; /* only if the value is finite */
    signed char aligned;        /* the codes of all blocks are at multiples of it, up to 16 bytes */
    signed char step[STN_MAX_RANK]; /* 0 or 1; other strides are constants */
    int block;  /* id of a block format, whose elements are codes of f64; 0: none */
    int blocks; /* index: bytes from the codes to the scales, from the codes of a block to the next
                 * ones, and the same of scales */
    int staged; /* outputs in blocks: index of the position, in the staged codes, of offset 0;
                 * elements are stored there until the kernel has finished; 0: no */
    int planes; /* number of planes that are read (view/segmented.h); 0: elements are units */
    int planes_at; /* index: bytes from the upper part of element (0, ...) to its middle and lower
                    * ones */
} stn_source_view;

typedef struct stn_source {
    const stn_kernel *kernel;
    stn_format arithmetic;
    int rank; /* of the space; its extents are constants 1, 2, ..., after the number of elements */
    int is_wide;   /* indices and offsets need 64 bits */
    int has_f64;   /* the device supports it */
    int is_host;   /* for the host's compiler: rows of the last dimension */
    int wide;      /* number of neighbors accessed together in each view; 1: single elements */
    int along;     /* dimension of these neighbors */
    int chunks;    /* indices: total number of chunks, and per row; of groups, and per column */
    int group;     /* number of rows, adjacent in the dimension before the last, of which a thread
                    * processes one element each; 0: single elements. Only if there are elements that
                    * need no boundary: */
    int inner;     /* indices: per dimension, the first index of these elements, and the number of
                    * indices at which such a group begins */
    int blocks;    /* outputs are in blocks: number of neighbors of which a thread encodes whole
                    * blocks; 0: no. `along` is their dimension, or -1 if each has one element */
    int has_extra; /* additional data: scales or offsets of views */
    int shares;    /* an output is also an input */
    int unit;      /* elements are moved, in words of this number of bytes; 0: they have values */
    int numbers;   /* number of constants */
    int stages;    /* the last argument has the staged codes of views, which are all ones if nothing
                    * has been stored */
    int reports;   /* the argument before it has a word for each parameter, set if an element beyond
                    * the radius is accessed, followed by the counters of views, two words each */
    int number[STN_MAX_PARAMETERS]; /* constant of real, index and bits */
    const char
        *names[STN_MAX_RANK]; /* names of indices, if the kernel has them, and their lengths */
    int lengths[STN_MAX_RANK];
    stn_source_view views[STN_MAX_PARAMETERS];
} stn_source;

/* The largest access that divides a number of bytes: a power of two. */
enum { STN_SOURCE_ACCESS = 16 };
static inline int64_t stn_source_access(int64_t bytes)
{
    const int64_t multiple = bytes | STN_SOURCE_ACCESS;
    return multiple & -multiple;
}

/* Maximum distance before and after an element at which a parameter reads a view in a dimension. */
void stn_source_reach(const stn_parameter *p, int d, int *before, int *after);
int stn_source_has_reach(const stn_parameter *p);

/* Generates the text of a kernel `steno_NAME` whose arguments are the constants, the memory of
 * each view, additional data (if any) and reported words (if any). Release it with stn_free.
 * STN_ERR_MEMORY. */
stn_status stn_source_write(const stn_source *source, char **text);

#endif
