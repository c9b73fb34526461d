/* Statuses, the thread's last error message, and the marks every public header uses. */
#ifndef STENO_STATUS_H
#define STENO_STATUS_H

#include "steno/detail/macro_check.h"

#include <stddef.h>
#include <stdint.h>

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

STN_BEGIN_DECLS

/* What a call that can fail returns. Numbers are only ever appended. */
typedef enum stn_status {
    STN_OK = 0,
    STN_ERR_ARGUMENT = 1,    /* a value the call does not accept */
    STN_ERR_FORMAT = 2,      /* an unknown format, or one that cannot do this */
    STN_ERR_SHAPE = 3,       /* extents or strides that do not fit together */
    STN_ERR_RANGE = 4,       /* a size or an index that overflows or lies outside */
    STN_ERR_MEMORY = 5,      /* an allocation failed */
    STN_ERR_IO = 6,          /* a file cannot be opened, read or written */
    STN_ERR_PARSE = 7,       /* a file or a string is not what it claims to be */
    STN_ERR_UNSUPPORTED = 8, /* meaningful, but not offered for these operands */
    STN_ERR_ALIAS = 9,       /* operands overlap in a way that would change results */
    STN_ERR_DEVICE = 10,     /* a device, its driver or its compiler is missing, or has failed */
    STN_ERR_CONVERGENCE = 11 /* a solver ended before it was done (solver.h) */
} stn_status;

#ifdef __cplusplus
#    define STN_ASSERT_HERE static_assert
#else
#    define STN_ASSERT_HERE _Static_assert
#endif
STN_ASSERT_HERE(sizeof(stn_status) == sizeof(int),
                "steno: enumerations of the library have 4 bytes: compile without -fshort-enums");
#undef STN_ASSERT_HERE

/* Name of a status, such as "STN_ERR_SHAPE"; "unknown status" for any other number. */
STN_API const char *stn_status_name(stn_status status);

/* This thread's last error as one sentence; "" if no call has failed on it.
 * The text stays valid until the next call that fails on the same thread. */
STN_API const char *stn_error(void);

/* Version of the binary interface. A program built against another number must be rebuilt. */
#define STN_ABI_VERSION 1
STN_API int stn_abi_version(void);

/* Version of the library, such as "0.1.0". */
STN_API const char *stn_version(void);

STN_END_DECLS

/** Initializes a public struct that begins with its size: `size` is set, and all other members are
 * 0, which is their default. Each such struct has a macro without arguments, too, such as
 * STN_SOLVER_OPTIONS_INIT. In C, designated members may follow the type:
 * @code
 * stn_solver_options options = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES);
 * @endcode
 */
#ifdef __cplusplus
extern "C++" {
template <typename type> inline type stn_sized()
{
    type made = type();
    made.size = sizeof(type);
    return made;
}
}
#    define STN_INIT(type) stn_sized<type>()
#else
#    define STN_INIT(...) STN_INIT_MEMBERS(__VA_ARGS__, )
#    define STN_INIT_MEMBERS(type, ...)                                                            \
        {                                                                                          \
            .size = sizeof(type), __VA_ARGS__                                                      \
        }
#endif

#include "steno/detail/kernel_missing.h"

#endif
