"""Derivatives of functions: Jacobian and Hessian matrices, and products with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from twinoar.autograd.api import enable_grad, grad
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.create.fill import clone, ones_like, zeros_like
from twinoar.ops.shape.concat import concat, stack, unbind
from twinoar.ops.shape.reshape import reshape

Tensor = Value


def jacobian(
    ys: Tensor | Sequence[Tensor], xs: Tensor | Sequence[Tensor], batch_axis: int | None = None
) -> Any:
    """How ys, which was computed from xs, changes with xs.

    ys: [M] or []. xs: [N] or []; with batch_axis=0 both have a first dimension B, and each y
    depends on its own x alone. Returns [M,N], or [B,M,N], without the dimensions that ys or xs
    lacks; a tuple of these for a list of xs, one for each of a list of ys. It can be
    differentiated again. Raises ArgumentError for another batch_axis, ShapeError.

    >>> x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> twinoar.autograd.jacobian(x * x, x).tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    batch = _batch_dims(batch_axis)
    for name, given in (("ys", ys), ("xs", xs)):
        _check_dims(name, _listed(given), batch)
    return _for_each(ys, lambda y: _matrices(y, xs, batch))


def hessian(ys: Tensor, xs: Tensor | Sequence[Tensor], batch_axis: int | None = None) -> Any:
    """How the gradient of ys, a number that was computed from xs, changes with xs.

    ys: [] or [1]. xs: [N] or []; with batch_axis=0 both have a first dimension B. Returns [N,N], or
    [B,N,N]; for a list of xs a tuple of tuples: the gradient of the first one by each, and so on.
    Raises ArgumentError for another batch_axis, ShapeError.

    >>> x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> twinoar.autograd.hessian((x**3).sum(), x).tolist()
    [[6.0, 0.0], [0.0, 12.0]]
    """
    batch = _batch_dims(batch_axis)
    if math.prod(ys.spec.shape[batch:]) != 1:
        raise ShapeError(
            f"ys must be one number{' for each of the batch' * batch}, received {ys.shape}",
            cure="sum it, or differentiate each element by itself",
        )
    _check_dims("xs", _listed(xs), batch)
    first = _matrices(reshape(ys, ys.spec.shape[:batch]), xs, batch)
    return _for_each(first, lambda gradient: _matrices(gradient, xs, batch))


def vjp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """func(*xs), and the product of v with its Jacobian matrix: the gradient of xs.

    xs: a tensor, or a list of them. v: of the shapes of the results; None means ones. Returns the
    results, and one gradient for each of xs, in a tuple where a list was given.

    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> _, gradient = twinoar.incubate.autograd.vjp(lambda x: x * x, x)
    >>> gradient.tolist()
    [2.0, 4.0]
    """
    ys, inputs = _called(func, xs)
    return ys, _in_form_of(xs, _gradients(_listed(ys), inputs, _weights(v, _listed(ys), "v")))


def jvp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """func(*xs), and the product of its Jacobian matrix with v: the change of the results along v.

    xs: a tensor, or a list of them. v: of the shapes of xs; None means ones. Returns the results,
    and as many changes. Twice the gradient of `vjp`, which is linear in its v.

    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> _, change = twinoar.incubate.autograd.jvp(lambda x: x * x, x, twinoar.to_tensor([1.0, 0.0]))
    >>> change.tolist()
    [2.0, 0.0]
    """
    ys, inputs = _called(func, xs)
    along = _weights(v, inputs, "v")
    weights = [_wanted(ones_like(y)) for y in _listed(ys)]
    with enable_grad():
        gradients = _gradients(_listed(ys), inputs, weights)
    return ys, _in_form_of(ys, _gradients(gradients, weights, along))


class Jacobian:
    """The Jacobian matrix of func at xs: [M,N] for all results of M and arguments of N elements.

    is_batched: the first dimension of all is a batch, which the results keep: [B,M,N]. Indexing
    gives parts of it.

    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.incubate.autograd.Jacobian(lambda x: x * x, x)[:].tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False):
        self._batch = int(is_batched)
        ys, self._inputs = _called(func, xs)
        self._rows = self._flattened(_listed(ys))

    @cached_property
    def _matrix(self) -> Any:
        return self._differentiated(self._rows)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes of the matrix."""
        return tuple(self._matrix.spec.shape)

    def __getitem__(self, index: Any) -> Any:
        return self._matrix[index]

    def _flattened(self, tensors: Sequence[Any]) -> Any:
        """Tensors side by side: [N], or [B,N]."""
        flat = [reshape(x, [*x.spec.shape[: self._batch], -1]) for x in tensors]
        return concat(flat, -1)

    def _differentiated(self, rows: Any) -> Any:
        """How rows, [M] or [B,M], change with all inputs."""
        found = []
        for y in unbind(rows, -1):
            found.append(self._flattened(_gradients([y], self._inputs, [ones_like(y)])))
        return stack(found, self._batch)


class Hessian(Jacobian):
    """The Hessian matrix of func at xs, [N,N] or [B,N,N]; func gives one number, or one for each of
    the batch. Raises ShapeError where it gives more.
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False):
        super().__init__(func, xs, is_batched)
        if self._rows.spec.shape[-1] != 1:
            raise ShapeError(
                f"func must give one number, received {self._rows.shape}", cure="sum its result"
            )
        self._rows = self._differentiated(self._rows)[..., 0, :]


def _batch_dims(batch_axis: int | None) -> int:
    if batch_axis not in (None, 0):
        raise ArgumentError(f"batch_axis must be None or 0, received {batch_axis}")
    return 0 if batch_axis is None else 1


def _check_dims(name: str, tensors: Sequence[Any], batch: int) -> None:
    for x in tensors:
        if not batch <= x.ndim <= batch + 1:
            raise ShapeError(
                f"{name} must have {batch} or {batch + 1} dimensions, received {x.shape}",
                cure="flatten it, or use batch_axis=0 for a batch",
            )


def _matrices(y: Any, xs: Any, batch: int) -> Any:
    """How y changes with each of xs, in the form of xs."""
    inputs = _listed(xs)
    rows = unbind(y, batch) if y.ndim > batch else [y]
    found = [_gradients([row], inputs, [ones_like(row)]) for row in rows]
    if y.ndim == batch:
        return _in_form_of(xs, found[0])
    return _in_form_of(xs, [stack(list(column), batch) for column in zip(*found, strict=True)])


def _gradients(ys: Sequence[Any], xs: Sequence[Any], weights: Sequence[Any]) -> list[Any]:
    """The gradients of xs, zeros where ys do not depend on one."""
    wanted = [(y, w) for y, w in zip(ys, weights, strict=True) if not y.stop_gradient]
    if not wanted:
        return [zeros_like(x) for x in xs]
    outputs, seeds = zip(*wanted, strict=True)
    found = grad(list(outputs), list(xs), list(seeds), create_graph=True, allow_unused=True)
    return [zeros_like(x) if g is None else g for x, g in zip(xs, found, strict=True)]


def _called(func: Callable[..., Any], xs: Any) -> tuple[Any, list[Any]]:
    """The results of func, and stand-ins for xs that it was called with and that want gradients."""
    with enable_grad():
        inputs = [_wanted(x.detach()) if x.stop_gradient else clone(x) for x in _listed(xs)]
        return func(*inputs), inputs


def _wanted(x: Any) -> Any:
    x.stop_gradient = False
    return x


def _weights(given: Any, tensors: Sequence[Any], name: str) -> list[Any]:
    if given is None:
        return [ones_like(x) for x in tensors]
    weights = _listed(given)
    if [w.shape for w in weights] != [x.shape for x in tensors]:
        raise ShapeError(
            f"{name} must have the shapes {[x.shape for x in tensors]}, received "
            f"{[w.shape for w in weights]}"
        )
    return weights


def _for_each(given: Any, function: Callable[[Any], Any]) -> Any:
    return function(given) if isinstance(given, Value) else tuple(function(x) for x in given)


def _listed(given: Any) -> list[Any]:
    return [given] if isinstance(given, Value) else list(given)


def _in_form_of(form: Any, values: Sequence[Any]) -> Any:
    return values[0] if isinstance(form, Value) else tuple(values)


__all__ = ["Hessian", "Jacobian", "hessian", "jacobian", "jvp", "vjp"]
