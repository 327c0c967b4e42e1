"""What conversion and tracing tell, and when."""

import logging
import runpy

import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.jit import set_code_level, set_verbosity, to_static
from twinoar.jit.concrete import ConcreteProgram
from twinoar.static import InputSpec


@pytest.fixture(autouse=True)
def silence():
    yield
    set_verbosity(0)
    set_code_level(0)


BRANCH = """
def branch(x, k=1):
    if x.sum() > 0:
        y = x + k
    else:
        y = x - k
    return y
"""


@pytest.fixture
def fresh(tmp_path):
    """A function that has not been converted before."""
    file = tmp_path / "fresh.py"
    file.write_text(BRANCH)
    return to_static(runpy.run_path(str(file))["branch"])


def test_nothing_is_told_unless_asked(capsys, fresh):
    fresh(paddle.ones([2]))
    assert capsys.readouterr() == ("", "")


def test_level_1_tells_what_is_converted_and_traced_and_why(capsys, fresh):
    set_verbosity(1)
    fresh(paddle.ones([2]))
    fresh(paddle.ones([3]))
    out, err = capsys.readouterr()
    assert out == ""
    converted, first, second = err.splitlines()
    assert "converted branch" in converted and "fresh.py:2" in converted
    assert "traced branch(x: a tensor of shape [2], k: 1)" in first and "first trace" in first
    assert "dimension 0 of x was 2, and is 3" in second


def test_levels_above_tell_more(capsys, fresh):
    set_verbosity(3)
    fresh(paddle.ones([2]))
    err = capsys.readouterr().err
    assert "twinoar.jit Level 5: program branch {" in err


def test_messages_go_to_stdout_as_well_if_asked(capsys, fresh):
    set_verbosity(1, also_to_stdout=True)
    fresh(paddle.ones([2]))
    out, err = capsys.readouterr()
    assert out == err and "traced branch" in out


def test_messages_go_through_logging(caplog, fresh):
    with caplog.at_level(logging.INFO, "twinoar.jit"):
        fresh(paddle.ones([2]))
    assert [r.levelname for r in caplog.records] == ["INFO"] * 2


def test_logging_of_a_program_at_its_own_level_shows_nothing_of_it(caplog, fresh):
    with caplog.at_level(logging.INFO):
        fresh(paddle.ones([2]))
    assert not caplog.records


def test_code_level_100_shows_the_code_that_runs(capsys, fresh):
    set_code_level()
    fresh(paddle.ones([2]))
    assert fresh.code in capsys.readouterr().err


def test_lower_code_levels_show_the_code_between_stages(capsys, fresh):
    set_code_level(1)
    fresh(paddle.ones([2]))
    shown = capsys.readouterr().err
    assert shown.count("after ") == 1 and "def branch(x, k=1):" in shown


@pytest.mark.parametrize("setting", [set_verbosity, set_code_level])
def test_a_level_is_an_integer(setting):
    with pytest.raises(TypeMismatchError, match="received '1'"):
        setting("1")


def test_code_has_no_names_that_conversion_made_up(fresh):
    assert "_twinoar_" not in fresh.code


def test_a_concrete_program_comes_with_what_runs_it(fresh):
    concrete, run = fresh.get_concrete_program(InputSpec([None]))
    assert isinstance(concrete, ConcreteProgram)
    assert run([paddle.ones([2])]).tolist() == [2.0, 2.0]


def test_the_cache_knows_the_latest_program_and_forgets_all(fresh):
    with pytest.raises(ArgumentError, match="no Program yet"):
        fresh.program_cache.last()
    for n in (1, 2, 1):
        fresh(paddle.ones([n]))
    cache = fresh.program_cache
    assert len(cache) == 2 and len(cache.concrete_programs()) == 2
    key, (concrete, _) = cache.last()
    assert cache[key] is concrete is fresh.concrete_program
    cache.clear()
    assert not cache
    assert fresh(paddle.ones([1])).tolist() == [2.0] and len(cache) == 1


def test_rollback_gives_the_plain_function():
    layer = to_static(paddle.nn.Linear(2, 3))
    plain = layer.forward.rollback()
    x = paddle.ones([1, 2])
    assert plain(x).tolist() == layer(x).tolist()
    assert layer.forward.__func__ is paddle.nn.Linear.forward
