"""py_func: a Python function as an operator of a static Program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.ir import Variable
from twinoar.core.values import Value
from twinoar.errors import TypeMismatchError
from twinoar.ops.host import host_call, register_function
from twinoar.static.block import define


def py_func(
    func: Callable,
    x: Any,
    out: Any,
    backward_func: Callable | None = None,
    skip_vars_in_backward_input: Any = None,
) -> Any:
    """Call `func` on `x` as ndarrays whenever the Program runs; `out` takes what it returns.

    x: a Variable or several. out: Variables made by `create_var`, whose specs the results must
    have, or None. backward_func: called with x, out and the gradients of out, less those in
    skip_vars_in_backward_input; returns the gradients of x. Returns `out`. Raises TypeMismatchError
    for what is not callable or not a Variable.
    """
    for name, function in (("func", func), ("backward_func", backward_func)):
        if not callable(function) and not (name == "backward_func" and function is None):
            raise TypeMismatchError(f"{name} must be callable, received {type(function).__name__}")
    operands, outs = _as_list(x), _as_list(out)
    for v in (*operands, *outs):
        if not isinstance(v, Value):
            raise TypeMismatchError(f"x and out must be Variables, received {type(v).__name__}")
    skipped = {id(v) for v in _as_list(skip_vars_in_backward_input)}
    positions = tuple(i for i, v in enumerate((*operands, *outs)) if id(v) in skipped)
    found = host_call(
        operands,
        register_function(func),
        tuple(v.spec for v in outs),
        register_function(backward_func) if backward_func is not None else "",
        positions,
    )
    results = found if isinstance(found, tuple) else (found,)
    for target, value in zip(outs, results, strict=False):
        if backward_func is None:
            value.stop_gradient = True
        if isinstance(target, Variable):
            define(target, value)
    return out


def _as_list(x: Any) -> list:
    return [] if x is None else list(x) if isinstance(x, (list, tuple)) else [x]
