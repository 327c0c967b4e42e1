"""Normalization of each sample by itself: over features, groups of channels, or one channel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.nn import functional
from twinoar.nn.initializer import Constant, Normal
from twinoar.nn.layer import Layer
from twinoar.ops.norm.spectral_norm import spectral_norm


class LayerNorm(Layer):
    """y = (x - mean) / sqrt(variance + epsilon) * weight + bias, over the last dimensions.

    normalized_shape: their sizes. weight, bias: [their product], absent where weight_attr or
    bias_attr is False. Source: arXiv 1607.06450, eq. 4.

    >>> twinoar.nn.LayerNorm(4)(twinoar.to_tensor([0.0, 0.0, 2.0, 2.0])).round().tolist()
    [-1.0, -1.0, 1.0, 1.0]
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ):
        super().__init__()
        sizes = [normalized_shape] if isinstance(normalized_shape, int) else normalized_shape
        if not isinstance(sizes, (list, tuple)):
            raise TypeMismatchError(
                f"normalized_shape must be integers, received {normalized_shape!r}"
            )
        self._normalized_shape, self._epsilon = list(sizes), epsilon
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        size = [math.prod(sizes)]
        self.weight = self.create_parameter(size, weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter(size, bias_attr, is_bias=True)

    def forward(self, input: Any) -> Any:
        """The normalized input."""
        return functional.layer_norm(
            input, self._normalized_shape, self.weight, self.bias, self._epsilon
        )

    def extra_repr(self) -> str:
        """The arguments."""
        return f"normalized_shape={self._normalized_shape}, epsilon={self._epsilon}"


class GroupNorm(Layer):
    """y = (x - mean) / sqrt(variance + epsilon) * weight + bias, over groups of channels.

    x: [N,num_channels,*]; NHWC has channels last. weight, bias: [num_channels], absent where
    weight_attr or bias_attr is False. Raises ShapeError where num_groups does not divide
    num_channels. Source: arXiv 1803.08494, eq. 7.

    >>> twinoar.nn.GroupNorm(2, 4)(twinoar.ones([1, 4, 3, 3])).shape
    [1, 4, 3, 3]
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__()
        if num_groups < 1 or num_channels % num_groups:
            raise ShapeError(
                f"{num_groups} groups do not divide {num_channels} channels",
                cure="choose a number of groups that divides the channels",
            )
        self._num_groups, self._num_channels = num_groups, num_channels
        self._epsilon, self._data_format = epsilon, data_format
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        size = [num_channels]
        self.weight = self.create_parameter(size, weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter(size, bias_attr, is_bias=True)

    def forward(self, input: Any) -> Any:
        """The normalized input."""
        return functional.group_norm(
            input,
            self._num_groups,
            epsilon=self._epsilon,
            weight=self.weight,
            bias=self.bias,
            data_format=self._data_format,
        )

    def extra_repr(self) -> str:
        """The arguments."""
        return (
            f"num_groups={self._num_groups}, num_channels={self._num_channels}, "
            f"epsilon={self._epsilon}"
        )


class _InstanceNorm(Layer):
    """y = (x - mean) / sqrt(variance + epsilon) * scale + bias, for each channel of each sample."""

    default_format = "NCHW"
    ranks: tuple[int, ...] = ()

    def __init__(
        self,
        num_features: int,
        epsilon: float = 1e-05,
        momentum: float = 0.9,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
        name: str | None = None,
    ):
        super().__init__()
        self._num_features, self._epsilon, self._momentum = num_features, epsilon, momentum
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self._data_format = data_format or self.default_format
        size = [num_features]
        self.scale = self.create_parameter(size, weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter(size, bias_attr, is_bias=True)

    def forward(self, input: Any) -> Any:
        """The normalized input."""
        if input.ndim not in self.ranks:
            expected = " or ".join(f"{rank}D" for rank in self.ranks)
            raise ShapeError(
                f"expected {expected} input, received {input.ndim}D of shape {input.shape}"
            )
        return functional.instance_norm(
            input,
            weight=self.scale,
            bias=self.bias,
            momentum=self._momentum,
            eps=self._epsilon,
            data_format=self._data_format,
        )

    def extra_repr(self) -> str:
        """The arguments."""
        return f"num_features={self._num_features}, epsilon={self._epsilon}"


class InstanceNorm1D(_InstanceNorm):
    """Instance normalization of sequences. x: [N,C,L]. Arguments as of InstanceNorm2D.

    >>> twinoar.nn.InstanceNorm1D(3)(twinoar.ones([2, 3, 4])).shape
    [2, 3, 4]
    """

    default_format = "NCL"
    ranks = (2, 3)


class InstanceNorm2D(_InstanceNorm):
    """Instance normalization of images: each channel of each sample by its own mean and variance.

    x: [N,C,H,W]. y = (x - mean) / sqrt(variance + epsilon) * scale + bias; scale and bias are
    absent where weight_attr or bias_attr is False. Raises ShapeError for an input of another rank.
    Source: arXiv 1607.08022, eq. 4.

    >>> twinoar.nn.InstanceNorm2D(3)(twinoar.ones([2, 3, 4, 4])).shape
    [2, 3, 4, 4]
    """

    ranks = (4,)


class InstanceNorm3D(_InstanceNorm):
    """Instance normalization of volumes. x: [N,C,D,H,W]. Arguments as of InstanceNorm2D.

    >>> twinoar.nn.InstanceNorm3D(3)(twinoar.ones([2, 3, 4, 4, 4])).shape
    [2, 3, 4, 4, 4]
    """

    default_format = "NCDHW"
    ranks = (5,)


class SpectralNorm(Layer):
    """A weight divided by its greatest singular value.

    weight_shape: of the weights to come. dim: the dimension of the outputs; the others are the
    columns of a matrix. power_iters: steps towards the singular vectors, in each call from
    `weight_u` and `weight_v`. eps: keeps lengths from 0. Raises ArgumentError.
    Source: arXiv 1802.05957, algorithm 1.

    >>> layer = twinoar.nn.SpectralNorm([2, 2], power_iters=20)
    >>> layer(twinoar.to_tensor([[4.0, 0.0], [0.0, 1.0]])).round(2).tolist()
    [[1.0, 0.0], [0.0, 0.25]]
    """

    def __init__(
        self,
        weight_shape: Sequence[int],
        dim: int = 0,
        power_iters: int = 1,
        eps: float = 1e-12,
        dtype: Any = "float32",
    ):
        super().__init__()
        if not 0 <= dim < len(weight_shape):
            raise ArgumentError(
                f"dim must be one of {len(weight_shape)} dimensions, received {dim}"
            )
        self._dim, self._power_iters, self._epsilon = dim, power_iters, eps
        rows = weight_shape[dim]
        for name, size in (("weight_u", rows), ("weight_v", math.prod(weight_shape) // rows)):
            vector = self.create_parameter([size], dtype=dtype, default_initializer=Normal(0, 1))
            vector.stop_gradient = True
            self.add_parameter(name, vector)

    def forward(self, x: Any) -> Any:
        """The normalized weight."""
        vectors = (self.weight_u, self.weight_v)
        return spectral_norm(x, *vectors, self._dim, self._power_iters, self._epsilon)
