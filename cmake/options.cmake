# Language and compiler options of the whole project.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)

# The compiler then makes one version of each kernel loop (steno/detail/kernel_compiler.h).
if(STENO_NATIVE)
    add_compile_options(-march=native)
endif()

# Results are promised bit for bit, so the compiler must not fuse multiplications and additions.
add_compile_options(-ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -pedantic)
add_compile_definitions(STENO_HEADERS_WARN) # kernels' headers too
if(STENO_WERROR)
    add_compile_options(-Werror)
endif()

# gcc 12 loses the rounding of two neighbors written as `narrow ? (double)(float)x : x` in its SLP
# vectorizer; the loop vectorizer, which matters here, is not affected.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fno-tree-slp-vectorize)
endif()

# gcc clears and copies structs with `rep stos` and `rep movs`, whose startup is slow compared with
# small calls.
include(CheckCCompilerFlag)
set(small unrolled_loop:512:noalign,libcall:-1:noalign)
check_c_compiler_flag(-mmemset-strategy=${small} STENO_HAS_MEMSET_STRATEGY)
if(STENO_HAS_MEMSET_STRATEGY)
    add_compile_options(-mmemset-strategy=${small} -mmemcpy-strategy=${small})
endif()

# Programs call from threads with small stacks: large objects are in an executor's workspaces, and
# frames do not skip a guard page. Sanitizers enlarge frames.
set(CMAKE_REQUIRED_FLAGS -Werror)
check_c_compiler_flag(-fstack-clash-protection STENO_HAS_STACK_CLASH_PROTECTION)
check_c_compiler_flag(-Wframe-larger-than=16384 STENO_HAS_FRAME_LARGER_THAN)
unset(CMAKE_REQUIRED_FLAGS)
set(STENO_STACK_OPTIONS)
if(STENO_HAS_STACK_CLASH_PROTECTION)
    list(APPEND STENO_STACK_OPTIONS -fstack-clash-protection)
endif()
if(STENO_HAS_FRAME_LARGER_THAN AND NOT STENO_SANITIZE AND NOT STENO_SANITIZE_THREAD)
    list(APPEND STENO_STACK_OPTIONS -Wframe-larger-than=16384)
endif()

# gcc needs up to 40 % of its time for the checks of each pointer, most of whose errors the address sanitizer reports, too.
set(STENO_SANITIZE_WITHOUT "" CACHE STRING "Checks of the undefined-behaviour sanitizer that STENO_SANITIZE leaves out; a list")
if(STENO_SANITIZE)
    # The last -O wins: this one follows the build type's.
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                        -fno-omit-frame-pointer -O1)
    if(STENO_SANITIZE_WITHOUT)
        string(REPLACE ";" "," checks "${STENO_SANITIZE_WITHOUT}")
        add_compile_options(-fno-sanitize=${checks})
    endif()
    # In functions with many accesses, gcc takes half the time if each check is a call.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        add_compile_options(--param=asan-instrumentation-with-call-threshold=1000)
    endif()
    add_link_options(-fsanitize=address,undefined)
    add_compile_definitions(STN_KERNEL_ONE_VERSION=) # of loops, which take their time to compile
endif()
if(STENO_SANITIZE_THREAD)
    add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
    add_link_options(-fsanitize=thread)
endif()
# A library with a sanitizer has 100 MB, too much for a copy in each program that links it statically.
if(STENO_SANITIZE OR STENO_SANITIZE_THREAD)
    set(STENO_INSIDE_SHARED ON)
    set(CMAKE_C_VISIBILITY_PRESET default)
endif()
if(STENO_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
