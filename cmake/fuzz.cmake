# Each test/fuzz/fuzz_*.c is a libFuzzer program of that name; tools/fuzz.sh runs them.
file(GLOB fuzzers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/test/fuzz/fuzz_*.c")
steno_leave_out_missing(fuzzers)
add_custom_target(fuzzers)
foreach(source IN LISTS fuzzers)
    get_filename_component(name "${source}" NAME_WE)
    add_executable(${name} "${source}")
    set_target_properties(${name} PROPERTIES
                          RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src"
                                               "${PROJECT_SOURCE_DIR}/test"
                                               "${PROJECT_SOURCE_DIR}/test/support")
    target_link_libraries(${name} PRIVATE ${STENO_INSIDE} ${STENO_OPENMP} m)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers ${name})
endforeach()
