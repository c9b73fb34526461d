#!/usr/bin/env bash
# Install into a temporary prefix; build and run consumers through the CMake package and through
# pkg-config, shared and static, one with an embedded kernel, which changes; look at what the shared
# library exports.
# Environment: SOURCE_DIR, BUILD_DIR, CC, CMAKE.
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
        -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_C_COMPILER="$CC"
    "$CMAKE" --build "$scratch/build"
    expect_version "$scratch/build/consumer"
    expect_version "$scratch/build/consumer_static"
    expect_kernel "6 from y = 2 * x;"
    sleep 1 # so that the change can be seen in the file's time
    echo 'y = 2 * x + 1; // "more"' >"$scratch/source/twice.k"
    expect_kernel '7 from y = 2 * x + 1; // "more"'
}

build_by_pkg_config() {
    local flags
    lib=$(dirname "$(find "$scratch/prefix" -name steno.pc)")/..
    export PKG_CONFIG_PATH=$lib/pkgconfig
    [ "$(pkg-config --modversion steno)" = "$version" ]
    flags=$(pkg-config --cflags --libs steno)
    # shellcheck disable=SC2086 # the flags are words
    "$CC" "$SOURCE_DIR/test/install/consumer.c" $flags -o "$scratch/shared"
    LD_LIBRARY_PATH=$lib expect_version "$scratch/shared"
    flags=$(pkg-config --static --cflags --libs steno | sed 's/-lsteno/-l:libsteno.a/')
    # shellcheck disable=SC2086
    "$CC" "$SOURCE_DIR/test/install/consumer.c" $flags -o "$scratch/static"
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

# Only stn_ functions leave the shared library, and its name carries the version of the interface.
check_symbols() {
    local library others
    library=$(find "$scratch/prefix" -name 'libsteno.so.0')
    others=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -v -E '^(stn_|STENO_)' || :)
    [ -z "$others" ] || { echo "exported besides stn_*: $others"; exit 1; }
    nm -D --defined-only "$library" | grep -q ' stn_version' || { echo "no stn_version"; exit 1; }
}

command -v pkg-config >/dev/null || { echo "pkg-config is missing"; exit 77; }
version=$(sed -n 's/^project(steno VERSION \([0-9.]*\).*/\1/p' "$SOURCE_DIR/CMakeLists.txt")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$CMAKE" --install "$BUILD_DIR" --prefix "$scratch/prefix" >/dev/null
build_by_cmake
build_by_pkg_config
build_as_in_readme
check_symbols
