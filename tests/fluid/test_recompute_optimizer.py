"""RecomputeOptimizer trains as the optimizer that it wraps."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import fluid, static
from twinoar.errors import ProgramError, TypeMismatchError
from twinoar.utils import unique_name

pytestmark = pytest.mark.usefixtures("static_mode")

X = np.random.default_rng(0).standard_normal((32, 8)).astype("float32")


def trained(wrap):
    """The losses of some steps, and the number of times that each fc runs in one."""
    paddle.seed(0)
    main, startup = static.Program(), static.Program()
    with unique_name.guard(), static.program_guard(main, startup):
        h, ends = static.data("x", [32, 8]), []
        for _ in range(2):
            for _ in range(2):
                h = fluid.layers.fc(h, 8, act="tanh")
            ends.append(h)
        loss = fluid.layers.mean(fluid.layers.square(h))
        wrap(fluid.optimizer.SGD(0.1), ends).minimize(loss)
    executor = static.Executor()
    executor.run(startup)
    losses = [executor.run(main, {"x": X}, [loss])[0].item() for _ in range(3)]
    return losses, [o.type for o in main.main.ops].count("mul")


def wrapped(optimizer, checkpoints):
    made = fluid.optimizer.RecomputeOptimizer(optimizer)
    made._set_checkpoints(checkpoints)
    return made


def test_losses_are_the_same_and_operators_run_again():
    (plain, once), (again, more) = trained(lambda o, _: o), trained(wrapped)
    np.testing.assert_allclose(again, plain, rtol=1e-6)
    assert once == 4 and more > once


def test_it_answers_as_the_optimizer_does():
    assert wrapped(fluid.optimizer.SGD(0.25), []).get_lr() == 0.25


def test_checkpoints_and_an_optimizer_are_asked_for():
    with pytest.raises(ProgramError, match="has no checkpoints"):
        trained(lambda o, _: wrapped(o, []))
    with pytest.raises(TypeMismatchError, match="expected an optimizer, received int"):
        fluid.optimizer.RecomputeOptimizer(3)
