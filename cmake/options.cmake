# Language and compiler options of everything in the project.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)

# Results are promised bit for bit, so a multiplication and an addition never fuse on their own.
add_compile_options(-ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -pedantic)
if(STENO_WERROR)
    add_compile_options(-Werror)
endif()

if(STENO_SANITIZE)
    # The last -O wins: this one comes after the build type's.
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                        -fno-omit-frame-pointer -O1)
    add_link_options(-fsanitize=address,undefined)
endif()
if(STENO_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
