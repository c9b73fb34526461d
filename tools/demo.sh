#!/usr/bin/env bash
# demo.sh STENO [MATRIX]: what narrow storage brings on this machine, in tables and plots. MATRIX is a
# Matrix Market file, dense or sparse, .gz or not; without one a matrix is made from an equation.
# Results go to the folder demo beside STENO; the last line names the plots.
set -euo pipefail

[ $# -ge 1 ] && [ $# -le 2 ] || { echo "usage: demo.sh STENO [MATRIX]" >&2; exit 1; }
steno=$1
matrix=${2:-}
tools=$(dirname "$0")
out=$(dirname "$steno")/demo
mkdir -p "$out"

banner() { printf '\n== %s\n\n' "$*"; }

# The rows of both runs as one table, those of the matrix under the name of its file.
merge() {
    awk -F, -v OFS=, '
        FNR == 1 && NR > 1 { next }
        { print $1, $3, $4, $5, $6, $9, $10, $11, $12, $13, $14, (FNR == NR ? "" : name) }
    ' name="$1" "$out/kernels.csv" "$out/matrix.csv" >"$out/all.csv"
}

processor() { # its name in few words
    sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1 |
        sed 's/([RTM]*)//g; s/ CPU.*//; s/ [0-9]*-Core.*//'
}

plot() {
    local title
    title="$(processor), $(sed -n '2s/.*"threads": \([0-9]*\).*/\1/p' "$out/kernels.json") threads"
    gnuplot -e "csv='$out/all.csv'; out='$out'; machine='${title#, }'" "$tools/plot.gp"
}

banner "this machine"
"$steno" info

banner "vectors and a dense matrix: steno bench axpy,dot,gemv"
"$steno" bench axpy,dot,gemv --json "$out/kernels.json" --csv "$out/kernels.csv"

if [ -z "$matrix" ]; then
    matrix=$out/poisson3d.mtx
    banner "a matrix from an equation: steno matrix poisson3d"
    "$steno" matrix poisson3d --size 80 --output "$matrix"
fi
banner "a matrix from a file: steno bench --matrix $(basename "$matrix")"
"$steno" bench --matrix "$matrix" --json "$out/matrix.json" --csv "$out/matrix.csv"

merge "$(basename "$matrix" | tr -d ",'\"")"
plot
echo
echo "plots: $out/speed.svg $out/speed.png $out/error.svg $out/error.png"
