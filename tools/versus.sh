#!/usr/bin/env bash
# Compares Steno with OpenBLAS and BLIS, and plots the ratios over size:
#   tools/versus.sh STENO FOLDER [WORD...]: the arguments of `steno bench versus`
set -euo pipefail
steno=$1 out=$2
shift 2
tools=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
"$steno" bench versus "$@" --csv "$out/versus.csv" --json "$out/versus.json"

# One file per panel with one block per line: title, followed by n and ratio.
rm -f "$out"/panel-*
awk -F, -v out="$out" '
    NR == 1 || $6 == "Steno" { next }
    {
        panel = $1 "_" $4
        line = $6 ", " $2 "/" $3
        file = out "/panel-" panel
        if (!(panel in panels)) { panels[panel]; names = names " " panel }
        if (!((panel, line) in text)) lines[panel, ++count[panel]] = line
        text[panel, line] = text[panel, line] $5 " " $8 "\n"
    }
    END {
        n = split(names, order, " ")
        printf "panels = \"%s\"\n", names
        for (k = 1; k <= n; k++) {
            panel = order[k]
            most = count[panel] > most ? count[panel] : most
            for (l = 1; l <= count[panel]; l++) {
                line = lines[panel, l]
                printf "\"%s\" x\n%s\n\n", line, text[panel, line] >(out "/panel-" panel)
            }
        }
        printf "lines = %d\n", most
    }' "$out/versus.csv" >"$out/panels.gp"
gnuplot -e "out='$out'" "$out/panels.gp" "$tools/versus.gp"
rm -f "$out"/panel-* "$out/panels.gp"
echo
echo "rows: $out/versus.csv $out/versus.json   plots: $out/versus.svg $out/versus.png"
