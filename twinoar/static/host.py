"""py_func: a Python function on NumPy arrays as an operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.ops.control.host import host_call, register_function
from twinoar.static.block import define
from twinoar.static.input import InputSpec


def py_func(
    func: Callable,
    x: Any,
    out: Any,
    backward_func: Callable | None = None,
    skip_vars_in_backward_input: Any = None,
) -> Any:
    """Call `func` on `x` as ndarrays: now in eager mode, in a Program whenever it runs.

    x: a Tensor or Variable, or several. out: what takes the results, and says what they are:
    Variables made by `create_var`, or Tensors; InputSpecs, for which the results are returned; None
    where `func` returns nothing. backward_func: called with x, out and the gradients of out, less
    those in skip_vars_in_backward_input; returns the gradients of x, None for one that is not
    wanted. Returns `out` with the results. Raises TypeMismatchError for what is not callable or no
    Tensor, ArgumentError for a skipped one that is neither in x nor in out.

    >>> import numpy as np
    >>> x = twinoar.to_tensor([-1.0, 2.0])
    >>> out = twinoar.static.InputSpec([None], "float32")
    >>> twinoar.static.py_func(lambda a: np.maximum(a, 0), x, out).tolist()
    [0.0, 2.0]
    """
    for name, function in (("func", func), ("backward_func", backward_func)):
        if not callable(function) and not (name == "backward_func" and function is None):
            raise TypeMismatchError(f"{name} must be callable, received {type(function).__name__}")
    operands, outs = _as_list(x), _as_list(out)
    for v in (*operands, *(o for o in outs if not isinstance(o, InputSpec))):
        if not isinstance(v, Value):
            raise TypeMismatchError(
                f"x and out must be Tensors or Variables, received {type(v).__name__}",
                cure="convert x with to_tensor; say what the results are with an InputSpec",
            )
    found = host_call(
        operands,
        register_function(func),
        tuple(_spec(v) for v in outs),
        register_function(backward_func) if backward_func is not None else "",
        _positions(_as_list(skip_vars_in_backward_input), [*operands, *outs]),
    )
    results = found if isinstance(found, tuple) else (found,)
    if backward_func is None:
        for value in results:
            value.stop_gradient = True
    taken = [_taken(target, value) for target, value in zip(outs, results, strict=False)]
    return type(out)(taken) if isinstance(out, (list, tuple)) else taken[0] if taken else None


def _taken(target: Any, value: Any) -> Any:
    """What stands for a result from now on."""
    if isinstance(target, InputSpec):
        return value
    if isinstance(target, Variable) and target.producer is None:
        return define(target, value)
    current().rebind(target, value)
    return target


def _spec(out: Any) -> Spec:
    return out.to_spec(lambda: None) if isinstance(out, InputSpec) else out.spec


def _positions(skipped: list, known: list) -> tuple[int, ...]:
    """Where in `known` the skipped ones stand."""
    places = {id(v): i for i, v in enumerate(known)}
    if any(id(v) not in places for v in skipped):
        raise ArgumentError(
            "skip_vars_in_backward_input names a variable that is neither in x nor in out",
            cure="skip those that backward_func does not take",
        )
    return tuple(sorted(places[id(v)] for v in skipped))


def _as_list(x: Any) -> list:
    return [] if x is None else list(x) if isinstance(x, (list, tuple)) else [x]
