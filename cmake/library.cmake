# The libraries: libsteno; libsteno_contract and libsteno_market, which use its core; and
# libsteno_cblas, libsteno_codec and libsteno_petsc, which use its public functions; each as .a and .so
# from one set of objects.
find_package(Threads REQUIRED)
if(STENO_WITH_OPENMP)
    find_package(OpenMP COMPONENTS C)
endif()
set(STENO_OPENMP) # what programs with OpenMP's pragmas link
if(OpenMP_C_FOUND)
    set(STENO_OPENMP OpenMP::OpenMP_C)
    file(GLOB openmp_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/exec/openmp/*.c")
    set_source_files_properties(${openmp_sources} PROPERTIES COMPILE_OPTIONS "${OpenMP_C_FLAGS}")
else()
    message(STATUS "Without OpenMP: the executor openmp is not available")
endif()
# Vectorization of loops marked `omp simd`, which needs no library; other pragmas are ignored.
add_compile_options($<$<COMPILE_LANGUAGE:C>:-fopenmp-simd>)

# steno_sources(<result> <floor>...): the sources of these folders of src/.
function(steno_sources result)
    set(sources)
    foreach(floor IN LISTS ARGN)
        file(GLOB_RECURSE files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${floor}/*.c")
        list(APPEND sources ${files})
    endforeach()
    set(${result} "${sources}" PARENT_SCOPE)
endfunction()

# steno_library(<name> <export> <symbols> <source>...): lib<name>.a and lib<name>.so, as the targets
# <name>_static and <name>_shared, exported under the names in <export>: shared, static.
function(steno_library name export symbols)
    list(GET export 0 shared)
    list(GET export 1 static)
    add_library(${name}_objects OBJECT ${ARGN})
    set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${name}_objects PUBLIC "${PROJECT_SOURCE_DIR}/include"
                                               PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_compile_options(${name}_objects PRIVATE ${STENO_STACK_OPTIONS})
    add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects>)
    add_library(${name}_shared SHARED $<TARGET_OBJECTS:${name}_objects>)
    add_library(steno::${static} ALIAS ${name}_static)
    add_library(steno::${shared} ALIAS ${name}_shared)
    foreach(library ${name}_static ${name}_shared)
        set_target_properties(${library} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C)
        target_include_directories(${library} INTERFACE
            "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
            "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    endforeach()
    set_target_properties(${name}_static PROPERTIES EXPORT_NAME ${static})
    set_target_properties(${name}_shared PROPERTIES EXPORT_NAME ${shared}
                          VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                          LINK_DEPENDS "${symbols}")
    if(STENO_INSIDE_SHARED)
        target_link_options(${name}_shared PRIVATE "LINKER:-Bsymbolic-functions")
    else()
        target_link_options(${name}_shared PRIVATE "LINKER:--version-script=${symbols}"
                                                   "LINKER:-z,defs")
    endif()
endfunction()

# steno_separate_library(<name> <package>...): libsteno_<name>, made from the folder <name> without its
# command and test, depends on these packages.
function(steno_separate_library name)
    set(folder "${PROJECT_SOURCE_DIR}/${name}")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.c")
    list(FILTER sources EXCLUDE REGEX "^${folder}/(command|test)/")
    steno_library(steno_${name} "${name};${name}_static" "${folder}/symbols.map" ${sources})
    target_include_directories(steno_${name}_objects PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(steno_${name}_objects PRIVATE ${ARGN})
    target_link_libraries(steno_${name}_static PRIVATE ${ARGN} PUBLIC steno_static)
    target_link_libraries(steno_${name}_shared PRIVATE ${ARGN} PUBLIC steno_shared)
endfunction()

steno_sources(STENO_SOURCES core format exec order view map expr reduce blas sparse precondition
              distribute solver advise)
foreach(template format/tile.c format/rounding.c format/block_codecs.c order/fused.c order/block_sums.c blas/level3/kernel.c sparse/product/slice_sums.c
        sparse/product/packed_sums.c sparse/product/row_tile.c sparse/product/tile.c
        blas/band_lanes.c blas/complex.c blas/value_lines.c blas/value_sums.c)
    set(formats f64 f32)
    if(template STREQUAL "format/tile.c")
        set(formats ${STENO_FORMATS})
    elseif(template STREQUAL "order/fused.c")
        set(formats ${STENO_FUSED_FORMATS} upper)
    elseif(template MATCHES "block_codecs")
        set(formats f16)
    elseif(template MATCHES "block_sums")
        set(formats ${STENO_BLOCK_FORMATS})
    elseif(template MATCHES "slice_sums")
        set(formats ${STENO_SLICE_FORMATS} upper)
    endif()
    set(template "${PROJECT_SOURCE_DIR}/src/${template}")
    list(REMOVE_ITEM STENO_SOURCES "${template}")
    steno_instances(instances "${template}" ${formats})
    # Indirect jumps of the switch over the lengths of rows are predicted worse than branches.
    if(template MATCHES "/row_tile\\.c")
        set_property(SOURCE ${instances} APPEND PROPERTY COMPILE_OPTIONS -fno-jump-tables)
    endif()
    list(APPEND STENO_SOURCES ${instances})
endforeach()
# The tables of instances.
set_source_files_properties(src/format/codec.c src/order/block_loops.c src/order/codes.c src/sparse/product/source.c
                            PROPERTIES INCLUDE_DIRECTORIES "${PROJECT_BINARY_DIR}/instances")
# With checks of each access, gcc takes four times as long for these large functions at -O1.
if(STENO_SANITIZE)
    set_source_files_properties(src/expr/run.c src/order/monoid.c src/reduce/array_functions.c src/sparse/ops/rows.c
                                PROPERTIES COMPILE_OPTIONS -O0)
# Panels of 8 columns: gcc must unroll these loops before vectorization.
elseif(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/order/monoid.c"
                                PROPERTIES COMPILE_OPTIONS -ftree-slp-vectorize)
endif()
include(cmake/headers.cmake)
steno_library(steno "steno;static" "${PROJECT_SOURCE_DIR}/src/symbols.map" ${STENO_SOURCES}
              "${STENO_HEADERS_MADE}")
target_compile_definitions(steno_objects PRIVATE STENO_VERSION="${PROJECT_VERSION}"
                                                 ${STENO_ISA_DEFINITIONS})
foreach(library steno_static steno_shared)
    # Kernels call the functions of <math.h> in the program itself.
    target_link_libraries(${library} PRIVATE ${STENO_OPENMP} Threads::Threads ${CMAKE_DL_LIBS} PUBLIC m)
endforeach()

set(STENO_SEPARATE contract market cblas codec petsc) # libraries in their own folders
set(STENO_BESIDE) # those of them that are built
set(STENO_ON_REQUEST petsc) # those that only programs that include their headers link
if(STENO_WITH_CONTRACT)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(ELF REQUIRED IMPORTED_TARGET libelf)
    steno_separate_library(contract PkgConfig::ELF)
    list(APPEND STENO_BESIDE contract)
endif()
if(STENO_WITH_MARKET)
    find_package(ZLIB REQUIRED)
    steno_separate_library(market ZLIB::ZLIB)
    list(APPEND STENO_BESIDE market)
endif()
if(STENO_WITH_CBLAS)
    steno_separate_library(cblas)
    list(APPEND STENO_BESIDE cblas)
endif()
if(STENO_WITH_CODEC)
    include(cmake/codec.cmake)
    list(APPEND STENO_BESIDE codec)
endif()
if(STENO_WITH_PETSC)
    include(cmake/petsc.cmake)
endif()
set(STENO_HAS_MPI OFF)
if(STENO_WITH_MPI)
    include(cmake/mpi.cmake)
endif()
set(kind static)
if(STENO_INSIDE_SHARED)
    set(kind shared)
endif()
set(STENO_INSIDE ${STENO_BESIDE})
list(REMOVE_ITEM STENO_INSIDE ${STENO_ON_REQUEST})
list(TRANSFORM STENO_INSIDE REPLACE "(.+)" "steno_\\1_${kind}")
list(APPEND STENO_INSIDE steno_${kind})
