#!/usr/bin/env bash
# Install into a temporary prefix, first without the static libraries, then with them; build and run
# consumers through the CMake package and through pkg-config, shared and static, of each library, one
# with an embedded kernel, which changes; check what the shared libraries export and need.
# Environment: SOURCE_DIR, BUILD_DIR, CC, CMAKE, and the LIBRARIES in addition to libsteno, as words.
set -eu

expect_version() {
    local printed
    printed=$("$@")
    if [ "$printed" != "$version" ]; then
        echo "$1 prints '$printed' instead of '$version'"
        exit 1
    fi
}

expect_kernel() { # expect_kernel <what it prints>
    local printed
    "$CMAKE" --build "$scratch/build"
    printed=$("$scratch/build/consumer_kernel")
    [ "$printed" = "$1" ] || { echo "the kernel prints '$printed', not '$1'"; exit 1; }
}

build_by_cmake() {
    cp -r "$SOURCE_DIR/test/install" "$scratch/source"
    "$CMAKE" -S "$scratch/source" -B "$scratch/build" \
        -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_C_COMPILER="$CC" \
        -DLIBRARIES="${LIBRARIES// /;}"
    "$CMAKE" --build "$scratch/build"
    for program in consumer $LIBRARIES; do
        expect_version "$scratch/build/$program"
        expect_version "$scratch/build/${program}_static"
    done
    expect_kernel "6 from y = 2 * x;"
    sleep 1 # so that the change can be seen in the file's time
    echo 'y = 2 * x + 1; // "more"' >"$scratch/source/twice.k"
    expect_kernel '7 from y = 2 * x + 1; // "more"'
}

# The message for a missing component lists the existing ones. An optional one may be missing.
expect_component_refused() {
    local folder=$scratch/component said
    mkdir "$folder"
    cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(component LANGUAGES C)
find_package(steno REQUIRED COMPONENTS static OPTIONAL_COMPONENTS nothere)
find_package(steno REQUIRED COMPONENTS static nothere)
END
    said=$("$CMAKE" -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
        -DCMAKE_C_COMPILER="$CC" 2>&1 | tr -s ' \n' ' ') || :
    [[ $said == *"CMakeLists.txt:4 "*"no component nothere: there are static, fortran${LIBRARIES:+, ${LIBRARIES// /, }} "* ]] ||
        { echo "a component that is not there: $said"; exit 1; }
}

build_by_pkg_config() { # build_by_pkg_config <package> <source>
    local package=$1 source=$SOURCE_DIR/test/install/$2 flags
    lib=$(dirname "$(find "$scratch/prefix" -name steno.pc)")/..
    export PKG_CONFIG_PATH=$lib/pkgconfig
    [ "$(pkg-config --modversion "$package")" = "$version" ]
    flags=$(pkg-config --cflags --libs "$package")
    # shellcheck disable=SC2086 # the flags are words
    "$CC" "$source" $flags -o "$scratch/shared"
    LD_LIBRARY_PATH=$lib expect_version "$scratch/shared"
    flags=$(pkg-config --static --cflags --libs "$package" |
        sed -E 's/-l(steno[a-z_]*)/-l:lib\1.a/g')
    # shellcheck disable=SC2086
    "$CC" "$source" $flags -o "$scratch/static"
    expect_version "$scratch/static"
}

# The README's first program, by the README's own line; and its first kernel without optimisation,
# which calls functions of <math.h>.
build_as_in_readme() {
    local folder=$scratch/readme line
    mkdir "$folder"
    awk '/^```c$/ { inside = 1; next } /^```$/ && inside { exit } inside' \
        "$SOURCE_DIR/README.md" >"$folder/dot.c"
    line=$(grep -m 1 '^cc dot.c ' "$SOURCE_DIR/README.md")
    {
        echo '#include <steno/kernel.h>'
        grep '^STN_MAP(' "$SOURCE_DIR/README.md"
        echo 'int main(void) { return axpy_run(0, STN_F64, 2.5, 0, 0) != STN_ERR_ARGUMENT; }'
    } >"$folder/kernel.c"
    # shellcheck disable=SC2317 # the line calls it
    cc() { "$CC" -O0 "$@"; }
    cd "$folder"
    eval "$line" && LD_LIBRARY_PATH=$lib ./a.out || # it knows its result
        { echo "the README's first program, by its own line: $line"; exit 1; }
    eval "${line/dot.c/kernel.c}" && LD_LIBRARY_PATH=$lib ./a.out ||
        { echo "the README's kernel, by its own line: $line"; exit 1; }
    line=${line/--libs steno/--static --libs steno | sed s/-lsteno/-l:libsteno.a/}
    eval "${line/dot.c/kernel.c}" && ./a.out ||
        { echo "the README's kernel, linked to the static library: $line"; exit 1; }
    cd - >/dev/null
}

# Only stn_ functions leave a shared library, with a version each, and its name carries that of the
# interface.
check_symbols() { # check_symbols <library> <one of its functions>
    local library others
    library=$(find "$scratch/prefix" -name "lib$1.so.0")
    others=$(nm -D --defined-only "$library" | awk '{print $3}' |
        grep -v -E '^(stn_[a-z0-9_]+@@STENO_[A-Z0-9_.]+|STENO_[A-Z0-9_.]+)$' || :)
    [ -z "$others" ] || { echo "exported by $1 besides stn_*: $others"; exit 1; }
    nm -D --defined-only "$library" | grep -q " $2@@" || { echo "no $2 in $1"; exit 1; }
}

# BLAS's names have no version: programs that were linked to another BLAS find them.
check_standard_names() {
    local library others
    library=$(find "$scratch/prefix" -name "libsteno_cblas.so.0")
    others=$(nm -D --defined-only "$library" | awk '{print $3}' |
        grep -v -E '^(cblas_[a-z0-9_]+|[a-z0-9_]+_|RowMajorStrg|CBLAS_CallFromC)$' || :)
    [ -z "$others" ] || { echo "exported by steno_cblas besides BLAS: $others"; exit 1; }
}

# A program in Fortran, where there is a compiler.
build_in_fortran() {
    command -v gfortran >/dev/null || return 0
    local flags
    flags=$(pkg-config --libs steno_cblas)
    # shellcheck disable=SC2086 # the flags are words
    gfortran "$SOURCE_DIR/test/install/cblas.f" $flags -o "$scratch/fortran"
    [ "$(LD_LIBRARY_PATH=$lib "$scratch/fortran" | tr -d ' \n')" = "1112(0.,2.)T" ] ||
        { echo "the Fortran program: $(LD_LIBRARY_PATH=$lib "$scratch/fortran")"; exit 1; }
}

# The module, compiled from the installed sources.
build_fortran_module() {
    command -v gfortran >/dev/null || return 0
    local folder=$scratch/module
    mkdir "$folder"
    cp "$SOURCE_DIR"/test/install/{module,market}.f90 "$folder"
    cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(module LANGUAGES C Fortran)
find_package(steno REQUIRED COMPONENTS fortran OPTIONAL_COMPONENTS market)
add_executable(module module.f90)
target_link_libraries(module PRIVATE steno::fortran)
if(TARGET steno::fortran_market)
    add_executable(market market.f90)
    target_link_libraries(market PRIVATE steno::fortran_market)
endif()
END
    "$CMAKE" -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_Fortran_COMPILER=gfortran
    "$CMAKE" --build "$folder/build"
    expect_version "$folder/build/module"
    [[ " $LIBRARIES " != *" market "* ]] || expect_version "$folder/build/market"
}

# Besides a C library and the compiler's OpenMP a shared library needs only what is named here, and
# of libsteno only its interface and the few functions of src/symbols.map.
check_needs() { # check_needs <library> [regular expression]
    local library others
    library=$(find "$scratch/prefix" -name "lib$1.so.0")
    others=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -v -E "^((lib(c|m|dl|pthread|gomp|omp)|ld-linux[a-z0-9_-]*)\.so(\..*)?${2:+|$2})\$" || :)
    [ -z "$others" ] || { echo "lib$1.so needs $others"; exit 1; }
    others=$(nm -D --undefined-only "$library" | awk '$2 ~ /^stn_/ {print $2}' | grep PRIVATE |
        grep -v -E '^stn_(fail|allocate|free|struct_(read|check|write)|value_calls_of|exec_run|tail_of|temporary_(begin|write|commit|discard)|view_create_stored)@' || :)
    [ -z "$others" ] || { echo "lib$1.so uses internal functions of libsteno: $others"; exit 1; }
}

# By default no static library is installed, and the command finds the shared ones.
check_default() {
    local folder=$scratch/default said
    [ ! -e "$scratch/prefix/bin/steno" ] || "$scratch/prefix/bin/steno" info >/dev/null ||
        { echo "the installed command fails"; exit 1; }
    ! find "$scratch/prefix" -name '*.a' | grep . || { echo "static libraries are installed by default"; exit 1; }
    mkdir "$folder"
    cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(shared LANGUAGES C)
find_package(steno REQUIRED)
find_package(steno REQUIRED COMPONENTS static)
END
    said=$("$CMAKE" -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
        -DCMAKE_C_COMPILER="$CC" 2>&1 | tr -s ' \n' ' ') || :
    [[ $said == *"CMakeLists.txt:4 "*"no component static: there are fortran${LIBRARIES:+, ${LIBRARIES// /, }} "* ]] ||
        { echo "static libraries that are not installed: $said"; exit 1; }
}

command -v pkg-config >/dev/null || { echo "pkg-config is missing"; exit 77; }
version=$(sed -n 's/^project(steno VERSION \([0-9.]*\).*/\1/p' "$SOURCE_DIR/CMakeLists.txt")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$CMAKE" --install "$BUILD_DIR" --prefix "$scratch/prefix" >/dev/null
check_default
"$CMAKE" --install "$BUILD_DIR" --prefix "$scratch/prefix" --component static >/dev/null
build_by_cmake
expect_component_refused
build_by_pkg_config steno consumer.c
build_as_in_readme
build_fortran_module
check_symbols steno stn_version
check_needs steno
if [ -e "$scratch/prefix/bin/steno" ]; then # from a folder without the sources
    (cd / && "$scratch/prefix/bin/steno-plot" --help) | grep -q '^usage: steno-plot'
fi
for library in $LIBRARIES; do
    build_by_pkg_config "steno_$library" "$library.c"
done
if [[ " $LIBRARIES " == *" contract "* ]]; then
    check_symbols steno_contract stn_contract_check
    check_needs steno_contract 'libelf\.so.*|libsteno\.so.*'
fi
if [[ " $LIBRARIES " == *" market "* ]]; then
    check_symbols steno_market stn_market_read_file
    check_needs steno_market 'libz\.so.*|libsteno\.so.*'
fi
if [[ " $LIBRARIES " == *" cblas "* ]]; then
    check_standard_names
    check_needs steno_cblas 'libsteno\.so.*'
    build_in_fortran
fi
if [[ " $LIBRARIES " == *" codec "* ]]; then
    check_symbols steno_codec stn_archive_read
    check_needs steno_codec 'lib(zstd|z|lz4|blosc|zfp)\.so.*|libsteno\.so.*'
fi
if [[ " $LIBRARIES " == *" petsc "* ]]; then
    check_symbols steno_petsc stn_petsc_mat_create
    check_needs steno_petsc 'lib(petsc|mpi)[a-z_]*\.so.*|libsteno\.so.*'
fi
