# make install: libraries, headers, command, CMake package, pkg-config file.
include(CMakePackageConfigHelpers)
set(STENO_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/steno")

install(TARGETS steno_shared EXPORT stenoTargets)
install(TARGETS steno_static EXPORT stenoStaticTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/steno" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
if(TARGET steno_command)
    install(TARGETS steno_command)
endif()

# Two files of targets: who links the shared library need not have what only the static one needs.
install(EXPORT stenoTargets NAMESPACE steno:: DESTINATION "${STENO_PACKAGE_DIR}")
install(EXPORT stenoStaticTargets NAMESPACE steno:: DESTINATION "${STENO_PACKAGE_DIR}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/stenoConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/stenoConfig.cmake"
                              INSTALL_DESTINATION "${STENO_PACKAGE_DIR}"
                              PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/stenoConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/stenoConfig.cmake"
              "${PROJECT_BINARY_DIR}/stenoConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/contract.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
        DESTINATION "${STENO_PACKAGE_DIR}")

# pkg-config: relative to its own place, so that an installed tree can be moved;
# and what a static link needs besides libsteno.a.
file(RELATIVE_PATH STENO_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig"
     "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" STENO_PC_PREFIX "${STENO_PC_PREFIX}")
set(STENO_PRIVATE_LIBS "${OpenMP_C_FLAGS}")
if(CMAKE_DL_LIBS)
    string(APPEND STENO_PRIVATE_LIBS " -l${CMAKE_DL_LIBS}")
endif()
if(STENO_WITH_SPARSE)
    string(PREPEND STENO_PRIVATE_LIBS "-lz ")
endif()
if(STENO_WITH_CONTRACT)
    string(PREPEND STENO_PRIVATE_LIBS "-lelf ")
endif()
foreach(dir LIBDIR INCLUDEDIR)
    set(STENO_PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
        set(STENO_PC_${dir} "${CMAKE_INSTALL_${dir}}")
    endif()
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/cmake/steno.pc.in" "${PROJECT_BINARY_DIR}/steno.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/steno.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
