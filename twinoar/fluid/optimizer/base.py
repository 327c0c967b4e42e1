"""What the optimizers of Paddle 1.8 share: its arguments and methods, over those of Paddle 2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.fluid.clip import clipped_by_attribute
from twinoar.fluid.mode import begin_static
from twinoar.fluid.schedule import LearningRateDecay
from twinoar.ops.shape.reshape import reshape
from twinoar.optimizer import Optimizer
from twinoar.optimizer.optimizer import ParamsGrads
from twinoar.static.program import Program


class FluidOptimizer(Optimizer):
    """An optimizer by the names of Paddle 1.8; a subclass is one of Paddle 2 too.

    learning_rate: a number, a schedule of `fluid.dygraph` or `optimizer.lr`, or a Variable such as
    `fluid.layers.exponential_decay` gives. parameter_list: what to train; in a static graph None
    means all. regularization: a regularizer. Without parameter_list static mode begins where no
    mode has been chosen.
    """

    _rate_variable: Variable | None = None
    _rate_used: float | None = None

    def __init__(
        self,
        learning_rate: Any,
        *settings: Any,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        **options: Any,
    ):
        if parameter_list is None:
            begin_static()
            if current().runs:
                raise ArgumentError(
                    "an optimizer needs the parameters it shall train in dynamic mode",
                    cure="pass parameter_list=layer.parameters()",
                )
        if isinstance(learning_rate, Variable):
            self._rate_variable, learning_rate = learning_rate, 0.0
        if regularization is not None:
            options["weight_decay"] = regularization
        options["parameters"] = parameter_list
        super().__init__(learning_rate, *settings, **options)

    def minimize(
        self,
        loss: Value,
        startup_program: Program | None = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[list, ParamsGrads]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program.

        Returns the appended operators, and the (parameter, gradient) pairs.
        """
        return super().minimize(loss, startup_program, parameter_list, no_grad_set)

    def backward(
        self,
        loss: Value,
        startup_program: Program | None = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> ParamsGrads:
        """The first half of `minimize`: (parameter, gradient) pairs."""
        return super().backward(loss, startup_program, parameter_list, no_grad_set, callbacks)

    def apply_optimize(
        self, loss: Value, startup_program: Program | None, params_grads: ParamsGrads
    ) -> list:
        """The second half of `minimize`. Returns the appended operators."""
        return self._apply([(p, g) for p, g in params_grads if g is not None], startup_program)

    def current_step_lr(self) -> float:
        """The learning rate of the latest update, before the first one that of the first."""
        return self.get_lr() if self._rate_used is None else self._rate_used

    def get_opti_var_name_list(self) -> list[str]:
        """The names of what is remembered of the parameters."""
        return list(self._memory.state_dict())

    def _live_rate(self) -> Any:
        if self._rate_variable is None:
            return super()._live_rate()
        return reshape(self._rate_variable, [])

    def _update_all(self, params_grads: ParamsGrads) -> None:
        if self._grad_clip is None:
            params_grads = clipped_by_attribute(params_grads)
        super()._update_all(params_grads)

    def _apply(self, params_grads: ParamsGrads, startup: Program | None) -> list:
        appended = super()._apply(params_grads, startup)
        if current().runs:
            self._rate_used = self.get_lr()
            if isinstance(self._learning_rate, LearningRateDecay):
                self._learning_rate.advance()
        return appended
