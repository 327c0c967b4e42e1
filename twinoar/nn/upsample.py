"""Images of another size, as layers."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer

NEWER = ("recompute_scale_factor", "antialias")  # arguments of the function that are no layer's
NEAREST = {"mode": "nearest"}
BILINEAR = {"mode": "bilinear", "align_corners": True}


class Upsample(FunctionLayer, of=functional.interpolate, without=NEWER):
    """Images of another size: `functional.interpolate` with its arguments kept.

    >>> twinoar.nn.Upsample(scale_factor=2)(twinoar.ones([1, 3, 4, 5])).shape
    [1, 3, 8, 10]
    """

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Keep the arguments, the mode in small letters."""
        super()._keep(arguments | {"mode": arguments["mode"].lower()})


class UpsamplingNearest2D(
    FunctionLayer,
    of=functional.interpolate,
    without=("align_corners", "align_mode", *NEWER),
    untold=NEAREST,
):
    """Images of another size, each pixel the nearest one.

    >>> twinoar.nn.UpsamplingNearest2D([2, 2])(twinoar.ones([1, 1, 1, 1])).shape
    [1, 1, 2, 2]
    """

    mode = "nearest"


class UpsamplingBilinear2D(
    FunctionLayer, of=functional.interpolate, without=("align_mode", *NEWER), untold=BILINEAR
):
    """Images of another size, each pixel a mean of the four around it; corners stay.

    >>> x = twinoar.to_tensor([[[[0.0, 2.0]]]])
    >>> twinoar.nn.UpsamplingBilinear2D([1, 3])(x).flatten().tolist()
    [0.0, 1.0, 2.0]
    """

    mode, align_corners = "bilinear", True
