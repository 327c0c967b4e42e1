"""What is done to each sum of products of floats before it is written, as LLVM instructions.

A sum goes through some steps in order, each rounded as a kernel of its own would round it: a
number is added, subtracted or multiplied, bounds, an activation. So a result is written once, and
is not read again by loops that only finish it. A nan stays, which bounds of libraries change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from twinoar.backends.llvm.contraction.text import WORD_BYTES, Text
from twinoar.late import dataclass

if TYPE_CHECKING:
    from twinoar.backends.llvm.contraction.tile import Shape

OPERATIONS = {"add": "fadd", "sub": "fsub", "mul": "fmul"}
BEYOND = {"max": "olt", "min": "ogt"}
KINDS = (*OPERATIONS, *BEYOND, "hardswish")


@dataclass(frozen=True)
class Step:
    """One of KINDS. of: which element of an operand it takes, that at the sum's own place in the
    result, that of its column, or the only one; "" without an operand. number: of max and min.
    """

    kind: str
    of: Literal["", "place", "column", "one"] = ""
    number: float = 0.0


class Finishing(Text):
    """Lines that finish sums. shape: their vectors. words: where the operands of steps begin."""

    shape: Shape
    steps: Sequence[Step] = ()
    words: Sequence[str] = ()

    def operands(self, table: str) -> None:
        """Look up where the operands begin: their words stand side by side."""
        self.words = [
            self.entry("ptr", table, str(n)) if step.of else "" for n, step in enumerate(self.steps)
        ]

    def table(self, words: int) -> str:
        """Where the words of operands stand in a kernel's arguments, after so many others."""
        return self.at("%arguments", str(words * WORD_BYTES))

    def finished(self, x: str, place: str, column: str, mask: str | None = None) -> str:
        """A vector of sums after all steps. place, column: bytes to its first element."""
        for step, word in zip(self.steps, self.words, strict=True):
            if step.kind in BEYOND:
                x = self._bounded(x, step.kind, step.number)
            elif step.kind == "hardswish":
                x = self._hardswish(x)
            else:
                y = self._operand(word, step.of, place if step.of == "place" else column, mask)
                x = self._float(OPERATIONS[step.kind], x, y)
        return x

    def _operand(self, word: str, of: str, offset: str, mask: str | None) -> str:
        s = self.shape
        if of == "one":
            x = self.line(f"load {s.scalar}, ptr {word}, align {s.dtype.itemsize}")
            one = self.line(f"insertelement {s.vector} poison, {s.scalar} {x}, i64 0")
            zeros = f"<{s.lanes} x i32> zeroinitializer"
            return self.line(f"shufflevector {s.vector} {one}, {s.vector} poison, {zeros}")
        where = self.at(word, offset)
        if mask is None:
            return self.line(f"load {s.vector}, ptr {where}, align {s.dtype.itemsize}")
        bits = f"<{s.lanes} x i1>"
        cell = f"ptr {where}, i32 {s.dtype.itemsize}"
        given = f"{cell}, {bits} {mask}, {s.vector} zeroinitializer"
        name = f"masked.load.{s.suffix}.p0"
        return self.intrinsic(name, s.vector, given, f"ptr, i32, {bits}, {s.vector}")

    def _bounded(self, x: str, kind: str, number: float) -> str:
        s, bound = self.shape, self._constants(number)
        beyond = self.line(f"fcmp {BEYOND[kind]} {s.vector} {x}, {bound}")
        mask = f"<{s.lanes} x i1>"
        return self.line(f"select {mask} {beyond}, {s.vector} {bound}, {s.vector} {x}")

    def _hardswish(self, x: str) -> str:
        moved = self._float("fadd", x, self._constants(3.0))
        moved = self._bounded(self._bounded(moved, "max", 0.0), "min", 6.0)
        return self._float("fdiv", self._float("fmul", x, moved), self._constants(6.0))

    def _float(self, operation: str, x: str, y: str) -> str:
        return self.line(f"{operation} {self.shape.vector} {x}, {y}")

    def _constants(self, value: float) -> str:
        s = self.shape
        number = self.constant(value, s.dtype)
        return f"<{', '.join([f'{s.scalar} {number}'] * s.lanes)}>"
