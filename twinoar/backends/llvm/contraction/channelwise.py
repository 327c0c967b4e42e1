"""Depthwise convolution of floats: each channel with its own small filter.

Channels lie innermost. A vector of them is summed over the whole filter for some pixels side by
side, whose sums stay in registers, and finished there: an image is read once, and written once.
Pixels whose windows hang over the left or right edge are done one by one, over the places that lie
in the image; rows above and below it are left out. Sums go over places in one order everywhere, so
neither edges nor how rows are divided among threads show in results.
"""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.backends.llvm.contraction.finish import Finishing, Step
from twinoar.backends.llvm.contraction.text import KERNEL
from twinoar.backends.llvm.contraction.tile import Shape
from twinoar.backends.llvm.contraction.vectors import Vectors
from twinoar.compile.target import Target
from twinoar.late import dataclass

NAME = "channelwise"
PIXELS = 4  # that a vector of weights serves: with the weights of a row, half of 16 registers
# Steps are in bytes, of image, row and pixel; `first` to `last` are the pixels of a row whose
# windows lie inside of the image. b holds a row of channels, b_step apart, for each place. After
# them stand the operands of what finishes sums.
WORDS = {
    "c": "ptr", "a": "ptr", "b": "ptr", "a_image": "i64", "a_row": "i64", "a_pixel": "i64",
    "c_image": "i64", "c_row": "i64", "c_pixel": "i64", "b_step": "i64", "height": "i64",
    "width": "i64", "c_height": "i64", "c_width": "i64", "channels": "i64", "first": "i64",
    "last": "i64", "top": "i64", "left": "i64", "stride": "i64", "dilation": "i64",
}  # fmt: skip


@dataclass(frozen=True)
class Filter:
    """Sizes of a filter, and along a row how far apart windows and their places are."""

    height: int
    width: int
    stride: int
    dilation: int


def channelwise(
    shape: Shape, filter: Filter, target: Target, steps: Sequence[Step], part: str = ""
) -> str:
    """The text of the kernel; an iteration is a row of an image of the result.

    part: its name as a part of another kernel.
    """
    text = _Channelwise(shape, filter, steps)
    text.printed()
    head = f"internal void @{part}({KERNEL}) noinline" if part else f"void @{NAME}({KERNEL})"
    whole = text.function(head, target)
    return "\n".join([whole, *sorted(text.declared), ""])


class _Channelwise(Finishing, Vectors):
    """start, end: the rows of the filter that lie in the image. source, into: where those of the
    image, above which the filter may begin, and of the result are, in bytes.
    """

    w: dict[str, str]
    start: str
    end: str
    source: str
    into: str

    def __init__(self, shape: Shape, filter: Filter, steps: Sequence[Step]):
        super().__init__(shape)
        self.filter, self.steps = filter, steps

    def printed(self) -> None:
        """Print all lines."""
        self.w = w = self.arguments(WORDS)
        self.operands(self.table(len(WORDS)))
        with self.count("%lo", "%hi") as row:
            image, y = self.divided(row, w["c_height"])
            top = self.sub(self.mul(y, w["stride"]), w["top"])
            self.start = self._reached(self.sub("0", top), self.filter.height, w["dilation"])
            below = self.sub(w["height"], top)
            self.end = self._reached(below, self.filter.height, w["dilation"])
            self.source = self.add(self.mul(image, w["a_image"]), self.mul(top, w["a_row"]))
            self.into = self.add(self.mul(image, w["c_image"]), self.mul(y, w["c_row"]))
            groups, _ = self.divided(self.sub(w["last"], w["first"]), PIXELS)
            middle = self.add(w["first"], self.mul(groups, PIXELS))
            self._pixels(0, w["first"], 0)
            self._pixels(w["first"], middle, PIXELS)
            self._pixels(middle, w["last"], 1)
            self._pixels(w["last"], w["c_width"], 0)

    def _reached(self, distance: str, most: int, dilation: str) -> str:
        """The first place of a filter, of so many, that lies so far on: 0 where that is behind."""
        ahead = self.add(self.most(distance, 0), self.sub(dilation, 1))
        return self.least(self.divided(ahead, dilation)[0], most)

    def _pixels(self, start: str | int, end: str, count: int) -> None:
        """Pixels of a row, so many at once; with 0 each, over the places that lie in the image."""
        w, lanes = self.w, self.shape.lanes
        whole = self.mul(self.divided(w["channels"], lanes)[0], lanes)
        with self.count(start, end, max(1, count)) as x:
            left = self.sub(self.mul(x, self.filter.stride), w["left"])
            with self.count(0, whole, lanes) as j:
                self._channels(x, left, j, count, None)
            with self.count(whole, w["channels"], lanes) as j:
                self._channels(x, left, j, count, self.mask(self.sub(w["channels"], j)))

    def _channels(self, x: str, left: str, j: str, count: int, mask: str | None) -> None:
        """A vector of channels of some pixels."""
        w, size = self.w, self.shape.dtype.itemsize
        column = self.mul(j, size)
        sums = ["zeroinitializer"] * max(1, count)
        beyond = self.add(self.source, self.add(self.mul(left, w["a_pixel"]), column))
        with self.carried(sums, self.start, self.end, 1) as k:
            offset = self.add(beyond, self.mul(self.mul(k, w["dilation"]), w["a_row"]))
            weights = self.add(column, self.mul(self.mul(k, self.filter.width), w["b_step"]))
            if count:
                self._row(sums, offset, weights, mask)
            else:
                self._edge(sums, left, offset, weights, mask)
        for n, total in enumerate(sums):
            place = self.add(self.into, self.mul(self.add(x, n), w["c_pixel"]))
            place = self.add(place, column)
            self.write(self.finished(total, place, column, mask), self.at(w["c"], place), mask)

    def _row(self, sums: list[str], offset: str, weights: str, mask: str | None) -> None:
        """Add the products of a row of the filter, of pixels side by side."""
        w, f = self.w, self.filter
        places = {p * f.stride + k * f.dilation for p in range(len(sums)) for k in range(f.width)}
        pixels = {}
        for n in sorted(places):
            where = self.at(w["a"], self.add(offset, self.mul(w["a_pixel"], n)))
            pixels[n] = self.vector(where, self.shape.dtype, mask)
        for k in range(f.width):
            where = self.at(w["b"], self.add(weights, self.mul(w["b_step"], k)))
            weight = self.vector(where, self.shape.dtype, mask)
            for p, total in enumerate(sums):
                pixel = pixels[p * f.stride + k * f.dilation]
                sums[p] = self.multiplied_and_added(pixel, weight, total)

    def _edge(
        self, sums: list[str], left: str, offset: str, weights: str, mask: str | None
    ) -> None:
        """Add the products of a row of the filter that lie in the image, of one pixel."""
        w, f = self.w, self.filter
        start = self._reached(self.sub("0", left), f.width, str(f.dilation))
        end = self._reached(self.sub(w["width"], left), f.width, str(f.dilation))
        with self.carried(sums, start, end, 1) as k:
            pixel = self.add(offset, self.mul(self.mul(k, f.dilation), w["a_pixel"]))
            x = self.vector(self.at(w["a"], pixel), self.shape.dtype, mask)
            y = self.vector(
                self.at(w["b"], self.add(weights, self.mul(k, w["b_step"]))), self.shape.dtype, mask
            )
            sums[0] = self.multiplied_and_added(x, y, sums[0])
