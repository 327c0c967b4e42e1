"""Dropout: in training some elements, or whole channels, are zero by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.layer import Layer

MODES = ("upscale_in_train", "downscale_in_infer")


class Dropout(Layer):
    """In training each element is zero with probability p, the others times 1 / (1 - p).

    axis: elements that differ only along other axes share their fate. mode: "downscale_in_infer"
    multiplies by 1 - p in use instead. Raises ArgumentError for a probability outside [0, 1].
    Source: Srivastava et al. 2014, section 4.

    >>> layer = twinoar.nn.Dropout(0.5).eval()
    >>> layer(twinoar.to_tensor([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """

    def __init__(
        self,
        p: float = 0.5,
        inplace: bool = False,
        axis: int | Sequence[int] | None = None,
        mode: Literal["upscale_in_train", "downscale_in_infer"] = "upscale_in_train",
        name: str | None = None,
    ):
        super().__init__()
        self.p, self.axis, self.mode = _probability(p), axis, mode
        if mode not in MODES:
            raise ArgumentError(f"mode must be one of {', '.join(MODES)}, received {mode!r}")
        self.inplace, self.name = inplace, name

    def forward(self, input: Any) -> Any:
        """The thinned input in training, the input otherwise."""
        return functional.dropout(
            input, p=self.p, axis=self.axis, training=self.training, mode=self.mode
        )

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self.name}" if self.name else ""
        return f"p={self.p}, axis={self.axis}, mode={self.mode}{name}, inplace={self.inplace}"


class _ChannelDropout(Layer):
    """Drops whole channels."""

    formats: tuple[str, str]

    def __init__(self, p: float = 0.5, data_format: str | None = None, name: str | None = None):
        super().__init__()
        self.p, self.name = _probability(p), name
        self.data_format = data_format or self.formats[0]
        if self.data_format not in self.formats:
            allowed = " or ".join(self.formats)
            raise ArgumentError(f"data_format must be {allowed}, received {data_format!r}")

    def forward(self, input: Any) -> Any:
        """The thinned input in training, the input otherwise."""
        channels = self.data_format.index("C")
        return functional.dropout(input, p=self.p, axis=[0, channels], training=self.training)

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self.name}" if self.name else ""
        return f"p={self.p}, data_format={self.data_format}{name}"


class Dropout2D(_ChannelDropout):
    """In training each channel is zero with probability p, the others times 1 / (1 - p).

    x: [N,C,H,W]; NHWC has channels last. Raises ArgumentError for a probability outside [0, 1].
    Source: arXiv 1411.4280, section 3.2.

    >>> layer = twinoar.nn.Dropout2D().eval()
    >>> layer(twinoar.ones([1, 2, 1, 1])).flatten().tolist()
    [1.0, 1.0]
    """

    formats = ("NCHW", "NHWC")


class Dropout3D(_ChannelDropout):
    """In training each channel is zero with probability p, the others times 1 / (1 - p).

    x: [N,C,D,H,W]; NDHWC has channels last. Raises ArgumentError for a probability outside [0, 1].

    >>> twinoar.nn.Dropout3D()(twinoar.ones([1, 2, 3, 3, 3])).shape
    [1, 2, 3, 3, 3]
    """

    formats = ("NCDHW", "NDHWC")


class AlphaDropout(Layer):
    """In training each element is selu's lower bound with probability p; mean and variance stay.

    Raises ArgumentError for a probability outside [0, 1]. Source: arXiv 1706.02515.

    >>> twinoar.nn.AlphaDropout().eval()(twinoar.ones([2])).tolist()
    [1.0, 1.0]
    """

    function = staticmethod(functional.alpha_dropout)

    def __init__(self, p: float = 0.5, name: str | None = None):
        super().__init__()
        self.p, self.name = _probability(p), name

    def forward(self, input: Any) -> Any:
        """The thinned input in training, the input otherwise."""
        return self.function(input, p=self.p, training=self.training)

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self.name}" if self.name else ""
        return f"p={self.p}{name}"


class FeatureAlphaDropout(AlphaDropout):
    """AlphaDropout of whole channels. x: [N,C,*].

    >>> twinoar.nn.FeatureAlphaDropout()(twinoar.ones([1, 2, 3])).shape
    [1, 2, 3]
    """

    function = staticmethod(functional.feature_alpha_dropout)


def _probability(p: Any) -> Any:
    if isinstance(p, (int, float)) and not 0 <= p <= 1:
        raise ArgumentError(
            f"p must be a probability in [0, 1], received {p}",
            cure="p is the share that is dropped, such as 0.5",
        )
    return p
