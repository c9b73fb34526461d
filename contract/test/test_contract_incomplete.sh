#!/usr/bin/env bash
# Facts that machine code does not show do not hold. Jumps through tables are followed, so that a loop
# around a switch has all cases of the function, or the answer is that it cannot be determined.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
switches=$SOURCE_DIR/contract/test/switches.c
resolved=0

needs objdump

quantity() { # quantity FILE FUNCTION LOOP NAME
    "$steno" contract report --json --loop "$3" --fn "$2" "$1" 2>/dev/null | tr ',{}' '\n\n\n' |
        sed -n "s/^\"$4\"://p"
}

compare() { # compare WHAT: the loops in code.o have all divisions of their functions
    local name count all
    for name in dense moved bytes longer two; do
        count=$(quantity "$work/code.o" $name main divisions)
        all=$(quantity "$work/code.o" $name none divisions)
        echo "kernel $name @* loop=main : divisions == 0" >"$work/none.cg"
        "$steno" contract check "$work/code.o" "$work/none.cg" >"$work/out" 2>/dev/null &&
            fail "$*: $name divides: $(cat "$work/out")"
        [ "$(quantity "$work/code.o" $name main unresolved_jumps)" = 0 ] || continue
        grep -q 'cannot be determined' "$work/out" && continue # a part of it is in another section
        [ "$count" = "$all" ] || fail "$*: $name: $count divisions of $all"
        resolved=$((resolved + 1))
    done
}

try() { # try COMPILER OPTION...
    case $* in
    *-shared*) "$@" "$switches" -o "$work/code.o" ;;
    *) "$@" -c "$switches" -o "$work/code.o" ;;
    esac || { fail "$*"; return; }
    compare "$*"
    "$@" -fno-jump-tables -c "$switches" -o "$work/code.o" 2>/dev/null || { fail "$* -fno-jump-tables"; return; }
    compare "$* -fno-jump-tables"
}

if [ "$(uname -m)" = x86_64 ]; then
    if has gcc; then
        try gcc -O1
        try gcc -O2 -fPIC -ffunction-sections
        try gcc -O2 -fno-pic
        try gcc -Os -shared -fPIC -Wl,--unresolved-symbols=ignore-all
    fi
    if has clang; then
        try clang -O2 -fPIC
        try clang -O2 -fno-pic
        try clang -Os -shared -fPIC -Wl,--unresolved-symbols=ignore-all
    fi
fi
if has aarch64-linux-gnu-objdump; then
    if has aarch64-linux-gnu-gcc; then
        try aarch64-linux-gnu-gcc -O2
        try aarch64-linux-gnu-gcc -Os
        try aarch64-linux-gnu-gcc -O2 -shared -fPIC -nostdlib -Wl,--unresolved-symbols=ignore-all
    fi
    if has clang && echo 'int x;' | clang --target=aarch64-linux-gnu -x c -c - -o "$work/x.o" 2>/dev/null; then
        try clang --target=aarch64-linux-gnu -O2
    fi
fi
[ -f "$work/code.o" ] || exit 77
echo "$resolved loops around a switch have all their cases"
[ $resolved -ge 60 ] || fail "no more than $resolved"

undetermined() { # undetermined WHAT WORDS FACTS: no fact of the main loop of f in code.o holds, as `words` say
    printf 'kernel f @* loop=main : %s\n' "$3" >"$work/undetermined.cg"
    "$steno" contract check "$work/code.o" "$work/undetermined.cg" >"$work/out" 2>/dev/null
    grep -q '^0 held' "$work/out" && grep -q "cannot be determined: .*$2" "$work/out" ||
        fail "$1: $(cat "$work/out")"
}

# Cycles with several entries: by a goto, and by clang, which copies the jump of a switch.
several="with several entries"
cat >"$work/f.c" <<'END'
double q(double);
void f(long n, double *x, int middle)
{
    long i = 0;
    if (middle)
        goto middle;
first:
    x[i] = q(x[i]) / 3.7;
middle:
    x[i] += 1 / x[i];
    if (++i < n)
        goto first;
}
END
for compiler in gcc clang aarch64-linux-gnu-gcc; do
    has $compiler || continue
    $compiler -O2 -c "$work/f.c" -o "$work/code.o" || fail goto
    "$steno" contract report "$work/code.o" >out
    says " 0 loops, and a cycle with several entries"
done
cat >"$work/f.c" <<'END'
void f(long m, long n, double *x, const int *k)
{
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++)
            switch (k[i] & 7) {
            case 0: x[i] += 1; break;
            case 1: x[i] *= x[i]; break;
            case 2: x[i] = 1 / x[i]; break;
            case 3: x[i] -= 3; break;
            case 4: x[i] = -x[i]; break;
            case 5: x[i] *= 4; break;
            case 6: x[i] += x[0]; break;
            case 7: x[i] = 0; break;
            }
}
END
if has clang; then
    clang -O2 -c "$work/f.c" -o "$work/code.o" || fail switch
    undetermined "a switch of clang's" "$several" "divisions <= 1, bytes <= 200, load >= 1, instructions >= 1"
    grep -q 'likely: a goto into a loop, a switch' "$work/out" || fail "a switch: $(cat "$work/out")"
    clang -O2 -fno-jump-tables -c "$work/f.c" -o "$work/code.o" || fail switch
    echo 'kernel f @* loop=main : divisions == 1' >"$work/one.cg"
    "$steno" contract check "$work/code.o" "$work/one.cg" >"$work/out" 2>/dev/null ||
        fail "a switch without tables: $(cat "$work/out")"
fi
# A jump through a retpoline leads anywhere, and the loop that only speculation enters is none.
cat >"$work/f.c" <<'END'
long f(const unsigned char *p, long n, double *x)
{
    static void *const to[] = {&&add, &&mul, &&sub, &&end};
    long k = 0;
    (void)n;
    goto *to[p[k++] & 3];
add:
    x[0] += x[1];
    goto *to[p[k++] & 3];
mul:
    x[0] *= x[2];
    goto *to[p[k++] & 3];
sub:
    x[0] /= x[3];
    goto *to[p[k++] & 3];
end:
    return k;
}
void g(void (*to)(double *), double *x, long n)
{
    for (long i = 0; i < n; i++)
        to(x + i);
}
void h(void (*to)(double *), double *x);
void h(void (*to)(double *), double *x)
{
    to(x + 1);
}
END
cat >"$work/thunks.cg" <<'END'
kernel f @* : loops == 0, unresolved_jumps == 0, branches <= 2, divisions <= 1
kernel f @* loop=main calls=left-out : divisions == 0, scalar == 0, load == 0
kernel h @* calls=left-out : unresolved_jumps == 0, branches == 0, store == 0
END
cat >"$work/called.cg" <<'END'
kernel g @* : loops == 1, unresolved_jumps == 0, irreducible == 0
kernel g @* loop=main calls=left-out : calls == 1, spill == 0
END
thunks() { # thunks COMPILER OPTION...: no fact about code after jumps through thunks holds
    "$@" "$work/f.c" -o "$work/code.o" || { fail "$*"; return; }
    "$steno" contract check "$work/code.o" "$work/thunks.cg" >"$work/out" 2>/dev/null
    grep -q '^0 held, 10 broken' "$work/out" || grep -q "^1 held, 9 broken" "$work/out" ||
        fail "$*: $(cat "$work/out")"
    "$steno" contract check "$work/code.o" "$work/called.cg" >"$work/out" 2>/dev/null ||
        fail "$*: $(cat "$work/out")"
}
if [ "$(uname -m)" = x86_64 ] && has gcc; then
    for returns in keep thunk-extern thunk-inline; do
        for jumps in thunk thunk-extern thunk-inline; do
            thunks gcc -O2 -fcf-protection=none -mindirect-branch=$jumps -mfunction-return=$returns -c
        done
    done
    thunks gcc -O2 -fcf-protection=none -mindirect-branch=thunk -mindirect-branch-register \
        -mfunction-return=thunk -mharden-sls=all -shared -fPIC
    cat >"$work/plain.cg" <<'END'
kernel quotient @* : divisions == 1, calls == 0, unresolved_jumps == 0, loops == 0, spill == 0
END
    echo 'double quotient(double a, double b); double quotient(double a, double b) { return a / b; }' >"$work/q.c"
    for returns in thunk thunk-extern thunk-inline; do
        gcc -O2 -mfunction-return=$returns -mharden-sls=all -c "$work/q.c" -o "$work/code.o" || fail $returns
        "$steno" contract check "$work/code.o" "$work/plain.cg" >"$work/out" 2>/dev/null ||
            fail "a return by $returns: $(cat "$work/out")"
    done
fi
if [ "$(uname -m)" = x86_64 ] && has clang; then # it makes comparisons of the jumps of f
    cat >"$work/thunks.cg" <<'END'
kernel h @* calls=left-out : unresolved_jumps == 0, branches == 0, loops == 0
END
    for options in -mretpoline "-mretpoline -mretpoline-external-thunk" -mlvi-cfi "-mretpoline -shared -fPIC"; do
        case $options in *shared*) ;; *) options="$options -c" ;; esac
        # shellcheck disable=SC2086 # words
        clang -O2 -fcf-protection=none $options "$work/f.c" -o "$work/code.o" || fail "clang $options"
        "$steno" contract check "$work/code.o" "$work/thunks.cg" >"$work/out" 2>/dev/null
        grep -q '^0 held, 3 broken' "$work/out" || fail "clang $options: $(cat "$work/out")"
        case $options in *lvi*) continue ;; esac # its returns are jumps through a register, too
        "$steno" contract check "$work/code.o" "$work/called.cg" >"$work/out" 2>/dev/null ||
            fail "clang $options: $(cat "$work/out")"
    done
fi

finish
