"""Images whose pixels are moved: turned, sheared, seen from another side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.op.explain import told
from twinoar.errors import ArgumentError
from twinoar.vision.image import pillow
from twinoar.vision.transforms.kind import by_pillow, size_of
from twinoar.vision.transforms.region import fill_of

FILTERS = ("nearest", "bilinear", "bicubic")
Point = Sequence[float]


@told
def rotate(
    img: Any,
    angle: float,
    interpolation: str = "nearest",
    expand: bool = False,
    center: Point | None = None,
    fill: float | Sequence[float] = 0,
) -> Any:
    """An image turned by angle degrees, against the clock.

    img: a Pillow image, an ndarray [H,W] or [H,W,C], or a Tensor [C,H,W]; the same kind comes
    back. interpolation: nearest, bilinear or bicubic. expand: as large as the turned image, else
    as large as it was. center: (x, y) around which it is turned, the middle by default. fill: the
    value outside of the image, one or one for each channel. No gradient. Raises ArgumentError.

    >>> rotate(np.array([[1, 2], [3, 4]], "uint8"), 90)
    array([[2, 4],
           [1, 3]], dtype=uint8)
    """
    resample, fills = _filter(interpolation), fill_of(img, fill)
    middle = None if center is None else tuple(center)

    def turned(image: Any, channel: int) -> Any:
        return image.rotate(angle, resample, expand, middle, fillcolor=_color(fills, channel))

    return by_pillow(img, turned)


@told
def affine(
    img: Any,
    angle: float,
    translate: Sequence[float],
    scale: float,
    shear: float | Sequence[float],
    interpolation: str = "nearest",
    fill: float | Sequence[float] = 0,
    center: Point | None = None,
) -> Any:
    """An image sheared, scaled, turned by angle degrees with the clock, and moved, in this order.

    translate: pixels (x, y). scale: above 0. shear: degrees (x, y), or x. The rest as of `rotate`.

    >>> affine(np.array([[1, 2, 3]], "uint8"), 0, (1, 0), 1.0, 0).tolist()
    [[0, 1, 2]]
    """
    shears = (shear, 0.0) if isinstance(shear, (int, float)) else tuple(shear)
    if len(translate) != 2 or len(shears) not in (1, 2):
        raise ArgumentError(
            f"expected pairs (x, y), received translate {translate!r} and shear {shear!r}"
        )
    if scale <= 0:
        raise ArgumentError(f"expected scale above 0, received {scale}")
    height, width = size_of(img)
    middle = (width / 2, height / 2) if center is None else center
    forward = _moved(middle) @ _linear(angle, scale, shears[0], shears[-1])
    matrix = _moved(translate) @ forward @ _moved([-x for x in middle])
    coefficients = np.linalg.inv(matrix)[:2].ravel()
    return _transformed(img, "AFFINE", coefficients, interpolation, fill)


@told
def perspective(
    img: Any,
    startpoints: Sequence[Point],
    endpoints: Sequence[Point],
    interpolation: str = "nearest",
    fill: float | Sequence[float] = 0,
) -> Any:
    """An image seen so that its four startpoints (x, y) come to lie at the endpoints.

    The rest as of `rotate`. Raises ArgumentError for other than four points each.

    >>> corners = [[0, 0], [2, 0], [2, 2], [0, 2]]
    >>> perspective(np.array([[1, 2], [3, 4]], "uint8"), corners, corners).tolist()
    [[1, 2], [3, 4]]
    """
    if len(startpoints) != 4 or len(endpoints) != 4:
        raise ArgumentError(
            f"expected 4 points each, received {len(startpoints)} and {len(endpoints)}"
        )
    # x' (g x + h y + 1) = a x + b y + c and y' (g x + h y + 1) = d x + e y + f, for end (x, y).
    rows, targets = [], []
    for (x, y), start in zip(endpoints, startpoints, strict=True):
        for axis, target in enumerate(start):
            row = np.zeros(8)
            row[3 * axis : 3 * axis + 3] = x, y, 1
            row[6:] = -target * x, -target * y
            rows.append(row)
            targets.append(target)
    coefficients = np.linalg.lstsq(np.array(rows), np.array(targets, float), rcond=None)[0]
    return _transformed(img, "PERSPECTIVE", coefficients, interpolation, fill)


def _transformed(img: Any, kind: str, coefficients: Any, interpolation: str, fill: Any) -> Any:
    """coefficients: from pixels of the result to pixels of img, as Pillow has them."""
    resample, fills = _filter(interpolation), fill_of(img, fill)
    method = pillow().Transform[kind]

    def transformed(image: Any, channel: int) -> Any:
        color = _color(fills, channel)
        return image.transform(image.size, method, list(coefficients), resample, fillcolor=color)

    return by_pillow(img, transformed)


def _linear(angle: float, scale: float, shear_x: float, shear_y: float) -> np.ndarray:
    """Shearing along x, then along y, turning and scaling, as a matrix [3,3]."""
    turn, x, y = (math.radians(degrees) for degrees in (angle, shear_x, shear_y))
    along_x = np.array([[1, -math.tan(x)], [0, 1]])
    along_y = np.array([[1, 0], [-math.tan(y), 1]])
    turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    matrix = np.eye(3)
    matrix[:2, :2] = scale * turned @ along_y @ along_x
    return matrix


def _moved(by: Point) -> np.ndarray:
    matrix = np.eye(3)
    matrix[:2, 2] = by
    return matrix


def _color(fills: list[float], channel: int) -> Any:
    """The fill of a channel; for channel -1 that of a whole Pillow image."""
    if channel >= 0 or len(fills) == 1:
        return fills[channel]
    return tuple(fills)


def _filter(interpolation: str) -> Any:
    if interpolation not in FILTERS:
        raise ArgumentError(
            f"expected an interpolation of {', '.join(FILTERS)}, received {interpolation!r}"
        )
    return pillow().Resampling[interpolation.upper()]
