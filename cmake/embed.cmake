# steno_embed_kernels(<target> [BASE <folder>] <file.k>...)
#
# Makes the text of kernels in separate files (steno/kernel_file.h) available at run time, as for
# STN_MAP. File names are those in STN_KERNEL_FILE, relative to the folder BASE, by default the
# current source folder. For each, the build generates a file of the same name in a folder that is
# first in the target's include path: it includes the kernel and contains its bytes as numbers. It
# is generated again if the kernel changes.
#
# In other projects, find_package(steno) provides this function. With -P, this file generates one
# such file: KERNEL, its NAME, and the output MAKE.

if(CMAKE_SCRIPT_MODE_FILE AND DEFINED MAKE)
    file(READ "${KERNEL}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    set(sixteen "0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,")
    string(REGEX REPLACE "(${sixteen}${sixteen})" "\\1\n" bytes "${bytes}")
    file(WRITE "${MAKE}" "/* ${NAME} and its text, made by steno_embed_kernels. */
#ifdef STN_KERNEL_TEXT_HERE
${bytes}0
#else
#    define STN_KERNEL_HAS_TEXT
#    include \"${KERNEL}\"
#endif
")
    return()
endif()

function(steno_embed_kernels target)
    cmake_parse_arguments(PARSE_ARGV 1 embed "" "BASE" "")
    if(NOT TARGET ${target})
        message(FATAL_ERROR "steno_embed_kernels: there is no target ${target}")
    endif()
    if(NOT embed_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "steno_embed_kernels: no files for ${target}")
    endif()
    get_filename_component(base "${embed_BASE}" ABSOLUTE)
    set(made "${CMAKE_CURRENT_BINARY_DIR}/steno_kernels/${target}")
    foreach(name IN LISTS embed_UNPARSED_ARGUMENTS)
        if(IS_ABSOLUTE "${name}" OR NOT EXISTS "${base}/${name}")
            message(FATAL_ERROR "steno_embed_kernels: there is no ${name} in ${base}")
        endif()
        add_custom_command(OUTPUT "${made}/${name}"
            COMMAND "${CMAKE_COMMAND}" "-DKERNEL=${base}/${name}" "-DNAME=${name}"
                    "-DMAKE=${made}/${name}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
            DEPENDS "${base}/${name}" "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" VERBATIM)
        set_source_files_properties("${made}/${name}" PROPERTIES HEADER_FILE_ONLY ON)
        target_sources(${target} PRIVATE "${made}/${name}")
    endforeach()
    target_include_directories(${target} BEFORE PRIVATE "${made}")
endfunction()
