"""run_check: whether a network can be trained here."""

from __future__ import annotations

import numpy as np

from twinoar.errors import ProgramError
from twinoar.fluid.executor import Executor
from twinoar.nn import functional
from twinoar.optimizer import SGD
from twinoar.static.input import data
from twinoar.static.mode import program_guard
from twinoar.static.nn import fc
from twinoar.static.program import Program
from twinoar.static.scope import Scope, scope_guard


def run_check() -> None:
    """Train a small network and say that it works. Raises ProgramError where its loss stays.

    >>> from twinoar import fluid
    >>> fluid.install_check.run_check()
    twinoar works: a network was trained on the CPU
    """
    main, startup = Program(), Program()
    with program_guard(main, startup):
        loss = functional.mse_loss(fc(data("x", [None, 2]), 1), data("y", [None, 1]))
        SGD(0.1).minimize(loss)
    feed = {"x": np.eye(2, dtype=np.float32), "y": np.ones((2, 1), np.float32)}
    with scope_guard(Scope()):
        executor = Executor()
        executor.run(startup)
        first, *_, last = (executor.run(main, feed, [loss])[0].item() for _ in range(5))
    if not last < first:
        raise ProgramError(f"the loss went from {first} to {last}", cure="install twinoar anew")
    print("twinoar works: a network was trained on the CPU")


__all__ = ["run_check"]
