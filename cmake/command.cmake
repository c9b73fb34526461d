# The `steno` command, at the top of the build folder: cli/, and contract/command/ for `steno contract`. It uses the shared libraries, which are found
# relative to it, in the build folder and where it is installed.
file(GLOB STENO_COMMAND_SOURCES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.c")
if(STENO_WITH_CONTRACT)
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/contract/command/*.c")
    list(APPEND STENO_COMMAND_SOURCES ${sources})
endif()
if(STENO_WITH_CODEC)
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/codec/command/*.c")
    list(APPEND STENO_COMMAND_SOURCES ${sources})
endif()
if(STENO_COMMAND_SOURCES)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
    add_executable(steno_command ${STENO_COMMAND_SOURCES})
    file(RELATIVE_PATH libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
    set_target_properties(steno_command PROPERTIES OUTPUT_NAME steno
                          RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
                          BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN/${libraries}")
    target_include_directories(steno_command PRIVATE "${PROJECT_SOURCE_DIR}/src"
                                                     "${PROJECT_SOURCE_DIR}/cli")
    target_compile_definitions(steno_command PRIVATE STENO_VERSION="${PROJECT_VERSION}" STN_IN_COMMAND
        STN_HAVE_CONTRACT=$<BOOL:${STENO_WITH_CONTRACT}> STN_HAVE_CODEC=$<BOOL:${STENO_WITH_CODEC}>
        STN_HAVE_MPI=$<BOOL:${STENO_HAS_MPI}>)
    target_compile_options(steno_command PRIVATE ${STENO_STACK_OPTIONS})
    set(libraries market)
    if(STENO_WITH_CONTRACT)
        list(APPEND libraries contract)
    endif()
    if(STENO_WITH_CODEC)
        list(APPEND libraries codec)
    endif()
    list(TRANSFORM libraries REPLACE "(.+)" "steno_\\1_shared")
    target_link_libraries(steno_command PRIVATE ${libraries} steno_shared steno_measure
                          PkgConfig::JANSSON ${STENO_OPENMP} m ${CMAKE_DL_LIBS})
    if(STENO_WITH_CONTRACT) # what `steno contract alignment` compiles
        include(cmake/embed.cmake)
        steno_embed_kernels(steno_command BASE examples kernels/complex.h kernels/complex.cu
                            kernels/complex.c)
    endif()
endif()
