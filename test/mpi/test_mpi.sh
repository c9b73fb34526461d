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
    timeout 300 "mpirun.$mpi" -n "$ranks" ./program "$@" >out 2>err || fail "$mpi, $ranks ranks, $*: status $?: $(cat out err)"
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
    [ $tried = 1 ] && [ -z "${STENO_TEST_QUICK:-}" ] || [ -n "${STENO_TEST_FULL:-}" ] || counts="2 5"
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
    launch 5 worlds
    for line in CG "CG with Jacobi" GMRES; do # twice: of the whole, of both halves and of each rank
        expect "solves by $line of all communicators" "$(grep -cxF "$(grep "^$line:" alone)" out)" 16
    done
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
    timeout 300 "$launcher" -n "$ranks" "$build/steno-mpi" solve "$@" >whole 2>err || fail "steno-mpi, $ranks ranks, $*: $(cat whole err)"
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
    awk 'BEGIN { n = 600; print "%%MatrixMarket matrix coordinate complex hermitian"; print n, n, 2 * n - 1
        for (i = n; i >= 1; i--) {
            print i, i, 4.5, 0
            if (i > 1) print i, i - 1, -1, 0.5
        } }' | gzip >c.mtx.gz
    awk 'BEGIN { print "%%MatrixMarket matrix array real general"; print 700, 2
        for (i = 1; i <= 1400; i++) print i % 37 - 11 }' >b.mtx
    awk 'BEGIN { print "%%MatrixMarket matrix array real general"; print 700, 1
        for (i = 1; i <= 700; i++) print 0 }' >zeros.mtx
    for options in "a.mtx" "a.mtx --rhs b.mtx --exec reference" "a.mtx --solver gmres --basis f16 --restart 10" "a.mtx --solver minres --precond bjacobi" \
        "a.mtx --arithmetic f32 --tolerance 1e-4 --precond jacobi --threads 2" \
        "a.mtx --solver gmres --orthogonalization sketched --restart 20 --basis i16" \
        "a.mtx --solver fgmres --basis i16:32 --orthogonalization twice --precond bjacobi --block 32" \
        "a.mtx --solver refinement --precond jacobi --exec reference" \
        "c.mtx.gz" "c.mtx.gz --solver bicgstab --arithmetic c64 --tolerance 1e-4 --lenient --sum"; do
        # shellcheck disable=SC2086 # options are words
        solve 1 $options
        says converged
        cp out one
        for ranks in 3 ${STENO_TEST_FULL:+8}; do
            # shellcheck disable=SC2086
            solve $ranks $options
            cmp -s out one || fail "steno-mpi, $ranks ranks, $options: $(diff out one)"
        done
    done
    solve 3 a.mtx --rhs zeros.mtx
    says "after 0 iterations"
    solve 3 a.mtx --precond ilu:f16
    solve 3 a.mtx --precond ic
    solve 3 a.mtx --exchange bf16 --tolerance 1e-2
    says "elements of other ranks" whole
    printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n' >oblong.mtx
    # A step of one rank without communication fails, while the others need elements of that rank.
    sed 's/^300 300 .*/300 300 0/' a.mtx >zero.mtx
    while IFS='|' read -r options message; do
        # shellcheck disable=SC2086
        timeout 300 "$launcher" -n 3 "$build/steno-mpi" $options >out 2>err </dev/null && fail "steno-mpi $options succeeds"
        expect "messages of steno-mpi $options" "$(grep -c '^steno-mpi: ' err)" 1
        says "$message" err
    done <<'end'
solve missing.mtx|missing.mtx: cannot be opened
solve oblong.mtx|oblong.mtx: the matrix is not square: 2 x 3
solve a.mtx --rhs a.mtx|a.mtx: not a dense matrix with the number of rows
solve c.mtx.gz --rhs b.mtx|b.mtx: not a dense matrix with the number of rows
solve a.mtx --rhs missing.mtx|missing.mtx: cannot be opened
solve a.mtx --rhs|--rhs needs a value
solve zero.mtx --precond jacobi|rank 1: stn_block_jacobi_create: the block of rows 43 to 43
solve a.mtx --solver nothing|unknown solver 'nothing' (known: cg, minres
solve a.mtx --iterations 2|maximum number of iterations reached, after 2 iterations
solve a.mtx --iterations 2.5|number of iterations '2.5' must be a number from 1 to
solve a.mtx --json out|--json is an option of `steno solve` without ranks
solve a.mtx --jsn|unknown option '--jsn'
solve a.mtx b.mtx|unknown argument 'b.mtx'
solve a.mtx --basis|--basis needs a value
solve a.mtx --basis i17|i17
solve a.mtx --basis i16:8|blocks are of 32 elements
solve a.mtx --basis f16|CG has no basis
solve a.mtx --tolerance 2|must be between 0 and 1
solve a.mtx --precond jacobi:f16|only ilu and ic have a format
solve a.mtx --block 6|must be a power of two
solve a.mtx --arithmetic f16|unknown arithmetic 'f16'
solve a.mtx --exchange c32|one of these formats is complex
solve a.mtx --exec cuda|cuda
solve c.mtx.gz --arithmetic f64|the matrix is complex
solve --solver cg|solve needs a file before its options
show a.mtx|unknown command 'show' (known: solve)
end
    timeout 300 "$launcher" -n 2 "$build/steno-mpi" solve --help >out 2>err || fail "steno-mpi --help: $(cat err)"
    expect "lines of the help" "$(grep -c '^usage: ' out)" 1
}

check openmpi
check mpich
check_command
finish $tried
