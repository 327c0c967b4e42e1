"""Depthwise convolution of floats: each channel with its own small filter.

Channels lie innermost. A vector of them is summed over the whole filter for a tile of pixels side
by side, whose sums stay in registers, and finished there: an image is read once, and written once.
The first and the last tile of a row leave out the places that lie beside the image, and all those
above and below it, so there is no border, nor a test for it. Sums go over places in one order, so
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
# The most pixels of a tile: with the weights of a row of the filter they fit 16 registers. Rows are
# often of 7, 14, 28, 56 or 112, for which tiles of 4 took twice as long, and of 6 1.2 times.
PIXELS = 7
# Steps are in bytes, of image, row and pixel. `middle` and `last` are where a row has no more tiles
# of the greater size, and where its last one begins. b holds a row of channels, b_step apart, for
# each place. After them stand the operands of what finishes sums.
WORDS = {
    "c": "ptr", "a": "ptr", "b": "ptr", "a_image": "i64", "a_row": "i64", "a_pixel": "i64",
    "c_image": "i64", "c_row": "i64", "c_pixel": "i64", "b_step": "i64", "height": "i64",
    "c_height": "i64", "channels": "i64", "middle": "i64",
    "last": "i64", "top": "i64", "left": "i64", "stride": "i64", "dilation": "i64",
}  # fmt: skip


@dataclass(frozen=True)
class Filter:
    """Sizes of a filter, how far apart windows and their places are along a row, and its tiles.

    left, right: pixels by which the first and the last window hang over. tile: pixels of a tile.
    tiles: 1 where a row has one alone, 2 where all have that size, 3 where the later ones have one
    pixel less.
    """

    height: int
    width: int
    stride: int
    dilation: int
    left: int
    right: int
    tile: int
    tiles: int

    @property
    def reach(self) -> int:
        """The places that a row of the filter spans."""
        return (self.width - 1) * self.dilation + 1


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
            self._row_of_tiles()

    def _row_of_tiles(self) -> None:
        """All pixels of a row."""
        size, w = self.filter.tile, self.w
        if self.filter.tiles == 1:
            self._tile("0", size, self.filter.left, self.filter.right)
            return
        self._tile("0", size, self.filter.left, 0)
        with self.count(size, w["middle"], size) as x:
            self._tile(x, size, 0, 0)
        if self.filter.tiles == 3:
            size -= 1
            with self.count(w["middle"], w["last"], size) as x:
                self._tile(x, size, 0, 0)
        self._tile(w["last"], size, 0, self.filter.right)

    def _reached(self, distance: str, most: int, dilation: str) -> str:
        """The first place of a filter, of so many, that lies so far on: 0 where that is behind."""
        ahead = self.add(self.most(distance, 0), self.sub(dilation, 1))
        return self.least(self.divided(ahead, dilation)[0], most)

    def _tile(self, x: str, count: int, left: int, right: int) -> None:
        """Pixels side by side, the windows of which hang over the image by so many pixels."""
        w, lanes = self.w, self.shape.lanes
        whole = self.mul(self.divided(w["channels"], lanes)[0], lanes)
        places = [
            [
                (k, n)
                for k in range(self.filter.width)
                if left <= (n := p * self.filter.stride + k * self.filter.dilation)
                and n < (count - 1) * self.filter.stride + self.filter.reach - right
            ]
            for p in range(count)
        ]
        with self.count(0, whole, lanes) as j:
            self._channels(x, j, places, None)
        with self.count(whole, w["channels"], lanes) as j:
            self._channels(x, j, places, self.mask(self.sub(w["channels"], j)))

    def _channels(
        self, x: str, j: str, places: list[list[tuple[int, int]]], mask: str | None
    ) -> None:
        """A vector of channels of some pixels.

        places: of each, those of a row of the filter, and of the pixels under it from the first on.
        """
        w = self.w
        column = self.mul(j, self.shape.dtype.itemsize)
        sums = ["zeroinitializer"] * len(places)
        begin = self.sub(self.mul(x, self.filter.stride), w["left"])
        beyond = self.add(self.source, self.add(self.mul(begin, w["a_pixel"]), column))
        with self.carried(sums, self.start, self.end, 1) as k:
            offset = self.add(beyond, self.mul(self.mul(k, w["dilation"]), w["a_row"]))
            weights = self.add(column, self.mul(self.mul(k, self.filter.width), w["b_step"]))
            self._row(sums, places, offset, weights, mask)
        for n, total in enumerate(sums):
            place = self.add(self.into, self.mul(self.add(x, n), w["c_pixel"]))
            place = self.add(place, column)
            self.write(self.finished(total, place, column, mask), self.at(w["c"], place), mask)

    def _row(
        self,
        sums: list[str],
        places: list[list[tuple[int, int]]],
        offset: str,
        weights: str,
        mask: str | None,
    ) -> None:
        """Add the products of a row of the filter."""
        w = self.w

        def read(base: str, offset: str, step: str, n: int) -> str:
            where = self.at(base, self.add(offset, self.mul(step, n)))
            return self.vector(where, self.shape.dtype, mask)

        under = sorted({n for found in places for _, n in found})
        pixels = {n: read(w["a"], offset, w["a_pixel"], n) for n in under}
        for k in sorted({k for found in places for k, _ in found}):
            weight = read(w["b"], weights, w["b_step"], k)
            for p, found in enumerate(places):
                if k in dict(found):
                    pixel = pixels[dict(found)[k]]
                    sums[p] = self.multiplied_and_added(pixel, weight, sums[p])
