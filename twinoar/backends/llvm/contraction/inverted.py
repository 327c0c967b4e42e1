"""Three convolutions as one, strip by strip: one that widens, a depthwise one, one of 1 by 1.

A strip is some rows of the result. What lies between the convolutions is kept for a strip alone, in
memory of the thread's own that its caches hold, whereas images of many channels would go through
slower memory twice. Rows that the next strip reads again are kept, so each is computed once by a
thread. The three are the kernels `product` and `channelwise`, called with words of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.backends.llvm.contraction import channelwise, product
from twinoar.backends.llvm.contraction.channelwise import Filter
from twinoar.backends.llvm.contraction.finish import Step
from twinoar.backends.llvm.contraction.text import KERNEL, WORD_BYTES
from twinoar.backends.llvm.contraction.tile import Shape
from twinoar.backends.llvm.contraction.vectors import Vectors
from twinoar.compile.target import Target

NAME = "inverted"
WIDEN, EACH, NARROW = "widen", "each", "narrow"  # the three, by what becomes of channels
# `room` holds, for each part, `held` rows of wide images of `row_bytes`, and from `second` bytes on
# those of a strip after the depthwise convolution, whose windows have `reach` rows. rows, c_rows:
# tables of all pixels of wide images, and of the result. After them stand the words of the three.
WORDS = {
    "room": "ptr", "part_bytes": "i64", "second": "i64", "held": "i64", "row_bytes": "i64",
    "rows": "ptr", "c_rows": "ptr", "strips": "i64", "strip_rows": "i64", "height": "i64",
    "width": "i64", "c_height": "i64", "c_width": "i64", "stride": "i64", "top": "i64",
    "reach": "i64",
}  # fmt: skip
Three = tuple[Sequence[Step], Sequence[Step], Sequence[Step]]


def inverted(
    shapes: tuple[Shape, Shape, Shape], filter: Filter, target: Target, steps: Three
) -> str:
    """The text of the kernel; an iteration is a strip.

    shapes, steps: of the three, and what finishes their sums. filter: the depthwise one.
    """
    text = _Inverted(shapes[1], steps)
    text.printed()
    parts = [
        product.product(shapes[0], False, target, steps[0], WIDEN),
        channelwise.channelwise(shapes[1], filter, target, steps[1], EACH),
        product.product(shapes[2], False, target, steps[2], NARROW),
    ]
    whole = text.function(f"void @{NAME}({KERNEL})", target)
    lines = [line for part in (whole, *parts) for line in part.splitlines()]
    declared = {*text.declared, *(line for line in lines if line.startswith("declare "))}
    kept = [line for line in lines if not line.startswith("declare ")]
    return "\n".join([*kept, *sorted(declared), ""])


class _Inverted(Vectors):
    """own: the words of the three, which change from strip to strip."""

    own: str

    def __init__(self, shape: Shape, steps: Three):
        super().__init__(shape)
        kinds = {WIDEN: product.WORDS, EACH: channelwise.WORDS, NARROW: product.WORDS}
        self.places: dict[tuple[str, str], int] = {}
        self.begins: dict[str, int] = {}
        self.count_of_words = 0
        for (part, words), own in zip(kinds.items(), steps, strict=True):
            self.begins[part] = self.count_of_words
            for n, name in enumerate(words):
                self.places[part, name] = self.count_of_words + n
            self.count_of_words += len(words) + len(own)

    def printed(self) -> None:
        """Print all lines."""
        w = self.arguments(WORDS)
        self.own = self.line(f"alloca [{self.count_of_words} x i64], align 64")
        given = self.at("%arguments", str(len(WORDS) * WORD_BYTES))
        with self.count(0, self.count_of_words) as n:
            word = self.entry("i64", given, n)
            self._store("i64", word, self.at(self.own, self.mul(n, WORD_BYTES)))
        room = self.at(w["room"], self.mul("%part", w["part_bytes"]))
        second = self.at(room, w["second"])
        for part, name, where in ((EACH, "a", room), (EACH, "c", second), (NARROW, "a", second)):
            self._put("ptr", part, name, where)
        last, base, until = (self.line("alloca i64, align 8") for _ in range(3))
        for place, value in ((last, "-1"), (base, "0"), (until, "0")):
            self._store("i64", value, place)
        with self.count("%lo", "%hi") as strip:
            image, nth = self.divided(strip, w["strips"])
            y = self.mul(nth, w["strip_rows"])
            end = self.least(self.add(y, w["strip_rows"]), w["c_height"])
            first, stop = self._needed(w, y, end)
            is_new = self.compare("ne", image, self._loaded(last))
            start = self.line(f"select i1 {is_new}, i64 {first}, i64 {self._loaded(base)}")
            known = self.line(f"select i1 {is_new}, i64 {first}, i64 {self._loaded(until)}")
            known = self.most(known, first)
            overflows = self.compare("sgt", self.sub(stop, start), w["held"])
            self._moved(room, w, overflows, self.sub(first, start), self.sub(known, first))
            start = self.line(f"select i1 {overflows}, i64 {first}, i64 {start}")
            for place, value in ((last, image), (base, start), (until, stop)):
                self._store("i64", value, place)
            self._widen(w, room, image, start, known, stop)
            self._put("i64", EACH, "height", self.sub(w["height"], start))
            top = self.add(w["top"], self.sub(start, self.mul(y, w["stride"])))
            self._put("i64", EACH, "top", top)
            self._call(EACH, self.sub(end, y))
            self._narrow(w, image, y, end)

    def _needed(self, w: dict[str, str], y: str, end: str) -> tuple[str, str]:
        """The rows of a wide image that rows of the result are made of."""
        first = self.sub(self.mul(y, w["stride"]), w["top"])
        first = self.least(self.most(first, 0), w["height"])
        below = self.sub(self.mul(self.sub(end, 1), w["stride"]), w["top"])
        return first, self.most(self.least(self.add(below, w["reach"]), w["height"]), first)

    def _moved(self, room: str, w: dict[str, str], is_moved: str, first: str, rows: str) -> None:
        """Move rows that are still needed to the start; up to a vector more is moved, unread."""
        source = self.at(room, self.mul(first, w["row_bytes"]))
        size = self.mul(rows, w["row_bytes"])
        moved = self.line(f"select i1 {is_moved}, i64 {size}, i64 0")
        step = self.shape.lanes * self.shape.dtype.itemsize
        with self.count(0, moved, step) as at:
            self.write(self.vector(self.at(source, at), self.shape.dtype), self.at(room, at))

    def _widen(
        self, w: dict[str, str], room: str, image: str, start: str, known: str, stop: str
    ) -> None:
        """Compute the rows that are not there."""
        into = self.at(room, self.mul(self.sub(known, start), w["row_bytes"]))
        row = self.add(self.mul(image, w["height"]), known)
        self._put("ptr", WIDEN, "c", into)
        self._put("ptr", WIDEN, "rows", self.further(w["rows"], self.mul(row, w["width"])))
        self._rows(WIDEN, self.mul(self.sub(stop, known), w["width"]))

    def _narrow(self, w: dict[str, str], image: str, y: str, end: str) -> None:
        """Compute the rows of the result."""
        row = self.add(self.mul(image, w["c_height"]), y)
        self._put("ptr", NARROW, "c_rows", self.further(w["c_rows"], self.mul(row, w["c_width"])))
        self._rows(NARROW, self.mul(self.sub(end, y), w["c_width"]))

    def _rows(self, part: str, count: str) -> None:
        """Run a product of so many rows, as one block."""
        self._put("i64", part, "row_count", count)
        self._put("i64", part, "row_block", count)
        self._call(part, "1")

    def _call(self, part: str, iterations: str) -> None:
        words = self.at(self.own, str(self.begins[part] * WORD_BYTES))
        self.lines.append(f"  call void @{part}(ptr {words}, i64 0, i64 {iterations}, i64 %part)")

    def _put(self, kind: str, part: str, name: str, value: str) -> None:
        """Change a word of one of the three."""
        place = self.places[part, name] * WORD_BYTES
        self._store(kind, value, self.at(self.own, str(place)))

    def _store(self, kind: str, value: str, where: str) -> None:
        self.lines.append(f"  store {kind} {value}, ptr {where}, align 8")

    def _loaded(self, where: str) -> str:
        return self.line(f"load i64, ptr {where}, align 8")
