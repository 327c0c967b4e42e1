"""How a server updates what it keeps: the optimizer's own rule, as a Program on rows or parameters.

The Program is built by the methods that update parameters in one process, so a rule has one
definition. Its inputs are the values, the gradient, what is remembered, and the rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.core.dtype import float32
from twinoar.core.interpreter import derived, using
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError
from twinoar.ops.math.cast import cast
from twinoar.optimizer import Optimizer
from twinoar.optimizer.memory import NARROW, Moment
from twinoar.static.executor import Executor
from twinoar.static.mode import program_guard
from twinoar.static.program import Program
from twinoar.static.scope import Scope

Memory = dict[str, np.ndarray]


class Rule:
    """One step of an optimizer for a parameter, or for any number of rows of a table.

    parameter: of a Program, whose group and attributes say which rate and decay. by_rows: it takes
    [n,width] with any n. Raises UnsupportedError for what a server does not do.
    """

    def __init__(self, optimizer: Optimizer, parameter: Any, by_rows: bool):
        self.group = optimizer._group_by_id.get(id(parameter), optimizer._groups[0])
        self.regularizer = self.group.regularizer_of(parameter)
        self._refuse(optimizer, parameter, by_rows)
        self.moments = optimizer._moments_of(parameter)
        self.dtype, self.by_rows = parameter.dtype, by_rows
        shape = parameter.spec.shape
        self.shape = ("rows", *shape[1:]) if by_rows else shape
        self.program = Program(f"update {parameter.name}")
        self._executor, self._scope = Executor("cpu"), Scope()
        with program_guard(self.program, Program("none")), using(derived(False)):
            self._outputs = self._built(optimizer, parameter)

    def _refuse(self, optimizer: Optimizer, parameter: Any, by_rows: bool) -> None:
        kind = type(optimizer).__name__
        if parameter.dtype in NARROW:
            raise UnsupportedError(
                f"{parameter.name} is {parameter.dtype}: tables on servers are float32 or float64",
                cure="make the parameter float32",
            )
        if by_rows and self.regularizer is not None:
            raise UnsupportedError(
                f"{kind} with weight_decay for the table {parameter.name}, of which a step knows "
                "some rows",
                cure="give weight_decay to the other parameters alone, as a parameter group",
            )

    def _built(self, optimizer: Optimizer, parameter: Any) -> list[Any]:
        main, settings = self.program.main, self.group.settings
        shape = self.program.shape_of(self.shape)
        value = main.add_input(Spec(shape, self.dtype), "value")
        gradient = main.add_input(Spec(shape, self.dtype), "gradient")
        states = [
            main.add_input(self._spec_of(m, shape), m.name)  # a line each in the printed Program
            for m in self.moments
        ]
        rate: Any = main.add_input(Spec((), float32), "rate")
        decayed = optimizer.decayed(value, gradient, self.regularizer)
        rate = optimizer.rate_for(parameter, self.group.rate_of(parameter, rate))
        chosen: Mapping[str, Any] = optimizer.settings_for(parameter, settings)
        new, *following = optimizer.update(value, decayed, tuple(states), rate, chosen)
        return [cast(new, self.dtype), *following]

    def _spec_of(self, moment: Moment, shape: tuple[Any, ...]) -> Spec:
        dtype = moment.dtype or self.dtype
        if moment.is_single:
            return Spec((1,), dtype)
        if moment.rows is not None:
            raise UnsupportedError(
                f"a rule that remembers {moment.rows} of a parameter, on servers",
                cure="use SGD, Momentum, Adagrad, Adam or another rule without a history",
            )
        return Spec(shape, dtype)

    def beginning(self, moment: Moment, shape: tuple[int, ...]) -> np.ndarray:
        """What is remembered before the first step, of a value of `shape`."""
        dtype = (moment.dtype or self.dtype).numpy
        return np.full((1,) if moment.is_single else shape, moment.value, dtype)

    def step(
        self, value: np.ndarray, gradient: np.ndarray, states: list[np.ndarray], rate: float
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """The new value, and what is remembered then."""
        feed = {"value": value, "gradient": gradient, "rate": np.float32(rate)}
        feed |= {m.name: s for m, s in zip(self.moments, states, strict=True)}
        new, *following = self._executor.run(self.program, feed, self._outputs, scope=self._scope)
        return new, following

    def text(self) -> str:
        """The Program as text without lines of files: equal rules have equal texts."""
        return self.program.to_text(sources=False)
