"""Rprop: steps by the signs of gradients alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.ops.optimizer.rprop import rprop
from twinoar.optimizer.group import as_number
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer

NUMBERS = ("smallest", "largest", "shrink", "grow")


class Rprop(Optimizer):
    """w - sign(g) * r, where each element has a rate r of its own, by how its gradient's sign goes.

    r begins as learning_rate; it is multiplied by etas[1] where the sign stays, by etas[0] where it
    changes, and kept in learning_rate_range. For gradients of the whole data, not of batches.
    multi_precision: keep a float32 copy of 16-bit parameters. The rest, and what is raised: see
    Optimizer; ArgumentError unless range[0] <= learning_rate <= range[1] and
    0 < etas[0] < 1 < etas[1]. Source: Riedmiller and Braun 1993, eq. 3 to 5.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> (w * 8).sum().backward()
    >>> twinoar.optimizer.Rprop(0.25, parameters=[w]).step()
    >>> w.item()
    0.75
    """

    _is_formula = True

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        learning_rate_range: tuple[float, float] = (1e-5, 50),
        parameters: Iterable[Any] | None = None,
        etas: tuple[float, float] = (0.5, 1.2),
        grad_clip: Any = None,
        multi_precision: bool = False,
        name: str | None = None,
    ):
        values = (*_pair("learning_rate_range", learning_rate_range), *_pair("etas", etas))
        self._settings = dict(zip(NUMBERS, values, strict=True))
        self._multi_precision = bool(multi_precision)
        super().__init__(learning_rate, parameters, None, grad_clip, name)
        smallest, largest, shrink, grow = values
        if not 0 < smallest <= self.get_lr() <= largest:
            raise ArgumentError(
                f"learning_rate must be in learning_rate_range, received {self.get_lr()} and "
                f"[{smallest}, {largest}]",
                cure="widen learning_rate_range",
            )
        if not 0 < shrink < 1 < grow:
            raise ArgumentError(
                f"etas must be a number below 1 and one above, received {tuple(etas)}",
                cure="the usual ones are (0.5, 1.2)",
            )

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """The last gradient, 0 where its sign had changed, and the rates."""
        return Moment("prevs"), Moment("learning_rates", self.get_lr())

    def update(
        self, param: Value, grad: Value, states: tuple, rate: Any, settings: Mapping[str, Any]
    ) -> tuple:
        """The new parameter and moments."""
        return rprop(param, grad, *states, **{k: settings[k] for k in NUMBERS})


def _pair(name: str, numbers: Any) -> tuple[float, float]:
    if not isinstance(numbers, (list, tuple)) or len(numbers) != 2:
        raise ArgumentError(f"{name} must be two numbers, received {numbers!r}")
    return as_number(name, numbers[0]), as_number(name, numbers[1])
