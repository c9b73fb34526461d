/* What STN_MAP and its variants expand to. */
#ifndef STENO_KERNEL_DEFINE_H
#define STENO_KERNEL_DEFINE_H

#include "steno/detail/kernel_parts.h"
#ifdef __cplusplus
#    include "steno/detail/kernel_static.h"
#endif

/* clang-format off */
/* ---- checks of the text of a body ----
 *
 * It must not be empty, and its static variables must be const, because elements are computed in any
 * order, by several threads and on devices.
 *
 * In C++, the scanner of kernel_static.h searches for static variables. In C, gcc uses built-in string
 * functions, which are constant expressions. clang has no such functions; it warns about such variables
 * in extern inline functions (STN_KERNEL_BODY). The first launch of a kernel runs the scanner again
 * (src/map/launch.c). Every correct body is accepted. */
#define STN_CHECK_BODY(name, text)                                                                 \
    STN_CHECK_BEGIN                                                                                \
    STN_STATIC_ASSERT(sizeof(text) > 1, "steno: " #name ": the body is missing");                  \
    STN_STATIC_ASSERT(!STN_HAS_MUTABLE(text),                                                      \
                      "steno: " #name ": static variables of a body must be const");               \
    STN_CHECK_END
/* gcc evaluates constant expressions beyond those that C requires; texts may be long. */
#if defined(__clang__)
#    define STN_CHECK_BEGIN                                                                        \
        _Pragma("clang diagnostic push")                                                           \
        _Pragma("clang diagnostic ignored \"-Woverlength-strings\"")
#    define STN_CHECK_END _Pragma("clang diagnostic pop")
#else
#    define STN_CHECK_BEGIN                                                                        \
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wpedantic\"")            \
        _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"")
#    define STN_CHECK_END _Pragma("GCC diagnostic pop")
#endif

/* Compilers limit the number of steps. The first launch scans longer texts. */
#if defined(__cplusplus)
#    define STN_HAS_MUTABLE(text)                                                                  \
        (sizeof(text) <= STN_SCANNED_TEXT && stn_has_static_variable(text, sizeof(text)))
enum { STN_SCANNED_TEXT = 16384 };
#elif defined(__clang__)
#    define STN_HAS_MUTABLE(text) 0
#else
/* Examines the first statements that begin with `static`. Constant declarations are appended, so that
 * the search always succeeds. A declaration is one of a mutable variable if the next `const` follows its
 * end. Bodies with string literals are left to the launch. */
#    define STN_HAS_MUTABLE(text)                                                                  \
        (!__builtin_strchr(text, '"') &&                                                           \
         (STN_IS_MUTABLE(STN_STATIC(";" text, ";static ")) ||                                      \
          STN_IS_MUTABLE(STN_STATIC(text, "; static ")) ||                                         \
          STN_IS_MUTABLE(1 + __builtin_strstr(STN_STATIC(text, "; static "), "; static ")) ||      \
          STN_IS_MUTABLE(STN_STATIC(text, "{static ")) ||                                          \
          STN_IS_MUTABLE(STN_STATIC(text, "{ static ")) ||                                         \
          STN_IS_MUTABLE(STN_STATIC(text, "} static "))))
#    define STN_STATIC(text, word)                                                                 \
        (1 + __builtin_strstr(text word "const ;" word "const ;", word))
#    define STN_IS_MUTABLE(place)                                                                  \
        (__builtin_strlen(__builtin_strstr(place, "const")) <                                      \
         __builtin_strlen(place) - __builtin_strcspn(place, ";={"))
#endif

/* ---- kernels ---- */

#define STN_MAP_CHOICE(name, parameters, DEFINE)                                                   \
    STN_CHOOSE(STN_IS_NAMELESS(name), STN_REFUSE_NAMELESS,                                         \
               STN_CHOOSE(STN_ARE_PARAMETERS(STN_FORM_, parameters), DEFINE, STN_MAP_ERROR))
#define STN_MAP_BEGIN(name, T, parameters, text, ...)                                              \
    STN_CHECK_BODY(name, text)                                                                     \
    STN_KERNEL_DESCRIBE_OF(name, T, parameters)                                                    \
    STN_KERNEL_SET_CONVERTS(name, STN_KERNEL_TEXT_CONVERTS(STN_KERNEL_TEXT_OF(__VA_ARGS__)))
#define STN_MAP_OF_REALS(name, parameters, text, ...)                                              \
    STN_MAP_BEGIN(name, f64, parameters, text, __VA_ARGS__)                                        \
    STN_KERNEL_HEAD(name, f64, parameters) __VA_ARGS__ STN_KERNEL_TAIL(name, f64, parameters)      \
    STN_KERNEL_HEAD(name, f32, parameters) __VA_ARGS__ STN_KERNEL_TAIL(name, f32, parameters)      \
    STN_KERNEL_LAUNCH(name, parameters, text, f64, STN_KERNEL_LOOPS_OF_REAL(name))
#define STN_MAP_OF_INTEGERS(name, parameters, text, ...)                                           \
    STN_MAP_BEGIN(name, i64, parameters, text, __VA_ARGS__)                                        \
    STN_KERNEL_HEAD(name, i64, parameters) __VA_ARGS__ STN_KERNEL_TAIL(name, i64, parameters)      \
    STN_KERNEL_LAUNCH(name, parameters, text, i64, STN_KERNEL_LOOPS_OF_INTEGER(name))
#define STN_MAP_OF_COMPLEX(name, parameters, text, ...)                                            \
    STN_MAP_BEGIN(name, c128, parameters, text, __VA_ARGS__)                                       \
    STN_KERNEL_HEAD(name, c128, parameters) __VA_ARGS__ STN_KERNEL_TAIL(name, c128, parameters)    \
    STN_KERNEL_HEAD(name, c64, parameters) __VA_ARGS__ STN_KERNEL_TAIL(name, c64, parameters)      \
    STN_KERNEL_LAUNCH(name, parameters, text, c128, STN_KERNEL_LOOPS_OF_COMPLEX(name))
/* The loops of a kernel, in the order of the members of stn_kernel. */
#define STN_KERNEL_LOOPS_OF_REAL(name)    STN_KERNEL_CHOSEN(name, f64), STN_KERNEL_CHOSEN(name, f32), 0, 0, 0
#define STN_KERNEL_LOOPS_OF_INTEGER(name) 0, 0, STN_KERNEL_CHOSEN(name, i64), 0, 0
#define STN_KERNEL_LOOPS_OF_COMPLEX(name) 0, 0, 0, STN_KERNEL_CHOSEN(name, c128), STN_KERNEL_CHOSEN(name, c64)

/* One error, and functions that take any arguments, so that calls are no further errors. */
#define STN_MAP_ERROR(name, parameters, ...)                                                       \
    STN_EXPLAIN_PARAMETERS(STN_FORM_, name, parameters)                                            \
    STN_ANY_KERNEL(name)

/* ---- a probe of the flags of the compiler ----
 *
 * Operations that are compiled in the same file by the rules of kernels detect flags that change their
 * bits. Launches run them once per file. */

/* The caller hides the arguments from the compiler. The result is 0 if the rules hold. */
#define STN_DEFINE_PROBES(T)                                                                       \
    /* (1 + e)^2 - (1 + 2 e), where the rounded product does not contain e^2. */                   \
    STN_KERNEL_INLINE int stn_probe_fused_##T(const stn_##T e_)                                    \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        const stn_##T near_one_ = (stn_##T)1 + e_, rounded_ = near_one_ + e_;                      \
        return near_one_ * near_one_ - rounded_ != 0;                                              \
    }                                                                                              \
    STN_KERNEL_INLINE int stn_probe_reordered_##T(const stn_##T e_)                                \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        const stn_##T much_ = (stn_##T)1 / (e_ * e_ * e_);                                         \
        return (e_ + much_) - much_ != 0;                                                          \
    }                                                                                              \
    /* 5 / 3 is not 5 * (1 / 3). */                                                                \
    STN_KERNEL_INLINE int stn_probe_inverted_##T(const stn_##T five_, const stn_##T quotient_)     \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        return five_ / (stn_##T)3 != quotient_;                                                    \
    }                                                                                              \
    /* -0 + 0 is +0. */                                                                            \
    STN_KERNEL_INLINE int stn_probe_unsigned_##T(const stn_##T minus_zero_)                        \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        return stn_bits_of_##T(minus_zero_ + (stn_##T)0) != 0;                                     \
    }

STN_KERNEL_BEGIN
STN_DEFINE_PROBES(f64)
STN_DEFINE_PROBES(f32)

static inline __attribute__((__unused__)) STN_KERNEL_EXACT uint32_t stn_probe_all(void)
{
    static const stn_f64 wide_[] = {1.0 / (1 << 27), 5, 1.6666666666666667, -0.0};
    static const stn_f32 small_[] = {1.0f / (1 << 12), 5, 1.6666666667f, -0.0f};
    const volatile stn_f64 *const x_ = wide_; /* volatile: the compiler knows no values */
    const volatile stn_f32 *const y_ = small_;
    const int fused_ = stn_probe_fused_f64(x_[0]) | stn_probe_fused_f32(y_[0]);
    const int reordered_ = stn_probe_reordered_f64(x_[0]) | stn_probe_reordered_f32(y_[0]);
    const int inverted_ =
        stn_probe_inverted_f64(x_[1], x_[2]) | stn_probe_inverted_f32(y_[1], y_[2]);
    const int without_signs_ = stn_probe_unsigned_f64(x_[3]) | stn_probe_unsigned_f32(y_[3]);
    return (uint32_t)(fused_ * STN_BREAKS_FUSED | reordered_ * STN_BREAKS_REORDERED |
                      inverted_ * STN_BREAKS_INVERTED | without_signs_ * STN_BREAKS_UNSIGNED);
}
STN_KERNEL_END

static inline __attribute__((__unused__)) uint32_t stn_kernel_probe(void)
{
    enum { known_ = 1 << 16 };
    static uint32_t kept_; /* result and the bit `known`; any thread may write it */
    uint32_t found_ = __atomic_load_n(&kept_, __ATOMIC_RELAXED);
    if (found_ == 0) {
        found_ = stn_probe_all() | known_;
        __atomic_store_n(&kept_, found_, __ATOMIC_RELAXED);
    }
    return found_ - known_;
}
/* clang-format on */

#endif
