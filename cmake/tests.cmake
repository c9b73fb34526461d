# Tests and examples, by rule: a new file in its folder is a new program.
#
#   test/*/test_*.c    a cmocka program and a test
#   test/support/*.c   linked into each test program; *_kernels.c only into those that include their
#                      header, since they take long to compile and have one version of each loop
#   test/*/test_*.sh   a test run by bash, with STENO (the command) and SOURCE_DIR set; labelled
#                      `toolchains` if it names its own compilers and need not run once per compiler,
#                      `scripts` if it uses the command or the sources and need not either
#   examples/*.c       a program that uses the public headers and the shared library only; a test
# Tests of a library in its own folder are in LIBRARY/test/. Exit status 77 means skipped.
#
# Tests of matrices, and of sums and codecs by bit patterns, are compiled as users' programs are; the
# others, examples and benches, with STENO_TEST_OPTIONS and one version of each loop where it is set.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
set(STENO_TESTS_WITHOUT "" CACHE STRING "Tests and examples that are not built, as a regular expression of their names")
add_custom_target(tests)
add_custom_target(examples)
if(TARGET steno_command)
    add_dependencies(tests steno_command)
endif()

function(steno_compile_by_hand name)
    if(NOT STENO_TEST_OPTIONS OR name MATCHES "^test_(tile|codec|blas|order|spmv|stack)$" OR
       (name MATCHES "_(matrix|kernels)$" AND NOT STENO_SANITIZE) OR
       (name MATCHES "^test_accessor" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")) # checks of many types take long at -O0
        return()
    endif()
    target_compile_options(${name} PRIVATE ${STENO_TEST_OPTIONS})
    target_compile_definitions(${name} PRIVATE STN_KERNEL_ONE_VERSION=)
endfunction()

# Threads of OpenMP have the stacks that the manual says are enough; a sanitizer's frames are larger.
if(NOT STENO_SANITIZE AND NOT STENO_SANITIZE_THREAD)
    set(STENO_TEST_ENVIRONMENT "OMP_STACKSIZE=128K;")
endif()
# On a busy machine the compiler of kernels may take longer than the library's limit.
string(APPEND STENO_TEST_ENVIRONMENT "STENO_CC_SECONDS=600;")
# PoCL compiles a text without optimization in half the time. Bits are the same, which these tests compare.
if(STENO_TEST_OPTIONS)
    string(APPEND STENO_TEST_ENVIRONMENT "POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable;")
endif()
function(steno_set_test_properties name)
    set(leaks "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/test/leaks.supp")
    set_tests_properties(${name} PROPERTIES TIMEOUT ${STENO_TEST_TIMEOUT} SKIP_RETURN_CODE 77 ENVIRONMENT
        "${STENO_TEST_ENVIRONMENT}OMP_NUM_THREADS=2;OMP_WAIT_POLICY=passive;STENO_CACHE=off;${leaks};${ARGN}")
endfunction()

# Programs that run on devices only. Without a GPU, cuda:0 and hip:0 are the driver stand-in of
# test/cuda, for which texts are compiled and codes are moved.
set(STENO_DEVICE_TESTS test_device_blocks test_device_chunks test_device_copy test_device_kernel
    test_device_language test_device_levels test_device_planes test_device_reduce test_device_refuse
    test_device_sparse test_device_sparse_operations test_device_state test_device_view)
set(STENO_TEST_FOLDERS test/*)
foreach(library IN LISTS STENO_SEPARATE)
    list(APPEND STENO_TEST_FOLDERS ${library}/test)
endforeach()
set(patterns ${STENO_TEST_FOLDERS})
list(TRANSFORM patterns APPEND "/test_*.c")
steno_glob(tests ${patterns})
steno_glob(support test/support/*.c)
steno_glob(heavy test/support/*_kernels.c)
list(REMOVE_ITEM support "" ${heavy})
steno_leave_out_missing(tests)
steno_leave_out_missing(support)
steno_inside(test ${support})
target_include_directories(test_support INTERFACE "${PROJECT_SOURCE_DIR}/test/support")
target_link_libraries(test_support INTERFACE PkgConfig::CMOCKA)
foreach(source IN LISTS heavy)
    get_filename_component(name "${source}" NAME_WE)
    add_library(${name} OBJECT EXCLUDE_FROM_ALL "${source}")
    target_link_libraries(${name} PRIVATE test_support)
    target_compile_definitions(${name} PRIVATE STN_KERNEL_ONE_VERSION=)
    if(STENO_HAS_MARCH_NATIVE AND NOT CMAKE_CROSSCOMPILING AND NOT STENO_SANITIZE)
        target_compile_options(${name} PRIVATE -march=native)
    endif()
    steno_compile_by_hand(${name})
endforeach()
if(STENO_SANITIZE) # which touches memory of its own, and knows no device's
    list(REMOVE_ITEM tests "${PROJECT_SOURCE_DIR}/test/view/test_view_first_touch.c"
                           "${PROJECT_SOURCE_DIR}/test/accessor/test_accessor_cuda.c"
                           "${PROJECT_SOURCE_DIR}/test/core/test_stack.c")
endif()
# Long to compile: without a GPU the first is skipped, and gcc's build without sanitizers has the others.
if(STENO_TEST_OPTIONS AND NOT EXISTS /dev/nvidiactl)
    list(REMOVE_ITEM tests "${PROJECT_SOURCE_DIR}/test/accessor/test_accessor_cuda.c")
endif()
if(STENO_TEST_OPTIONS AND (STENO_SANITIZE OR NOT CMAKE_C_COMPILER_ID STREQUAL "GNU"))
    list(REMOVE_ITEM tests "${PROJECT_SOURCE_DIR}/test/accessor/test_accessor_opencl.c"
                           "${PROJECT_SOURCE_DIR}/test/accessor/test_accessor_matrix_left.c"
                           "${PROJECT_SOURCE_DIR}/test/accessor/test_accessor_matrix_strided.c")
endif()
# The tests that a phase of tools/check.sh does without: test_view, example_heat.
macro(steno_leave_out list prefix)
    foreach(source IN LISTS ${list})
        get_filename_component(name "${source}" NAME_WE)
        if(STENO_TESTS_WITHOUT AND "${prefix}${name}" MATCHES "^(${STENO_TESTS_WITHOUT})$")
            list(REMOVE_ITEM ${list} "${source}")
        endif()
    endforeach()
endmacro()
steno_leave_out(tests "")
foreach(source IN LISTS tests)
    get_filename_component(name "${source}" NAME_WE)
    steno_inside_program(${name} test "${source}")
    foreach(kernels IN LISTS heavy)
        get_filename_component(kernels "${kernels}" NAME_WE)
        file(STRINGS "${source}" included REGEX "#include \"${kernels}[.]h\"")
        if(included)
            target_sources(${name} PRIVATE $<TARGET_OBJECTS:${kernels}>)
        endif()
    endforeach()
    file(STRINGS "${source}" compresses REGEX "gzopen")
    if(compresses)
        target_link_libraries(${name} PRIVATE ZLIB::ZLIB)
    endif()
    if(name MATCHES "^test_accessor")
        target_compile_options(${name} PRIVATE -O1) # many types: test_accessor_isa has -O2 and -O3
        if(STENO_TEST_OPTIONS)
            if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT STENO_SANITIZE AND name MATCHES "_(matrix_[a-z]+|masks|ranks|rules|fit|choices)$")
                target_compile_options(${name} PRIVATE -Og) # compiles in two thirds of the time
            endif()
            target_compile_definitions(${name} PRIVATE CHECK_PAIRS=) # of properties of types, not all combinations
        endif()
    endif()
    steno_compile_by_hand(${name})
    if(name STREQUAL "test_stack") # loops of programs have no large frames either
        target_compile_options(${name} PRIVATE ${STENO_STACK_OPTIONS})
        if(STENO_TEST_OPTIONS AND STENO_HAS_MARCH_NATIVE AND NOT CMAKE_CROSSCOMPILING)
            target_compile_options(${name} PRIVATE -march=native) # compiles in half the time
        endif()
    endif()
    add_dependencies(tests ${name})
    if(NOT name IN_LIST STENO_DEVICE_TESTS)
        add_test(NAME ${name} COMMAND ${name})
        steno_set_test_properties(${name})
    endif()
endforeach()

# The same program on a device: the test NAME_opencl runs it with STENO_TEST_EXEC=opencl:0. The labels
# `device`, and `opencl`, `cuda` or `hip`, select or exclude these tests.
function(steno_test_on_device name kind)
    if(TARGET ${name} AND NOT CMAKE_CROSSCOMPILING)
        add_test(NAME ${name}_${kind} COMMAND ${name})
        steno_set_test_properties(${name}_${kind} "STENO_TEST_EXEC=${kind}:0" ${ARGN})
        set_tests_properties(${name}_${kind} PROPERTIES LABELS "device;${kind}")
    endif()
endfunction()
# PoCL's threads end while leaks are looked for, which then crashes now and then; hipRTC has its own
# stack for signals.
set(steno_opencl_options "ASAN_OPTIONS=detect_leaks=0")
set(steno_hip_options "ASAN_OPTIONS=use_sigaltstack=0")
foreach(name IN ITEMS ${STENO_DEVICE_TESTS} test_device_math)
    foreach(kind IN ITEMS opencl cuda hip)
        steno_test_on_device(${name} ${kind} ${steno_${kind}_options})
    endforeach()
endforeach()
steno_test_on_device(test_device_queue hip ${steno_hip_options})
if(TARGET test_device_kernel AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME test_device_kernel_jit COMMAND test_device_kernel)
    steno_set_test_properties(test_device_kernel_jit "STENO_TEST_EXEC=threads:jit")
    set_tests_properties(test_device_kernel_jit PROPERTIES LABELS device)
endif()
# The driver stand-in computes nothing: these need a GPU.
foreach(name IN ITEMS test_kernel_matrix test_reduce_matrix test_scan_matrix test_levels_matrix
                     test_view_any_matrix test_array_functions_matrix)
    steno_test_on_device(${name} opencl ${steno_opencl_options})
    if(EXISTS /dev/nvidiactl)
        steno_test_on_device(${name} cuda)
    endif()
    if(EXISTS /dev/kfd)
        steno_test_on_device(${name} hip)
    endif()
endforeach()

foreach(source IN LISTS benches)
    get_filename_component(name "${source}" NAME_WE)
    steno_compile_by_hand(${name})
endforeach()

steno_glob(examples examples/*.c)
steno_leave_out_missing(examples)
if(STENO_SANITIZE) # contracts on their own loops, which the calls of a sanitizer break
    list(FILTER examples EXCLUDE REGEX "/(tutorial_)?contract[.]c$")
endif()
steno_leave_out(examples example_)
foreach(source IN LISTS examples)
    get_filename_component(name "${source}" NAME_WE)
    add_executable(example_${name} "${source}")
    set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name}
                          RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
    target_include_directories(example_${name} PRIVATE examples) # kernels/*.k
    target_link_libraries(example_${name} PRIVATE steno_shared ${STENO_OPENMP} m
                                                  ${CMAKE_DL_LIBS})
    foreach(library IN LISTS STENO_BESIDE)
        steno_uses(uses "${source}" ${library})
        if(uses)
            target_link_libraries(example_${name} PRIVATE steno_${library}_shared)
        endif()
    endforeach()
    steno_link_requested(example_${name} "${source}" shared)
    steno_compile_by_hand(example_${name})
    add_dependencies(examples example_${name})
    add_test(NAME example_${name} COMMAND example_${name}
             WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}/examples")
    steno_set_test_properties(example_${name})
endforeach()

# Kernels in files whose text the library sees.
include(cmake/embed.cmake)
function(steno_embed_in_test name)
    if(TARGET ${name})
        steno_embed_kernels(${name} ${ARGN})
    endif()
endfunction()
steno_embed_in_test(example_cg_step BASE examples kernels/cg_step_2.k)
steno_embed_in_test(test_device_language BASE test kernel/commented.k)
steno_embed_in_test(test_kernel_embed BASE test kernel/embedded_scatter.k kernel/embedded_sum.k
                    kernel/embedded_long.k)

# A tool library and a program for it; the file names are those test_event_tool.sh looks for.
add_library(test_event_tool MODULE "${PROJECT_SOURCE_DIR}/test/event/tool.c")
set_target_properties(test_event_tool PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME tool
                      LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test/event")
add_executable(test_event_program "${PROJECT_SOURCE_DIR}/test/event/program.c")
set_target_properties(test_event_program PROPERTIES OUTPUT_NAME program
                      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test/event")
target_link_libraries(test_event_program PRIVATE steno_shared m)
add_dependencies(tests test_event_tool test_event_program)

# A CUDA driver and an NVRTC without a device, HIP's, and a loader of OpenCL; the file names are those
# of STENO_STAND_IN.
foreach(name IN ITEMS stand_in stand_in_hip stand_in_opencl)
    add_library(test_cuda_${name} MODULE "${PROJECT_SOURCE_DIR}/test/cuda/${name}.c")
    set_target_properties(test_cuda_${name} PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name}
                          C_VISIBILITY_PRESET default
                          LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test/cuda")
    add_dependencies(tests test_cuda_${name})
endforeach()
# An NVRTC for each version, with NVIDIA's soname: test_cuda_versions.
function(steno_stand_in_nvrtc name soname major minor)
    add_library(test_cuda_nvrtc_${name} MODULE "${PROJECT_SOURCE_DIR}/test/cuda/nvrtc.c")
    set_target_properties(test_cuda_nvrtc_${name} PROPERTIES PREFIX "" SUFFIX ".so"
                          OUTPUT_NAME nvrtc_${name} NO_SONAME ON C_VISIBILITY_PRESET default
                          LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test/cuda")
    string(REPLACE ";" "," architectures "${ARGN}")
    target_compile_definitions(test_cuda_nvrtc_${name} PRIVATE MAJOR=${major} MINOR=${minor}
                               "ARCHITECTURES=${architectures}")
    target_link_options(test_cuda_nvrtc_${name} PRIVATE "LINKER:-soname,${soname}")
    add_dependencies(tests test_cuda_nvrtc_${name})
    if(TARGET test_cuda_versions)
        add_dependencies(test_cuda_versions test_cuda_nvrtc_${name})
    endif()
endfunction()
steno_stand_in_nvrtc(13 libnvrtc.so.13 13 0 75 80 90 100 120)
steno_stand_in_nvrtc(12 libnvrtc.so.12 12 4 50 60 61 70 75 80 90)
steno_stand_in_nvrtc(11 libnvrtc.so.11.2 11 8 35 37 50 61 80 90)
steno_stand_in_nvrtc(old libnvrtc.so.11.2 11 4 35 61 80)
if(TARGET test_opencl_rules)
    add_dependencies(test_opencl_rules test_cuda_stand_in_opencl)
    target_compile_definitions(test_opencl_rules PRIVATE
        STENO_STAND_IN_OPENCL="$<TARGET_FILE:test_cuda_stand_in_opencl>")
endif()
foreach(name IN ITEMS ${STENO_DEVICE_TESTS} test_device_math test_device_code test_device_cache
                     test_device_queue test_cuda_driver test_cuda_versions test_hip_device)
    if(TARGET ${name})
        add_dependencies(${name} test_cuda_stand_in test_cuda_stand_in_hip)
    endif()
endforeach()

if(TARGET steno_command AND NOT CMAKE_CROSSCOMPILING)
    set(patterns ${STENO_TEST_FOLDERS})
    list(TRANSFORM patterns APPEND "/test_*.sh")
    steno_glob(scripts ${patterns})
    if(STENO_SANITIZE) # these look at code, or link programs of other flags to the library
        list(FILTER scripts EXCLUDE REGEX "/test_(contract_library|fortran|symbols|cblas_testers|kernel_(flags|rules|builds|gdb)|nvrtc_versions)[.]sh$")
    endif()
    if(NOT STENO_WITH_CONTRACT)
        list(FILTER scripts EXCLUDE REGEX "/test_contract_[^/]*$")
    endif()
    steno_leave_out(scripts "")
    foreach(script IN LISTS scripts)
        get_filename_component(name "${script}" NAME_WE)
        add_test(NAME ${name} COMMAND bash "${script}")
        file(STRINGS "${script}" mentions REGEX "STENO[^_A-Z]|BUILD_DIR")
        if(NOT mentions OR name MATCHES
           "^test_(fortran|mpi|kernel_(rules|builds|flags)|accessor_(isa|languages|template)|contract_(alignment|cpu|cubin|incomplete|elements))$")
            set_tests_properties(${name} PROPERTIES LABELS toolchains)
        elseif(NOT name MATCHES "_(library|codegen)$") # which look at compiled code
            set_tests_properties(${name} PROPERTIES LABELS scripts)
        endif()
        steno_set_test_properties(${name} "STENO=${PROJECT_BINARY_DIR}/steno"
            "SOURCE_DIR=${PROJECT_SOURCE_DIR}" "BUILD_DIR=${PROJECT_BINARY_DIR}"
            "STENO_SHARED_DATA=${STENO_SHARED_DATA}")
    endforeach()
endif()

# Consumers are built without sanitizers, so this test is for plain builds.
if(NOT CMAKE_CROSSCOMPILING AND NOT STENO_SANITIZE)
    set(beside ${STENO_BESIDE})
    if(STENO_HAS_MPI)
        list(APPEND beside mpi)
    endif()
    string(REPLACE ";" " " beside "${beside}")
    add_test(NAME install COMMAND bash "${PROJECT_SOURCE_DIR}/test/install/run.sh")
    steno_set_test_properties(install "SOURCE_DIR=${PROJECT_SOURCE_DIR}"
        "BUILD_DIR=${PROJECT_BINARY_DIR}" "CC=${CMAKE_C_COMPILER}" "CMAKE=${CMAKE_COMMAND}"
        "LIBRARIES=${beside}")
endif()
