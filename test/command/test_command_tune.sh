#!/usr/bin/env bash
# steno tune: executors use the file that it writes; and every refusal.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno"

refuses() { # refuses WORDS ARGUMENTS...
    local words=$1
    shift
    refused "$words" "$steno" "$@"
}

umask 002
export STENO_TUNE=$work/new/folder/tune
"$steno" tune --force >"$work/out" || fail "tune"
grep -q "^written to $STENO_TUNE$" "$work/out" || fail "it does not say where it writes"
# Each choice is one of the values that were measured, or the preset on busy processors.
grep -- "-> " "$work/out" | while read -r name rest; do
    value=${rest##*-> }
    [[ " $rest" == *" $value: "* ]] || [ "$name $value" = "alone 128" ] || echo "$name $value"
done >"$work/odd"
[ ! -s "$work/odd" ] || fail "not a measured value: $(cat "$work/odd")"
[ "$(tail -n 1 "$STENO_TUNE")" = end ] || fail "the file has no end"
for name in streams rows prefetch alone nontemporal; do
    value=$(awk -v name=$name '$1 == name { print $2 }' "$STENO_TUNE")
    [ -n "$value" ] || fail "no $name in the file"
    "$steno" info | grep -q "^memory .* $name $value[ ,]" || fail "info does not have $name $value"
done
"$steno" info | grep -q "^memory .*, by $STENO_TUNE$" || fail "info does not name the file"
"$steno" info --json | grep -q "\"source\":\"$STENO_TUNE\"" || fail "info --json does not name the file"

# A damaged file is an error for executors, but not for steno tune.
echo "streams 2" >"$STENO_TUNE"
refuses "is truncated" bench dot --size 1000
"$steno" tune --print >"$work/out" || fail "tune does not start"
grep -q "written" "$work/out" && fail "--print writes"
[ "$(cat "$STENO_TUNE")" = "streams 2" ] || fail "--print has written"

# Two threads share one processor with a process that never sleeps.
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
    taskset -c 0 bash -c 'while :; do :; done' &
    spinner=$!
    OMP_NUM_THREADS=2 taskset -c 0 "$steno" tune >"$work/out" 2>"$work/err"
    status=$?
    kill $spinner
    if grep -q "other processes use the processors" "$work/out"; then
        [ $status = 1 ] && grep -q "nothing is written without --force" "$work/err" ||
            fail "a busy machine is no failure"
        [ "$(cat "$STENO_TUNE")" = "streams 2" ] || fail "a busy machine has written"
    else
        fail "a busy processor is not noticed: $(cat "$work/out")"
    fi
fi

refuses "unexpected argument" tune more
refuses "unknown" tune --more
mkdir "$work/busy"
STENO_TUNE=$work/busy refuses "cannot write" tune
touch "$work/file"
STENO_TUNE=$work/file/tune refuses "cannot write" tune
unset STENO_TUNE
HOME= XDG_CONFIG_HOME= refuses "no folder" tune
finish
