/* What C++ adds to an accessor type, so that kernels can be templates on it: X::real, X::rank,
 * x(i, j), x.length(d), and for what can be written x(i, j) = value, +=, -=, *=, /=. An assignment
 * gives the value as it is stored, which is what a read would give. */
#ifndef STENO_ACCESSOR_CXX_H
#define STENO_ACCESSOR_CXX_H

#ifndef __cplusplus
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

#    define STN_CXX_TYPES(rank_, real_)                                                            \
        typedef stn_##real_ real;                                                                  \
        enum { rank = rank_ };                                                                     \
        STN_CXX_FN stn_size length(int d) const                                                    \
        {                                                                                          \
            return d >= 0 && d < rank_ ? extent[d] : 1;                                            \
        }
#    define STN_CXX_READ(name, rank_, real_)                                                       \
        STN_CXX_TYPES(rank_, real_)                                                                \
        template <class... index_types>                                                            \
        STN_CXX_FN stn_##real_ operator()(index_types... indices) const                            \
        {                                                                                          \
            return name##_get(*this, indices...);                                                  \
        }
#    define STN_CXX_WRITE(name, rank_, real_)                                                      \
        STN_CXX_TYPES(rank_, real_)                                                                \
        template <class... index_types>                                                            \
        STN_CXX_FN struct name##_reference operator()(index_types... indices) const;

#    define STN_CXX_MEMBER(name, k)     name##_index at##k;
#    define STN_CXX_INITIALIZE(name, k) , at##k(i##k)
#    define STN_CXX_ARGUMENT(name, k)   , at##k
#    define STN_CXX_DEFINE(name, rank_, real_)                                                     \
        struct name##_reference {                                                                  \
            name x;                                                                                \
            STN_EACH_##rank_(STN_CXX_MEMBER, name) STN_CXX_FN name                                 \
                ##_reference(name accessor STN_EACH_##rank_(STN_PARAMETER, name))                  \
                : x(accessor) STN_EACH_##rank_(STN_CXX_INITIALIZE, name)                           \
            {                                                                                      \
            }                                                                                      \
            template <class... other_types>                                                        \
            STN_CXX_FN explicit name##_reference(name accessor, other_types...) : x(accessor)      \
            {                                                                                      \
                static_assert(sizeof...(other_types) == rank_, #name " takes " #rank_ " indices"); \
            }                                                                                      \
            name##_reference(const name##_reference &) = default;                                  \
            STN_CXX_FN operator stn_##real_() const                                                \
            {                                                                                      \
                return name##_get(x STN_EACH_##rank_(STN_CXX_ARGUMENT, name));                     \
            }                                                                                      \
            STN_CXX_FN stn_##real_ operator=(const name##_reference &other) const                  \
            {                                                                                      \
                return *this = (stn_##real_)other;                                                 \
            }                                                                                      \
            STN_CXX_ASSIGNMENT(name, rank_, real_, =, set)                                         \
            STN_CXX_ASSIGNMENT(name, rank_, real_, +=, add)                                        \
            STN_CXX_ASSIGNMENT(name, rank_, real_, -=, subtract)                                   \
            STN_CXX_ASSIGNMENT(name, rank_, real_, *=, multiply)                                   \
            STN_CXX_ASSIGNMENT(name, rank_, real_, /=, divide)                                     \
        };                                                                                         \
        template <class... index_types>                                                            \
        STN_CXX_FN name##_reference name::operator()(index_types... indices) const                 \
        {                                                                                          \
            return name##_reference(*this, (name##_index)indices...);                              \
        }
#    define STN_CXX_ASSIGNMENT(name, rank_, real_, sign, function)                                 \
        STN_CXX_FN stn_##real_ operator sign(stn_##real_ value) const                              \
        {                                                                                          \
            return name##_##function(x STN_EACH_##rank_(STN_CXX_ARGUMENT, name), value);           \
        }
#endif
#endif
