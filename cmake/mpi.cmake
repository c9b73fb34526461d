# libsteno_mpi: mpi/, if CMake finds an MPI for C. Its source is installed in any case.
# MPI reports leaks and races of its own to sanitizers, and belongs to this machine.
if(NOT CMAKE_CROSSCOMPILING AND NOT STENO_SANITIZE AND NOT STENO_SANITIZE_THREAD)
    find_package(MPI COMPONENTS C QUIET)
endif()
if(MPI_C_FOUND)
    steno_separate_library(mpi)
    target_link_libraries(steno_mpi_objects PUBLIC MPI::MPI_C)
    target_include_directories(steno_mpi_objects PRIVATE "${PROJECT_SOURCE_DIR}/mpi/include")
    foreach(library steno_mpi_static steno_mpi_shared)
        target_link_libraries(${library} PUBLIC MPI::MPI_C)
        target_include_directories(${library} INTERFACE
            "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/mpi/include>")
    endforeach()
    set(STENO_HAS_MPI ON)
    if(STENO_WITH_CLI AND STENO_WITH_MARKET)
        add_executable(steno_mpi_command "${PROJECT_SOURCE_DIR}/mpi/command/main.c"
                                         "${PROJECT_SOURCE_DIR}/mpi/command/options.c")
        file(RELATIVE_PATH libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
        set_target_properties(steno_mpi_command PROPERTIES OUTPUT_NAME steno-mpi
                              RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
                              BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN/${libraries}")
        target_link_libraries(steno_mpi_command PRIVATE steno_mpi_shared steno_market_shared
                                                        steno_shared m)
    endif()
else()
    message(STATUS "Without MPI: libsteno_mpi and the command steno-mpi are not built")
endif()
