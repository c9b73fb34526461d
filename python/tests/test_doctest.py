"""The examples of docstrings."""

import doctest
import importlib
import pathlib
import pkgutil

import pytest

import steno

modules = [name for _, name, _ in pkgutil.iter_modules(steno.__path__, "steno.")]


@pytest.mark.parametrize("name", ["steno", *modules])
def test_docstrings(name):
    module = importlib.import_module(name)
    found = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0


def test_compiled_docstrings():
    """Functions of the extension are not found by doctest.testmod."""
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for function in (steno.dot, steno.matmul, steno.axpy, steno.executor):
        for test in doctest.DocTestFinder().find(function, function.__name__, module=steno._core):
            runner.run(test)
    assert runner.tries >= 8 and runner.failures == 0


def test_guide():
    """The examples of doc/python.md."""
    guide = pathlib.Path(__file__).parents[2] / "doc" / "python.md"
    found = doctest.testfile(str(guide), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted >= 15 and found.failed == 0
