"""run_check: whether a network can be trained here."""

from __future__ import annotations

import numpy as np

from twinoar.core.interpreter import eager, using
from twinoar.eager.tensor import Tensor
from twinoar.errors import ProgramError
from twinoar.jit.to_static import to_static
from twinoar.nn.linear import Linear
from twinoar.nn.loss import MSELoss
from twinoar.optimizer import SGD


def run_check() -> None:
    """Train a small network, as it runs and as a Program, and say that it works.

    Raises ProgramError where its loss stays.

    >>> from twinoar import utils
    >>> utils.run_check()
    twinoar works: a network was trained on the CPU
    """
    x, y = Tensor(np.eye(2, dtype=np.float32)), Tensor(np.ones((2, 1), np.float32))
    with using(eager()):
        network, loss = Linear(2, 1), MSELoss()
        optimizer = SGD(0.1, parameters=network.parameters())
        for forward in (network, to_static(lambda x: network(x))):
            losses = []
            for _ in range(5):
                found = loss(forward(x), y)
                found.backward()
                optimizer.step()
                optimizer.clear_grad()
                losses.append(found.item())
            if not losses[-1] < losses[0]:
                told = f"the loss went from {losses[0]} to {losses[-1]}"
                raise ProgramError(told, cure="install twinoar anew")
    print("twinoar works: a network was trained on the CPU")


__all__ = ["run_check"]
