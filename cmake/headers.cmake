# The headers of accessors, and texts for devices (src/FOLDER/device), as text inside the library, for
# kernels that are compiled at run time.
#
# With -P, this file generates the C file MAKE from a list of HEADERS in the folders INCLUDE and SRC,
# without comments and indentation, which are half of the text.
if(CMAKE_SCRIPT_MODE_FILE)
    function(strip_comments text)
        set(left "${${text}}")
        set(kept "")
        string(FIND "${left}" "/*" begin)
        while(NOT begin EQUAL -1)
            string(SUBSTRING "${left}" 0 ${begin} before)
            string(APPEND kept "${before} ")
            string(SUBSTRING "${left}" ${begin} -1 left)
            string(FIND "${left}" "*/" end)
            math(EXPR end "${end} + 2")
            string(SUBSTRING "${left}" ${end} -1 left)
            string(FIND "${left}" "/*" begin)
        endwhile()
        string(APPEND kept "${left}")
        string(REGEX REPLACE " +\n" "\n" kept "${kept}")
        string(REGEX REPLACE " +\\\\\n" " \\\\\n" kept "${kept}")
        string(REGEX REPLACE "\n[ \n]*\n" "\n" kept "${kept}")
        string(REGEX REPLACE "\n +" "\n" kept "${kept}")
        set(${text} "${kept}" PARENT_SCOPE)
    endfunction()
    set(names "")
    set(texts "")
    set(arrays "")
    set(number 0)
    foreach(header IN LISTS HEADERS)
        set(file "${INCLUDE}/${header}")
        if(NOT EXISTS "${file}")
            set(file "${SRC}/${header}")
        endif()
        file(READ "${file}" bytes)
        strip_comments(bytes)
        string(HEX "${bytes}" bytes)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
        string(APPEND arrays "static const char header_${number}[] = {${bytes}0};\n")
        string(APPEND names "    \"${header}\",\n")
        string(APPEND texts "    header_${number},\n")
        math(EXPR number "${number} + 1")
    endforeach()
    string(SHA256 hash "${names}${arrays}")
    file(WRITE "${MAKE}" "/* Made by cmake/headers.cmake. */
#include \"exec/headers.h\"

${arrays}
const char *const stn_header_names[] = {
${names}};
const char *const stn_header_texts[] = {
${texts}};
const int stn_header_count = ${number};
const char stn_header_hash[] = \"${hash}\";
")
    return()
endif()

set(STENO_HEADERS_MADE "${PROJECT_BINARY_DIR}/steno_headers/headers.c")
file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
    "${PROJECT_SOURCE_DIR}/include/steno/detail/accessor/*.h")
list(APPEND headers steno/accessor.h steno/accessor_define.h steno/accessor_span.h steno/block_codec.h steno/codec.h
    steno/complex.h steno/detail/complex_functions.h
    steno/detail/format_table.h steno/detail/kernel_math.h
    steno/detail/reduce_operations.h)
file(GLOB device_texts CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/src"
    "${PROJECT_SOURCE_DIR}/src/*/device/*.h")
set(STENO_HEADER_FILES "${headers}")
set(STENO_DEVICE_FILES "${device_texts}")
list(TRANSFORM STENO_HEADER_FILES PREPEND "${PROJECT_SOURCE_DIR}/include/")
list(TRANSFORM STENO_DEVICE_FILES PREPEND "${PROJECT_SOURCE_DIR}/src/")
list(APPEND headers ${device_texts})
list(APPEND STENO_HEADER_FILES ${STENO_DEVICE_FILES})
add_custom_command(OUTPUT "${STENO_HEADERS_MADE}"
    COMMAND "${CMAKE_COMMAND}" "-DHEADERS=${headers}" "-DINCLUDE=${PROJECT_SOURCE_DIR}/include"
            "-DSRC=${PROJECT_SOURCE_DIR}/src"
            "-DMAKE=${STENO_HEADERS_MADE}" -P "${PROJECT_SOURCE_DIR}/cmake/headers.cmake"
    DEPENDS ${STENO_HEADER_FILES} "${PROJECT_SOURCE_DIR}/cmake/headers.cmake" VERBATIM)
