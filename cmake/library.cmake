# libsteno.a and libsteno.so from one set of objects.
find_package(OpenMP REQUIRED COMPONENTS C)

set(STENO_FLOORS core format exec sum view blas map expr reduce)
set(STENO_TEMPLATES format/tile.c blas/fused.c blas/sums.c)
if(STENO_WITH_SPARSE)
    find_package(ZLIB REQUIRED)
    list(APPEND STENO_FLOORS sparse market)
    list(APPEND STENO_TEMPLATES sparse/fused.c)
endif()

# Object code: beside the tower, on core alone.
if(STENO_WITH_CONTRACT)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(ELF REQUIRED IMPORTED_TARGET libelf)
    list(APPEND STENO_FLOORS contract)
endif()

set(STENO_SOURCES)
foreach(floor IN LISTS STENO_FLOORS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${floor}/*.c")
    list(APPEND STENO_SOURCES ${sources})
endforeach()
foreach(template IN LISTS STENO_TEMPLATES)
    set(template "${PROJECT_SOURCE_DIR}/src/${template}")
    if(template IN_LIST STENO_SOURCES)
        list(REMOVE_ITEM STENO_SOURCES "${template}")
        steno_instances(instances "${template}")
        list(APPEND STENO_SOURCES ${instances})
    endif()
endforeach()

include(cmake/headers.cmake)
add_library(steno_objects OBJECT ${STENO_SOURCES} "${STENO_HEADERS_MADE}")
set_target_properties(steno_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(steno_objects PUBLIC "${PROJECT_SOURCE_DIR}/include"
                                         PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_compile_definitions(steno_objects PRIVATE STENO_VERSION="${PROJECT_VERSION}"
                                                 ${STENO_ISA_DEFINITIONS})
target_compile_options(steno_objects PRIVATE ${STENO_STACK_OPTIONS})
target_link_libraries(steno_objects PRIVATE OpenMP::OpenMP_C)
if(STENO_WITH_CONTRACT)
    target_include_directories(steno_objects PRIVATE ${ELF_INCLUDE_DIRS})
endif()

add_library(steno_static STATIC $<TARGET_OBJECTS:steno_objects>)
add_library(steno_shared SHARED $<TARGET_OBJECTS:steno_objects>)
add_library(steno::static ALIAS steno_static)
add_library(steno::steno ALIAS steno_shared)

foreach(library steno_static steno_shared)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME steno LINKER_LANGUAGE C)
    target_include_directories(${library} INTERFACE
        "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
        "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    # Kernels call the functions of <math.h> in the program itself.
    target_link_libraries(${library} PRIVATE OpenMP::OpenMP_C ${CMAKE_DL_LIBS} PUBLIC m)
    if(STENO_WITH_SPARSE)
        target_link_libraries(${library} PRIVATE ZLIB::ZLIB)
    endif()
    if(STENO_WITH_CONTRACT)
        target_link_libraries(${library} PRIVATE PkgConfig::ELF)
    endif()
endforeach()

set(STENO_SYMBOLS "${PROJECT_SOURCE_DIR}/src/steno.map")
set_target_properties(steno_static PROPERTIES EXPORT_NAME static)
set_target_properties(steno_shared PROPERTIES EXPORT_NAME steno VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS "${STENO_SYMBOLS}")
target_link_options(steno_shared PRIVATE "LINKER:--version-script=${STENO_SYMBOLS}")
if(NOT STENO_SANITIZE AND NOT STENO_SANITIZE_THREAD)
    target_link_options(steno_shared PRIVATE "LINKER:-z,defs")
endif()
