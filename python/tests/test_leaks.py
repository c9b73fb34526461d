"""A short run under valgrind: no memory of the extension is lost, and none is read or written out of bounds."""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

PROGRAM = """
import gc, pickle
import numpy as np, steno

x = np.linspace(-1, 1, 60)

def refused(call):
    try:
        call()
    except (TypeError, ValueError, RuntimeError):
        return
    raise AssertionError(call)

def fail(*arguments):
    raise RuntimeError

def work():
    for name in ("f16", "bf16", "i16", "i16:row", "mxfp4", "c64"):
        a = steno.asarray(x, name)
        a + 1, a @ x, a.sum(), a[32:].copy(), repr(a), a.codes, a.scales, pickle.loads(pickle.dumps(a))
    b = steno.array(x, "f32")
    b[::2] = 3
    memoryview(b), np.from_dlpack(b), b[[1, 2]], np.divmod(b, b + 5), b < 1, np.exp(b, out=b), b.T, b.reshape(6, 10)
    s = steno.sparse.csr(np.diag(x + 3) + np.eye(60, k=1), "f16")
    s.convert("sliced") @ x, s.T @ x, s.optimize(1, kind="sliced"), s.to_scipy, s.toarray(), s.data
    steno.sparse.csr(np.diag(x + 3), "i16:row").convert("coo").convert("ell") @ x
    m = steno.linalg.ilu(s, "f16")
    steno.linalg.gmres(s, x, basis="i16", preconditioner=m, callback=lambda progress: None)
    steno.kernel("y = 2 * x")(x), steno.reduction("a * a", "sum")(b), steno.blas.dot(b, x)
    refused(lambda: s @ x[:3])
    refused(lambda: steno.asarray(["a"]))
    refused(lambda: steno.zeros(3) + steno.zeros(4))
    refused(lambda: steno.asarray(np.ma.masked_equal(x, x[3]), "f16"))
    refused(lambda: steno.kernel("y = z +"))
    refused(lambda: steno.linalg.cg(s, x, callback=fail))
    refused(lambda: steno.sparse.csr((x[:2], [0, 9], [0, 2]), shape=(1, 3)))

work()
gc.collect()
"""

# Executors without owner. (Arrays are in the list of the garbage collector.)
LEAK = """
import ctypes, steno
for k in range(9):
    e = steno.executor("reference")
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(e))
del e
"""


def errors_of(program):
    """What valgrind reports about calls of the extension: the kind of each error and its functions."""
    directory = os.environ.get("TMPDIR", "/tmp")
    report = os.path.join(directory, f"valgrind.{os.getpid()}.xml")
    command = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=definite", "--xml=yes", f"--xml-file={report}"]
    environment = {**os.environ, "PYTHONMALLOC": "malloc", "OPENBLAS_NUM_THREADS": "1", "STENO_NUM_THREADS": "2"}
    try:
        done = subprocess.run(
            [*command, sys.executable, "-c", program], capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stderr
        found = []
        for error in ElementTree.parse(report).iter("error"):
            frames = [(frame.findtext("obj") or "", frame.findtext("fn")) for frame in error.iter("frame")]
            if any("/_core." in path for path, _ in frames):
                found.append((error.findtext("kind"), [function for _, function in frames[:8]]))
        return found
    finally:
        if os.path.exists(report):
            os.remove(report)


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is missing")
def test_memory_under_valgrind():
    assert {kind for kind, _ in errors_of(LEAK)} == {"Leak_DefinitelyLost"}
    assert not errors_of(PROGRAM)
