#!/usr/bin/env bash
# Communicators over Open MPI and MPICH: solves have the bits of one process on 1, 2, 3, 5 and 8 ranks; failures of
# one rank end on all ranks; bytes of products in 16 bits. mpi/comm.c is compiled by each MPI's compiler.
source "$(dirname "$0")/../support/test.sh"
build=${BUILD_DIR:?the build}
tried=0
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl=self,vader OMPI_MCA_mpi_yield_when_idle=1

launch() { # launch RANKS WORD...: the output is in the file out
    local ranks=$1
    shift
    timeout 60 "mpirun.$mpi" -n "$ranks" ./program "$@" >out 2>err || fail "$mpi, $ranks ranks, $*: status $?: $(cat out err)"
}

check() { # check MPI
    mpi=$1
    if ! has "mpicc.$mpi" || ! has "mpirun.$mpi"; then
        echo "no $mpi"
        return
    fi
    tried=$((tried + 1))
    # The headers of MPICH declare MPI_STATUSES_IGNORE as an array without elements.
    "mpicc.$mpi" -std=c11 -O1 -Wall -Wextra -Werror -Wno-stringop-overflow -ffp-contract=off -I"$SOURCE_DIR/include" -I"$SOURCE_DIR/mpi/include" \
        "$SOURCE_DIR"/test/mpi/program.c "$SOURCE_DIR/mpi/comm.c" -o program -L"$build" -Wl,-rpath,"$build" -lsteno -lm \
        >out 2>&1 || { fail "compilation by $mpi: $(cat out)"; return; }
    ./program alone >alone 2>err || fail "$mpi, alone: $(cat err)"
    local counts="1 2 3 5 8"
    [ -z "${STENO_TEST_QUICK:-}" ] || counts="2 5 8"
    for ranks in $counts; do
        launch $ranks ranks
        cmp -s out alone || fail "$mpi, $ranks ranks: $(diff out alone)"
    done
    launch 3 fail
    expect "failures of a callback" "$(grep -c '^callback on rank .: STN_ERR_DEVICE: .*the callback' out)" 9
    expect "of them on other ranks" "$(grep -c '^callback on rank [02]: STN_ERR_DEVICE: rank 1: ' out)" 6
    expect "failures of a shape" "$(grep -c '^shape on rank .: STN_ERR_SHAPE: .*rows is 1001 on rank 1' out)" 9
    expect "failures of a program" "$(grep -c '^status on rank .: STN_ERR_ARGUMENT: ' out)" 9
    grep -E '^(CG|GMRES)' out | cmp -s - alone || fail "$mpi: solves after failures: $(cat out)"
    launch 4 bytes
    says "at most 0.26"
}

grep -q 'fsanitize' "$build/CMakeCache.txt" 2>/dev/null && skip "with a sanitizer"
check openmpi
check mpich
finish $tried
