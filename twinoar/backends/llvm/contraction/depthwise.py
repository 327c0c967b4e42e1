"""Depthwise convolution of integers of 8 bits: each channel with its own small filter.

Channels lie innermost, in images and in the one panel of weights. A product of two numbers of 8
bits fits 16; sums are of 32. A vector of weights serves some pixels, whose sums stay in registers.
"""

from __future__ import annotations

from twinoar.backends.llvm.contraction.ending import WORDS as ENDING_WORDS
from twinoar.backends.llvm.contraction.ending import Ended, Ending, kind_of
from twinoar.backends.llvm.contraction.text import KERNEL
from twinoar.backends.llvm.contraction.tile import Shape
from twinoar.compile.target import Target

NAME = "integer_depthwise"
PIXELS = 4  # that a vector of weights serves
WORDS = {
    "c": "ptr", "a": "ptr", "b": "ptr", **ENDING_WORDS, "rows": "ptr", "inner": "ptr",
    "c_rows": "ptr", "residual_rows": "ptr", "row_count": "i64", "channels": "i64",
    "places": "i64", "row_block": "i64",
}  # fmt: skip


def integer_depthwise(shape: Shape, ending: Ending, is_unsigned: bool, target: Target) -> str:
    """The text of the kernel; an iteration is `row_block` pixels. is_unsigned: A has no sign."""
    text = _Depthwise(shape, ending, is_unsigned)
    text.printed()
    whole = text.function(f"void @{NAME}({KERNEL})", target)
    return "\n".join([whole, *sorted(text.declared), ""])


class _Depthwise(Ended):
    def __init__(self, shape: Shape, ending: Ending, is_unsigned: bool):
        super().__init__(shape, ending)
        self.is_unsigned = is_unsigned

    def printed(self) -> None:
        """Print all lines."""
        lanes = self.shape.lanes
        room = self.line(f"alloca [{PIXELS * lanes} x i32], align 64")
        self.w = w = self.arguments(WORDS)
        vectors, _ = self.divided(w["channels"], lanes)
        whole = self.mul(vectors, lanes)
        weights = self.at(w["b"], self.mul(w["channels"], 4))
        with self.count("%lo", "%hi") as block:
            start = self.mul(block, w["row_block"])
            end = self.least(self.add(start, w["row_block"]), w["row_count"])
            with self.count(start, end, PIXELS) as i:
                last = self.sub(end, 1)
                rows = [self.least(self.add(i, p), last) for p in range(PIXELS)]
                with self.count(0, whole, lanes) as j:
                    self._channels(rows, weights, room, j, lanes)
                with self.count(whole, w["channels"]) as j:
                    self._channels(rows, weights, room, j, 1)

    def _channels(self, rows: list[str], weights: str, room: str, j: str, lanes: int) -> None:
        """Some channels of some pixels; those beyond the last are the last again."""
        w = self.w
        images = [self.at(self.at(w["a"], self.offset(w["rows"], row)), j) for row in rows]
        sums = self._summed(images, self.at(weights, j), lanes)
        e, size = self.ending, self.ending.result.itemsize
        for p, (row, x) in enumerate(zip(rows, sums, strict=True)):
            own = self.at(room, str(p * self.shape.lanes * 4))
            self.lines.append(f"  store {kind_of('i32', lanes)} {x}, ptr {own}, align 4")
            target = self.at(w["c"], self.offset(w["c_rows"], row))
            target = self.at(target, self.mul(j, size))
            residual = target
            if e.residual is not None:
                residual = self.at(w["residual"], self.offset(w["residual_rows"], row))
                residual = self.at(residual, self.mul(j, e.residual.itemsize))
            self.some(own, j, residual, target, "0", lanes)

    def _summed(self, images: list[str], weights: str, lanes: int) -> list[str]:
        """The sums of each pixel over all places of the filter."""
        before, head, inside, after = self.block, *(self.label() for _ in range(3))
        counter, following = self.fresh(), self.fresh()
        sums = [self.fresh() for _ in images]
        kind = kind_of("i32", lanes)
        self.lines.append(f"  br label %{head}")
        self.begin(head)
        place = len(self.lines)
        self.branch(self.compare("slt", counter, self.w["places"]), inside, after)
        self.begin(inside)
        offset = self.offset(self.w["inner"], counter)
        row = self.at(weights, self.mul(counter, self.w["channels"]))
        y = self._short(row, False, lanes)
        added = []
        for image, total in zip(images, sums, strict=True):
            x = self._short(self.at(image, offset), self.is_unsigned, lanes)
            product = self.line(f"mul {kind_of('i16', lanes)} {x}, {y}")
            wide = self.line(f"sext {kind_of('i16', lanes)} {product} to {kind}")
            added.append(self.line(f"add {kind} {total}, {wide}"))
        self.lines += [
            f"  {following} = add nuw nsw i64 {counter}, 1",
            f"  br label %{head}",
        ]
        zero = "0" if lanes == 1 else "zeroinitializer"
        ways = [("i64", counter, "0", following)]
        ways += [(kind, x, zero, y) for x, y in zip(sums, added, strict=True)]
        self.lines[place:place] = [
            f"  {name} = phi {of} [ {x}, %{before} ], [ {y}, %{inside} ]" for of, name, x, y in ways
        ]
        self.begin(after)
        return sums

    def _short(self, where: str, is_unsigned: bool, lanes: int) -> str:
        """Neighbors of 8 bits, in 16."""
        x = self.line(f"load {kind_of('i8', lanes)}, ptr {where}, align 1")
        widen = "zext" if is_unsigned else "sext"
        return self.line(f"{widen} {kind_of('i8', lanes)} {x} to {kind_of('i16', lanes)}")
