#!/usr/bin/env bash
# steno pack and unpack: arrays of every type, order and rank come back; tables; refusals of hostile NPY files.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
needs "$steno" python3
"$steno" help | grep -q '^  pack ' || skip "the command has no pack"

cat >make.py <<'XX'
import struct, sys
def npy(path, descr, order, shape, data, header=None):
    text = header or "{'descr': %r, 'fortran_order': %r, 'shape': %r, }" % (descr, order, shape)
    text += ' ' * (63 - (10 + len(text)) % 64) + '\n'
    open(path, 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(text)) + text.encode('latin1') + data)
def elements(count, size):
    return bytes((k * 7 + k // 13) % 251 & (0x3f if k % size == size - 1 else 0xff) for k in range(count * size))
XX
cat >arrays.py <<'XX'
from make import *
for descr, size in (('<f8', 8), ('<f4', 4), ('<f2', 2), ('<c16', 16), ('<c8', 8), ('|i1', 1), ('<i2', 2), ('<i4', 4), ('<i8', 8),
                    ('|u1', 1), ('<u2', 2), ('<u4', 4), ('<u8', 8)):
    npy(descr[1:] + '.npy', descr, False, (7, 30), elements(210, size))
for shape in ((), (1,), (0,), (13,), (3, 0), (4, 5, 6), (2, 3, 4, 5), (1, 2, 1, 2, 1, 2, 1, 2)):
    count = 1
    for extent in shape:
        count *= extent
    npy('rank%d_%d.npy' % (len(shape), count), '<f4', False, shape, elements(count, 4))
npy('fortran.npy', '<f8', True, (7, 30), elements(210, 8))
XX
python3 arrays.py || fail "arrays"

for file in *.npy; do
    succeeds "$steno" pack "$file" --codec shuffle+lzw
    [ -e "${file%.npy}.sta" ] || fail "$file: no archive"
    succeeds "$steno" unpack "${file%.npy}.sta" -o back.out
    [ "$file" = fortran.npy ] || python3 - "$file" <<'XX' || fail "$file does not come back"
import ast, struct, sys
def read(path):
    text = open(path, 'rb').read()
    length = struct.unpack('<H', text[8:10])[0]
    return ast.literal_eval(text[10:10 + length].decode()), (10 + length) % 64, text[10 + length:]
assert read(sys.argv[1]) == read('back.out')
XX
done
succeeds "$steno" unpack fortran.sta -o c_order.npy
python3 - <<'XX' || fail "Fortran order"
a, b = (open(name, 'rb').read()[-1680:] for name in ('fortran.npy', 'c_order.npy'))
assert all(a[8 * (i + 7 * j):][:8] == b[8 * (30 * i + j):][:8] for i in range(7) for j in range(30))
XX

# ---- an array that is processed in parts

python3 - <<'XX' || fail "a long array"
from make import *
rows, columns = 5000, 8192
npy('long.npy', '|i1', False, (rows, columns), b'')
with open('long.npy', 'r+b') as file:
    begin = file.seek(0, 2)
    for row in (0, 17, 2500, 4096, rows - 1):
        file.seek(begin + row * columns + row)
        file.write(bytes([row % 127 + 1]))
    file.truncate(begin + rows * columns)
XX
succeeds "$steno" pack long.npy --codec lzw --block 3x8192
succeeds "$steno" unpack long.sta -o back.npy
cmp long.npy back.npy || fail "a long array does not come back"

# ---- files are written completely or not at all, also by a process that is killed

partial_files() { find . -name '*.part'; }
rm back.npy
for ending in KILL TERM; do
    "$steno" unpack long.sta -o back.npy &
    killed=$!
    for attempt in $(seq 200); do
        ls -l /proc/$killed/fd 2>/dev/null | grep -q "$PWD" && break
        sleep 0.005
    done
    kill -$ending $killed 2>/dev/null
    wait $killed 2>/dev/null || [ ! -e back.npy ] || fail "an interrupted unpack left a file"
    [ -z "$(partial_files)" ] || fail "an interrupted unpack left $(partial_files)"
    rm -f back.npy
done
ln -s target.npy link.npy
echo old >target.npy
succeeds "$steno" unpack long.sta -o link.npy
[ -L link.npy ] || fail "a symbolic link was replaced"
cmp long.npy target.npy || fail "the target of a symbolic link was not written"
mkdir closed && chmod 555 closed
[ "$(id -u)" = 0 ] || refused "cannot write closed/a.npy: Permission denied" "$steno" unpack long.sta -o closed/a.npy
(
    sanitized || ulimit -v 300000
    succeeds "$steno" unpack long.sta -o limited.npy --exec threads:threads=1
    succeeds "$steno" pack long.npy -o limited.sta --exec threads:threads=1
    exit $failures
) || fail "little memory"
cmp long.npy limited.npy || fail "an array with little memory"
(
    ulimit -f 20000
    trap '' XFSZ
    refused "cannot be written: File too large" "$steno" unpack long.sta -o full.npy
    exit $failures
) || fail "a full disk"
[ ! -e full.npy ] && [ -z "$(partial_files)" ] || fail "a full disk left a file"
rm long.npy link.npy target.npy limited.npy

# ---- tables

succeeds "$steno" pack f8.npy --codec none --codec shuffle+lzw --codec sz:error=0.5
says "f8.npy: f64, 7 x 30, 1680 bytes"
says "sz:error=0.5"
succeeds "$steno" pack f8.npy --codec none --codec lzw --json rows.json --exec threads:threads=1
python3 - <<'XX' || fail "rows.json: $(cat rows.json)"
import json
rows = [json.loads(line) for line in open('rows.json')]
assert [row['codec'] for row in rows] == ['none', 'lzw']
for row in rows:
    assert row['array_bytes'] == 1680 and row['threads'] == 1 and row['error'] == 0
    assert row['encode_gbps'] > 0 and row['decode_gbps'] > 0 and abs(row['compression_ratio'] * row['bytes'] - 1680) < 1e-3
XX
succeeds "$steno" pack f8.npy --codec none --csv -
says "file,codec,format,threads"
succeeds "$steno" pack f8.npy --codec lzw --block 3x4 -o small.sta
succeeds "$steno" unpack small.sta --output small.npy
tail -c 1680 small.npy | cmp -s - <(tail -c 1680 f8.npy) || fail "blocks of 3x4"
if has gnuplot; then
    succeeds "$SOURCE_DIR/tools/steno-plot" rows.json --output rows.svg
    grep -q 'GB/s' rows.svg && grep -q 'lzw' rows.svg || fail "the picture"
fi

# ---- refusals

refused "requires a file" "$steno" pack
refused "cannot open missing.npy" "$steno" pack missing.npy
refused "codec 'zip': codec 'zip' is unknown" "$steno" pack f8.npy --codec zip
refused "does not have 2 extents" "$steno" pack f8.npy --block 3
refused "-o requires a single --codec" "$steno" pack f8.npy --codec none --codec lzw -o a.sta
refused "is not an archive" "$steno" unpack f8.npy
refused "unexpected argument 'b'" "$steno" unpack a b
head -c 300 f8.sta >short.sta
refused "bytes instead of" "$steno" unpack short.sta

cat >hostile.py <<'XX'
from make import *
import sys
good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"
for number, (words, text) in enumerate((
        ("the NPY header is malformed: it is not a dictionary", "['descr']"),
        ("a key is missing", good.replace("'shape': (2, 3), ", "")),
        ("occurs twice", good.replace("'shape'", "'descr'")),
        ("a key is unknown", good.replace("'shape'", "'form'")),
        ("text follows", good + "x"),
        ("shape is not a tuple", good.replace("(2, 3)", "[2, 3]")),
        ("an extent is missing or negative", good.replace("2, 3", "-2, 3")),
        ("an extent exceeds 64 bits", good.replace("2, 3", "99999999999999999999, 3")),
        ("exceeds the address space", good.replace("2, 3", "9223372036854775807, 3")),
        ("48 bytes of elements instead of", good.replace("2, 3", "2, 4")),
        ("48 bytes of elements instead of", good.replace("2, 3", "1099511627776, 1099")),
        ("a comma is missing", good.replace("2, 3", "2")),
        ("a comma is missing", good.replace("False,", "False")),
        ("more than 8 dimensions", good.replace("2, 3", "1, 1, 1, 1, 1, 1, 1, 2, 3")),
        ("neither True nor False", good.replace("False", "Maybe")),
        ("type '>f8' is not supported", good.replace("<", ">")),
        ("type '<U5' is not supported", good.replace("<f8", "<U5")),
        ("records are not supported", good.replace("'<f8'", "[('a', '<f8')]")),
        ("a string is too long or not closed", "{'fortran_order"))):
    npy('hostile%d.npy' % number, None, None, None, bytes(48), text)
    print('hostile%d.npy:%s' % (number, words))
open('magic.npy', 'wb').write(b'NUMPY' * 20)
open('empty.npy', 'wb')
open('version.npy', 'wb').write(b'\x93NUMPY\x07\x00' + bytes(100))
open('length.npy', 'wb').write(b'\x93NUMPY\x01\x00\xff\xff' + bytes(100))
print('magic.npy:not an NPY file\nempty.npy:the file is empty\nversion.npy:NPY version 7.0\nlength.npy:exceeds the file')
XX
python3 hostile.py >hostile.txt || fail "hostile files"
while IFS=: read -r file words; do
    refused "$words" "$steno" pack "$file"
done <hostile.txt
finish
