"""The stubs declare what the module has, with the same parameters."""

import ast
import inspect
import pathlib

import pytest

import steno

stubs = ast.parse(pathlib.Path(steno.__file__).with_suffix(".pyi").read_text())
declared = {node.name: node for node in stubs.body if hasattr(node, "name")}


def parameters(function):
    arguments = function.args
    names = [one.arg for one in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]
    return names, [one.arg for one in (arguments.vararg, arguments.kwarg) if one]


def test_names():
    modules = {name for name in steno.__all__ if inspect.ismodule(getattr(steno, name))}
    imported = {alias.asname or alias.name for node in stubs.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(steno.__all__) - modules <= set(declared) | imported
    assert {name for name in declared if not name.startswith("_")} <= set(steno.__all__)


@pytest.mark.parametrize(
    "owner, name",
    [(steno, name) for name, node in declared.items() if isinstance(node, ast.FunctionDef)]
    + [
        (steno.Array, node.name)
        for node in declared["Array"].body
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and not node.name.startswith("__")
    ],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_parameters(owner, name):
    body = declared["Array"].body if owner is steno.Array else stubs.body
    node = next(one for one in body if getattr(one, "name", None) == name)
    names, variable = parameters(node)
    signature = inspect.signature(getattr(owner, name))
    assert list(signature.parameters) == names + variable or sorted(signature.parameters) == sorted(names + variable)


def test_members():
    for node in declared["Array"].body:
        if node.name != "__buffer__":  # visible from Python 3.12 on
            assert hasattr(steno.Array, node.name), node.name
    public = {name for name in dir(steno.Array) if not name.startswith("_")}
    assert public == {node.name for node in declared["Array"].body if not node.name.startswith("_")}


@pytest.mark.parametrize("module", [steno.blas, steno.io, steno.linalg, steno.sparse], ids=lambda one: one.__name__)
def test_submodules(module):
    """Functions and methods of submodules are declared with their parameters and defaults."""
    tree = ast.parse(pathlib.Path(module.__file__).with_suffix(".pyi").read_text())
    nodes = {node.name: node for node in tree.body if hasattr(node, "name")}
    assert set(nodes) == set(module.__all__)
    for name, node in nodes.items():
        owner = getattr(module, name)
        if isinstance(node, ast.FunctionDef):
            assert list(inspect.signature(owner).parameters) == parameters(node)[0], name
            continue
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and not one.decorator_list and not one.name.startswith("__"):
                assert list(inspect.signature(getattr(owner, one.name)).parameters) == parameters(one)[0], one.name
