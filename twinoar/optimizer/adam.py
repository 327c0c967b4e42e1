"""Adam: steps scaled by running means of the gradient and of its square."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.ops.optimizer.adam import adam
from twinoar.ops.optimizer.adam import amsgrad as amsgrad_step
from twinoar.optimizer.by_rows import Meaning
from twinoar.optimizer.group import as_number
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer

BETAS = ("beta1", "beta2", "epsilon")


class ByBetas(Optimizer):
    """What optimizers with the arguments of the first Adam share."""

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        self._settings = adam_settings(beta1, beta2, epsilon, amsgrad=False)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)


class Adam(Optimizer):
    """w - learning_rate * m / (sqrt(v) + epsilon), with running means m of g and v of g * g.

    beta1, beta2: how slowly m and v follow; both are freed of their bias to 0. amsgrad: the
    largest v so far in place of v. multi_precision: keep a float32 copy of 16-bit parameters.
    lazy_mode: a row-sparse gradient, of an embedding with sparse=True, changes its rows alone and
    what is remembered of them; without, all rows take a step, as if the others had a gradient of
    zeros. Such a gradient is refused with weight_decay. use_multi_tensor: accepted. The rest, and
    what is raised: see Optimizer; ArgumentError for a beta outside [0, 1). Source: arXiv 1412.6980,
    algorithm 1.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> w.sum().backward()
    >>> twinoar.optimizer.Adam(0.25, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.75
    """

    _is_formula = True
    _decays_rows = False

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        use_multi_tensor: bool = False,
        amsgrad: bool = False,
        name: str | None = None,
    ):
        self._settings = adam_settings(beta1, beta2, epsilon, amsgrad)
        self._lazy_mode = bool(lazy_mode)
        self._multi_precision = bool(multi_precision)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    @property
    def _meaning_of_rows(self) -> Meaning:  # type: ignore[override]  # of this one, not of its class
        return "alone" if self._lazy_mode else "among all"

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """Means of the gradient and of its square, and powers of both betas for the next step."""
        return adam_moments(settings)

    def update(
        self, param: Value, grad: Value, states: tuple, rate: Any, settings: Mapping[str, Any]
    ) -> tuple:
        """The new parameter and moments."""
        rule = amsgrad_step if settings["amsgrad"] else adam
        return rule(param, grad, *states, rate, **{name: settings[name] for name in BETAS})


def adam_settings(beta1: Any, beta2: Any, epsilon: Any, amsgrad: bool) -> dict[str, Any]:
    """The settings of Adam and its kin. Raises ArgumentError or TypeMismatchError."""
    given = zip(BETAS, (beta1, beta2, epsilon), strict=True)
    settings: dict[str, Any] = {name: as_number(name, value) for name, value in given}
    for name in ("beta1", "beta2"):
        if not 0 <= settings[name] < 1:
            raise ArgumentError(
                f"{name} must be in [0, 1), received {settings[name]}",
                cure="the usual ones are 0.9 and 0.999",
            )
    if settings["epsilon"] < 0:
        raise ArgumentError(
            f"epsilon must be at least 0, received {settings['epsilon']}",
            cure="the usual one is 1e-8",
        )
    return {**settings, "amsgrad": bool(amsgrad)}


def adam_moments(settings: Mapping[str, Any]) -> tuple[Moment, ...]:
    """What Adam and its kin remember."""
    return (
        Moment("moment1"),
        Moment("moment2"),
        *([Moment("moment2_max")] if settings["amsgrad"] else []),
        Moment("beta1_pow_acc", settings["beta1"], is_single=True),
        Moment("beta2_pow_acc", settings["beta2"], is_single=True),
    )
