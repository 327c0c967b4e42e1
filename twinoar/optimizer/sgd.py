"""Plain gradient descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.ops.optimizer.sgd import sgd
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.optimizer import Optimizer, Rule


class SGD(Optimizer):
    """w - learning_rate * gradient.

    multi_precision: keep a float32 copy of 16-bit parameters. The rest, and what is raised: see
    Optimizer.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> (w * 2).sum().backward()
    >>> twinoar.optimizer.SGD(0.25, parameters=[w]).step()
    >>> w.tolist()
    [0.5]
    """

    _is_formula = True
    _rule = Rule(sgd)
    _meaning_of_rows = "alone"

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        name: str | None = None,
    ):
        self._multi_precision = bool(multi_precision)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
