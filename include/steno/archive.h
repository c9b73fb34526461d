/** @file
 * Archives: N-dimensional arrays of independently compressed blocks (library libsteno_codec).
 *
 * An archive stores an array in blocks of equal extents; blocks at the end of a dimension may be
 * smaller. Each block is compressed by a codec, and has a checksum. Blocks are read and written
 * in any order, and by several threads. A block whose elements are all zero takes no memory.
 *
 * General compressors decode at 0.2 to 4 GB/s per core, less than memory: archives save capacity,
 * not time. See doc/compression.md.
 *
 * A codec is described by a text:
 *
 * | text | codec |
 * |---|---|
 * | `none` | blocks are stored unchanged |
 * | `zstd`, `zstd:level=9` | zstd; level 1 to 22, by default 3 |
 * | `zlib`, `zlib:level=9` | zlib; level 1 to 9, by default 6 |
 * | `lz4`, `lz4:level=9` | LZ4; level 1, the default, is the fast compressor, 2 to 12 are LZ4HC |
 * | `blosc`, `blosc:level=9` | c-blosc with its byte shuffle; level 1 to 9, by default 5 |
 * | `lzw` | LZW, codes of 8 to 16 bits |
 * | `shuffle+zstd` | bytes are grouped by their position in the element before compression |
 * | `bitshuffle+zstd` | the same for bits |
 * | `zfp` | zfp, reversible: floating-point values are restored exactly |
 * | `zfp:accuracy=1e-6` | zfp; absolute error at most 1e-6 |
 * | `zfp:precision=16` | zfp; 16 bits per value before entropy coding; the error has no bound |
 * | `zfp:rate=8` | zfp; 8 bits per value; the error has no bound |
 * | `sz:error=1e-4` | prediction and quantization; absolute error at most 1e-4 |
 *
 * Filters precede zstd, zlib, lz4, lzw and none. Codecs of libraries that were missing when
 * libsteno_codec was built are refused with STN_ERR_UNSUPPORTED. `zfp` and `sz` compress f64, f32,
 * c128 and c64. A block that the codec cannot make smaller, that contains NaN or infinity (zfp),
 * or whose error would exceed the bound is stored unchanged, so NaN and infinity are restored.
 *
 * Formats are the built-in ones except block formats; archives have no scales. Reading is possible
 * from several threads at the same time, unless another thread writes the same archive. Archives
 * are in host memory: executors of devices are refused.
 *
 * Errors of all functions, where they apply:
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, or an argument is invalid
 * @retval STN_ERR_SHAPE        a rank or extent does not match
 * @retval STN_ERR_UNSUPPORTED  the executor is a device, or the codec does not support the format
 * @retval STN_ERR_MEMORY       out of memory
 * @retval STN_ERR_PARSE        a block is corrupt; the message contains its number and indices
 */
#ifndef STENO_ARCHIVE_H
#define STENO_ARCHIVE_H

#include "steno/detail/macro_check.h"
#include "steno/solver.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/** An archive. */
typedef struct stn_archive stn_archive;

/** What a codec promises about values that are read again. */
typedef enum stn_archive_loss {
    STN_ARCHIVE_LOSSLESS = 0, /**< the same bits */
    STN_ARCHIVE_BOUNDED = 1,  /**< an absolute error of at most the error bound */
    STN_ARCHIVE_UNBOUNDED = 2 /**< an error that depends on the values */
} stn_archive_loss;

/** Options of an archive. Initialize it with STN_ARCHIVE_OPTIONS_INIT. */
typedef struct stn_archive_options {
    size_t size;           /**< size of this struct */
    const char *codec;     /**< text of the codec; NULL: the first available of shuffle+zstd,
                            * shuffle+zlib and shuffle+lzw */
    const int64_t *block;  /**< extents of a block, one per dimension, at most 2^20 elements;
                            * NULL: about 4096 elements, whole rows for lossless codecs, cubes of
                            * a multiple of 4 for zfp and sz */
    int64_t cached_blocks; /**< number of decoded blocks that views keep; 0: as many as fit into
                            * 8 MiB, or two layers of blocks along the first dimension within
                            * 64 MiB */
} stn_archive_options;
/** Initializer of stn_archive_options. */
#define STN_ARCHIVE_OPTIONS_INIT STN_INIT(stn_archive_options)

/** Properties of an archive. Initialize it with STN_ARCHIVE_INFO_INIT. */
typedef struct stn_archive_info {
    size_t size;                  /**< size of this struct */
    stn_format format;            /**< format of the elements */
    int32_t rank;                 /**< number of dimensions */
    int64_t extent[STN_MAX_RANK]; /**< extents of the array */
    int64_t block[STN_MAX_RANK];  /**< extents of a block */
    char codec[64];               /**< text of the codec */
    stn_archive_loss loss;        /**< what the codec promises */
    int32_t is_mapped;            /**< 1 if the archive was opened from a file, otherwise 0 */
    double error_bound;           /**< largest absolute error: 0 for lossless codecs, infinity if
                                   * the codec has no bound */
    int64_t blocks;               /**< number of blocks */
    int64_t array_bytes;          /**< bytes of the array without compression */
    int64_t bytes;                /**< bytes of all compressed blocks */
    int64_t smallest_block;       /**< bytes of the smallest compressed block */
    int64_t largest_block;        /**< bytes of the largest compressed block */
    double ratio;                 /**< array_bytes / bytes; infinity if bytes is 0 */
} stn_archive_info;
/** Initializer of stn_archive_info. */
#define STN_ARCHIVE_INFO_INIT STN_INIT(stn_archive_info)

/** Properties of a codec. Initialize it with STN_ARCHIVE_CODEC_INFO_INIT. */
typedef struct stn_archive_codec_info {
    size_t size;            /**< size of this struct */
    const char *name;       /**< name, such as "zstd" */
    const char *library;    /**< library that implements it, with its version; NULL: missing */
    const char *parameters; /**< parameters with their ranges, or "" */
    stn_archive_loss loss;  /**< promise without parameters */
    int32_t is_filter;      /**< 1 for filters, which precede a codec, otherwise 0 */
} stn_archive_codec_info;
/** Initializer of stn_archive_codec_info. */
#define STN_ARCHIVE_CODEC_INFO_INIT STN_INIT(stn_archive_codec_info)

/** Returns the number of codecs and filters, including those whose library is missing. */
STN_API int stn_archive_codec_count(void);
/** Returns the properties of the codec with an `index`, from 0, in `info`.
 * @retval STN_ERR_RANGE  the index is out of range */
STN_API stn_status stn_archive_codec_describe(int index, stn_archive_codec_info *info);

/** Creates an archive whose elements are zero.
 *
 * @param[out] archive   archive, to be released with stn_archive_release(); NULL on error
 * @param format         a built-in format, not a block format
 * @param rank, extents  number of dimensions, and extent of each
 * @param options        options, or NULL
 * @retval STN_ERR_FORMAT       the format is invalid, registered, or a block format
 * @retval STN_ERR_PARSE        the codec text is malformed
 * @retval STN_ERR_RANGE        the number of bytes overflows, or a parameter or the extents of a
 *                              block are out of range
 * @retval STN_ERR_UNSUPPORTED  the codec is missing, or does not support the format */
STN_API stn_status stn_archive_create(stn_archive **archive, stn_format format, int rank,
                                      const int64_t *extents, const stn_archive_options *options);

/** Creates an archive of the elements of a view.
 *
 * The elements are converted to `format` by stn_view_copy(). The threads of the executor compress
 * blocks in parallel.
 *
 * @param exec          executor, or NULL: the calling thread
 * @param[out] archive  archive, to be released with stn_archive_release(); NULL on error
 * @param format        a built-in format, not a block format
 * @param view          the elements
 * @param options       options, or NULL
 * @return errors of stn_archive_create() and stn_view_copy()
 *
 * @code
 * stn_archive_options options = STN_INIT(stn_archive_options, .codec = "zfp:accuracy=1e-6");
 * status = stn_archive_pack(exec, &archive, STN_F64, &view, &options);
 * @endcode */
STN_API stn_status stn_archive_pack(const stn_exec *exec, stn_archive **archive, stn_format format,
                                    const stn_view *view, const stn_archive_options *options);

/** Opens a file that stn_archive_save() has written.
 *
 * The file is mapped. Header and index are checked; each block is checked when it is first read.
 * The file must not be changed while the archive is open. Blocks that are written are kept in
 * memory: the file is unchanged until it is saved.
 *
 * @param[out] archive  archive, to be released with stn_archive_release(); NULL on error
 * @param path          file
 * @retval STN_ERR_IO     the file cannot be read
 * @retval STN_ERR_PARSE  the file is not an archive or is corrupt; the message contains the reason
 * @retval STN_ERR_UNSUPPORTED  the version of the file, its codec or its format is unknown */
STN_API stn_status stn_archive_open(stn_archive **archive, const char *path);

/** Saves an archive.
 *
 * The function writes a temporary file in the same folder and renames it, so that `path` is always
 * a complete file. `path` may be the file from which the archive was opened.
 *
 * @param archive  archive
 * @param path     file
 * @retval STN_ERR_ARGUMENT  `path` exists and is not a regular file
 * @retval STN_ERR_IO        the file cannot be written */
STN_API stn_status stn_archive_save(stn_archive *archive, const char *path);

/** Returns the properties of an `archive` in `info`, whose size must be set. Blocks that a view has
 * changed are compressed first. */
STN_API stn_status stn_archive_describe(stn_archive *archive, stn_archive_info *info);

/** Reads a box of elements into a view.
 *
 * The elements are converted by stn_view_copy(). The threads of the executor decode blocks in
 * parallel. On error, part of the view may have been written.
 *
 * @param exec     executor, or NULL: the calling thread
 * @param to       view with the rank of the archive; its extents are those of the box
 * @param archive  archive
 * @param first    indices of the first element of the box; NULL: all 0
 * @retval STN_ERR_RANGE  the box exceeds the array
 * @retval STN_ERR_ALIAS  the view is one of the archive itself
 * @return errors of stn_view_copy() */
STN_API stn_status stn_archive_read(const stn_exec *exec, const stn_view *to, stn_archive *archive,
                                    const int64_t *first);

/** Writes a box of elements from a view.
 *
 * Blocks that the box covers in part are decoded and compressed again, which adds to the error of
 * codecs that are not lossless. On error, part of the box may have been written. The parameters and
 * errors are those of stn_archive_read().
 *
 * @param exec, archive, from, first  executor or NULL; archive; elements; indices or NULL */
STN_API stn_status stn_archive_write(const stn_exec *exec, stn_archive *archive,
                                     const stn_view *from, const int64_t *first);

/** Decodes every block of `archive` on the executor `exec` and checks checksums and contents. */
STN_API stn_status stn_archive_verify(const stn_exec *exec, stn_archive *archive);

/** Creates a view of the elements of an archive, which every operation on the host reads and
 * writes.
 *
 * The view has layout tiled. Its elements have no addresses: view.data must not be accessed, and
 * stn_view_address(), accessors, atomic operations, stn_view_resize() and devices refuse it with
 * STN_ERR_UNSUPPORTED. All views of an archive share decoded blocks (stn_archive_options). Changed
 * blocks are compressed when other blocks take their place, and before the archive is read, saved
 * or described.
 *
 * Before the first operation on an archive that was opened from a file, all of its blocks are
 * decoded once, so that corrupt blocks are errors of that operation. An error that occurs during an
 * operation, such as a lack of memory for a compressed block, is reported by the next one, and by
 * every later one; elements of a block that could not be decoded are read as NaN or -1.
 *
 * @param[out] view  view, to be released with stn_view_release(); empty on error
 * @param archive    archive
 *
 * @code
 * status = stn_archive_view(&x, archive);
 * if (status == STN_OK)
 *     status = stn_dot(exec, STN_F64, &result, &x, &y);
 * @endcode */
STN_API stn_status stn_archive_view(stn_view *view, stn_archive *archive);

/** Saves a checkpoint of a solver to a file, compressed by a lossless codec.
 *
 * The file is an archive. The function writes it as stn_archive_save() does.
 *
 * @param exec        executor, or NULL: the calling thread
 * @param checkpoint  checkpoint
 * @param path        file
 * @param codec       text of the codec; NULL: the default of archives
 * @retval STN_ERR_ARGUMENT     the checkpoint is NULL or empty
 * @retval STN_ERR_UNSUPPORTED  the codec is missing or not lossless
 * @return errors of stn_archive_create() and stn_archive_save() */
STN_API stn_status stn_archive_save_checkpoint(const stn_exec *exec,
                                               const stn_checkpoint *checkpoint, const char *path,
                                               const char *codec);

/** Loads a `checkpoint` from the file `path` of stn_archive_save_checkpoint(). The executor `exec`
 * decodes it; NULL is the calling thread. On error, the checkpoint is unchanged.
 * @retval STN_ERR_PARSE  the file is not an archive, contains no checkpoint, or is corrupt
 * @return errors of stn_archive_open() and stn_checkpoint_assign() */
STN_API stn_status stn_archive_load_checkpoint(const stn_exec *exec, stn_checkpoint *checkpoint,
                                               const char *path);

/** Releases `archive`. NULL is a no-op. Views of the archive keep it until they are released. */
STN_API void stn_archive_release(stn_archive *archive);

STN_END_DECLS

#endif
