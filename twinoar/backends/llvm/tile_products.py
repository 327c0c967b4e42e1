"""Products of small matrices within a procedure: some sums stay in registers over all steps.

ROWS rows of the result, some vectors wide, are summed at a time. For each step the vectors of the
right operand are loaded and an element of the left one is broadcast for each row, so that a result
is read and written once, where a loop over elements reads and writes it for each few steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from twinoar.backends.llvm.contraction.tile import Shape, shape_of
from twinoar.backends.llvm.conversion import TYPES
from twinoar.backends.llvm.values import Values
from twinoar.compile.target import Target
from twinoar.core.loop.procedure import Products
from twinoar.late import dataclass

ROWS = 4  # with 4 vectors 16 sums, which hide the latency of adding, and 8 registers of operands
STEPS = 4  # written out in the loop over steps; `products` takes multiples of it


@dataclass(frozen=True, slots=True)
class Strip:
    """Columns that are summed together: the first, and how many vectors of how many lanes."""

    first: int
    lanes: int
    vectors: int


def strips(across: int, shape: Shape) -> Iterator[Strip]:
    """The columns of a result: the widest strips, then single vectors that are ever shorter."""
    first, lanes = 0, shape.lanes
    while first < across:
        while lanes > across - first:
            lanes //= 2
        vectors = min(shape.vectors, (across - first) // lanes) if lanes == shape.lanes else 1
        yield Strip(first, lanes, vectors)
        first += lanes * vectors


def print_products(
    into: Values, asked: Products, places: tuple[str, str, str], target: Target
) -> None:
    """Print the products. places: the addresses where the result, left and right begin."""
    shape = shape_of(asked.total.dtype, target)
    for strip in strips(asked.across, shape):
        _Strip(into, asked, places, strip).printed()


class _Strip:
    """The products of one strip of columns."""

    def __init__(self, into: Values, asked: Products, places: tuple[str, str, str], strip: Strip):
        self.into, self.asked, self.strip = into, asked, strip
        self.total, self.left, self.right = places
        self.kind = TYPES[asked.total.dtype].register
        self.vector = f"<{strip.lanes} x {self.kind}>"
        self.suffix = f"v{strip.lanes}f{8 * asked.total.dtype.itemsize}"
        self.cells = [(r, v) for r in range(ROWS) for v in range(strip.vectors)]

    def printed(self) -> None:
        """All rows, ROWS at a time."""
        self._loop(self.asked.rows, ROWS, [], lambda row, _: self._rows(row))

    def _rows(self, row: str) -> list[str]:
        asked, strip = self.asked, self.strip
        first = self._at(self.total, self._scaled(row, asked.across), strip.first)
        where = [self._at(first, "0", r * asked.across + v * strip.lanes) for r, v in self.cells]
        start = ["zeroinitializer"] * len(where)
        if asked.adds:
            start = [self._loaded(place) for place in where]
        left = self._at(self.left, self._scaled(row, asked.row_step), 0)
        sums = self._loop(asked.inner, STEPS, start, lambda step, now: self._steps(left, step, now))
        for place, total in zip(where, sums, strict=True):
            self.into.lines.append(
                f"  store {self.vector} {total}, ptr {place}, align {self._bytes}"
            )
        return []

    @property
    def _bytes(self) -> int:
        return self.asked.total.dtype.itemsize

    def _steps(self, left: str, step: str, sums: Sequence[str]) -> list[str]:
        """STEPS steps: the sums after them."""
        asked, strip = self.asked, self.strip
        elements = self._at(left, self._scaled(step, asked.inner_step), 0)
        columns = self._at(self.right, self._scaled(step, asked.across), strip.first)
        for k in range(STEPS):
            given = [
                self._loaded(self._at(columns, "0", k * asked.across + v * strip.lanes))
                for v in range(strip.vectors)
            ]
            factors = [
                self._broadcast(self._at(elements, "0", r * asked.row_step + k * asked.inner_step))
                for r in range(ROWS)
            ]
            sums = [
                self._grown(factors[r], given[v], total)
                for (r, v), total in zip(self.cells, sums, strict=True)
            ]
        return list(sums)

    def _grown(self, x: str, y: str, total: str) -> str:
        given = ", ".join(f"{self.vector} {operand}" for operand in (x, y, total))
        signature = ", ".join([self.vector] * 3)
        return self.into.intrinsic(f"fmuladd.{self.suffix}", self.vector, given, signature)

    def _loaded(self, place: str) -> str:
        return self.into.line(f"load {self.vector}, ptr {place}, align {self._bytes}")

    def _broadcast(self, place: str) -> str:
        x = self.into.line(f"load {self.kind}, ptr {place}, align {self._bytes}")
        one = self.into.line(f"insertelement {self.vector} poison, {self.kind} {x}, i64 0")
        lanes = f"<{self.strip.lanes} x i32> zeroinitializer"
        return self.into.line(f"shufflevector {self.vector} {one}, {self.vector} poison, {lanes}")

    def _scaled(self, index: str, by: int) -> str:
        return self.into.line(f"mul nuw nsw i64 {index}, {by}")

    def _at(self, base: str, index: str, more: int) -> str:
        """The address of the element `index + more` from `base` on."""
        place = base
        for n in (index, str(more)):
            if n != "0":
                place = self.into.line(f"getelementptr inbounds {self.kind}, ptr {place}, i64 {n}")
        return place

    def _as_it_is(self) -> str:
        """What says of a loop that it is unrolled enough: more takes LLVM long for nothing."""
        into = self.into
        loop, told = into.fresh().replace("%v", "!"), into.fresh().replace("%v", "!")
        into.declared.add(f"{loop} = distinct !{{{loop}, {told}}}")
        into.declared.add(f'{told} = !{{!"llvm.loop.unroll.disable"}}')
        return f"!llvm.loop {loop}"

    def _loop(
        self,
        stop: int,
        step: int,
        start: Sequence[str],
        body: Callable[[str, Sequence[str]], list[str]],
    ) -> list[str]:
        """A loop from 0, and the vectors that it carries; what these are after it."""
        into, before = self.into, self.into.block
        head, after, counter, following = into.label(), into.label(), into.fresh(), into.fresh()
        carried = [into.fresh() for _ in start]
        into.lines.append(f"  br label %{head}")
        into.begin(head)
        begin = len(into.lines)
        found = body(counter, carried)
        last = into.block
        into.lines[begin:begin] = [
            f"  {counter} = phi i64 [ 0, %{before} ], [ {following}, %{last} ]",
            *(
                f"  {name} = phi {self.vector} [ {x}, %{before} ], [ {y}, %{last} ]"
                for name, x, y in zip(carried, start, found, strict=True)
            ),
        ]
        into.lines.append(f"  {following} = add nuw nsw i64 {counter}, {step}")
        more = into.line(f"icmp slt i64 {following}, {stop}")
        into.lines.append(f"  br i1 {more}, label %{head}, label %{after}, {self._as_it_is()}")
        into.begin(after)
        return found
