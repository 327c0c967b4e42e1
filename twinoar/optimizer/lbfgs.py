"""L-BFGS: steps by the curvature that the last gradients show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

import numpy as np

from twinoar.core.interpreter import current
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.optimizer.line_search import Point, strong_wolfe
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.optimizer import Optimizer

LEAST_CURVATURE = 1e-10  # pairs below it are not remembered: the Hessian must stay positive
LISTS = ("old_yk", "old_sk", "ro")


class LBFGS(Optimizer):
    """w + learning_rate * d, with d = -H g and H made of the last changes of w and g.

    max_iter: iterations of a step. max_eval: calls of the closure in a step; None means 5 / 4 of
    max_iter. tolerance_grad: a gradient whose greatest element is below it ends a step, as does a
    change of w or of the loss below tolerance_change. history_size: how many changes are
    remembered. line_search_fn: "strong_wolfe", or None for the learning rate alone. All parameters
    are one vector: there are no groups; a term for weights, and what limits gradients, belong into
    the closure. Raises ArgumentError. Source: Nocedal and Wright 2006, algorithms 7.4 and 7.5.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> lbfgs = twinoar.optimizer.LBFGS(parameters=[w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     lbfgs.clear_grad()
    ...     loss = ((w - 3) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> lbfgs.step(closure).item(), round(w.item(), 4)
    (4.0, 3.0)
    """

    def __init__(
        self,
        learning_rate: float | LRScheduler = 1.0,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        if weight_decay or grad_clip is not None:
            raise ArgumentError(
                "LBFGS minimizes what the closure returns, received weight_decay or grad_clip",
                cure="add the term to the loss in the closure, and leave out both",
            )
        if line_search_fn not in (None, "strong_wolfe"):
            raise ArgumentError(
                f"line_search_fn must be 'strong_wolfe' or None, received {line_search_fn!r}"
            )
        super().__init__(learning_rate, parameters, None, None, name)
        if self._group_by_id:
            raise ArgumentError(
                "LBFGS takes all parameters as one vector, received groups",
                cure="pass parameters=layer.parameters()",
            )
        self._most_iterations = max_iter
        self._most_calls = max_iter * 5 // 4 if max_eval is None else max_eval
        self._tolerances = tolerance_grad, tolerance_change
        self._history_size, self._searches = history_size, line_search_fn is not None
        self._state: dict[str, Any] = {"func_evals": 0, "n_iter": 0, **{k: [] for k in LISTS}}

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Minimize `closure()`, which clears the gradients, computes them anew, returns the loss.

        Returns the first loss. Raises UnsupportedError where a Program is built: how many
        iterations there are, data decides.
        """
        if not current().runs:
            self._refuse("in a Program")
        first = closure()
        value, gradient, calls = _value(first), self._flat_gradient(), 1
        tolerance, least_change = self._tolerances
        for iteration in range(1, self._most_iterations + 1):
            if _greatest(gradient) <= tolerance:
                break
            direction, step = self._direction(gradient)
            slope = gradient @ direction
            self._state.update(d=direction, alpha=step, prev_flat_grad=gradient, prev_loss=value)
            if slope > -least_change:
                break
            before = value
            if self._searches:
                start = Point(0.0, value, slope, gradient)
                found, seen = self._searched(closure, start, direction, step, least_change)
                step, value, gradient = found.step, found.value, found.gradient
                calls += seen
                self._state["alpha"] = float(step)
            else:
                self._move(self._flat_values(), direction, step)
                if iteration < self._most_iterations:
                    value, gradient, calls = _value(closure()), self._flat_gradient(), calls + 1
            is_small = _greatest(direction) * abs(step) <= least_change
            if calls >= self._most_calls or is_small or abs(value - before) < least_change:
                break
        self._state["func_evals"] += calls
        return first

    def minimize(self, *arguments: Any, **named: Any) -> NoReturn:
        """Raises UnsupportedError: a loss that was computed once is not enough."""
        self._refuse("by minimize")

    def state_dict(self) -> dict[str, Any]:
        """What is remembered, as `state`: changes of w and g, the last direction, counts."""
        state = {k: [to_tensor(x) for x in self._state[k]] for k in LISTS}
        return {
            "state": {
                k: state.get(k, to_tensor(x) if isinstance(x, np.ndarray) else x)
                for k, x in self._state.items()
            }
        }

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what `state_dict` returned, of this optimizer or one of the same parameters.

        Raises ArgumentError for the state of another optimizer.
        """
        given = state_dict.get("state")
        if not isinstance(given, Mapping) or not {*LISTS, "n_iter"} <= given.keys():
            raise ArgumentError(
                f"expected the state of an LBFGS, received entries {list(state_dict)}",
                cure="load what state_dict() of an LBFGS returned",
            )
        self._state = {k: _arrays(x) for k, x in given.items()}

    set_dict = set_state_dict

    def _direction(self, gradient: np.ndarray) -> tuple[np.ndarray, float]:
        """The direction of the next iteration, and the first step to try."""
        state = self._state
        state["n_iter"] += 1
        if state["n_iter"] == 1:
            state["H_diag"] = 1.0
            return -gradient, float(min(1.0, 1.0 / np.abs(gradient).sum())) * self.get_lr()
        changes, steps, inverses = (state[k] for k in LISTS)
        change = gradient - state["prev_flat_grad"]
        step = state["d"] * state["alpha"]
        curvature = change @ step
        if curvature > LEAST_CURVATURE:
            for kept, x in zip(
                (changes, steps, inverses), (change, step, 1 / curvature), strict=True
            ):
                kept.append(x)
                del kept[: -self._history_size]
            state["H_diag"] = float(curvature / (change @ change))
        direction, shares = -gradient, []
        for y, s, inverse in zip(changes[::-1], steps[::-1], inverses[::-1], strict=True):
            shares.append((s @ direction) * inverse)
            direction = direction - shares[-1] * y
        direction = direction * direction.dtype.type(state["H_diag"])
        for y, s, inverse in zip(changes, steps, inverses, strict=True):
            direction = direction + (shares.pop() - (y @ direction) * inverse) * s
        return direction, self.get_lr()

    def _searched(
        self,
        closure: Callable[[], Any],
        start: Point,
        direction: np.ndarray,
        step: float,
        least_change: float,
    ) -> tuple[Point, int]:
        """The point that a line search finds; the parameters are moved there."""
        values = self._flat_values()

        def at(step: float) -> Point:
            self._move(values, direction, step)
            value, gradient = _value(closure()), self._flat_gradient()
            return Point(step, value, gradient @ direction, gradient)

        found, seen = strong_wolfe(at, start, step, least_change / _greatest(direction))
        self._move(values, direction, found.step)
        return found, seen

    def _flat_values(self) -> np.ndarray:
        return np.concatenate([p.numpy().ravel() for p in self._trained()])

    def _flat_gradient(self) -> np.ndarray:
        """All gradients as one vector; zeros where a parameter has none."""
        return np.concatenate(
            [
                np.zeros(p.size, p.numpy().dtype) if p.grad is None else p.grad.numpy().ravel()
                for p in self._trained()
            ]
        )

    def _move(self, values: np.ndarray, direction: np.ndarray, step: float) -> None:
        moved, begin = values + direction * direction.dtype.type(step), 0
        for p in self._trained():
            p.set_value(moved[begin : begin + p.size].reshape(p.shape))
            begin += p.size

    def _refuse(self, where: str) -> NoReturn:
        raise UnsupportedError(
            f"LBFGS works by step(closure), eagerly, and not {where}",
            cure="call lbfgs.step(closure), with the model inside compiled by to_static",
        )


def _value(loss: Any) -> Any:
    """A loss as a number of its own dtype: a search whose first steps are small amplifies how its
    sums round, so that it goes where Paddle goes only in that precision.
    """
    return np.asarray(loss).reshape(())[()]


def _greatest(x: np.ndarray) -> float:
    return float(np.abs(x).max(initial=0.0))


def _arrays(x: Any) -> Any:
    """Tensors as arrays, in lists as well."""
    if isinstance(x, (list, tuple)):
        return [_arrays(one) for one in x]
    return x.numpy() if hasattr(x, "numpy") else x
