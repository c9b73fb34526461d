# Templates that are compiled once per (format x instruction set).
#
# For each pair cmake/instance.c.in becomes a source that defines STN_FORMAT and STN_ISA and
# includes the template, so that all instances belong to one target and build in parallel. The
# formats are read from the table in include/steno/detail/format_table.h.

# The names of the float and integer formats, in table order.
function(steno_read_formats result)
    set(table "${PROJECT_SOURCE_DIR}/include/steno/detail/format_table.h")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
    file(READ "${table}" text)
    set(row " (FLOAT|INTEGER)\\([0-9]+, *[A-Z0-9_]+, *([a-z0-9_]+),")
    string(REGEX MATCHALL "${row}" rows "${text}")
    list(TRANSFORM rows REPLACE "${row}" "\\2")
    if(NOT rows)
        message(FATAL_ERROR "no formats found in ${table}")
    endif()
    set(${result} "${rows}" PARENT_SCOPE)
endfunction()

# STENO_ISAS: the instruction sets built for this processor; STENO_ISA_FLAGS_<isa>: their flags.
set(isas)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(isas avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(isas neon)
endif()
set(STENO_ISAS ${isas} CACHE STRING "Instruction sets that loops are built for, of those of ${isas}")
foreach(isa IN LISTS STENO_ISAS)
    if(NOT isa IN_LIST isas)
        message(FATAL_ERROR "STENO_ISAS: unknown instruction set ${isa} (known: ${isas})")
    endif()
endforeach()
set(STENO_ISA_FLAGS_avx2 -mavx2 -mfma -mf16c)
set(STENO_ISA_FLAGS_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl ${STENO_ISA_FLAGS_avx2}
                           -mprefer-vector-width=512)
set(STENO_ISA_FLAGS_neon)

# STN_HAVE_ISA_AVX2, _AVX512, _NEON: which rows the dispatch tables have.
set(STENO_ISA_DEFINITIONS)
foreach(isa IN LISTS STENO_ISAS)
    string(TOUPPER "STN_HAVE_ISA_${isa}" definition)
    list(APPEND STENO_ISA_DEFINITIONS ${definition})
endforeach()

# steno_instances(<result> <template> [format...]): the generated sources of one template, such as
# src/sum/fused.c, for these formats or all.
function(steno_instances result template)
    set(formats ${ARGN})
    if(NOT formats)
        set(formats ${STENO_FORMATS})
    endif()
    file(RELATIVE_PATH template "${PROJECT_SOURCE_DIR}/src" "${template}")
    string(REGEX REPLACE "\\.c$" "" stem "${template}")
    set(sources)
    foreach(isa IN LISTS STENO_ISAS)
        foreach(format IN LISTS formats)
            set(source "${PROJECT_BINARY_DIR}/instances/${stem}_${format}_${isa}.c")
            configure_file("${PROJECT_SOURCE_DIR}/cmake/instance.c.in" "${source}" @ONLY)
            set_source_files_properties("${source}" PROPERTIES
                                        COMPILE_OPTIONS "${STENO_ISA_FLAGS_${isa}}")
            list(APPEND sources "${source}")
        endforeach()
    endforeach()
    set(${result} "${sources}" PARENT_SCOPE)
endfunction()

steno_read_formats(STENO_FORMATS)
