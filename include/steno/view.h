/** @file
 * Views: N-dimensional arrays as small values. Copying the struct copies a handle, never data.
 *
 * Functions that return a status refuse a struct of another size, an invalid rank, and data NULL
 * with elements (STN_ERR_ARGUMENT), and an invalid format (STN_ERR_FORMAT). stn_view_release()
 * refuses only a struct of another size. Queries without a status return 0, or STN_LAYOUT_STRIDED,
 * for a struct of another size; they check nothing else, and treat NULL as an empty view.
 *
 * A single element is selected by `count` indices, which must be the rank of the view
 * (STN_ERR_SHAPE), within the extents (STN_ERR_RANGE). An executor that is NULL is the calling
 * thread.
 *
 * Errors of all functions, where they apply:
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, a rank or storage is invalid, or an element of an
 *                              empty view is selected
 * @retval STN_ERR_FORMAT       a format is invalid
 * @retval STN_ERR_SHAPE        an extent is negative, or a number of indices, slices or dimensions
 *                              is not the rank
 * @retval STN_ERR_RANGE        an index or a dimension is out of range, or the elements exceed the
 *                              address space
 * @retval STN_ERR_UNSUPPORTED  the executor or the host cannot access the memory
 * @retval STN_ERR_MEMORY       out of memory
 * @retval STN_ERR_DEVICE       the device reports an error
 */
#ifndef STENO_VIEW_H
#define STENO_VIEW_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/format.h"
#include "steno/layout.h"

STN_BEGIN_DECLS

/** Spaces: where memory is. Operations refuse memory that the calling thread or the executor cannot
 * access. */
typedef enum stn_space {
    STN_SPACE_HOST = 0,    /**< Memory of the host. */
    STN_SPACE_PINNED = 1,  /**< Memory of the host, page-locked for a device. */
    STN_SPACE_MANAGED = 2, /**< Moved between host and device by the driver. */
    STN_SPACE_DEVICE = 3   /**< Memory of a device. */
} stn_space;

/** Returns the name of a `space`: "host", "pinned", "managed" or "device"; "unknown space" for an
 * invalid value. */
STN_API const char *stn_space_name(stn_space space);
/** Returns 1 if code that runs on the executor `exec` can access the `space`, otherwise 0. */
STN_API int stn_space_accessible(const stn_exec *exec, stn_space space);
/** Returns the space in which the executor `exec` creates views by default. */
STN_API stn_space stn_exec_space(const stn_exec *exec);
/** Returns the layout with which the executor `exec` creates views by default. */
STN_API stn_layout_kind stn_exec_layout(const stn_exec *exec);

/** Traits: promises about the accesses through a view, combined with |. */
typedef enum stn_view_traits {
    STN_TRAIT_ATOMIC = 1,        /**< Only the operations of atomic.h access the elements. */
    STN_TRAIT_RANDOM_ACCESS = 2, /**< Read in no particular order: the view is read-only. */
    STN_TRAIT_RESTRICT = 4,      /**< No other operand refers to the elements. Overlaps are not
                                  * checked. */
    STN_TRAIT_ALIGNED = 8,       /**< data is a multiple of 64 bytes, which is checked. */
    STN_TRAIT_STREAMING = 16     /**< Stored values are not read again soon: non-temporal stores. */
} stn_view_traits;

/** Value of stn_scales.dimension: no dimension has blocks of indices with one scale. */
#define STN_NO_DIMENSION (-1)

/** Scales of a view that differ between elements: value = scale * (code - zero).
 *
 * Element (i, j) of a matrix has the scale data[i * stride[0] + j * stride[1]]. Dimension 1, block
 * 32 and strides n / 32, 1 are one scale per 32 consecutive elements of a row. A single scale for
 * all elements is a member of stn_storage. One scale per row:
 * @code
 * stn_scales rows = {
 *     .data = values, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
 * stn_view_set_scales(&matrix, &rows);
 * @endcode */
typedef struct stn_scales {
    void *data;        /**< Scale of element (0, ..., 0), in host memory; NULL: no scales. */
    stn_format format; /**< STN_F64 or STN_F32. */
    int32_t dimension; /**< Dimension with one scale per `block` indices, or STN_NO_DIMENSION.
                        * 0 is the first dimension, not none. */
    int64_t block;     /**< Number of consecutive indices of `dimension` with one scale. */
    int64_t phase;     /**< Position of index 0 in its block. */
    int64_t stride[STN_MAX_RANK]; /**< Stride in scales per index, or per block; 0 repeats. */
} stn_scales;

typedef struct stn_owner stn_owner; /**< Owner of memory: a count of handles. */
/** @cond INTERNAL */
typedef struct stn_view_extra stn_view_extra;
/** @endcond */

/** An N-dimensional array. All zeros are a valid empty view: rank 0, no elements, no owner.
 *
 * The functions below create views. Members may be read. The label, the scale, zero point, seed and
 * counters of the storage, and read_only may be set; rounding is chosen when the view is created,
 * because elements of layouts other than right draw by their offsets otherwise. The members after
 * `stride` are private. The size of this struct is frozen. */
typedef struct stn_view {
    uint16_t size;                /**< Size of this struct; 0: an empty view. */
    int8_t rank;                  /**< Number of dimensions, 0 to STN_MAX_RANK. */
    uint8_t space;                /**< A value of stn_space. */
    uint8_t read_only;            /**< 1: the elements cannot be written. */
    uint8_t fixed;                /**< Bit d: extent d never changes. */
    uint16_t traits;              /**< Values of stn_view_traits, combined with |. */
    void *data;                   /**< Element (0, ..., 0), or origin of the offsets. */
    const char *label;            /**< Name in error messages. */
    stn_storage storage;          /**< Storage of the elements. */
    int64_t extent[STN_MAX_RANK]; /**< Number of elements along each dimension. */
    /** Strides in elements, of any sign; 0 repeats. If the layout has no strides: strides in
     * indices of the whole array. */
    int64_t stride[STN_MAX_RANK];
    /** @cond INTERNAL */
    stn_owner *owner;            /* NULL: the view owns nothing */
    const stn_view_extra *extra; /* NULL: strided, one scale */
    uint64_t first;              /* number of element (0, ..., 0) in C order of the whole array */
    int8_t axis[STN_MAX_RANK];   /* with `extra`: the dimension of the whole array along which
                                  * dimension d runs */
    uint32_t life;               /* of the owner's, which this is a handle of */
    uint32_t reserved_word;      /* 0 */
    uint64_t reserved[2];        /* 0 */
    /** @endcond */
} stn_view;

/* ---- creation and release ---- */

/** Memory of a new view, combined with |. */
typedef enum stn_create_flags {
    STN_CREATE_UNINITIALIZED = 1, /**< Elements are left uninitialized; otherwise codes are zero. */
    STN_CREATE_PADDED = 2,        /**< Rows longer than 64 bytes begin at multiples of 64 bytes. */
    /** With the executor of a device: memory of the host that the device can access, too. */
    STN_CREATE_PINNED = 4,
    /** With the executor of a device: memory that the driver moves between both, up to the free
     * memory of the device. */
    STN_CREATE_MANAGED = 8
} stn_create_flags;

/** Description of a view for stn_view_create_spec(), stn_view_wrap_spec() and stn_view_adopt(). A
 * member that is 0 has its default. */
typedef struct stn_view_spec {
    size_t size;              /**< Size of this struct. */
    const char *label;        /**< Name in error messages; NULL is "". */
    stn_storage storage;      /**< Storage of the elements, such as stn_storage_of(STN_F16). */
    const stn_layout *layout; /**< Layout; NULL is layout right, unless there are strides. */
    int32_t rank;             /**< Number of dimensions. */
    uint32_t flags;           /**< Values of stn_create_flags, combined with |; of new memory. */
    const int64_t *extents;   /**< Extent of each dimension. */
    const int64_t *strides;   /**< Stride of each dimension in elements, in place of a layout. */
    void *data;               /**< Element (0, ..., 0); NULL for new memory. */
    const void *const_data;   /**< In place of `data`: memory that is only read. */
    void (*free_data)(void *data, void *context); /**< Frees the memory; for stn_view_adopt(). */
    void *context;                                /**< Passed to free_data. */
} stn_view_spec;
/** Initializes a stn_view_spec. */
#define STN_VIEW_SPEC_INIT STN_INIT(stn_view_spec)

#ifndef __cplusplus
/** A stn_view_spec with designated members, in C.
 * @code
 * stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = "a", .storage = stn_storage_of(STN_F32),
 *                                          .data = a, .rank = 2, .extents = extents,
 *                                          .strides = strides));
 * @endcode */
#    define STN_VIEW_SPEC(...) ((stn_view_spec)STN_INIT(stn_view_spec, __VA_ARGS__))
#endif

/** Creates a view with its own memory, whose elements are zero, in the default layout and space of
 * the executor.
 *
 * The threads of the executor write the elements in the parts that operations assign to them, so
 * each part is in the local memory of its thread. Memory is aligned to 64 bytes.
 *
 * @param exec           executor
 * @param[out] view      the view; empty on errors
 * @param label          name in error messages; copied; NULL is ""
 * @param storage        storage of the elements
 * @param rank, extents  number of dimensions, and extent of each
 * @retval STN_ERR_RANGE  the number of elements or bytes overflows */
STN_API stn_status stn_view_create(const stn_exec *exec, stn_view *view, const char *label,
                                   stn_storage storage, int rank, const int64_t *extents);

/** Creates a view with its own memory, with any layout and flags.
 * @param exec       executor
 * @param[out] view  the view; empty on errors
 * @param spec       description of the view, without data
 * @retval STN_ERR_ARGUMENT     the description has data, both a layout and strides, or invalid
 *                              flags; strides assign two elements to one position; or as
 *                              stn_view_create()
 * @retval STN_ERR_UNSUPPORTED  pinned or managed memory without a device */
STN_API stn_status stn_view_create_spec(const stn_exec *exec, stn_view *view,
                                        const stn_view_spec *spec);

/** Creates a view of memory that it does not own, with layout right. Nothing is allocated or read.
 * @param[out] view      the view; empty on errors
 * @param label          name in error messages; not copied
 * @param storage        storage of the elements
 * @param data           element (0, ..., 0); misaligned data is STN_ERR_ARGUMENT
 * @param rank, extents  number of dimensions, and extent of each */
STN_API stn_status stn_view_wrap(stn_view *view, const char *label, stn_storage storage, void *data,
                                 int rank, const int64_t *extents);
/** Read-only version of stn_view_wrap. */
STN_API stn_status stn_view_wrap_const(stn_view *view, const char *label, stn_storage storage,
                                       const void *data, int rank, const int64_t *extents);

/** Creates a view of memory that it does not own, with any strides or layout.
 *
 * The stride of a dimension with extent 1, and those of a view without elements, are arbitrary;
 * beyond 2^47 they become 0.
 *
 * A description is allocated for two kinds of views: those with a tiled, Morton, packed, banded or
 * custom layout, and those with stochastic rounding and a layout other than right, because parts
 * round as the whole array. stn_view_release() releases the description; the memory remains the
 * caller's. Other views allocate nothing.
 *
 * @param[out] view  the view; empty on errors
 * @param spec       description of the view; flags are 0 and free_data is NULL
 * @retval STN_ERR_ARGUMENT  the description has flags or free_data, both a layout and strides, or
 *                           two pointers to data; or as stn_view_wrap() */
STN_API stn_status stn_view_wrap_spec(stn_view *view, const stn_view_spec *spec);

/** Creates a view that owns memory of the program.
 *
 * The memory is freed by spec->free_data when the last handle is released. If the call fails, the
 * memory remains the caller's.
 *
 * @param[out] view  the view; empty on errors
 * @param spec       description of the view; flags are 0
 * @retval STN_ERR_ARGUMENT  free_data is NULL; or as stn_view_wrap_spec() */
STN_API stn_status stn_view_adopt(stn_view *view, const stn_view_spec *spec);

/** Creates another handle of the same elements and increments the use count.
 *
 * The previous content of *copy is overwritten, not released. Sharing a view with itself is a
 * no-op. Several threads may share and release handles of one owner at the same time.
 *
 * @param[out] copy  the new handle
 * @param view       the view */
STN_API stn_status stn_view_share(stn_view *copy, const stn_view *view);

/** Releases the handle `view`. The memory is freed with the last one.
 *
 * The view becomes empty. NULL and an empty view are no-ops; a part that borrows a handle is only
 * cleared. Plain copies of a handle must not be released: while other handles exist, they cannot be
 * distinguished from them, and the memory is freed too early. A plain copy of a handle whose memory
 * is freed is STN_ERR_ARGUMENT, as is a struct of another size, which is unchanged. */
STN_API stn_status stn_view_release(stn_view *view);

/** Returns the number of handles of the owner of `view`, including this one; 0 without an owner. */
STN_API int64_t stn_view_use_count(const stn_view *view);

/* ---- segmented views ---- */

/** Creates a segmented view with its own memory: f64 values whose bits are stored in planes of 32,
 * 16 and 16 bits, so that a view derived by stn_view_planes() reads only 32 or 48 bits per value.
 *
 * The elements are zero. Operations on the host and on devices read and write them as f64. All
 * values are exact, except that a NaN becomes quiet and keeps only its upper 32 bits. The elements
 * have no addresses: view.data must not be accessed, and stn_view_address(), accessors, atomic
 * operations, also in kernels on a device, and stn_view_resize() return STN_ERR_UNSUPPORTED.
 *
 * @param exec           executor in whose memory the view is created
 * @param[out] view      the view, in layout tiled; to be released; empty on errors
 * @param label          name in error messages; copied; NULL is ""
 * @param rank, extents  number of dimensions, 1 to STN_MAX_RANK, and extent of each
 * @retval STN_ERR_RANGE        the number of bytes overflows
 * @retval STN_ERR_MEMORY       not enough memory
 *
 * @code
 * stn_view_create_segmented(exec, &x, "x", 1, &n);
 * stn_view_copy(exec, &x, &values);
 * stn_view_planes(&x32, &x, 1);
 * stn_dot(exec, STN_F64, &result, &x32, &y);
 * @endcode */
STN_API stn_status stn_view_create_segmented(const stn_exec *exec, stn_view *view,
                                             const char *label, int rank, const int64_t *extents);

/** Creates a segmented view of memory that it does not own.
 *
 * For n elements, `data` has 8 n bytes, aligned to 8: n unsigned integers of 32 bits, n signed
 * integers of 16 bits, and n more of 16 bits, each plane in C order. The bits of an element are
 * upper * 2^32 + middle * 2^16 + lower modulo 2^64. Other views must not refer to the memory. The
 * other parameters and the errors are those of stn_view_create_segmented().
 *
 * @param[out] view                   the view; to be released
 * @param label, data, rank, extents  name, planes, number of dimensions, extent of each */
STN_API stn_status stn_view_wrap_segmented(stn_view *view, const char *label, void *data, int rank,
                                           const int64_t *extents);

/** Creates a further handle of a segmented view that reads the first 1, 2 or 3 planes.
 *
 * With 2 planes, a value is rounded to nearest to 48 bits (37 bits of precision); with 1 plane,
 * this value is rounded to nearest to 32 bits (21 bits of precision). Values between two codes
 * are rounded away from zero, and values beyond the largest code to infinity. NaN and infinities
 * are kept. With fewer than 3 planes, the view is read-only.
 *
 * @param[out] result  the handle, to be released; or `view` itself, whose number of planes is set
 * @param view         a segmented view, or a part of one that owns a handle
 * @param planes       number of planes: 1 (32 bits), 2 (48 bits) or 3 (64 bits)
 * @retval STN_ERR_RANGE        planes is out of range
 * @retval STN_ERR_UNSUPPORTED  the view is not segmented */
STN_API stn_status stn_view_planes(stn_view *result, const stn_view *view, int planes);

/** Returns the number of planes that a segmented `view` reads; 0 for other views. */
STN_API int stn_view_plane_count(const stn_view *view);

/* ---- queries ---- */

/** Returns the number of elements of `view`: 1 for rank 0, 0 for an empty view. */
STN_API int64_t stn_view_count(const stn_view *view);
/** Returns the number of elements between the lowest and the highest address of `view`, both
 * included; 0 if there are none. With a mapped layout, it is the span of the whole array. */
STN_API int64_t stn_view_span(const stn_view *view);
/** Returns 1 if the elements of `view` are all elements of their span, otherwise 0. */
STN_API int stn_view_is_contiguous(const stn_view *view);
/** Returns 1 if all elements of `view` have distinct addresses, otherwise 0. */
STN_API int stn_view_is_unique(const stn_view *view);
/** Returns the kind of layout of `view`; STN_LAYOUT_RIGHT if several apply. */
STN_API stn_layout_kind stn_view_layout(const stn_view *view);
/** Returns the `extent` of a `dimension` of `view`, counted from 0. */
STN_API stn_status stn_view_extent(const stn_view *view, int dimension, int64_t *extent);
/** Returns the `stride` of a `dimension` of `view` in elements.
 * @retval STN_ERR_UNSUPPORTED  the view has a layout without strides */
STN_API stn_status stn_view_stride(const stn_view *view, int dimension, int64_t *stride);

/** Returns all strides of a view.
 * @param view          the view
 * @param[out] strides  one stride per dimension
 * @param capacity      number of elements of `strides`, at least the rank
 * @retval STN_ERR_UNSUPPORTED  the view has a layout without strides */
STN_API stn_status stn_view_strides(const stn_view *view, int64_t *strides, int capacity);

/** Returns the leading dimension of a matrix for BLAS.
 * @param view               the view
 * @param[out] leading       the leading dimension
 * @param[out] is_row_major  1: row-major, 0: column-major
 * @retval STN_ERR_SHAPE        the rank is not 2
 * @retval STN_ERR_UNSUPPORTED  the matrix is neither row-major nor column-major */
STN_API stn_status stn_view_leading_dimension(const stn_view *view, int64_t *leading,
                                              int *is_row_major);

/** Returns the `offset` of an element from `view`->data in elements. `indices` has `count` indices,
 * one per dimension. The message of STN_ERR_RANGE contains indices and extents. */
STN_API stn_status stn_view_offset(const stn_view *view, int count, const int64_t *indices,
                                   int64_t *offset);

/** Returns the `address` of the element of `view` that `count` `indices` select.
 * @retval STN_ERR_UNSUPPORTED  the view is atomic, or the host cannot access its memory */
STN_API stn_status stn_view_address(const stn_view *view, int count, const int64_t *indices,
                                    void **address);

/** Returns 1 if elements of `view` can be accessed by their address: no scale, not atomic, and in
 * memory that the host can access. */
STN_API int stn_view_is_lvalue(const stn_view *view);
/** Returns 1 if the views `a` and `b` have the same memory, storage, layout, space, rank and
 * extents, otherwise 0. Constness and handles are not compared. */
STN_API int stn_view_equal(const stn_view *a, const stn_view *b);

/** Returns 1 if stn_view_assign() accepts two views: format, space, rank, fixed extents, layout and
 * constness match.
 * @param to           target; its layout is that of its strides
 * @param from         source
 * @param[out] reason  a sentence that states the reason; "" if the views match; or NULL
 * @param capacity     size of `reason` in bytes */
STN_API int stn_view_can_assign(const stn_view *to, const stn_view *from, char *reason,
                                size_t capacity);

/** Makes the view `to` a further handle of `from`, and releases its previous handle.
 *
 * Constness, traits and fixed extents of *to are unchanged, unless it is empty.
 *
 * @retval STN_ERR_SHAPE  the views do not match; the message contains the reason */
STN_API stn_status stn_view_assign(stn_view *to, const stn_view *from);

/* ---- properties ---- */

/** Sets the `traits` of `view`: values of stn_view_traits, combined with |.
 *
 * STN_TRAIT_RANDOM_ACCESS sets read_only, which remains if the trait is removed.
 *
 * @retval STN_ERR_ARGUMENT  an unknown trait, or STN_TRAIT_ALIGNED and data is not aligned */
STN_API stn_status stn_view_set_traits(stn_view *view, unsigned traits);

/** Fixes the extents of some dimensions of `view`, and of no others: they never change. Bit d of
 * `dimensions` is dimension d; a missing one is STN_ERR_ARGUMENT. */
STN_API stn_status stn_view_fix_extents(stn_view *view, unsigned dimensions);

/** States in which `space` the wrapped or adopted memory of `view` is.
 * @retval STN_ERR_ARGUMENT  the space is invalid, or the library allocated the memory */
STN_API stn_status stn_view_set_space(stn_view *view, stn_space space);

/** Sets `scales` of `view` that differ between elements; data NULL removes scales.
 *
 * The struct is copied into memory of the owner. A view without an owner gets one and must be
 * released. The scales are not copied and must live as long as the view.
 *
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, or the scales are invalid
 * @retval STN_ERR_FORMAT       scales are neither f64 nor f32
 * @retval STN_ERR_UNSUPPORTED  the layout has no strides
 * @retval STN_ERR_RANGE        the scales exceed the address space */
STN_API stn_status stn_view_set_scales(stn_view *view, const stn_scales *scales);

/** Returns the `scales` of `view`, or of the part of an array that it is; data is NULL if there are
 * none. */
STN_API stn_status stn_view_scales(const stn_view *view, stn_scales *scales);

/* ---- single elements ---- */

/** Returns the element of `view` that `count` `indices` select as a double in `value`. All
 * arguments are checked.
 * @retval STN_ERR_UNSUPPORTED  the format does not match, the view is atomic, or the host cannot
 *                              access its memory */
STN_API stn_status stn_view_get(const stn_view *view, int count, const int64_t *indices,
                                double *value);
/** Stores a double, `value`, in the element of `view` that `count` `indices` select.
 *
 * All arguments are checked. With stochastic rounding, the counter is the index of the element in C
 * order of the whole array.
 *
 * @retval STN_ERR_ARGUMENT     the view is read-only
 * @retval STN_ERR_UNSUPPORTED  as for stn_view_get() */
STN_API stn_status stn_view_set(const stn_view *view, int count, const int64_t *indices,
                                double value);
/** Complex version of stn_view_get. */
STN_API stn_status stn_view_get_complex(const stn_view *view, int count, const int64_t *indices,
                                        stn_c128 *value);
/** Complex version of stn_view_set. */
STN_API stn_status stn_view_set_complex(const stn_view *view, int count, const int64_t *indices,
                                        stn_c128 value);

/** @cond INTERNAL */
#ifdef __cplusplus
extern "C++" {
template <class... types_> struct stn_index_list {
    int64_t index_[sizeof...(types_)];
    const int64_t *stn_first() const { return index_; }
};
template <class... types_> inline stn_index_list<types_...> stn_index_list_of(types_... index_)
{
    const stn_index_list<types_...> list_ = {{int64_t(index_)...}};
    return list_;
}
}
#    define STN_VIEW_INDICES(...) stn_index_list_of(__VA_ARGS__).stn_first()
#    define STN_VIEW_COUNT(...)   int(sizeof stn_index_list_of(__VA_ARGS__) / sizeof(int64_t))
#else
#    define STN_VIEW_INDICES(...) ((const int64_t[]){__VA_ARGS__})
#    define STN_VIEW_COUNT(...)   ((int)(sizeof STN_VIEW_INDICES(__VA_ARGS__) / sizeof(int64_t)))
#endif
/** @endcond */

/** Calls stn_view_get() with a list of indices: STN_VIEW_GET(&view, &value, i, j). */
#define STN_VIEW_GET(view, value, ...)                                                             \
    stn_view_get(view, STN_VIEW_COUNT(__VA_ARGS__), STN_VIEW_INDICES(__VA_ARGS__), value)
/** Calls stn_view_set() with a list of indices: STN_VIEW_SET(&view, value, i, j). */
#define STN_VIEW_SET(view, value, ...)                                                             \
    stn_view_set(view, STN_VIEW_COUNT(__VA_ARGS__), STN_VIEW_INDICES(__VA_ARGS__), value)

/* ---- parts ---- */

/** Kinds of slices. */
typedef enum stn_slice_mode {
    STN_SLICE_RANGE = 0, /**< `count` indices from `begin` on. */
    STN_SLICE_INDEX = 1, /**< The index `begin`; the dimension is removed. */
    STN_SLICE_ALL = 2    /**< The whole dimension; the numbers have no effect. */
} stn_slice_mode;

/** Part of a dimension that a subview selects. The functions below create it. */
typedef struct stn_slice {
    int64_t begin;       /**< First index. */
    int64_t count;       /**< Number of indices. */
    int64_t step;        /**< Distance of the indices; negative: backward. */
    stn_slice_mode mode; /**< Kind of slice. */
    int32_t reserved;    /**< 0. */
} stn_slice;

/** Returns the slice of `count` indices from `begin` on, at a distance of `step`, which may be
 * negative. */
STN_FN stn_slice stn_slice_strided(int64_t begin_, int64_t count_, int64_t step_)
{
    stn_slice slice_;
    slice_.begin = begin_;
    slice_.count = count_;
    slice_.step = step_;
    slice_.mode = STN_SLICE_RANGE;
    slice_.reserved = 0;
    return slice_;
}
/** Returns the slice of one `index`. The dimension is removed. */
STN_FN stn_slice stn_slice_index(int64_t index_)
{
    stn_slice slice_ = stn_slice_strided(index_, 1, 1);
    slice_.mode = STN_SLICE_INDEX;
    return slice_;
}
/** Returns the slice of the indices from `begin` to `end` - 1. */
STN_FN stn_slice stn_slice_range(int64_t begin_, int64_t end_)
{
    return stn_slice_strided(begin_, (int64_t)((uint64_t)end_ - (uint64_t)begin_),
                             1); /* may wrap */
}
/** Returns the slice of all indices of a dimension. */
STN_FN stn_slice stn_slice_all(void)
{
    stn_slice slice_ = stn_slice_strided(0, 0, 1);
    slice_.mode = STN_SLICE_ALL;
    return slice_;
}

/** Creates a part of a view that borrows its handle.
 *
 * The view must live as long as the part. The part has no owner; releasing it is a no-op. *part may
 * be *view, which keeps its handle then. Values stored in the part are rounded as in the whole,
 * also stochastically. Extents remain fixed if the slice selects all of them. Nothing is allocated.
 *
 * @param[out] part      the part
 * @param view           the view
 * @param count, slices  number of slices, which is the rank, and one slice per dimension
 * @retval STN_ERR_RANGE        a slice is out of range or reversed
 * @retval STN_ERR_ARGUMENT     a step is 0
 * @retval STN_ERR_UNSUPPORTED  the part would cut blocks of elements with one scale unevenly */
STN_API stn_status stn_view_slice(stn_view *part, const stn_view *view, int count,
                                  const stn_slice *slices);
/** Version of stn_view_slice that creates a further handle, which must be released. If *part is
 * *view, it is one handle still. */
STN_API stn_status stn_view_share_slice(stn_view *part, const stn_view *view, int count,
                                        const stn_slice *slices);

/** Creates a view with permuted dimensions that borrows the handle, as stn_view_slice().
 * @param[out] permuted  the view
 * @param view           the view
 * @param count, order   the rank; dimension d of the result is order[d] of the view
 * @retval STN_ERR_ARGUMENT  `order` is not a permutation */
STN_API stn_status stn_view_permute(stn_view *permuted, const stn_view *view, int count,
                                    const int *order);

/** Creates a view, `wider`, with an additional dimension of extent 1 that borrows the handle of
 * `view`, as stn_view_slice(): (n, d) becomes (n, 1, d). `dimension` is its position, from 0 to the
 * rank.
 * @retval STN_ERR_RANGE  the position is out of range, or the rank is STN_MAX_RANK */
STN_API stn_status stn_view_insert_axis(stn_view *wider, const stn_view *view, int dimension);

/* ---- copying and filling ---- */

/** Copies all elements of a view to another one, converted between formats, scales and layouts.
 *
 * If both are stored alike, codes are copied. Integers without scales are converted through i64,
 * other formats through f64 as by stn_decode() and stn_encode(), and rounded by the rules of `to`.
 * Nothing is allocated, and the result does not depend on the number of threads. Copying a view to
 * itself is a no-op.
 *
 * On the executor of a device, at least one view must be in memory that it can access. Copies
 * within this memory return before they are complete. The first one between two formats compiles a
 * kernel (doc/devices.md).
 *
 * @param exec     executor
 * @param[out] to  target
 * @param from     source
 * @retval STN_ERR_SHAPE        ranks or extents differ
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, or `to` is read-only
 * @retval STN_ERR_ALIAS        the views overlap and are not the same, or `to` repeats elements
 * @retval STN_ERR_FORMAT       an opaque or complex format and another one
 * @retval STN_ERR_UNSUPPORTED  the executor cannot access the memory, or the device does not
 *                              support the copy
 * @retval STN_ERR_DEVICE       the device reports an error; all other errors are reported before
 *                              anything is written */
STN_API stn_status stn_view_copy(const stn_exec *exec, const stn_view *to, const stn_view *from);

/** Stores `value` in all elements of `view` on the executor `exec`.
 *
 * The value is encoded once by the rules of the view; with stochastic rounding, once per element.
 * An empty view is a no-op. The errors are those of stn_view_copy(). */
STN_API stn_status stn_view_fill(const stn_exec *exec, const stn_view *view, double value);

/** Selects the scales with which all elements of another view fit the format of a view.
 *
 * It sets the scale of the storage, or the scales of stn_view_set_scales(), each for its elements.
 * The codes of the view are unchanged: copy the elements afterwards.
 *
 * @param exec          executor
 * @param[in,out] view  the view
 * @param from          the elements, with the same extents
 * @param choice        kind of the scales
 * @retval STN_ERR_ARGUMENT     `choice` is invalid
 * @retval STN_ERR_SHAPE        the extents differ
 * @retval STN_ERR_UNSUPPORTED  the format has no known range, or the storage has a zero point
 * @retval STN_ERR_RANGE        negative values and an unsigned format */
STN_API stn_status stn_view_fit_scales(const stn_exec *exec, stn_view *view, const stn_view *from,
                                       stn_scale_choice choice);

/** Creates a view with the elements of another one in another format, in one call.
 *
 * The view owns host memory and has the label and the extents of `from`; its layout is left if that
 * of `from` is, otherwise right. If `storage` has scale 1 and no zero point, and its format is a
 * float or an integer, the scale is chosen where it is needed: the smallest power of two with which
 * all finite elements fit, if integers would store fractions (`from` is not an integer format
 * without scales), or if elements exceed the largest number of the format. The result states it in
 * `storage.scale`.
 *
 * @param exec       executor; that of a device does not choose scales
 * @param[out] view  the new view; unchanged on errors
 * @param from       the elements
 * @param storage    format, scale and rules of the new view
 * @retval STN_ERR_ARGUMENT  a pointer is NULL, or `from` is empty; and any error of
 *                           stn_view_create(), stn_view_fit_scales() and stn_view_copy() */
STN_API stn_status stn_view_convert(const stn_exec *exec, stn_view *view, const stn_view *from,
                                    stn_storage storage);

/* ---- other sizes ---- */

/** Changes the extents of a view.
 *
 * Allocates memory with the same label, layout, storage and space, copies the elements that both
 * sizes have, and zeroes the others unless STN_CREATE_UNINITIALIZED is set. Padded rows stay
 * padded. Strides that no named layout has keep their order and signs, without gaps. Other handles
 * keep the old elements. If the extents are unchanged, the call is a no-op.
 *
 * Parts that own a handle can be resized, too. A part of a tiled view gets tiles of the same
 * extents in its dimensions; a part of a Morton view has layout Morton. A part of a packed, banded
 * or custom layout that this layout does not describe, such as one with fewer dimensions, gets
 * layout right.
 *
 * @param exec           executor
 * @param[in,out] view   the view; unchanged on errors
 * @param rank, extents  number of dimensions, and extent of each
 * @param flags          values of stn_create_flags, combined with |
 * @retval STN_ERR_ARGUMENT     the view does not own its memory, or is read-only; and any error of
 *                              stn_view_create()
 * @retval STN_ERR_SHAPE        another rank, or a fixed extent
 * @retval STN_ERR_UNSUPPORTED  the view has scales from stn_view_set_scales() */
STN_API stn_status stn_view_resize(const stn_exec *exec, stn_view *view, int rank,
                                   const int64_t *extents, unsigned flags);

/** Version of stn_view_resize that copies no elements.
 *
 * If the extents are unchanged, the memory is kept and, unless STN_CREATE_UNINITIALIZED is set,
 * zeroed, which other handles observe. The old handle is released after the new memory is allocated
 * and, on the host, before it is written. */
STN_API stn_status stn_view_reallocate(const stn_exec *exec, stn_view *view, int rank,
                                       const int64_t *extents, unsigned flags);

/* ---- mirrors ---- */

/** Creates a view of the same shape, storage, strides and label in another space, uninitialized.
 *
 * The mirror of a view that repeats elements has layout right, except that of a whole packed or
 * banded matrix.
 *
 * @param exec         executor
 * @param[out] mirror  the new view
 * @param view         the view
 * @param space        the space; others than that of the host require a device
 *                     (STN_ERR_UNSUPPORTED) */
STN_API stn_status stn_view_mirror(const stn_exec *exec, stn_view *mirror, const stn_view *view,
                                   stn_space space);

/** Elements of a new mirror. */
typedef enum stn_mirror_contents {
    STN_MIRROR_UNINITIALIZED = 0, /**< Uninitialized. */
    STN_MIRROR_COPY = 1           /**< Those of the view. */
} stn_mirror_contents;

/** Creates a further handle of a view if its space is accessible like `space`; otherwise it creates
 * a mirror as stn_view_mirror, whose `contents` are uninitialized or copied.
 *
 * On the executor of a device, views in its memory or managed by it are accessible like the
 * device's, and all but those in its memory like the host's. */
STN_API stn_status stn_view_mirror_view(const stn_exec *exec, stn_view *mirror,
                                        const stn_view *view, stn_space space,
                                        stn_mirror_contents contents);

STN_END_DECLS

#endif
