"""Rotary position embedding: pairs of numbers turned by angles that grow with the position.

Source: arXiv 2104.09864, section 3.2.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import float32
from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather
from twinoar.ops.math.trigonometry import cos as cosine
from twinoar.ops.math.trigonometry import sin as sine
from twinoar.ops.sequence.rotary import turned
from twinoar.ops.shape.concat import concat, split, stack
from twinoar.ops.shape.reshape import reshape, transpose, unsqueeze


@function(named=False)
def fused_rotary_position_embedding(
    q: Tensor,
    k: Tensor | None = None,
    v: Tensor | None = None,
    sin: Tensor | None = None,
    cos: Tensor | None = None,
    position_ids: Tensor | None = None,
    use_neox_rotary_style: bool = True,
    time_major: bool = False,
    rotary_emb_base: float = 10000.0,
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """q, k and v with pairs of numbers of each head turned by angles of their positions.

    q, k, v: [N,T,heads,D], floating, D even, each with heads of its own; [T,N,heads,D] with
    time_major. sin, cos: [T,D] or [1,T,1,D], of each number; without both, of the angles
    t / rotary_emb_base ** (2 i / D) of pair i. position_ids: [N,T], integers, which row of sin and
    cos a position takes, of which there may then be others than T. use_neox_rotary_style: pairs are
    neighbours; else number i of one half goes with number i of the other. Returns q, k and v, None
    for None. Raises ShapeError, ArgumentError.

    >>> q = twinoar.to_tensor([[[[1.0, 2.0]]]])
    >>> sin, cos = twinoar.ones([1, 2]), twinoar.zeros([1, 2])
    >>> turn = twinoar.incubate.nn.functional.fused_rotary_position_embedding
    >>> turn(q, sin=sin, cos=cos)[0].flatten().tolist()
    [-2.0, 1.0]
    """
    _check(q, "q")
    size: Any = q.spec.shape[3]
    length: Any = q.spec.shape[0 if time_major else 1]
    if sin is None or cos is None:
        if not (sin is cos and position_ids is None and use_neox_rotary_style):
            raise ArgumentError(
                "position_ids, use_neox_rotary_style=False, sin and cos need sin and cos",
                cure="give both, as [T,D]",
            )
        table = angles(iota(length, float32), size, rotary_emb_base)
        table = reshape(stack([table, table], -1), (length, size))
        sin, cos = sine(table), cosine(table)
    tables = [_rows(x, name, size) for name, x in (("sin", sin), ("cos", cos))]
    tables = [_placed(x, length, position_ids, time_major) for x in tables]
    for x, name in ((k, "k"), (v, "v")):
        if x is not None:
            _check(x, name)
    return tuple(
        None if x is None else turned(x, tables[0], tables[1], use_neox_rotary_style)
        for x in (q, k, v)
    )  # type: ignore[return-value]  # three of them


@function(named=False)
def fused_partial_rope(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """x with the last P numbers of each head turned, the first of each pair before the second.

    x: [N,T,heads,D], floating. cos, sin: [1,S,1,P], S at least T, P even: number i is of number i
    of the result. Pairs are neighbours in x, and half of P apart in the result. Returns
    [N,T,heads,D]. Raises ShapeError.

    >>> x = twinoar.to_tensor([[[[5.0, 1.0, 2.0, 3.0, 4.0]]]])
    >>> cos = twinoar.ones([1, 1, 1, 4])
    >>> twinoar.incubate.nn.functional.fused_partial_rope(x, cos, cos * 0).flatten().tolist()
    [5.0, 1.0, 3.0, 2.0, 4.0]
    """
    shape, size = cos.spec.shape, x.spec.shape[-1]
    if x.ndim != 4 or cos.ndim != 4 or not may_equal(sin.spec.shape, shape):
        raise ShapeError(
            "x must be [N,T,heads,D], cos and sin [1,T,1,P], received "
            f"{x.spec}, {cos.spec} and {sin.spec}"
        )
    count, length = shape[3], x.spec.shape[1]
    if (
        not isinstance(count, int)
        or not isinstance(size, int)
        or count % 2
        or not 0 < count <= size
    ):
        raise ShapeError(f"P must be even, from 2 to {size}, received {cos.spec}")
    rest, pairs = split(x, [size - count, count], 3)
    pairs = reshape(pairs, [0, 0, 0, count // 2, 2])
    halves = reshape(transpose(pairs, [0, 1, 2, 4, 3]), [0, 0, 0, count])
    cos, sin = (t[:, :length] for t in (cos, sin))
    return concat([rest, turned(halves, sin, cos, False)], 3)


def angles(positions: Tensor, size: int, base: float) -> Tensor:
    """The angle of each pair of `size` numbers at each position, [*,size / 2]."""
    slower = base ** (iota(size // 2, float32) * (-2.0 / size))
    return unsqueeze(positions, -1) * slower


def _check(x: Tensor, name: str) -> None:
    if x.ndim != 4 or not isinstance(x.spec.shape[3], int) or x.spec.shape[3] % 2:
        raise ShapeError(
            f"{name} must be [N,T,heads,D] with an even D, received {x.spec}",
            cure="split the last dimension into heads with reshape",
        )


def _rows(x: Tensor, name: str, size: Any) -> Tensor:
    """A table of sines or cosines as [T,D]."""
    shape = x.spec.shape
    fits = x.ndim == 2 or (x.ndim == 4 and may_equal((shape[0], shape[2]), (1, 1)))
    if not fits or not may_equal(shape[-1:], (size,)):
        raise ShapeError(
            f"{name} must be [T,{size}] or [1,T,1,{size}], received {x.spec}",
            cure="give a number for each position and each number of a head",
        )
    return x if x.ndim == 2 else reshape(x, (-1, size))


def _placed(x: Tensor, length: Any, positions: Tensor | None, time_major: bool) -> Tensor:
    """The rows of positions, to be broadcast to [N,T,heads,D]."""
    if positions is None:
        if not may_equal(x.spec.shape[:1], (length,)):
            raise ShapeError(
                f"sin and cos must be of {length} positions, received {x.spec}",
                cure="cut them, or say by position_ids which rows are meant",
            )
        return unsqueeze(x, [1, 2] if time_major else [0, 2])
    if positions.ndim != 2 or not may_equal(positions.spec.shape[1:], (length,)):
        raise ShapeError(f"position_ids must be [N,{length}], received {positions.spec}")
    ids = transpose(positions, [1, 0]) if time_major else positions
    rows = gather(x, reshape(ids, (-1,)))
    return unsqueeze(reshape(rows, (*ids.spec.shape, x.spec.shape[1])), 2)
