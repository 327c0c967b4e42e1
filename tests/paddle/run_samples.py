"""Runs programs that twinoar has written in the real Paddle; it needs Paddle and NumPy alone.

A folder holds `<name>.pdmodel` or `<name>.json`, perhaps `<name>.pdiparams`, and `<name>.npz` with
feeds and expected results.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

BATCH = 40


def differences(paddle: Any, folder: Path, names: list[str]) -> dict[str, str]:
    """What is wrong with each program that fails, or whose results are not those expected.

    A problem counts if the program has it in a process of its own too: others before it in the
    same process may have spoilt Paddle's memory.
    """
    paddle.enable_static()
    found: dict[str, str] = {}
    for start in range(0, len(names), BATCH):
        some = names[start : start + BATCH]
        together = apart(paddle, folder, some)
        for name in some:
            if together.get(name, "crashed"):
                found |= apart(paddle, folder, [name]) or {name: "crashed"}
    return {name: problem for name, problem in found.items() if problem}


def apart(paddle: Any, folder: Path, names: list[str]) -> dict[str, str]:
    """The differences found by a process of its own; none at all if Paddle takes it down."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w") as pipe:
            json.dump({name: difference(paddle, folder, name) for name in names}, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    return {} if os.waitpid(child, 0)[1] else json.loads(said)


def difference(paddle: Any, folder: Path, name: str) -> str:
    known = np.load(folder / f"{name}.npz")
    try:
        results = run(paddle, folder, name, known)
    except Exception as error:
        lines = [
            line.strip() for line in str(error).split("\n") if "Hint" in line or "Error:" in line
        ]
        return f"{type(error).__name__}: {' '.join(lines) or error}"[:300]
    problems = [compare(known[f"out_{i}"], np.asarray(a)) for i, a in enumerate(results)]
    return "; ".join(p for p in problems if p)


def run(paddle: Any, folder: Path, name: str, known: Any) -> list:
    if (folder / f"{name}.json").exists():
        return run_of_paddle_3(paddle, folder, name, known)
    executor = paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(paddle.static.Scope()):
        program = paddle.static.deserialize_program((folder / f"{name}.pdmodel").read_bytes())
        parameters = folder / f"{name}.pdiparams"
        if parameters.exists():
            paddle.static.deserialize_persistables(program, parameters.read_bytes(), executor)
        feeds = {n: known[f"in_{n}"] for n in program.desc.get_feed_target_names()}
        fetches = [program.global_block().var(n) for n in program.desc.get_fetch_target_names()]
        return executor.run(program, feed=feeds, fetch_list=fetches)


def run_of_paddle_3(paddle: Any, folder: Path, name: str, known: Any) -> list:
    executor = paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(paddle.static.Scope()):
        program = paddle.static.Program()
        paddle.base.core.deserialize_pir_program(str(folder / f"{name}.json"), program, 1)
        parameters = folder / f"{name}.pdiparams"
        if parameters.exists():
            paddle.static.deserialize_persistables(program, parameters.read_bytes(), executor)
        inputs = [o for o in program.global_block().ops if o.name() == "pd_op.data"]
        names = [o.attrs()["name"] for o in inputs]
        return executor.run(program, feed={n: known[f"in_{n}"] for n in names}, fetch_list=[])


def compare(expected: np.ndarray, found: np.ndarray) -> str:
    if (expected.dtype, expected.shape) != (found.dtype, found.shape):
        return f"{found.dtype} {found.shape} for {expected.dtype} {expected.shape}"
    if expected.dtype.kind in "fc":
        same = np.allclose(expected, found, rtol=1e-4, atol=1e-5, equal_nan=True)
    else:
        same = np.array_equal(expected, found)
    return "" if same else f"values differ: {found.ravel()[:4]} for {expected.ravel()[:4]}"
