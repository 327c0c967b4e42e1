"""Images of another size, as layers."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer

NEAREST = {"mode": "nearest"}
BILINEAR = {"mode": "bilinear", "align_corners": True}


class Upsample(FunctionLayer):
    """Images of another size: `functional.interpolate` with its arguments kept.

    >>> import twinoar
    >>> twinoar.nn.Upsample(scale_factor=2)(twinoar.ones([1, 3, 4, 5])).shape
    [1, 3, 8, 10]
    """

    function = functional.interpolate

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool = False,
        align_mode: int = 0,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__(
            size=size,
            scale_factor=scale_factor,
            mode=mode.lower(),
            align_corners=align_corners,
            align_mode=align_mode,
            data_format=data_format,
            name=name,
        )


class UpsamplingNearest2D(FunctionLayer):
    """Images of another size, each pixel the nearest one.

    >>> import twinoar
    >>> twinoar.nn.UpsamplingNearest2D([2, 2])(twinoar.ones([1, 1, 1, 1])).shape
    [1, 1, 2, 2]
    """

    function = functional.interpolate
    untold = NEAREST

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__(
            size=size, scale_factor=scale_factor, mode="nearest", data_format=data_format, name=name
        )


class UpsamplingBilinear2D(FunctionLayer):
    """Images of another size, each pixel a mean of the four around it; corners stay.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[[0.0, 2.0]]]])
    >>> twinoar.nn.UpsamplingBilinear2D([1, 3])(x).flatten().tolist()
    [0.0, 1.0, 2.0]
    """

    function = functional.interpolate
    untold = BILINEAR

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__(
            size=size,
            scale_factor=scale_factor,
            mode="bilinear",
            align_corners=True,
            data_format=data_format,
            name=name,
        )
