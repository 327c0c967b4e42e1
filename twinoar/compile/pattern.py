"""What a value's expression needs of the loops around it: elementwise, or reduced, and how.

A reduction whose terms lie close together in memory is computed by each row for itself. One whose
results lie close together (the mean of each channel) is accumulated over rows: each thread into
memory of its own, `Partial`, which whoever reads the value adds up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from twinoar.compile.domain import Domain
from twinoar.compile.storage import Storage
from twinoar.compile.written_out import share_operations
from twinoar.core.dtype import DType
from twinoar.core.ir.program import Variable
from twinoar.core.loop.expression import Axis, Expr, split, walk
from twinoar.core.spec import Spec
from twinoar.core.varying import hint_of, is_one, is_varying, same, typical
from twinoar.late import dataclass

WINDOW = 32  # a reduction of up to so many terms may be computed at each element that reads it
NEAR = 8  # times fewer terms than a block
# How kinds of reductions begin that no parts are accumulated of: of positions, of complex products.
WHOLE = ("arg", "prod_")
BLOCK = 1 << 12  # terms of a sum of floats from which on it is the sum of sums of blocks


@dataclass(frozen=True)
class Pattern:
    """The loops that a value wants.

    partials: the order, outermost first, of the axes of each reduction that is accumulated over
    rows; empty where none is.
    """

    domain: Domain
    partials: tuple[tuple[int, ...], ...] = ()


def outer_reductions(e: Expr) -> list[Expr]:
    """The reductions in an expression that stand in no other, in a fixed order."""
    found: list[Expr] = []
    stack, seen = [e], set[Expr]()
    while stack:
        x = stack.pop()
        if x in seen:
            continue
        seen.add(x)
        if x.kind == "reduce":
            found.append(x)
        else:
            stack.extend(x.children)
    return found


def pattern_of(storage: Storage, axes: tuple[Axis, ...], element: Expr) -> Pattern:
    """The pattern of a value: `element` is its element at `axes`, which follow its dimensions."""
    own = tuple(axes[d] for d in storage.order if not is_one(axes[d].size))
    found = outer_reductions(element)
    large = [r for r in found if not is_local(r, own)]
    if not large:  # what is written out would leave vectors too few registers for more
        is_shared = share_operations(own, [element])
        return Pattern(Domain(tuple(a.size for a in own), closed=is_shared, is_shared=is_shared))
    free = frozenset[Axis]().union(*(r.free for r in large)) & frozenset(own)
    if len(free) < len(own):
        return Pattern(_rows_then_columns(axes, own, free, large))
    patterns = [_reduced(r, own) for r in large]
    first = patterns[0]
    if len(large) == len(found) and all(p == first for p in patterns):
        return Pattern(first.domain, first.partials * len(patterns))
    return Pattern(Domain(tuple(a.size for a in own), flexible=False, closed=True))


def is_local(r: Expr, own: tuple[Axis, ...]) -> bool:
    """True for a window: a few terms, of which neighbouring elements may share some."""
    if typical(_count(r)) > WINDOW:
        return False
    order = dense(r, own)
    return order is None or list(own) not in (order[: len(own)], order[len(order) - len(own) :])


def dense(r: Expr, own: tuple[Axis, ...]) -> list[Axis] | None:
    """The axes of a reduction and of its result, outermost first, in its largest operand's memory.

    None where its terms do not lie one after the other there.
    """
    wanted = {*r.args[1], *(a for a in own if a in r.free)}
    for load in sorted(
        (e for e in walk(r.args[2]) if e.kind == "load"), key=lambda e: -typical(e.args[0].count)
    ):
        _, terms = split(load.args[1])
        if any(t.kind != "axis" for t in terms):
            continue
        by_step = sorted(terms.items(), key=lambda item: -typical(item[1]))
        axes = [t.args[0] for t, _ in by_step]
        if set(axes) == wanted and is_contiguous([(t.args[0].size, c) for t, c in by_step]):
            return axes
    return None


def adds_blocks(kind: str, dtype: DType, count: int) -> bool:
    """True for a sum of so many floats that one after the other they would not all count.

    A float32 stays 16777216 when 1 is added to it. Blocks serve few terms, too: where the number
    varies, they are there already for what is near to many.
    """
    if kind != "sum" or not dtype.is_floating:
        return False
    return (is_varying(count) and hint_of(count) > BLOCK // NEAR) or count > BLOCK


def is_contiguous(steps: Iterable[tuple[int, int]]) -> bool:
    """True where (size, stride) pairs, outermost first, leave no gaps."""
    expected = 1
    for size, stride in reversed(list(steps)):
        if not same(stride, expected):
            return False
        expected *= size
    return True


def _rows_then_columns(
    axes: tuple[Axis, ...], own: tuple[Axis, ...], free: frozenset[Axis], large: list[Expr]
) -> Domain:
    """Rows that share a reduction, columns that each have their element (softmax)."""
    rows = [a for a in own if a in free]
    columns = [a for a in own if a not in free]
    sizes = tuple(a.size for a in rows), tuple(a.size for a in columns)
    fits = all(same(_count(r), math.prod(sizes[1])) for r in large) and own == (*rows, *columns)
    if fits:
        return Domain(*sizes, flexible=False)
    order = tuple(axes.index(a) for a in (*rows, *columns))
    return Domain(*sizes, flexible=False, closed=True, order=order)


def _count(r: Expr) -> int:
    return math.prod(a.size for a in r.args[1])


def _reduced(r: Expr, own: tuple[Axis, ...]) -> Pattern:
    """The pattern of a value that is a reduction."""
    order = dense(r, own)
    kept = tuple(a.size for a in own)
    positions = {a: n for n, a in enumerate(r.args[1])}
    nested = any(e.kind == "reduce" and typical(_count(e)) > WINDOW for e in walk(r.args[2]))
    if order is None or r.args[0].startswith(WHOLE):
        return Pattern(Domain(kept, flexible=False, closed=True))
    reduced = [a for a in order if a in positions]
    sizes = tuple(a.size for a in reduced)
    if order[: len(own)] == list(own) and own:
        return Pattern(Domain(kept, sizes, flexible=False))
    if order[len(reduced) :] == list(own) and not nested:
        axes = tuple(positions[a] for a in reduced)
        return Pattern(Domain(sizes, kept, flexible=not kept), (axes,))
    return Pattern(Domain(kept, flexible=False, closed=True))


class Partial:
    """What the threads have accumulated of the `nth` reduction of a value, one part each.

    spec: the parts, and in each the value's elements as they lie. axes: the positions of the
    reduction's axes, outermost first in memory. is_blocked: there are as many parts again, to which
    the sums of blocks are added.
    """

    __slots__ = ("axes", "is_blocked", "nth", "storage", "value")

    def __init__(
        self, value: Variable, nth: int, spec: Spec, axes: tuple[int, ...], is_blocked: bool
    ):
        self.value, self.nth, self.axes, self.is_blocked = value, nth, axes, is_blocked
        self.storage = Storage(Variable(f"{value.name}.part{nth}", spec))

    @property
    def name(self) -> str:
        """The name of its memory."""
        return self.storage.name
