# Plots of `steno bench versus`: the time of each library relative to Steno's, over size, one panel per
# operation and number of threads. Panels, their files and the number of lines are set by
# tools/versus.sh.
set encoding utf8
set border 3 lc rgb "#444444"
set tics nomirror textcolor rgb "#222222"
set grid ytics xtics lt 1 lc rgb "#d0d0d0" lw 0.8 dt solid
set logscale x 2
set logscale y 2
set format x "2^{%L}"
set xlabel "n"
set ylabel "their time / Steno's"
set key bottom right opaque samplen 1.5 noenhanced

# Colors that color-blind readers can distinguish (Okabe and Ito, 2008).
set linetype 1 lc rgb "#0072b2"
set linetype 2 lc rgb "#e69f00"
set linetype 3 lc rgb "#56b4e9"
set linetype 4 lc rgb "#d55e00"
set linetype 5 lc rgb "#009e73"
set linetype 6 lc rgb "#cc79a7"

columns = words(panels) > 1 ? 2 : 1
rows = (words(panels) + columns - 1) / columns
do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 560 * columns, 380 * rows font "sans,12" background "white"
    } else {
        set terminal pngcairo size 560 * columns, 380 * rows font "sans,10" background "white"
    }
    set output out . "/versus." . kind
    set multiplot layout rows, columns
    do for [panel in panels] {
        at = strstrt(panel, "_")
        threads = panel[at + 1:]
        set title panel[1:at - 1] . ", " . threads . (threads eq "1" ? " thread" : " threads") \
            noenhanced
        plot 1 lc rgb "#444444" lw 1.5 notitle, \
             for [k = 0:lines - 1] out . "/panel-" . panel index k using 1:2 \
                 with linespoints lt k + 1 lw 2 pt 7 ps 0.5 title columnheader(1)
    }
    unset multiplot
    unset output
}
