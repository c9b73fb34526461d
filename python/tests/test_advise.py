"""Advice: storages next to what arrays store, methods next to what solvers do, certificates, errors."""

import json

import numpy as np
import pytest
import scipy.sparse

import steno


def relative_rms(stored, x):
    return np.sqrt(np.mean(np.abs(stored - x) ** 2) / np.mean(np.abs(x) ** 2))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int16])
def test_figures_are_those_of_stored_arrays(dtype):
    x = (np.sin(np.arange(500.0)) * 300).astype(dtype).reshape(5, 100)
    advice = steno.advise(x, 0.1)
    assert len(advice.choices) > 5 and [c.nbytes for c in advice.choices] == sorted(c.nbytes for c in advice.choices)
    for one in advice.choices:
        stored = one.store(x)
        scales = 0 if stored.format in ("mxfp4", "nvfp4") or stored.block is None else stored.scales.nbytes
        if steno.finfo(stored.format).block == 1:
            assert stored.nbytes + scales == one.nbytes
        else:
            assert stored.nbytes == one.nbytes
        if np.isfinite(one.max_error):
            assert np.abs(np.asarray(stored) - x).max() == pytest.approx(one.max_error, rel=1e-12, abs=1e-300)
            assert relative_rms(np.asarray(stored), x.astype(np.complex128)) == pytest.approx(one.rms_relative, abs=1e-15)
        assert one.meets_target == (one.max_error <= 0.1)
    assert advice.best.nbytes == min(c.nbytes for c in advice.choices if c.meets_target)
    assert advice.best in advice.choices and set(advice.efficient) <= set(advice.choices)


def test_targets():
    x = np.linspace(-1, 1, 1000)
    for options in ({"norm": "rms"}, {"relative": True}, {"norm": "rms", "relative": True}, {"prefer": "speed"}):
        advice = steno.advise(x, 1e-3, **options)
        assert advice.best.meets_target and advice.target.endswith("=0.001")
    assert steno.advise(x).best.max_error == 0
    impossible = steno.advise([1e-320, 1e300, np.nan])
    assert impossible.best is None or impossible.best.max_error == 0
    assert steno.advise(steno.asarray(x, "i8")).best.nbytes <= 1125


def test_certificate_of_an_array():
    x = np.sin(np.arange(300.0))
    certificate = json.loads(json.dumps(steno.advise(x, 1e-2).certificate()))
    assert certificate == steno.advise(x.copy(), 1e-2).certificate()
    stored = steno.asarray(x, certificate["storage"])
    assert np.abs(np.asarray(stored) - x).max() == certificate["max_error"] <= 1e-2
    x[7] += 1e-12
    assert steno.advise(x, 1e-2).certificate()["checksum"] != certificate["checksum"]
    assert steno._core.checksum(b"a") == "af63dc4c8601ec8c"  # FNV-1a


def matrix(n=20):
    line = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    one = scipy.sparse.eye_array(n)
    return scipy.sparse.csr_array(scipy.sparse.kron(line, one) + scipy.sparse.kron(one, line))


def test_linear_system():
    a = matrix()
    expected = np.linspace(0, 1, a.shape[0])
    b = a @ expected
    for given in (a, steno.sparse.csr(a)):
        advice = steno.advise(given, 1e-9)
        assert advice.traits["is_symmetric"] and advice.traits["bandwidth"] == 20 and advice.best is advice.choices[0]
        assert [c.seconds for c in advice.choices] == sorted(c.seconds for c in advice.choices)
        for method in (0, advice.choices[-1], advice.choices[1].text):
            result = advice.solve(b, method=method)
            assert result.converged and result.residual <= 1e-9 and np.abs(result.x - expected).max() < 1e-5
            assert np.linalg.norm(a @ result.x - b) <= 1.01e-9 * np.linalg.norm(b)
    certificate = json.loads(json.dumps(result.certificate()))
    with steno.executor("reference"):
        again = advice.solve(b, method=method)
    if not result.promotions:
        assert certificate == again.certificate()
    assert advice.solve(b, x0=expected).iterations <= 1
    assert steno.advise(a, max_bytes=10**6).best.nbytes <= 10**6
    assert not steno.advise(a, 1e-12, max_seconds=1e-9).solve(b).converged


def test_complex_system():
    a = (matrix(8) * (1 + 0.5j)).tocsr()
    result = steno.advise(a, 1e-8).solve(a @ np.ones(64))
    assert result.converged and result.x.dtype == np.complex128 and np.abs(result.x - 1).max() < 1e-5


def test_the_matrix_lives_as_long_as_the_advice():
    a = matrix()
    advice = steno.advise(steno.sparse.csr(a.copy(), "f32"))
    result = advice.solve(np.ones(a.shape[0]))
    assert result.converged
    del advice
    assert "converged" in repr(result)


@pytest.mark.parametrize(
    "call",
    [
        lambda: steno.advise(np.ones(3), -1),
        lambda: steno.advise(np.ones(3), np.nan),
        lambda: steno.advise(np.ones(3), np.inf),
        lambda: steno.advise(np.ones(3), norm="l2"),
        lambda: steno.advise(np.ones(3), prefer="both"),
        lambda: steno.advise(np.ones(3), max_bytes=10),
        lambda: steno.advise(np.ones(3), max_seconds=1),
        lambda: steno.advise(np.zeros(0)),
        lambda: steno.advise(matrix(), 2.0),
        lambda: steno.advise(matrix(), 0.0),
        lambda: steno.advise(matrix(), norm="rms"),
        lambda: steno.advise(matrix(), max_bytes=-1),
        lambda: steno.advise(matrix(), max_bytes=8),
        lambda: steno.advise(matrix()[:5]),
        lambda: steno.advise(matrix()).solve(np.ones(3)),
        lambda: steno.advise(matrix()).solve(np.ones(400), x0=np.ones(3)),
        lambda: steno.advise(matrix()).solve(np.ones(400), method=1000),
        lambda: steno.advise(matrix()).solve(np.ones(400), method="x"),
    ],
)
def test_wrong_values(call):
    with pytest.raises(ValueError):
        call()


def test_wrong_types():
    for call in (
        lambda: steno.advise("x"),
        lambda: steno.advise(np.ones(2, object)),
        lambda: steno.advise(np.ones(2), "x"),
        lambda: steno.advise(matrix()).solve(1j * np.ones(400)),
        lambda: steno._core.solve_advised(None, 0, np.ones(3), np.ones(3)),
    ):
        with pytest.raises(TypeError):
            call()
