"""Flags: read from the environment, overridden, refused with a message that helps."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from twinoar import config
from twinoar.errors import ArgumentError, UnknownNameError


@pytest.mark.parametrize(
    ("variable", "text", "name", "value"),
    [
        ("TWINOAR_DEBUG", "3", "debug", 3),
        ("TWINOAR_BACKEND", "numpy", "backend", "numpy"),
        ("TWINOAR_CHECK", "on", "check", True),
        ("TWINOAR_CHECK", "False", "check", False),
        ("TWINOAR_ONEDNN", "0", "onednn", False),
        ("TWINOAR_STRICT", "1", "strict", True),
        ("TWINOAR_PROGRAMS_KEPT", "8", "programs_kept", 8),
        ("TWINOAR_PASSES", "-fold, -cse", "passes", ("-fold", "-cse")),
        ("TWINOAR_PASSES", "", "passes", ()),
        ("TWINOAR_DATA_HOME", "~/sets", "data_home", Path.home() / "sets"),
        ("TWINOAR_FIXTURES", "models", "fixtures", Path("models")),
    ],
)
def test_a_variable_sets_its_flag(variable: str, text: str, name: str, value: object) -> None:
    assert config.read({variable: text})[name] == value


def test_without_variables_every_flag_has_its_default() -> None:
    assert config.read({"HOME": "x"}) == {
        "data_home": Path.home() / ".cache" / "twinoar",
        "cache_dir": Path.home() / ".cache" / "twinoar" / "compiled",
        "backend": "auto",
        "onednn": True,
        "fixtures": None,
        "network": None,
        "check": False,
        "debug": 0,
        "finite": False,
        "passes": (),
        "pir": False,
        "programs_kept": 256,
        "strict": False,
        "full_traceback": False,
    }


@pytest.mark.parametrize(
    ("variable", "text", "legal"),
    [
        ("TWINOAR_BACKEND", "cuda", "one of auto, native, numpy, got 'cuda'"),
        ("TWINOAR_DEBUG", "7", "a level from 0 to 6, got '7'"),
        ("TWINOAR_DEBUG", "much", "a level from 0 to 6, got 'much'"),
        ("TWINOAR_PROGRAMS_KEPT", "0", "a number of 1 or more, got '0'"),
        ("TWINOAR_CHECK", "2", "one of 0, 1, false, true, off, on, got '2'"),
        ("TWINOAR_PASSES", "fold", "names of passes, each with a leading '-' or '+'"),
        ("TWINOAR_DATA_HOME", "", "a folder, got ''"),
    ],
)
def test_a_wrong_value_is_refused_with_the_legal_ones(variable: str, text: str, legal: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        config.read({variable: text})
    assert f"{variable} expects {legal}" in str(caught.value)
    assert f"cure: unset {variable}" in str(caught.value)


def test_an_unknown_variable_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="TWINOAR_DEBGU, the nearest is TWINOAR_DEBUG"):
        config.read({"TWINOAR_DEBGU": "1"})


def test_the_environment_is_read_on_import() -> None:
    program = "from twinoar import config; print(config.debug, config.strict)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"TWINOAR_DEBUG": "2", "TWINOAR_STRICT": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "2 False\n"


def test_override_ends_with_its_block_even_when_that_fails() -> None:
    before = config.debug
    with pytest.raises(ZeroDivisionError), config.override(debug=before + 1, check=True):
        assert (config.debug, config.check) == (before + 1, True)
        raise ZeroDivisionError
    assert config.debug == before


def test_overrides_nest() -> None:
    with config.override(debug=1):
        with config.override(debug=2):
            assert config.debug == 2
        assert config.debug == 1


def test_override_accepts_a_sequence_and_none() -> None:
    with config.override(passes=["-fold", "-cse"], fixtures=None):
        assert (config.passes, config.fixtures) == (("-fold", "-cse"), None)


def test_override_refuses_an_unknown_flag_and_changes_nothing() -> None:
    before = config.debug
    with (
        pytest.raises(UnknownNameError, match="no flag debgu, the nearest is debug"),
        config.override(debug=before + 1, debgu=1),
    ):
        pass
    assert config.debug == before


def test_override_refuses_a_wrong_value() -> None:
    with pytest.raises(ArgumentError, match="level from 0 to 6"), config.override(debug=True):
        pass


def test_every_flag_is_declared_with_its_type() -> None:
    annotated = {name for name in config.__annotations__ if name.islower()}
    assert annotated == {flag.name for flag in config.FLAGS}
