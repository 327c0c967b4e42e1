"""How many arithmetic operations a loop nest does."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable

from twinoar.compile import math as functions
from twinoar.compile.schedule import Loop, Nest, Reduce, Statement, Store
from twinoar.compile.storage import Storage
from twinoar.core.dtype import DType
from twinoar.core.loop.expression import Axis, Expr, make, walk
from twinoar.core.varying import lesser

ARITHMETIC = frozenset(
    (
        "abs", "add", "ceil", "div", "eq", "floor", "fma", "le", "lt", "max", "min", "mul", "neg",
        "round", "select", "sqrt", "sub", "trunc",
    )
)  # fmt: skip


def operations(nest: Nest) -> int:
    """The operations on floating numbers in all rows; what loops share is counted in each pass."""
    return nest.row.size * _in_body(nest.body)


def passes(nest: Nest) -> int:
    """How many loops run one after another in each row."""
    return max(1, sum(not isinstance(s, Store) for s in nest.body))


def columns(nest: Nest) -> int:
    """The iterations of the longest loops in a row."""
    return max((_iterations(s) for s in nest.body), default=1)


def _iterations(s: Statement) -> int:
    if isinstance(s, Loop):
        inner = (_iterations(inner) for inner in (*s.reductions, *s.body))
        return s.axis.size * max(inner, default=1)
    return count_of(s.axes) if isinstance(s, Reduce) else 1


def _in_body(body: Iterable[Statement]) -> int:
    total, values = 0, []
    for s in body:
        if isinstance(s, Loop):
            total += s.axis.size * _in_body((*s.reductions, *s.body))
        elif isinstance(s, Reduce):
            terms = [term for _, _, term in s.items]
            total += count_of(s.axes) * (len(terms) + per_element(terms))
        elif isinstance(s, Store):
            values.append(s.root.value)
            total += bool(s.root.combine)
    return total + per_element(values)


def per_element(values: list[Expr]) -> int:
    """The operations of expressions, what they share counted once."""
    total = 0
    for e in walk(*values):
        if e.kind == "call":
            total += of_function(e.args[0], e.dtype, len(e.args) - 1)
        elif e.kind == "reduce":
            total += (count_of(e.args[1]) - 1) * (1 + per_element([e.args[2]]))
        elif e.kind in ARITHMETIC and any(c.dtype.is_floating for c in e.children):
            total += 2 if e.kind == "fma" else 1
    return total


@functools.cache
def of_function(name: str, dtype: DType, arity: int) -> int:
    """The operations that an elementary function is made of."""
    operands = [make("var", (f"x{k}",), dtype) for k in range(arity)]
    return per_element([functions.expand(name, *operands)])


def elements_read(expressions: Iterable[Expr]) -> Counter[Storage]:
    """How many elements of each value are read: all, or as many as are looked up in it."""
    loaded: Counter[Storage] = Counter()
    for e in walk(*expressions):
        if e.kind == "load":
            loaded[e.args[0]] += count_of(e.free)
    return Counter({s: lesser(s.count, n) for s, n in loaded.items()})


def count_of(axes: Iterable[Axis]) -> int:
    """The iterations of nested loops."""
    return math.prod(a.size for a in axes)
