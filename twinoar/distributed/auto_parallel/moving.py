"""How the parts of a tensor come to lie otherwise: collectives along dimensions of a mesh.

Written with operators, so it runs at once in eager mode and becomes part of a Program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from twinoar.core.spec import Spec
from twinoar.distributed.auto_parallel.cutting import chunk, part
from twinoar.distributed.auto_parallel.prices import FIXED, Prices
from twinoar.distributed.auto_parallel.strategies import SUM, WHOLE, Lie
from twinoar.ops.collective.all_reduce import ALL_REDUCE
from twinoar.ops.collective.exchange import (
    all_gather_rows,
    all_to_all_rows,
    reduce_scatter_rows,
)
from twinoar.ops.create.fill import full
from twinoar.ops.math.cast import cast
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import reshape, transpose

OF_BOOL = {"any": "max", "all": "min"}
NEUTRAL = {SUM: 0, "prod": 1}  # what all ranks but the first have of parts that are combined


@dataclass(frozen=True)
class Grid:
    """A mesh as one rank sees it.

    shape: its sizes. place: where this rank is. groups: the numbers of the groups through it.
    prices: of what is done along it, by which divisions are chosen; the same on all ranks.
    """

    shape: tuple[int, ...]
    place: tuple[int, ...]
    groups: tuple[int, ...]
    prices: Prices = field(default=FIXED, compare=False)

    def length(self, size: Any, dim: int, lies: Sequence[Lie]) -> Any:
        """How long dimension `dim` of a tensor is here, if so much of the mesh cuts it."""
        for lie, at, count in zip(lies, self.place, self.shape, strict=False):
            if lie == dim and isinstance(lie, int):
                start, end = part(size, at, count)
                size = end - start
        return size

    def offset(self, spec: Spec, lies: Sequence[Lie]) -> tuple[int, ...]:
        """Where the part of this rank begins in a tensor."""
        found = [0] * spec.ndim
        sizes: list[Any] = list(spec.shape)
        for lie, at, count in zip(lies, self.place, self.shape, strict=True):
            if isinstance(lie, int):
                start, end = part(sizes[lie], at, count)
                found[lie] += start
                sizes[lie] = end - start
        return tuple(found)

    def local(self, spec: Spec, lies: Sequence[Lie]) -> Spec:
        """What this rank has of a tensor."""
        shape = tuple(self.length(n, d, lies) for d, n in enumerate(spec.shape))
        return Spec(shape, spec.dtype)


def moved(x: Any, spec: Spec, grid: Grid, now: Sequence[Lie], wanted: Sequence[Lie]) -> Any:
    """A part that lies as `wanted`, of one that lies as `now`. spec: of the whole."""
    lies = list(now)
    for m in reversed(range(len(lies))):
        if lies[m] != wanted[m] or _is_in_the_way(m, lies, wanted):
            x, lies[m] = _gathered(x, spec, grid, m, lies, wanted)
    for m, lie in enumerate(wanted):
        if lies[m] != lie:
            x = _own_part(x, spec, grid, m, lies, lie)
            lies[m] = lie
    return x


def _is_in_the_way(m: int, lies: Sequence[Lie], wanted: Sequence[Lie]) -> bool:
    """Whether what is cut here is to be cut, or put together, by an earlier dimension first."""
    lie = lies[m]
    return isinstance(lie, int) and any(
        lies[e] != wanted[e] and lie in (lies[e], wanted[e]) for e in range(m)
    )


def _gathered(
    x: Any, spec: Spec, grid: Grid, m: int, lies: Sequence[Lie], wanted: Sequence[Lie]
) -> tuple[Any, Lie]:
    """The part with dimension m of the mesh put together, or cut as is wanted; how it then lies."""
    now, goal, count, group = lies[m], wanted[m], grid.shape[m], grid.groups[m]
    others = [lie for e, lie in enumerate(lies) if e != m]
    others += [lie for e, lie in enumerate(wanted) if e != m]
    is_free = isinstance(goal, int) and goal not in others
    if now is WHOLE or count == 1:
        return x, WHOLE
    if not isinstance(now, int):
        if is_free and now == SUM:
            return _scattered_sum(x, goal, grid.place[m], count, group), goal  # type: ignore[arg-type]
        return _combined(x, now, group), WHOLE
    size = grid.length(spec.shape[now], now, lies[:m])
    if is_free and now not in others:
        return _exchanged(x, now, goal, size, grid.place[m], count, group), goal  # type: ignore[arg-type]
    return _rows_of_all(x, now, size, count, group), WHOLE


def _combined(x: Any, reduction: Any, group: int) -> Any:
    if reduction in OF_BOOL:
        return ALL_REDUCE[OF_BOOL[reduction]](x, group)
    return ALL_REDUCE[reduction](x, group)


def _rows_of_all(x: Any, dim: int, size: int, count: int, group: int) -> Any:
    """The whole of what is cut along `dim`."""
    rows = _in_front(_padded(x, dim, chunk(size, count)), dim)
    return _back(_first(all_gather_rows(rows, group, count), 0, size), dim)


def _scattered_sum(x: Any, dim: int, rank: int, count: int, group: int) -> Any:
    """This rank's part, along `dim`, of the sum of all."""
    size = x.shape[dim]
    rows = _in_front(_padded(x, dim, count * chunk(size, count)), dim)
    start, end = part(size, rank, count)
    return _back(_first(reduce_scatter_rows(rows, SUM, group, count), 0, end - start), dim)


def _exchanged(x: Any, now: int, goal: int, size: int, rank: int, count: int, group: int) -> Any:
    """This rank's part along `goal` of what is cut along `now`, of length `size` there."""
    length, own = x.shape[goal], chunk(x.shape[goal], count)
    x = _padded(_padded(x, now, chunk(size, count)), goal, count * own)
    rows = all_to_all_rows(_in_front(x, goal), (), (), group)  # [count*own, ...], from each rank
    parts = reshape(rows, [count, own, *rows.shape[1:]])
    here = now + 2 if now < goal else now + 1  # where the dimension is that was cut
    order = [d for d in range(1, len(parts.shape))]
    order.insert(order.index(here), 0)
    parts = transpose(parts, order)
    shape = list(parts.shape)
    at = order.index(0)
    shape[at : at + 2] = [shape[at] * shape[at + 1]]
    joined = _first(reshape(parts, shape), at, size)
    start, end = part(length, rank, count)
    return _back(_first(joined, 0, end - start), goal)


def _own_part(x: Any, spec: Spec, grid: Grid, m: int, lies: Sequence[Lie], lie: Lie) -> Any:
    """The part of a whole that this rank has along dimension m of the mesh."""
    if isinstance(lie, int):
        size = grid.length(spec.shape[lie], lie, lies[:m])
        start, end = part(size, grid.place[m], grid.shape[m])
        return x[(slice(None),) * lie + (slice(start, end),)]
    if lie in NEUTRAL and grid.place[m]:
        number = NEUTRAL[lie]
        return full(x.shape, number, x.dtype) if number else zeros_of(x.spec)
    return x


def _padded(x: Any, dim: int, size: int) -> Any:
    """x with zeros behind it, so that dimension `dim` is `size` long."""
    lacking = size - x.shape[dim]
    if not lacking:
        return x
    shape = list(x.shape)
    shape[dim] = lacking
    return concat([x, cast(full(shape, 0, "int32"), x.dtype)], dim)


def _first(x: Any, dim: int, size: int) -> Any:
    return x if x.shape[dim] == size else x[(slice(None),) * dim + (slice(0, size),)]


def _in_front(x: Any, dim: int) -> Any:
    return x if not dim else transpose(x, [dim, *(d for d in range(len(x.shape)) if d != dim)])


def _back(x: Any, dim: int) -> Any:
    return x if not dim else transpose(x, [*range(1, dim + 1), 0, *range(dim + 1, len(x.shape))])
