"""Choices among functions in a Program, and functions with a backward of the user's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twinoar.autograd.api import no_grad
from twinoar.autograd.py_layer import PyLayer
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.ops.control.branch_and_loop import cond
from twinoar.ops.math.compare import equal
from twinoar.static.nn.parameter import check_variable


def case(
    pred_fn_pairs: Sequence[tuple[Any, Callable]],
    default: Callable | None = None,
    name: str | None = None,
) -> Any:
    """What the function beside the first predicate that holds returns, else `default()`.

    pred_fn_pairs: (truth value, function without arguments) each; without a default the last of the
    functions is it. All return values of equal structure, dtype and number of dimensions. Raises
    TypeMismatchError for anything else.

    >>> x = twinoar.to_tensor(2)
    >>> twinoar.static.nn.case([(x < 1, lambda: "small"), (x < 3, lambda: "middle")])
    'middle'
    """
    if not isinstance(pred_fn_pairs, (list, tuple)) or not pred_fn_pairs:
        raise TypeMismatchError(
            f"pred_fn_pairs must be a list of pairs, received {pred_fn_pairs!r}",
            cure="give at least one (predicate, function)",
        )
    for pair in pred_fn_pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not callable(pair[1]):
            raise TypeMismatchError(
                f"a case must be a pair (predicate, function), received {pair!r}",
                cure="write (x < 1, lambda: ...)",
            )
    _check_callable(default, "default")
    pairs = list(pred_fn_pairs)
    otherwise = pairs.pop()[1] if default is None else default
    return _first(pairs, otherwise)


def switch_case(
    branch_index: Any,
    branch_fns: Any,
    default: Callable | None = None,
    name: str | None = None,
) -> Any:
    """What the function of number branch_index returns, else `default()`.

    branch_index: one integer. branch_fns: functions in a row, pairs (number, function) or a
    dictionary; without a default the one of the greatest number is it. All return values of equal
    structure, dtype and number of dimensions. Raises TypeMismatchError, ArgumentError for a number
    twice.

    >>> twinoar.static.nn.switch_case(twinoar.to_tensor(1), {0: lambda: "a", 1: lambda: "b"})
    'b'
    """
    check_variable(branch_index, "switch_case")
    if not branch_index.dtype.is_integer or branch_index.size not in (1, -1):
        raise TypeMismatchError(
            f"branch_index must be one integer, received {branch_index.spec}",
            cure="cast it to int64",
        )
    _check_callable(default, "default")
    numbered = sorted(_numbered(branch_fns).items())
    otherwise = numbered.pop()[1] if default is None else default
    return _first([(equal(branch_index, n), f) for n, f in numbered], otherwise)


def _first(pairs: Sequence[tuple[Any, Callable]], otherwise: Callable) -> Any:
    if not pairs:
        return otherwise()
    (predicate, function), *rest = pairs
    return cond(predicate, function, lambda: _first(rest, otherwise))


def _check_callable(function: Any, name: str) -> None:
    if function is not None and not callable(function):
        raise TypeMismatchError(
            f"{name} must be a function, received {type(function).__name__}",
            cure="write lambda: ...",
        )


def _numbered(branch_fns: Any) -> dict[int, Callable]:
    if isinstance(branch_fns, Mapping):
        pairs = list(branch_fns.items())
    elif isinstance(branch_fns, (list, tuple)):
        pairs = [p if isinstance(p, tuple) else (i, p) for i, p in enumerate(branch_fns)]
    else:
        pairs = []
    fits = all(len(p) == 2 and isinstance(p[0], int) and callable(p[1]) for p in pairs)
    if not pairs or not fits:
        raise TypeMismatchError(
            f"branch_fns must be functions, or pairs (number, function), received {branch_fns!r}",
            cure="write {0: lambda: ..., 1: lambda: ...}",
        )
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ArgumentError(
            f"branch_fns has a number twice: {[n for n, _ in pairs]}", cure="number them apart"
        )
    return found


def static_pylayer(
    forward_fn: Callable,
    inputs: Sequence[Any],
    backward_fn: Callable | None = None,
    name: str | None = None,
) -> Any:
    """forward_fn(*inputs), with gradients by backward_fn.

    backward_fn: takes one gradient for each result, returns one for each input; without it no
    gradient passes. Both compute with tensors. Returns what forward_fn returns. Raises
    TypeMismatchError.

    >>> x = twinoar.to_tensor(3.0, stop_gradient=False)
    >>> y = twinoar.static.nn.static_pylayer(lambda x: x * x, [x], lambda g: g * 10)
    >>> y.backward()
    >>> x.grad.item()
    10.0
    """
    if not callable(forward_fn):
        raise TypeMismatchError(
            f"forward_fn must be a function, received {type(forward_fn).__name__}",
            cure="write lambda x: ...",
        )
    _check_callable(backward_fn, "backward_fn")
    if not isinstance(inputs, (list, tuple)):
        raise TypeMismatchError(
            f"inputs must be a list of Variables, received {type(inputs).__name__}",
            cure="write [x], also for one",
        )
    for x in inputs:
        check_variable(x, "static_pylayer")
    if backward_fn is None:
        with no_grad():
            return forward_fn(*inputs)

    class StaticPyLayer(PyLayer):
        """The two functions as one operator."""

        @staticmethod
        def forward(ctx: Any, *xs: Any) -> Any:
            """The function of the user's."""
            return forward_fn(*xs)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            """The gradients by the user's function."""
            found = backward_fn(*gradients)  # type: ignore[misc]  # else this is not called
            return tuple(found) if isinstance(found, list) else found

    return StaticPyLayer.apply(*inputs)
