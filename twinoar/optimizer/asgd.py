"""ASGD: steps along the mean of the gradients of all batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.core.dtype import int64
from twinoar.errors import ArgumentError
from twinoar.ops.optimizer.sgd import asgd
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer, Rule


class ASGD(Optimizer):
    """w - learning_rate * d, where d is the mean of the last gradients of `batch_num` batches.

    The batches come in turn; each keeps its gradient, so memory is batch_num times that of the
    parameters. multi_precision: keep a float32 copy of 16-bit parameters. The rest, and what is
    raised: see Optimizer; ArgumentError for a batch_num below 1. Source: arXiv 1309.2388,
    algorithm 1.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> w.sum().backward()
    >>> twinoar.optimizer.ASGD(0.25, 2, parameters=[w]).step()
    >>> w.item()
    0.75
    """

    _is_formula = True
    _rule = Rule(asgd)

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        batch_num: int = 1,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        name: str | None = None,
    ):
        if isinstance(batch_num, bool) or not isinstance(batch_num, int) or batch_num < 1:
            raise ArgumentError(
                f"batch_num must be an integer from 1, received {batch_num!r}",
                cure="pass the number of batches of an epoch, such as len(loader)",
            )
        self._batches = batch_num
        self._multi_precision = bool(multi_precision)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """The sum of the last gradients, these gradients, and how many steps were done."""
        steps = Moment("m", is_single=True, dtype=int64)
        return Moment("d"), Moment("y", rows=self._batches), steps
