"""The programs in examples/python."""

import pathlib
import runpy
import sys

import pytest

folder = pathlib.Path(__file__).parents[2] / "examples" / "python"
programs = sorted(folder.glob("*.py"))


def test_programs_are_found():
    assert len(programs) >= 3


@pytest.mark.parametrize("path", programs, ids=lambda path: path.stem)
def test_program(path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [str(path)])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(path), run_name="__main__")
    assert ended.value.code == 0, capsys.readouterr().out
    assert len(capsys.readouterr().out.splitlines()) >= 2


@pytest.mark.parametrize("name", ["f16", "f32"])
def test_fluid_in_other_formats(name, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["fluid.py", "32", name, "60"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(folder / "fluid.py"), run_name="__main__")
    assert ended.value.code == 0
