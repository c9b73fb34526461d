/* Codecs: one row of a table each. A block of elements is encoded into bytes and decoded again. */
#ifndef STENO_CODEC_PACKER_H
#define STENO_CODEC_PACKER_H

#include "core/status.h"
#include "steno/archive.h"

enum {
    STN_PACKER_TEXT = 64,      /* bytes of a codec text with its end */
    STN_PACKER_PARAMETERS = 3, /* most parameters of a codec */
    STN_BLOCK_ELEMENTS = 4096, /* default */
    STN_BLOCK_MAX_ELEMENTS = 1 << 20,
    STN_ELEMENT_MAX_BYTES = 16
};

/* The elements of a block, in C order. */
typedef struct stn_cells {
    int rank;
    int64_t extent[STN_MAX_RANK];
    int64_t count;         /* of elements */
    int64_t bytes;         /* of an element */
    stn_format component;  /* format of the parts of an element */
    int parts;             /* 2: complex */
    const int64_t *stride; /* NULL: contiguous; strides in elements, for stn_block_takes_strides */
} stn_cells;

typedef struct stn_packer_parameter {
    const char *name; /* NULL: the end of the list */
    double minimum, maximum;
    int is_integer;
} stn_packer_parameter;

typedef struct stn_packer_row stn_packer_row;

/* A parsed codec text. */
typedef struct stn_packer {
    const stn_packer_row *row;
    const stn_packer_row *filter; /* or NULL */
    unsigned given;               /* bit k: parameter k has a value */
    double value[STN_PACKER_PARAMETERS];
} stn_packer;

/* The memory of one thread that encodes or decodes. */
typedef struct stn_packer_state {
    void *elements;          /* a block */
    void *filtered;          /* a block, for filters and typed codecs */
    uint8_t *packed;         /* 1 + a block, where encoders write */
    int64_t capacity;        /* bytes of a block */
    void *encoder, *decoder; /* contexts of the codec's library, closed by the row */
    void *scratch;           /* `scratch_bytes` of the row, at first zeros */
    int64_t scratch_bytes;
    struct stn_packer_state *next;
} stn_packer_state;

struct stn_packer_row {
    const char *name, *library; /* library NULL: missing */
    const char *needs;          /* name of the library */
    const char *parameters;     /* text for users */
    stn_archive_loss loss;      /* without parameters */
    int is_typed;               /* compresses floating-point values, not bytes */
    int takes_strides;          /* decodes real values of up to four dimensions at strides */
    int parameter_is_required;
    int bound_parameter; /* parameter that is the error bound, if there is one */
    stn_packer_parameter parameter[STN_PACKER_PARAMETERS + 1];
    /* Checks the combination of parameters and returns NULL or a sentence. NULL: any. */
    const char *(*check)(const stn_packer *packer);
    stn_archive_loss (*loss_of)(const stn_packer *packer); /* with parameters; NULL: `loss` */
    /* Bytes of scratch memory for blocks of at most this size; NULL: none. */
    int64_t (*scratch_bytes)(const stn_cells *largest);
    /* Returns the number of bytes written, at most `capacity`; 0: the block does not fit, or this
     * codec cannot encode it; -1: out of memory. */
    int64_t (*encode)(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                      const void *values, uint8_t *bytes, int64_t capacity);
    /* Returns NULL, or an error message. Never writes beyond the block. */
    const char *(*decode)(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                          const uint8_t *bytes, int64_t length, void *values);
    void (*close)(stn_packer_state *state); /* or NULL */
    /* Of filters: reorder bytes of `count` elements of `bytes` bytes. */
    void (*filter)(void *to, const void *from, int64_t count, int64_t bytes);
    void (*unfilter)(void *to, const void *from, int64_t count, int64_t bytes);
};

/* The rows, in the order of the documentation. */
extern const stn_packer_row *const stn_packer_rows[];
extern const stn_packer_row stn_packer_none, stn_packer_zstd, stn_packer_zlib, stn_packer_lz4,
    stn_packer_blosc, stn_packer_lzw, stn_packer_zfp, stn_packer_sz, stn_packer_shuffle,
    stn_packer_bitshuffle;

/* Parses a text. STN_ERR_PARSE, STN_ERR_RANGE, STN_ERR_UNSUPPORTED. */
stn_status stn_packer_parse(const char *call, const char *text, stn_packer *packer);

/* The text of the default codec. */
const char *stn_packer_default(void);

/* The value of parameter k, or `otherwise` if it is not given. */
double stn_packer_value(const stn_packer *packer, int k, double otherwise);

stn_archive_loss stn_packer_loss(const stn_packer *packer);
double stn_packer_error_bound(const stn_packer *packer);

/* Creates the memory of a thread for blocks of at most this size. STN_ERR_MEMORY. */
stn_status stn_packer_state_create(const stn_packer *packer, const stn_cells *largest,
                                   stn_packer_state **state);
void stn_packer_state_release(const stn_packer *packer, stn_packer_state *state);

/* Encodes a block into state->packed and returns its length, which is at most 1 + the bytes of the
 * elements; 0 for elements that are all zero bits; -1: out of memory. */
int64_t stn_block_encode(const stn_packer *packer, stn_packer_state *state, const stn_cells *cells,
                         const void *elements);

/* Can the block be decoded at strides? */
int stn_block_takes_strides(const stn_packer *packer, const stn_cells *cells, const uint8_t *bytes,
                            int64_t length);

/* Decodes a block. Returns NULL, or an error message. `elements` is not state->filtered. */
const char *stn_block_decode(const stn_packer *packer, stn_packer_state *state,
                             const stn_cells *cells, const uint8_t *bytes, int64_t length,
                             void *elements);

static inline int64_t stn_cells_bytes(const stn_cells *cells)
{
    return cells->count * cells->bytes;
}

#endif
