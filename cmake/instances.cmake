# Templates that are compiled once per (format x instruction set).
#
# For each pair cmake/instance.c.in becomes a source that defines STN_FORMAT and STN_ISA and
# includes the template, so that all instances belong to one target and build in parallel. The
# formats are read from the table in include/steno/detail/format_table.h.

# steno_read_formats(<result> <excluded>): the names of the float and integer formats, in table order,
# without rows `CLASS(id, NAME, name, bits` that match a regular expression.
function(steno_read_formats result excluded)
    steno_read_rows(rows "FLOAT|INTEGER" "${excluded}")
    set(${result} "${rows}" PARENT_SCOPE)
endfunction()

# steno_read_rows(<result> <class> <excluded>): the same for rows of a class, such as BLOCK.
function(steno_read_rows result class excluded)
    set(table "${PROJECT_SOURCE_DIR}/include/steno/detail/format_table.h")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
    file(READ "${table}" text)
    set(row " (${class})\\([0-9]+, *[A-Z0-9_]+, *([a-z0-9_]+), *[A-Z0-9]+")
    string(REGEX MATCHALL "${row}" rows "${text}")
    list(FILTER rows EXCLUDE REGEX "${excluded}")
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
# With STENO_NATIVE: the last of them that this processor has.
if(STENO_NATIVE)
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS -march=native)
    check_c_source_compiles("
        #if !(defined __AVX512VL__ && defined __AVX512BW__ && defined __AVX512DQ__) && !defined __ARM_NEON
        #error
        #endif
        int main(void) { return 0; }" STENO_NATIVE_IS_LAST)
    check_c_source_compiles("
        #if !(defined __AVX2__ && defined __FMA__ && defined __F16C__)
        #error
        #endif
        int main(void) { return 0; }" STENO_NATIVE_IS_AVX2)
    unset(CMAKE_REQUIRED_FLAGS)
    if(STENO_NATIVE_IS_LAST)
        list(GET isas -1 isas)
    elseif(STENO_NATIVE_IS_AVX2)
        set(isas avx2)
    endif()
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

# Options of gcc for a template, whose loops use vector intrinsics and are unrolled where that is faster:
# without other copies of them and vector loops for their remainders they take two thirds of the space.
set(STENO_TEMPLATE_FLAGS_order/fused -fvect-cost-model=very-cheap -fno-ipa-cp-clone
                                   -fno-unswitch-loops -fno-split-loops)

set(STENO_TEMPLATE_FLAGS_order/block_sums "${STENO_TEMPLATE_FLAGS_order/fused}")

# gcc vectorizes trunc() and conditional arithmetic only if no exceptions are trapped.
set(STENO_TEMPLATE_FLAGS_format/rounding -fno-trapping-math)

# STN_HAVE_ISA_AVX2, _AVX512, _NEON: which rows the dispatch tables have.
set(STENO_ISA_DEFINITIONS)
foreach(isa IN LISTS STENO_ISAS)
    string(TOUPPER "STN_HAVE_ISA_${isa}" definition)
    list(APPEND STENO_ISA_DEFINITIONS ${definition})
endforeach()

# steno_instances(<result> <template> <format>...): the generated sources of one template, such as
# src/order/fused.c, for these formats.
function(steno_instances result template)
    file(RELATIVE_PATH template "${PROJECT_SOURCE_DIR}/src" "${template}")
    string(REGEX REPLACE "\\.c$" "" stem "${template}")
    set(flags)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        set(flags ${STENO_TEMPLATE_FLAGS_${stem}})
    endif()
    set(sources)
    foreach(isa IN LISTS STENO_ISAS)
        foreach(format IN LISTS ARGN)
            set(source "${PROJECT_BINARY_DIR}/instances/${stem}_${format}_${isa}.c")
            configure_file("${PROJECT_SOURCE_DIR}/cmake/instance.c.in" "${source}" @ONLY)
            set_source_files_properties("${source}" PROPERTIES
                                        COMPILE_OPTIONS
                                        "${STENO_ISA_FLAGS_${isa}};${flags}")
            list(APPEND sources "${source}")
        endforeach()
    endforeach()
    set(${result} "${sources}" PARENT_SCOPE)
endfunction()

steno_read_formats(STENO_FORMATS "^$")
steno_read_rows(STENO_BLOCK_FORMATS BLOCK "^$")
# Integers of 64 bits have no fused loops, which are large and rarely used: they are decoded to tiles, as
# are values in slices of 24, 40 and 48 bits.
steno_read_formats(STENO_FUSED_FORMATS "INTEGER.*64$")
steno_read_formats(STENO_SLICE_FORMATS "INTEGER.*64$|FLOAT.*(24|40|48)$")
set(others ${STENO_FUSED_FORMATS} ${STENO_BLOCK_FORMATS})
set(STENO_LOOP_FORMATS ${others} CACHE STRING
    "Formats that loops are compiled for, of ${others}; others are decoded to tiles, which is slower")
foreach(format IN LISTS STENO_LOOP_FORMATS)
    if(NOT format IN_LIST others)
        message(FATAL_ERROR "STENO_LOOP_FORMATS: unknown format ${format} (known: ${others})")
    endif()
endforeach()
list(REMOVE_ITEM others ${STENO_LOOP_FORMATS} "")
foreach(formats STENO_FUSED_FORMATS STENO_SLICE_FORMATS STENO_BLOCK_FORMATS)
    list(REMOVE_ITEM ${formats} ${others} "")
endforeach()

# steno_instance_rows(<name> <format>...): a macro that lists the pairs of these formats and STENO_ISAS.
set(STENO_INSTANCE_ROWS "/* Written by cmake/instances.cmake. */\n")
function(steno_instance_rows name)
    set(rows "")
    foreach(isa IN LISTS STENO_ISAS)
        foreach(format IN LISTS ARGN)
            string(TOUPPER "ROW(${format}, " row)
            string(TOUPPER "${isa}" upper)
            string(APPEND rows " ${row}${format}, ${upper}, ${isa})")
        endforeach()
    endforeach()
    set(STENO_INSTANCE_ROWS "${STENO_INSTANCE_ROWS}#define ${name}(ROW)${rows}\n" PARENT_SCOPE)
endfunction()
steno_instance_rows(STN_TILE_INSTANCES ${STENO_FORMATS})
steno_instance_rows(STN_FUSED_INSTANCES ${STENO_FUSED_FORMATS})
steno_instance_rows(STN_SLICE_INSTANCES ${STENO_SLICE_FORMATS})
steno_instance_rows(STN_BLOCK_INSTANCES ${STENO_BLOCK_FORMATS})
steno_instance_rows(STN_PLANE_INSTANCES upper)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/instances/instance_rows.h" CONTENT "${STENO_INSTANCE_ROWS}")
