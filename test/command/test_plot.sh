#!/usr/bin/env bash
# steno-plot draws what the command writes: every figure is sound XML with the series and values of its rows, names are
# escaped, pages are complete, and the pictures of the manual are those that tools/pictures.sh draws.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno" gnuplot python3
plot=$SOURCE_DIR/tools/steno-plot

texts() { # texts FILE: the texts of a picture, one a line
    python3 - "$1" <<'XX' || fail "$1 is no sound picture"
import sys, xml.etree.ElementTree
root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
assert root.tag == "{http://www.w3.org/2000/svg}svg"
print(root.find("{*}title").text)
for text in root.iter("{http://www.w3.org/2000/svg}text"):
    print(" ".join("".join(text.itertext()).split()))
XX
}

draws() { # draws TEXT,... FILE...: the picture contains each of these complete texts
    local words
    IFS=, read -ra words <<<"$1" # with @ for commas in a text
    shift
    succeeds "$plot" "$@" --output picture.svg
    [ -z "$(find . -name '*.part')" ] || fail "a temporary file of $*"
    texts picture.svg >shown
    for word in "${words[@]}"; do
        grep -qxF -- "${word//@/,}" shown || fail "$*: no '$word' in: $(cat shown)"
    done
}

lacks() { # lacks TEXT: the last picture does not have it
    ! grep -qxF -- "$1" shown || fail "'$1' is in the picture"
}

# ---- real rows, with a name of a file that needs quotes everywhere

name=$'a&<b>"c%s\'d\n&#0;`date`.mtx'
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 2 2\n1 2 1\n' >"$name"
"$steno" bench axpy,gemv --size 1000 --repeat 1 --format f64,f16 --json kernels.json >/dev/null || fail "bench"
"$steno" bench --matrix "$name" --repeat 1 --format f64,bf16 --csv matrix.csv >/dev/null || fail "bench --matrix"
draws "axpy,gemv,spmv,f64,f16,bf16,streaming,as stored,relative error,a&<b>\"c%s'd &#0;\`date\`.mtx" kernels.json matrix.csv
draws "f64,f16,bf16,times as fast as f64" --panel times kernels.json matrix.csv
expect "bars of six rows, and three of the legend" "$(grep -c '<polygon' picture.svg)" 9
draws "relative error,as stored,0" --panel "relative error" kernels.json matrix.csv
lacks streaming
succeeds "$plot" kernels.json matrix.csv --title "$name" --output page.html
python3 - "$name" <<'XX' || fail "page.html"
import base64, csv, html.parser, json, re, sys, xml.etree.ElementTree
class Page(html.parser.HTMLParser):
    cells, open = [], []
    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "link", "iframe") and not dict(attributes).get("href")
        if tag == "img":
            picture = dict(attributes)["src"].split("base64,")[1]
            xml.etree.ElementTree.fromstring(base64.b64decode(picture))
        if tag not in ("meta", "img"):
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")
    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag
    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.cells[-1] += data
text = open("page.html", encoding="utf-8").read()
page = Page()
page.feed(text)
assert not page.open and text.count("<img") == 1
rows = [json.loads(line) for line in open("kernels.json")] + list(csv.DictReader(open("matrix.csv", newline="")))
for row in rows:
    for value in row.values():
        assert re.sub(r"\s", " ", str(value)) in page.cells, value
assert "<title>a&amp;&lt;b&gt;" in text
XX

# ---- the other kinds

"${CC:-cc}" -shared -fPIC -O1 -DWRONG=1 -o 'right&<.so' "$SOURCE_DIR/test/versus/blas.c" || exit 77
libraries=(--alone --blas './right&<.so' --repeat 1)
"$steno" bench versus dot,gemv "${libraries[@]}" --size 8,16 --threads 1 --json versus.json >/dev/null || fail "versus"
draws "dot@ 1 thread,gemv@ 1 thread,right&<.so@ f32/f64,2^4" versus.json
"$steno" bench report dot "${libraries[@]}" --size 8,16 --threads 1 --csv report.csv >/dev/null || fail "report"
draws "time of dot,Gflop/s of dot,error of dot,error of the arithmetic of dot,f64/f64,e4m3/f32,right&<.so f32" report.csv
"$steno" solve --size 4 --basis f64,f16 --threads 1 --repeat 1 --history history.csv >/dev/null || fail "solve"
draws "f64,f16,iterations,|b - A x| / |b|,1e-8" history.csv
printf '%s\n' basis,iteration,residual f64,1,0 >zero.csv
draws "f64,0" zero.csv

# Cells: one number for each element, gray outside the stored triangle, and the line in memory order.
"$steno" view --extents 3x3 --layout packed:upper --csv cells.csv >/dev/null || fail "view"
draws "extents 3x3@ layout packed:upper@ span 6" cells.csv
expect "numbers of cells" "$(tail -n +2 shown | grep -E '^[0-9]+$' | sort -n | xargs)" "0 0 0 1 1 1 1 2 2 2 2 3 4 4 5"
corners() { # corners FILE: of the line in memory order
    python3 -c 'import re, sys
line = re.search(r"rgb\(204[^>]*? d=.M([^>]*?)./>", open(sys.argv[1]).read(), re.DOTALL).group(1)
print(*line.replace("L", " ").split())' "$1"
}
expect "the line joins the stored elements" "$(corners picture.svg | wc -w)" 6
"$steno" view --extents 2x2 --layout left --json - | "$plot" --output left.svg || fail "the standard input"
"$steno" view --extents 2x2 --layout right --json - | "$plot" --output - >right.svg || fail "the standard output"
expect "the line of layout left" "$(corners left.svg | awk '{ print $1, $3, $2, $4 }')" "$(corners right.svg)"

# ---- formats of output

"$plot" history.csv >text 2>err || fail "text: $(cat err)"
grep -q 'iterations' text && grep -qF '|b - A x| / |b|' text || fail "text: $(cat text)"
for kind in png pdf; do
    succeeds "$plot" history.csv -o picture.$kind
    head -c 8 picture.$kind | grep -qa "$([ $kind = png ] && echo PNG || echo %PDF)" || fail "picture.$kind"
done

# ---- refusals

refuses() { # refuses WORDS ARGUMENTS...: one sentence, and no file
    local words=$1
    shift
    returns 1 "$plot" "$@"
    { [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^steno-plot: ' err; } || fail "$*: prints $(cat out err)"
    says "$words" err
}
echo old >old.svg
refuses "cannot read absent.csv: No such file" absent.csv -o old.svg
refuses "must end in .svg" history.csv -o picture.gif
refuses "cannot write absent/x.svg" history.csv -o absent/x.svg
refuses "option --nothing not recognized" --nothing
refuses "there are no rows" /dev/null -o old.svg
refuses "no rows of a known kind" "$name" -o old.svg
refuses "there is nothing to draw" history.csv --panel "no such panel" -o old.svg
printf '{"iteration": 1}\n' >lacking.json
refuses "these are not rows of steno solve" lacking.json
printf '{"iteration": 1\n' >broken.json
refuses "broken.json is neither JSON" broken.json
expect "a refused run leaves the file" "$(cat old.svg)" old
mkdir empty
python=$(python3 -c 'import sys; print(sys.executable)')
PATH=$PWD/empty returns 1 "$python" "$plot" history.csv
says "gnuplot is required: install the package gnuplot-nox" err

# ---- the manual

mkdir pictures
# Without those of alignment.md, which test_contract_alignment draws.
STENO_NVRTC=absent.so bash "$SOURCE_DIR/tools/pictures.sh" "$steno" pictures || fail "pictures.sh"
for picture in right left tiled morton; do
    cmp -s <(grep '<text>' pictures/$picture.svg) <(grep '<text>' "$SOURCE_DIR/doc/pictures/$picture.svg") ||
        fail "doc/pictures/$picture.svg is not what make pictures draws"
done

finish
