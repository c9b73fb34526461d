#!/usr/bin/env bash
# steno advise: targets are met by exact errors, fewest bytes, codecs, JSON and plot, refusals.
source "$(dirname "$0")/../support/test.sh"
steno=${STENO:?the command}
needs "$steno" python3

python3 - <<'XX'
import array, math, struct
values = array.array('d', (math.sin(k / 300) * math.exp(-k / 9000) * 37 + 1e-9 * (k * 7919 % 1001) for k in range(6000)))
for name, shape, data in (('a.npy', '(60, 100)', values), ('zeros.npy', '(32,)', array.array('d', [0.0] * 32))):
    head = "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }" % shape
    head += ' ' * (63 - (len(head) + 10) % 64) + '\n'
    open(name, 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + data.tobytes())
XX

"$steno" help | grep -q '^ *pack ' || { echo "skipped: the command was built without codecs"; exit 77; }

rows() { # rows OPTION...: JSON rows in rows.json
    succeeds "$steno" advise a.npy --json rows.json "$@"
}

check() { # check KEY TARGET: the marked row meets the target, and no other one with fewer bytes does
    python3 - "$1" "$2" <<'XX' || fail "$1 $2"
import json, math, sys
key, target = sys.argv[1], float(sys.argv[2])
rows = [json.loads(line) for line in open('rows.json')]
best, = (row for row in rows if row['is_best'])
met = [row for row in rows if row[key] is not None and row[key] <= target]
assert best in met and best['bytes'] == min(row['bytes'] for row in met)
assert all(row['meets_target'] == (row in met) for row in rows)
assert len({row['format'] for row in rows}) > 10 and any(':32' in row['storage'] for row in rows)
assert any('sz:' in row['storage'] or 'shuffle' in row['storage'] for row in rows)
assert all(row['read_gbps'] > 0 for row in rows)
XX
}

rows --target rms=1e-4
check rms_error 1e-4
holds "the table marks the advice" grep -q '^\* ' out
holds "the advice" grep -q '^advice: ' out
rows --target relative-max=1e-7
check max_relative 1e-7
rows
check max_error 0
rows --target max=0.5 --codec none --codec shuffle+lzw
holds "the codecs that were requested" test "$(grep -c '"none"\|shuffle+lzw"' rows.json)" = 2
succeeds "$steno" advise a.npy --target relative-rms=1e-3 --prefer speed --csv -
holds "CSV without a table" grep -q '^file,storage,' out
succeeds "$steno" advise zeros.npy
holds "zeros need one byte" grep -q 'advice: .* 8.00 bits\|advice: .* [0-7]\.[0-9]* bits' out
succeeds "$steno" pack a.npy -o a.sta
succeeds "$steno" advise a.sta --target rms=1e-3
holds "archives" grep -q '6000 elements' out
if command -v gnuplot >/dev/null; then
    succeeds "$SOURCE_DIR/tools/steno-plot" rows.json --output picture.svg
    holds "a picture with the advice" grep -q advice picture.svg
fi
for target in 1e-3 rms rms= rms=x max=-1 other=1; do
    refused "target '$target' must be" "$steno" advise a.npy --target "$target"
done

# ---- certificates of arrays

succeeds "$steno" advise a.npy --target relative-rms=1e-4 --certificate array.json
succeeds "$steno" advise --verify array.json
holds "the certified errors" grep -q 'as certified' out
succeeds "$steno" advise a.npy --target max=0.01 --codec shuffle+lzw --certificate codec.json
succeeds "$steno" advise codec.json
sed 's/"rms_error": /"rms_error": 1/' array.json >wrong.json
refused "rms_error is" "$steno" advise wrong.json
sed 's/a.npy/zeros.npy/' array.json >wrong.json
refused "is not the file that was certified" "$steno" advise wrong.json
sed 's/relative-rms=1e-4/relative-rms=1e-12/' array.json >wrong.json
refused "misses the target" "$steno" advise wrong.json
echo '{"certificate": "other"}' >wrong.json
refused 'the text "file" is missing' "$steno" advise wrong.json
echo '{' >wrong.json
refused "is no certificate" "$steno" advise wrong.json

# ---- linear systems

succeeds "$steno" matrix convection --size 8 --output a.mtx
succeeds "$steno" advise a.mtx --verify --json system.json --certificate solve.json
holds "the advice" grep -q '^advice: [A-Z]' out
python3 - <<'XX' || fail "a system"
import json
rows = [json.loads(line) for line in open('system.json')]
assert rows[0]['residual'] <= 1e-10 and rows[0]['backward_error'] < 1e-10 and rows[0]['seconds'] > 0
assert rows[1]['residual'] is None and len(rows) > 5
assert all(a['predicted_seconds'] <= b['predicted_seconds'] for a, b in zip(rows, rows[1:]))
XX
succeeds "$steno" advise solve.json --exec threads:threads=1
holds "the same bits" grep -q 'the same bits' out
sed 's/"target": 1e-10/"target": 1e-12/; s/"target": [0-9.e-]*/"target": 1e-12/' solve.json >wrong.json
refused "as certified" "$steno" advise wrong.json
sed 's/"solution_checksum": "./"solution_checksum": "g/' solve.json >wrong.json
refused "the solution has the checksum" "$steno" advise wrong.json
sed 's/"method": "/"method": "x/' solve.json >wrong.json
refused "no method is called 'x" "$steno" advise wrong.json
succeeds "$steno" advise a.mtx --memory 80000 --csv -
holds "methods within the limit" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "bytes") at = k } NR > 1 && $(NF - 21 + at) + 0 > 80000 { bad = 1 } END { exit bad }' out
refused "every method needs more than" "$steno" advise a.mtx --memory 1000
python3 - <<'XX'
import struct, array
head = "{'descr': '<f8', 'fortran_order': False, 'shape': (512,), }"
head += ' ' * (63 - (len(head) + 10) % 64) + '\n'
open('b.npy', 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + array.array('d', range(512)).tobytes())
XX
succeeds "$steno" advise a.mtx --target 1e-6 --rhs b.npy --verify
refused "is no vector of 512 elements" "$steno" advise a.mtx --rhs a.npy
notes() { # notes TEXT ARGUMENT...: `steno advise` succeeds with this note
    "$steno" advise "${@:2}" >out 2>err || fail "advise ${*:2}: $(cat err)"
    says "$1" err
}
sed '5s/$/ % a comment/' a.mtx >loose.mtx
refused "--lenient accepts trailing comments" "$steno" advise loose.mtx
notes "1 comment at the end of a line" loose.mtx --lenient --certificate loose.json
notes "1 comment at the end of a line" loose.json
holds "a certificate with the option" grep -q 'the same bits' out
sed '2s/3200/3201/; s/^1 1 .*/&\n1 1 0.5/' a.mtx >twice.mtx
refused "--sum" "$steno" advise twice.mtx --product
notes "1 of 3201 entries" twice.mtx --product --sum --certificate twice.json
notes "1 of 3201 entries" twice.json
refused "must be a relative residual" "$steno" advise a.mtx --target 2
refused "apply to sparse matrices" "$steno" advise a.npy --verify
refused "must be bytes or speed" "$steno" advise a.npy --prefer time
refused "requires a file" "$steno" advise
refused "unexpected argument" "$steno" advise a.npy b.npy
refused "unknown" "$steno" advise a.npy --codec frob

# ---- condition estimates, marked as such

succeeds "$steno" advise a.mtx --verify --condition --json system.json --certificate solve.json
holds "estimates are marked" grep -q '^estimated: condition number .*, forward error' out
python3 - <<'XX' || fail "estimates"
import json
rows = [json.loads(line) for line in open('system.json')]
c, e = json.load(open('solve.json')), rows[0]
assert 1 < e['condition_estimate'] < 1000 and rows[1]['condition_estimate'] is None
q = e['backward_error'] * e['condition_estimate']
assert abs(e['forward_error_estimate'] - 2 * q / (1 - q)) < 1e-6 * q
assert abs(c['condition_estimate'] - e['condition_estimate']) < 1e-6 * e['condition_estimate']
assert 'forward_error_estimate' in c and not any(k in ('condition', 'forward_error') for k in c)
XX
succeeds "$steno" advise solve.json
holds "the estimate again" grep -q 'estimated again: condition number' out
sed 's/"condition_estimate": /"condition_estimate": 1000/' solve.json >wrong.json
refused "condition_estimate is about" "$steno" advise wrong.json
refused "requires --verify or --certificate" "$steno" advise a.mtx --condition

# ---- products

succeeds "$steno" advise a.mtx --product --target relative-max=1e-5 --vector b.npy --verify --json product.json --certificate product.cert.json
holds "bounds hold" grep -q 'the error of each element is within its bound' out
python3 - <<'XX' || fail "a product"
import json
rows = [json.loads(line) for line in open('product.json')]
best, = (row for row in rows if row['is_best'])
met = [row for row in rows if row['relative_bound'] <= 1e-5]
assert best in met and best['bytes'] == min(row['bytes'] for row in met)
assert 0 < best['max_error'] <= best['max_bound'] and len(rows) > 50
assert all(row['meets_target'] == (row in met) for row in rows)
XX
succeeds "$steno" advise --verify product.cert.json --exec threads:threads=1
holds "the same product" grep -q 'as certified, and the same bits' out
sed 's/"max_bound": [0-9]/"max_bound": 9/' product.cert.json >wrong.json
refused "max_bound is" "$steno" advise wrong.json
sed 's/"product_checksum": "./"product_checksum": "g/' product.cert.json >wrong.json
refused "the product has the checksum" "$steno" advise wrong.json
sed 's/"matrix_format": "[a-z0-9]*"/"matrix_format": "e5m2"/' product.cert.json >wrong.json
refused "misses the target" "$steno" advise wrong.json
"$steno" advise a.mtx --product --target max=1e-20 >out 2>err && fail "a target that no format meets"
holds "the reason" grep -q "no formats of matrix and vector meet the target" err
refused "bounds the largest error" "$steno" advise a.mtx --product --target rms=1e-3
refused "is no vector of 512 elements" "$steno" advise a.mtx --product --vector a.npy
refused "requires --product" "$steno" advise a.mtx --vector b.npy
refused "not to products" "$steno" advise a.mtx --product --memory 1000
finish
