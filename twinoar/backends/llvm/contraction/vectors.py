"""Vectors of operands: read from memory, also in part, and widened to what is computed with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from twinoar.backends.llvm.contraction.text import Text
from twinoar.backends.llvm.contraction.tile import Shape
from twinoar.backends.llvm.conversion import TYPES
from twinoar.core.dtype import DType, bfloat16

NAMES = {"half": "f16", "float": "f32", "double": "f64"}  # of elements in those of intrinsics


class Vectors(Text):
    """Lines that work on vectors of a Shape."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape, self.offset_bytes = shape, shape.offset_bytes

    def vector(self, where: str, source: DType, mask: str | None = None) -> str:
        """The neighbors from an address on, of `source`, as they lie; zeros where a mask is off."""
        lanes = self.shape.lanes
        kind = f"<{lanes} x {TYPES[source].memory}>"
        if mask is None:
            return self.line(f"load {kind}, ptr {where}, align {source.itemsize}")
        bits = f"<{lanes} x i1>"
        short = NAMES.get(TYPES[source].memory, TYPES[source].memory)
        name = f"masked.load.v{lanes}{short}.p0"
        given = f"ptr {where}, i32 {source.itemsize}, {bits} {mask}, {kind} zeroinitializer"
        return self.intrinsic(name, kind, given, f"ptr, i32, {bits}, {kind}")

    def fetched(self, where: str) -> None:
        """Ask for the memory at an address, which is read soon; any address will do."""
        self.declared.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        self.lines.append(f"  call void @llvm.prefetch.p0(ptr {where}, i32 0, i32 3, i32 1)")

    def widened(self, x: str, source: DType) -> str:
        """A vector of floats as it lies as one of the Shape."""
        lanes = self.shape.lanes
        if source is self.shape.dtype:
            return x
        if source is not bfloat16:
            kind = TYPES[source].register
            return self.line(f"fpext <{lanes} x {kind}> {x} to {self.shape.vector}")
        wide = self.line(f"zext <{lanes} x i16> {x} to <{lanes} x i32>")
        high = self.line(f"shl <{lanes} x i32> {wide}, {self.repeated('i32', 16)}")
        single = self.line(f"bitcast <{lanes} x i32> {high} to <{lanes} x float>")
        if self.shape.scalar == "float":
            return single
        return self.line(f"fpext <{lanes} x float> {single} to {self.shape.vector}")

    def repeated(self, kind: str, number: int) -> str:
        """A constant vector of equal integers."""
        return f"<{', '.join([f'{kind} {number}'] * self.shape.lanes)}>"

    def broadcast(self, x: str, kind: str = "") -> str:
        """A vector of equal numbers."""
        kind, lanes = kind or self.shape.scalar, self.shape.lanes
        vector = f"<{lanes} x {kind}>"
        one = self.line(f"insertelement {vector} poison, {kind} {x}, i64 0")
        return self.line(
            f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer"
        )

    def mask(self, count: str) -> str:
        """Which lanes are among the first `count`."""
        lanes = self.shape.lanes
        numbers = ", ".join(f"i64 {lane}" for lane in range(lanes))
        most = self.broadcast(count, "i64")
        return self.line(f"icmp slt <{lanes} x i64> <{numbers}>, {most}")

    def multiplied_and_added(self, x: str, y: str, sum_: str) -> str:
        """x y + sum_."""
        kind = self.shape.vector
        given = f"{kind} {x}, {kind} {y}, {kind} {sum_}"
        return self.intrinsic(f"fmuladd.{self.shape.suffix}", kind, given, ", ".join([kind] * 3))

    def write(self, x: str, where: str, mask: str | None = None) -> None:
        """Write a vector, or some lanes of it."""
        s = self.shape
        if mask is None:
            self.lines.append(f"  store {s.vector} {x}, ptr {where}, align {s.dtype.itemsize}")
            return
        bits, name = f"<{s.lanes} x i1>", f"llvm.masked.store.{s.suffix}.p0"
        self.declared.add(f"declare void @{name}({s.vector}, ptr, i32, {bits})")
        given = f"{s.vector} {x}, ptr {where}, i32 {s.dtype.itemsize}, {bits} {mask}"
        self.lines.append(f"  call void @{name}({given})")

    @contextmanager
    def carried(
        self, values: list[str], start: str | int, end: str | int, step: str | int
    ) -> Iterator[str]:
        """A loop as `count` prints it, in which vectors change: inside, `values` is what they are,
        and the body puts there what they become; afterwards it is what they are in the end.
        """
        head, inside, after = (self.label() for _ in range(3))
        before, counter, following = self.block, self.fresh(), self.fresh()
        names, given = [self.fresh() for _ in values], list(values)
        self.lines.append(f"  br label %{head}")
        self.begin(head)
        place = len(self.lines)
        self.branch(self.compare("slt", counter, end), inside, after)
        self.begin(inside)
        values[:] = names
        yield counter
        latch = self.block
        self.lines += [f"  {following} = add nsw i64 {counter}, {step}", f"  br label %{head}"]
        kinds = ["i64", *[self.shape.vector] * len(names)]
        ways = zip([start, *given], [following, *values], strict=True)
        self.lines[place:place] = [
            f"  {name} = phi {kind} [ {first}, %{before} ], [ {later}, %{latch} ]"
            for name, kind, (first, later) in zip([counter, *names], kinds, ways, strict=True)
        ]
        values[:] = names
        self.begin(after)
