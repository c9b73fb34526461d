/** @file
 * Statuses, error messages and versions.
 *
 * Every function that can fail returns a stn_status. The library never prints and never aborts.
 */
#ifndef STENO_STATUS_H
#define STENO_STATUS_H

#include "steno/detail/macro_check.h"

#include <stddef.h>
#include <stdint.h>

/** @cond INTERNAL */
#if defined(__GNUC__)
#    define STN_API __attribute__((__visibility__("default")))
#else
#    define STN_API
#endif

#ifdef __cplusplus
#    define STN_BEGIN_DECLS extern "C" {
#    define STN_END_DECLS   }
#else
#    define STN_BEGIN_DECLS
#    define STN_END_DECLS
#endif
/** @endcond */

STN_BEGIN_DECLS

/** Status of a call. Values are only appended. */
typedef enum stn_status {
    STN_OK = 0,              /**< success */
    STN_ERR_ARGUMENT = 1,    /**< an argument has an invalid value */
    STN_ERR_FORMAT = 2,      /**< the format is unknown, or the operation does not support it */
    STN_ERR_SHAPE = 3,       /**< extents or strides do not match */
    STN_ERR_RANGE = 4,       /**< a size or an index overflows or is out of range */
    STN_ERR_MEMORY = 5,      /**< out of memory */
    STN_ERR_IO = 6,          /**< a file cannot be opened, read or written */
    STN_ERR_PARSE = 7,       /**< a file or a string is malformed */
    STN_ERR_UNSUPPORTED = 8, /**< the operation does not support these operands */
    STN_ERR_ALIAS = 9,       /**< operands overlap in a way that would change results */
    STN_ERR_DEVICE = 10,     /**< a device, its driver or its compiler is missing or has failed */
    STN_ERR_CONVERGENCE = 11 /**< a solver stopped before it converged */
} stn_status;

/** @cond INTERNAL */
#ifdef __cplusplus
#    define STN_ASSERT_HERE static_assert
#else
#    define STN_ASSERT_HERE _Static_assert
#endif
STN_ASSERT_HERE(sizeof(stn_status) == sizeof(int),
                "steno: enumerations of the library have 4 bytes: compile without -fshort-enums");
#undef STN_ASSERT_HERE
/** @endcond */

/** Returns the name of `status`, such as "STN_ERR_SHAPE"; "unknown status" for an invalid value. */
STN_API const char *stn_status_name(stn_status status);
/** Returns the message of the last failed call in this thread: one sentence, valid until the next
 * call in this thread that fails; "" if none has failed. */
STN_API const char *stn_error(void);

/** Version of the binary interface. Programs built with a different value must be rebuilt. */
#define STN_ABI_VERSION 1

/** Returns STN_ABI_VERSION of the library that the program runs with. */
STN_API int stn_abi_version(void);
/** Returns the version of the library, such as "0.1.0". */
STN_API const char *stn_version(void);

STN_END_DECLS

/** Initializes a public struct that begins with its size: `size` is set, and all other members are
 * 0, which is their default. Each such struct has a macro without arguments, too, such as
 * STN_SOLVER_OPTIONS_INIT. Designated members may follow the type, in C++20 in the order of their
 * declaration:
 * @code
 * stn_solver_options options = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES);
 * @endcode */
#ifdef __cplusplus
extern "C++" {
template <typename type> inline type stn_sized(type made)
{
    made.size = sizeof(type);
    return made;
}
}
#    define STN_INIT(...) STN_INIT_MEMBERS(__VA_ARGS__, )
/** @cond INTERNAL */
#    define STN_INIT_MEMBERS(type, ...) stn_sized<type>(type{__VA_ARGS__})
/** @endcond */
#else
#    define STN_INIT(...) STN_INIT_MEMBERS(__VA_ARGS__, )
/** @cond INTERNAL */
#    define STN_INIT_MEMBERS(type, ...)                                                            \
        {                                                                                          \
            .size = sizeof(type), __VA_ARGS__                                                      \
        }
/** @endcond */
#endif

#include "steno/detail/kernel_missing.h"

#endif
