"""Averages of parameters in a static Program: ModelAverage, and LookaheadOptimizer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from twinoar.core import unique_name
from twinoar.core.dtype import int64
from twinoar.core.interpreter import current
from twinoar.core.ir.program import State
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.fluid.mode import begin_static
from twinoar.ops.create.fill import zeros_like
from twinoar.ops.index.mask import where
from twinoar.ops.math.cast import cast
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import minimum
from twinoar.optimizer import Optimizer
from twinoar.static.average import Averages
from twinoar.static.backward import program_of
from twinoar.static.mode import building, default_main_program
from twinoar.static.program import Program
from twinoar.static.scope import Scope


class ModelAverage(Averages):
    """The mean of each parameter over the last updates: `apply` puts it in the parameter's place.

    It is made after `minimize`, and appends to the default main Program. The window grows with the
    number of updates, to `average_window_rate` of them, between min_average_window and
    max_average_window; a full window is kept while the next one fills. regularization: accepted.
    """

    def __init__(
        self,
        average_window_rate: float,
        min_average_window: int = 10000,
        max_average_window: int = 10000,
        regularization: Any = None,
        name: str | None = None,
    ):
        begin_static()
        super().__init__()
        self._rate = average_window_rate
        self._least, self._most = min_average_window, max_average_window
        program = default_main_program()
        with building(program, None, "optimize"):
            self._updates = _counter("num_updates")
            self._current, self._kept = _counter("num_accumulates"), _counter("old_num_accumulates")
            self._sums: list[tuple[State, State, State]] = []
            self._append([p for p in program.all_parameters() if p.do_model_average is not False])

    def _append(self, parameters: Iterable[State]) -> None:
        updates, filled = self._updates + 1, self._current + 1
        window = minimum(cast(updates, "float32") * self._rate, float(self._most))
        is_full = (filled >= self._least) & (cast(filled, "float32") >= window)
        for p in parameters:
            total, kept = _zeros(p, "sum_1"), _zeros(p, "sum_3")
            grown = total + p.latest()
            current().rebind(total, where(is_full, zeros_like(grown), grown))
            current().rebind(kept, where(is_full, grown, kept))
            self._sums.append((p, total, kept))
        current().rebind(self._updates, updates)
        current().rebind(self._kept, where(is_full, filled, self._kept))
        current().rebind(self._current, where(is_full, zeros_like(filled), filled))

    def values(self, scope: Scope) -> dict[State, np.ndarray]:
        """The means."""
        count = int(scope.read(self._current)[0] + scope.read(self._kept)[0])
        if not count:
            raise ProgramError("there is no mean before the first update", cure="train first")
        return {p: (scope.read(total) + scope.read(kept)) / count for p, total, kept in self._sums}


class LookaheadOptimizer:
    """Every k updates of `inner_optimizer` the parameters go back to slow ones, moved by alpha.

    slow + alpha * (fast - slow). Raises TypeMismatchError for what is no optimizer, ArgumentError
    for alpha outside [0, 1] and k < 1. Source: arXiv 1907.08610, algorithm 1.
    """

    def __init__(self, inner_optimizer: Optimizer, alpha: float = 0.5, k: int = 5):
        if not isinstance(inner_optimizer, Optimizer):
            kind = type(inner_optimizer).__name__
            raise TypeMismatchError(f"inner_optimizer must be an optimizer, received {kind}")
        if not 0 <= alpha <= 1:
            raise ArgumentError(f"alpha must be in [0, 1], received {alpha}")
        if not isinstance(k, int) or k < 1:
            raise ArgumentError(f"k must be a positive integer, received {k!r}")
        self.inner_optimizer, self.alpha, self.k, self.type = inner_optimizer, alpha, k, "lookahead"

    def minimize(
        self, loss: Value, startup_program: Program | None = None
    ) -> tuple[list, list[tuple[Any, Any]]]:
        """Update parameters in each run of the loss's Program; see `FluidOptimizer.minimize`."""
        program = program_of(loss, "the loss")
        found = self.inner_optimizer.minimize(loss, startup_program)
        with building(program, startup_program, "optimize"):
            step = _counter("lookahead_step")
            following = step + 1
            is_turn = following % self.k == 0
            for p, _ in found[1]:
                slow = current().create_state(
                    p.spec, lambda _, name=p.name: _first_value(name), f"{p.name}@SLOW"
                )
                moved = slow + self.alpha * (p.latest() - slow)
                current().rebind(slow, where(is_turn, moved, slow))
                current().rebind(p, where(is_turn, moved, p.latest()))
            current().rebind(step, following)
        return found


def _counter(name: str) -> State:
    return _state(Spec((1,), int64), unique_name.generate(name))


def _zeros(parameter: State, name: str) -> State:
    return _state(parameter.spec, f"{parameter.name}_{name}")


def _state(spec: Spec, name: str) -> State:
    made: State = current().create_state(spec, lambda s: fill(s.shape, 0, s.dtype), name)
    return made


def _first_value(name: str) -> Value:
    """What the startup Program, which is being built, makes of a parameter."""
    program = current().program
    state = program.states.get(name)
    if state not in program.updates:
        raise ProgramError(
            f"the startup Program does not initialize {name}",
            cure="give minimize the startup_program that was built with the parameters",
        )
    first: Value = program.updates[state]
    return first
