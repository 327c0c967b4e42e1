"""Transforms that turn, shear or distort an image at random."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.vision.transforms import functional
from twinoar.vision.transforms.framing import checked_probability
from twinoar.vision.transforms.kind import size_of
from twinoar.vision.transforms.transform import BaseTransform

Keys = Sequence[str] | None
Fill = float | Sequence[float]
Range = float | Sequence[float]


class RandomRotation(BaseTransform):
    """An image turned by an angle drawn at random: see `functional.rotate`.

    degrees: the range of the angle, or its greatest value to both sides.

    >>> import numpy as np
    >>> RandomRotation(10)(np.zeros((40, 50, 3), "uint8")).shape
    (40, 50, 3)
    """

    def __init__(
        self,
        degrees: Range,
        interpolation: str = "nearest",
        expand: bool = False,
        center: Sequence[float] | None = None,
        fill: Fill = 0,
        keys: Keys = None,
    ) -> None:
        super().__init__(keys)
        self.degrees = _angles("degrees", degrees)
        self.interpolation, self.expand = interpolation, expand
        self.center, self.fill = center, fill

    def _get_param(self, degrees: Sequence[float]) -> float:
        return random.uniform(*degrees)

    def _apply_image(self, img: Any) -> Any:
        angle = self._get_param(self.degrees)
        return functional.rotate(
            img, angle, self.interpolation, self.expand, self.center, self.fill
        )


class RandomAffine(BaseTransform):
    """An image turned, moved, scaled and sheared at random: see `functional.affine`.

    degrees: the range of the angle, or its greatest value to both sides. translate: the greatest
    shares of width and height by which it is moved. scale: the range of the factor. shear: degrees
    along x, one number or a range, or ranges along x and y as four numbers. None leaves that out.
    Raises ArgumentError for other values.

    >>> import numpy as np
    >>> RandomAffine(10, translate=(0.1, 0.1))(np.zeros((40, 50, 3), "uint8")).shape
    (40, 50, 3)
    """

    def __init__(
        self,
        degrees: Range,
        translate: Sequence[float] | None = None,
        scale: Sequence[float] | None = None,
        shear: Range | None = None,
        interpolation: str = "nearest",
        fill: Fill = 0,
        center: Sequence[float] | None = None,
        keys: Keys = None,
    ) -> None:
        super().__init__(keys)
        self.degrees = _angles("degrees", degrees)
        if translate is not None and (
            len(translate) != 2 or not all(0 <= t <= 1 for t in translate)
        ):
            raise ArgumentError(f"expected translate to be two shares, received {translate!r}")
        if scale is not None and (len(scale) != 2 or min(scale) <= 0):
            raise ArgumentError(f"expected scale to be two numbers above 0, received {scale!r}")
        self.translate, self.scale = translate, scale
        self.shear = None if shear is None else _angles("shear", shear, (2, 4))
        self.interpolation, self.fill, self.center = interpolation, fill, center

    def _apply_image(self, img: Any) -> Any:
        height, width = size_of(img)
        angle = random.uniform(*self.degrees)
        shares = self.translate or (0, 0)
        moved = [
            int(random.uniform(-share * side, share * side)) if self.translate else 0
            for share, side in zip(shares, (width, height), strict=True)
        ]
        scale = 1.0 if self.scale is None else random.uniform(*self.scale)
        ranges = self.shear or ()
        shear = [random.uniform(*ranges[i : i + 2]) for i in range(0, len(ranges), 2)]
        shear += [0.0] * (2 - len(shear))
        return functional.affine(
            img, angle, moved, scale, shear, self.interpolation, self.fill, self.center
        )


class RandomPerspective(BaseTransform):
    """An image seen from a side drawn at random, with the probability prob.

    distortion_scale: 0..1, how far each corner moves at most, as a share of half the image. See
    `functional.perspective`.

    >>> import numpy as np
    >>> RandomPerspective(1.0)(np.zeros((40, 50, 3), "uint8")).shape
    (40, 50, 3)
    """

    def __init__(
        self,
        prob: float = 0.5,
        distortion_scale: float = 0.5,
        interpolation: str = "nearest",
        fill: Fill = 0,
        keys: Keys = None,
    ) -> None:
        super().__init__(keys)
        self.prob = checked_probability(prob)
        self.distortion_scale = checked_probability(distortion_scale)
        self.interpolation, self.fill = interpolation, fill

    def _apply_image(self, img: Any) -> Any:
        if random.random() >= self.prob:
            return img
        height, width = size_of(img)
        corners = [(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)]
        moved = [(self._moved(x, width), self._moved(y, height)) for x, y in corners]
        return functional.perspective(img, corners, moved, self.interpolation, self.fill)

    def _moved(self, place: int, length: int) -> int:
        """A first or last pixel, moved inwards at random."""
        reach = int(self.distortion_scale * (length // 2)) + 1
        if place == 0:
            return int(random.uniform(0, reach))
        return int(random.uniform(length - reach, length))


def _angles(name: str, given: Range, lengths: tuple[int, ...] = (2,)) -> tuple[float, ...]:
    """Ranges of degrees, a number meaning to both sides."""
    if isinstance(given, (int, float)) and given >= 0:
        return (-given, given)
    if isinstance(given, Sequence) and len(given) in lengths:
        return tuple(given)
    counts = " or ".join(map(str, lengths))
    raise ArgumentError(
        f"expected {name} to be a number from 0 on or {counts} numbers, received {given!r}"
    )
