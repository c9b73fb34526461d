/** @file
 * Accessors as a C++ class template whose storage is a parameter, for functions that are templates
 * themselves. C++11 and later, CUDA C++ and HIP. The values and bits are those of accessor.h.
 *
 * @code
 * stn::accessor<2, double, float> x(data, rows, columns);  // rank, arithmetic, storage
 * x(i, j) = 2.0 * x(i, j);                                 // rounded once, to float
 * stn::accessor<1, double, const stn_f16, stn::strided> y(codes, extents, strides);
 * stn::accessor<2, double, int8_t, stn::right, stn::scaled<0x2>> q(codes, scales, rows, columns);
 * @endcode
 *
 * The storage is any type that STN_ACCESSOR() supports, or _Float16, __half or __nv_bfloat16; const
 * for memory that is only read. Rounding is to nearest with the overflow rule of the format. The
 * types of accessor.h support other rules, zero points and blocks of scales. An accessor owns
 * nothing and is passed by value. Indices are checked if STN_CHECKED is defined.
 */
#ifndef STENO_ACCESSOR_HPP
#define STENO_ACCESSOR_HPP

#include "steno/accessor.h"
#include "steno/complex.h"

#if defined(accessor) || defined(code) || defined(const_accessor) || defined(count) ||             \
    defined(data) || defined(left) || defined(load) || defined(right) || defined(scaled) ||        \
    defined(stn) || defined(storage) || defined(store) || defined(stride) || defined(strided) ||   \
    defined(sub) || defined(to_const) || defined(unscaled)
#    error "steno: a name of accessor.hpp is a macro, define it after including Steno: accessor " \
        "code const_accessor count data left load right scaled stn storage store stride strided " \
        "sub to_const unscaled"
#endif

namespace stn
{

/* ---- codecs by arithmetic and storage type ---- */

template <class real, class code> struct codec_;

#define STN_CODEC(real, name)                                                                      \
    template <> struct codec_<stn_##real, stn_##name> {                                            \
        static STN_CXX_FN stn_##real zero_() { return stn_zero_##real(); }                         \
        static STN_CXX_FN stn_##real one_() { return stn_one_##real(); }                           \
        static STN_CXX_FN stn_##real read_(stn_##name code)                                        \
        {                                                                                          \
            return stn_read_##real##_##name(code);                                                 \
        }                                                                                          \
        static STN_CXX_FN stn_##name write_(stn_##real value_)                                     \
        {                                                                                          \
            return stn_write_##real##_##name(value_, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0,   \
                                             0);                                                   \
        }                                                                                          \
        static STN_CXX_FN stn_##real put_(stn_##name *to_, stn_##name code)                        \
        {                                                                                          \
            *to_ = stn_storing_##real##_##name(code);                                              \
            return read_(stn_stored_##real##_##name(code));                                        \
        }                                                                                          \
        static STN_CXX_FN void read_run_(stn_##real *values_, const stn_##name *codes_,            \
                                         stn_size count, stn_##real scale_)                        \
        {                                                                                          \
            stn_read_run_##real##_##name(values_, codes_, count, zero_(), scale_);                 \
        }                                                                                          \
        static STN_CXX_FN void write_run_(stn_##name *codes_, const stn_##real *values_,           \
                                          stn_size count, stn_##real scale_)                       \
        {                                                                                          \
            stn_write_run_##real##_##name(codes_, values_, count, stn_##real##_negate(zero_()),    \
                                          scale_, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, 0);  \
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
    STN_CXX_FN stn_##real add_(stn_##real a_, stn_##real b_) { return stn_##real##_add(a_, b_); }  \
    STN_CXX_FN stn_##real subtract_(stn_##real a_, stn_##real b_)                                  \
    {                                                                                              \
        return stn_##real##_subtract(a_, b_);                                                      \
    }                                                                                              \
    STN_CXX_FN stn_##real multiply_(stn_##real a_, stn_##real b_)                                  \
    {                                                                                              \
        return stn_##real##_multiply(a_, b_);                                                      \
    }                                                                                              \
    STN_CXX_FN stn_##real divide_(stn_##real a_, stn_##real b_)                                    \
    {                                                                                              \
        return stn_##real##_divide(a_, b_);                                                        \
    }
STN_ARITHMETIC(f64)
STN_ARITHMETIC(f32)
STN_ARITHMETIC(i64)
STN_ARITHMETIC(c128)
STN_ARITHMETIC(c64)
#undef STN_ARITHMETIC

/* ---- layouts: constant strides, and the order of dimensions of a dense array ---- */

/** Row-major layout. */
struct right {
    static STN_CXX_FN constexpr bool is_unit_(int d_, int rank) { return d_ == rank - 1; }
    static STN_CXX_FN constexpr int fastest_(int k_, int rank) { return rank - 1 - k_; }
};
/** Column-major layout. */
struct left {
    static STN_CXX_FN constexpr bool is_unit_(int d_, int) { return d_ == 0; }
    static STN_CXX_FN constexpr int fastest_(int k_, int) { return k_; }
};
/** Layout with arbitrary strides. 0 repeats an element; negative strides are allowed. */
struct strided {
    static STN_CXX_FN constexpr bool is_unit_(int, int) { return false; }
    static STN_CXX_FN constexpr int fastest_(int k_, int rank) { return rank - 1 - k_; }
};

/* ---- scales ---- */

/** No scales. */
struct unscaled {
};
/** value = scale * code. The mask and the arrangement of scales are those of STN_ACCESSOR_SCALED().
 * Scales have the arithmetic type. */
template <unsigned mask_of_> struct scaled {
};

template <class scaling_, class real, int rank> struct scales_of_ {
    static STN_CXX_FN constexpr int has_scales_() { return 0; }
    STN_CXX_FN real scale_at_index_(const stn_size *) const { return real(); }
    STN_CXX_FN const real *scales_() const { return nullptr; }
    STN_CXX_FN const stn_size *scale_strides_() const { return nullptr; }
    static STN_CXX_FN constexpr int last_selecting_() { return -1; }
    STN_CXX_FN void move_scales_(const stn_size *) {}
};
template <class real> struct has_fractions_ {
    enum { value_ = 0 };
};
template <> struct has_fractions_<double> {
    enum { value_ = 1 };
};
template <> struct has_fractions_<float> {
    enum { value_ = 1 };
};
template <unsigned mask_, class real, int rank> struct scales_of_<scaled<mask_>, real, rank> {
    static_assert(mask_ >> rank == 0, "the scale mask selects dimensions beyond the rank");
    static_assert(has_fractions_<real>::value_, "scales are for double and float arithmetic");
    real *first_scale_;
    stn_size scale_pitch_[rank];
    static STN_CXX_FN constexpr int has_scales_() { return 1; }
    static STN_CXX_FN constexpr bool selects_(int d_) { return mask_ >> (rank - 1 - d_) & 1; }
    static STN_CXX_FN constexpr int last_selecting_()
    {
        return mask_ ? rank - 1 - STN_LOWEST_BIT(mask_) : -1;
    }
    STN_CXX_FN void start_scales_(real *from_, const stn_size *extent_)
    {
        stn_size span_ = 1;
        first_scale_ = from_;
        for (int d_ = rank - 1; d_ >= 0; d_--) {
            scale_pitch_[d_] = selects_(d_) ? span_ : 0;
            span_ *= selects_(d_) ? extent_[d_] : 1;
        }
    }
    STN_CXX_FN stn_size place_of_scale_(const stn_size *index_) const
    {
        stn_size sum_ = 0;
        for (int d_ = 0; d_ < rank; d_++)
            sum_ += selects_(d_) ? index_[d_] * scale_pitch_[d_] : 0;
        return sum_;
    }
    STN_CXX_FN real scale_at_index_(const stn_size *index_) const
    {
        return first_scale_[place_of_scale_(index_)];
    }
    STN_CXX_FN const real *scales_() const { return first_scale_; }
    STN_CXX_FN const stn_size *scale_strides_() const { return scale_pitch_; }
    STN_CXX_FN void move_scales_(const stn_size *begin) { first_scale_ += place_of_scale_(begin); }
};

/* Arithmetic with a scale, if any. */
template <int has_> struct by_scale_ {
    template <class real> static STN_CXX_FN real read_(real value_, real) { return value_; }
    template <class real> static STN_CXX_FN real write_(real value_, real) { return value_; }
};
template <> struct by_scale_<1> {
    template <class real> static STN_CXX_FN real read_(real value_, real scale_)
    {
        return value_ * scale_;
    }
    template <class real> static STN_CXX_FN real write_(real value_, real scale_)
    {
        return value_ / scale_;
    }
};

/* ---- one element ---- */

/* In checked mode, elements outside have no address. */
#ifdef STN_CHECKED
#    define STN_IS_ELEMENT(address) ((address) != nullptr)
#else
#    define STN_IS_ELEMENT(address) true
#endif

/* Type of x(i, j) if it can be written: converts to the arithmetic type. An assignment returns the
 * stored value. */
template <class real, class code, int has_scale_> class reference_ : public stn_element_of<real>
{
    code *to_;
    real scale_;

  public:
    STN_CXX_FN reference_(code *element_, real its_scale_) : to_(element_), scale_(its_scale_) {}
    reference_(const reference_ &) = default;
    STN_CXX_FN operator real() const
    {
        return STN_IS_ELEMENT(to_)
                   ? by_scale_<has_scale_>::read_(codec_<real, code>::read_(*to_), scale_)
                   : codec_<real, code>::zero_();
    }
    STN_CXX_FN real operator=(real value_) const
    {
        if (!STN_IS_ELEMENT(to_))
            return codec_<real, code>::zero_();
        return by_scale_<has_scale_>::read_(
            codec_<real, code>::put_(
                to_, codec_<real, code>::write_(by_scale_<has_scale_>::write_(value_, scale_))),
            scale_);
    }
    STN_CXX_FN real operator=(const reference_ &other_) const { return *this = (real)other_; }
    STN_CXX_FN real operator+=(real value_) const
    {
        return *this = stn::add_((real) * this, value_);
    }
    STN_CXX_FN real operator-=(real value_) const
    {
        return *this = subtract_((real) * this, value_);
    }
    STN_CXX_FN real operator*=(real value_) const
    {
        return *this = multiply_((real) * this, value_);
    }
    STN_CXX_FN real operator/=(real value_) const { return *this = divide_((real) * this, value_); }
};

/* Elements of const storage are values. */
template <class real, class storage, int has_scale_> struct element_of_ {
    typedef typename stn_like<storage>::stn_type code;
    typedef reference_<real, code, has_scale_> type_;
    static STN_CXX_FN type_ at_(code *element_, real scale_) { return type_(element_, scale_); }
};
template <class real, class storage, int has_scale_>
struct element_of_<real, const storage, has_scale_> {
    typedef const typename stn_like<storage>::stn_type code;
    typedef real type_;
    static STN_CXX_FN type_ at_(code *element_, real scale_)
    {
        return STN_IS_ELEMENT(element_)
                   ? by_scale_<has_scale_>::read_(
                         codec_<real, typename stn_like<storage>::stn_type>::read_(*element_),
                         scale_)
                   : codec_<real, typename stn_like<storage>::stn_type>::zero_();
    }
};

template <class type_> struct without_const_ {
    typedef type_ bare_;
};
template <class type_> struct without_const_<const type_> {
    typedef type_ bare_;
};

/* ---- the accessor ---- */

struct same_elements_ { /* of another accessor */
};

template <int rank_of_, class real_type_, class storage_type_, class layout_ = right,
          class scaling_ = unscaled>
class accessor : scales_of_<scaling_, real_type_, rank_of_>
{
    static_assert(rank_of_ >= 1 && rank_of_ <= 8, "the rank is from 1 to 8");
    typedef scales_of_<scaling_, real_type_, rank_of_> scales_type_;
    typedef element_of_<real_type_, storage_type_, scales_type_::has_scales_()> element_;
    typedef typename without_const_<storage_type_>::bare_ bare_storage_;
    typedef codec_<real_type_, typename stn_like<bare_storage_>::stn_type> codec_type_;

  public:
    typedef real_type_ real;
    typedef storage_type_ storage;
    typedef typename element_::code code; /**< type of elements, const if the storage is */
    typedef accessor<rank_of_, real_type_, const bare_storage_, layout_, scaling_> const_accessor;
    enum { rank = rank_of_ };

    /** Constructs a dense accessor from one extent per dimension. */
    template <class... sizes_type_>
    STN_CXX_FN accessor(storage_type_ *data, sizes_type_... sizes_) : codes_(stn_codes_of(data))
    {
        static_assert(scales_type_::has_scales_() == 0, "such an accessor is made with its scales");
        start_(sizes_...);
    }
    template <class... sizes_type_>
    STN_CXX_FN accessor(storage_type_ *data, real_type_ *of_scales_, sizes_type_... sizes_)
        : codes_(stn_codes_of(data))
    {
        static_assert(scales_type_::has_scales_() == 1, "such an accessor has no scales");
        start_(sizes_...);
        this->start_scales_(of_scales_, extent_);
    }
    /** Constructs an accessor from extents and strides in elements. Constant strides of the layout
     * must be 1. */
    STN_CXX_FN accessor(storage_type_ *data, const stn_size (&extents_)[rank_of_],
                        const stn_size (&strides_)[rank_of_])
        : codes_(stn_codes_of(data))
    {
        static_assert(scales_type_::has_scales_() == 0, "such an accessor is made with its scales");
        take_(extents_, strides_);
    }
    STN_CXX_FN accessor(storage_type_ *data, real_type_ *of_scales_,
                        const stn_size (&extents_)[rank_of_], const stn_size (&strides_)[rank_of_])
        : codes_(stn_codes_of(data))
    {
        take_(extents_, strides_);
        this->start_scales_(of_scales_, extent_);
    }

    /** Returns an element: a value, or a reference that can be assigned to. */
    template <class... index_types_>
    STN_CXX_FN typename element_::type_ operator()(index_types_... indices_) const
    {
        static_assert(sizeof...(index_types_) == rank_of_, "an index per dimension");
        const stn_size index_[rank_of_] = {(stn_size)indices_...};
        if (!is_inside_(index_))
            return element_::at_(nullptr, real_type_());
        return element_::at_(codes_ + offset_(index_), this->scale_at_index_(index_));
    }

    /** Reads (load) or writes (store) `count` elements in C order, beginning with this one. */
    template <class... index_types_>
    STN_CXX_FN void load(real_type_ *values_, stn_size count, index_types_... indices_) const
    {
        stn_walk walk_;
        if (!begin(walk_, count, {(stn_size)indices_...}))
            return;
        while (next_(walk_)) {
            if (walk_.stn_stride == 1 && walk_.stn_scale_stride == 0)
                codec_type_::read_run_(values_, codes_ + walk_.stn_offset, walk_.stn_length,
                                       scale_at_(walk_, 0));
            else
                for (stn_size k_ = 0; k_ < walk_.stn_length; k_++)
                    values_[k_] = by_scale_<scales_type_::has_scales_()>::read_(
                        codec_type_::read_(codes_[walk_.stn_offset + k_ * walk_.stn_stride]),
                        scale_at_(walk_, k_));
            values_ += walk_.stn_length;
        }
    }
    template <class... index_types_>
    STN_CXX_FN void store(const real_type_ *values_, stn_size count, index_types_... indices_) const
    {
        stn_walk walk_;
        if (!begin(walk_, count, {(stn_size)indices_...}))
            return;
        while (next_(walk_)) {
            if (walk_.stn_stride == 1 && walk_.stn_scale_stride == 0)
                codec_type_::write_run_(codes_ + walk_.stn_offset, values_, walk_.stn_length,
                                        scale_at_(walk_, 0));
            else
                for (stn_size k_ = 0; k_ < walk_.stn_length; k_++)
                    codes_[walk_.stn_offset + k_ * walk_.stn_stride] =
                        codec_type_::write_(by_scale_<scales_type_::has_scales_()>::write_(
                            values_[k_], scale_at_(walk_, k_)));
            values_ += walk_.stn_length;
        }
    }

    STN_CXX_FN stn_size length(int d_) const { return d_ >= 0 && d_ < rank_of_ ? extent_[d_] : 1; }
    STN_CXX_FN stn_size stride(int d_) const { return d_ >= 0 && d_ < rank_of_ ? step_(d_) : 0; }
    STN_CXX_FN stn_size count() const { return stn_count_elements(rank_of_, extent_); }
    STN_CXX_FN code *data() const { return codes_; }

    /** Returns a sub-range in the same memory, by one stn_span per dimension. */
    template <class... span_types_> STN_CXX_FN accessor sub(span_types_... spans_) const
    {
        static_assert(sizeof...(span_types_) == rank_of_, "a span per dimension");
        const stn_span span_[rank_of_] = {spans_...};
        stn_size first_[rank_of_];
        accessor part_ = *this;
        for (int d_ = 0; d_ < rank_of_; d_++) {
            const stn_size last_ = stn_span_end(span_[d_], extent_[d_]);
            first_[d_] = span_[d_].begin;
            if (!STN_HOLDS(0 <= span_[d_].begin && span_[d_].begin <= last_, "stn::accessor",
                           "beginning", d_, span_[d_].begin, extent_[d_]) ||
                !STN_HOLDS(last_ <= extent_[d_], "stn::accessor", "end", d_, last_, extent_[d_])) {
                part_.extent_[d_] = 0;
                return part_;
            }
            part_.extent_[d_] = last_ - span_[d_].begin;
        }
        part_.codes_ += offset_(first_);
        part_.move_scales_(first_);
        return part_;
    }
    STN_CXX_FN const_accessor to_const() const { return const_accessor(same_elements_(), *this); }

  private:
    template <int, class, class, class, class> friend class accessor;
    code *codes_;
    stn_size extent_[rank_of_], pitch_[rank_of_]; /* constant strides of the layout are unused */

    template <class other_>
    STN_CXX_FN accessor(same_elements_, const other_ &from_)
        : scales_type_(from_), codes_(from_.codes_)
    {
        for (int d_ = 0; d_ < rank_of_; d_++) {
            extent_[d_] = from_.extent_[d_];
            pitch_[d_] = from_.pitch_[d_];
        }
    }
    STN_CXX_FN stn_size step_(int d_) const
    {
        return layout_::is_unit_(d_, rank_of_) ? 1 : pitch_[d_];
    }
    template <class... sizes_type_> STN_CXX_FN void start_(sizes_type_... sizes_)
    {
        static_assert(sizeof...(sizes_type_) == rank_of_, "an extent per dimension");
        const stn_size extents_[rank_of_] = {(stn_size)sizes_...};
        stn_size span_ = 1;
        for (int k_ = 0; k_ < rank_of_; k_++) {
            const int d_ = layout_::fastest_(k_, rank_of_);
            extent_[d_] = extents_[d_];
            pitch_[d_] = span_;
            span_ *= extents_[d_] > 1 ? extents_[d_] : 1;
        }
    }
    STN_CXX_FN void take_(const stn_size *extents_, const stn_size *strides_)
    {
        for (int d_ = 0; d_ < rank_of_; d_++) {
            const bool fits_ = STN_HOLDS(!layout_::is_unit_(d_, rank_of_) || strides_[d_] == 1,
                                         "stn::accessor", "stride", d_, strides_[d_], 1);
            extent_[d_] = fits_ ? extents_[d_] : 0;
            pitch_[d_] = strides_[d_];
        }
    }
    STN_CXX_FN bool is_inside_(const stn_size *index_) const
    {
        for (int d_ = 0; d_ < rank_of_; d_++)
            if (!STN_HOLDS(index_[d_] >= 0 && index_[d_] < extent_[d_], "stn::accessor", "index",
                           d_, index_[d_], extent_[d_]))
                return false;
        return true;
    }
    STN_CXX_FN stn_size offset_(const stn_size *index_) const
    {
        stn_size sum_ = 0;
        for (int d_ = 0; d_ < rank_of_; d_++)
            sum_ += index_[d_] * step_(d_);
        return sum_;
    }
    STN_CXX_FN bool begin(stn_walk &walk_, stn_size count_of_,
                          const stn_size (&index_)[rank_of_]) const
    {
        stn_walk_start(&walk_, rank_of_, index_, count_of_);
        return STN_HOLDS(count_of_ >= 0, "stn::accessor", "run", rank_of_ - 1, count_of_, 0) &&
               (count_of_ == 0 || is_inside_(index_)) &&
               STN_HOLDS(count_of_ <= stn_count_left(rank_of_, extent_, index_), "stn::accessor",
                         "run", rank_of_ - 1, count_of_, stn_count_left(rank_of_, extent_, index_));
    }
    STN_CXX_FN bool next_(stn_walk &walk_) const
    {
        const stn_scaling by_ = {scales_type_::last_selecting_(), 1, 0, this->scale_strides_()};
        stn_size strides_[rank_of_];
        for (int d_ = 0; d_ < rank_of_; d_++)
            strides_[d_] = step_(d_);
        return stn_walk_next(&walk_, rank_of_, extent_, strides_,
                             scales_type_::has_scales_() ? &by_ : nullptr) != 0;
    }
    STN_CXX_FN real_type_ scale_at_(const stn_walk &walk_, stn_size k_) const
    {
        return scales_type_::has_scales_()
                   ? this->scales_()[walk_.stn_scale_offset + k_ * walk_.stn_scale_stride]
                   : codec_type_::one_();
    }
};

} // namespace stn

#undef STN_IS_ELEMENT

#endif
