# awk -F, -v name=MATRIX -v processor=NAME -f plot.awk KERNELS.csv MATRIX.csv: the rows of `steno bench`
# as the gnuplot script that plot.gp continues.
FNR == 1 {
    file++
    for (k = 1; k <= NF; k++)
        at[$k] = k
    next
}

# The label of a group of bars; rows of the second file belong to the matrix.
function label(n, things) {
    n = $at["n"]
    things = $at["kernel"] ~ /v$/ ? " entries" : " elements"
    n = n >= 1e6 ? sprintf("%.1f million", n / 1e6) : n
    return $at["kernel"] "\\n" n things (file > 1 ? "\\n" name : "")
}

{
    if (file " " $at["kernel"] != last) {
        last = file " " $at["kernel"]
        labels[++groups] = label()
    }
    if (!($at["format"] in number)) {
        number[$at["format"]] = ++formats
        names = names (formats > 1 ? " " : "") $at["format"]
    }
    threads = $at["threads"] ($at["threads"] == 1 ? " thread" : " threads")
    title = (processor ? processor ", " : "") threads ", arithmetic " $at["arith"]
    row[++rows] = groups " " number[$at["format"]] " " $at["speedup_vs_f64"] " " $at["gbps"] " " \
        $at["stream_gbps"] " " $at["error"] " " $at["error_stored"]
}

END {
    printf "machine = \"%s\"\nformats = \"%s\"\n", title, names
    printf "groups = %d\npitch = %g\nset xtics ()\n", groups, formats + 1.6
    for (k = 1; k <= groups; k++)
        printf "set xtics add (\"%s\" %g)\n", labels[k], (k - 1) * (formats + 1.6) + (formats + 1) / 2
    print "$rows << END"
    for (k = 1; k <= rows; k++)
        print row[k]
    print "END"
}
