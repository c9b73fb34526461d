#!/usr/bin/env bash
# The contract of contract/mutations/kernels.c holds, and is broken by each change that makes its loops worse,
# with a message that names the cause.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
needs "$steno"
kernels=$SOURCE_DIR/contract/test/mutations
checked=0

# Builds the kernels and checks them; what was said is in $work/out.
check() { # check COMPILER FLAGS: the exit status of the check
    local compiler=$1
    shift
    if ! "$compiler" -std=c11 "$@" -c "$kernels/kernels.c" -o "$work/kernels.o" 2>"$work/err"; then
        fail "$compiler $*: $(cat "$work/err")"
        return 99
    fi
    "$steno" contract check --target x86-64-v3 "$work/kernels.o" "$kernels/kernels.cg" \
        >"$work/out" 2>"$work/err"
}

holds() { # holds COMPILER FLAGS
    local status
    check "$@"
    status=$?
    [ $status -eq 0 ] || fail "$*: status $status: $(cat "$work/out" "$work/err")"
    checked=$((checked + 1))
}

breaks() { # breaks FUNCTION CAUSE COMPILER FLAGS: that function's contract, for that cause
    local function=$1 cause=$2 status
    shift 2
    check "$@"
    status=$?
    checked=$((checked + 1))
    [ $status -eq 1 ] || { fail "$*: status $status: $(cat "$work/out" "$work/err")"; return; }
    # The causes come before the name of what they are about.
    awk -v name="  $function (" '
        /^  likely: / { causes = causes $0 "\n" }
        index($0, name) == 1 { printf "%s", causes }
        /^  [^ ]+ \(/ { causes = "" }' "$work/out" >"$work/causes"
    grep -qF -- "likely: $cause" "$work/causes" ||
        fail "$*: '$cause' is not a cause of $function: $(cat "$work/out")"
    grep -q '^ *[0-9a-f]\{1,8\}  .*; ' "$work/out" || fail "$*: no loop is shown"
}

case $(uname -m) in
x86_64) ;;
*) echo "skipped: the kernels are for x86-64" && exit 77 ;;
esac
needs objdump
for compiler in gcc clang; do
    has $compiler || { echo "skipped: no $compiler"; continue; }
    full="$compiler -O3 -march=x86-64-v3"
    scalar="-fno-tree-vectorize"
    [ $compiler = clang ] && scalar="-fno-vectorize -fno-slp-vectorize"
    # shellcheck disable=SC2086 # words
    {
        holds $full
        holds $full -ffp-contract=off
        for kernel in axpy_f32 dot_f32; do
            breaks $kernel "scalar arithmetic only: the loop was not vectorized" \
                $compiler -O1 -march=x86-64-v3
            breaks $kernel "scalar arithmetic only: the loop was not vectorized" $full $scalar
            breaks $kernel "vectors of another width" $compiler -O3
            breaks $kernel "elements are not contiguous" $full -DMUTATE_PACKED
        done
        breaks axpy_f32 "spills" $full -DMUTATE_SPILL
        [ $compiler = clang ] || breaks dot_f32 "spills" $full -DMUTATE_SPILL # clang stores the sums
        breaks axpy_f32 "arithmetic in f64 between conversions" $full -DMUTATE_LITERAL
        breaks dot_f32 "a store to the same address" $full -DMUTATE_RESTRICT
        breaks axpy_f32 "several addresses are computed from one pointer" $full -DMUTATE_ROWS
        breaks axpy_f32 "approximate reciprocals" $full -ffast-math -mrecip -DMUTATE_DIVIDE
        breaks axpy_f32 "prefetches" $full -DMUTATE_PREFETCH
    }
done
echo "$checked checks"
finish "$checked"
