"""Sparse matrices with values in any format.

>>> import steno.sparse
>>> a = steno.sparse.csr(([2.0, 1.0, 3.0], [0, 1, 1], [0, 2, 3]), "f16", shape=(2, 2))
>>> a @ [1.0, 10.0]
array([12., 30.])
"""

import sys

import numpy as np

from steno import _core
from steno._array import Array
from steno._create import asarray, check_mask, empty, view_of
from steno._errors import ArgumentError, Error, UnsupportedError
from steno._formats import BLOCKS, DTYPES, element_format, finfo, format_name, is_complex, split_format

__all__ = ["SparseMatrix", "coo", "csr", "issparse"]

_ROW_START, _ROW, _COLUMN, _VALUES, _SLICE_START, _ROW_POSITION, _ROW_SCALES, _HEIGHT = range(8)
_PLAIN_KINDS = ("csr", "coo", "ell", "sell")
# A conversion takes the time of about 15 products: matrices with fewer products are not converted.
_PRODUCTS, _EXPECTED_PRODUCTS, _MANY_ENTRIES = 10, 100, 100_000


class SparseMatrix:
    """A sparse matrix whose values are stored in one format and multiplied in another.

    Matrices are created by `csr`, `coo` and `steno.io.mmread`. Products are computed in f64, or in c128 if values or
    operands are complex. They are added in the order of the stored entries, so that a product has the same bits for
    every kind of matrix and every number of threads.

    Attributes
    ----------
    shape : tuple of int
        The numbers of rows and columns.
    kind : str
        How entries are stored: ``"csr"``, ``"sliced"``, ``"packed"``, ``"coo"``, ``"ell"`` or ``"sell"``.
    format : str
        The storage format of the values, such as ``"f16"``.

    Examples
    --------
    >>> import steno.sparse
    >>> a = steno.sparse.coo(([4.0, 5.0], ([0, 1], [1, 0])), "bf16", shape=(2, 2))
    >>> a
    SparseMatrix(shape=(2, 2), nnz=2, kind='coo', format='bf16')
    >>> a.convert("csr") @ [1.0, 2.0]
    array([8., 5.])
    """

    __slots__ = ("__weakref__", "_handle", "_remaining", "_transposed", "format", "kind", "nbytes", "nnz", "shape")
    __array_priority__ = 1000
    __array_ufunc__ = None  # an ndarray on the left of @ calls __rmatmul__
    ndim = 2

    def __init__(self, handle, is_own=False):
        self._handle = handle
        self._remaining = _PRODUCTS if is_own else 0  # products before the automatic call of optimize()
        self._transposed = None
        self.kind, rows, columns, self.nnz, self.nbytes, self.format, _, _ = _core.matrix_info(handle)
        self.shape = (rows, columns)
        values = _core.matrix_arrays(handle)[_VALUES]
        if values is not None and values.format in BLOCKS:  # the library reads them as f64
            self.format = values.format
            self._remaining = 0  # other kinds would have values in f64

    def __repr__(self):
        return f"SparseMatrix(shape={self.shape}, nnz={self.nnz}, kind={self.kind!r}, format={self.format!r})"

    # ---- properties ----

    @property
    def scale(self):
        """The factor of stored values."""
        return self.data.scale if self.format in BLOCKS else _core.matrix_info(self._handle)[6]

    @property
    def dtype(self):
        """The smallest dtype of NumPy that represents all values."""
        _, _, _, _, _, format, scale, zero_point = _core.matrix_info(self._handle)
        if scale == 1.0 and zero_point == 0.0:
            return DTYPES.get(format, np.dtype("float64"))
        return np.dtype("complex128" if is_complex(format) else "float64")

    @property
    def data(self):
        """The values as an `Array`, which shares the memory; the distinct ones if kind is ``"packed"``; None for a
        pattern. With one scale per row (``"i8:row"``), they are those before multiplication by the scales."""
        return _core.matrix_arrays(self._handle)[_VALUES]

    @property
    def indices(self):
        """The columns of the entries as a NumPy array, which shares the memory; None if kind is ``"sliced"`` or
        ``"packed"``."""
        return _codes(_core.matrix_arrays(self._handle)[_COLUMN])

    @property
    def indptr(self):
        """The first entry of each row, and the end: a NumPy array; None unless kind is ``"csr"``."""
        return _codes(_core.matrix_arrays(self._handle)[_ROW_START])

    @property
    def row(self):
        """The rows of the entries as a NumPy array; None unless kind is ``"coo"``."""
        return _codes(_core.matrix_arrays(self._handle)[_ROW])

    @property
    def scales(self):
        """`row_scales`, or the raw scales of values in a block format; None for others. `scale` is a further factor."""
        return self.data.scales if self.format in BLOCKS else self.row_scales

    @property
    def row_scales(self):
        """The scales of the rows as a NumPy array, or None."""
        scales = _core.matrix_arrays(self._handle)[_ROW_SCALES]
        return None if scales is None else np.asarray(scales)

    def diagonal(self):
        """The diagonal as a NumPy array. Missing entries are 0, and repeated ones are added, as in SciPy."""
        result = np.empty(min(self.shape), "complex128" if is_complex(self.format) else "float64")
        try:
            return _core.matrix_diagonal(self._handle, result)
        except ArgumentError:  # an entry is repeated
            data, rows, columns = self._triplets()
        result[...] = 0
        on_diagonal = rows == columns
        np.add.at(result, rows[on_diagonal], data[on_diagonal])
        return result

    def _triplets(self):
        """Values, rows and columns of all entries."""
        source = self if self.kind == "csr" else self.convert("csr")
        arrays = _core.matrix_arrays(source._handle)
        values, columns = arrays[_VALUES], _codes(arrays[_COLUMN])
        data = np.ones(columns.shape) if values is None else np.asarray(values)
        if arrays[_ROW_SCALES] is not None:
            data = data * _scales_of_entries(arrays)
        return data, np.repeat(np.arange(self.shape[0]), np.diff(_codes(arrays[_ROW_START]))), columns

    # ---- conversion ----

    def convert(self, kind="auto", format=None, *, height=32, sigma=256):
        """A copy in another kind of storage.

        Parameters
        ----------
        kind : {"auto", "csr", "sliced", "packed", "coo", "ell", "sell"}
            The kind. ``"sliced"`` compresses column indices, ``"packed"`` also stores each distinct value once,
            ``"ell"`` pads all rows to the longest one, ``"sell"`` pads those of each slice, and ``"auto"`` selects
            ``"csr"``, ``"sliced"`` or ``"packed"``.
        format : str or dtype, optional
            The format of the values; unchanged by default, except that values in a block format become f64.
        height, sigma : int, optional
            Rows per slice and rows that are sorted together, for ``"sell"``.

        Returns
        -------
        SparseMatrix
            The new matrix. Repeated entries of a ``"coo"`` matrix are added.

        Raises
        ------
        UnsupportedError
            The matrix has scales per row, which ``"sliced"`` and ``"packed"`` do not have, and `format` is not given.

        Examples
        --------
        >>> import steno.sparse
        >>> a = steno.sparse.csr([[1.0, 0.0], [2.0, 3.0]])
        >>> a.convert("ell", "f32")
        SparseMatrix(shape=(2, 2), nnz=3, kind='ell', format='f32')
        """
        source = self if format is None else self.astype(format)
        if kind in ("sliced", "packed") and source.row_scales is not None:
            raise UnsupportedError(
                f"the matrix has scales per row, but kind {kind!r} has none: give a format for the values, "
                f'such as convert({kind!r}, "f32")'
            )
        return SparseMatrix(_core.matrix_convert(source._handle, kind, None, height, sigma), kind == "csr")

    def converted_nbytes(self, kind="auto", format=None):
        """The bytes of `convert(kind, format)`, without converting.

        Parameters
        ----------
        kind : {"auto", "csr", "sliced", "packed", "coo", "ell", "sell"}
            The kind.
        format : str or dtype, optional
            The format of the values; unchanged by default, f64 for values in a block format. Values are converted with
            a scale of 1, on which the number of distinct values in ``"packed"`` depends.

        Returns
        -------
        int
            The number of bytes.

        Raises
        ------
        UnsupportedError
            There are more than 65536 distinct values, and `kind` is ``"packed"``.

        Examples
        --------
        >>> import steno.sparse
        >>> a = steno.sparse.csr([[1.0, 0.0], [2.0, 3.0]])
        >>> a.converted_nbytes("csr", "f32") == a.convert("csr", "f32").nbytes
        True
        """
        chosen = ("f64" if self.format in BLOCKS else self.format) if format is None else format
        return _core.matrix_bytes(self._handle, kind, chosen)

    def astype(self, format, *, scale=None):
        """The matrix with values in another format; indices are shared. The result has no scales per row.

        Parameters
        ----------
        format : str or dtype
            The format of the values.
        scale : float, "auto" or "exact", optional
            The scale, as of `steno.asarray`.

        Examples
        --------
        >>> import steno.sparse
        >>> steno.sparse.csr([[0.5, 0.0], [2.0, 3.0]]).astype("i8").data
        Array([0.5, 2. , 3. ], format='i8', scale=0.03125)
        """
        arrays = _core.matrix_arrays(self._handle)
        has_scales = arrays[_ROW_SCALES] is not None
        if self.kind not in (("csr", "coo") if has_scales else _PLAIN_KINDS):
            return self.convert("csr").astype(format, scale=scale).convert(self.kind)
        values = arrays[_VALUES]
        if values is None:
            values = np.ones(arrays[_COLUMN].shape)
        elif has_scales:
            values = np.asarray(values) * _scales_of_entries(arrays)
        converted = asarray(values, format, scale=scale)
        arrays = (*arrays[:_VALUES], converted, *arrays[_VALUES + 1 : _ROW_SCALES], None, arrays[_HEIGHT])
        return _wrap(self.kind, self.shape, arrays[:_HEIGHT], arrays[_HEIGHT], _is_copy(converted, values))

    def compensate(self, format):
        """A copy with narrower values and the same row sums.

        The diagonal receives what rounding takes from the other entries of its row. Iterative refinement with such a
        matrix of 16 bits converges as with f32, if the matrix is that of a diffusion problem.

        Examples
        --------
        >>> import steno.sparse
        >>> steno.sparse.csr([[2.1, -2.1], [-2.1, 2.1]]).compensate("f16") @ [1.0, 1.0]
        array([0., 0.])
        """
        return SparseMatrix(_core.matrix_compensate(self._handle, element_format(format, "compensated values")), True)

    def optimize(self, expected_products=1000, *, kind="auto", method="timed", max_bytes=0, arithmetic="f64"):
        """Select the storage that products read, if conversion pays off for this number of products.

        Products then read a copy of the entries in another kind of storage. They have the same bits as before.

        Parameters
        ----------
        expected_products : int
            The number of products that will follow; 0 discards the copy.
        kind : str, optional
            The kind of the copy, which is then created in any case.
        method : {"timed", "model"}, optional
            Measure products if a model leaves the decision open, or use the model only.
        max_bytes : int, optional
            The maximum size of the copy; 0 is no limit.
        arithmetic : str, optional
            The type of the products.

        Returns
        -------
        dict
            The decision, with the reason as a sentence in ``"reason"``.

        Examples
        --------
        >>> import steno.sparse
        >>> a = steno.sparse.csr([[1.0, 0.0], [2.0, 3.0]])
        >>> a.optimize(100, kind="sliced")["kind"]
        'sliced'
        """
        if method not in ("timed", "model"):
            raise ValueError(f"method is {method!r}, which is neither 'timed' nor 'model'")
        products = expected_products.__index__()
        self._remaining = 0
        return _core.matrix_optimize(
            self._handle, products, kind, method == "model", max_bytes, format_name(arithmetic)
        )

    def _count_product(self):
        """Select the storage of products before the last one that is counted.

        The new handle shares the arrays, so that threads may multiply with the old one in the meantime.
        """
        remaining = self._remaining - 1  # another thread may count at the same time
        self._remaining = max(remaining, 0)
        if remaining == 0 and self.nnz >= _MANY_ENTRIES:
            arrays = _core.matrix_arrays(self._handle)
            try:
                handle = _core.matrix_wrap(self.kind, *self.shape, arrays[:_HEIGHT], arrays[_HEIGHT])
                arithmetic = "c128" if is_complex(self.format) else "f64"
                _core.matrix_optimize(handle, _EXPECTED_PRODUCTS, "auto", False, 0, arithmetic)
            except Error:  # not enough memory: products read the arrays
                return
            self._handle = handle

    def update_values(self):
        """Apply changes of the array of values to later products.

        The array is shared if `csr` did not convert it. Call this function after its elements were changed.
        """
        self._transposed = None
        _core.matrix_update(self._handle)

    def to_scipy(self):
        """The matrix as a ``scipy.sparse.csr_array``, or a ``coo_array`` if kind is ``"coo"``.

        The memory is shared if the values are stored in a format of SciPy. Such arrays are read-only.
        """
        import scipy.sparse

        source = self if self.kind in ("csr", "coo") else self.convert("csr")
        arrays = _core.matrix_arrays(source._handle)
        values, columns = arrays[_VALUES], _codes(arrays[_COLUMN])
        data = np.ones(columns.shape) if values is None else np.asarray(values)
        if arrays[_ROW_SCALES] is not None:
            data = data * _scales_of_entries(arrays)
        if data.dtype == np.float16:  # SciPy has no float16
            data = data.astype(np.float32)
        if source.kind == "coo":
            return scipy.sparse.coo_array((data, (_codes(arrays[_ROW]), columns)), shape=self.shape)
        return scipy.sparse.csr_array((data, columns, _codes(arrays[_ROW_START])), shape=self.shape)

    def toarray(self):
        """The matrix as a dense NumPy array."""
        data, rows, columns = self._triplets()
        result = np.zeros(self.shape, data.dtype)
        np.add.at(result, (rows, columns), data)
        return result

    def __array__(self, dtype=None, copy=None):
        raise TypeError("a sparse matrix is not converted to a dense array: call toarray()")

    # ---- products ----

    @property
    def T(self):
        """The transpose of kind ``"csr"``. It is created by the first use and kept."""
        if self._transposed is None:
            self._transposed = SparseMatrix(_core.matrix_transpose(self._handle), True)
        return self._transposed

    def transpose(self):
        """The transpose, as `T`."""
        return self.T

    def __matmul__(self, x):
        if isinstance(x, SparseMatrix) or _is_scipy(x):
            return NotImplemented
        if self._remaining:
            self._count_product()
        result = _core.matrix_multiply(self._handle, _columns(x), None, 1.0, 0.0, None)
        return result if isinstance(x, Array) else np.asarray(result)

    def __rmatmul__(self, x):
        x = x if isinstance(x, Array) else view_of(x)
        return (self.T @ x.T).T if isinstance(x, Array) else NotImplemented

    def dot(self, x, out=None, *, alpha=1.0, beta=0.0, arithmetic=None):
        """Compute ``alpha * A @ x + beta * out``.

        Parameters
        ----------
        x : array_like
            A vector, or a matrix of several vectors as columns.
        out : Array or numpy.ndarray, optional
            The result, which is also an operand if `beta` is not 0.
        alpha, beta : float or complex, optional
            Factors of the product and of `out`.
        arithmetic : str, optional
            ``"f64"``, ``"f32"``, ``"c128"`` or ``"c64"``.

        Returns
        -------
        Array or numpy.ndarray
            `out`, or a new array in the promoted format of the values and `x`.

        Examples
        --------
        >>> import numpy as np, steno.sparse
        >>> a = steno.sparse.csr([[1.0, 0.0], [2.0, 3.0]], "f16")
        >>> a.dot(np.ones(2), alpha=2.0)
        array([ 2., 10.])
        """
        if out is None and beta != 0:
            raise ValueError("beta is not 0, but out is missing")
        if isinstance(out, Array) and out.ndim == 2 and out.format in BLOCKS:
            raise ValueError(f"products with several vectors cannot be stored in the block format {out.format}")
        if self._remaining:
            self._count_product()
        result = _core.matrix_multiply(self._handle, _columns(x), out, alpha, beta, arithmetic)
        return result if out is not None or isinstance(x, Array) else np.asarray(result)

    matvec = matmat = __matmul__

    def rmatvec(self, x):
        """The product of the conjugate transpose and a vector."""
        if not is_complex(self.format):
            return self.T @ x
        return np.conjugate(self.T @ np.conjugate(x))

    def aslinearoperator(self):
        """The matrix as a ``scipy.sparse.linalg.LinearOperator``."""
        from scipy.sparse.linalg import LinearOperator

        dtype = np.dtype("complex128" if is_complex(self.format) else "float64")
        return LinearOperator(
            self.shape, matvec=self.matvec, rmatvec=self.rmatvec, matmat=self.matmat, dtype=dtype
        )

    def __reduce__(self):
        source = self if self.kind in _PLAIN_KINDS else self.convert("csr")
        arrays = _core.matrix_arrays(source._handle)
        kind = None if source is self else self.kind
        return _rebuild, (source.kind, self.shape, arrays[:_HEIGHT], arrays[_HEIGHT], kind)


def _rebuild(kind, shape, arrays, height, converted):
    matrix = _wrap(kind, shape, arrays, height)
    return matrix if converted is None else matrix.convert(converted)


def _columns(x):
    """Several vectors without blocks, which their columns would cut."""
    return x.astype("f64") if isinstance(x, Array) and x.ndim == 2 and x.format in BLOCKS else x


def _codes(array):
    return None if array is None else array.codes


def _scales_of_entries(arrays):
    """The scale per entry of compressed rows or coordinates with scales per row."""
    scales = np.asarray(arrays[_ROW_SCALES])
    if arrays[_ROW] is not None:
        return scales[_codes(arrays[_ROW])]
    return np.repeat(scales, np.diff(_codes(arrays[_ROW_START])))


def _wrap(kind, shape, arrays, height=0, is_own=False):
    return SparseMatrix(_core.matrix_wrap(kind, *shape, tuple(arrays), height), is_own)


def _is_copy(values, source):
    """Whether no other object can change the values."""
    source = view_of(source)
    return source is None or not np.may_share_memory(values.codes, source.codes)


def issparse(a):
    """Whether an object is a sparse matrix of steno."""
    return isinstance(a, SparseMatrix)


def _is_scipy(a):
    module = sys.modules.get("scipy.sparse")
    return module is not None and module.issparse(a)


def _index_array(indices, name):
    """Indices as an array of integers, without a copy if they are 32-bit or 64-bit integers already."""
    check_mask(indices)
    values = np.asarray(indices)
    if values.ndim != 1:
        raise ValueError(f"{name} has {values.ndim} dimensions, not 1")
    if values.size == 0 and values.dtype.kind == "f":
        values = values.astype(np.int32)  # an empty list
    if values.dtype.kind not in "iu":
        raise TypeError(f"{name} has the dtype {values.dtype}, which is not one of integers")
    return asarray(values)


def _values(data, format, scale):
    if format is not None:
        return asarray(data, format, scale=scale)
    values = view_of(data)
    if scale is not None:
        raise ValueError("scale requires a format")
    return values


def _scaled_by_row(data, indptr, name):
    """Values and scales: the smallest power of two per row with which all values of the row fit."""
    check_mask(data)
    values = np.asarray(data)
    if values.dtype.kind == "c" or is_complex(name):
        raise TypeError("complex values have no scales per row")
    starts = np.asarray(indptr).astype(np.int64)
    counts = np.diff(starts)
    if starts.size == 0 or starts[0] != 0 or (counts < 0).any() or starts[-1] != len(values):
        raise ValueError("indptr does not ascend from 0 to the number of values")
    largest = np.zeros(len(counts))
    filled = counts > 0
    if filled.any():
        largest[filled] = np.maximum.reduceat(np.abs(values.astype(np.float64)), starts[:-1][filled])
    if not np.isfinite(largest).all():
        raise ValueError("a value is not finite")
    fraction, exponent = np.frexp(largest / finfo(name).max)
    scales = np.ldexp(1.0, np.where(fraction == 0.5, exponent - 1, exponent))
    scales[largest == 0] = 1.0
    return asarray(values / np.repeat(scales, counts), name, scale=1.0), view_of(scales)


def _shape_of(shape):
    rows, columns = (int(extent) for extent in shape)
    return rows, columns


def csr(a, format=None, *, shape=None, scale=None):
    """A matrix in compressed sparse rows.

    Arrays that need no conversion are shared with the argument. If the values are converted and there are many of
    them, the tenth product calls `SparseMatrix.optimize`, which may create a copy in another kind of storage. The
    products have the same bits. A call of ``optimize(0)`` prevents that.

    Parameters
    ----------
    a : scipy sparse matrix, SparseMatrix, tuple or array_like
        A sparse matrix, a tuple ``(data, indices, indptr)`` with indices of 32 or 64 bits, or a dense matrix.
    format : str or dtype, optional
        The format of the values. The default is that of the argument. ``"i8:row"`` has one scale per row, a power of
        two.
    shape : tuple of int, optional
        The numbers of rows and columns. By default they are determined by a tuple.
    scale : float, "auto" or "exact", optional
        The scale of the values, as of `steno.asarray`.

    Returns
    -------
    SparseMatrix
        The matrix.

    Examples
    --------
    >>> import steno.sparse
    >>> a = steno.sparse.csr([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]], "f16")
    >>> a
    SparseMatrix(shape=(3, 3), nnz=7, kind='csr', format='f16')
    >>> a.T @ [1.0, 2.0, 3.0]
    array([0., 0., 4.])
    """
    by_row = isinstance(format, str) and format.endswith(":row")
    if isinstance(a, SparseMatrix):
        a = a if a.kind == "csr" else a.convert("csr")
        if by_row:
            matrix = a.to_scipy()
            return csr((matrix.data, a.indices, a.indptr), format, shape=a.shape, scale=scale)
        return a if format is None and scale is None else a.astype(a.format if format is None else format, scale=scale)
    if _is_scipy(a):
        a = a.tocsr()
        data, indices, indptr, shape = a.data, a.indices, a.indptr, a.shape
    elif isinstance(a, tuple):
        if len(a) == 2:
            return csr(coo(a, shape=shape).convert("csr"), format, scale=scale)
        if len(a) != 3:
            raise ValueError(f"the tuple has {len(a)} elements, not 3: data, indices, indptr")
        data, indices, indptr = a
        indices, indptr = np.asarray(indices), np.asarray(indptr)
        if shape is None:
            shape = (max(len(indptr) - 1, 0), int(indices.max()) + 1 if indices.size else 0)
    else:
        check_mask(a)
        dense = np.asarray(a)
        if dense.ndim != 2:
            raise ValueError(f"the matrix has {dense.ndim} dimensions, not 2")
        rows, indices = np.nonzero(dense)
        data, shape = dense[rows, indices], dense.shape
        indices = indices.astype(np.int32)
        indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=shape[0]))))
    if by_row and scale is not None:
        raise ValueError("a scale cannot be given for a format with scales per row")
    name = split_format(format)[0] if by_row else format
    values, scales = _scaled_by_row(data, indptr, name) if by_row else (_values(data, name, scale), None)
    arrays = (
        _index_array(indptr, "indptr"),
        None,
        _index_array(indices, "indices"),
        values,
        None,
        None,
        scales,
    )
    rows, columns = _shape_of(shape)
    if arrays[0].shape[0] != rows + 1:
        raise ValueError(f"indptr has {arrays[0].shape[0]} elements, but the matrix has {rows} rows")
    return _wrap("csr", (rows, columns), arrays, is_own=_is_copy(values, data))


def coo(a, format=None, *, shape=None, scale=None):
    """A matrix of coordinates.

    Rows of the entries ascend: they are sorted unless they do. Arrays that need no conversion are shared.

    Parameters
    ----------
    a : scipy sparse matrix, SparseMatrix, tuple or array_like
        A sparse matrix, a tuple ``(data, (row, column))`` with indices of 32 or 64 bits, or a dense matrix.
    format, shape, scale
        As of `csr`.

    Returns
    -------
    SparseMatrix
        The matrix. Repeated entries are added by products and conversions.

    Examples
    --------
    >>> import steno.sparse
    >>> a = steno.sparse.coo(([1.0, 2.0, 3.0], ([1, 0, 1], [0, 1, 0])))
    >>> a @ [10.0, 100.0]
    array([200.,  40.])
    """
    if isinstance(a, SparseMatrix):
        a = a if a.kind == "coo" else a.convert("coo")
        return a if format is None and scale is None else a.astype(a.format if format is None else format, scale=scale)
    if _is_scipy(a):
        a = a.tocoo()
        data, row, column, shape = a.data, a.row, a.col, a.shape
    elif isinstance(a, tuple):
        if len(a) != 2 or len(a[1]) != 2:
            raise ValueError("the tuple is not (data, (row, column))")
        data, (row, column) = a
        row, column = np.asarray(row), np.asarray(column)
        if shape is None:
            shape = tuple(int(index.max()) + 1 if index.size else 0 for index in (row, column))
    else:
        return csr(a, format, shape=shape, scale=scale).convert("coo")
    if row.size and row.shape == column.shape == np.shape(data) and (row[1:] < row[:-1]).any():
        order = np.argsort(row, kind="stable")
        row, column = row[order], column[order]
        data = data[order.tolist()] if isinstance(data, Array) else np.asarray(data)[order]
    arrays = (
        None,
        _index_array(row, "row"),
        _index_array(column, "column"),
        _values(data, format, scale),
        None,
        None,
        None,
    )
    return _wrap("coo", _shape_of(shape), arrays)
