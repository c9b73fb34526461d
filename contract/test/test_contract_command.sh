#!/usr/bin/env bash
# steno contract: every action and option, what it refuses, and its exit statuses.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
needs "$steno" objdump
compiler=$(command -v gcc || command -v clang) || skip "no compiler"

accepts() { succeeds "$steno" contract "$@"; }

ends() { # ends STATUS ARGUMENTS...
    local status=$1
    shift
    returns "$status" "$steno" contract "$@"
}

refuses() { # refuses WORDS ARGUMENTS...
    local words=$1
    shift
    refused "$words" "$steno" contract "$@"
}

cat >code.c <<'END'
int other(int);
void scale(long count, double *restrict x, double factor);
void scale(long count, double *restrict x, double factor)
{
    for (long k = 0; k < count; k++)
        x[k] *= factor;
}
int nested(int rows, int columns, const int *a);
int nested(int rows, int columns, const int *a)
{
    int sum = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            sum += other(a[r * columns + c]);
    return sum;
}
int leaf(int x);
int leaf(int x) { return x + 1; }
END
"$compiler" -O1 -c code.c -o code.o || exit 77
sed 's/int leaf/int flower/; s/double/float/g' code.c >new.c
"$compiler" -O1 -c new.c -o new.o

# ---- help

accepts --help
for action in report check diff cubin; do
    grep -q "^  $action " out || fail "--help does not name $action"
done
for action in report check diff cubin; do
    accepts $action --help
    says "usage: steno contract $action"
    accepts $action -h
done
"$steno" --help | grep -q '^ *contract ' || fail "steno --help does not name contract"

# ---- report

accepts report code.o
says "code.o: 3 functions"
says "scale ("
says "loop 0 main"
accepts report code.o --fn scale
says "scale ("
holds "only scale is reported" test "$(grep -c '^[a-z].* (.*loops)$' out)" -eq 1
accepts report code.o --fn scale --loop main
holds "only the main loop" test "$(grep -cE '^  (loop|function)' out)" -eq 1
accepts report code.o --fn scale --loop none
says "  function"
accepts report code.o --fn scale --loop 0
says "loop 0 main"
accepts report code.o --fn '/^(scale|leaf)$/'
holds "two functions match" test "$(grep -c '^[a-z].* (.*loops)$' out)" -eq 2
accepts report code.o --loop main
holds "functions without loops are passed over" test "$(grep -c '^leaf' out)" -eq 0
accepts report code.o --fn scale --loop main --list
says "; loop 0 begins"
says "scalar f64"
accepts report code.o --fn nested --loop 0 --list
says "of an inner loop, not counted"
accepts report --json code.o
holds "one line of JSON" test "$(wc -l <out)" -eq 1
if command -v python3 >/dev/null; then
    holds "sound JSON" python3 -c '
import json
report = json.load(open("out"))
functions = {f["symbol"]: f for f in report["functions"]}
assert set(functions) == {"scale", "nested", "leaf"}, functions
scale = functions["scale"]
assert scale["loops"] == 1 and scale["main_loop"] == 0 and len(scale["counts"]) == 2, scale
whole, loop = scale["counts"]
assert whole["loop"] is None and loop["loop"] == 0, scale
assert loop["load.64"] == 1 and loop["store.64"] == 1 and loop["bytes/elem"] == 16, loop
assert loop["scalar.f64"] == 1 and loop["calls"] == 0 and loop["unknown"] == 0, loop
assert functions["nested"]["loops"] == 2, functions["nested"]
assert functions["leaf"]["main_loop"] is None and whole["regs"] is None, functions
assert "instructions" not in scale, scale
'
    accepts report --json --list code.o --fn nested
    holds "the listing in JSON" python3 -c '
import json
nested = json.load(open("out"))["functions"][0]
listed = nested["instructions"]
assert len(listed) == nested["counts"][0]["instructions"], nested
for loop in 0, 1:
    begins = [i for i in listed if "loop %d begins" % loop in i["taken_for"]]
    assert len(begins) == 1 and begins[0]["loop"] == loop, listed
loads = sum("load" in i["taken_for"] and "stack" not in i["taken_for"] for i in listed)
assert loads == nested["counts"][0]["load"] > 0, loads
assert listed[-1]["loop"] is None and listed[0]["text"] and listed[0]["address"] >= 0, listed
'
fi

# ---- check

printf 'kernel scale @* loop=main : load.64 == 1, store.64 == 1, scalar.f64 == 1, calls == 0\n' >held.cg
printf '# two\nkernel scale @* loop=main : calls == 1,\n  load.width >= 512\n' >broken.cg
printf 'kernel scale @sm_90 : regs <= 1\nkernel scale @* nvcc : calls == 0\n' >skipped.cg
cat held.cg skipped.cg >some.cg
printf 'kernel scale @* loop=main : loads > 1\n' >wrong.cg
printf 'kernel missing @* : calls == 0\n' >missing.cg
{
    echo 'void many(volatile int *a); void many(volatile int *a) {'
    for k in $(seq 200); do echo "a[$k] = 1;"; done
    echo '}'
} >many.c
"$compiler" -O1 -c many.c -o many.o
printf 'kernel many @* : store == 200, store != 200\n' >many.cg
ends 1 check many.o many.cg
says "1 held, 1 broken, 0 skipped"
says " more instructions"
holds "a long listing is cut" test "$(wc -l <out)" -lt 140
accepts check code.o held.cg
says "4 held, 0 broken, 0 skipped"
ends 1 check code.o broken.cg
says "broken.cg:2:29: broken: calls == 1, found 0"
says "broken.cg:3:3: broken: load.width >= 512, found 64"
says "likely: scalar arithmetic only"
says "; loop 0 begins"
says "0 held, 2 broken, 0 skipped"
says "steno: broken.cg: 2 of 2 facts are broken" err
ends 77 check code.o skipped.cg
says "skipped.cg:1:1: skipped: scale @sm_90"
says "0 held, 0 broken, 2 skipped"
[ ! -s err ] || fail "skipped: says '$(cat err)'"
accepts check code.o some.cg
says "4 held, 0 broken, 2 skipped"
ends 1 check code.o missing.cg
says "missing.cg:1:1: there is no function missing in code.o" err
printf 'kernel scale @* : load >= 1\n' >scale.cg
if "$compiler" -flto -O1 -c code.c -o thin.o 2>/dev/null; then # LLVM's, or GCC's without code
    ends 1 check thin.o scale.cg
    says "link-time optimization" err
    ends 1 report thin.o --fn scale
    says "link-time optimization" err
fi
if command -v clang >/dev/null && clang -flto -O1 -c code.c -o thin.o 2>/dev/null; then
    refuses "thin.o: LLVM bitcode instead of machine code" check thin.o scale.cg
fi
"$compiler" -shared -fPIC -O1 code.c -o whole.so -Wl,--unresolved-symbols=ignore-all 2>/dev/null
if [ -e whole.so ] && command -v strip >/dev/null; then
    accepts check whole.so held.cg
    printf 'static int hidden(int x) { return x; }\nint main(void) { return hidden(0); }\n' >main.c
    "$compiler" main.c -o main && strip main
    ends 1 check main missing.cg
    says "stripped" err
fi
refuses "wrong.cg:1:29: unknown quantity 'loads'; similar: load" check code.o wrong.cg
printf 'kernel scale @x86-64-v4 loop=main : load.width >= 512\n' >level.cg
if [ "$(uname -m)" = x86_64 ]; then
    ends 1 check code.o level.cg
    ends 77 check code.o level.cg --target x86-64-v3
    refuses "unknown x86-64 level" check code.o level.cg --target x86-64-v7
fi

ends 1 check code.o broken.cg --json
holds "one line of JSON" test "$(wc -l <out)" -eq 1
says '"held":0,"broken":2,"skipped":0,"report":"broken.cg:2:29: broken: calls == 1, found 0'
ends 77 check code.o skipped.cg --json
accepts check code.o held.cg --json
says '"held":4,"broken":0,"skipped":0,"report":""'

# ---- diff

accepts diff code.o new.o
says "scale ("
says "  load.64                 1 -> 0"
says "leaf ("
says ") is gone"
says ") is new"
accepts diff code.o code.o
says "0 functions changed, 0 in one file only, 3 alike"
holds "nothing else is said" test "$(wc -l <out)" -eq 1
accepts diff code.o new.o --fn scale --loop main
says "loop 0, its main loop"
says "1 functions changed, 0 in one file only, 0 alike"
accepts diff code.o new.o --fn leaf
says "leaf ("
says "0 functions changed, 1 in one file only, 0 alike"
accepts diff code.o new.o --fn flower
says ") is new"

accepts diff code.o new.o --json
holds "one line of JSON" test "$(wc -l <out)" -eq 1
if command -v python3 >/dev/null; then
    holds "sound JSON of differences" python3 -c '
import json
diff = json.load(open("out"))
assert diff["before"]["file"] == "code.o" and diff["after"]["file"] == "new.o", diff
assert diff["changed"] == 1 and diff["alone"] == 2 and diff["alike"] == 1, diff
pairs = {(f["before"] or f["after"])["symbol"]: f for f in diff["functions"]}
assert set(pairs) == {"scale", "leaf", "flower"}, pairs
assert pairs["leaf"]["after"] is None and len(pairs["leaf"]["before"]["counts"]) == 1, pairs
assert pairs["flower"]["before"] is None and pairs["flower"]["after"]["loops"] == 0, pairs
old, new = (pairs["scale"][side]["counts"] for side in ("before", "after"))
assert [c["loop"] for c in old] == [c["loop"] for c in new] == [None, 0], (old, new)
assert old[1]["load.64"] == 1 and new[1]["load.64"] == 0 and new[1]["load.32"] == 1, (old, new)
'
    accepts diff code.o new.o --json --fn scale --loop main
    holds "only the main loop in JSON" python3 -c '
import json
(scale,) = json.load(open("out"))["functions"]
assert [c["loop"] for c in scale["after"]["counts"]] == [0], scale
'
fi
accepts diff code.o code.o --json
says '"functions":[]'

# ---- refusals

refuses ": an action"
refuses "unknown action 'frob'" frob
for action in report cubin check; do
    refuses "the name of a file is missing" $action
    refuses "unknown; see steno contract $action --help" $action --frob
done
refuses "the name of an expectation file is missing" check code.o
refuses "unexpected argument 'x'" report code.o x
refuses "unexpected argument 'x'" cubin code.o x
refuses "unexpected argument 'x'" check code.o held.cg x
refuses "requires two files, not 1" diff code.o
refuses "requires two files, not 3" diff code.o code.o code.o
refuses "nowhere.o" report nowhere.o
refuses "nowhere.o" diff code.o nowhere.o
refuses "cannot open nowhere.cg" check code.o nowhere.cg
refuses "code.c" report code.c
for loop in x -1 1x 99999999999 ""; do
    refuses "must be main, none, all or the number of a loop" report code.o --loop "$loop"
done
refuses "requires a value" report code.o --fn
refuses "not a regular expression" report code.o --fn '/(/'
refuses "not an expression between slashes" report code.o --fn '/x'
refuses "missing" report code.o --fn missing
refuses "missing" diff code.o new.o --fn missing
ends 1 report code.o --fn scale --loop 7
refuses "has no CUDA kernels" cubin code.o
"$steno" contract report code.o >/dev/full 2>err && fail "a full standard output goes unnoticed"
head -c 500 code.o >cut.o
refuses "cut.o" report cut.o
: >empty.o
refuses "empty.o" report empty.o

# ---- the function for CMake

if command -v cmake >/dev/null && command -v ctest >/dev/null; then
    mkdir project
    cp code.c held.cg broken.cg skipped.cg project
    cat >project/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.18)
project(contracts LANGUAGES C)
set(STENO_COMMAND "$steno")
include("$SOURCE_DIR/cmake/contract.cmake")
enable_testing()
add_library(objects OBJECT code.c)
set_target_properties(objects PROPERTIES COMPILE_OPTIONS -O1)
add_library(shared SHARED code.c)
set_target_properties(shared PROPERTIES COMPILE_OPTIONS -O1)
target_link_options(shared PRIVATE -Wl,--unresolved-symbols=ignore-all)
steno_add_contract(objects held.cg SOURCES code.c)
steno_add_contract(objects broken.cg SOURCES code.c NAME red)
steno_add_contract(objects skipped.cg SOURCES code.c LEVEL x86-64-v3)
steno_add_contract(shared held.cg)
END
    cmake -S project -B built >log 2>&1 && cmake --build built >>log 2>&1 || fail "cmake: $(cat log)"
    (cd built && ctest 2>&1) >out
    grep -Eq 'contract_objects_held \.+ +Passed' out || fail "held: $(cat out)"
    grep -Eq 'contract_shared_held \.+ +Passed' out || fail "shared: $(cat out)"
    grep -Eq 'red \.+\*\*\*Failed' out || fail "broken: $(cat out)"
    grep -Eq 'contract_objects_skipped \.+\*\*\*Skipped' out || fail "skipped: $(cat out)"
fi

# ---- documentation

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$SOURCE_DIR/doc/contract.md" >quoted
holds "doc/contract.md quotes examples/contract.c" cmp quoted "$SOURCE_DIR/examples/contract.c"
accepts check --help
for word in $(sed -n '/^Quantities/,/^The language/s/^  \([^ ]*\) .*/\1/p' out); do
    grep -q "^| .*\`$word\`" "$SOURCE_DIR/doc/contract.md" || fail "doc/contract.md does not explain $word"
done
for action in report check diff cubin; do
    accepts $action --help
    for option in $(grep -o '^  --[a-z]*' out); do
        grep -q "\`$option" "$SOURCE_DIR/doc/command.md" || fail "doc/command.md does not explain $option"
    done
done

finish
