/* Views: what an array in memory is, as a small value. Copying one copies a handle, never data. */
#ifndef STENO_VIEW_H
#define STENO_VIEW_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/format.h"
#include "steno/layout.h"

STN_BEGIN_DECLS

/* Where data is. Every access to memory that the calling thread or an executor cannot reach is
 * refused. */
typedef enum stn_space {
    STN_SPACE_HOST = 0,
    STN_SPACE_PINNED = 1,  /* the host's, locked for a device */
    STN_SPACE_MANAGED = 2, /* moves between host and device by itself */
    STN_SPACE_DEVICE = 3   /* out of the host's reach */
} stn_space;

/* "host", "pinned", "managed", "device"; "unknown space" for any other number. */
STN_API const char *stn_space_name(stn_space space);

/* Can code that runs on this executor read and write this space? */
STN_API int stn_space_accessible(const stn_exec *exec, stn_space space);

/* Where views of this executor are, and how they are laid out, by default; NULL
 * is the calling thread. */
STN_API stn_space stn_exec_space(const stn_exec *exec);
STN_API stn_layout_kind stn_exec_layout(const stn_exec *exec);

/* What is promised of the accesses through a view, as bits. */
typedef enum stn_view_traits {
    STN_TRAIT_ATOMIC = 1,        /* elements have no address, and are accessed by atomic.h only */
    STN_TRAIT_RANDOM_ACCESS = 2, /* read only, in no order: such a view is read-only */
    STN_TRAIT_RESTRICT = 4,      /* nothing else refers to the elements: no operation looks whether
                                  * another      operand overlaps them */
    STN_TRAIT_ALIGNED = 8,       /* the first element is at a multiple of 64 bytes: checked */
    STN_TRAIT_STREAMING = 16     /* what is stored is not read again soon: non-temporal stores */
} stn_view_traits;

/* Scales of a view that differ from element to element; one scale for all is in stn_storage. They
 * are read as value = scale * (code - zero). data NULL: there are none. Element (i, j) of a matrix
 * has the scale data[i * stride[0] + j * stride[1]]: with strides 1, 0 and dimension -1 a scale per
 * row; with dimension 1, block 32 and strides n / 32, 1 one per 32 neighbours of a row. */
typedef struct stn_scales {
    void *data; /* the scale of element (0, ..., 0), in host memory */
    stn_format format;
    int32_t dimension;    /* the one along which `block` neighbours share a scale; -1: none */
    int64_t block, phase; /* of that dimension; index 0 is number `phase` of its block */
    int64_t stride[STN_MAX_RANK]; /* in scales, per index, or per block of indices; 0 repeats */
} stn_scales;

typedef struct stn_owner stn_owner;           /* of memory and label, with a count of the handles */
typedef struct stn_view_extra stn_view_extra; /* state that few views have; private */

/* An N-dimensional array. All zeros are a valid view of nothing: rank 0, no elements, no owner.
 * Otherwise made by the functions below. Members may be read; the label, the storage's scale, zero
 * point, seed and counters, and read_only may be set. The members after `stride` are private. The
 * size of this struct is frozen.
 *
 * Operations that return a status refuse a struct of another size, a rank that there is not and
 * data NULL with elements (STN_ERR_ARGUMENT), and a format that there is not (STN_ERR_FORMAT).
 * Other members that a program overwrites, and memory that a view does not own or that is shorter
 * than it says, cannot be seen; questions that return no status, and stn_view_release, look at
 * none. */
typedef struct stn_view {
    uint16_t size;       /* of this struct; 0: an empty view */
    int8_t rank;         /* 0 to STN_MAX_RANK */
    uint8_t space;       /* of stn_space */
    uint8_t read_only;   /* calls that would write refuse the view */
    uint8_t fixed;       /* bit d: extent d is part of the type and never changes */
    uint16_t traits;     /* of stn_view_traits */
    void *data;          /* element (0, ..., 0), or of a mapped view what offsets count from */
    const char *label;   /* appears in error messages; the owner's copy, else not copied */
    stn_storage storage; /* how each element is stored */
    int64_t extent[STN_MAX_RANK];
    int64_t stride[STN_MAX_RANK]; /* in elements, of any sign; 0 repeats. Of a mapped view: in
                                   * indices of the mapping's dimension axis[d] */
    stn_owner *owner;             /* NULL: the view owns nothing */
    const stn_view_extra *extra;  /* NULL: strided, one scale */
    uint64_t first;               /* number of element (0, ..., 0) in C order of the whole array */
    int8_t axis[STN_MAX_RANK];    /* with `extra`: the dimension of the whole array along which
                                   * dimension d runs */
    uint32_t life;                /* of the owner's, which this is a handle of */
    uint32_t reserved_word;       /* 0 */
    uint64_t reserved[2];         /* 0 */
} stn_view;

/* ---- making and giving back ---- */

/* How memory of a new view is prepared, as bits. */
typedef enum stn_create_flags {
    STN_CREATE_UNINITIALIZED = 1, /* elements are as they come; otherwise their codes are zero */
    STN_CREATE_PADDED = 2, /* rows begin at multiples of 64 bytes where they are longer than that */
    /* Of a device's executor, in place of the device's own memory; never both: */
    STN_CREATE_PINNED = 4, /* the host's, which the device reads and writes, too */
    STN_CREATE_MANAGED = 8 /* moves between both by itself; no more than the device has free */
} stn_create_flags;

/* Allocate a view with one handle, its elements zero: written by the executor's threads, in the
 * parts that operations on it share out, so that each part is in its thread's own memory. exec
 * NULL: by the calling thread.
 *
 * On a device's executor the memory is the device's, or as the flags say.
 *
 * `layout` NULL is the executor's default: layout right. The label is copied; NULL is "". Memory is
 * aligned to 64 bytes.
 * STN_ERR_ARGUMENT (null pointers, rank, flags, a scale of 0 or not finite, unknown rules of
 * storing, strides that put two elements in one place), STN_ERR_FORMAT, STN_ERR_SHAPE (a negative
 * extent), STN_ERR_RANGE (elements or bytes overflow; a view with an extent of 0 has none),
 * STN_ERR_MEMORY; STN_ERR_UNSUPPORTED for pinned and managed memory without a device,
 * STN_ERR_DEVICE. On any error *view is a view of nothing. */
STN_API stn_status stn_view_create(const stn_exec *exec, stn_view *view, const char *label,
                                   stn_storage storage, const stn_layout *layout, int rank,
                                   const int64_t *extents, unsigned flags);

/* Describe memory as a view that does not own it. `strides` NULL means layout right: the last
 * dimension is contiguous. Where no element goes by a stride, along an extent of 1 and in a view
 * without elements, it may be any; beyond 2^47 it becomes 0. No element is read. A view that rounds
 * stochastically and does not have layout right allocates a description of the array, so that parts
 * round as the whole does: release such a view (STN_ERR_MEMORY). Other views allocate nothing.
 * STN_ERR_ARGUMENT (null pointers, rank, misaligned data, storage as above), STN_ERR_FORMAT,
 * STN_ERR_SHAPE (a negative extent), STN_ERR_RANGE (the elements span more than the address space).
 */
STN_API stn_status stn_view_wrap(stn_view *view, const char *label, stn_storage storage, void *data,
                                 int rank, const int64_t *extents, const int64_t *strides);

/* The same over memory that is only read. */
STN_API stn_status stn_view_wrap_const(stn_view *view, const char *label, stn_storage storage,
                                       const void *data, int rank, const int64_t *extents,
                                       const int64_t *strides);

/* The same with any layout. The mapping of a tiled, Morton or custom layout is allocated:
 * stn_view_release gives it back, the memory stays the caller's. STN_ERR_MEMORY too. */
STN_API stn_status stn_view_wrap_layout(stn_view *view, const char *label, stn_storage storage,
                                        void *data, const stn_layout *layout, int rank,
                                        const int64_t *extents);

/* The same over memory that `free_data` is called for, with its context, when the last handle is
 * released: the view owns it from now on, unless the call fails. */
STN_API stn_status stn_view_adopt(stn_view *view, const char *label, stn_storage storage,
                                  void *data, const stn_layout *layout, int rank,
                                  const int64_t *extents,
                                  void (*free_data)(void *data, void *context), void *context);

/* Another handle of the same elements: *copy becomes *view, and the owner counts one more. Whatever
 * *copy was is overwritten, not released; a view shared onto itself stays as it is. Any number of
 * threads may share and release handles of one owner at once. */
STN_API stn_status stn_view_share(stn_view *copy, const stn_view *view);

/* Give a handle back and make *view a view of nothing. The memory is freed with the last one. NULL
 * and views of nothing are nothing to do, parts that borrow are only cleared. STN_ERR_ARGUMENT for
 * a plain copy of a handle of which the memory is gone, with the last handle of it; calls that
 * return a status refuse such a copy too: *view becomes a view of nothing, and no memory is
 * touched. As long as there are other handles a plain copy is not told from one of them: releasing
 * it counts one down that is not its own, and the memory goes too early. */
STN_API stn_status stn_view_release(stn_view *view);

/* Handles there are, *view among them; 0 for a view without an owner: wrapped, or a part that
 * borrows one. */
STN_API int64_t stn_view_use_count(const stn_view *view);

/* ---- asking ---- */

/* Elements; 1 for rank 0, 0 for a view of nothing. */
STN_API int64_t stn_view_count(const stn_view *view);

/* Elements between the lowest and the highest address, both included; 0 where there are none. Of a
 * mapped view: those the whole mapping spans. */
STN_API int64_t stn_view_span(const stn_view *view);

/* Are the elements all that is in their span? */
STN_API int stn_view_is_contiguous(const stn_view *view);

/* Has every element a place of its own? */
STN_API int stn_view_is_unique(const stn_view *view);

/* The layout that the strides, or the mapping, make; STN_LAYOUT_RIGHT where several are true. */
STN_API stn_layout_kind stn_view_layout(const stn_view *view);

/* Extent and stride of a dimension. STN_ERR_RANGE for a dimension the view does not have;
 * STN_ERR_UNSUPPORTED for the stride of a mapped view. */
STN_API stn_status stn_view_extent(const stn_view *view, int dimension, int64_t *extent);
STN_API stn_status stn_view_stride(const stn_view *view, int dimension, int64_t *stride);

/* Exactly `rank` strides into `strides`, which has room for `room`. STN_ERR_RANGE when that is too
 * little; nothing is written then. */
STN_API stn_status stn_view_strides(const stn_view *view, int64_t *strides, int room);

/* For a BLAS: the matrix is column-major (or row-major, *is_row_major 1) with this leading
 * dimension. STN_ERR_SHAPE unless the rank is 2, STN_ERR_UNSUPPORTED when neither is true. */
STN_API stn_status stn_view_leading_dimension(const stn_view *view, int64_t *leading,
                                              int *is_row_major);

/* The offset of an element from data, in elements. STN_ERR_SHAPE unless `count` is the rank,
 * STN_ERR_RANGE for an index outside, with indices and extents in the message. */
STN_API stn_status stn_view_offset(const stn_view *view, int count, const int64_t *indices,
                                   int64_t *offset);

/* The address of an element. STN_ERR_UNSUPPORTED where elements have none that a program may use:
 * atomic views, memory out of the host's reach; errors of stn_view_offset. */
STN_API stn_status stn_view_address(const stn_view *view, int count, const int64_t *indices,
                                    void **address);

/* Does an element have an address, at which the value stands as it is: no scale, not atomic, and
 * within the host's reach? */
STN_API int stn_view_is_lvalue(const stn_view *view);

/* Same memory, storage, layout, space, rank and extents? Constness and handles do not matter. */
STN_API int stn_view_equal(const stn_view *a, const stn_view *b);

/* May a view like `from` take the place of one like `to`: format, space, rank, extents that `to`
 * fixes, layout (`to`'s layout is what its strides say) and constness? `reason`, of `room` bytes
 * (or NULL), gets a sentence; "" when it may. */
STN_API int stn_view_can_assign(const stn_view *to, const stn_view *from, char *reason,
                                size_t room);

/* *to = *from as a further handle, if stn_view_can_assign; *to's handle is released. Constness,
 * traits and fixed extents stay *to's, unless it is a view of nothing. STN_ERR_SHAPE with the
 * reason. */
STN_API stn_status stn_view_assign(stn_view *to, const stn_view *from);

/* ---- properties ---- */

/* The same elements with other traits: no further handle, nothing is copied.
 * STN_TRAIT_RANDOM_ACCESS sets read_only, which stays when the trait goes. STN_ERR_ARGUMENT for
 * unknown bits, and for STN_TRAIT_ALIGNED where data is not. */
STN_API stn_status stn_view_set_traits(stn_view *view, unsigned traits);

/* Make the extents of these dimensions (bit d: dimension d), and no others, part of the view's
 * type. STN_ERR_ARGUMENT for dimensions it does not have. */
STN_API stn_status stn_view_fix_extents(stn_view *view, unsigned dimensions);

/* Say where data is that was wrapped or adopted. STN_ERR_ARGUMENT for an unknown space and for
 * memory that the library allocated. */
STN_API stn_status stn_view_set_space(stn_view *view, stn_space space);

/* Give a view scales that differ between elements. The struct is copied into memory that the
 * view's owner frees; a view without an owner gets one: release such a view. The scales themselves
 * are not copied, and must live as long. data NULL takes scales away.
 * STN_ERR_ARGUMENT, STN_ERR_FORMAT (scales are f64 or f32), STN_ERR_UNSUPPORTED (mapped views),
 * STN_ERR_RANGE (scales beyond the address space), STN_ERR_MEMORY. */
STN_API stn_status stn_view_set_scales(stn_view *view, const stn_scales *scales);

/* The scales of a view, or of the part of an array that it is; data NULL: there are none. */
STN_API stn_status stn_view_scales(const stn_view *view, stn_scales *scales);

/* ---- single elements ---- */

/* One element as a double, or from one, with all checks: rank, bounds, space, constness. With
 * stochastic rounding an element draws by its number in C order, of a part by that in the whole.
 * Errors of stn_view_address and of stn_decode and stn_encode; STN_ERR_ARGUMENT for writing to a
 * read-only view. */
STN_API stn_status stn_view_get(const stn_view *view, int count, const int64_t *indices,
                                double *value);
STN_API stn_status stn_view_set(const stn_view *view, int count, const int64_t *indices,
                                double value);

/* The same for views of complex formats. */
STN_API stn_status stn_view_get_complex(const stn_view *view, int count, const int64_t *indices,
                                        stn_c128 *value);
STN_API stn_status stn_view_set_complex(const stn_view *view, int count, const int64_t *indices,
                                        stn_c128 value);

/* STN_VIEW_GET(&view, &value, i, j) and STN_VIEW_SET(&view, value, i, j). */
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
#define STN_VIEW_GET(view, value, ...)                                                             \
    stn_view_get(view, STN_VIEW_COUNT(__VA_ARGS__), STN_VIEW_INDICES(__VA_ARGS__), value)
#define STN_VIEW_SET(view, value, ...)                                                             \
    stn_view_set(view, STN_VIEW_COUNT(__VA_ARGS__), STN_VIEW_INDICES(__VA_ARGS__), value)

/* ---- parts ---- */

/* What a subview takes of a dimension. */
typedef struct stn_slice {
    int64_t begin, count, step; /* the indices begin, begin + step, ...; count of them */
    int32_t drops;              /* one index, and the dimension goes */
    int32_t all;                /* the whole dimension, whatever the numbers say */
} stn_slice;

/* One index; indices begin to end - 1; all; every step-th from begin on, count of them (a negative
 * step goes backward). */
STN_FN stn_slice stn_slice_strided(int64_t begin_, int64_t count_, int64_t step_)
{
    stn_slice slice_;
    slice_.begin = begin_;
    slice_.count = count_;
    slice_.step = step_;
    slice_.drops = slice_.all = 0;
    return slice_;
}
STN_FN stn_slice stn_slice_index(int64_t index_)
{
    stn_slice slice_ = stn_slice_strided(index_, 1, 1);
    slice_.drops = 1;
    return slice_;
}
STN_FN stn_slice stn_slice_range(int64_t begin_, int64_t end_)
{
    return stn_slice_strided(begin_, (int64_t)((uint64_t)end_ - (uint64_t)begin_),
                             1); /* may wrap */
}
STN_FN stn_slice stn_slice_all(void)
{
    stn_slice slice_ = stn_slice_strided(0, 0, 1);
    slice_.all = 1;
    return slice_;
}

/* Part of a view, one slice per dimension: a view of the same elements that borrows the handle of
 * *view, which must live as long. Values stored in it are rounded as they would be in the whole,
 * stochastically too. It has no owner; releasing it does nothing. *part may be *view,
 * which keeps its handle then. Extents stay fixed where all of them is taken. STN_ERR_SHAPE unless
 * `count` is the rank, STN_ERR_RANGE for slices outside or reversed, STN_ERR_ARGUMENT for a step of
 * 0, STN_ERR_UNSUPPORTED where the blocks that share a scale would be cut unevenly. */
STN_API stn_status stn_view_slice(stn_view *part, const stn_view *view, int count,
                                  const stn_slice *slices);

/* The same as a further handle, which is to be released; *part as *view is one handle still. */
STN_API stn_status stn_view_share_slice(stn_view *part, const stn_view *view, int count,
                                        const stn_slice *slices);

/* The dimensions in another order: dimension d of *permuted is order[d] of *view. A borrowed part,
 * as of stn_view_slice. STN_ERR_ARGUMENT unless order has each once. */
STN_API stn_status stn_view_permute(stn_view *permuted, const stn_view *view, int count,
                                    const int *order);

/* A dimension of extent 1 more, at place `dimension`, 0 to the rank: (n, d) as (n, 1, d). Those
 * from there on move up; scales, mapping and fixed extents go with them. A borrowed part, as of
 * stn_view_slice. STN_ERR_RANGE for another place, and where the rank is STN_MAX_RANK already. */
STN_API stn_status stn_view_insert_axis(stn_view *wider, const stn_view *view, int dimension);

/* ---- copying and filling ---- */

/* Every element of `to` becomes the element of `from` at the same index, converted between formats,
 * scales and layouts: codes are moved where both are stored alike; integers without scales go
 * through i64, all else through f64 as stn_decode and stn_encode say, rounded by `to`'s rules.
 * Nothing is allocated, and the result does not depend on the number of threads. exec NULL: the
 * calling thread. Copying a view to itself does nothing. On a device's executor one of them at
 * least is in memory that it reaches, and copies within its own return before they are done; the
 * first one between two formats compiles a kernel (doc/devices.md). STN_ERR_SHAPE (ranks or extents
 * differ), STN_ERR_ARGUMENT (`to` is read-only, NULL), STN_ERR_ALIAS (they overlap and are not the
 * same view; `to` repeats elements), STN_ERR_FORMAT (opaque or complex against another format),
 * STN_ERR_UNSUPPORTED (memory the executor cannot reach, what a device does not do). Nothing is
 * written on these errors. STN_ERR_DEVICE when a device fails. */
STN_API stn_status stn_view_copy(const stn_exec *exec, const stn_view *to, const stn_view *from);

/* Every element becomes `value`, encoded once by the view's rules (with stochastic rounding: for
 * each). Errors as above. */
STN_API stn_status stn_view_fill(const stn_exec *exec, const stn_view *view, double value);

/* Choose the scale with which all elements of `from` fit `view`'s format (`any` as in
 * stn_storage_fit_scale): the storage's, or those of stn_view_set_scales, each for its elements.
 * Extents must agree. The elements of `view` are not changed: copy next. */
STN_API stn_status stn_view_fit_scales(const stn_exec *exec, stn_view *view, const stn_view *from,
                                       int any);

/* ---- other sizes ---- */

/* Gives the view new extents: allocates memory with the same label, layout, storage and space,
 * copies the elements that both sizes have, and zeroes the others unless STN_CREATE_UNINITIALIZED
 * is set. Padded rows stay padded. Strides that no named layout has keep their order and signs,
 * without gaps. Other handles keep the old elements. If the extents are unchanged, the call is a
 * no-op.
 *
 * Parts that own a handle can be resized, too. A part of a tiled view gets tiles of the same
 * extents in the dimensions that it kept; a part of a Morton view has layout Morton. A part of a
 * packed, banded or custom layout that this layout does not describe, such as one with fewer
 * dimensions, gets layout right.
 *
 * On an error *view is unchanged.
 *   STN_ERR_ARGUMENT     the view does not own its memory, or is read-only
 *   STN_ERR_SHAPE        another rank, or an extent that is fixed
 *   STN_ERR_UNSUPPORTED  the view has scales from stn_view_set_scales
 *   any error of stn_view_create */
STN_API stn_status stn_view_resize(const stn_exec *exec, stn_view *view, int rank,
                                   const int64_t *extents, unsigned flags);

/* Like stn_view_resize, but copies no elements. If the extents are unchanged, the memory is kept
 * and, unless STN_CREATE_UNINITIALIZED is set, zeroed, which other handles see. The old handle is
 * released once the new memory is allocated and, on the host, before it is written. On an error
 * *view is unchanged. */
STN_API stn_status stn_view_reallocate(const stn_exec *exec, stn_view *view, int rank,
                                       const int64_t *extents, unsigned flags);

/* ---- mirrors ---- */

/* Creates a view of the same shape, storage, strides and label in another space, uninitialized. The
 * mirror of a view that repeats elements has layout right, except that of a whole packed or banded
 * matrix. STN_ERR_UNSUPPORTED for any but the host's memory unless the executor is a device. */
STN_API stn_status stn_view_mirror(const stn_exec *exec, stn_view *mirror, const stn_view *view,
                                   stn_space space);

/* A further handle of the view itself when its space is accessible like `space`; else a mirror,
 * with the elements copied if `copy` is not 0. On a device's executor views in its memory or
 * managed by it are accessible as the device's are, all but those in its memory as the host's are.
 */
STN_API stn_status stn_view_mirror_view(const stn_exec *exec, stn_view *mirror,
                                        const stn_view *view, stn_space space, int copy);

STN_END_DECLS

#endif
