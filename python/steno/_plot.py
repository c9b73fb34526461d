"""Plots, which need matplotlib."""

import numpy as np

from steno._create import asarray, view_of

__all__ = ["plot_error"]

_FORMATS = ("f32", "bf16", "f16", "i16", "i16:32", "e5m2", "e4m3:32", "i8", "i8:32")


def _errors(values, format):
    """Bytes per element, and the largest and the root-mean-square error relative to the largest magnitude."""
    stored = asarray(values, format, copy=True)
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(np.asarray(stored) - values)
    finite = np.isfinite(values)
    largest = np.abs(values[finite]).max()
    error = error[finite] / (largest if largest > 0 else 1.0)
    scales = stored.scales
    size = stored.nbytes + (0 if scales is None else scales.nbytes)
    return size / values.size, error.max(), np.sqrt(np.mean(error**2))


def plot_error(a, formats=_FORMATS, *, ax=None):
    """Plot what storing an array in several formats costs: bytes per element and the errors of its values.

    Errors are relative to the largest magnitude in the array. A marker is the largest error of a format; its line
    begins at the root mean square of the errors.

    Parameters
    ----------
    a : array_like
        Real or complex values. Infinities and NaN are ignored.
    formats : sequence of str, optional
        Formats as of `steno.asarray`, also with scales per row or block, such as ``"i16:32"``. Formats without error
        have their marker at the lower end of the axis.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; new ones by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    >>> import numpy as np, steno
    >>> ax = steno.plot_error(np.linspace(0.0, 1.0, 1001), ["f32", "f16", "i8"])  # doctest: +SKIP
    >>> ax.figure.savefig("formats.png")  # doctest: +SKIP
    """
    values = np.asarray(view_of(a))
    values = values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)
    if not np.isfinite(values).any():
        raise ValueError("the array has no finite value")
    if values.ndim == 0:
        values = values.reshape(1)
    names = [formats] if isinstance(formats, str) else list(formats)
    if not names:
        raise ValueError("formats is empty")
    rows = [(name, *_errors(values, name)) for name in names]
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError("steno.plot_error needs matplotlib: pip install matplotlib") from error
        ax = pyplot.subplots()[1]
    lowest = min((rms for _, _, _, rms in rows if rms > 0), default=1e-16) / 10
    for name, size, largest, rms in rows:
        ax.plot([size, size], [max(rms, lowest), max(largest, lowest)], "-o", markevery=[1])
        ax.annotate(name, (size, max(largest, lowest)), textcoords="offset points", xytext=(6, 4))
    ax.set_yscale("log")
    ax.set_xlim(left=0)
    ax.set_xlabel("bytes per element")
    ax.set_ylabel("error / largest magnitude")
    return ax
