# Rules for programs other than tests, and for benches.
#
#   bench/bench_*.c    a program of target `benches`; the other bench/*.c are linked into each
# Benches are not part of `all`.

# measure/: timing and streaming speed, for the command and the benches.
file(GLOB STENO_MEASURE_SOURCES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/measure/*.c")
add_library(steno_measure STATIC EXCLUDE_FROM_ALL ${STENO_MEASURE_SOURCES})
target_include_directories(steno_measure PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(steno_measure PUBLIC ${STENO_OPENMP} m)

function(steno_glob result)
    list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/")
    file(GLOB files CONFIGURE_DEPENDS ${ARGN})
    set(${result} "${files}" PARENT_SCOPE)
endfunction()

# steno_inside(<folder> [sources]): the target <folder>_support: the library including its
# internals, and sources that the folder's programs share.
function(steno_inside folder)
    add_library(${folder}_support INTERFACE)
    target_include_directories(${folder}_support INTERFACE "${PROJECT_SOURCE_DIR}/src"
                                                           "${PROJECT_SOURCE_DIR}/${folder}")
    target_link_libraries(${folder}_support INTERFACE ${STENO_INSIDE} steno_measure ${STENO_OPENMP} m)
    target_compile_definitions(${folder}_support INTERFACE ${STENO_ISA_DEFINITIONS}
        STENO_VERSION="${PROJECT_VERSION}"
        STENO_TEST_DATA="${PROJECT_SOURCE_DIR}/test/data"
        STENO_SHARED_DATA="${STENO_SHARED_DATA}"
        STENO_COMMAND="${PROJECT_BINARY_DIR}/steno"
        STENO_STAND_IN="${PROJECT_BINARY_DIR}/test/cuda/stand_in.so"
        STENO_STAND_IN_HIP="${PROJECT_BINARY_DIR}/test/cuda/stand_in_hip.so"
        STENO_STAND_IN_NVRTC="${PROJECT_BINARY_DIR}/test/cuda/nvrtc")
    if(ARGN)
        add_library(${folder}_objects OBJECT EXCLUDE_FROM_ALL ${ARGN})
        target_link_libraries(${folder}_objects PRIVATE ${folder}_support)
    endif()
endfunction()

# A program of that folder.
function(steno_inside_program name folder source)
    add_executable(${name} "${source}")
    set_target_properties(${name} PROPERTIES
                          RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}")
    target_link_libraries(${name} PRIVATE ${folder}_support)
    steno_link_requested(${name} "${source}" ${kind})
    if(TARGET ${folder}_objects)
        target_sources(${name} PRIVATE $<TARGET_OBJECTS:${folder}_objects>)
    endif()
endfunction()

# Does a source include a header of that additional library?
function(steno_uses result source library)
    set(pattern "(steno/)?${library}[./_]")
    if(library STREQUAL "codec") # steno/codec.h is a header of libsteno
        set(pattern "(codec/|(steno/)?archive[./_])")
    endif()
    file(STRINGS "${source}" lines REGEX "^#include \"${pattern}")
    set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# Packages that only programs with their headers link; a program is skipped if its package is missing.
set(STENO_PACKAGES petsc HYPRE cvode)
set(STENO_petsc_TARGETS) # what programs link
set(STENO_HYPRE_TARGETS)
set(STENO_cvode_TARGETS)
if(TARGET PkgConfig::PETSC AND TARGET MPI::MPI_C)
    set(STENO_petsc_TARGETS PkgConfig::PETSC MPI::MPI_C)
endif()
if(NOT CMAKE_CROSSCOMPILING)
    include(cmake/engines.cmake)
endif()

# The packages whose headers a source includes.
function(steno_packages_of result source)
    set(packages)
    foreach(package IN LISTS STENO_PACKAGES)
        file(STRINGS "${source}" lines REGEX "^#include <${package}")
        if(lines)
            list(APPEND packages ${package})
        endif()
    endforeach()
    set(${result} "${packages}" PARENT_SCOPE)
endfunction()

# Links the packages, and the libraries of STENO_ON_REQUEST, that a source includes.
function(steno_link_requested name source kind)
    steno_packages_of(packages "${source}")
    foreach(package IN LISTS packages)
        target_link_libraries(${name} PRIVATE ${STENO_${package}_TARGETS})
    endforeach()
    foreach(library IN LISTS STENO_ON_REQUEST)
        steno_uses(uses "${source}" ${library})
        if(uses)
            target_link_libraries(${name} PRIVATE steno_${library}_${kind})
        endif()
    endforeach()
endfunction()

# Programs that use a library that is not built, or a package that is missing, are skipped.
function(steno_leave_out_missing sources)
    foreach(library IN LISTS STENO_SEPARATE)
        foreach(source IN LISTS ${sources})
            steno_uses(uses "${source}" ${library})
            if(uses AND NOT library IN_LIST STENO_BESIDE)
                list(REMOVE_ITEM ${sources} "${source}")
            endif()
        endforeach()
    endforeach()
    foreach(source IN LISTS ${sources})
        steno_packages_of(packages "${source}")
        foreach(package IN LISTS packages)
            if(NOT STENO_${package}_TARGETS)
                list(REMOVE_ITEM ${sources} "${source}")
            endif()
        endforeach()
    endforeach()
    set(${sources} "${${sources}}" PARENT_SCOPE)
endfunction()

add_custom_target(benches)
steno_glob(benches bench/bench_*.c)
steno_glob(support bench/*.c)
list(REMOVE_ITEM support "" ${benches})
if(STENO_WITH_MARKET) # matrices of `steno solve`
    list(APPEND support "${PROJECT_SOURCE_DIR}/cli/pde.c" "${PROJECT_SOURCE_DIR}/cli/machine.c")
endif()
steno_leave_out_missing(benches)
steno_inside(bench ${support})
foreach(source IN LISTS benches)
    get_filename_component(name "${source}" NAME_WE)
    steno_inside_program(${name} bench "${source}")
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(benches ${name})
endforeach()

if(TARGET bench_archive) # compares with the libraries of the codecs
    target_compile_definitions(bench_archive PRIVATE ${STENO_CODEC_DEFINITIONS})
endif()

# Accessors and kernels are the caller's code: they are compared with the tile codecs, which choose the machine's
# instructions at run time, when they are compiled for it.
include(CheckCCompilerFlag)
check_c_compiler_flag(-march=native STENO_HAS_MARCH_NATIVE)
if(STENO_HAS_MARCH_NATIVE AND NOT CMAKE_CROSSCOMPILING)
    target_compile_options(bench_accessor PRIVATE -march=native)
    target_compile_options(bench_kernels PRIVATE -march=native)
    target_compile_options(bench_stencils PRIVATE -march=native)
    target_compile_options(bench_reduce PRIVATE -march=native)
    target_compile_options(bench_sparse_peers PRIVATE -march=native)
    check_c_compiler_flag(-mprefer-vector-width=512 STENO_HAS_VECTOR_WIDTH) # gcc: 256 on Intel
    if(STENO_HAS_VECTOR_WIDTH)
        foreach(bench IN ITEMS bench_kernels bench_stencils bench_reduce)
            target_compile_options(${bench} PRIVATE -mprefer-vector-width=512)
        endforeach()
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        target_compile_options(bench_reduce PRIVATE -ftree-slp-vectorize) # as users have it
    endif()
endif()

