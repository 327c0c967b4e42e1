"""Procedures: what the elements of a result are together, as loops with variables.

Where an element alone is no expression (a running sum, a sorted row, a decomposition), the
operator's `procedure` rule launches procedures, functions in this small language:

    @procedure
    def running_sum(row, x, out):         # called for each row, in parallel
        total = cast(0, x)
        for k in range(x.shape[1]):
            total += x[row, k]
            out[row, k] = total

    @cumsum.procedure
    def _(p, x):                          # p: a Launcher; operands are Arrays, or None
        p.launch(running_sum, x.shape[0], x, p.results[0])

The first parameter counts the calls, which threads share; so each writes to places of its own, and
results do not depend on how many threads there are. Arguments by position are Arrays and numbers of
the run; those by keyword are written into the code, and an `if` on one chooses when it is made.
A rule that returns False declines, for dtypes or attributes that it has no loops for: NumPy's
kernel runs.
What a procedure may hold is told by `twinoar.core.loop.translate`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from twinoar.core.dtype import REAL_OF, DType
from twinoar.core.loop.expression import Expr
from twinoar.errors import ShapeError
from twinoar.late import dataclass


class Procedure:
    """A function in the language of procedures: launched by rules, or called by others."""

    def __init__(self, function: Callable[..., Any]):
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{self.function.__name__} is a procedure: launch(...) it in a rule")

    def __repr__(self) -> str:
        return f"<procedure {self.function.__name__}>"


def procedure(function: Callable[..., Any]) -> Procedure:
    """Decorator: a function in the language of procedures."""
    return Procedure(function)


# What a procedure may call besides those of `language`; the translator knows them.


def cast(value: Any, like: Any) -> Any:
    """The value in the dtype `like`, or that in which elements of the array `like` are computed."""
    raise TypeError("cast is for procedures")


def local(count: int, dtype: DType) -> Any:
    """Memory of a row's own for a few elements, not set; `count` is known beforehand."""
    raise TypeError("local is for procedures")


def products(
    total: Any, at: Any, left: Any, of: Any, right: Any,
    *, rows: int, inner: int, across: int, row_step: int, inner_step: int, adds: bool = True,
) -> None:  # fmt: skip
    """The product of two small matrices, [rows,inner] and [inner,across].

    It is added to what `total` holds from the index `at` on, or takes its place. Element [r,s] of
    `left` lies r * row_step + s * inner_step behind the index `of`; `right`, which is memory of the
    row's own, and the result are row-major. All are of one dtype, float32 or float64; sizes are
    known beforehand, rows and inner multiples of four.
    """
    raise TypeError("products is for procedures")


def fail() -> None:
    """The data is none that the operator takes: its NumPy kernel raises, and tells why.

    It ends the row; later launches still run, and must not go astray on what was left unwritten.
    """
    raise TypeError("fail is for procedures")


# What rules launch them on.


@dataclass(frozen=True)
class Array:
    """Elements of `dtype` in row-major order, from element `offset` of `home` on."""

    home: Any
    dtype: DType
    shape: tuple[int, ...]
    offset: int = 0

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    def reshape(self, *shape: int) -> Array:
        """The same elements in another shape, in which one size may be -1."""
        if -1 in shape:
            known = -math.prod(shape)
            shape = tuple(self.size // known if n < 0 and known else max(n, 0) for n in shape)
        if math.prod(shape) != self.size:
            raise ShapeError(f"{self.size} elements are none of the shape {list(shape)}")
        return replace(self, shape=shape)

    def along(self, axis: int) -> Array:
        """As [before, n, after]: `n` elements along an axis, counted from 0."""
        before, after = math.prod(self.shape[:axis]), math.prod(self.shape[axis + 1 :])
        return replace(self, shape=(before, self.shape[axis] if self.shape else 1, after))

    def bits(self, dtype: DType) -> Array:
        """The same memory as elements of another dtype of that size."""
        assert dtype.itemsize == self.dtype.itemsize
        return replace(self, dtype=dtype)


@dataclass(frozen=True)
class Launch:
    """A procedure called for each row: arguments of the run, and those written into the code.

    work: about how many elements are computed in all.
    """

    procedure: Procedure
    rows: int
    arguments: tuple[Array | int | float, ...]
    constants: dict[str, Any]
    work: int


@dataclass
class Launcher:
    """What an operator's rule writes its launches to. results: Arrays, None for those left out.

    new: memory for so many elements, which lasts as long as the operator runs. threads: among which
    rows are divided, for rules whose results do not depend on how the work is cut.
    """

    results: Sequence[Any]
    new: Callable[[int, DType], Any]
    threads: int = 1
    launches: list[Launch] = field(default_factory=list)

    def launch(
        self,
        called: Procedure,
        rows: int,
        *arguments: Array | int | float,
        work: int | None = None,
        **constants: Any,
    ) -> None:
        """Call a procedure for each row; after what was launched before."""
        if rows == 0:
            return
        if work is None:
            work = sum(a.size for a in arguments if isinstance(a, Array))
        self.launches.append(Launch(called, rows, arguments, constants, work))

    def scratch(self, shape: Sequence[int], dtype: DType) -> Array:
        """Memory of the operator's own, not set to anything."""
        return Array(self.new(math.prod(shape), dtype), dtype, tuple(shape))


# What procedures are translated to.


@dataclass(frozen=True, eq=False)
class Memory:
    """An array in a translated procedure: the number of its argument, or memory of a row's own.

    shape: an Expr for each dimension.
    """

    number: int
    dtype: DType
    shape: tuple[Any, ...]
    offset: Expr | None = None
    count: int = 0  # elements of memory of a row's own

    @property
    def parts(self) -> Memory:
        """Of complex elements the parts, which lie side by side."""
        return replace(self, dtype=REAL_OF[self.dtype], count=2 * self.count)


@dataclass(frozen=True, eq=False)
class Cell:
    """A variable, whose value changes; a complex one is its two parts, which are set apart."""

    name: str
    dtype: DType

    @cached_property
    def parts(self) -> tuple[Cell, ...]:
        """The two parts of a complex variable; itself for others."""
        part = REAL_OF.get(self.dtype)
        if part is None:
            return (self,)
        return Cell(f"{self.name}.real", part), Cell(f"{self.name}.imag", part)


@dataclass(frozen=True)
class Get:
    """`name` is what a variable holds at this moment."""

    name: str
    cell: Cell


@dataclass(frozen=True)
class Set:
    """A variable gets a value."""

    cell: Cell
    value: Expr


@dataclass(frozen=True)
class Load:
    """`name` is the element at a position, in the dtype that it has in memory."""

    name: str
    memory: Memory
    position: Expr


@dataclass(frozen=True)
class Put:
    """The element at a position gets a value."""

    memory: Memory
    position: Expr
    value: Expr


@dataclass(frozen=True)
class Products:
    """A product of matrices is added to elements from a position on, or written; see `products`."""

    total: Memory
    position: Expr
    left: Memory
    begin: Expr
    right: Memory
    rows: int
    inner: int
    across: int
    row_step: int
    inner_step: int
    adds: bool


@dataclass(frozen=True)
class For:
    """`body` for each value of a counter from `start` on, `step` by `step`, before `stop`."""

    counter: str
    start: Expr
    stop: Expr
    step: int
    body: list[Statement]


@dataclass(frozen=True)
class While:
    """`body` as long as the condition holds, before which `test` is run each time."""

    test: list[Statement]
    condition: Expr
    body: list[Statement]


@dataclass(frozen=True)
class If:
    """One of two bodies."""

    condition: Expr
    then: list[Statement]
    otherwise: list[Statement]


@dataclass(frozen=True)
class Leave:
    """`break` or `continue` of the innermost loop; `return`, which ends the row; or `fail`."""

    how: str


Statement = Get | Set | Load | Put | Products | For | While | If | Leave


@dataclass(frozen=True, eq=False)
class Translated:
    """A procedure for arguments of certain dtypes: the name of its row, its memories, statements.

    numbers: the names of the numbers that the code is given: sizes, offsets, numbers of the run.
    """

    name: str
    row: str
    memories: tuple[Memory, ...]
    numbers: tuple[str, ...]
    body: list[Statement]
    can_fail: bool

    def __str__(self) -> str:
        return "\n".join([f"for {self.row}:  # in parallel", *_shown(self.body, "  ")])


def _shown(body: Sequence[Statement], indent: str) -> list[str]:
    lines: list[str] = []
    deeper = indent + "  "
    for s in body:
        match s:
            case Get(name, cell):
                lines.append(f"{indent}{name} = {cell.name}")
            case Set(cell, value):
                lines.append(f"{indent}{cell.name} := {value}")
            case Load(name, memory, position):
                lines.append(f"{indent}{name} = {_named(memory)}[{position}]")
            case Put(memory, position, value):
                lines.append(f"{indent}{_named(memory)}[{position}] := {value}")
            case Products(total, position, left, begin, right):
                sizes = f"{s.rows} x {s.inner} x {s.across}"
                sign = "+=" if s.adds else ":="
                factors = f"{_named(left)}[{begin}] times {_named(right)}, {sizes}"
                lines.append(f"{indent}{_named(total)}[{position}] {sign} {factors}")
            case For(counter, start, stop, step, inner):
                lines.append(f"{indent}for {counter} from {start} before {stop} by {step}:")
                lines += _shown(inner, deeper)
            case While(test, condition, inner):
                lines += [f"{indent}while:", *_shown(test, deeper), f"{deeper}holds {condition}:"]
                lines += _shown(inner, deeper + "  ")
            case If(condition, then, otherwise):
                lines += [f"{indent}if {condition}:", *_shown(then, deeper)]
                if otherwise:
                    lines += [f"{indent}else:", *_shown(otherwise, deeper)]
            case Leave(how):
                lines.append(f"{indent}{how}")
    return lines


def _named(memory: Memory) -> str:
    return f"own{memory.number}" if memory.count else f"a{memory.number}"
