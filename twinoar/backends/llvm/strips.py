"""Loops some of whose reductions run outside of them: for a strip of iterations at a time.

for c < 64: s[c] = 0                    of x[k,c], whose neighbors are those of c
for k < 1000:
  for c < 64: s[c] += x[k,c]            LLVM keeps s in vector registers
for c < 64: y[c] = s[c] / 1000
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from twinoar.backends.llvm.conversion import TYPES
from twinoar.compile.pattern import adds_blocks
from twinoar.compile.schedule import Loop, Reduce
from twinoar.core.dtype import DType, float64
from twinoar.core.varying import is_varying
from twinoar.late import dataclass

if TYPE_CHECKING:
    from twinoar.backends.llvm.values import Values

WIDTH = 256  # 16 vectors of float32, where they are of 64 bytes; memory likes runs of 1 KiB


def strips(values: Values, s: Loop, body: Callable[[], None]) -> None:
    """Print the loop, with what is reduced before each strip of it known by name in `body`."""
    arrays = {name: _array(values, term.dtype) for r in s.reductions for name, _, term in r.items}
    totals = {
        name: _array(values, float64)
        for r in s.reductions
        for name, kind, term in r.items
        if adds_blocks(kind, term.dtype, _count(r))
    }

    def strip(lo: str, hi: str) -> None:
        _Strip(values, s, arrays, totals, lo, hi).print(body)

    def whole(lo: str, _: str) -> None:
        strip(lo, values.line(f"add nsw i64 {lo}, {WIDTH}"))  # so that LLVM knows how many

    size, end = s.axis.size, values.number(s.axis.size)
    if not is_varying(size) and size < WIDTH:
        strip("0", end)
        return
    rest = values.line(f"urem i64 {end}, {WIDTH}")
    first = values.line(f"sub i64 {end}, {rest}")
    values.in_strips("0", first, WIDTH, whole)
    if is_varying(size) or size % WIDTH:
        values.in_strips(first, end, WIDTH, strip)


def _array(values: Values, dtype: DType) -> str:
    return values.allocate(f"[{WIDTH} x {TYPES[dtype].memory}]")


def _count(r: Reduce) -> int:
    count = 1
    for a in r.axes:
        count *= a.size
    return count


@dataclass
class _Strip:
    """One strip, from lo to hi: `arrays` hold its sums, and `totals` those of the blocks before."""

    values: Values
    loop: Loop
    arrays: dict[str, str]
    totals: dict[str, str]
    lo: str
    hi: str

    def print(self, body: Callable[[], None]) -> None:
        """Print all of it."""
        for r in self.loop.reductions:
            self._reduce(r)
        known = [(name, term.dtype) for r in self.loop.reductions for name, _, term in r.items]
        self._each(lambda: self._name(known), body)
        for name, _ in known:
            del self.values.names[name]  # they are the elements of this loop alone

    def _reduce(self, r: Reduce) -> None:
        values = self.values
        before = self.loop.reductions[: self.loop.reductions.index(r)]
        known = [(name, term.dtype) for other in before for name, _, term in other.items]
        for name, kind, term in r.items:
            first = values.identity(kind, term.dtype)
            self._each(partial(self._set, self.arrays[name], first, term.dtype))
            if name in self.totals:
                zero = values.constant(0, float64)
                self._each(partial(self._set, self.totals[name], zero, float64))

        def add() -> None:
            for name, kind, term in r.items:
                where = self._at(self.arrays[name], term.dtype)
                old = values.load(where, term.dtype)
                new = values.combined(kind, old, values.value(term), term.dtype)
                values.save(new, where, term.dtype)

        sums = [_Total(self, n, t.dtype) for n, _, t in r.items if n in self.totals]
        values.over(r.axes, lambda: self._each(lambda: self._name(known), add), sums)
        for total in sums:
            total.finish()

    def _each(self, *parts: Callable[[], None]) -> None:
        """Print the loop over the strip."""

        def run() -> None:
            for part in parts:
                part()

        self.values.counted(self.loop.axis, run, self.lo, self.hi)

    def _at(self, array: str, dtype: DType) -> str:
        """The address of this iteration's element of an array."""
        at = self.values.line(f"sub nsw i64 {self.values.counter(self.loop.axis)}, {self.lo}")
        kind = TYPES[dtype].memory
        return self.values.line(f"getelementptr inbounds {kind}, ptr {array}, i64 {at}")

    def _set(self, array: str, value: str, dtype: DType) -> None:
        self.values.save(value, self._at(array, dtype), dtype)

    def _name(self, known: Sequence[tuple[str, DType]]) -> None:
        for name, dtype in known:
            where = self._at(self.arrays[name], dtype)
            self.values.names[name] = self.values.load(where, dtype)


@dataclass
class _Total:
    """The sums of sums of blocks of a strip, in float64, as `values.Total` is of one sum."""

    strip: _Strip
    name: str
    dtype: DType

    def add(self) -> None:
        """Print the end of a block."""
        self.strip._each(self._add)

    def finish(self) -> None:
        """Print that the totals become the sums."""
        self.strip._each(self._finish)

    def _add(self) -> None:
        values, strip = self.strip.values, self.strip
        block = strip._at(strip.arrays[self.name], self.dtype)
        total = strip._at(strip.totals[self.name], float64)
        wide = values.converted(values.load(block, self.dtype), self.dtype, float64)
        new = values.line(f"fadd double {values.load(total, float64)}, {wide}")
        values.save(new, total, float64)
        values.save(values.constant(0, self.dtype), block, self.dtype)

    def _finish(self) -> None:
        values, strip = self.strip.values, self.strip
        total = values.load(strip._at(strip.totals[self.name], float64), float64)
        found = values.converted(total, float64, self.dtype)
        values.save(found, strip._at(strip.arrays[self.name], self.dtype), self.dtype)
