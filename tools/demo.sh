#!/usr/bin/env bash
# demo.sh STENO [MATRIX]: shows the effect of narrow storage on this machine, in tables and plots. MATRIX is
# a Matrix Market file, dense or sparse, optionally .gz; the default is generated from an equation.
# Results are written to the folder demo next to STENO; the last lines list plots and report.
set -euo pipefail

[[ $# -ge 1 && $# -le 2 ]] || { echo "usage: demo.sh STENO [MATRIX]" >&2; exit 1; }
steno=$1
matrix=${2:-}
tools=$(dirname "$0")
out=$(dirname "$steno")/demo
mkdir -p "$out"

banner() { printf '\n== %s\n\n' "$*"; }

processor() { # its name in few words, where lscpu tells
    lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | head -n 1 |
        sed "s/([RTM]*)//g; s/ CPU.*//; s/ [0-9]*-Core.*//" | tr -d "'\"\\\\" || :
}

banner "this machine: steno info"
"$steno" info

banner "vectors and a dense matrix: steno bench axpy,dot,gemv"
echo "stream: the fastest plain loop of this run with the same reads and writes, in GB/s; fraction: speed relative to it."
echo "error: relative to the values before storing; as stored: relative to the stored values."
echo
"$steno" bench axpy,dot,gemv --json "$out/kernels.json" --csv "$out/kernels.csv"

if [ -z "$matrix" ]; then
    matrix=$out/poisson3d.mtx
    banner "a matrix from an equation: steno matrix poisson3d"
    "$steno" matrix poisson3d --size 80 --output "$matrix"
fi
name=$(basename "$matrix" | tr -c '[:alnum:]._\n-' _)
banner "a matrix from a file: steno bench --matrix $name"
"$steno" bench --matrix "$matrix" --json "$out/matrix.json" --csv "$out/matrix.csv"

banner "time and error over size: steno bench report gemv"
"$steno" bench report gemv --size 256,512,1024,2048 --html "$out/report.html"

banner "a linear system, its basis stored narrow: steno solve convection"
"$steno" solve convection --size 48 --json "$out/solve.json" --history "$out/solve.csv" \
    --plot "$out/solve.svg" --plot "$out/solve.png"

awk -F, -v name="$name" -v processor="$(processor)" -f "$tools/plot.awk" \
    "$out/kernels.csv" "$out/matrix.csv" >"$out/rows.gp"
gnuplot -e "out='$out'" "$out/rows.gp" "$tools/plot.gp"
echo
echo "plots: $out/speed.svg $out/speed.png $out/error.svg $out/error.png"
echo "       $out/solve.svg $out/solve.png"
echo "report: $out/report.html"
