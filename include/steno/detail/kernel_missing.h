/* Macros of headers that the program has not included: using one is an error that names the header,
 * instead of the many errors of an unknown function at file scope. The headers that define a macro
 * remove it first. */
#ifndef STENO_KERNEL_MISSING_H
#define STENO_KERNEL_MISSING_H

/* In system headers and those that they include, compilers report the program's line instead of all
 * macros. The tests define STENO_HEADERS_WARN, so that warnings in the headers are reported. */
#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/kernel_list.h"

/* clang-format off */
#define STN_MISSING(name, macro, header)                                                           \
    STN_REFUSE(name, "steno: " #name ": " macro " needs #include \"steno/" header "\"")
#ifndef STENO_KERNEL_H
#    define STN_MAP(name, ...)                 STN_MISSING(name, "STN_MAP", "kernel.h") STN_ANY_KERNEL(name)
#    define STN_MAP_INTEGER(name, ...)         STN_MISSING(name, "STN_MAP_INTEGER", "kernel.h") STN_ANY_KERNEL(name)
#    define STN_MAP_COMPLEX(name, ...)         STN_MISSING(name, "STN_MAP_COMPLEX", "kernel.h") STN_ANY_KERNEL(name)
#endif
#ifndef STENO_KERNEL_FUSE_H
#    define STN_FUSE(name, ...)                STN_MISSING(name, "STN_FUSE", "kernel_fuse.h")
#endif
#ifndef STENO_REDUCE_H
#    define STN_REDUCE(name, ...)              STN_MISSING(name, "STN_REDUCE", "reduce.h") STN_ANY_REDUCTION(name)
#    define STN_REDUCE_INTEGER(name, ...)      STN_MISSING(name, "STN_REDUCE_INTEGER", "reduce.h") STN_ANY_REDUCTION(name)
#    define STN_REDUCE_COMPLEX(name, ...)      STN_MISSING(name, "STN_REDUCE_COMPLEX", "reduce.h") STN_ANY_REDUCTION(name)
#    define STN_REDUCE_BY(name, ...)           STN_MISSING(name, "STN_REDUCE_BY", "reduce.h") STN_ANY_REDUCTION(name)
#    define STN_REDUCE_INTEGER_BY(name, ...)   STN_MISSING(name, "STN_REDUCE_INTEGER_BY", "reduce.h") STN_ANY_REDUCTION(name)
#    define STN_REDUCE_COMPLEX_BY(name, ...)   STN_MISSING(name, "STN_REDUCE_COMPLEX_BY", "reduce.h") STN_ANY_REDUCTION(name)
#    define STN_REDUCE_STATE(name, ...)        STN_MISSING(name, "STN_REDUCE_STATE", "reduce.h") STN_ANY_REDUCTION(name)
#    define STN_REDUCE_INTEGER_STATE(name, ...) STN_MISSING(name, "STN_REDUCE_INTEGER_STATE", "reduce.h") STN_ANY_REDUCTION(name)
#    define STN_REDUCE_COMPLEX_STATE(name, ...) STN_MISSING(name, "STN_REDUCE_COMPLEX_STATE", "reduce.h") STN_ANY_REDUCTION(name)
#endif
#ifndef STENO_SCAN_H
#    define STN_SCAN(name, ...)                STN_MISSING(name, "STN_SCAN", "scan.h") STN_ANY_REDUCTION(name)
#    define STN_SCAN_INTEGER(name, ...)        STN_MISSING(name, "STN_SCAN_INTEGER", "scan.h") STN_ANY_REDUCTION(name)
#    define STN_SCAN_BY(name, ...)             STN_MISSING(name, "STN_SCAN_BY", "scan.h") STN_ANY_REDUCTION(name)
#    define STN_SCAN_INTEGER_BY(name, ...)     STN_MISSING(name, "STN_SCAN_INTEGER_BY", "scan.h") STN_ANY_REDUCTION(name)
#endif
/* clang-format on */

#endif
