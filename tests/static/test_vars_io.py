"""Variables in files of Paddle 1's form."""

import numpy as np
import pytest

from twinoar import static
from twinoar.errors import ArgumentError, FileError, ShapeError, TypeMismatchError


@pytest.fixture
def program():
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        static.nn.fc(static.data("x", [None, 2]), 1, weight_attr="w", bias_attr="b")
        static.Executor().run(startup)
        yield main


def clear(program):
    program.set_state_dict({k: np.zeros_like(v) for k, v in program.state_dict().items()})


@pytest.mark.parametrize("filename", [None, "all"])
def test_variables_come_back(program, tmp_path, filename):
    exe, before = static.Executor(), program.state_dict()
    settings = {"predicate": static.is_persistable, "filename": filename}
    static.save_vars(exe, tmp_path / "folder", program, **settings)
    files = sorted(p.name for p in (tmp_path / "folder").iterdir())
    assert files == (["b", "w"] if filename is None else ["all"])
    clear(program)
    static.load_vars(exe, tmp_path / "folder", program, **settings)
    for name, value in program.state_dict().items():
        np.testing.assert_array_equal(value, before[name])


def test_chosen_variables_are_saved_alone(program, tmp_path):
    static.io.save_vars(None, tmp_path, program, vars=["w"])
    assert [p.name for p in tmp_path.iterdir()] == ["w"]
    assert isinstance(static.save_vars(None, None, program, vars=program.all_parameters()), bytes)


def test_what_is_missing_or_does_not_fit_is_refused_and_nothing_is_set(program, tmp_path):
    static.save_vars(None, tmp_path, program, vars=["w"])
    with pytest.raises(FileError, match="cannot read"):
        static.load_vars(None, tmp_path, program, predicate=static.is_persistable)
    (tmp_path / "w").rename(tmp_path / "b")
    before = program.state_dict()
    with pytest.raises(ShapeError, match="the state b"):
        static.load_vars(None, tmp_path, program, vars=["b"])
    np.testing.assert_array_equal(program.state_dict()["b"], before["b"])
    with pytest.raises(ArgumentError, match="both missing"):
        static.save_vars(None, tmp_path, program)
    with pytest.raises(TypeMismatchError, match="computed by each run"):
        static.save_vars(None, tmp_path, program, vars=["x"])
