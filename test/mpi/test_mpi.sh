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

compile() { # compile SOURCE: the program
    "mpicc.$mpi" -std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off -I"$SOURCE_DIR/include" \
        -I"$SOURCE_DIR/mpi/include" "$1" "$SOURCE_DIR/mpi/comm.c" -o program -L"$build" -Wl,-rpath,"$build" -lsteno -lm \
        >out 2>&1 || { fail "$1, compiled by $mpi: $(cat out)"; return 1; }
}

check() { # check MPI
    mpi=$1
    if ! has "mpicc.$mpi" || ! has "mpirun.$mpi"; then
        echo "no $mpi"
        return
    fi
    tried=$((tried + 1))
    compile "$SOURCE_DIR/test/mpi/program.c" || return
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
    compile "$SOURCE_DIR/examples/mpi/cg.c" || return
    launch 1 example
    cp out one
    says "iterations, |x| = 0x1."
    launch 3 example
    cmp -s out one || fail "$mpi: the example on 3 ranks: $(diff out one)"
}

grep -q '^STENO_SANITIZE[A-Z_]*:BOOL=ON' "$build/CMakeCache.txt" && skip "with a sanitizer"
# The command steno-mpi: the same lines, except time and traffic, for all numbers of ranks.
solve() { # solve RANKS OPTION...: the second line without its time, in the file out
    local ranks=$1
    shift
    timeout 60 "$launcher" -n "$ranks" "$build/steno-mpi" solve "$@" >whole 2>err || fail "steno-mpi, $ranks ranks, $*: $(cat whole err)"
    sed -n '2s/, [0-9.]* s$//p' whole >out
    [ -s out ] || fail "steno-mpi, $ranks ranks, $*: prints $(cat whole err)"
}

check_command() {
    local options ranks
    launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:FILEPATH=//p' "$build/CMakeCache.txt")
    [ -x "$build/steno-mpi" ] && [ -x "$launcher" ] || return
    tried=$((tried + 1))
    awk 'BEGIN { n = 700; print "%%MatrixMarket matrix coordinate real symmetric"; print n, n, 3 * n - 31
        for (i = 1; i <= n; i++) {
            print i, i, 4.5 + i % 3
            if (i > 1) print i, i - 1, -1
            if (i > 30) print i, i - 30, -1.25
        } }' >a.mtx
    for options in "" "--solver gmres --basis f16 --restart 10" "--solver minres --precond block" "--arith f32 --tolerance 1e-4 --precond jacobi"; do
        # shellcheck disable=SC2086 # options are words
        solve 1 a.mtx $options
        says converged
        cp out one
        for ranks in 3 8; do
            # shellcheck disable=SC2086
            solve $ranks a.mtx $options
            cmp -s out one || fail "steno-mpi, $ranks ranks, $options: $(diff out one)"
        done
    done
    solve 3 a.mtx --precond ilu
    solve 3 a.mtx --exchange bf16 --tolerance 1e-2
    says "elements of other ranks" whole
    printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n' >oblong.mtx
    for options in "missing.mtx" "oblong.mtx" "a.mtx --solver nothing" "a.mtx --max-iterations 2"; do
        # shellcheck disable=SC2086
        timeout 60 "$launcher" -n 3 "$build/steno-mpi" solve $options >out 2>err && fail "steno-mpi $options succeeds"
        expect "messages of steno-mpi $options" "$(grep -c '^steno-mpi: ' err)" 1
        [ "$options" != oblong.mtx ] || says "oblong.mtx is not square: 2 x 3" err
    done
}

check openmpi
check mpich
check_command
finish $tried
