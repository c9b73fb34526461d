# Plots of `steno bench` rows: speed.svg and .png, error.svg and .png. tools/demo.sh sets csv (the
# rows, whose last column is the name of a matrix file or empty), out (a folder) and machine (a title).
set datafile separator comma
set encoding utf8

# ---- what is in the file: kernels and formats, in order of appearance
kernels = ""; formats = ""; labels = ""
position(word_, list) = sum [i = 1:words(list)] (word(list, i) eq word_ ? i : 0)
size(n) = n >= 1e9 ? sprintf("%.3g G", n / 1e9) : n >= 1e6 ? sprintf("%.3g M", n / 1e6) : \
          n >= 1e3 ? sprintf("%.3g k", n / 1e3) : sprintf("%d", n)
key_of(kernel, file) = file eq "" ? kernel : kernel.":".file
note(kernel, format, n, file) = ( \
    key = key_of(kernel, file), \
    labels = position(key, kernels) ? labels : labels." \"".kernel."\\n".size(n)." ".(file eq "" ? \
        (kernel eq "gemv" ? "entries" : "elements") : "entries\\n".file)."\"", \
    kernels = position(key, kernels) ? kernels : kernels." ".key, \
    formats = position(format, formats) ? formats : formats." ".format, 1)
arith = "f64"
stats csv using (note(strcol(1), strcol(2), column(4), strcol(12)), arith = strcol(3), 1) \
    every ::1 nooutput

# ---- colours that colour-blind readers tell apart (Okabe and Ito, 2008)
set linetype 1 lc rgb "#7f7f7f"
set linetype 2 lc rgb "#0072b2"
set linetype 3 lc rgb "#56b4e9"
set linetype 4 lc rgb "#009e73"
set linetype 5 lc rgb "#e69f00"
set linetype 6 lc rgb "#d55e00"
set linetype 7 lc rgb "#cc79a7"
set linetype 8 lc rgb "#332288"

groups = words(kernels)
bars = words(formats)
pitch = bars + 1.6
at(k, f) = (k - 1) * pitch + f
is(f) = strcol(2) eq word(formats, f)
place(f) = at(position(key_of(strcol(1), strcol(12)), kernels), f)

set border 3 lc rgb "#444444"
set tics nomirror textcolor rgb "#222222"
set grid ytics lc rgb "#dddddd" lw 1
set style fill solid 1.0 noborder
set boxwidth 0.86
set xrange [0:groups * pitch]
set xtics ()
set for [k = 1:groups] xtics add (word(labels, k) at(k, (bars + 1) / 2.0)) scale 0

speed(terminal) = 0
do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 1200, 900 dynamic background "white" font "DejaVu Sans,15"
    } else {
        set terminal pngcairo size 1200, 900 background "white" font "DejaVu Sans,12"
    }

    # ---- speed: over f64, and the bandwidth reached beside what the memory streams
    set output out."/speed.".kind
    set multiplot
    set key horizontal center top outside samplen 1.2 spacing 1.2
    set lmargin 10; set rmargin 3
    set tmargin at screen 0.86; set bmargin at screen 0.56
    set title "Storage format and speed: ".machine.", arithmetic ".arith \
        font ",18" offset 0, 2.6
    set ylabel "times as fast as f64"
    set yrange [0:*]
    set format x ""
    plot for [f = 1:bars] csv every ::1 using (is(f) ? place(f) : NaN):9 with boxes lt f \
             title word(formats, f), \
         csv every ::1 using (place(position(strcol(2), formats))):9:(sprintf("%.1f", column(9))) \
             with labels font ",10" offset 0, 0.6 textcolor rgb "#222222" notitle
    unset title
    set tmargin at screen 0.48; set bmargin at screen 0.13
    set ylabel "GB/s moved"
    set format x "%s"
    unset key
    set key at screen 0.98, screen 0.515 right
    plot for [f = 1:bars] csv every ::1 using (is(f) ? place(f) : NaN):6 with boxes lt f notitle, \
         csv every ::1 using (place(position(strcol(2), formats))):7:(0.43) with xerrorbars \
             pt -1 ps 0 lw 2 lc rgb "black" title "what memory streams in the same mix"
    unset multiplot
    unset key

    # ---- error: of storing and computing, and of computing alone
    set output out."/error.".kind
    set tmargin at screen 0.80; set bmargin at screen 0.13
    set title "Storage format and relative error: ".machine.", arithmetic ".arith \
        font ",18" offset 0, 3.4
    set key horizontal center top outside samplen 1.2 spacing 1.3
    set ylabel "relative error of the result"
    set logscale y
    set format y "10^{%T}"
    set yrange [1e-17:1]
    plot for [f = 1:bars] csv every ::1 using (is(f) ? place(f) : NaN):(column(10) > 1e-17 ? \
             column(10) : 1.01e-17) with boxes lt f title word(formats, f), \
         csv every ::1 using (place(position(strcol(2), formats))):(column(11) > 1e-17 ? \
             column(11) : 1.3e-17) with points pt 7 ps 1.0 lc rgb "black" \
             title "of the arithmetic alone (below the axis: none)"
    unset logscale y
    set format y "%g"
    unset output
}
