"""Values between checkpoints are computed again: less memory, the same gradients."""

import numpy as np
import pytest

import twinoar as paddle
from tests.passes.programs import types
from twinoar import config, nn, passes, static
from twinoar.core.ir.verify import verify
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.utils import unique_name

pytestmark = pytest.mark.usefixtures("static_mode")

X = np.random.default_rng(0).standard_normal((64, 32)).astype("float32")


def network(checkpoints, depth=4):
    """A Program of blocks with its gradients: (main, startup, loss, pairs)."""
    paddle.seed(0)
    main, startup = static.Program(), static.Program()
    with unique_name.guard(), static.program_guard(main, startup):
        h, ends = static.data("x", [64, 32]), []
        for _ in range(depth):
            for _ in range(3):
                h = nn.functional.dropout(nn.functional.gelu(nn.Linear(32, 32)(h)), 0.25)
            ends.append(h)
        loss = (h * h).mean()
        pairs = static.append_backward(loss, checkpoints=ends if checkpoints else None)
    return main, startup, loss, pairs


def run(main, startup, loss, pairs):
    paddle.seed(5)
    executor = static.Executor()
    executor.run(startup)
    return executor.run(main, {"x": X}, [loss, *(g for _, g in pairs)])


@pytest.mark.parametrize("backend", ["numpy", "auto"])
def test_gradients_and_masks_are_the_same(backend):
    with config.override(backend=backend):
        for found, expected in zip(run(*network(True)), run(*network(False)), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-9)


def test_compiled_programs_take_less_memory():
    needed = []
    with config.override(backend="native"):
        for checkpoints in (False, True):
            parts = network(checkpoints)
            run(*parts)
            (executable,) = parts[0].executables().values()
            (form,) = executable.forms.values()
            needed.append(form.compiled.arena.needed)
    assert needed[1] < 0.6 * needed[0]


def trained(checkpoints):
    """The losses of some steps, and the bytes that a step needs."""
    paddle.seed(0)
    main, startup = static.Program(), static.Program()
    with unique_name.guard(), static.program_guard(main, startup):
        h, ends = static.data("x", [64, 32]), []
        for _ in range(4):
            for _ in range(3):
                h = paddle.tanh(nn.Linear(32, 32)(h))
            ends.append(h)
        loss = (h - 0.5).square().mean()
        paddle.optimizer.Momentum(0.5).minimize(loss)
    if checkpoints:
        verify(passes.recompute(main, ends))
    executor = static.Executor()
    executor.run(startup)
    losses = [float(executor.run(main, {"x": X}, [loss])[0]) for _ in range(5)]
    (executable,) = main.executables().values()
    (form,) = executable.forms.values()
    return losses, form.compiled.arena.needed


def test_steps_of_an_optimizer_run_as_soon_as_they_can():
    with config.override(backend="native"):
        (plain, most), (again, least) = trained(False), trained(True)
    np.testing.assert_allclose(again, plain, rtol=1e-5)
    assert again[-1] < again[0] and least < 0.75 * most


def test_the_program_says_what_is_computed_again():
    main, _, _, _ = network(True, depth=2)
    verify(main)
    assert types(main).count("linear") == 6 + 6 and types(main).count("wait") == 2
    again = [v.name for o in main.main.ops for v in o.results if v is not None]
    assert "linear_0.tmp_0@AGAIN" in again
    assert [o.op.name for o in main.clone(for_test=True).main.ops].count("linear") == 6


def test_what_follows_the_last_checkpoint_is_kept():
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        h = paddle.tanh(nn.Linear(4, 4)(static.data("x", [32, 4])))
        loss = paddle.exp(paddle.tanh(h)).mean()
        static.append_backward(loss)
    changed = passes.recompute(main, [h])
    copies = [o for o in changed.main.ops if "@AGAIN" in str(o.results)]
    assert [o.op.name for o in copies] == ["linear"]


def test_the_pass_takes_names_too():
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        a = paddle.exp(paddle.tanh(nn.Linear(4, 4)(static.data("x", [32, 4]))))
        static.append_backward(paddle.exp(a).mean())
    passes.recompute(verify(main), [a.name])
    assert types(verify(main)).count("linear") == 2


def test_what_another_segment_reads_is_kept():
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        early = paddle.exp(nn.Linear(4, 4)(static.data("x", [32, 4])))
        end = paddle.tanh(paddle.exp(early))
        loss = (paddle.exp(end) * early).mean()
        static.append_backward(loss, checkpoints=[end])
    assert not [v for v in verify(main).list_vars() if v.name == f"{early.name}@AGAIN"]


def unmarked():
    main = static.Program()
    with static.program_guard(main):
        paddle.tanh(static.data("x", [2]))
    return main


@pytest.mark.parametrize(
    ("checkpoints", "error", "message"),
    [
        ([], ArgumentError, "there are no checkpoints"),
        (["x"], ArgumentError, "%x is no result of the forward part"),
        ([3], TypeMismatchError, "a checkpoint is a Variable or a name, received int"),
    ],
)
def test_what_is_no_checkpoint_is_refused(checkpoints, error, message):
    with pytest.raises(error, match=message):
        passes.recompute(network(False)[0], checkpoints)


def test_a_program_without_gradients_is_refused():
    with pytest.raises(ProgramError, match="has no backward part"):
        passes.recompute(unmarked(), ["x"])
