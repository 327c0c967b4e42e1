"""ExponentialMovingAverage: averages of parameters over training, to test and save with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from twinoar.core import unique_name
from twinoar.core.dtype import float32, int64
from twinoar.core.interpreter import current, recording, using
from twinoar.core.ir.program import State
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ProgramError
from twinoar.ops.math.cast import cast
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import minimum
from twinoar.ops.shape.reshape import reshape
from twinoar.static.mode import building, default_main_program
from twinoar.static.scope import Scope, global_scope


class Averages:
    """Averages of parameters, which can take their places."""

    def __init__(self) -> None:
        self._before: dict[State, np.ndarray] = {}

    def values(self, scope: Scope) -> dict[State, np.ndarray]:
        """The average of each parameter. Raises ProgramError where there is none yet."""
        raise NotImplementedError  # every subclass has its own

    @contextmanager
    def apply(self, executor: Any, need_restore: bool = True) -> Iterator[None]:
        """Within the block the parameters are their averages.

        executor: for Paddle's code. need_restore: False leaves them so, until `restore`. Raises
        ProgramError where there are no averages yet.
        """
        scope = global_scope()
        averages = self.values(scope)
        self._before = {p: np.array(scope.read(p)) for p in averages}
        for p, value in averages.items():
            scope.write(p, value.astype(p.spec.dtype.numpy))
        try:
            yield
        finally:
            if need_restore:
                self.restore(executor)

    def restore(self, executor: Any) -> None:
        """Give the parameters back the values that they had before `apply`."""
        for p, value in self._before.items():
            global_scope().write(p, value)
        self._before = {}


class ExponentialMovingAverage(Averages):
    """Averages of the parameters of the default main Program, in which late steps count most.

    decay: what an average keeps of itself at a step; the rest is the parameter's new value.
    thres_steps: a Variable of one element, t: then the decay is at most (t + 1) / (t + 10), so that
    averages follow fast at first. name: begins the names of the averages. Raises ArgumentError for
    a decay outside [0, 1], ProgramError where there are no parameters. A ParamAttr with
    do_model_average=False keeps its parameter out.

    >>> import numpy as np
    >>> from twinoar import static
    >>> main, startup = static.Program(), static.Program()
    >>> with static.scope_guard(static.Scope()), static.program_guard(main, startup):
    ...     weight = static.create_parameter([1], "float32", name="w", attr=twinoar.ParamAttr(
    ...         initializer=twinoar.nn.initializer.Constant(1.0)))
    ...     twinoar.optimizer.SGD(0.5).minimize((weight * weight).sum())
    ...     average = static.ExponentialMovingAverage(0.5)
    ...     average.update()
    ...     exe = static.Executor()
    ...     for program in (startup, main, main):
    ...         _ = exe.run(program)
    ...     with average.apply(exe):
    ...         print(weight.get_value().tolist())
    ([...], [...])
    [0.0]
    """

    def __init__(self, decay: float = 0.999, thres_steps: Any = None, name: str | None = None):
        super().__init__()
        if isinstance(decay, bool) or not isinstance(decay, (int, float)) or not 0 <= decay <= 1:
            raise ArgumentError(f"decay must be a number in [0, 1], received {decay!r}")
        program = default_main_program()
        self._parameters = [
            p
            for p in program.all_parameters()
            if p.trainable and getattr(p, "do_model_average", None) is not False
        ]
        if not self._parameters:
            raise ProgramError(
                "the default main Program has no parameters to average",
                cure="make the ExponentialMovingAverage after the network",
            )
        self._program, self._decay, self._thres_steps = program, float(decay), thres_steps
        self._name = name or ""
        self._averages: dict[State, State] = {}

    def update(self) -> None:
        """Append to the Program what brings the averages up to date: call it after `minimize`."""
        with building(self._program, None, "optimize"), using(recording(False)):
            self._steps = _zeros(Spec((), int64), "@EMA_STEP_COUNTER@")
            current().rebind(self._steps, self._steps + 1)
            self._rate = _zeros(Spec((), float32), "scheduled_ema_decay_rate")
            rate = fill([], self._decay, float32)
            if self._thres_steps is not None:
                steps = cast(reshape(self._thres_steps, []), float32)
                rate = minimum(rate, (steps + 1.0) / (steps + 10.0))
            current().rebind(self._rate, rate)
            for p in self._parameters:
                average = _zeros(p.spec, f"{self._name}{p.name}_ema")
                kept = cast(rate, p.dtype)
                current().rebind(average, average * kept + p * (1.0 - kept))
                self._averages[p] = average

    def values(self, scope: Scope) -> dict[State, np.ndarray]:
        """The averages, without the bias of the start."""
        if not self._averages:
            raise ProgramError("there are no averages", cure="call update() after minimize()")
        steps, rate = scope.read(self._steps), scope.read(self._rate)
        share = 1.0 - rate ** np.float32(steps) if steps else np.float32(1.0)
        return {p: scope.read(average) / share for p, average in self._averages.items()}


def _zeros(spec: Spec, name: str) -> State:
    state: State = current().create_state(
        spec, lambda s: fill(s.shape, 0, s.dtype), unique_name.generate(name)
    )
    return state
