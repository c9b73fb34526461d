"""The errors that steno.plot_error draws, with axes that record calls; and with matplotlib if it is there."""

import sys

import numpy as np
import pytest

import steno


class Axes:
    def __init__(self):
        self.lines, self.labels, self.settings = [], [], {}

    def plot(self, x, y, *style, **options):
        self.lines.append((x[0], *y))

    def annotate(self, text, position, **options):
        self.labels.append(text)

    def __getattr__(self, name):
        return lambda *values, **named: self.settings.setdefault(name, values or named)


def test_errors_of_formats():
    x = np.linspace(-1.0, 1.0, 4096)
    ax = steno.plot_error(x, ["f64", "f32", "f16", "i8", "i8:32"], ax=Axes())
    assert ax.labels == ["f64", "f32", "f16", "i8", "i8:32"] and ax.settings["set_yscale"] == ("log",)
    sizes, rms, largest = zip(*ax.lines)
    assert sizes[:4] == (8, 4, 2, 1) and 1 < sizes[4] <= 1.25
    expected = np.abs(x - x.astype(np.float16)).max()
    assert largest[2] == expected
    assert 0 < rms[0] == largest[0] < rms[1]  # no error: the lower end of the axis
    assert largest[1] < 2.0**-24 < largest[2] < largest[3] <= 2.0**-7
    assert all(one <= other for one, other in zip(rms, largest))


def test_special_values():
    ax = steno.plot_error([np.inf, np.nan, 1.0, 3e5], "f16", ax=Axes())
    assert ax.lines[0][2] == np.inf  # 3e5 overflows
    assert steno.plot_error(np.zeros(3), ["f16"], ax=Axes()).lines
    assert steno.plot_error(np.array([1 + 2j, 1e-3]), ["c64", "c32"], ax=Axes()).lines[1][2] > 0
    assert steno.plot_error(steno.full(3, 0.1, "bf16"), ["f16"], ax=Axes()).lines


@pytest.mark.parametrize(
    "values, formats, error",
    [
        ([], ["f16"], "no finite value"),
        ([np.nan], ["f16"], "no finite value"),
        ([1.0], [], "formats is empty"),
        ([1.0], ["f17"], "f17"),
    ],
)
def test_errors_of_arguments(values, formats, error):
    with pytest.raises((ValueError, TypeError), match=error):
        steno.plot_error(values, formats, ax=Axes())


def test_missing_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="needs matplotlib"):
        steno.plot_error([1.0])


def test_new_axes():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    ax = steno.plot_error(np.linspace(0.1, 1.0, 500))
    assert ax.get_yscale() == "log" and len(ax.lines) == len(ax.texts) == 9
