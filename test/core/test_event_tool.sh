#!/usr/bin/env bash
# Tool libraries: a program of test/event with a tool, two, none, and tools that cannot be loaded.
set -u
build=${BUILD_DIR:?the build folder}/test/event
[ -x "$build/program" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

run() { # run LIBRARIES: the program's output in $work/out, its status in $status
    STENO_TOOLS_LIBS=$1 "$build/program" >"$work/out" 2>"$work/err"
    status=$?
    [ ! -s "$work/err" ] || fail "with '$1': stderr says '$(head -n 3 "$work/err")'"
}

says() { # says WHAT: the output is the standard input
    diff "$work/out" - >"$work/diff" || fail "$1: $(cat "$work/diff")"
    [ "$status" -eq "${2:-0}" ] || fail "$1: status $status"
}

calls() { # the calls of one tool, in order
    cat <<'TEXT'
allocate Host 'x' #0 400
begin 'initialise [x]' 0 1001
end 1001
allocate Host 'y' #1 800
begin 'fill [x]' 0 1002
end 1002
copy Host 'y' #1 from Host 'x' #0 800
copied
begin 'axpy [y]' 0 1003
end 1003
begin 'dot [result]' 0 1004
end 1004
push 'resize [y]'
TEXT
}

tool=$build/tool.so
run ""
echo "sum 1600" | says "no tool"

run "$tool"
grep -v -e "^sum" "$work/out" >"$work/lines"
head -n 1 "$work/lines" | grep -qx 'init 0 20240906 0 none' || fail "init: $(head -n 1 "$work/lines")"
sed -n 2,14p "$work/lines" >"$work/first"
calls | diff "$work/first" - >"$work/diff" || fail "calls of the tool: $(cat "$work/diff")"
[ "$status" -eq 0 ] || fail "status $status"

# The events within a resize may change: each occurs once, and every begin has an end.
once() { # once WORDS
    [ "$(grep -c -- "$1" "$work/lines")" = 1 ] || fail "not once: $1"
}
once "push 'resize .y.'"
once "^pop"
once "deallocate Host 'x' #0 400"
once "deallocate Host 'y' #1 800"
once "^allocate Host 'y' #[0-9]* 960"
once "deallocate Host 'y' #[0-9]* 960"
[ "$(grep -c '^begin' "$work/lines")" = "$(grep -c '^end' "$work/lines")" ] || fail "kernels"
[ "$(grep -c '^copy ' "$work/lines")" = "$(grep -c '^copied' "$work/lines")" ] || fail "copies"
count=$(grep -c -v -e '^init' -e '^finalize' "$work/lines")
tail -n 1 "$work/lines" | grep -qx "finalize 0 after $count" || fail "finalize: $(tail -n 1 "$work/lines")"

cp "$tool" "$work/second.so"
run ":$tool::$work/second.so:"
for line in "init 0 20240906 0 none" "init 1 20240906 0 none" "finalize 0 after $count" \
    "finalize 1 after $count"; do
    grep -qx "$line" "$work/out" || fail "two tools: no line '$line'"
done
[ "$(grep -c "^begin 'axpy \[y\]' 0 1003" "$work/out")" = 2 ] || fail "two tools: axpy"

# ---- tools that cannot be loaded: reported once by stn_exec_create, which the program calls again

cannot() { # cannot LIBRARIES PATTERN
    run "$1"
    [ "$status" -eq 1 ] || fail "'$1': status $status"
    grep -q "^STN_ERR_IO: STENO_TOOLS_LIBS: $2" "$work/out" || fail "'$1': $(head -n 1 "$work/out")"
    [ "$(grep -c STENO_TOOLS_LIBS "$work/out")" = 1 ] || fail "'$1': said more than once"
    grep -qx "sum 1600" "$work/out" || fail "'$1': the program did not go on"
}

echo "no library" >"$work/broken.so"
cannot "$work/missing.so" "$work/missing.so cannot be used: .*No such file"
cannot "libsteno-there-is-no-such-tool.so" "libsteno-there-is-no-such-tool.so cannot be used: "
cannot "$work/broken.so" "$work/broken.so cannot be used: .*"
cannot "libm.so.6" "libm.so.6 cannot be used: it exports no function of the Kokkos Tools interface"
cannot "$(printf '%05000d' 0)" "a library cannot be used: its path is too long"
for k in 2 3 4 5; do cp "$tool" "$work/$k.so"; done
cannot "$tool:$work/2.so:$work/3.so:$work/4.so:$work/5.so" "$work/5.so cannot be used: 4 libraries"
[ "$(grep -c '^init' "$work/out")" = 4 ] || fail "four tools are loaded"
cannot "$work/missing.so:$tool" "$work/missing.so"
[ "$(grep -c "^begin 'axpy" "$work/out")" = 1 ] || fail "calls of the other tool"

[ "$failures" -eq 0 ] && echo "all is well"
exit $((failures > 0))
