/* Members of accessor types in C++, for templates: X::real, X::rank, x(i, j), x.length(d), and for
 * writable types x(i, j) = value, +=, -=, *= and /=. An assignment returns the stored value. */
#ifndef STENO_ACCESSOR_CXX_H
#define STENO_ACCESSOR_CXX_H

#include "steno/detail/accessor/complex.h"
#include "steno/detail/accessor/index.h"

#ifndef __cplusplus
#    define STN_CXX_BASE(name, rank_, real_)
#    define STN_CXX_READ(name, rank_, real_)
#    define STN_CXX_WRITE(name, rank_, real_)
#    define STN_CXX_DEFINE(name, rank_, real_)
#else
#    if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIP__)
#        define STN_CXX_FN __host__ __device__ inline
#    elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
#        define STN_CXX_FN __device__ inline
#    else
#        define STN_CXX_FN inline
#    endif

/* The base class of each accessor type. */
template <class accessor_, class real_type_, int rank_of_> struct stn_accessor_members {
    typedef real_type_ real;
    enum { rank = rank_of_ };
    STN_CXX_FN stn_size length(int d_) const
    {
        return d_ >= 0 && d_ < rank_of_ ? static_cast<const accessor_ *>(this)->stn_extent[d_] : 1;
    }
};

/* Base class of references to elements, by which complex.h recognizes those of complex numbers. */
template <class real_type_> struct stn_element_of {
};
#    define STN_CXX_ELEMENT(complex)                                                               \
        template <> struct stn_element_of<stn_##complex> {                                         \
            typedef stn_##complex stn_##complex##_element;                                         \
        };
STN_CXX_ELEMENT(c64)
#    ifdef STN_HAVE_DOUBLE
STN_CXX_ELEMENT(c128)
#    endif

#    define STN_CXX_BASE(name, rank_, real_)                                                       \
        : stn_accessor_members<struct name##_stn, stn_##real_, rank_>
#    define STN_CXX_READ(name, rank_, real_)                                                       \
        template <class... stn_index_types>                                                        \
        STN_CXX_FN stn_##real_ operator()(stn_index_types... stn_indices) const                    \
        {                                                                                          \
            return name##_get(*this, stn_indices...);                                              \
        }
#    define STN_CXX_WRITE(name, rank_, real_)                                                      \
        template <class... stn_index_types>                                                        \
        STN_CXX_FN struct name##_reference operator()(stn_index_types... stn_indices) const;

#    define STN_CXX_MEMBER(name, k)     name##_index stn_at_##k;
#    define STN_CXX_INITIALIZE(name, k) , stn_at_##k(stn_i_##k)
#    define STN_CXX_ARGUMENT(name, k)   , stn_at_##k
#    define STN_CXX_DEFINE(name, rank_, real_)                                                     \
        struct name##_reference : stn_element_of<stn_##real_> {                                    \
            name stn_x;                                                                            \
            STN_EACH_##rank_(STN_CXX_MEMBER, name) STN_CXX_FN name                                 \
                ##_reference(name stn_accessor STN_EACH_##rank_(STN_PARAMETER, name))              \
                : stn_x(stn_accessor) STN_EACH_##rank_(STN_CXX_INITIALIZE, name)                   \
            {                                                                                      \
            }                                                                                      \
            template <class... stn_other_types>                                                    \
            STN_CXX_FN explicit name##_reference(name stn_accessor, stn_other_types...)            \
                : stn_x(stn_accessor)                                                              \
            {                                                                                      \
                static_assert(sizeof...(stn_other_types) == rank_,                                 \
                              #name " takes " #rank_ " indices");                                  \
            }                                                                                      \
            name##_reference(const name##_reference &) = default;                                  \
            STN_CXX_FN operator stn_##real_() const                                                \
            {                                                                                      \
                return name##_get(stn_x STN_EACH_##rank_(STN_CXX_ARGUMENT, name));                 \
            }                                                                                      \
            STN_CXX_FN stn_##real_ operator=(const name##_reference &stn_other) const              \
            {                                                                                      \
                return *this = (stn_##real_)stn_other;                                             \
            }                                                                                      \
            STN_CXX_ASSIGNMENT(name, rank_, real_, =, set)                                         \
            STN_CXX_ASSIGNMENT(name, rank_, real_, +=, add)                                        \
            STN_CXX_ASSIGNMENT(name, rank_, real_, -=, subtract)                                   \
            STN_CXX_ASSIGNMENT(name, rank_, real_, *=, multiply)                                   \
            STN_CXX_ASSIGNMENT(name, rank_, real_, /=, divide)                                     \
        };                                                                                         \
        template <class... stn_index_types>                                                        \
        STN_CXX_FN name##_reference name##_stn::operator()(stn_index_types... stn_indices) const   \
        {                                                                                          \
            return name##_reference(*this, (name##_index)stn_indices...);                          \
        }
#    define STN_CXX_ASSIGNMENT(name, rank_, real_, sign, function)                                 \
        STN_CXX_FN stn_##real_ operator sign(stn_##real_ stn_value) const                          \
        {                                                                                          \
            return name##_##function(stn_x STN_EACH_##rank_(STN_CXX_ARGUMENT, name), stn_value);   \
        }
#endif
#endif
