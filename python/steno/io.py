"""Matrix Market files."""

import gzip
import os
import shutil
import tempfile
import zlib

import numpy as np

from steno import _core
from steno._array import Array
from steno._create import asarray, check_mask, view_of
from steno._errors import ParseError
from steno.sparse import SparseMatrix, _is_scipy, csr

__all__ = ["mmread", "mmwrite"]


def mmread(source, format=None, *, strict=False):
    """Read a Matrix Market file, plain or compressed with gzip.

    Parameters
    ----------
    source : str or path
        The file.
    format : str or dtype, optional
        The format of the values. By default f64, i64 or c128.
    strict : bool, optional
        Refuse files that deviate from the specification, and repeated entries, which are added otherwise.

    Returns
    -------
    SparseMatrix or Array
        The matrix. Symmetric matrices are expanded, and the entries of a pattern are ones.

    Examples
    --------
    >>> import os, tempfile, steno
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.mtx")
    ...     steno.io.mmwrite(path, steno.sparse.csr([[1.0, 0.0], [2.0, 3.0]]))
    ...     steno.io.mmread(path, "f16")
    SparseMatrix(shape=(2, 2), nnz=3, kind='csr', format='f16')
    """
    path = os.fspath(source)
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    if packed:
        with _temporary(path) as plain:
            with gzip.open(path, "rb") as unpacked, open(plain, "wb") as target:
                try:
                    shutil.copyfileobj(unpacked, target, 1 << 20)
                except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                    raise ParseError(f"{path}: not a complete gzip file: {error}") from error
            content, _ = _core.market_read(plain, strict)
    else:
        content, _ = _core.market_read(path, strict)
    if isinstance(content, Array):
        return content if format is None else asarray(content, format)
    matrix = SparseMatrix(content)
    return matrix if format is None else matrix.astype(format)


def mmwrite(target, a):
    """Write a matrix to a Matrix Market file, compressed with gzip if its name ends in ``.gz``.

    The file is complete when it appears at its path. Reading it yields the same values.

    Parameters
    ----------
    target : str or path
        The file.
    a : SparseMatrix, scipy sparse matrix or array_like
        The matrix. A dense matrix is written in array form.
    """
    path = os.fspath(target)
    if isinstance(a, SparseMatrix) or _is_scipy(a):
        arrays = _sparse_arrays(csr(a))
    else:
        check_mask(a)
        dense = np.asarray(a)
        if dense.ndim != 2:
            raise ValueError(f"the matrix has {dense.ndim} dimensions, not 2")
        arrays = (*dense.shape, None, None, view_of(np.ascontiguousarray(_written(dense))))
    if not path.endswith(b".gz" if isinstance(path, bytes) else ".gz"):
        _core.market_write(path, *arrays)
        return
    with _temporary(path) as plain:
        _core.market_write(plain, *arrays)
        packed = plain + ".gz"
        with open(plain, "rb") as file, gzip.open(packed, "wb", compresslevel=6) as file_packed:
            shutil.copyfileobj(file, file_packed, 1 << 20)
        os.replace(packed, path)


class _temporary:
    """The path of a temporary file in the folder of another one."""

    def __init__(self, path):
        self.path = os.fsdecode(path)

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(dir=os.path.dirname(self.path) or ".")
        name = os.path.basename(self.path)
        return os.path.join(self.folder.name, name[:-3] if name.endswith(".gz") else name)

    def __exit__(self, *exception):
        self.folder.cleanup()


def _written(values):
    """Values in i64, f64 or c128."""
    kind = values.dtype.kind
    return values.astype("int64" if kind in "biu" else "complex128" if kind == "c" else "float64", copy=False)


def _sparse_arrays(matrix):
    data = matrix.data
    values = np.ones(matrix.nnz) if data is None else _written(np.asarray(data))
    arrays = (matrix.indptr.astype("int64", copy=False), matrix.indices.astype("int32", copy=False), values)
    return (*matrix.shape, *(view_of(np.ascontiguousarray(array)) for array in arrays))
