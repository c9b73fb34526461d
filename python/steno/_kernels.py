"""Kernels and reductions that are written as texts."""

import functools
import math
import re

import numpy as np

from steno import _core, _errors, _functions
from steno._array import Array
from steno._create import empty, view_of, zeros
from steno._formats import format_name, is_complex, is_integer

_CLASSES = {"f64": 0, "f32": 0, "i64": 1, "c128": 2, "c64": 2}
_DEFAULTS = ("f64", "i64", "c128")
_TYPES = {"real_t", "int64_t", "uint64_t", "int", "double", "float", "unsigned", "const"}
_WORDS = _TYPES | {
    *("if", "else", "for", "while", "do", "break", "continue", "return", "NAN", "INFINITY", "HUGE_VAL", "re", "im"),
    *("long", "short", "char", "signed", "void"),
}
# Stencils with this rule do not assign all elements of outputs.
_SKIPS = re.compile(r"\binside\b")
_ELEMENTS = re.compile(r"\b(?:STN_)?(AT|INDEX_AT|PUT|ADD|MIN|MAX|STORE|EXTENT_OF)\s*\(")
_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?P<number>\.?\d(?:[\w.]|(?<=[eEpP])[+-])*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator><<=|>>=|\+\+|--|[-+*/%&|^]=|[=!<>]=|[-+*/%&|^=<>!~?:;,(){}.])",
    re.DOTALL,
)
_PLACE = re.compile(r"kernel [^,]*, (parameters )?(\d+):(\d+): (.*)", re.DOTALL)
_RESERVED = ("arithmetic", "axis", "format", "shape")
_WRITTEN = ("inout", "out", "masked", "scatter")
_NUMBERS = ("real", "index", "bits")
_NOT_READ = frozenset((*_NUMBERS, *_WRITTEN))
_PASSED = (int, float, complex, Array, np.ndarray)  # other inputs are converted to arrays first

_BLOCK = 1 << 20
_jit_executors = {}


class KernelError(_errors.ParseError, SyntaxError):
    """A kernel text is malformed.

    Attributes
    ----------
    lineno, offset : int
        Line and column, from 1.
    text : str
        The line.
    """

    __module__ = "steno"
    __init__ = SyntaxError.__init__
    __str__ = SyntaxError.__str__


def _raise_located(error, body, parameters, skipped):
    """Raises the error of a text with its line and column."""
    found = _PLACE.match(str(error))
    if not found:
        raise error
    source = parameters if found[1] else body[skipped:]
    line, column = int(found[2]), int(found[3])
    if line == 1 and not found[1]:
        column -= skipped
    lines = source.split("\n")
    raise KernelError(
        found[4], ("<kernel>", line, max(column, 1), lines[line - 1] if line <= len(lines) else "")
    ) from None


def _compile(name, parameters, body, kernel_class, skipped=0):
    try:
        return _core.kernel_compile(name, parameters, body, kernel_class)
    except _errors.ParseError as error:
        _raise_located(error, body, parameters, skipped)


def _names(value, parameter):
    """Names in a string, separated by commas or blanks, or in a sequence."""
    names = value.replace(",", " ").split() if isinstance(value, str) else list(value)
    for name in names:
        if not isinstance(name, str) or not name.isidentifier():
            raise ValueError(f"{parameter} contains {name!r}, which is not a name")
    return names


def _tokens(text):
    return [match for match in _TOKEN.finditer(text) if match.lastgroup]


def _locals(tokens):
    """Names of variables that the text declares."""
    found, k = set(), 0
    while k < len(tokens):
        token = tokens[k]
        following = tokens[k + 1].group() if k + 1 < len(tokens) else ""
        if token["name"] in _TYPES and following not in ("(", ")"):
            depth, expects = 0, True
            for k in range(k + 1, len(tokens)):
                text = tokens[k].group()
                depth += (text in ("(", "{")) - (text in (")", "}"))
                if text == ";":
                    break
                if tokens[k]["name"] and expects and text not in _TYPES:
                    found.add(text)
                    expects = False
                elif text == "," and depth == 0:
                    expects = True
        k += 1
    return found


def _infer(text, inout, out):
    """The names of inputs, and of outputs that are assigned but not declared."""
    tokens = _tokens(text)
    known = _WORDS | _locals(tokens) | set(inout) | set(out)
    inputs, assigned = {}, {}  # sets that keep the order
    for k, token in enumerate(tokens):
        name = token["name"]
        following = tokens[k + 1].group() if k + 1 < len(tokens) else ""
        if following == "." and k + 3 < len(tokens):  # a part of a complex number
            following = tokens[k + 3].group()
        if not name or name in known or following == "(" or (k and tokens[k - 1].group() == "."):
            continue
        (assigned if following == "=" else inputs)[name] = True
    for name in assigned:
        if name in inputs:
            raise ValueError(f"{name} is read and assigned: declare it by inout={name!r}, or as a variable")
    return list(inputs), list(assigned)


class _Plan:
    """Names and kinds of the parameters, without indices."""

    def __init__(self, parameters, body, name, arithmetic, skipped=0):
        self.body, self.name, self.skipped = body, name, skipped
        self.parameters = parameters
        self.compiled = {}
        self.may_skip = bool(_SKIPS.search(str(parameters)))
        self.default = None if arithmetic is None else format_name(arithmetic)
        if self.default is not None and self.default not in _CLASSES:
            raise TypeError(f"arithmetic is {arithmetic!r}, which is not one of {', '.join(_CLASSES)}")
        self.check()

    def check(self):
        """Compiles the text, so that errors occur at once."""
        numbers = (False,) * len(self.parameters) if isinstance(self.parameters, list) else None
        first = 0 if self.default is None else _CLASSES[self.default]
        try:
            kernel = self.kernel(first, numbers)
        except KernelError:
            if self.default is not None:
                raise
            try:
                kernel = self.kernel(2, numbers)
            except KernelError:
                kernel = self.kernel(first, numbers)  # raises the first error again
            self.default = "c128"
        self.names = [name for name, _ in _core.kernel_parameters(kernel)]
        self.kinds = [kind for _, kind in _core.kernel_parameters(kernel)]
        self.written = [k for k, kind in enumerate(self.kinds) if kind in _WRITTEN]
        for name in self.names:
            if name in _RESERVED:
                raise ValueError(f"{name!r} is an option of the call and cannot be the name of a parameter")

    def kernel(self, kernel_class, numbers):
        key = (kernel_class, numbers)
        if key not in self.compiled:
            parameters = self.parameters
            if numbers is not None:
                parameters = ", ".join(
                    f"{'real' if number else kind}({name})" for (name, kind), number in zip(parameters, numbers)
                )
            self.compiled[key] = _compile(self.name, parameters, self.body, kernel_class, self.skipped)
        return self.compiled[key]


def _is_number(value):
    return isinstance(value, (int, float, complex)) and not isinstance(value, np.ndarray)


class kernel:
    """A computation of one element, written as a text and applied to arrays of any format.

    The text is the body of a C function (doc/kernel_text.md). It is checked when the object is created, and
    interpreted tile by tile. Each element is read, computed in the arithmetic type, and rounded once to the format of
    the result.

    Parameters
    ----------
    text : str
        Statements, such as ``"y = alpha * x + y"``.
    parameters : str, optional
        The parameter list, such as ``"at(i, j), stencil(u, nearest, 1, 1), out(v)"``. By default, names that are not
        declared are inputs, and `inout` and `out` name the outputs.
    inout, out : str or sequence of str, optional
        Names of outputs, separated by commas. Other names that are assigned are outputs, too.
    arithmetic : str, optional
        The type of the computation: ``"f64"``, ``"f32"``, ``"i64"``, ``"c128"`` or ``"c64"``. The default is
        ``"c128"`` if an argument is complex, and ``"f64"`` otherwise.
    name : str, optional
        The name in messages and traces.
    jit : bool or str, optional
        Compile the kernel for the formats of its arguments if a C compiler is found. A string is the executor, such
        as ``"threads:threads=2,jit"``. Kernels with ``at``, ``stencil``, ``gather`` or ``scatter`` are interpreted.

    Raises
    ------
    KernelError
        The text is malformed; the attributes `lineno` and `offset` are line and column.

    Notes
    -----
    A call takes the parameters in this order: inputs in the order of the text, then `inout`, then `out`; or that of
    the parameter list. Outputs at the end may be omitted: they are created, in the promoted format of the inputs or
    the format that the option ``format`` names; elements that the rule ``inside`` of a stencil excludes are 0. Further
    options are ``arithmetic``, and ``shape``, the extents of the
    iteration space. Inputs are broadcast. The result is the output, or a tuple of all outputs.

    Examples
    --------
    >>> import numpy as np, steno
    >>> axpy = steno.kernel("y = alpha * x + y", inout="y")
    >>> y = steno.ones(3, "bf16")
    >>> axpy(2.0, [1.0, 2.0, 3.0], y)
    Array([3., 5., 7.], format='bf16')
    >>> steno.kernel("z = sqrt(x * x + y * y)")(3.0, np.array([4.0, 0.0]))
    array([5., 3.])
    >>> smooth = steno.kernel(
    ...     "v = (STN_AT(u, i - 1) + 2 * STN_AT(u, i) + STN_AT(u, i + 1)) / 4",
    ...     "at(i), stencil(u, nearest, 1), out(v)",
    ... )
    >>> smooth(np.array([0.0, 4.0, 0.0]))
    array([1., 2., 1.])
    """

    def __init__(self, text, parameters=None, *, inout=(), out=(), arithmetic=None, name=None, jit=False):
        if not isinstance(text, str):
            raise TypeError(f"the text is {text!r}, which is not a str")
        self._options = {"parameters": parameters, "inout": inout, "out": out, "arithmetic": arithmetic, "name": name, "jit": jit}
        body = text if text.rstrip().endswith((";", "}")) else text + ";"
        if parameters is None:
            if _ELEMENTS.search(text):
                raise ValueError("a text that reads elements by index requires the argument parameters")
            inout, out = _names(inout or (), "inout"), _names(out or (), "out")
            inputs, assigned = _infer(text, inout, out)
            parameters = [(one, "in") for one in inputs]
            parameters += [(one, "inout") for one in inout]
            parameters += [(one, "out") for one in (*out, *assigned)]
        elif inout or out:
            raise ValueError("inout and out are declared in parameters")
        self._plan = _Plan(parameters, body, name or "kernel", arithmetic)
        self._jit = "threads:jit" if jit is True else jit or None
        self.text = text

    def __reduce__(self):
        """Pickles the text, which is compiled again."""
        return functools.partial(type(self), self.text, **self._options), ()

    def __repr__(self):
        return f"steno.kernel({self.text!r}, {', '.join(map('{}({})'.format, self._plan.kinds, self._plan.names))})"

    def __call__(self, *values, arithmetic=None, format=None, shape=None, **named):
        plan = self._plan
        arguments = _bind(plan, values, named)
        arrays = [
            value if value is None or isinstance(value, _PASSED) or kind in _NOT_READ else view_of(value)
            for value, kind in zip(arguments, plan.kinds)
        ]
        chosen = _arithmetic(plan, arithmetic, arrays)
        outputs, in_numpy = _create_outputs(plan, arguments, arrays, chosen, format, shape)
        numbers = None
        if isinstance(plan.parameters, list):
            numbers = tuple(
                kind == "in" and _is_number(value) for value, kind in zip(arrays, plan.kinds)
            )
        compiled = plan.kernel(_CLASSES[chosen], numbers)
        if self._jit:
            if self._jit not in _jit_executors:
                _jit_executors[self._jit] = _core.executor(self._jit)
            with _jit_executors[self._jit]:
                _core.kernel_run(compiled, chosen, shape, tuple(arrays))
        else:
            _core.kernel_run(compiled, chosen, shape, tuple(arrays))
        results = tuple(
            np.asarray(arrays[k]) if created and in_numpy else arrays[k] for k, created in outputs
        )
        return results[0] if len(results) == 1 else results


def _bind(plan, values, named):
    """One argument per parameter; None for outputs that are missing."""
    if len(values) > len(plan.names):
        raise TypeError(f"the kernel has {len(plan.names)} parameters, but {len(values)} arguments are given")
    arguments = list(values) + [None] * (len(plan.names) - len(values))
    for name, value in named.items():
        if name not in plan.names:
            raise TypeError(f"the kernel has no parameter {name!r}")
        at = plan.names.index(name)
        if at < len(values):
            raise TypeError(f"the kernel has two arguments for {name}")
        arguments[at] = value
    for name, kind, value in zip(plan.names, plan.kinds, arguments):
        if value is None and kind != "out":
            raise TypeError(f"the argument {name} is missing")
    return arguments


def _arithmetic(plan, arithmetic, arrays):
    if arithmetic is not None:
        chosen = format_name(arithmetic)
        if chosen not in _CLASSES:
            raise TypeError(f"arithmetic is {chosen!r}, which is not one of {', '.join(_CLASSES)}")
        return chosen
    if plan.default is not None:
        return plan.default
    for value in arrays:
        format = getattr(value, "format", None)
        if isinstance(value, complex) or (isinstance(format, str) and is_complex(format)):
            return "c128"
        if isinstance(value, np.ndarray) and value.dtype.kind == "c":
            return "c128"
    return "f64"


def _create_outputs(plan, arguments, arrays, arithmetic, format, shape):
    """Creates missing outputs. Returns (index, whether it was created) of all, and whether NumPy arrays are wanted."""
    outputs = [(k, arrays[k] is None) for k in plan.written]
    if not any(missing for _, missing in outputs):
        return outputs, False
    given = [value for value, kind in zip(arguments, plan.kinds) if kind not in _NUMBERS]
    in_numpy = not any(isinstance(value, Array) for value in given) and format is None
    if shape is None:
        shape = _space(plan, arrays)
    if format is None:
        format = _result_format([view_of(one) for one in arrays if isinstance(one, (Array, np.ndarray))], arithmetic)
    for k, missing in outputs:
        if missing:
            arrays[k] = zeros(shape, format) if plan.may_skip else empty(shape, format)
    return outputs, in_numpy


def _space(plan, arrays):
    """The extents of the iteration space."""
    shapes = [
        np.shape(value) if not isinstance(value, Array) else value.shape
        for value, kind in zip(arrays, plan.kinds)
        if kind in ("in", "inout", "out", "masked") and value is not None
    ]
    if any(shapes):
        return np.broadcast_shapes(*shapes)
    for value, kind in zip(arrays, plan.kinds):
        if kind in ("stencil", "shifted"):
            return value.shape
    if not shapes and any(kind in ("gather", "scatter") for kind in plan.kinds):
        raise ValueError("the extents of the outputs are unknown: give the outputs, or shape")
    return ()


def _result_format(inputs, arithmetic):
    result = _core.promote([value._value_format for value in inputs]) if inputs else "f64"
    if arithmetic == "i64":
        return result if is_integer(result) else "i64"
    if is_complex(arithmetic):
        return result if is_complex(result) else _core.promote([result, "c32"])
    return "f64" if is_integer(result) else result


_OPERATIONS = {
    "sum": ("sum", "{}"),
    "min": ("min", "{}"),
    "max": ("max", "{}"),
    "argmin": ("argmin", "{}"),
    "argmax": ("argmax", "{}"),
    "norm1": ("sum", "fabs({})"),
    "norm2": ("norm", "{}"),
    "norm_inf": ("max", "fabs({})"),
    "count": ("sum", "({}) != 0"),
    "any": ("sum", "({}) != 0"),
    "all": ("sum", "({}) == 0"),
}


class reduction:
    """A reduction of an expression, written as a text, over arrays of any format.

    Parameters
    ----------
    expression : str
        The expression of an element, such as ``"a - b"``.
    operation : str, optional
        ``"sum"``, ``"min"``, ``"max"``, ``"argmin"``, ``"argmax"``, ``"norm1"``, ``"norm2"``, ``"norm_inf"``,
        ``"count"``, ``"any"`` or ``"all"``. The last three interpret the expression as a condition.
    parameters, arithmetic, jit
        As of `kernel`. The parameter list has no outputs.

    Notes
    -----
    A call takes the parameters in the order of the text, and the options ``axis``, as of `steno.sum`, and
    ``arithmetic``. Elements are computed into temporary arrays in the arithmetic type: without ``axis`` of at most
    about a million elements. Results have the same bits for every number of threads.

    Examples
    --------
    >>> import steno
    >>> distance = steno.reduction("a - b", "norm2")
    >>> distance(steno.array([1.0, 2.0], "f16"), [4.0, 6.0])
    5.0
    >>> steno.reduction("x > limit", "count")([1.0, 5.0, 7.0], limit=4.0)
    2
    """

    def __init__(self, expression, operation="sum", parameters=None, *, arithmetic=None, jit=False):
        if operation not in _OPERATIONS:
            raise ValueError(f"operation is {operation!r}, which is not one of {', '.join(_OPERATIONS)}")
        if not isinstance(expression, str):
            raise TypeError(f"the expression is {expression!r}, which is not a str")
        self.expression, self.operation = expression, operation
        self._options = {"parameters": parameters, "arithmetic": arithmetic, "jit": jit}
        self._function, form = _OPERATIONS[operation]
        self._result = "element"
        while self._result in expression:
            self._result += "_"
        before, after = form.split("{}")
        prefix = f"{self._result} = {before}"
        text = f"{prefix}{expression.rstrip().rstrip(';')}{after};"
        self._kernel = kernel.__new__(kernel)
        if parameters is None:
            inputs, assigned = _infer(expression, (), ())
            if assigned:
                raise ValueError(f"the expression assigns {assigned[0]}")
            parameters = [*((name, "in") for name in inputs), (self._result, "out")]
        else:
            parameters = f"{parameters}, out({self._result})" if parameters.strip() else f"out({self._result})"
        self._kernel._plan = _Plan(parameters, text, "reduction", arithmetic, len(prefix))
        self._kernel._jit = "threads:jit" if jit is True else jit or None
        self._kernel.text = text

    def __reduce__(self):
        """Pickles the text, which is compiled again."""
        return functools.partial(type(self), self.expression, self.operation, **self._options), ()

    def __repr__(self):
        return f"steno.reduction({self.expression!r}, {self.operation!r})"

    def __call__(self, *values, axis=None, arithmetic=None, shape=None, **named):
        plan = self._kernel._plan
        if len(values) >= len(plan.names):
            raise TypeError(f"the reduction has {len(plan.names) - 1} parameters, but {len(values)} arguments are given")
        if self._result in named:
            raise TypeError(f"the reduction has no parameter {self._result!r}")
        arrays = [view_of(value) for value in (*values, *named.values()) if not _is_number(value)]
        chosen = _arithmetic(plan, arithmetic, arrays + [v for v in (*values, *named.values()) if _is_number(v)])
        arguments = _bind(plan, values, named)
        if axis is None and shape is None and chosen in _CLASSES:
            result = self._reduce_all(arguments, chosen)
        else:
            elements = self._kernel(*arguments, arithmetic=chosen, format=chosen, shape=shape)
            result = getattr(_functions, self._function)(elements, axis)
        if self.operation == "any":
            return result > 0
        if self.operation == "all":
            return result == 0
        if self.operation == "count":
            return result.astype("i64", scale=1.0) if isinstance(result, Array) else int(result)
        return result

    def _reduce_all(self, arguments, arithmetic):
        """Reduces all elements block by block, with the bits of the reduction of the whole."""
        part, first = None, 0
        for block in _blocks(self._kernel._plan, arguments):
            elements = self._kernel(*block, arithmetic=arithmetic, format=arithmetic)
            if elements.size == 0 and self._function not in ("sum", "norm"):
                raise ValueError(f"the reduction {self.operation} has no elements")
            part = _core.reduce_part(self._function, elements, arithmetic, first, part)
            first += elements.size
        return _core.reduce_finish(self._function, arithmetic, part)


def _blocks(plan, arguments):
    """Arguments of blocks along the first dimension, with about a million elements each."""
    arrays = [
        value if kind != "in" or isinstance(value, _PASSED) else view_of(value)
        for value, kind in zip(arguments, plan.kinds)
    ]
    shapes = [np.shape(one) if not isinstance(one, Array) else one.shape for one in arrays[:-1]]
    space = np.broadcast_shapes(*shapes) if {*plan.kinds[:-1]} <= {"in", *_NUMBERS} else ()
    size = math.prod(space)
    if size <= _BLOCK or space[0] == 1:
        yield arrays
        return
    rows = max(1, _BLOCK * space[0] // size)
    divided = [len(shape) == len(space) and shape[0] > 1 for shape in shapes]
    for begin in range(0, space[0], rows):
        parts = [one[begin : begin + rows] if cut else one for one, cut in zip(arrays, divided)]
        yield [*parts, None]
