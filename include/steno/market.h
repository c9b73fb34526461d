/* Matrix Market files, and the sparse and dense matrices that they are read into and written from:
 * libsteno_market. */
#ifndef STENO_MARKET_H
#define STENO_MARKET_H

#include "steno/detail/macro_check.h"
#include "steno/format.h"

STN_BEGIN_DECLS

/* What the entries of a Matrix Market file are. */
typedef enum stn_market_field {
    STN_MARKET_REAL = 0,
    STN_MARKET_INTEGER = 1,
    STN_MARKET_COMPLEX = 2,
    STN_MARKET_PATTERN = 3 /* positions only */
} stn_market_field;

/* Which entries a Matrix Market file leaves out. */
typedef enum stn_market_symmetry {
    STN_MARKET_GENERAL = 0,
    STN_MARKET_SYMMETRIC = 1,
    STN_MARKET_SKEW = 2,
    STN_MARKET_HERMITIAN = 3
} stn_market_symmetry;

/* A matrix in host memory: dense and row-major, or compressed sparse rows (CSR). Indices count from
 * 0. An all-zero struct is an empty one that can be released. */
typedef struct stn_market_matrix {
    size_t size;                  /* of this struct, in bytes */
    stn_market_field field;       /* as the file said */
    stn_market_symmetry symmetry; /* as the file said; the values below are always expanded */
    int dense;                    /* 1: every element is there, row by row; 0: CSR */
    int64_t rows, columns;        /* each 1 ... 2^31 - 1 */
    int64_t stored;               /* entries in the file's body */
    int64_t summed;               /* of these, added to an earlier one: see STN_MARKET_SUM */
    int64_t unused_values;        /* numbers behind the positions of a pattern, which say nothing */
    int64_t entries;              /* in `values`: rows * columns, or the nonzeros after expansion */
    int64_t *row_start;           /* CSR: rows + 1 numbers, from 0 to `entries`; dense: NULL */
    int32_t *column;              /* CSR: `entries` of them, ascending in a row; dense: NULL */
    stn_format value_format; /* STN_F64 (real, pattern), STN_I64 (integer), STN_C128 (complex) */
    void *values; /* `entries` of double (ones for a pattern), int64_t or stn_c128; NULL if none */
    int64_t deviations[8]; /* uses of STN_MARKET_LENIENT, by stn_market_deviation */
} stn_market_matrix;

/* Deviations from the specification that STN_MARKET_LENIENT accepts. `deviations` of
 * stn_market_matrix counts each of them. */
typedef enum stn_market_deviation {
    STN_MARKET_BYTE_ORDER_MARK = 0,  /* the file begins with the UTF-8 byte-order mark */
    STN_MARKET_LEADING_BLANKS = 1,   /* white space or blank lines precede the banner */
    STN_MARKET_REAL_HERMITIAN = 2,   /* hermitian, but not complex: read as symmetric */
    STN_MARKET_ZERO_DIAGONAL = 3,    /* explicit zero on the diagonal of a skew-symmetric matrix */
    STN_MARKET_TRAILING_COMMENT = 4, /* a comment follows the size line or an entry */
    STN_MARKET_NONFINITE = 5,        /* a value is spelled inf, infinity or nan, in any case */
    STN_MARKET_OVERFLOW = 6          /* a value or a sum beyond the range of double: infinity */
} stn_market_deviation;

/* Options of stn_market_read_file, combined with |. */
typedef enum stn_market_flags {
    /* Entries for one position are added, as finite-element programs write them: in the order of
     * the file, each sum rounded to nearest; integers exactly; in a pattern the position counts
     * once. `summed` of the matrix tells how many were added to an earlier one. */
    STN_MARKET_SUM = 1u << 0,
    /* Files that deviate from the specification as stn_market_deviation lists are read. Each
     * deviation is counted in `deviations`. Without this flag, each of them is an error. */
    STN_MARKET_LENIENT = 1u << 1
} stn_market_flags;

/* Read the Matrix Market file at `path`, plain or compressed with gzip (by its content), into
 * *matrix; release it with stn_market_release. `flags`: 0, or stn_market_flags. What *matrix held
 * before is not looked at, and after a failure it is all zero. stn_error() names the file, the line
 * and what is wrong.
 *
 * Read are the forms coordinate and array, every field and every symmetry the specification
 * combines; symmetry is expanded. Banner words in any case; comments and blank lines anywhere below
 * the banner, comments with any bytes; spaces, tabs, vertical tabs, form feeds and carriage returns
 * between numbers, and so CRLF; indices with a sign; coordinate entries in any order, and in either
 * triangle of a symmetric, skew or Hermitian matrix (the specification writes the lower one);
 * explicit zeros are kept; exponents may be written with D. Decimals are rounded correctly to
 * double whatever the locale and the rounding mode; integers are exact. One or two numbers after
 * the position of a pattern are passed over, and counted in `unused_values`: the values of a
 * pattern are ones.
 *
 * Comments are separate lines: one that follows an entry on the same line is refused unless
 * `flags` has STN_MARKET_LENIENT.
 *
 * Refused, beyond what the specification refuses: two entries for one position (also by symmetry)
 * unless `flags` has STN_MARKET_SUM; infinities, NaN, decimals and sums beyond the range of double
 * unless `flags` has STN_MARKET_LENIENT; integers beyond 64 bits; a matrix without rows or columns,
 * lines over 256 KiB. Memory grows with the entries read, never with the number announced; as CSR
 * costs 8 bytes per row all the same, a coordinate file of more than 2^23 rows needs an entry for
 * every 16 of the rest.
 *
 * STN_ERR_ARGUMENT: a NULL pointer or an unknown flag; STN_ERR_IO: the file cannot be read;
 * STN_ERR_PARSE: it is not what it claims to be; STN_ERR_RANGE: an index outside the matrix, or a
 * number its type cannot hold;
 * STN_ERR_UNSUPPORTED: more than 2^31 - 1 rows or columns, or too few entries for the rows;
 * STN_ERR_MEMORY.
 *
 * Source: R. F. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats: Initial
 * Design, NISTIR 5935, 1996. */
STN_API stn_status stn_market_read_file(const char *path, stn_market_matrix *matrix,
                                        unsigned flags);

/* Write `matrix` to the Matrix Market file `path`, compressed with gzip when the name ends in
 * ".gz". The file is coordinate (CSR) or array (dense), its symmetry always general, its field that
 * of the matrix; reading it gives the same bits. Decimals get the fewest of 15 to 17 digits that
 * bring the value back. A temporary file beside `path` is written and renamed, so that `path` is
 * the old file or the whole new one, with the old permissions (a symbolic link is replaced); on
 * failure the temporary one is removed.
 *
 * STN_ERR_ARGUMENT: the matrix is not as its struct describes (its size included), a value is not
 * finite, a pattern has a value other than 1 or is dense, or `path` is there and no regular file;
 * STN_ERR_FORMAT: value_format is not the one of the field; STN_ERR_IO; STN_ERR_MEMORY. */
STN_API stn_status stn_market_write_file(const char *path, const stn_market_matrix *matrix);

/* Release what stn_market_read_file allocated and make *matrix all zero. NULL is allowed. */
STN_API void stn_market_release(stn_market_matrix *matrix);

STN_END_DECLS

#endif
