# Plots of `steno bench` rows: speed.svg, speed.png, error.svg and error.png in the folder `out`.
# What is plotted comes from the script that tools/plot.awk makes: $rows (group, format's number,
# speed-up, GB/s, stream GB/s, error, error as stored), formats, groups, pitch, machine, labels.
set encoding utf8
least = 1e-17 # errors below are drawn here

# Colours that colour-blind readers tell apart (Okabe and Ito, 2008).
set linetype 1 lc rgb "#7f7f7f"
set linetype 2 lc rgb "#0072b2"
set linetype 3 lc rgb "#56b4e9"
set linetype 4 lc rgb "#009e73"
set linetype 5 lc rgb "#e69f00"
set linetype 6 lc rgb "#d55e00"
set linetype 7 lc rgb "#cc79a7"
set linetype 8 lc rgb "#332288"

place(group, format) = (group - 1) * pitch + format
only(format) = $2 == format ? place($1, $2) : NaN
clip(error) = error > least ? error : least

set border 3 lc rgb "#444444"
set tics nomirror textcolor rgb "#222222"
set xtics scale 0 noenhanced
set grid ytics lt 1 lc rgb "#d0d0d0" lw 0.8 dt solid
set style fill solid 1.0 noborder
set boxwidth 0.86
set xrange [-0.3:groups * pitch - 0.3]
set lmargin 10
set rmargin 3

do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 1200, 900 dynamic background "white" font "DejaVu Sans,14"
    } else {
        set terminal pngcairo size 1200, 900 background "white" font "DejaVu Sans,11"
    }
    do for [plot in "speed error"] {
        set output out."/".plot.".".kind
        set label 1 machine at screen 0.5, 0.927 center noenhanced textcolor rgb "#444444"
        if (plot eq "speed") {
            set multiplot
            set label 2 "Storage formats: speed" at screen 0.5, 0.965 center font ",20"
            set key at screen 0.5, 0.89 center center horizontal samplen 1.2 width 1.5
            set tmargin at screen 0.84
            set bmargin at screen 0.57
            set ylabel "times as fast as f64"
            set yrange [0:*]
            plot for [f = 1:words(formats)] $rows using (only(f)):3 with boxes lt f \
                     title word(formats, f), \
                 $rows using (place($1, $2)):3:(sprintf("%.1f", $3)) with labels font ",10" \
                     offset 0, 0.5 textcolor rgb "#222222" notitle
            unset label
            set key at screen 0.5, 0.465 center center
            set tmargin at screen 0.44
            set bmargin at screen 0.10
            set ylabel "GB/s of operands and results"
            plot for [f = 1:words(formats)] $rows using (only(f)):4 with boxes lt f notitle, \
                 $rows using (place($1, $2) - 0.43):5:(0.86):(0) with vectors nohead lw 2.5 \
                     lc rgb "black" title "what the memory streams, same reads and writes"
            unset multiplot
        } else {
            set label 2 "Storage formats: error of the result" at screen 0.5, 0.965 \
                center font ",20"
            set label 3 "bars: against the original data      dots: against the data as stored, the arithmetic alone" \
                at screen 0.5, 0.845 center noenhanced textcolor rgb "#444444"
            set key at screen 0.5, 0.89 center center horizontal samplen 1.2 width 1.5
            set tmargin at screen 0.81
            set bmargin at screen 0.10
            set ylabel "relative error"
            set logscale y
            set format y "10^{%T}"
            set yrange [least / 2:1]
            plot for [f = 1:words(formats)] $rows using (only(f)):(clip($6)) with boxes lt f \
                     title word(formats, f), \
                 $rows using (place($1, $2)):(clip($7)) with points pt 7 ps 1.1 lc rgb "black" notitle
            unset logscale y
            unset label
            set format y "%g"
        }
        unset output
    }
}
