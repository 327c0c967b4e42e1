"""Operators composed of others, and operators by their rules one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.op.definition import Op
from twinoar.custom.definition import CustomOp, register, with_types
from twinoar.custom.file_form import own_form
from twinoar.errors import ArgumentError


def op(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    replace: bool = False,
    **rules: Any,
) -> Any:
    """Define an operator by a function of ordinary operators, which is one line in a Program.

    A decorator, bare or with options. The function's parameters are operands, those annotated as
    float, int, bool or str are attributes. Shapes, dtypes, the kernel, gradients and the file form
    follow from the body; `rules` (grad=, kernel=, ...) take the place of what does.

    Returns the operator. Raises ArgumentError for a name that is taken, TypeMismatchError for a
    signature that no operator has.

    >>> from twinoar import custom
    >>> @custom.op
    ... def tanh_squared(x, scale: float = 1.0):
    ...     t = twinoar.tanh(x * scale)
    ...     return t * t
    >>> tanh_squared(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """

    def make_op(given: Callable[..., Any]) -> Op:
        made = CustomOp(with_types(given, name), composite=True, **rules)
        return register(made, replace)

    return make_op if function is None else make_op(function)


def primitive(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    replace: bool = False,
    **rules: Any,
) -> Any:
    """Define an operator by its rules alone; the function has the signature and no body.

    A decorator. `infer=` maps Specs and attributes to the Spec of the result, `kernel=` NumPy
    arrays to an array; `grad=`, `scalar=` and `lower=` make it differentiable and compiled. In
    files the operator stands under its own name. docs/add_an_operator.md describes the rules.

    Returns the operator. Raises ArgumentError for a name that is taken and for a rule that lacks,
    TypeMismatchError for a signature that no operator has.

    >>> import numpy as np
    >>> from twinoar import custom
    >>> @custom.primitive(infer=lambda x: x, kernel=np.sort)
    ... def in_order(x):
    ...     "The elements of each row in order."
    >>> in_order(twinoar.to_tensor([3, 1, 2])).tolist()
    [1, 2, 3]
    """

    def make_op(given: Callable[..., Any]) -> Op:
        made = CustomOp(with_types(given, name), composite=False, **rules)
        lacking = [kind for kind in ("infer", "kernel") if kind not in made.rules]
        if lacking:
            raise ArgumentError(
                f"operator {made.name} lacks {' and '.join(lacking)}",
                cure="give infer= and kernel=, or define it with custom.elementwise or custom.loop",
            )
        made.derive(desc=own_form(made, made), host="its kernel is a Python function")
        return register(made, replace)

    return make_op if function is None else make_op(function)
