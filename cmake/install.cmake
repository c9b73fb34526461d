# make install: shared libraries, headers, command, CMake package, pkg-config files; man pages and the site
# if `make docs` built them.
# cmake --install BUILD --component static: the static libraries in addition.
include(CMakePackageConfigHelpers)
set(STENO_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/steno")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/steno" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/fortran" DESTINATION "${CMAKE_INSTALL_DATADIR}/steno")
if(TARGET steno_command)
    install(TARGETS steno_command)
    install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/steno-plot" TYPE BIN)
endif()

install(DIRECTORY "${PROJECT_BINARY_DIR}/docs/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
install(DIRECTORY "${PROJECT_BINARY_DIR}/docs/html" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)

# One file of targets per library, so that its users do not need the dependencies of the others.
function(steno_install_library name export)
    install(TARGETS ${name} EXPORT ${export} ${ARGN})
    install(EXPORT ${export} NAMESPACE steno:: DESTINATION "${STENO_PACKAGE_DIR}" ${ARGN})
endfunction()
set(static COMPONENT static EXCLUDE_FROM_ALL)
steno_install_library(steno_shared stenoTargets)
steno_install_library(steno_static stenoStaticTargets ${static})
foreach(library IN LISTS STENO_BESIDE)
    steno_install_library(steno_${library}_shared steno_${library}Targets)
    steno_install_library(steno_${library}_static steno_${library}StaticTargets ${static})
endforeach()
if(TARGET steno_mpi_command)
    install(TARGETS steno_mpi_command)
endif()
if(STENO_HAS_MPI)
    steno_install_library(steno_mpi_shared steno_mpiTargets)
    steno_install_library(steno_mpi_static steno_mpiStaticTargets ${static})
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/mpi/include/steno" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/mpi/comm.c" DESTINATION "${CMAKE_INSTALL_DATADIR}/steno/mpi")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/stenoConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/stenoConfig.cmake"
                              INSTALL_DESTINATION "${STENO_PACKAGE_DIR}"
                              PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/stenoConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/stenoConfig.cmake"
              "${PROJECT_BINARY_DIR}/stenoConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/contract.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/fortran.cmake"
        DESTINATION "${STENO_PACKAGE_DIR}")

# pkg-config: relative to its own location, so that an installed tree can be moved, and with the
# dependencies of static linking.
file(RELATIVE_PATH STENO_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig"
     "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" STENO_PC_PREFIX "${STENO_PC_PREFIX}")
foreach(dir LIBDIR INCLUDEDIR)
    set(STENO_PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
        set(STENO_PC_${dir} "${CMAKE_INSTALL_${dir}}")
    endif()
endforeach()

# steno_pkg_config(<name> <description> <word ...>): the words are keywords of the file and values.
function(steno_pkg_config STENO_PC_NAME STENO_PC_DESCRIPTION)
    cmake_parse_arguments(PARSE_ARGV 2 STENO_PC "" "REQUIRES;LIBS;PRIVATE_REQUIRES;PRIVATE_LIBS;CFLAGS" "")
    set(file "${PROJECT_BINARY_DIR}/${STENO_PC_NAME}.pc")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/steno.pc.in" "${file}" @ONLY)
    install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
set(STENO_PRIVATE_LIBS "${OpenMP_C_FLAGS} -pthread")
string(STRIP "${STENO_PRIVATE_LIBS}" STENO_PRIVATE_LIBS)
if(CMAKE_DL_LIBS)
    string(APPEND STENO_PRIVATE_LIBS " -l${CMAKE_DL_LIBS}")
endif()
steno_pkg_config(steno "${PROJECT_DESCRIPTION}" LIBS "-lsteno -lm"
                 PRIVATE_LIBS "${STENO_PRIVATE_LIBS}")
set(STENO_ON_STENO REQUIRES "steno = ${PROJECT_VERSION}")
if(STENO_WITH_CONTRACT)
    steno_pkg_config(steno_contract "Bounds on the machine code of functions and loops"
                     ${STENO_ON_STENO} LIBS "-lsteno_contract" PRIVATE_REQUIRES "libelf")
endif()
if(STENO_WITH_MARKET)
    steno_pkg_config(steno_market "Matrix Market files" ${STENO_ON_STENO} LIBS "-lsteno_market"
                     PRIVATE_REQUIRES "zlib")
endif()
if(STENO_WITH_CBLAS)
    steno_pkg_config(steno_cblas "BLAS by its standard names" ${STENO_ON_STENO}
                     LIBS "-lsteno_cblas")
endif()
if(STENO_WITH_CODEC)
    list(JOIN STENO_CODEC_PRIVATE_LIBS " " libraries)
    steno_pkg_config(steno_codec "Arrays of compressed blocks" ${STENO_ON_STENO}
                     LIBS "-lsteno_codec" PRIVATE_LIBS "${libraries}")
endif()
if("petsc" IN_LIST STENO_BESIDE) # without the libraries that a static PETSc would need
    list(JOIN PETSC_LDFLAGS " " libraries)
    list(JOIN MPI_C_LIBRARIES " " mpi)
    steno_pkg_config(steno_petsc "Matrices and preconditioners for PETSc" ${STENO_ON_STENO}
                     LIBS "-lsteno_petsc" PRIVATE_LIBS "${libraries} ${mpi}")
endif()
if(STENO_HAS_MPI)
    list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE includes)
    list(JOIN includes " " includes)
    list(JOIN MPI_C_LIBRARIES " " libraries)
    steno_pkg_config(steno_mpi "Communicators over MPI" ${STENO_ON_STENO}
                     LIBS "-lsteno_mpi ${libraries}" CFLAGS "${includes}")
endif()
