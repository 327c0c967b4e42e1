"""Minima of functions, by steps that learn the curvature: BFGS, and with little memory L-BFGS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from twinoar.autograd.api import enable_grad, grad
from twinoar.core.dtype import dtype_of, float32, float64
from twinoar.core.interpreter import current
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, DTypeError, ProgramError, ShapeError, UnsupportedError
from twinoar.optimizer.line_search import Point, strong_wolfe

LEAST_CURVATURE = 1e-10  # below, a step has seen none, and nothing is learned from it


def minimize_bfgs(
    objective_func: Callable[[Any], Any],
    initial_position: Any,
    max_iters: int = 50,
    tolerance_grad: float = 1e-07,
    tolerance_change: float = 1e-09,
    initial_inverse_hessian_estimate: Any = None,
    line_search_fn: str = "strong_wolfe",
    max_line_search_iters: int = 50,
    initial_step_length: float = 1.0,
    dtype: str = "float32",
    name: str | None = None,
) -> tuple[Any, Any, Any, Any, Any, Any]:
    """The minimum of a function of a vector, from `initial_position` on, by BFGS.

    objective_func: [N] to a number, by differentiable operators. tolerance_grad, tolerance_change:
    it has converged where no element of the gradient, or of the step, is larger.
    initial_inverse_hessian_estimate: [N,N], symmetric and positive definite; None means the
    identity. Returns whether it has converged [1], how often objective_func was called [1], the
    position [N], the value [], the gradient [N] and the estimate of the inverse Hessian [N,N].
    Raises ArgumentError, ShapeError, DTypeError, and ProgramError where a Program is built. Source:
    Nocedal and Wright 2006, algorithm 6.1.

    >>> from twinoar.incubate.optimizer.functional import minimize_bfgs
    >>> found = minimize_bfgs(lambda x: ((x - 3.0) ** 2).sum(), twinoar.zeros([2]))
    >>> found[0].item(), found[2].tolist()
    (True, [3.0, 3.0])
    """
    search = _Search(objective_func, line_search_fn, max_line_search_iters, dtype)
    start = search.begin(initial_position)
    inverse = _inverse(initial_inverse_hessian_estimate, len(start.position), search.dtype)
    seen = [start]
    for _ in range(max_iters):
        at = seen[-1]
        if _has_converged(seen, tolerance_grad, tolerance_change):
            break
        following = search.step(at, -inverse @ at.gradient, initial_step_length)
        if following is None:
            break
        seen.append(following)
        inverse = _learned(inverse, *_changes(at, following))
    converged = _has_converged(seen, tolerance_grad, tolerance_change)
    return (*search.results(seen[-1], converged), to_tensor(inverse))


def minimize_lbfgs(
    objective_func: Callable[[Any], Any],
    initial_position: Any,
    history_size: int = 100,
    max_iters: int = 50,
    tolerance_grad: float = 1e-08,
    tolerance_change: float = 1e-08,
    initial_inverse_hessian_estimate: Any = None,
    line_search_fn: str = "strong_wolfe",
    max_line_search_iters: int = 50,
    initial_step_length: float = 1.0,
    dtype: str = "float32",
    name: str | None = None,
) -> tuple[Any, Any, Any, Any, Any]:
    """The minimum of a function of a vector, by BFGS that remembers `history_size` steps.

    Other arguments, results and errors are those of `minimize_bfgs`; no inverse Hessian is
    returned. Source: Nocedal and Wright 2006, algorithm 7.4.

    >>> from twinoar.incubate.optimizer.functional import minimize_lbfgs
    >>> found = minimize_lbfgs(lambda x: ((x - 3.0) ** 2).sum(), twinoar.zeros([2]))
    >>> found[0].item(), found[2].tolist()
    (True, [3.0, 3.0])
    """
    search = _Search(objective_func, line_search_fn, max_line_search_iters, dtype)
    start = search.begin(initial_position)
    inverse = _inverse(initial_inverse_hessian_estimate, len(start.position), search.dtype)
    seen, history = [start], list[tuple[np.ndarray, np.ndarray]]()
    for _ in range(max_iters):
        at = seen[-1]
        if _has_converged(seen, tolerance_grad, tolerance_change):
            break
        following = search.step(at, -_applied(inverse, history, at.gradient), initial_step_length)
        if following is None:
            break
        seen.append(following)
        step, change = _changes(at, following)
        if step @ change > LEAST_CURVATURE:
            history = [*history, (step, change)][-history_size:]
    converged = _has_converged(seen, tolerance_grad, tolerance_change)
    return search.results(seen[-1], converged)


class _Place(NamedTuple):
    """A position, and what the function is there."""

    position: np.ndarray
    value: Any
    gradient: np.ndarray


class _Search:
    """Calls of a function, counted, and the line search between them."""

    def __init__(self, function: Callable[[Any], Any], line_search: str, most: int, dtype: str):
        if not current().runs:
            raise ProgramError(
                "a minimum is searched for in eager mode alone",
                cure="call it outside the Program; the function itself may be converted",
            )
        if line_search != "strong_wolfe":
            raise UnsupportedError(
                f"line_search_fn must be 'strong_wolfe', received {line_search!r}",
                cure="leave it at its default",
            )
        if dtype_of(dtype) not in (float32, float64):
            raise DTypeError(f"dtype must be float32 or float64, received {dtype}")
        self.dtype = dtype_of(dtype).numpy
        self._function, self._most, self.calls = function, most, 0

    def begin(self, position: Any) -> _Place:
        start = np.asarray(position)
        if start.ndim != 1:
            raise ShapeError(f"the position must be a vector, received {list(start.shape)}")
        return self.at(start.astype(self.dtype))

    def at(self, position: np.ndarray) -> _Place:
        self.calls += 1
        x = to_tensor(position, stop_gradient=False)
        with enable_grad():
            value = self._function(x)
            if value.size != 1:
                raise ShapeError(f"the function must give one number, received {value.shape}")
            (gradient,) = grad(value, x)
        return _Place(position, np.asarray(value.detach()).reshape(())[()], np.asarray(gradient))

    def step(self, start: _Place, direction: np.ndarray, length: float) -> _Place | None:
        """Where the line search ends; None where it finds no lower place."""
        slope = start.gradient @ direction
        if not slope < 0:
            return None

        def point(step: float) -> Point:
            place = self.at((start.position + step * direction).astype(self.dtype))
            return Point(step, place.value, place.gradient @ direction, place)

        first = Point(0.0, start.value, slope, start)
        found, _ = strong_wolfe(point, first, length, 0.0, self._most)
        return None if found.step == 0.0 else found.gradient

    def results(self, place: _Place, converged: bool) -> tuple[Any, Any, Any, Any, Any]:
        return (
            to_tensor([converged]),
            to_tensor([self.calls]),
            to_tensor(place.position),
            to_tensor(np.asarray(place.value, self.dtype)),
            to_tensor(place.gradient),
        )


def _has_converged(seen: list[_Place], tolerance_grad: float, tolerance_change: float) -> bool:
    if np.abs(seen[-1].gradient).max(initial=0.0) < tolerance_grad:
        return True
    if len(seen) < 2:
        return False
    step, _ = _changes(*seen[-2:])
    return bool(np.abs(step).max(initial=0.0) < tolerance_change)


def _changes(before: _Place, after: _Place) -> tuple[np.ndarray, np.ndarray]:
    return after.position - before.position, after.gradient - before.gradient


def _learned(inverse: np.ndarray, step: np.ndarray, change: np.ndarray) -> np.ndarray:
    """The estimate that maps `change` to `step`: equation 6.17."""
    curvature = step @ change
    if curvature <= LEAST_CURVATURE:
        return inverse
    left = np.eye(len(step), dtype=inverse.dtype) - np.outer(step, change) / curvature
    return left @ inverse @ left.T + np.outer(step, step) / curvature


def _applied(inverse: np.ndarray, history: list, gradient: np.ndarray) -> np.ndarray:
    """The estimate that the history makes of `inverse`, times the gradient."""
    shares, found = [], gradient
    for step, change in reversed(history):
        shares.append((step @ found) / (step @ change))
        found = found - shares[-1] * change
    if history:
        step, change = history[-1]
        found = found * ((step @ change) / (change @ change))
    found = inverse @ found
    for step, change in history:
        found = found + (shares.pop() - (change @ found) / (step @ change)) * step
    return found


def _inverse(given: Any, size: int, dtype: Any) -> np.ndarray:
    if given is None:
        return np.eye(size, dtype=dtype)
    found = np.asarray(given).astype(dtype)
    if found.shape != (size, size):
        raise ShapeError(f"the estimate must be [{size},{size}], received {list(found.shape)}")
    if not np.allclose(found, found.T) or np.linalg.eigvalsh(found).min() <= 0:
        raise ArgumentError(
            "initial_inverse_hessian_estimate must be symmetric and positive definite"
        )
    return found


__all__ = ["minimize_bfgs", "minimize_lbfgs"]
