#!/usr/bin/env bash
# The shared libraries export the functions that their headers declare, and no others.
set -u
: "${SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
[ -e "${BUILD_DIR:?a build of Steno}/libsteno.so" ] || { echo "skipped: no shared library"; exit 77; }
exec bash "$SOURCE_DIR/tools/abi.sh" symbols "$BUILD_DIR"
