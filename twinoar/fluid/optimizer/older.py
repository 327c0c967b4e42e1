"""The optimizers of Paddle 1.8 that Paddle 2 has not; see `FluidOptimizer` for what they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.core.values import Value
from twinoar.fluid.optimizer.base import FluidOptimizer
from twinoar.nn.clip import scaled, squared_norm
from twinoar.ops.math.root import sqrt
from twinoar.ops.optimizer.adagrad import decayed_adagrad
from twinoar.ops.optimizer.ftrl import ftrl
from twinoar.ops.optimizer.momentum import lars_momentum
from twinoar.ops.random.uniform import gaussian
from twinoar.optimizer.group import as_number
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Rule

Parameters = Iterable[Any] | None
Settings = Mapping[str, Any]


def _numbers(**given: Any) -> dict[str, float]:
    return {name: as_number(name, value) for name, value in given.items()}


class FtrlOptimizer(FluidOptimizer):
    """FTRL-Proximal: follows all past gradients at once; l1 makes weights zero, l2 shrinks them.

    Source: McMahan et al., KDD 2013, algorithm 1.
    """

    _rule = Rule(ftrl, "l1", "l2", "lr_power")

    def __init__(
        self,
        learning_rate: Any,
        l1: float = 0.0,
        l2: float = 0.0,
        lr_power: float = -0.5,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        self._settings = _numbers(l1=l1, l2=l2, lr_power=lr_power)
        super().__init__(
            learning_rate, parameter_list=parameter_list, regularization=regularization,
            grad_clip=grad_clip, name=name,
        )  # fmt: skip

    def moments(self, settings: Settings) -> tuple[Moment, ...]:
        """The sum of squared gradients, and the linear sum."""
        return Moment("squared"), Moment("linear")


class DecayedAdagradOptimizer(FluidOptimizer):
    """Adagrad whose sum of squared gradients is a running mean.

    >>> from twinoar import fluid
    >>> with fluid.dygraph.guard():
    ...     layer = fluid.dygraph.Linear(2, 1)
    ...     rule = fluid.optimizer.DecayedAdagrad(0.1, parameter_list=layer.parameters())
    ...     layer(fluid.dygraph.to_variable([[1.0, 2.0]])).backward()
    ...     rule.step()
    ...     round(layer.bias.item(), 4)
    -0.4472
    """

    _rule = Rule(decayed_adagrad, "decay", "epsilon")

    def __init__(
        self,
        learning_rate: Any,
        decay: float = 0.95,
        epsilon: float = 1e-6,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        self._settings = _numbers(decay=decay, epsilon=epsilon)
        super().__init__(
            learning_rate, parameter_list=parameter_list, regularization=regularization,
            grad_clip=grad_clip, name=name,
        )  # fmt: skip

    def moments(self, settings: Settings) -> tuple[Moment, ...]:
        """The running mean of squared gradients."""
        return (Moment("moment"),)


class LarsMomentumOptimizer(FluidOptimizer):
    """Momentum at a rate in the ratio of each parameter's length to that of its gradient.

    Source: arXiv 1708.03888, algorithm 1.
    """

    _rule = Rule(lars_momentum, mu="momentum", coefficient="lars_coeff", decay="lars_weight_decay")

    def __init__(
        self,
        learning_rate: Any,
        momentum: float,
        lars_coeff: float = 0.001,
        lars_weight_decay: float = 0.0005,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        self._settings = _numbers(
            momentum=momentum, lars_coeff=lars_coeff, lars_weight_decay=lars_weight_decay
        )
        super().__init__(
            learning_rate, parameter_list=parameter_list, regularization=regularization,
            grad_clip=grad_clip, name=name,
        )  # fmt: skip

    def moments(self, settings: Settings) -> tuple[Moment, ...]:
        """The velocity."""
        return (Moment("velocity"),)


class DpsgdOptimizer(FluidOptimizer):
    """Gradient descent with differential privacy: each gradient is brought to length `clip`, and
    one normal number of deviation sigma, over batch_size, is added to it.

    Source: arXiv 1607.00133, algorithm 1.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        clip: float = 0.9,
        batch_size: float = 0.999,
        sigma: float = 1e-8,
        parameter_list: Parameters = None,
    ):
        self._settings = _numbers(clip=clip, batch_size=batch_size, sigma=sigma)
        super().__init__(learning_rate, parameter_list=parameter_list)

    def update(
        self, param: Value, grad: Value, states: tuple, rate: Any, settings: Settings
    ) -> tuple:
        """The new parameter."""
        limited = scaled(grad, sqrt(squared_norm(grad)), settings["clip"])
        noise = gaussian((), 0.0, settings["sigma"] / settings["batch_size"], dtype=param.dtype)
        return (param - rate * (limited + noise),)
