"""Transforms that choose a part of an image: crops, flips, borders, erased rectangles."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError
from twinoar.vision.transforms import functional
from twinoar.vision.transforms.kind import channels_of, size_of
from twinoar.vision.transforms.region import PaddingMode, pair_of
from twinoar.vision.transforms.transform import BaseTransform

ATTEMPTS = 10  # to draw a rectangle that fits

Fill = float | Sequence[float]
Keys = Sequence[str] | None


class CenterCrop(BaseTransform):
    """The middle of an image: see `functional.center_crop`.

    >>> CenterCrop(16)(np.zeros((40, 50, 3), "uint8")).shape
    (16, 16, 3)
    """

    def __init__(self, size: int | Sequence[int], keys: Keys = None) -> None:
        super().__init__(keys)
        self.size = pair_of(size)

    def _apply_image(self, img: Any) -> Any:
        return functional.center_crop(img, self.size)


class Pad(BaseTransform):
    """An image with borders: see `functional.pad`.

    >>> Pad(2)(np.zeros((40, 50), "uint8")).shape
    (44, 54)
    """

    def __init__(
        self,
        padding: int | Sequence[int],
        fill: Fill = 0,
        padding_mode: PaddingMode = "constant",
        keys: Keys = None,
    ) -> None:
        super().__init__(keys)
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def _apply_image(self, img: Any) -> Any:
        return functional.pad(img, self.padding, self.fill, self.padding_mode)


class RandomCrop(BaseTransform):
    """A part of an image at a place drawn at random.

    size: (height, width), or both as one number. padding, fill, padding_mode: borders that the
    image gets first, as in `functional.pad`; pad_if_needed: also where it is smaller than size.
    Raises ArgumentError for an image smaller than size.

    >>> RandomCrop(16)(np.zeros((40, 50, 3), "uint8")).shape
    (16, 16, 3)
    """

    def __init__(
        self,
        size: int | Sequence[int],
        padding: int | Sequence[int] | None = None,
        pad_if_needed: bool = False,
        fill: Fill = 0,
        padding_mode: PaddingMode = "constant",
        keys: Keys = None,
    ) -> None:
        super().__init__(keys)
        self.size, self.padding, self.pad_if_needed = pair_of(size), padding, pad_if_needed
        self.fill, self.padding_mode = fill, padding_mode

    def _apply_image(self, img: Any) -> Any:
        if self.padding is not None:
            img = functional.pad(img, self.padding, self.fill, self.padding_mode)
        rows, columns = size_of(img)
        height, width = self.size
        missing = max(width - columns, 0), max(height - rows, 0)
        if self.pad_if_needed and any(missing):
            img = functional.pad(img, missing, self.fill, self.padding_mode)
            rows, columns = size_of(img)
        if rows < height or columns < width:
            raise ArgumentError(
                f"an image of {rows} by {columns} has no part of {height} by {width}",
                cure="pad_if_needed=True",
            )
        if (rows, columns) == self.size:
            return img
        top, left = random.randint(0, rows - height), random.randint(0, columns - width)
        return functional.crop(img, top, left, height, width)


class RandomResizedCrop(BaseTransform):
    """A part of an image, of a size and shape drawn at random, in the size `size`.

    scale: the part's area, as a range of shares of the image's. ratio: range of width by height.
    Where no part is found that fits, the largest one of such a ratio in the middle.
    interpolation: as in `functional.resize`. Source: Szegedy et al., arXiv 1409.4842, section 6.

    >>> RandomResizedCrop(16)(np.zeros((40, 50, 3), "uint8")).shape
    (16, 16, 3)
    """

    def __init__(
        self,
        size: int | Sequence[int],
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3 / 4, 4 / 3),
        interpolation: str = "bilinear",
        keys: Keys = None,
    ) -> None:
        super().__init__(keys)
        _check_range("scale", scale)
        _check_range("ratio", ratio)
        self.size, self.scale, self.ratio = pair_of(size), scale, ratio
        self.interpolation = interpolation

    def _apply_image(self, img: Any) -> Any:
        part = functional.crop(img, *self._part(*size_of(img)))
        return functional.resize(part, self.size, self.interpolation)

    def _part(self, rows: int, columns: int) -> tuple[int, int, int, int]:
        """(top, left, height, width)."""
        for _ in range(ATTEMPTS):
            width, height = _drawn_sides(rows * columns, self.scale, self.ratio)
            if 0 < width <= columns and 0 < height <= rows:
                top, left = random.randint(0, rows - height), random.randint(0, columns - width)
                return top, left, height, width
        narrowest, widest = min(self.ratio), max(self.ratio)
        height = min(rows, round(columns / narrowest))
        width = min(columns, round(rows * widest))
        return (rows - height) // 2, (columns - width) // 2, height, width


class RandomHorizontalFlip(BaseTransform):
    """An image with left and right exchanged, with the probability prob.

    >>> RandomHorizontalFlip(1.0)(np.array([[1, 2]], "uint8")).tolist()
    [[2, 1]]
    """

    def __init__(self, prob: float = 0.5, keys: Keys = None) -> None:
        super().__init__(keys)
        self.prob = checked_probability(prob)

    def _apply_image(self, img: Any) -> Any:
        return functional.hflip(img) if random.random() < self.prob else img


class RandomVerticalFlip(BaseTransform):
    """An image with top and bottom exchanged, with the probability prob.

    >>> RandomVerticalFlip(1.0)(np.array([[1], [2]], "uint8")).tolist()
    [[2], [1]]
    """

    def __init__(self, prob: float = 0.5, keys: Keys = None) -> None:
        super().__init__(keys)
        self.prob = checked_probability(prob)

    def _apply_image(self, img: Any) -> Any:
        return functional.vflip(img) if random.random() < self.prob else img


class RandomErasing(BaseTransform):
    """An image in which a rectangle drawn at random is overwritten, with the probability prob.

    scale: the rectangle's area, as a range of shares of the image's. ratio: range of height by
    width. value: what is written, one number, one for each of three channels, or "random": normal
    numbers, times 255 unless the image is a Tensor. inplace: as in `functional.erase`.
    Where no rectangle is found that fits, the image stays. Raises ArgumentError for other values.
    Source: Zhong et al., arXiv 1708.04896.
    """

    def __init__(
        self,
        prob: float = 0.5,
        scale: Sequence[float] = (0.02, 0.33),
        ratio: Sequence[float] = (0.3, 3.3),
        value: float | Sequence[float] | str = 0,
        inplace: bool = False,
        keys: Keys = None,
    ) -> None:
        super().__init__(keys)
        _check_range("scale", scale, 1.0)
        _check_range("ratio", ratio)
        numbers = [value] if isinstance(value, (int, float)) else value
        if numbers != "random" and (isinstance(numbers, str) or len(numbers) not in (1, 3)):
            raise ArgumentError(
                f"expected value to be a number, three numbers or 'random', received {value!r}"
            )
        self.prob, self.scale, self.ratio = checked_probability(prob), scale, ratio
        self.value, self.inplace = value, inplace

    def _apply_image(self, img: Any) -> Any:
        if random.random() >= self.prob:
            return img
        rows, columns = size_of(img)
        for _ in range(ATTEMPTS):
            height, width = _drawn_sides(rows * columns, self.scale, self.ratio)
            if height < rows and width < columns:
                pixels = self._pixels(img, height, width)
                top = np.random.randint(0, rows - height + 1)
                left = np.random.randint(0, columns - width + 1)
                return functional.erase(img, top, left, height, width, pixels, self.inplace)
        return img

    def _pixels(self, img: Any, height: int, width: int) -> np.ndarray:
        """[h,w,C], or what broadcasts to it; channels first for a Tensor."""
        if isinstance(self.value, str):
            pixels = np.random.normal(size=(height, width, channels_of(img)))
            pixels = pixels if isinstance(img, Tensor) else pixels * 255
        else:
            pixels = np.reshape(np.asarray(self.value), (1, 1, -1))
        return pixels.transpose(2, 0, 1) if isinstance(img, Tensor) else pixels


def checked_probability(prob: float) -> float:
    """`prob`; raises ArgumentError unless it is in 0..1."""
    if not 0 <= prob <= 1:
        raise ArgumentError(f"expected a probability in 0..1, received {prob!r}")
    return prob


def _drawn_sides(area: int, scale: Sequence[float], ratio: Sequence[float]) -> tuple[int, int]:
    """The two sides of a rectangle, the first by the second being drawn from `ratio`."""
    part = np.random.uniform(scale[0], scale[1]) * area
    shape = math.exp(np.random.uniform(math.log(ratio[0]), math.log(ratio[1])))
    return round(math.sqrt(part * shape)), round(math.sqrt(part / shape))


def _check_range(name: str, given: Sequence[float], highest: float = math.inf) -> None:
    if len(given) != 2 or not 0 <= given[0] <= given[1] <= highest:
        raise ArgumentError(f"expected {name} to be (least, greatest), received {given!r}")
