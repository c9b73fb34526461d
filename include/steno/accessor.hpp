/* Accessors as a C++ class template, whose storage is a parameter: for functions that are templates
 * themselves. C++11 and later, CUDA C++ and HIP; the values and bits are those of accessor.h.
 *
 *     stn::accessor<2, double, float> x(data, rows, columns);   // rank, arithmetic, storage
 *     x(i, j) = 2.0 * x(i, j);                                   // rounded once, to float
 *     stn::accessor<1, double, const stn_f16, stn::strided> y(codes, extents, strides);
 *     stn::accessor<2, double, int8_t, stn::right, stn::scaled<0x2>> q(codes, scales, rows,
 * columns);
 *
 * The storage is any that STN_ACCESSOR takes, or _Float16, __half, __nv_bfloat16; const for memory
 * that is only read. Storing is to nearest and by the format's own rule where it overflows; other
 * rules, zero points and blocks of scales are for the types of accessor.h. An accessor owns nothing
 * and is passed by value. Indices are checked where STN_CHECKED is defined, as there. */
#ifndef STENO_ACCESSOR_HPP
#define STENO_ACCESSOR_HPP

#include "steno/detail/names/hide.h"
#include "steno/accessor.h"
#include "steno/complex.h"

namespace stn
{

/* ---- what a value is stored as, by arithmetic and storage ---- */

template <class real, class code> struct codec;

#define STN_CODEC(real, name)                                                                      \
    template <> struct codec<stn_##real, stn_##name> {                                             \
        static STN_CXX_FN stn_##real zero() { return stn_zero_##real(); }                          \
        static STN_CXX_FN stn_##real one() { return stn_one_##real(); }                            \
        static STN_CXX_FN stn_##real read(stn_##name code)                                         \
        {                                                                                          \
            return stn_read_##real##_##name(code);                                                 \
        }                                                                                          \
        static STN_CXX_FN stn_##name write(stn_##real value)                                       \
        {                                                                                          \
            return stn_write_##real##_##name(value, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0,    \
                                             0);                                                   \
        }                                                                                          \
        static STN_CXX_FN stn_##real put(stn_##name *to, stn_##name code)                          \
        {                                                                                          \
            *to = stn_storing_##real##_##name(code);                                               \
            return read(stn_stored_##real##_##name(code));                                         \
        }                                                                                          \
        static STN_CXX_FN void read_run(stn_##real *values, const stn_##name *codes,               \
                                        stn_size count, stn_##real scale)                          \
        {                                                                                          \
            stn_read_run_##real##_##name(values, codes, count, zero(), scale);                     \
        }                                                                                          \
        static STN_CXX_FN void write_run(stn_##name *codes, const stn_##real *values,              \
                                         stn_size count, stn_##real scale)                         \
        {                                                                                          \
            stn_write_run_##real##_##name(codes, values, count, stn_##real##_negate(zero()),       \
                                          scale, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, 0);   \
        }                                                                                          \
    };
#define STN_CODEC_FLOAT(id, NAME, name, ...)   STN_CODEC(f32, name) STN_CODEC(f64, name)
#define STN_CODEC_COMPLEX(id, NAME, name, ...) STN_CODEC(c64, name) STN_CODEC(c128, name)
#define STN_CODEC_INTEGER(id, NAME, name, ...)                                                     \
    STN_CODEC(i64, name) STN_CODEC(f32, name) STN_CODEC(f64, name)
STN_FORMAT_TABLE(STN_CODEC_FLOAT, STN_CODEC_INTEGER, STN_CODEC_COMPLEX)
#undef STN_CODEC_INTEGER
#undef STN_CODEC_COMPLEX
#undef STN_CODEC_FLOAT
#undef STN_CODEC

#define STN_ARITHMETIC(real)                                                                       \
    STN_CXX_FN stn_##real add(stn_##real a, stn_##real b)                                          \
    {                                                                                              \
        return stn_##real##_add(a, b);                                                             \
    }                                                                                              \
    STN_CXX_FN stn_##real subtract(stn_##real a, stn_##real b)                                     \
    {                                                                                              \
        return stn_##real##_subtract(a, b);                                                        \
    }                                                                                              \
    STN_CXX_FN stn_##real multiply(stn_##real a, stn_##real b)                                     \
    {                                                                                              \
        return stn_##real##_multiply(a, b);                                                        \
    }                                                                                              \
    STN_CXX_FN stn_##real divide(stn_##real a, stn_##real b)                                       \
    {                                                                                              \
        return stn_##real##_divide(a, b);                                                          \
    }
STN_ARITHMETIC(f64)
STN_ARITHMETIC(f32)
STN_ARITHMETIC(i64)
STN_ARITHMETIC(c128)
STN_ARITHMETIC(c64)
#undef STN_ARITHMETIC

/* ---- layouts: which strides are 1, and the order in which a dense array is laid out ---- */

struct right { /* row-major */
    static STN_CXX_FN constexpr bool is_unit(int d, int rank) { return d == rank - 1; }
    static STN_CXX_FN constexpr int fastest(int k, int rank) { return rank - 1 - k; }
};
struct left { /* column-major */
    static STN_CXX_FN constexpr bool is_unit(int d, int) { return d == 0; }
    static STN_CXX_FN constexpr int fastest(int k, int) { return k; }
};
struct strided { /* every stride is given; 0 repeats an element, negative ones go backwards */
    static STN_CXX_FN constexpr bool is_unit(int, int) { return false; }
    static STN_CXX_FN constexpr int fastest(int k, int rank) { return rank - 1 - k; }
};

/* ---- scales ---- */

struct unscaled {
};
/* value = scale * code; the mask is that of STN_ACCESSOR_SCALED, and scales lie as they do there,
 * in the arithmetic type. */
template <unsigned mask_of> struct scaled {
};

template <class scaling, class real, int rank> struct scales_of {
    static STN_CXX_FN constexpr int has_scales() { return 0; }
    STN_CXX_FN real scale_at_index(const stn_size *) const { return real(); }
    STN_CXX_FN const real *scales() const { return nullptr; }
    STN_CXX_FN const stn_size *scale_strides() const { return nullptr; }
    static STN_CXX_FN constexpr int last_selecting() { return -1; }
    STN_CXX_FN void move_scales(const stn_size *) {}
};
template <class real> struct has_fractions {
    enum { value = 0 };
};
template <> struct has_fractions<double> {
    enum { value = 1 };
};
template <> struct has_fractions<float> {
    enum { value = 1 };
};
template <unsigned mask, class real, int rank> struct scales_of<scaled<mask>, real, rank> {
    static_assert(mask >> rank == 0, "the scale mask selects dimensions beyond the rank");
    static_assert(has_fractions<real>::value, "scales are for double and float arithmetic");
    real *first_scale;
    stn_size scale_pitch[rank];
    static STN_CXX_FN constexpr int has_scales() { return 1; }
    static STN_CXX_FN constexpr bool selects(int d) { return mask >> (rank - 1 - d) & 1; }
    static STN_CXX_FN constexpr int last_selecting()
    {
        return mask ? rank - 1 - STN_LOWEST_BIT(mask) : -1;
    }
    STN_CXX_FN void start_scales(real *from, const stn_size *extent)
    {
        stn_size span = 1;
        first_scale = from;
        for (int d = rank - 1; d >= 0; d--) {
            scale_pitch[d] = selects(d) ? span : 0;
            span *= selects(d) ? extent[d] : 1;
        }
    }
    STN_CXX_FN stn_size place_of_scale(const stn_size *index) const
    {
        stn_size sum = 0;
        for (int d = 0; d < rank; d++)
            sum += selects(d) ? index[d] * scale_pitch[d] : 0;
        return sum;
    }
    STN_CXX_FN real scale_at_index(const stn_size *index) const
    {
        return first_scale[place_of_scale(index)];
    }
    STN_CXX_FN const real *scales() const { return first_scale; }
    STN_CXX_FN const stn_size *scale_strides() const { return scale_pitch; }
    STN_CXX_FN void move_scales(const stn_size *begin) { first_scale += place_of_scale(begin); }
};

/* Arithmetic with a scale, where there is one. */
template <int has> struct by_scale {
    template <class real> static STN_CXX_FN real read(real value, real) { return value; }
    template <class real> static STN_CXX_FN real write(real value, real) { return value; }
};
template <> struct by_scale<1> {
    template <class real> static STN_CXX_FN real read(real value, real scale)
    {
        return value * scale;
    }
    template <class real> static STN_CXX_FN real write(real value, real scale)
    {
        return value / scale;
    }
};

/* ---- one element ---- */

/* In checked mode what is outside has no address. */
#ifdef STN_CHECKED
#    define STN_IS_ELEMENT(address) ((address) != nullptr)
#else
#    define STN_IS_ELEMENT(address) true
#endif

/* What x(i, j) is where it can be written: converts to the arithmetic type, and each assignment
 * gives the value as it is stored.
 */
template <class real, class code, int has_scale> class reference : public stn_element_of<real>
{
    code *to;
    real scale;

  public:
    STN_CXX_FN reference(code *element, real its_scale) : to(element), scale(its_scale) {}
    reference(const reference &) = default;
    STN_CXX_FN operator real() const
    {
        return STN_IS_ELEMENT(to) ? by_scale<has_scale>::read(codec<real, code>::read(*to), scale)
                                  : codec<real, code>::zero();
    }
    STN_CXX_FN real operator=(real value) const
    {
        if (!STN_IS_ELEMENT(to))
            return codec<real, code>::zero();
        return by_scale<has_scale>::read(
            codec<real, code>::put(
                to, codec<real, code>::write(by_scale<has_scale>::write(value, scale))),
            scale);
    }
    STN_CXX_FN real operator=(const reference &other) const { return *this = (real)other; }
    STN_CXX_FN real operator+=(real value) const { return *this = stn::add((real) * this, value); }
    STN_CXX_FN real operator-=(real value) const { return *this = subtract((real) * this, value); }
    STN_CXX_FN real operator*=(real value) const { return *this = multiply((real) * this, value); }
    STN_CXX_FN real operator/=(real value) const { return *this = divide((real) * this, value); }
};

/* Elements of const storage are values. */
template <class real, class storage, int has_scale> struct element_of {
    typedef typename stn_like<storage>::type code;
    typedef reference<real, code, has_scale> type;
    static STN_CXX_FN type at(code *element, real scale) { return type(element, scale); }
};
template <class real, class storage, int has_scale>
struct element_of<real, const storage, has_scale> {
    typedef const typename stn_like<storage>::type code;
    typedef real type;
    static STN_CXX_FN type at(code *element, real scale)
    {
        return STN_IS_ELEMENT(element)
                   ? by_scale<has_scale>::read(
                         codec<real, typename stn_like<storage>::type>::read(*element), scale)
                   : codec<real, typename stn_like<storage>::type>::zero();
    }
};

template <class type> struct without_const {
    typedef type bare;
};
template <class type> struct without_const<const type> {
    typedef type bare;
};

/* ---- the accessor ---- */

struct same_elements { /* of another accessor */
};

template <int rank_of, class real_type, class storage_type, class layout = right,
          class scaling = unscaled>
class accessor : scales_of<scaling, real_type, rank_of>
{
    static_assert(rank_of >= 1 && rank_of <= 8, "the rank is from 1 to 8");
    typedef scales_of<scaling, real_type, rank_of> scales_type;
    typedef element_of<real_type, storage_type, scales_type::has_scales()> element;
    typedef typename without_const<storage_type>::bare bare_storage;
    typedef codec<real_type, typename stn_like<bare_storage>::type> codec_type;

  public:
    typedef real_type real;
    typedef storage_type storage;
    typedef typename element::code code; /* what the elements are, const where the storage is */
    typedef accessor<rank_of, real_type, const bare_storage, layout, scaling> const_accessor;
    enum { rank = rank_of };

    /* Without gaps: an extent per dimension. */
    template <class... sizes_type>
    STN_CXX_FN accessor(storage_type *data, sizes_type... sizes) : codes(stn_codes_of(data))
    {
        static_assert(scales_type::has_scales() == 0, "such an accessor is made with its scales");
        start(sizes...);
    }
    template <class... sizes_type>
    STN_CXX_FN accessor(storage_type *data, real_type *of_scales, sizes_type... sizes)
        : codes(stn_codes_of(data))
    {
        static_assert(scales_type::has_scales() == 1, "such an accessor has no scales");
        start(sizes...);
        this->start_scales(of_scales, extent);
    }
    /* With strides, in elements, for all dimensions; those that the layout knows must be 1. */
    STN_CXX_FN accessor(storage_type *data, const stn_size (&extents)[rank_of],
                        const stn_size (&strides)[rank_of])
        : codes(stn_codes_of(data))
    {
        static_assert(scales_type::has_scales() == 0, "such an accessor is made with its scales");
        take(extents, strides);
    }
    STN_CXX_FN accessor(storage_type *data, real_type *of_scales,
                        const stn_size (&extents)[rank_of], const stn_size (&strides)[rank_of])
        : codes(stn_codes_of(data))
    {
        take(extents, strides);
        this->start_scales(of_scales, extent);
    }

    /* An element: a value, or what can be assigned to. */
    template <class... index_types>
    STN_CXX_FN typename element::type operator()(index_types... indices) const
    {
        static_assert(sizeof...(index_types) == rank_of, "an index per dimension");
        const stn_size index[rank_of] = {(stn_size)indices...};
        if (!is_inside(index))
            return element::at(nullptr, real_type());
        return element::at(codes + offset(index), this->scale_at_index(index));
    }

    /* `count` elements in C order from this one on, which go on in the next row. */
    template <class... index_types>
    STN_CXX_FN void load(real_type *values, stn_size count, index_types... indices) const
    {
        stn_walk walk;
        if (!begin(walk, count, {(stn_size)indices...}))
            return;
        while (next(walk)) {
            if (walk.stn_stride == 1 && walk.stn_scale_stride == 0)
                codec_type::read_run(values, codes + walk.stn_offset, walk.stn_length,
                                     scale_at(walk, 0));
            else
                for (stn_size k = 0; k < walk.stn_length; k++)
                    values[k] = by_scale<scales_type::has_scales()>::read(
                        codec_type::read(codes[walk.stn_offset + k * walk.stn_stride]),
                        scale_at(walk, k));
            values += walk.stn_length;
        }
    }
    template <class... index_types>
    STN_CXX_FN void store(const real_type *values, stn_size count, index_types... indices) const
    {
        stn_walk walk;
        if (!begin(walk, count, {(stn_size)indices...}))
            return;
        while (next(walk)) {
            if (walk.stn_stride == 1 && walk.stn_scale_stride == 0)
                codec_type::write_run(codes + walk.stn_offset, values, walk.stn_length,
                                      scale_at(walk, 0));
            else
                for (stn_size k = 0; k < walk.stn_length; k++)
                    codes[walk.stn_offset + k * walk.stn_stride] = codec_type::write(
                        by_scale<scales_type::has_scales()>::write(values[k], scale_at(walk, k)));
            values += walk.stn_length;
        }
    }

    STN_CXX_FN stn_size length(int d) const { return d >= 0 && d < rank_of ? extent[d] : 1; }
    STN_CXX_FN stn_size stride(int d) const { return d >= 0 && d < rank_of ? step(d) : 0; }
    STN_CXX_FN stn_size count() const { return stn_count_elements(rank_of, extent); }
    STN_CXX_FN code *data() const { return codes; }

    /* A part in the same memory: a stn_span per dimension. */
    template <class... span_types> STN_CXX_FN accessor sub(span_types... spans) const
    {
        static_assert(sizeof...(span_types) == rank_of, "a span per dimension");
        const stn_span span[rank_of] = {spans...};
        stn_size first[rank_of];
        accessor part = *this;
        for (int d = 0; d < rank_of; d++) {
            const stn_size last = stn_span_end(span[d], extent[d]);
            first[d] = span[d].begin;
            if (!STN_HOLDS(0 <= span[d].begin && span[d].begin <= last, "stn::accessor",
                           "beginning", d, span[d].begin, extent[d]) ||
                !STN_HOLDS(last <= extent[d], "stn::accessor", "end", d, last, extent[d])) {
                part.extent[d] = 0;
                return part;
            }
            part.extent[d] = last - span[d].begin;
        }
        part.codes += offset(first);
        part.move_scales(first);
        return part;
    }
    STN_CXX_FN const_accessor to_const() const { return const_accessor(same_elements(), *this); }

  private:
    template <int, class, class, class, class> friend class accessor;
    code *codes;
    stn_size extent[rank_of], pitch[rank_of]; /* strides that the layout knows are not looked at */

    template <class other>
    STN_CXX_FN accessor(same_elements, const other &from) : scales_type(from), codes(from.codes)
    {
        for (int d = 0; d < rank_of; d++) {
            extent[d] = from.extent[d];
            pitch[d] = from.pitch[d];
        }
    }
    STN_CXX_FN stn_size step(int d) const { return layout::is_unit(d, rank_of) ? 1 : pitch[d]; }
    template <class... sizes_type> STN_CXX_FN void start(sizes_type... sizes)
    {
        static_assert(sizeof...(sizes_type) == rank_of, "an extent per dimension");
        const stn_size extents[rank_of] = {(stn_size)sizes...};
        stn_size span = 1;
        for (int k = 0; k < rank_of; k++) {
            const int d = layout::fastest(k, rank_of);
            extent[d] = extents[d];
            pitch[d] = span;
            span *= extents[d] > 1 ? extents[d] : 1;
        }
    }
    STN_CXX_FN void take(const stn_size *extents, const stn_size *strides)
    {
        for (int d = 0; d < rank_of; d++) {
            const bool fits = STN_HOLDS(!layout::is_unit(d, rank_of) || strides[d] == 1,
                                        "stn::accessor", "stride", d, strides[d], 1);
            extent[d] = fits ? extents[d] : 0;
            pitch[d] = strides[d];
        }
    }
    STN_CXX_FN bool is_inside(const stn_size *index) const
    {
        for (int d = 0; d < rank_of; d++)
            if (!STN_HOLDS(index[d] >= 0 && index[d] < extent[d], "stn::accessor", "index", d,
                           index[d], extent[d]))
                return false;
        return true;
    }
    STN_CXX_FN stn_size offset(const stn_size *index) const
    {
        stn_size sum = 0;
        for (int d = 0; d < rank_of; d++)
            sum += index[d] * step(d);
        return sum;
    }
    STN_CXX_FN bool begin(stn_walk &walk, stn_size count_of, const stn_size (&index)[rank_of]) const
    {
        stn_walk_start(&walk, rank_of, index, count_of);
        return STN_HOLDS(count_of >= 0, "stn::accessor", "run", rank_of - 1, count_of, 0) &&
               (count_of == 0 || is_inside(index)) &&
               STN_HOLDS(count_of <= stn_count_left(rank_of, extent, index), "stn::accessor", "run",
                         rank_of - 1, count_of, stn_count_left(rank_of, extent, index));
    }
    STN_CXX_FN bool next(stn_walk &walk) const
    {
        const stn_scaling by = {scales_type::last_selecting(), 1, 0, this->scale_strides()};
        stn_size strides[rank_of];
        for (int d = 0; d < rank_of; d++)
            strides[d] = step(d);
        return stn_walk_next(&walk, rank_of, extent, strides,
                             scales_type::has_scales() ? &by : nullptr) != 0;
    }
    STN_CXX_FN real_type scale_at(const stn_walk &walk, stn_size k) const
    {
        return scales_type::has_scales()
                   ? this->scales()[walk.stn_scale_offset + k * walk.stn_scale_stride]
                   : codec_type::one();
    }
};

} // namespace stn

#undef STN_IS_ELEMENT

#include "steno/detail/names/show.h"

#endif
