#!/usr/bin/env bash
# Threads of executors when the library is unloaded, the program ends or forks, and threads are refused.
source "$(dirname "$0")/../support/test.sh"
library=${BUILD_DIR:?the build}/libsteno.so
[ -e "$library" ] || skip "no $library"
if ldd "$library" | grep -q "san\.so"; then skip "the library is built with sanitizers"; fi

"${CC:-cc}" -std=c11 -O1 -Wall -Wextra -Werror -rdynamic -I"$SOURCE_DIR/include" "$SOURCE_DIR/test/exec/process.c" \
    -o process -ldl -lpthread || exit 1
export OMP_NUM_THREADS=1
for case in unload refuse fork exit exit exit exit exit; do
    succeeds timeout 300 ./process $case "$library"
done

# OpenMP binds the first thread of the program, but not those of the pool to the same processor.
unset OMP_NUM_THREADS STENO_NUM_THREADS
processors=$(nproc)
if [ "$processors" -gt 1 ] && ldd "$library" | grep -q 'lib[gi]*omp'; then
    export OMP_PROC_BIND=close OMP_PLACES=threads
    succeeds ./process bind "$library"
    # With a second runtime (libzfp's in builds by clang), that one may bind the thread first.
    if [ "$(ldd "${STENO:?the command}" | grep -c 'lib[gi]*omp\.')" -eq 1 ]; then
        succeeds "$STENO" info
        says "affinity mask: $processors;"
        says "they are bound to the places of OpenMP"
    fi
fi

finish
