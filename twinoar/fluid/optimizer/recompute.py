"""An optimizer whose backward part computes again what lies between checkpoints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from twinoar.core.ir.program import Variable
from twinoar.errors import ProgramError, TypeMismatchError
from twinoar.optimizer import Optimizer
from twinoar.optimizer.optimizer import ParamsGrads
from twinoar.passes.recomputation import recompute
from twinoar.static.backward import program_of
from twinoar.static.program import Program


class RecomputeOptimizer:
    """Wraps an optimizer, for training that takes less memory; see `twinoar.passes.recompute`.

    `_set_checkpoints` comes before `minimize`. What else is asked of it, the optimizer answers.
    """

    def __init__(self, optimizer: Optimizer):
        if not isinstance(optimizer, Optimizer):
            raise TypeMismatchError(
                f"expected an optimizer, received {type(optimizer).__name__}",
                cure="such as fluid.optimizer.SGD(learning_rate=0.1)",
            )
        self._optimizer = optimizer
        self._checkpoints: list[Variable | str] = []

    def _set_checkpoints(self, checkpoints: Sequence[Variable | str]) -> None:
        """The values that are kept, Variables or names."""
        self._checkpoints = list(checkpoints)

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[list, ParamsGrads]:
        """Update parameters by the gradients of `loss` in each run of its Program.

        Returns the appended operators, and the (parameter, gradient) pairs. Raises ProgramError
        without checkpoints.
        """
        self._check()
        done = self._optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)
        recompute(program_of(loss, "loss"), self._checkpoints)
        return done

    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> ParamsGrads:
        """The first half of `minimize`: (parameter, gradient) pairs."""
        self._check()
        pairs = self._optimizer.backward(
            loss, startup_program, parameter_list, no_grad_set, callbacks
        )
        recompute(program_of(loss, "loss"), self._checkpoints)
        return pairs

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_optimizer"], name)

    def _check(self) -> None:
        if not self._checkpoints:
            raise ProgramError(
                "the optimizer has no checkpoints", cure="call _set_checkpoints([...]) first"
            )
