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

# Every figure of a certificate is compared.
altered() { # altered CERTIFICATE KEY...: each key with another value; the last one missing, and as a list
    python3 - "$@" <<'XX'
import json, sys
for key in sys.argv[2:]:
    c = json.load(open(sys.argv[1]))
    value = c.pop(key)
    json.dump(c, open('missing.json', 'w'))
    json.dump(c | {key: [value]}, open('type.json', 'w'))
    json.dump(c | {key: 'x' + value if isinstance(value, str) else value * 10000 + 1}, open(key + '.wrong.json', 'w'))
XX
    local key
    for key in "${@:2}"; do
        refused "$key is" "$steno" advise "$key.wrong.json"
    done
    refused "\"$key\" is missing" "$steno" advise missing.json
    refused "\"$key\" has another type" "$steno" advise type.json
}
altered array.json elements max_error rms_error bytes
sed 's/"bytes"/"unknown": 1, "bytes"/' array.json >wrong.json
refused 'the key "unknown" is unknown' "$steno" advise wrong.json
sed 's/a.npy/absent.npy/' array.json >wrong.json
refused "cannot open absent.npy: No such file" "$steno" advise wrong.json
for option in --target=max=1 --prefer=bytes --codec=lzw --rhs=a.npy --memory=1 --condition --product --vector=a.npy --sum \
    --certificate=z.json --json=z.json; do
    refused "applies to" "$steno" advise array.json "$option"
done
holds "no other certificate" test ! -e z.json
sed 's/a.npy/zeros.npy/' array.json >wrong.json
refused "is not the file that was certified" "$steno" advise wrong.json
sed 's/relative-rms=1e-4/relative-rms=1e-12/' array.json >wrong.json
refused "misses the target" "$steno" advise wrong.json
echo '{"certificate": "other"}' >wrong.json
refused '"file" is missing; it must be a text' "$steno" advise wrong.json
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
altered solve.json residual backward_error method restart orthogonalization matrix_format basis_format preconditioner_format \
    promotions solution_checksum iterations
sed 's/"advised_method": "/"advised_method": "x/' solve.json >wrong.json
refused "no method is called 'x" "$steno" advise wrong.json
succeeds "$steno" advise a.mtx --memory 80000 --csv -
holds "methods within the limit" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "bytes") at = k } NR > 1 && $(NF - 22 + at) + 0 > 80000 { bad = 1 } END { exit bad }' out
refused "every method needs more than 1000 bytes; the least number is " "$steno" advise a.mtx --memory 1000
succeeds "$steno" advise a.mtx --memory 80000 --certificate limited.json
holds "--verify is not proposed" test "$(grep -c -e '--verify' out)" = 0
succeeds "$steno" advise limited.json
sed 's/"memory": 80000/"memory": 1000/' limited.json >wrong.json
refused "every method needs more than 1000 bytes" "$steno" advise wrong.json
python3 - <<'XX'
import struct, array
head = "{'descr': '<f8', 'fortran_order': False, 'shape': (512,), }"
head += ' ' * (63 - (len(head) + 10) % 64) + '\n'
open('b.npy', 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + array.array('d', range(512)).tobytes())
XX
succeeds "$steno" advise a.mtx --target 1e-6 --rhs b.npy --verify --certificate rhs.json
succeeds "$steno" advise rhs.json
sed 's/"rhs_checksum": "./"rhs_checksum": "g/' rhs.json >wrong.json
refused "the right-hand side b.npy is not the file that was certified" "$steno" advise wrong.json
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
for target in 2 0 relative-max=1e-6 1e-6x; do
    refused "'$target' must be a relative residual" "$steno" advise a.mtx --target "$target"
done
refused "--verify applies to linear systems, products (--product), certificates, not to arrays" "$steno" advise a.npy --verify
refused "--prefer applies to arrays, not to linear systems" "$steno" advise a.mtx --prefer speed
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
altered solve.json forward_error_estimate
sed '/"condition_estimate"/d' solve.json >wrong.json
refused '"condition_estimate" is missing' "$steno" advise wrong.json
python3 - <<'XX'
import json
c = json.load(open('solve.json'))
c['condition_estimate'] *= 1000
q = c['backward_error'] * c['condition_estimate']
c['forward_error_estimate'] = 2 * q / (1 - q)
json.dump(c, open('wrong.json', 'w'))
XX
refused "condition_estimate is about" "$steno" advise wrong.json
matrix() { # matrix N VALUE...: a full matrix of N rows
    printf '%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n' "$1" "$1" $(($1 * $1))
    for ((k = 2; k <= $#; k++)); do
        echo $(((k - 2) / $1 + 1)) $(((k - 2) % $1 + 1)) "${!k}"
    done
}
matrix 2 1 2 2 4 >singular.mtx
returns 1 "$steno" advise singular.mtx --verify --condition --certificate solve.json
says "singular.mtx is singular or nearly so" err
says "backward error"
holds "the older certificate" grep -q '"file": "a.mtx"' solve.json
matrix 2 1.7e308 1.7e308 1.7e308 1.7e308 >huge.mtx
refused "overflow: its largest entry is 1.7e+308" "$steno" advise huge.mtx

# ---- a promoted solve is certified with the method that solved; one that fails is not certified

# Restarts of GMRES and BiCGStab stagnate for a cyclic permutation and a unit vector.
{
    printf '%%%%MatrixMarket matrix coordinate real general\n150 150 150\n'
    for ((k = 1; k <= 150; k++)); do echo "$k $((k % 150 + 1)) 1"; done
} >cycle.mtx
{ printf '%%%%MatrixMarket matrix array real general\n150 1\n1\n' && yes 0 | head -n 149; } >unit.mtx
succeeds "$steno" advise cycle.mtx --rhs unit.mtx --certificate promoted.json
says "the guard changed the method to"
python3 - <<'XX' || fail "the method that solved"
import json
c = json.load(open('promoted.json'))
assert c['promotions'] > 0 and c['method'] != c['advised_method']
XX
succeeds "$steno" advise promoted.json
cp promoted.json kept.json
printf '%%%%MatrixMarket matrix array real general\n2 1\n1\n1\n' >inconsistent.mtx
returns 1 "$steno" advise singular.mtx --rhs inconsistent.mtx --memory 100000 --certificate promoted.json
says "more than the target 1e-10; " err
says "--memory limits all methods to 100000 bytes" err
holds "a failed solve keeps the older certificate" cmp -s promoted.json kept.json
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
altered product.cert.json matrix_scale vector_scale relative_bound max_error product_checksum bytes
sed 's/"vector_checksum": "./"vector_checksum": "g/' product.cert.json >wrong.json
refused "the vector b.npy is not the file that was certified" "$steno" advise wrong.json
sed 's/"matrix_format": "[a-z0-9]*"/"matrix_format": "e5m2"/' product.cert.json >wrong.json
refused "misses the target" "$steno" advise wrong.json
"$steno" advise a.mtx --product --target max=1e-20 >out 2>err && fail "a target that no format meets"
holds "the reason" grep -q "no formats of matrix and vector meet the target" err
refused "bounds the largest error" "$steno" advise a.mtx --product --target rms=1e-3
refused "is no vector of 512 elements" "$steno" advise a.mtx --product --vector a.npy
refused "--vector applies to products (--product), not to linear systems" "$steno" advise a.mtx --vector b.npy
refused "--memory applies to linear systems, not to products" "$steno" advise a.mtx --product --memory 1000
finish
