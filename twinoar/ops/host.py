"""Python functions inside Programs: they run on the host, on NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.op import primitive
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ProgramError, ShapeError

Tensor = Value
functions: dict[str, Callable[..., Any]] = {}


def register_function(function: Callable[..., Any]) -> str:
    """Keep `function` for host calls; returns its name in Programs, always the same."""
    wanted = getattr(function, "__name__", type(function).__name__).strip("<>")
    name, number = wanted, 0
    while functions.get(name, function) is not function:
        number += 1
        name = f"{wanted}_{number}"
    functions[name] = function
    return name


@primitive(
    infer=lambda *xs, function, results, backward, skip: results
    if len(results) != 1
    else results[0],
    effect=True,
)
def host_call(
    xs: Sequence[Tensor],
    function: str,
    results: tuple[Spec, ...] = (),
    backward: str = "",
    skip: tuple[int, ...] = (),
) -> Tensor:
    """`function`, a name from `register_function`, called on the operands as ndarrays.

    results: specs of what it returns; sizes that are unknown are not checked. backward: the name of
    the function that computes gradients; it is called with operands, results and gradients of
    results, less the operands and results whose positions are in `skip`.
    """


@host_call.kernel
def _(*xs, function, results, backward, skip):
    if function not in functions:
        raise ProgramError(
            f"there is no host function {function!r} in this process",
            cure="define it before running the program",
        )
    out = functions[function](*[x.copy() for x in xs])
    given = out if isinstance(out, (tuple, list)) else () if out is None and not results else (out,)
    if len(given) != len(results):
        raise ArgumentError(
            f"the host function {function} returned {len(given)} values, "
            f"{len(results)} were declared"
        )
    arrays = tuple(_checked(a, s, function) for a, s in zip(given, results, strict=True))
    return arrays if len(arrays) != 1 else arrays[0]


@host_call.grad
def _(gs, xs, outs, function, backward, skip, wanted):
    if not backward:
        return (None,) * len(xs)
    given = [v for i, v in enumerate((*xs, *outs)) if i not in skip]
    differentiable = [x.dtype.is_differentiable for x in xs]
    specs = tuple(x.spec for x, d in zip(xs, differentiable, strict=True) if d)
    found = host_call((*given, *[g for g in gs if g is not None]), backward, specs)
    remaining = iter(found if isinstance(found, tuple) else (found,))
    return tuple(next(remaining) if d else None for d in differentiable)


@host_call.samples
def _(s):
    double, slope = register_function(_double), register_function(_double_slope)
    spec = Spec((2, 3))
    yield s([s.randn(2, 3)], double, (spec,), slope, gradient=False)
    yield s([s.randn(2, 3)], double, (spec,), gradient=False)
    yield s.bad(
        ShapeError, "declared", [s.randn(2, 3)], double, (Spec((3, 3)),), static_error=False
    )


def _double(x: np.ndarray) -> np.ndarray:
    return x * 2


def _double_slope(x: np.ndarray, y: np.ndarray, dy: np.ndarray) -> np.ndarray:
    return dy * 2


def _checked(value: Any, spec: Spec, function: str) -> np.ndarray:
    array = np.asarray(value)
    fits = array.ndim == spec.ndim and all(
        not isinstance(d, int) or d == n for d, n in zip(spec.shape, array.shape, strict=False)
    )
    if not fits:
        raise ShapeError(
            f"the host function {function} returned shape {list(array.shape)}, declared is {spec}"
        )
    return array.astype(spec.dtype.numpy, copy=False)
