"""Spectral normalization: a weight divided by its greatest singular value."""

from __future__ import annotations

import math

from twinoar.core.op.declare import Desc, Shape, Tensor, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.linalg.matmul import mv, outer
from twinoar.ops.math.root import sqrt
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.expand import expand
from twinoar.ops.shape.reshape import reshape, transpose

MAX_ITERATIONS = 1000  # each is operators of the body; the iteration converges in a few


@op(
    amp="full",
    desc=Desc(
        "spectral_norm",
        {"Weight": "weight", "U": "u", "V": "v"},
        attrs={"dim": "dim", "power_iters": "power_iters", "eps": "eps"},
    ),
)
def spectral_norm(
    weight: Tensor, u: Tensor, v: Tensor, dim: int = 0, power_iters: int = 1, eps: float = 1e-12
) -> Tensor:
    """weight / s, where s = u W v after power_iters steps v = W' u / |W' u|, u = W v / |W v|.

    weight: [*], and W is the matrix of its rows along `dim`, [H,K]. u: [H], v: [K], the start of
    the iteration, which does not change. Gradients go to the weight alone, with u and v held.
    Returns the shape of weight. Raises ShapeError, ArgumentError. Source: Miyato et al. 2018, arXiv
    1802.05957, algorithm 1 and equation 12.

    >>> from twinoar.ops.norm.spectral_norm import spectral_norm
    >>> weight = twinoar.to_tensor([[3.0, 0.0], [0.0, 1.0]])
    >>> one = twinoar.ones([2])
    >>> spectral_norm(weight, one, one, power_iters=20).round().tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    _check(weight, u, v, dim, power_iters)
    matrix = matrix_of(weight, dim)
    u, v = _iterated(matrix, u, v, power_iters, eps)
    return weight / total(u * mv(matrix, v))


@spectral_norm.grad
def _(g, weight, u, v, out, dim, power_iters, eps):
    matrix = matrix_of(weight, dim)
    u, v = _iterated(matrix, u, v, power_iters, eps)
    norm = total(u * mv(matrix, v))
    order = _order(weight.ndim, dim)
    shape = tuple(weight.spec.shape[axis] for axis in order)
    slope = transpose(reshape(outer(u, v), shape), _inverse(order))  # of the norm
    return (g - slope * total(g * out)) / norm, None, None


@spectral_norm.samples
def _(s):
    yield s(s.randn(4, 3), s.randn(4), s.randn(3), gradient=False)
    yield s(s.randn(2, 3, 2, 2), s.randn(3), s.randn(8), 1, 2, gradient=False)
    yield s.bad(ShapeError, "u must be [4]", s.randn(4, 3), s.randn(3), s.randn(3))
    yield s.bad(ArgumentError, "dim must be", s.randn(4, 3), s.randn(4), s.randn(3), 2)


def _check(weight: Tensor, u: Tensor, v: Tensor, dim: int, power_iters: int) -> None:
    if not 0 <= dim < weight.ndim:
        raise ArgumentError(f"dim must be in [0, {weight.ndim - 1}], received {dim}")
    if not 0 <= power_iters <= MAX_ITERATIONS:
        raise ArgumentError(f"power_iters must be in [0, {MAX_ITERATIONS}], received {power_iters}")
    shape = weight.spec.shape
    rows, rest = shape[dim], math.prod(n for axis, n in enumerate(shape) if axis != dim)
    for name, vector, size in (("u", u, rows), ("v", v, rest)):
        if vector.spec.shape != (size,):
            raise ShapeError(f"{name} must be [{size}], received {vector.spec}")


def _order(ndim: int, dim: int) -> list[int]:
    return [dim, *(axis for axis in range(ndim) if axis != dim)]


def _inverse(order: list[int]) -> list[int]:
    return [order.index(axis) for axis in range(len(order))]


def matrix_of(weight: Tensor, dim: int) -> Tensor:
    """The rows of a weight along `dim`, flat."""
    shape: Shape = weight.spec.shape
    rows = transpose(weight, _order(weight.ndim, dim)) if dim else weight
    return reshape(rows, (shape[dim], math.prod(shape) // shape[dim]))


def _iterated(
    matrix: Tensor, u: Tensor, v: Tensor, power_iters: int, eps: float
) -> tuple[Tensor, Tensor]:
    for _ in range(power_iters):
        v = _unit(mv(transpose(matrix, [1, 0]), u), eps)
        u = _unit(mv(matrix, v), eps)
    return u, v


def _unit(x: Tensor, eps: float) -> Tensor:
    return x / expand(sqrt(total(x * x)) + eps, x.spec.shape)
