"""Python functions inside Programs: they run on the host, on NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from twinoar.core.op.declare import Spec, Tensor, primitive
from twinoar.errors import ArgumentError, ProgramError, ShapeError


class HostFunction(str):
    """The name of a Python function in Programs; it holds the function for as long as they live."""

    function: Callable[..., Any]


functions: WeakValueDictionary[str, HostFunction] = WeakValueDictionary()


def register_function(function: Callable[..., Any]) -> HostFunction:
    """The name of `function` for host calls, always the same."""
    wanted = getattr(function, "__name__", type(function).__name__).strip("<>")
    name, number = wanted, 0
    while (known := functions.get(name)) is not None:
        if known.function is function:
            return known
        number += 1
        name = f"{wanted}_{number}"
    made = HostFunction(name)
    made.function = function
    functions[name] = made
    return made


@primitive(
    name="py_func",
    infer=lambda *xs, results, **attrs: results if len(results) != 1 else results[0],
    effect=True,
    host="Python",
)
def host_call(
    xs: Sequence[Tensor],
    function: str,
    results: tuple[Spec, ...] = (),
    backward: str = "",
    skip: tuple[int, ...] = (),
    differentiable: tuple[bool, ...] = (),
) -> Tensor:
    """`function`, a name from `register_function`, called on the operands as ndarrays.

    results: specs of what it returns; sizes that are unknown are not checked. backward: the name of
    the function that computes gradients; it is called with operands, results and gradients of
    results, less the operands and results whose positions are in `skip`. differentiable: where
    `function` is such a one, which operands have a gradient: it may return one for each, or for
    these alone.
    """


@host_call.kernel
def _(*xs, function, results, differentiable, **attrs):
    known = function if isinstance(function, HostFunction) else functions.get(function)
    if known is None:
        raise ProgramError(
            f"there is no Python function {function!r} for py_func in this process",
            cure="build the Program anew with py_func: its text has the name alone",
        )
    out = known.function(*[x.copy() for x in xs])
    given = list(out) if isinstance(out, (tuple, list)) else [out]
    if not results and out is None:
        given = []
    if len(given) == len(differentiable):
        given = [g for g, is_wanted in zip(given, differentiable, strict=True) if is_wanted]
    if len(given) != len(results):
        raise ArgumentError(
            f"the host function {function} returned {len(given)} values, "
            f"{len(results)} were declared",
            cure="return one array for each in out, and from a backward_func one for each in x",
        )
    arrays = tuple(_checked(a, s, function) for a, s in zip(given, results, strict=True))
    return arrays if len(arrays) != 1 else arrays[0]


@host_call.grad
def _(gs, xs, outs, backward, skip, wanted):
    differentiable = tuple(x.dtype.is_differentiable for x in xs)
    if not backward or not any(differentiable):
        return (None,) * len(xs)
    given = [v for i, v in enumerate((*xs, *outs)) if i not in skip]
    specs = tuple(x.spec for x, d in zip(xs, differentiable, strict=True) if d)
    found = host_call(
        (*given, *[g for g in gs if g is not None]), backward, specs, differentiable=differentiable
    )
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
    if value is None and spec.is_static:
        return np.zeros(spec.shape, spec.dtype.numpy)  # a gradient that is not there
    if value is None:
        raise ArgumentError(
            f"the host function {function} returned None for {spec}", cure="return zeros for it"
        )
    array = np.asarray(value)
    fits = array.ndim == spec.ndim and all(
        not isinstance(d, int) or d == n for d, n in zip(spec.shape, array.shape, strict=False)
    )
    if not fits:
        raise ShapeError(
            f"the host function {function} returned shape {list(array.shape)}, declared is {spec}"
        )
    return array.astype(spec.dtype.numpy, copy=False)
