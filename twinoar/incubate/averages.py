"""Weights that follow those of an optimizer: LookAhead, and averages over the last steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from twinoar.autograd import no_grad
from twinoar.core.interpreter import current
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.ops.create.fill import zeros_like
from twinoar.optimizer import Optimizer


class LookAhead:
    """Every k steps of an optimizer slow weights move towards the fast ones, which go on there.

    slow + alpha * (fast - slow) takes the place of both; slow begins as the weights after the first
    step. Methods and attributes that are not here are those of the inner optimizer. Raises
    ArgumentError for alpha out of [0, 1] or k below 1; steps raise ProgramError where a Program is
    built, as each run would do what this one step does. Source: arXiv 1907.08610, algorithm 1.

    >>> layer = twinoar.nn.Linear(1, 1)
    >>> inner = twinoar.optimizer.SGD(0.1, parameters=layer.parameters())
    >>> optimizer = twinoar.incubate.LookAhead(inner, alpha=0.5, k=5)
    >>> optimizer.get_lr()
    0.1
    """

    def __init__(
        self, inner_optimizer: Optimizer, alpha: float = 0.5, k: int = 5, name: str | None = None
    ) -> None:
        if not isinstance(inner_optimizer, Optimizer):
            kind = type(inner_optimizer).__name__
            raise TypeMismatchError(f"expected an optimizer, received {kind}")
        if not 0.0 <= alpha <= 1.0:
            raise ArgumentError(f"alpha must be from 0 to 1, received {alpha}")
        if not isinstance(k, int) or k < 1:
            raise ArgumentError(f"k must be a number of steps, 1 at least, received {k!r}")
        self.inner_optimizer, self.alpha, self.k = inner_optimizer, alpha, k
        self._slow: dict[str, Any] = {}
        self._steps = 0

    def __getattr__(self, name: str) -> Any:
        if name == "inner_optimizer":  # while it is being copied
            raise AttributeError(name)
        return getattr(self.inner_optimizer, name)

    def step(self) -> None:
        """A step of the inner optimizer, and every k steps one of the slow weights."""
        _need_eager("LookAhead")
        self.inner_optimizer.step()
        self._follow()

    def minimize(self, loss: Any, *arguments: Any, **named: Any) -> tuple[list, list]:
        """As `step`, by `minimize` of the inner optimizer; returns what that returns."""
        _need_eager("LookAhead")
        found = self.inner_optimizer.minimize(loss, *arguments, **named)
        self._follow()
        return found

    def state_dict(self) -> dict[str, Any]:
        """The slow weights by name, the count of steps, and the state of the inner optimizer."""
        return {**self._slow, STEPS: self._steps, **self.inner_optimizer.state_dict()}

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what `state_dict` returned, for parameters of the same names."""
        inner = dict(state_dict)
        self._steps = int(inner.pop(STEPS))
        names = [f"{p.name}{SLOW}" for p in self.inner_optimizer._trained()]
        self._slow = {name: inner.pop(name) for name in names if name in inner}
        self.inner_optimizer.set_state_dict(inner)

    @no_grad()
    def _follow(self) -> None:
        self._steps += 1
        for fast in self.inner_optimizer._trained():
            name = f"{fast.name}{SLOW}"
            slow = self._slow.setdefault(name, fast.detach().clone())
            if self._steps % self.k == 0:
                self._slow[name] = slow + self.alpha * (fast - slow)
                fast.set_value(self._slow[name])


class ModelAverage:
    """The mean of the weights over the last steps, to test with: of what `step` has seen.

    average_window_rate: the window is this part of all steps, but at least min_average_window and
    at most max_average_window of them; the mean reaches back over one to two windows. parameters:
    those of a layer. Raises ArgumentError without parameters; `step` raises ProgramError where a
    Program is built.

    >>> layer = twinoar.nn.Linear(1, 1)
    >>> average = twinoar.incubate.ModelAverage(0.15, layer.parameters(), 2, 10)
    >>> average.step()
    >>> with average.apply():
    ...     out = layer(twinoar.ones([1, 1]))
    """

    def __init__(
        self,
        average_window_rate: float,
        parameters: Sequence[Any] | None = None,
        min_average_window: int = 10000,
        max_average_window: int = 10000,
        name: str | None = None,
    ) -> None:
        if not parameters:
            raise ArgumentError("there is nothing to average", cure="give layer.parameters()")
        self._parameters = list(parameters)
        self._rate = average_window_rate
        self._least, self._most = min_average_window, max_average_window
        self._steps = self._count = self._old_count = 0
        self._sums: list[Any] = [zeros_like(p) for p in self._parameters]
        self._old_sums: list[Any] = [zeros_like(p) for p in self._parameters]
        self._before: list[Any] | None = None

    @no_grad()
    def step(self) -> None:
        """Take the weights as they are now into the mean."""
        _need_eager("ModelAverage")
        self._steps += 1
        self._count += 1
        self._sums = [s + p for s, p in zip(self._sums, self._parameters, strict=True)]
        if self._count >= max(self._least, min(self._most, int(self._steps * self._rate))):
            self._old_sums, self._old_count = self._sums, self._count
            self._sums, self._count = [zeros_like(p) for p in self._parameters], 0

    def minimize(self, loss: Any, *arguments: Any, **named: Any) -> None:
        """The same as `step`: no gradient is asked for."""
        self.step()

    def state_dict(self) -> dict[str, Any]:
        """The sums over this window and the one before by name, and how many steps they are of."""
        found: dict[str, Any] = {name: getattr(self, f"_{name}") for name in COUNTS}
        for end, sums in zip(SUMS, (self._sums, self._old_sums), strict=True):
            found.update({p.name + end: s for p, s in zip(self._parameters, sums, strict=True)})
        return found

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what `state_dict` returned, for parameters of the same names."""
        for name in COUNTS:
            setattr(self, f"_{name}", int(state_dict[name]))
        self._sums, self._old_sums = (
            [to_tensor(state_dict[p.name + end]) for p in self._parameters] for end in SUMS
        )

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Clear the gradients of the parameters."""
        for parameter in self._parameters:
            parameter.clear_gradient(set_to_zero)

    @contextmanager
    def apply(self, executor: Any = None, need_restore: bool = True) -> Iterator[None]:
        """Within the block the parameters are their means.

        executor: for Paddle's code. need_restore: False leaves them so, until `restore`. Raises
        ProgramError before the first step.
        """
        count = self._count + self._old_count
        if count == 0:
            raise ProgramError("there is no mean yet", cure="call step() after a training step")
        self._before = [p.numpy() for p in self._parameters]
        sums = zip(self._parameters, self._sums, self._old_sums, strict=True)
        for parameter, new, old in sums:
            parameter.set_value((new + old) / count)
        try:
            yield
        finally:
            if need_restore:
                self.restore()

    def restore(self, executor: Any = None) -> None:
        """Give the parameters back what they were before `apply`."""
        for parameter, value in zip(self._parameters, self._before or (), strict=False):
            parameter.set_value(value)
        self._before = None


def _need_eager(what: str) -> None:
    """Refuse steps in a Program: Python counts them, and each run would repeat the same one."""
    if not current().runs:
        raise ProgramError(
            f"{what} counts its steps, and takes them in eager mode alone",
            cure="leave its step out of the converted function: compile loss and gradients, and "
            "take the step after the call",
        )


SLOW, STEPS = "_slow_0", "lookahead_steps"
SUMS, COUNTS = ("_sum_1_0", "_sum_3_0"), ("steps", "count", "old_count")
