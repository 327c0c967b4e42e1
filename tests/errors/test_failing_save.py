"""A save that fails half-way leaves the old files as they were, and nothing beside them."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import jit, nn, static
from twinoar.errors import FileError
from twinoar.static import InputSpec


def save(value: float) -> None:
    paddle.save({"w": paddle.full([4], value)}, "net.pdparams")


def save_binary(value: float) -> None:
    paddle.save(paddle.full([4], value), "net.pdiparams", use_binary_format=True)


def save_converted(value: float) -> None:
    layer = nn.Linear(3, 2)
    layer.weight.set_value(np.full((3, 2), value, "float32"))
    jit.save(layer, "net", input_spec=[InputSpec([None, 3], "float32", "x")], verify=True)


def program_of(value: float) -> tuple[static.Program, Any, Any]:
    program, startup = static.Program(), static.Program()
    with static.program_guard(program, startup):
        x = static.data("x", [None, 3])
        y = static.nn.fc(x, 2, weight_attr=nn.initializer.Constant(value))
    static.Executor().run(startup)
    return program, x, y


def save_inference(value: float) -> None:
    with static.scope_guard(static.Scope()):
        program, x, y = program_of(value)
        static.save_inference_model("net", [x], [y], program=program)


def save_program(value: float) -> None:
    with static.scope_guard(static.Scope()):
        static.save(program_of(value)[0], "net")


SAVES: dict[str, Callable[[float], None]] = {
    "save": save,
    "save in binary": save_binary,
    "jit.save": save_converted,
    "save_inference_model": save_inference,
    "static.save": save_program,
}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def is_here(path: Any) -> bool:
    return Path(path).resolve().is_relative_to(Path.cwd())


def failing(function: Callable, after: int, error: int) -> Callable:
    """`function`, but for call number `after` for a file here, which fails as the system would."""
    calls = iter(range(1000))

    def fails(*args: Any, **kwargs: Any) -> Any:
        is_elsewhere = not isinstance(args[0], int) and not is_here(args[0])  # what is kept of code
        if not is_elsewhere and next(calls) == after:
            raise OSError(error, os.strerror(error))
        return function(*args, **kwargs)

    return fails


FAILURES = {
    "the disk is full": (os, "fsync", errno.ENOSPC),
    "the disk fails": (os, "fsync", errno.EIO),
    "no file can be opened": (os, "open", errno.EMFILE),
    "a rename fails": (Path, "replace", errno.EIO),
}


FILES = {"jit.save": 4, "save_inference_model": 2, "static.save": 3}  # the others write one
STEPS = [(kind, after) for kind in SAVES for after in range(FILES.get(kind, 1))]


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize(("kind", "after"), STEPS)
def test_the_old_files_stay_and_nothing_is_left_beside_them(
    kind: str, failure: str, after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    SAVES[kind](1.0)
    before = contents(tmp_path)
    assert len(before) == FILES.get(kind, 1)
    holder, name, error = FAILURES[failure]
    monkeypatch.setattr(holder, name, failing(getattr(holder, name), after, error))
    with pytest.raises(FileError, match=f"(?s){os.strerror(error)}.*cure: "):
        SAVES[kind](2.0)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("kind", SAVES)
def test_a_first_save_that_fails_leaves_nothing(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "replace", failing(Path.replace, 0, errno.ENOSPC))
    with pytest.raises(FileError, match="cannot write"):
        SAVES[kind](1.0)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("kind", SAVES)
def test_an_interrupted_save_leaves_the_old_files(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    SAVES[kind](1.0)
    before = contents(tmp_path)
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        SAVES[kind](2.0)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("kind", SAVES)
def test_without_a_failure_the_files_are_new(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    SAVES[kind](1.0)
    before = contents(tmp_path)
    SAVES[kind](2.0)
    after = contents(tmp_path)
    assert after.keys() == before.keys()
    assert after != before
