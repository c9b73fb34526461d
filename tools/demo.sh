#!/usr/bin/env bash
# demo.sh STENO FOLDER [MATRIX]: shows the effect of narrow storage on this machine, in tables and plots. MATRIX is
# a Matrix Market file, dense or sparse, optionally .gz; the default is generated from an equation.
# Results are written to FOLDER; the last lines list plots and report.
set -euo pipefail

[[ $# -ge 2 && $# -le 3 ]] || { echo "usage: demo.sh STENO FOLDER [MATRIX]" >&2; exit 1; }
steno=$1
out=$2
matrix=${3:-}
plot=$(dirname "$0")/steno-plot
mkdir -p "$out"

banner() { printf '\n== %s\n\n' "$*"; }

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
banner "a matrix from a file: steno bench --matrix $(basename "$matrix" | tr -c '[:alnum:]._\n-' _)"
"$steno" bench --matrix "$matrix" --json "$out/matrix.json" --csv "$out/matrix.csv"

banner "time and error over size: steno bench report gemv"
"$steno" bench report gemv --size 256,512,1024,2048 --json "$out/sizes.json" --csv "$out/sizes.csv"

banner "a linear system, its basis stored narrow: steno solve convection"
"$steno" solve convection --size 48 --json "$out/solve.json" --csv "$out/solve.csv" \
    --history "$out/residuals.csv"

banner "plots in the terminal: steno-plot"
"$plot" --panel "times as fast" "$out/kernels.csv" "$out/matrix.csv"
"$plot" "$out/residuals.csv"

for kind in svg png; do
    "$plot" "$out/kernels.csv" "$out/matrix.csv" --output "$out/formats.$kind"
    "$plot" "$out/sizes.csv" --output "$out/sizes.$kind"
    "$plot" "$out/residuals.csv" --output "$out/residuals.$kind"
done
"$plot" "$out"/{kernels,matrix,sizes,residuals}.csv --output "$out/report.html"
banner "advice for the matrix: steno advise $(basename "$matrix" | tr -c '[:alnum:]._\n-' _)"
"$steno" advise "$matrix" --json "$out/advice.json" ||
    echo "(the advisor supports square sparse matrices, and arrays)"
echo
echo "plots:  $out/formats.svg $out/sizes.svg $out/residuals.svg (and .png)"
echo "report: $out/report.html"
