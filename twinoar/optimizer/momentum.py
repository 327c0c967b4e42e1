"""Gradient descent with momentum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.ops.optimizer.momentum import momentum as momentum_step
from twinoar.optimizer.group import as_number
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer, Rule


class Momentum(Optimizer):
    """v = momentum * v + g, then w - learning_rate * v.

    use_nesterov: w - learning_rate * (g + momentum * v) instead. rescale_grad: a factor on
    gradients. multi_precision: keep a float32 copy of 16-bit parameters. use_multi_tensor:
    accepted. The rest, and what is raised: see Optimizer.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> optimizer = twinoar.optimizer.Momentum(0.25, momentum=0.5, parameters=[w])
    >>> for _ in range(2):
    ...     w.sum().backward()
    ...     optimizer.step()
    ...     optimizer.clear_grad()
    >>> w.tolist()
    [0.375]
    """

    _is_formula = True
    _rule = Rule(momentum_step, "use_nesterov", mu="momentum")
    _meaning_of_rows = "among all"

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        momentum: float = 0.9,
        parameters: Iterable[Any] | None = None,
        use_nesterov: bool = False,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        rescale_grad: float = 1.0,
        use_multi_tensor: bool = False,
        name: str | None = None,
    ):
        if momentum is None:
            raise ArgumentError(
                "momentum must be a number, received None", cure="pass a number such as 0.9"
            )
        self._settings = {
            "momentum": as_number("momentum", momentum),
            "use_nesterov": bool(use_nesterov),
        }
        self._rescale_grad = as_number("rescale_grad", rescale_grad)
        self._multi_precision = bool(multi_precision)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """The velocity."""
        return (Moment("velocity"),)

    def decayed(self, param: Value, grad: Value, regularizer: Any) -> Value:
        """The rescaled gradient with the regularizer's term."""
        if self._rescale_grad != 1.0:
            grad = grad * self._rescale_grad
        return super().decayed(param, grad, regularizer)
