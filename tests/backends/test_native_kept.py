"""Commands on disk: a known Program runs without being planned, an unknown one never as another."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from twinoar import config
from twinoar.backends.host import host
from twinoar.backends.llvm import cache, jit
from twinoar.backends.native import kept
from twinoar.backends.native.executable import NativeExecutable
from twinoar.compile.identity import identity
from twinoar.core.dtype import float32
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ProgramError
from twinoar.ops.collective.all_reduce import all_reduce_sum
from twinoar.ops.collective.exchange import all_gather_rows, all_to_all_rows
from twinoar.ops.control.assertion import check
from twinoar.ops.linalg.decomposition import eigvals
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import add, multiply, subtract
from twinoar.ops.math.compare import less_than
from twinoar.ops.reduce.reduction import sum as total
from twinoar.runtime.collective import run_ranks

A_PROCESS = """
import sys
import numpy as np
from twinoar.backends.native import executable as module
import twinoar as paddle
if sys.argv[1:]:
    module.compile_program = None
paddle.seed(0)
net = paddle.nn.Sequential(
    paddle.nn.Conv2D(1, 4, 3), paddle.nn.BatchNorm2D(4), paddle.nn.ReLU(), paddle.nn.Flatten(),
    paddle.nn.Linear(144, 300), paddle.nn.Tanh(), paddle.nn.Linear(300, 10),
)
optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())

@paddle.jit.to_static
def step(x, y):
    loss = paddle.nn.functional.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss

random = np.random.RandomState(0)
x, y = random.randn(64, 1, 8, 8).astype("float32"), random.randint(0, 10, 64)
print([float(step(paddle.to_tensor(x), paddle.to_tensor(y))).hex() for _ in range(4)])
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty cache for each test."""
    with config.override(cache_dir=tmp_path):
        yield tmp_path / cache.FOLDER


def model(
    op: Callable = add, factor: float = 2.0, constant: float = 3.0, rows: int | None = None
) -> Program:
    """A product with a weight, which a constant and a factor change; it counts its runs."""
    program = Program("model")
    weight = program.add_state(Spec((16, 300), float32), "weight")
    runs = program.add_state(Spec((), float32), "runs")
    shift = program.add_constant(np.full(300, constant, np.float32), Spec((300,), float32))
    count = program.fresh_dim("N") if rows is None else rows
    x = program.main.add_input(Spec((count, 16), float32), "x")
    with using(Builder(program, policy=UNRECORDED)):
        y = op(matmul(x, weight, False, False), shift)
        program.update(runs, add(runs, 1.0))
        program.main.outputs = [multiply(y, factor), total(y)]
    return program


def run(program: Program, rows: int = 5) -> list[np.ndarray]:
    """The results and the next number of runs, by an executable of its own."""
    random = np.random.default_rng(0)
    executable = NativeExecutable(program, host())
    x, weight = random.standard_normal((rows, 16)), random.standard_normal((16, 300))
    outputs, following = executable.execute(
        [x.astype(np.float32)], [weight.astype(np.float32), np.float32(6).reshape(())]
    )
    return [*outputs, *following]


def test_a_known_program_is_not_planned(planned: list[str]) -> None:
    wanted = run(model())
    found = run(model())
    assert planned == ["model"]
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)
    assert found[2] == 7


OTHERS: dict[str, Callable[[], Program]] = {
    "operator": lambda: model(subtract),
    "attribute": lambda: model(factor=3.0),
    "constant": lambda: model(constant=4.0),
    "static size": lambda: model(rows=5),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_another_program_is_planned(planned: list[str], other: Callable[[], Program]) -> None:
    run(model())
    found = run(other())
    assert len(planned) == 2
    with config.override(cache_dir=config.cache_dir / "empty"):
        np.testing.assert_array_equal(found[0], run(other())[0])


def test_other_sizes_are_planned_where_they_do_not_vary(planned: list[str]) -> None:
    assert run(model(rows=5), 5)[0].shape == (5, 300)
    assert run(model(rows=6), 6)[0].shape == (6, 300)
    assert len(planned) == 2


def test_what_is_kept_serves_sizes_that_no_process_has_seen(planned: list[str]) -> None:
    assert run(model(), 5)[0].shape == (5, 300)
    found = run(model(), 77)
    assert len(planned) == 1
    with config.override(cache_dir=config.cache_dir / "empty"):
        for a, b in zip(found, run(model(), 77), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6)


def test_the_key_contains_target_sizes_and_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    known, target = identity(model()), host()
    keys = {
        kept.key_of(known, target, {"N": 5}),
        kept.key_of(known, replace(target, threads=target.threads + 1), {"N": 5}),
        kept.key_of(known, replace(target, library=""), {"N": 5}),
        kept.key_of(known, replace(target, features=""), {"N": 5}),
        kept.key_of(known, target, {"N": 6}),
        kept.key_of(identity(model(multiply)), target, {"N": 5}),
    }
    monkeypatch.setattr(kept, "compiler", lambda: "another")
    keys.add(kept.key_of(known, target, {"N": 5}))
    assert len(keys) == 7 - (not target.library) and None not in keys


def test_what_users_add_to_the_compiler_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(matmul.rules, "flops", lambda *given: 0)
    assert identity(model()) is None
    with config.override(passes=("-simplify",)):
        assert kept.key_of("known", host(), {}) is None


def test_a_function_among_the_attributes_has_no_identity() -> None:
    program = model()
    program.main.ops[0].attrs["extra"] = print
    assert identity(program) is None


def test_a_kernel_that_is_gone_is_compiled_again(
    planned: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = run(model())
    monkeypatch.setattr(jit, "_loaded", {})
    for file in folder.iterdir():
        if b"ELF" in file.read_bytes()[:64]:
            file.unlink()
    np.testing.assert_array_equal(run(model())[0], wanted[0])
    assert len(planned) == 2


def test_a_file_that_was_changed_is_not_used(planned: list[str], folder: Path) -> None:
    wanted = run(model())
    for file in folder.iterdir():
        data = bytearray(file.read_bytes())
        data[-1] ^= 1
        file.write_bytes(bytes(data))
    np.testing.assert_array_equal(run(model())[0], wanted[0])
    assert len(planned) == 2


def test_what_numpy_runs_is_planned_each_time(planned: list[str]) -> None:
    for _ in range(2):
        program = Program("spectrum")
        x = program.main.add_input(Spec((4, 4), float32), "x")
        with using(Builder(program, policy=UNRECORDED)):
            program.main.outputs = [total(eigvals(x))]
        executable = NativeExecutable(program, host())
        ((result,), _) = executable.execute([np.eye(4, dtype=np.float32)], [])
        assert result == 4
    assert len(planned) == 2


def summed(op: Callable = all_reduce_sum, rows: int | None = 4, **attrs: Any) -> Program:
    """What ranks do together with twice an input."""
    program = Program("summed")
    count = program.fresh_dim("N") if rows is None else rows
    x = program.main.add_input(Spec((count, 4), float32), "x")
    with using(Builder(program, policy=UNRECORDED)):
        program.main.outputs = [add(op(multiply(x, 2.0), **attrs), 1.0)]
    return program


def run_summed(program: Program, rows: int = 4) -> np.ndarray:
    executable = NativeExecutable(program, host())
    ((found,), _) = executable.execute([np.full((rows, 4), 3, np.float32)], [])
    return found


TOGETHER: dict[str, Callable[[], Program]] = {
    "summed": summed,
    "gathered": lambda: summed(all_gather_rows, nranks=1),
    "exchanged by Python": lambda: summed(all_to_all_rows, sent=(4,), taken=(4,)),
    "with sizes that vary": lambda: summed(rows=None),
}


@pytest.mark.parametrize("make", TOGETHER.values(), ids=TOGETHER)
def test_what_ranks_do_together_is_kept(make: Callable[[], Program], planned: list[str]) -> None:
    for _ in range(2):
        np.testing.assert_array_equal(run_summed(make()), np.full((4, 4), 7))
    assert len(planned) == 1


def test_another_group_is_planned(planned: list[str]) -> None:
    run_summed(summed())
    with pytest.raises(ArgumentError, match="there is no group 77"):
        run_summed(summed(group=77))
    assert len(planned) == 2


def test_an_error_of_ranks_in_what_was_found_names_the_line_of_the_user(planned: list[str]) -> None:
    def text() -> str:
        with pytest.raises(ArgumentError) as caught:
            run_summed(summed(group=77))
        return str(caught.value)

    first, made = text(), len(planned)
    assert text() == first and "op(multiply(x, 2.0), **attrs)" in first
    assert made and len(planned) == made


def test_what_ranks_do_together_is_explained_where_it_was_found(planned: list[str]) -> None:
    run_summed(summed())
    executable = NativeExecutable(summed(), host())
    executable.execute([np.ones((4, 4), np.float32)], [])
    assert len(planned) == 1
    assert "all_reduce_sum" in executable.explain()


def test_ranks_that_found_a_step_compute_together(planned: list[str]) -> None:
    run_summed(summed())
    for found in run_ranks(2, lambda: run_summed(summed())):
        np.testing.assert_array_equal(found, np.full((4, 4), 13))
    assert len(planned) == 1


def test_what_tells_that_an_assertion_fails_is_planned_each_time(planned: list[str]) -> None:
    for _ in range(2):
        program = Program("checked")
        x = program.main.add_input(Spec((3,), float32), "x")
        with using(Builder(program, policy=UNRECORDED)):
            check(less_than(total(x), 9.0), "ValueError", "it is large")
            program.main.outputs = [multiply(x, 2.0)]
        executable = NativeExecutable(program, host())
        ((found,), _) = executable.execute([np.float32([1, 2, 3])], [])
        assert found.tolist() == [2, 4, 6]
        with pytest.raises(ValueError, match="it is large"):
            executable.execute([np.float32([4, 5, 6])], [])
    assert len(planned) == 2


def test_what_was_found_is_explained(planned: list[str]) -> None:
    run(model())
    executable = NativeExecutable(model(), host())
    executable.execute(
        [np.ones((5, 16), np.float32)], [np.ones((16, 300), np.float32), np.ones((), np.float32)]
    )
    assert len(planned) == 1
    assert "= matmul" in executable.explain()


def test_what_would_be_planned_otherwise_now_is_not_explained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept, "key_of", lambda *given: "0" * 64)
    run(model())
    executable = NativeExecutable(model(factor=5.0), host())
    executable.execute(
        [np.ones((5, 16), np.float32)], [np.ones((16, 300), np.float32), np.ones((), np.float32)]
    )
    with pytest.raises(ProgramError, match="is not what is planned now"):
        executable.explain()


def test_a_second_process_trains_without_planning(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(A_PROCESS)
    printed = [
        subprocess.run(
            [sys.executable, script, *given],
            env={**os.environ, "TWINOAR_CACHE_DIR": str(tmp_path), "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for given in ((), ("known",))
    ]
    assert printed[0] == printed[1] and "0x" in printed[0]
