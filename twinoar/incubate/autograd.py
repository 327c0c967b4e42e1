"""Products with Jacobian matrices, and the matrices of functions."""

from __future__ import annotations

from typing import Any

from twinoar.autograd.api import grad as plain_grad
from twinoar.autograd.functional import Hessian, Jacobian, jvp, vjp  # noqa: F401  # exported
from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.public import declared
from twinoar.core.values import Value
from twinoar.ops.create.fill import ones_like, zeros_like
from twinoar.static import gradients

_prim = False


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None) -> Any:
    """The gradients of outputs with respect to inputs, in the form of inputs: a value, or a list.

    outputs, inputs: a value or several. grad_outputs: what the gradients of outputs begin with;
    None means ones. In a Program and eagerly, where Paddle has it in a Program alone. None for an
    input that outputs do not depend on.

    >>> x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> twinoar.incubate.autograd.grad(x * x, x).tolist()
    [2.0, 4.0]
    """
    seeds = None if grad_outputs is None else _listed(grad_outputs)
    found = _gradients(_listed(outputs), _listed(inputs), seeds)
    return found[0] if isinstance(inputs, Value) else found


def forward_grad(outputs: Any, inputs: Any, grad_inputs: Any = None) -> Any:
    """How outputs change where inputs change by `grad_inputs`: a value, or a list for a list.

    outputs were computed from inputs, which want gradients. grad_inputs: of the shapes of inputs;
    None means ones. In a Program and eagerly, where Paddle has it in a Program alone.

    >>> x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> twinoar.incubate.autograd.forward_grad(x * x, x, twinoar.to_tensor([1.0, 0.5])).tolist()
    [2.0, 2.0]
    """
    ys, xs = _listed(outputs), _listed(inputs)
    along = [ones_like(x) for x in xs] if grad_inputs is None else _listed(grad_inputs)
    weights: list[Any] = [ones_like(y) for y in ys]
    for weight in weights:
        weight.stop_gradient = False
    pulled = _gradients(ys, xs, weights)
    linked = [(g, v) for g, v in zip(pulled, along, strict=True) if g is not None]
    found: Any = [None] * len(ys)
    if linked:
        seeds = [list(part) for part in zip(*linked, strict=True)]
        found = _gradients(seeds[0], weights, seeds[1])
    changes = [zeros_like(y) if c is None else c for y, c in zip(ys, found, strict=True)]
    return changes[0] if isinstance(outputs, Value) else changes


def enable_prim() -> None:
    """Nothing but what `prim_enabled` says: all gradients are made of operators, any number of
    times.
    """
    global _prim
    _prim = True


def disable_prim() -> None:
    """Undo `enable_prim`."""
    global _prim
    _prim = False


def prim_enabled() -> bool:
    """Whether `enable_prim` was called.

    >>> prim_enabled()
    False
    """
    return _prim


def prim2orig(block: Any = None) -> None:
    """Nothing: there are no primitive operators to be replaced."""


def _gradients(ys: list[Any], xs: list[Any], seeds: list[Any] | None) -> list[Any]:
    if isinstance(ys[0], Variable) and not current().traces:
        return gradients(ys, xs, seeds)
    return plain_grad(ys, xs, seeds, create_graph=True, allow_unused=True)


def _listed(given: Any) -> list[Any]:
    return [given] if isinstance(given, Value) else list(given)


__all__ = declared(globals(), "Hessian", "Jacobian", "jvp", "vjp")
