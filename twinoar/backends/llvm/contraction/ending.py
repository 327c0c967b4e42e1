"""What becomes of sums of integer products, as LLVM instructions: the rule of `ops.quant._sums`.

A sum s becomes activation(s * scale + bias + residual) * factor, which is rounded and bounded where
the result is of integers. Each step is rounded as NumPy rounds it, so results are NumPy's bits.
"""

from __future__ import annotations

from collections.abc import Mapping

from twinoar.backends.llvm.contraction.text import Text
from twinoar.backends.llvm.contraction.tile import Shape
from twinoar.backends.llvm.conversion import TYPES
from twinoar.core.dtype import DType, float32, int8, uint8
from twinoar.late import dataclass

BOUNDS = {int8: (-128.0, 127.0), uint8: (0.0, 255.0)}
# 1.5 * 2^23: what is added to it is rounded to a whole number, halves to even, whose lowest bits
# those of the sum are.
WHOLE = 12582912.0
# What `Ending` reads: words of kernels, absent ones 0.
WORDS = {"scale": "ptr", "bias": "ptr", "residual": "ptr", "factor": "ptr"}


@dataclass(frozen=True)
class Ending:
    """What is done to each sum. each: of the scale, one for each column instead of one for all.

    residual: what is added is of this dtype. result: what the sums become.
    """

    each: bool
    bias: bool
    residual: DType | None
    activation: str
    factor: bool
    result: DType


class Ended(Text):
    """Lines that make results of sums. w: the words of the kernel that are in WORDS."""

    w: Mapping[str, str]

    def __init__(self, shape: Shape, ending: Ending):
        super().__init__()
        self.shape, self.ending, self.offset_bytes = shape, ending, shape.offset_bytes

    def ended(self, sums: str, column: str, residual: str, target: str, count: str) -> None:
        """So many neighbors of a row of C, from its sums: vectors, and one by one what is left.

        column: the number of the first, among all that have a scale. residual, target: where the
        first lies.
        """
        lanes = self.shape.lanes
        vectors, _ = self.divided(count, lanes)
        whole = self.mul(vectors, lanes)
        with self.count(0, whole, lanes) as j:
            self.some(sums, column, residual, target, j, lanes)
        with self.count(whole, count) as j:
            self.some(sums, column, residual, target, j, 1)

    def some(self, sums: str, column: str, residual: str, target: str, j: str, lanes: int) -> None:
        """So many neighbors from the j-th on, at once."""
        e, number = self.ending, self.add(column, j)
        total = self._read(self.at(sums, self.mul(j, 4)), "i32", lanes)
        x = self.line(f"sitofp {kind_of('i32', lanes)} {total} to {kind_of('float', lanes)}")
        scale = self._vector("scale", number, lanes) if e.each else self._number("scale", lanes)
        x = self._float("fmul", x, scale, lanes)
        if e.bias:
            x = self._float("fadd", x, self._vector("bias", number, lanes), lanes)
        if e.residual is not None:
            where = self.at(residual, self.mul(j, e.residual.itemsize))
            x = self._float("fadd", x, self._floats(where, e.residual, lanes), lanes)
        x = self._activated(x, lanes)
        if e.factor:
            x = self._float("fmul", x, self._number("factor", lanes), lanes)
        where = self.at(target, self.mul(j, e.result.itemsize))
        self._write(self._rounded(x, lanes), where, lanes)

    def _activated(self, x: str, lanes: int) -> str:
        if self.ending.activation == "relu":
            return self._bounded(x, 0.0, None, lanes)
        if self.ending.activation == "relu6":
            return self._bounded(x, 0.0, 6.0, lanes)
        if self.ending.activation == "hardswish":
            three, six = (self._constant(n, lanes) for n in (3.0, 6.0))
            moved = self._bounded(self._float("fadd", x, three, lanes), 0.0, 6.0, lanes)
            return self._float("fmul", x, self._float("fdiv", moved, six, lanes), lanes)
        return x

    def _rounded(self, x: str, lanes: int) -> str:
        """Floats as the nearest integers of the result, which begin as the bits of the sum do."""
        if self.ending.result not in BOUNDS:
            return x
        x = self._bounded(x, *BOUNDS[self.ending.result], lanes)
        near = self._float("fadd", x, self._constant(WHOLE, lanes), lanes)
        wide = kind_of("i32", lanes)
        bits = self.line(f"bitcast {kind_of('float', lanes)} {near} to {wide}")
        return self.line(f"trunc {wide} {bits} to {kind_of('i8', lanes)}")

    def _bounded(self, x: str, low: float, high: float | None, lanes: int) -> str:
        """A number between two; a nan stays one."""
        for relation, bound in (("olt", low), ("ogt", high)):
            if bound is not None:
                kind, end = kind_of("float", lanes), self._constant(bound, lanes)
                outside = self.line(f"fcmp {relation} {kind} {x}, {end}")
                x = self.line(f"select {kind_of('i1', lanes)} {outside}, {kind} {end}, {kind} {x}")
        return x

    def _float(self, operation: str, x: str, y: str, lanes: int) -> str:
        return self.line(f"{operation} {kind_of('float', lanes)} {x}, {y}")

    def _constant(self, value: float, lanes: int) -> str:
        number = self.constant(value, float32)
        return number if lanes == 1 else f"<{', '.join([f'float {number}'] * lanes)}>"

    def _number(self, name: str, lanes: int) -> str:
        """The one number of a word, for all lanes."""
        x = self._read(self.w[name], "float", 1)
        if lanes == 1:
            return x
        kind = kind_of("float", lanes)
        one = self.line(f"insertelement {kind} poison, float {x}, i64 0")
        return self.line(
            f"shufflevector {kind} {one}, {kind} poison, <{lanes} x i32> zeroinitializer"
        )

    def _vector(self, name: str, number: str, lanes: int) -> str:
        return self._read(self.at(self.w[name], self.mul(number, 4)), "float", lanes)

    def _floats(self, where: str, dtype: DType, lanes: int) -> str:
        """Elements as floats."""
        x = self._read(where, TYPES[dtype].memory, lanes)
        if dtype is float32:
            return x
        convert = "uitofp" if dtype is uint8 else "sitofp"
        return self.line(f"{convert} {kind_of('i8', lanes)} {x} to {kind_of('float', lanes)}")

    def _read(self, where: str, kind: str, lanes: int) -> str:
        size = 1 if kind == "i8" else 4
        return self.line(f"load {kind_of(kind, lanes)}, ptr {where}, align {size}")

    def _write(self, x: str, where: str, lanes: int) -> None:
        dtype = self.ending.result
        kind = kind_of(TYPES[dtype].memory, lanes)
        self.lines.append(f"  store {kind} {x}, ptr {where}, align {dtype.itemsize}")


def kind_of(element: str, lanes: int) -> str:
    """LLVM's type of an element, or of a vector."""
    return element if lanes == 1 else f"<{lanes} x {element}>"
