#!/usr/bin/env bash
# setup.sh demo|docs|python|check: checks required packages. Missing ones are installed as root on
# Debian-like systems; otherwise the command that installs them is printed. No output if all are
# present.
set -u

missing=()
optional=()

have() { command -v "$1" >/dev/null 2>&1; }

need() { # need <package> <command that succeeds when it is there>
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || missing+=("$package")
}

want() { # as need, but what is missing only makes the build slower or a phase of the check skipped
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || optional+=("$package")
}

includes() { # includes <header> <compiler> [flags]: the compiler finds the header
    local header=$1
    shift
    have "$1" && echo "#include <$header>" | "$@" -E -x c -o /dev/null -
}

exists() { [ -e "$1" ]; } # the first match of a glob

clang_libraries() { # clang_libraries <name...>: clang knows where they are
    have clang || return
    local name
    for name in "$@"; do
        [ -e "$(clang -print-file-name="libclang_rt.$name-$(uname -m).a")" ] || return
    done
}

loader_knows() { PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q "$1"; }

formatter() { have clang-format-14 || clang-format --version 2>/dev/null | grep -q 'version 14\.'; }

look_for_demo() {
    need gcc have gcc
    need libc6-dev includes stdio.h gcc
    need make have make
    need cmake have cmake
    want ninja-build have ninja
    want libzstd-dev includes zstd.h gcc # codecs of libsteno_codec, as the next three
    want liblz4-dev includes lz4.h gcc
    want libblosc-dev includes blosc.h gcc
    want libzfp-dev includes zfp.h gcc
    need pkg-config have pkg-config
    need zlib1g-dev includes zlib.h gcc
    need libjansson-dev includes jansson.h gcc
    need libelf-dev includes gelf.h gcc
    need binutils have objdump
    need gnuplot-nox have gnuplot
    need python3 have python3 # steno-plot
}

look_for_docs() {
    look_for_demo
    need doxygen have doxygen
}

python_has() { # python_has <what>: venv, or the headers
    case $1 in
    venv) python3 -c 'import venv, ensurepip' ;;
    headers) python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))' ;;
    esac
}

look_for_python() {
    need gcc have gcc
    need libc6-dev includes stdio.h gcc
    need binutils have readelf
    need cmake have cmake
    want ninja-build have ninja
    need python3 have python3
    need python3-venv python_has venv
    need python3-dev python_has headers
}

look_for_check() {
    look_for_docs
    need g++ have g++
    need clang have clang
    need libomp-dev includes omp.h clang -fopenmp # with libarcher.so
    need libcmocka-dev pkg-config --exists cmocka
    want libclang-rt-dev clang_libraries fuzzer tsan
    want clang-format-14 formatter
    want ocl-icd-libopencl1 loader_knows libOpenCL.so.1
    want pocl-opencl-icd exists /etc/OpenCL/vendors/*.icd
    want hipcc have hipcc
    want gdb have gdb
    want gfortran have gfortran
    want libopenmpi-dev have mpicc.openmpi # libsteno_mpi and its tests, as the next three
    want openmpi-bin have mpirun.openmpi
    want libmpich-dev have mpicc.mpich
    want mpich have mpirun.mpich
    want valgrind have valgrind
    want abigail-tools have abidiff
    want groff-base have groff
    want python3-venv python_has venv
    want python3-dev python_has headers
    want petsc-dev exists /usr/lib/petscdir/petsc*/*/lib # libsteno_petsc; examples, as the next two
    want libhypre-dev exists /usr/include/hypre/HYPRE.h
    want libsundials-dev exists /usr/include/cvode/cvode.h
    want libblas-test exists /usr/lib/*/blas/xblat1d
    if [ "$(uname -m)" = x86_64 ]; then
        want gcc-aarch64-linux-gnu have aarch64-linux-gnu-gcc
        want libc6-dev-arm64-cross exists /usr/aarch64-linux-gnu/include/stdio.h
        want qemu-user have qemu-aarch64
    fi
}

offered() { apt-cache show "$1" 2>/dev/null | grep -q '^Package:'; }

# Selects the optional packages of this distribution; one of them has several names.
choose_optional() {
    local package offered_packages=()
    for package in "${optional[@]}"; do
        if [ "$package" = libclang-rt-dev ] && ! offered "$package"; then
            package=$(apt-cache depends clang 2>/dev/null |
                sed -n 's/.*Depends: clang-\([0-9]*\)$/libclang-rt-\1-dev/p')
        fi
        [ -n "$package" ] && offered "$package" && offered_packages+=("$package")
    done
    optional=("${offered_packages[@]}")
}

install_missing() {
    local log
    log=$(mktemp)
    if [ ${#missing[@]} -gt 0 ] || ! offered gcc; then
        apt-get update >"$log" 2>&1
    fi
    choose_optional
    [ $((${#missing[@]} + ${#optional[@]})) -gt 0 ] || return 0
    local packages=("${missing[@]}" "${optional[@]}")
    echo "setup: installing ${packages[*]}"
    if ! DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        "${packages[@]}" >>"$log" 2>&1 </dev/null; then
        tail -n 20 "$log"
        echo "setup: installing failed"
        [ ${#missing[@]} -eq 0 ]
    fi
}

# Missing optional packages are not an error; they are listed with the required ones.
print_command() {
    [ ${#missing[@]} -gt 0 ] || return 0
    if have apt-get; then
        choose_optional
        missing+=("${optional[@]}")
        echo "setup: some packages are missing. Please run:"
        echo "  sudo sh -c 'apt-get update &&" \
            "apt-get install -y --no-install-recommends ${missing[*]}'"
    else
        echo "setup: please install what Debian calls: ${missing[*]}"
    fi
    return 1
}

case ${1:-} in
demo) look_for_demo ;;
docs) look_for_docs ;;
python) look_for_python ;;
check) look_for_check ;;
*) echo "usage: setup.sh demo|docs|python|check" >&2 && exit 2 ;;
esac

if [ $((${#missing[@]} + ${#optional[@]})) -eq 0 ]; then
    exit 0
elif have apt-get && [ "$(id -u)" = 0 ]; then
    install_missing
else
    print_command
fi
