"""Transforms that change the colors of an image by factors drawn at random."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from twinoar.errors import ArgumentError
from twinoar.vision.transforms import functional
from twinoar.vision.transforms.transform import BaseTransform

Keys = Sequence[str] | None
Range = float | Sequence[float]


class _Adjustment(BaseTransform):
    """A function of an image and a factor, with the factor drawn at random at each call.

    value: how far the factor is at most from `_neutral`, at which the image stays as it is; or the
    range of the factor. Raises ArgumentError for a range outside of `_limits`.
    """

    _adjust: ClassVar[Any]  # a function of an image and the drawn value
    _neutral = 1.0
    _limits = (0.0, float("inf"))

    def __init__(self, value: Range, keys: Keys = None) -> None:
        super().__init__(keys)
        lowest, highest = self._limits
        bounds = (value, value) if isinstance(value, (int, float)) else tuple(value)
        if isinstance(value, (int, float)) and value >= 0:
            bounds = (max(self._neutral - value, lowest), self._neutral + value)
        if len(bounds) != 2 or not lowest <= bounds[0] <= bounds[1] <= highest:
            raise ArgumentError(
                f"expected value to be a distance from {self._neutral} or a range in "
                f"{lowest}..{highest}, received {value!r}"
            )
        self.value = None if set(bounds) == {self._neutral} else bounds

    def _apply_image(self, img: Any) -> Any:
        return img if self.value is None else type(self)._adjust(img, random.uniform(*self.value))


class BrightnessTransform(_Adjustment):
    """An image brighter or darker by a factor of at most 1 + value, at least 1 - value.

    See `functional.adjust_brightness`. value: 0 or more, or the range of the factor.

    >>> import numpy as np
    >>> BrightnessTransform((2.0, 2.0))(np.array([[20]], "uint8")).tolist()
    [[40]]
    """

    _adjust: ClassVar[Any] = staticmethod(functional.adjust_brightness)


class ContrastTransform(_Adjustment):
    """An image with more or less contrast, by a factor as of BrightnessTransform.

    See `functional.adjust_contrast`.
    """

    _adjust: ClassVar[Any] = staticmethod(functional.adjust_contrast)


class SaturationTransform(_Adjustment):
    """An image with stronger or weaker colors, by a factor as of BrightnessTransform.

    See `functional.adjust_saturation`.
    """

    _adjust: ClassVar[Any] = staticmethod(functional.adjust_saturation)


class HueTransform(_Adjustment):
    """An image whose colors are turned by at most value of the color circle.

    See `functional.adjust_hue`. value: 0..0.5, or a range in -0.5..0.5.
    """

    _adjust: ClassVar[Any] = staticmethod(functional.adjust_hue)
    _neutral = 0.0
    _limits = (-0.5, 0.5)


class ColorJitter(BaseTransform):
    """Brightness, contrast, saturation and hue changed at random, in an order drawn at random.

    The values are those of BrightnessTransform, ContrastTransform, SaturationTransform and
    HueTransform.

    >>> import numpy as np
    >>> ColorJitter(0.4, 0.4, 0.4, 0.1)(np.zeros((4, 5, 3), "uint8")).shape
    (4, 5, 3)
    """

    def __init__(
        self,
        brightness: Range = 0,
        contrast: Range = 0,
        saturation: Range = 0,
        hue: Range = 0,
        keys: Keys = None,
    ) -> None:
        super().__init__(keys)
        self.brightness, self.contrast = brightness, contrast
        self.saturation, self.hue = saturation, hue
        self._adjustments = [
            BrightnessTransform(brightness),
            ContrastTransform(contrast),
            SaturationTransform(saturation),
            HueTransform(hue),
        ]

    def _apply_image(self, img: Any) -> Any:
        order = list(self._adjustments)
        random.shuffle(order)  # as Paddle draws it, so that equal seeds give equal images
        for adjustment in order:
            img = adjustment(img)
        return img


class Grayscale(BaseTransform):
    """A gray image: see `functional.to_grayscale`.

    >>> import numpy as np
    >>> Grayscale(3)(np.array([[[100, 200, 100]]], "uint8")).tolist()
    [[[159, 159, 159]]]
    """

    def __init__(self, num_output_channels: int = 1, keys: Keys = None) -> None:
        super().__init__(keys)
        self.num_output_channels = num_output_channels

    def _apply_image(self, img: Any) -> Any:
        return functional.to_grayscale(img, self.num_output_channels)
