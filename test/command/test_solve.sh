#!/usr/bin/env bash
# steno solve: every solver on equations and a file of this test's, its files, and every refusal.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno"

solve() { timeout 300 "$steno" solve --threads 1 --repeat 1 "$@"; }

refuses() { # refuses WORDS ARGUMENTS...
    local words=$1
    shift
    refused "$words" "$steno" solve "$@"
}

# ---- tables ----

# Solved at once, with a residual of 0, and given up before an iteration: files all the same.
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n' >one.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -1\n' >saddle.mtx
for file in one saddle; do
    kind=gmres
    status=0
    [ $file = one ] || { kind=refinement status=1; }
    solve --matrix $file.mtx --solver $kind --basis f64 --history h.csv >out 2>err
    [ $? -eq $status ] || fail "$file: $(cat out err)"
    [ "$(head -n 1 h.csv)" = basis,iteration,residual ] || fail "$file: $(cat h.csv)"
    [ $file = one ] || [ "$(wc -l <h.csv)" -eq 1 ] || fail "saddle: $(cat h.csv)"
done
grep -q '^steno: saddle.mtx with f64: not positive definite at' err || fail "saddle says $(cat err)"

solve --size 9 --basis f64,i8:32,i16:32,bfp16 --json - >out || fail "blocks"
python3 - <<'END' || fail "table of blocks"
import json
rows = [json.loads(line) for line in open("out")]
assert [r["basis"] for r in rows] == ["f64", "i8:32", "i16:32", "bfp16"]
assert all(r["reason"] == "converged" and r["residual"] <= 1e-10 for r in rows)
# The basis is so small that vectors are stored in f64 as well; rows are padded, those of bfp16 to 41 blocks.
wide = (100 * 1088 + 729) * 8 / 1e6
assert rows[0]["megabytes"] == wide
assert wide / 8 < rows[1]["megabytes"] <= wide * (1 + 1 / 8 + 1 / 64)
assert abs(rows[3]["megabytes"] - wide - 101 * 41 * 66 / 1e6) < 1e-6
END
for kind in default once if-needed twice delayed sketched; do
    solve --size 9 --basis i16 --orthogonalization $kind >out || fail "orthogonalization $kind"
done
refuses "unknown orthogonalization 'thrice' (known: default, once, if-needed, twice, delayed, sketched)" --orthogonalization thrice
refuses "cg has no basis: omit --orthogonalization" --solver cg --size 4 --orthogonalization once
refuses "i16:16: blocks are of 32 elements" --size 4 --basis i16:16
refuses "basis_block requires an integer format of the basis, not f16" --size 4 --basis f16:32
refuses "refinement does not support a basis in blocks: i16:32" --solver refinement --size 4 --basis i16:32

solve --size 9 --json a.json --csv a.csv --history h.csv >out || fail "gmres"
[ "$(awk 'NR > 4 { printf "%s ", $1 }' out)" = "f64 f32 f16 i16 " ] || fail "formats: $(cat out)"
awk 'NR > 4 && !($7 > 0 && $7 <= 1e-10) { exit 1 }' out || fail "residuals: $(cat out)"
python3 - <<'END' || fail "files"
import csv, json
rows = [json.loads(line) for line in open("a.json")]
assert [r["basis"] for r in rows] == ["f64", "f32", "f16", "i16"]
assert all(r["reason"] == "converged" and r["rows"] == 729 and r["threads"] == 1 for r in rows)
assert all(r["residual"] <= 1e-10 and r["seconds"] > 0 for r in rows)
assert rows[0]["speedup"] == 1 and rows[0]["megabytes"] == (100 * 1088 + 729) * 8 / 1e6
assert len(list(csv.DictReader(open("a.csv")))) == 4
points = list(csv.DictReader(open("h.csv")))
assert len(points) == sum(r["iterations"] for r in rows)
last = [float(p["residual"]) for p in points if p["basis"] == "f16"][-1]
assert last <= 1e-10
END

# ---- matrices that a solver does not support, and reports ----

printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 4\n2 2 4\n3 3 4\n1 2 1\n' >upper.mtx
for kind in cg minres refinement; do
    solve --matrix upper.mtx --solver $kind >out 2>err
    grep -q '^steno: note: upper.mtx is not symmetric; ' err || fail "upper with $kind: $(cat err)"
done
for kind in gmres bicgstab; do
    solve --matrix upper.mtx --solver $kind >out 2>err || fail "upper with $kind"
    grep -q note err && fail "upper with $kind: $(cat err)"
done
solve --matrix saddle.mtx --solver cg >out 2>err
grep -q '^steno: note: the diagonal element of row 2 of saddle.mtx is not positive' err ||
    fail "saddle with cg: $(cat err)"
for kind in minres gmres; do
    solve --matrix saddle.mtx --solver $kind >out 2>err || fail "saddle with $kind"
    grep -q note err && fail "saddle with $kind: $(cat err)"
done
printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 4\n1 1 4 0\n2 2 4 0\n1 2 0 1\n2 1 0 -1\n' >hermitian.mtx
solve --matrix hermitian.mtx --solver cg >out 2>err || fail "hermitian: $(cat err)"
grep -q note err && fail "hermitian: $(cat err)"
sed 's/^2 1 0 -1/2 1 0 1/' hermitian.mtx >symmetric.mtx
solve --matrix symmetric.mtx --solver cg >out 2>err
grep -q 'symmetric.mtx is not Hermitian; cg may' err || fail "complex symmetric: $(cat err)"
for kind in cg minres; do
    solve poisson3d --size 12 --solver $kind >out 2>err || fail "poisson3d"
    grep -q note err && fail "poisson3d: $(cat err)"
done
solve --size 9 --basis f64 --precond jacobi --restart 200 --json - >out || fail "phases"
python3 - <<'END' || fail "phases: $(cat out)"
import json
for line in open("out"):
    r = json.loads(line)
    assert 0 < r["backward_error"] < 1e-9 and 1e-18 < r["rounding_error"] < 1e-12 and r["restarts"] == 0
    phases = [r["seconds_" + name] for name in ("products", "preconditioner", "orthogonalization", "verification")]
    assert all(s > 0 for s in phases)
END

converges() { # converges COUNT EXPRESSION ARGUMENTS...: COUNT rows, which match EXPRESSION and converge
    local count=$1 expression=$2
    shift 2
    solve "$@" --json - >out || fail "solve $*"
    [ "$(wc -l <out)" -eq "$count" ] && [ "$(grep -c "$expression.*\"reason\": \"converged\"" out)" -eq "$count" ] ||
        fail "solve $*: $(cat out)"
}

prints() { # prints EXPRESSION ARGUMENTS...
    local expression=$1
    shift
    solve "$@" >out || fail "solve $*"
    grep -q "$expression" out || fail "solve $*: $(cat out)"
}

converges 1 '"solver": "cg".*"precond": "jacobi"' --solver cg --size 7 --precond jacobi
converges 3 "" --solver refinement --basis f32,f16,i16 --size 7 --tolerance 1e-13
converges 4 "" --exec reference --size 5 --same-bits-as threads:threads=2
expect "executors of reference" "$(grep -c '"exec": "reference", "same_bits_as": "threads:threads=2"' out)" 4
converges 1 "" --solver bicgstab --arithmetic f32 --size 5 --tolerance 1e-5 --same-bits-as reference
expect "executors of threads" "$(grep -c '"exec": "threads", "same_bits_as": "reference"' out)" 1
converges 2 "" --solver refinement --planes --basis f32 --size 7 --same-bits-as reference
expect "rows of planes" "$(grep -c '"basis": "planes"' out)" 1
refuses "--planes applies to refinement, not to cg" --solver cg --size 4 --planes

# Rows whose magnitudes differ by 2^60: 16 bits with one scale hold them after equilibration only.
python3 - <<'END'
entries = []
for r in range(100):
    scale = 2.0 ** (r * 7 % 61 - 30)
    for c, v in ((r, 4.0), (r - 1, -1.5), (r + 1, -0.5), (r - 10, -1.0), (r + 10, -0.25)):
        if 0 <= c < 100:
            entries.append((r, c, v * scale))
for name, field in (("rows.mtx", "real"), ("rows_complex.mtx", "complex")):
    with open(name, "w") as out:
        print("%%MatrixMarket matrix coordinate", field, "general\n100 100", len(entries), file=out)
        for r, c, v in entries:
            print(r + 1, c + 1, repr(v), *([repr(0.5 * v)] if field == "complex" else []), file=out)
END
for file in rows rows_complex; do
    converges 2 "" ./$file.mtx --equilibrate --precond ilu --basis $([ $file = rows ] && echo f64,f16 || echo c128,c32) --same-bits-as reference
    python3 - <<'END' || fail "equilibrated: $(cat out)"
import json
rows = [json.loads(line) for line in open("out")]
assert all(r["residual"] <= 1e-10 and 0 < r["residual_given"] <= 1e-8 for r in rows)
END
done
prints "as given: " ./rows.mtx --equilibrate --basis f16
solve ./rows.mtx --basis f64 --json - >out || fail "without --equilibrate"
grep -q '"residual_given": null' out || fail "residual_given: $(cat out)"
prints "^all solutions have the bits of reference$" --solver refinement --basis f16 --size 5 --same-bits-as reference
for solver in minres bicgstab fgmres; do
    prints "in f16, .* MB" --solver $solver --size 7 --precond bjacobi --block 4
done
converges 1 '"precond": "bjacobi"' --solver gmres --size 7 --precond bjacobi --basis f16
for precond in jacobi bjacobi ic; do
    converges 3 "" --solver refinement --basis f64,f32,f16 --size 7 --tolerance 1e-13 --precond $precond
    python3 - <<'END' || fail "residuals of refinement with $precond: $(cat out)"
import json
assert all(json.loads(line)["residual"] <= 1e-13 for line in open("out"))
END
done
for precond in ilu ilu:f16 ilu:i16; do
    converges 1 "\"precond\": \"$precond\"" --solver gmres --size 7 --precond $precond --basis f64
done
prints "factors of 19 and 19 levels; .* MB" --solver cg --size 7 --precond ic:bf16

# ---- a file: 4 on the diagonal, 1 above; x is ones, for every format ----

{
    echo '%%MatrixMarket matrix coordinate real general'
    echo '50 50 99'
    awk 'BEGIN { for (i = 1; i <= 50; i++) { print i, i, 4; if (i < 50) print i, i + 1, 1 } }'
} >own.mtx
converges 3 "" ./own.mtx --basis i8,e4m3,f64 --tolerance 1e-13
cp own.mtx plain
converges 3 '"matrix": "plain"' --matrix plain --solver gmres --basis f16,f32,f64 --precond bjacobi
refuses "unexpected argument 'poisson3d'" --matrix plain poisson3d
sed 's/real/integer/' own.mtx >whole.mtx
converges 1 "" ./whole.mtx --basis f64

# ---- complex files: 4 + i on the diagonal and i above; Hermitian with 4 and i, of which a half is stored ----

{
    echo '%%MatrixMarket matrix coordinate complex general'
    echo '50 50 99'
    awk 'BEGIN { for (i = 1; i <= 50; i++) { print i, i, 4, 1; if (i < 50) print i, i + 1, 0, 1 } }'
} >complex.mtx
{
    echo '%%MatrixMarket matrix coordinate complex hermitian'
    echo '50 50 99'
    awk 'BEGIN { for (i = 1; i <= 50; i++) { print i, i, 4, 0; if (i < 50) print i + 1, i, 0, 1 } }'
} >hermitian.mtx
converges 3 '"arithmetic": "c128", "basis": "c[136][224]*8*", ' ./complex.mtx
for precond in jacobi bjacobi ilu ilu:f16; do
    converges 3 "" ./complex.mtx --precond $precond
done
prints 'in c32, .* in c64, .* in c128; .* MB' ./complex.mtx --precond bjacobi
converges 4 '"arithmetic": "c64", ' ./complex.mtx --arithmetic c64 --tolerance 1e-5 --basis c64,c32,i16,i8
refuses "--planes requires a real matrix, unlike ./hermitian.mtx" ./hermitian.mtx --solver refinement --planes
for solver in cg minres bicgstab; do
    converges 1 '"arithmetic": "c128"' ./hermitian.mtx --solver $solver
done
for solver in fgmres refinement; do
    converges 3 '"arithmetic": "c128"' ./hermitian.mtx --solver $solver
done
converges 4 '"arithmetic": "c128"' --solver refinement --size 6 --arithmetic c128 --basis c128,c64,c32,f16
converges 1 '"basis": "c32", ' --size 6 --arithmetic c128 --basis c32
converges 1 '"arithmetic": "f32", "basis": "f32", ' --size 6 --arithmetic f32 --tolerance 1e-5 --solver bicgstab

# ---- right-hand sides ----

# Columns A (1, 1, 1), A (1, 2, 3) and 0 of the identity plus its neighbors, row by row.
cat >spd.mtx <<'END'
%%MatrixMarket matrix coordinate real symmetric
3 3 5
1 1 4
2 2 4
3 3 4
2 1 -1
3 2 -1
END
printf '%%%%MatrixMarket matrix array real general\n3 3\n3\n2\n3\n2\n4\n10\n0\n0\n0\n' >three.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n2\n4\n10\n' >single.mtx
for solver in cg minres bicgstab gmres; do
    solve ./spd.mtx --solver $solver --basis f64 --rhs three.mtx --same-bits-as reference --json - >out ||
        fail "three columns by $solver"
    solve ./spd.mtx --solver $solver --basis f64 --rhs single.mtx --json - >>out || fail "one column by $solver"
    solve ./spd.mtx --solver $solver --basis f64 --json - >>out || fail "ones by $solver"
    python3 - <<'END' || fail "columns of $solver"
import json
three, two, one = [json.loads(line) for line in open("out")]
assert (three["columns"], two["columns"], one["columns"]) == (3, 1, 1)
assert three["iterations"] == two["iterations"] + one["iterations"] > 0
assert three["reason"] == "converged" and three["residual"] == max(one["residual"], two["residual"])
END
done
solve ./spd.mtx --solver cg --rhs three.mtx >out || fail "a table of columns"
grep -q '^3 right-hand sides; ' out || fail "table: $(cat out)"
solve ./spd.mtx --solver cg --rhs single.mtx >out || fail "a table of one column"
! grep -q 'right-hand sides' out || fail "table: $(cat out)"

# Runs that do not converge have rows of the table, too.
! solve --size 9 --iterations 3 --basis f32 --json few.json >out 2>err || fail "few iterations"
grep -q 'maximum number of iterations reached' out || fail "few iterations: $(cat out)"
grep -q '^steno: .*f32: maximum number of iterations reached at a residual of ' err || fail "$(cat err)"
grep -q 'maximum number of iterations reached' few.json || fail "no file of what did not converge"
# The second basis of flexible GMRES is never stored in the arithmetic type.
solve --size 9 --solver fgmres --precond jacobi --iterations 78 --basis i8,f64 >out || fail "one of two converges"
grep -q 'maximum number of iterations reached' out || fail "i8 in few iterations: $(cat out)"
sed 's/^1 1 4$/1 1 nan/' own.mtx >nan.mtx
solve ./nan.mtx --basis f64 >out 2>err
grep -q 'not finite\|nan' out err || fail "nan: $(cat out err)"

# ---- refusals ----

printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n' >oblong.mtx
printf '%%%%MatrixMarket matrix array real general\n1 1\n4\n' >dense.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 1\n' >hole.mtx
refuses "unknown solver 'lu'" --solver lu
refuses "unknown executor 'frob'" --exec frob
refuses "unknown executor 'frob'" --size 4 --basis f64 --same-bits-as frob
refuses "executor 'reference' has one thread, not 2" --exec reference --threads 2
refuses "--threads and executor 'threads:threads=2' both set the number of threads" --exec threads:threads=2 --threads 2
refuses "unknown matrix 'heat'" heat
refuses "unexpected argument 'two'" poisson3d two
refuses "tolerance '2'" --tolerance 2
refuses "tolerance 'x'" --tolerance x
refuses "unknown preconditioner 'ilut'" --precond ilut
refuses "unknown format 'f15'" --precond ilu:f15
refuses "not a signed real format" --precond ilu:u8 --size 5
refuses "row 1 of ./hole.mtx has no entry on the diagonal" ./hole.mtx --precond ilu
refuses "format" --basis f63
refuses "an empty format in the list" --basis f64,
for solver in cg minres bicgstab; do
    refuses "$solver has no basis: omit the formats" --solver $solver --basis f32
    solve --solver $solver --size 4 --basis f64 >out || fail "$solver with the default basis"
done
refuses "the basis is unsigned" --basis u8 --size 5
refuses "is not a real format" --basis c64 --size 5
refuses "is not square: 2 x 3" ./oblong.mtx
refuses "is a dense matrix" ./dense.mtx
refuses "is a complex matrix, but the arithmetic is f64" ./complex.mtx --arithmetic f64
refuses "arithmetic 'f16' must be" --arithmetic f16
refuses "the arithmetic of refinement must be f64 or c128, not c64" --solver refinement --arithmetic c64
refuses "cg has no basis: omit the formats" ./complex.mtx --solver cg --basis f64
refuses "the block of rows 1 to 1 (from 0) of ./hole.mtx is singular" ./hole.mtx --precond jacobi
refuses "not to the file" ./own.mtx --size 4
refuses "absent.mtx" ./absent.mtx
refuses "more than 16 formats" --basis "$(printf 'f64,%.0s' {1..16})f64"
refuses "see steno solve --help" --nothing
refuses "cannot write" --history absent/h.csv
refuses "JSON and CSV cannot both be written to the standard output" --json - --csv -
refuses "three.mtx is no vector of 8 elements, nor a matrix of such columns" --size 2 --rhs three.mtx
refuses "spd.mtx is a sparse matrix, not a vector" ./spd.mtx --rhs spd.mtx
refuses "absent.mtx" ./spd.mtx --rhs absent.mtx
printf '%%%%MatrixMarket matrix array complex general\n8 1\n%s' "$(printf '1 2\n%.0s' {1..8})" >turned.mtx
refuses "turned.mtx is complex, but the arithmetic is not" --size 2 --rhs turned.mtx
refuses "--history applies to one right-hand side; three.mtx has 3" ./spd.mtx --rhs three.mtx --history h.csv
refuses "--equilibrate does not scale the right-hand sides" ./spd.mtx --rhs single.mtx --equilibrate
"$steno" solve --help | grep -q '^usage: steno solve' || fail "help"

finish
