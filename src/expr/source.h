/* A kernel as a text for devices (exec/dialect.h): its body, and around it what reads and writes
 * the views as they are stored. Formats, rules of storing, ranks and strides of 0 and 1 are
 * constants of the text; extents, other strides, scales and the kernel's own numbers are in one
 * array that it is launched with, so that a text serves all sizes. */
#ifndef STENO_EXPR_SOURCE_H
#define STENO_EXPR_SOURCE_H

#include "steno/detail/kernel_types.h"

/* How a view is stored, and where its numbers begin. */
typedef struct stn_source_view {
    const char *format;      /* its name: elements are stn_NAME */
    const char *part;        /* that of a part of a complex one; else the same */
    const char *device_text; /* of a registered format */
    int bytes;               /* of an element */
    int counts;              /* before its counters, words that the kernel tells; 0: none */
    int rank;                /* of what an element's place is found by */
    int place; /* number: bytes from the argument to element (0, ...), then rank strides */
    enum {
        STN_SOURCE_STRIDED,
        STN_SOURCE_TILED,
        STN_SOURCE_MORTON,
        STN_SOURCE_TABLE,
        STN_SOURCE_PACKED,
        STN_SOURCE_BANDED
    } layout;
    int mapping; /* of tiled and Morton views, for each dimension of their mapping: first index,
                  * extent of a tile, stride of tiles and in a tile; or first index and bits. Of
                  * views whose elements' places are a table: where in it element (0, ...) is. Of
                  * packed ones both first indices, and 0 or 2 n - 1; of banded ones these, what
                  * both are multiplied with, what is added, and the last place */
    int mapping_rank;               /* strides are indices of it then */
    signed char axis[STN_MAX_RANK]; /* which one; -1: none */
    int extents;                    /* rank of them */
    int affine;                     /* scale, zero point; only where one of these two is set: */
    int has_scale, has_zero;
    int scales;          /* numbers: the scale of element (0, ...), phase and block, rank steps */
    int scales_at;       /* number: bytes from what goes along to scales; */
    int places_at;       /* and to the table */
    int scale_bytes;     /* 4, 8; 0: there are none that differ */
    int scale_dimension; /* that blocks are of; -1: none */
    signed char scale_step[STN_MAX_RANK]; /* 0, or another */
    int draws; /* seed, the first element's number, rank steps; only where: */
    int is_stochastic;
    int rounding, overflow;
    int is_whole;       /* a complex element is at a multiple of its bytes, and one access */
    int returns;        /* what is read comes back when it is stored, */
    int returns_finite; /* or does if it is finite */
    signed char step[STN_MAX_RANK]; /* 0 or 1; another stride is among the numbers */
} stn_source_view;

typedef struct stn_source {
    const stn_kernel *kernel;
    stn_format arithmetic;
    int rank;    /* of the space; its extents are numbers 1, 2, ... behind the count of elements */
    int is_wide; /* indices and places need 64 bits */
    int has_f64; /* the device computes in it */
    int is_host; /* the text is for its compiler: views lie in rows of the last dimension */
    int wide;    /* so many neighbours are one access of each view; 1: each element is one */
    int along;   /* the dimension that they are neighbours in */
    int chunks;  /* numbers of these: all, and those of a row */
    int has_extra; /* scales or places of views go along */
    int shares;    /* an output is an input, too */
    int numbers;   /* there are */
    int tells;     /* the last argument has a word for each parameter, set when an element is asked
                    * for that is beyond the radius, and then views' counters, two words each */
    int number[STN_MAX_PARAMETERS];  /* of real, index and bits */
    const char *names[STN_MAX_RANK]; /* of indices, where the kernel has some, and their lengths */
    int lengths[STN_MAX_RANK];
    stn_source_view views[STN_MAX_PARAMETERS];
} stn_source;

/* The text, of a kernel `steno_NAME` whose arguments are the numbers, each view's memory, what
 * goes along, where there is some, and, where it tells, the words. To be given back with stn_free.
 * STN_ERR_MEMORY. */
stn_status stn_source_write(const stn_source *source, char **text);

/* The functions of a registered format, by the names that those of other formats have; the header
 * of accessors stands before them. */
stn_status stn_source_write_format(const char *name, int bytes, const char *device_text,
                                   char **text);

#endif
