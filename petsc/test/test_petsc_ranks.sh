#!/usr/bin/env bash
# The tests and the example of libsteno_petsc on several ranks, more than some matrices have rows; and
# configurations of PETSc that are refused, when Steno is configured and when a program is compiled.
source "$(dirname "$0")/../../test/support/test.sh"
: "${BUILD_DIR:?a build of Steno}"
[ -e "$BUILD_DIR/libsteno_petsc.so" ] || skip "built without libsteno_petsc"

# ---- refused configurations ----

reason() { # reason "macro..." sentence
    local macro
    for macro in $1; do echo "#define $macro 1"; done >"$work/petscconf.h"
    [[ $(cmake -DCONFIGURATION="$work/petscconf.h" -P "$SOURCE_DIR/cmake/petsc.cmake" 2>&1) == "$2" ]] ||
        fail "petscconf.h with $1: not '$2'"
}
reason "PETSC_USE_REAL_DOUBLE PETSC_USE_COMPLEX" "its scalars are complex; libsteno_petsc needs real ones"
reason "PETSC_USE_REAL_DOUBLE PETSC_USE_64BIT_INDICES" "its indices have 64 bits; libsteno_petsc needs 32"
reason "PETSC_USE_REAL_SINGLE" "its scalars are not double, which libsteno_petsc needs"
reason "PETSC_USE_REAL_DOUBLE PETSC_USE_INFO" ""
for macro in COMPLEX 64BIT_INDICES REAL_SINGLE; do
    echo '#include <steno/petsc.h>' |
        "${CC:-cc}" -fsyntax-only -x c -I"$SOURCE_DIR/include" -DPETSC_USE_$macro=1 - 2>"$work/said" &&
        fail "steno/petsc.h accepts PETSC_USE_$macro"
    grep -q 'error.*steno/petsc.h: PETSc' "$work/said" || fail "PETSC_USE_$macro: $(cat "$work/said")"
done

# ---- ranks ----

launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:FILEPATH=//p' "$BUILD_DIR/CMakeCache.txt")
[ -x "$launcher" ] || finish
# Open MPI: as root, with more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
for ranks in 1 2 4; do
    timeout 300 "$launcher" -n $ranks "$BUILD_DIR/test/test_petsc" >"$work/said" 2>&1 ||
        fail "test_petsc on $ranks ranks: $(grep -v '\[  *\(OK\|RUN\)' "$work/said" | head -n 20)"
done
timeout 300 "$launcher" -n 4 "$BUILD_DIR/examples/petsc" >"$work/said" 2>&1 ||
    fail "examples/petsc on 4 ranks: $(head -n 20 "$work/said")"
[ "$(grep -c 'less than 1e-6 of |b|' "$work/said")" = 3 ] || fail "examples/petsc on 4 ranks: $(cat "$work/said")"
finish
