# The residuals of `steno solve --history` in solve.csv of the folder `out`, as solve.png there.
set encoding utf8
set datafile separator ","
file = out . "/solve.csv"
bases = system("tail -n +2 '" . file . "' | cut -d, -f1 | uniq | tr '\n' ' '")

# Colours that colour-blind readers tell apart (Okabe and Ito, 2008).
set linetype 1 lc rgb "#0072b2"
set linetype 2 lc rgb "#d55e00"
set linetype 3 lc rgb "#008a64"
set linetype 4 lc rgb "#b5478b"

set terminal pngcairo size 1120,680 fontscale 1.2
set output out . "/solve.png"
set border 3 lc rgb "#444444"
set tics nomirror textcolor rgb "#222222"
set grid lt 1 lc rgb "#d0d0d0" lw 0.8 dt solid
set logscale y
set format y "10^{%L}"
set xlabel "iterations"
set ylabel "|b - A x| / |b|"
set key top right
plot for [k = 1:words(bases)] "< grep '^" . word(bases, k) . ",' '" . file . "'" \
    using 2:3 with lines lt k lw 2 title word(bases, k)
