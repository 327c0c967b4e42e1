"""The optimizers of Paddle 1.8 that Paddle 2 has too; see `FluidOptimizer` for what they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from twinoar import optimizer
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.fluid.optimizer.base import FluidOptimizer
from twinoar.ops.create.fill import zeros_like

Parameters = Iterable[Any] | None


class SGDOptimizer(FluidOptimizer, optimizer.SGD):
    """Plain gradient descent: w - learning_rate * g.

    >>> import numpy as np
    >>> from twinoar import fluid
    >>> with fluid.dygraph.guard():
    ...     layer = fluid.dygraph.Linear(2, 1)
    ...     sgd = fluid.optimizer.SGD(0.1, parameter_list=layer.parameters())
    ...     loss = fluid.layers.mean(layer(fluid.dygraph.to_variable(np.ones([1, 2], "float32"))))
    ...     loss.backward()
    ...     _ = sgd.minimize(loss)
    ...     layer.bias.tolist()
    [-0.1...]
    """

    _is_formula = True

    def __init__(
        self,
        learning_rate: Any,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        super().__init__(
            learning_rate, parameter_list=parameter_list, regularization=regularization,
            grad_clip=grad_clip, name=name,
        )  # fmt: skip


class MomentumOptimizer(FluidOptimizer, optimizer.Momentum):
    """Gradient descent with a velocity. See `paddle.optimizer.Momentum`."""

    _is_formula = True

    def __init__(
        self,
        learning_rate: Any,
        momentum: float,
        parameter_list: Parameters = None,
        use_nesterov: bool = False,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        super().__init__(
            learning_rate, momentum, parameter_list=parameter_list, use_nesterov=use_nesterov,
            regularization=regularization, grad_clip=grad_clip, name=name,
        )  # fmt: skip


class AdagradOptimizer(FluidOptimizer, optimizer.Adagrad):
    """Rates that fall with the squares of gradients seen. See `paddle.optimizer.Adagrad`."""

    _is_formula = True

    def __init__(
        self,
        learning_rate: Any,
        epsilon: float = 1e-6,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ):
        super().__init__(
            learning_rate, epsilon, parameter_list=parameter_list, regularization=regularization,
            grad_clip=grad_clip, name=name, initial_accumulator_value=initial_accumulator_value,
        )  # fmt: skip


class AdamOptimizer(FluidOptimizer, optimizer.Adam):
    """Steps by the running mean of gradients and of their squares. See `paddle.optimizer.Adam`."""

    _is_formula = True

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: float = 1e-8,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        lazy_mode: bool = False,
    ):
        super().__init__(
            learning_rate, beta1, beta2, epsilon, parameter_list=parameter_list,
            regularization=regularization, grad_clip=grad_clip, name=name, lazy_mode=lazy_mode,
        )  # fmt: skip


class AdamaxOptimizer(FluidOptimizer, optimizer.Adamax):
    """Adam with the maximum norm of past gradients. See `paddle.optimizer.Adamax`."""

    _is_formula = True

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        super().__init__(
            learning_rate, beta1, beta2, epsilon, parameter_list=parameter_list,
            regularization=regularization, grad_clip=grad_clip, name=name,
        )  # fmt: skip


class AdadeltaOptimizer(FluidOptimizer, optimizer.Adadelta):
    """Steps in the ratio of past steps to past gradients. See `paddle.optimizer.Adadelta`.

    As in Paddle 1.8, the learning rate has no effect.
    """

    _is_formula = True

    def __init__(
        self,
        learning_rate: Any,
        epsilon: float = 1e-6,
        rho: float = 0.95,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        super().__init__(
            learning_rate, epsilon, rho, parameter_list=parameter_list,
            regularization=regularization, grad_clip=grad_clip, name=name,
        )  # fmt: skip

    def rate_for(self, param: Value, rate: Any) -> Any:
        """1: the rule has a rate of its own."""
        return 1.0


class RMSPropOptimizer(FluidOptimizer, optimizer.RMSProp):
    """Gradients over the root of their running mean square. See `paddle.optimizer.RMSProp`."""

    _is_formula = True

    def __init__(
        self,
        learning_rate: Any,
        rho: float = 0.95,
        epsilon: float = 1e-6,
        momentum: float = 0.0,
        centered: bool = False,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        super().__init__(
            learning_rate, rho, epsilon, momentum, centered, parameter_list=parameter_list,
            regularization=regularization, grad_clip=grad_clip, name=name,
        )  # fmt: skip


class LambOptimizer(FluidOptimizer, optimizer.Lamb):
    """Adam's direction, as long as the parameter times the rate. See `paddle.optimizer.Lamb`.

    As in Paddle 1.8, the moments are not corrected for their start at zero. Raises UnsupportedError
    for a regularization.
    """

    _is_formula = True

    def __init__(
        self,
        learning_rate: Any = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        parameter_list: Parameters = None,
        regularization: Any = None,
        grad_clip: Any = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None,
        name: str | None = None,
    ):
        if regularization is not None:
            raise UnsupportedError(
                "Lamb decays weights itself and takes no regularization",
                cure="pass lamb_weight_decay",
            )
        super().__init__(
            learning_rate, lamb_weight_decay, beta1, beta2, epsilon, parameter_list=parameter_list,
            grad_clip=grad_clip, exclude_from_weight_decay_fn=exclude_from_weight_decay_fn,
            name=name,
        )  # fmt: skip

    def update(
        self, param: Value, grad: Value, states: tuple, rate: Any, settings: Mapping[str, Any]
    ) -> tuple:
        """The new parameter and moments."""
        first, second, *powers = states
        none = [zeros_like(power) for power in powers]  # with which nothing is corrected
        new, first, second, *_ = super().update(param, grad, (first, second, *none), rate, settings)
        betas = settings["beta1"], settings["beta2"]
        return new, first, second, *(p * b for p, b in zip(powers, betas, strict=True))
