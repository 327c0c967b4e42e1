"""Layers of Paddle 1.8: its arguments and defaults, over the layers of `twinoar.nn`.

`act` is the name of an activation that follows; `use_cudnn` and `is_distributed` were hints to the
machine and change nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from twinoar import nn
from twinoar.core.dtype import dtype_of
from twinoar.core.unique_name import generate
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.fluid import layers
from twinoar.fluid.layers.adapter import activated
from twinoar.fluid.layers.nn import MODES
from twinoar.fluid.layers.rnn import gated
from twinoar.nn import functional
from twinoar.nn.initializer import Constant, Normal
from twinoar.nn.layer import Layer
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.linalg.bilinear import bilinear
from twinoar.ops.norm.spectral_norm import spectral_norm


class _Activated(Layer):
    """What the layers of 1.8 share: an activation after them, and parameters of a given dtype."""

    _act: Any = None

    def _finish(self, act: Any, dtype: Any) -> None:
        self._act = act
        if dtype_of(dtype) != self._dtype:
            self.to(dtype=dtype)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes, after the activation."""
        return activated(super().forward(*inputs, **kwargs), self._act)


class Linear(_Activated, nn.Linear):
    """act(x W + b). x: [*,input_dim], W: [input_dim,output_dim]; returns [*,output_dim].

    >>> from twinoar import fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.dygraph.Linear(4, 2, act="relu")(fluid.dygraph.to_variable([[1.0] * 4])).shape
    [1, 2]
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: Any = None,
        dtype: Any = "float32",
    ):
        super().__init__(input_dim, output_dim, param_attr, bias_attr)
        self._finish(act, dtype)


class _Conv(_Activated):
    """The arguments of convolutions."""

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        use_cudnn: bool = True,
        act: Any = None,
        dtype: Any = "float32",
    ):
        begin: Callable[..., None] = super().__init__  # that of Paddle 2, which is next
        begin(
            num_channels, num_filters, filter_size, stride, padding, dilation, groups or 1,
            weight_attr=param_attr, bias_attr=bias_attr,
        )  # fmt: skip
        self._finish(act, dtype)


class Conv2D(_Conv, nn.Conv2D):
    """A convolution of images. x: [N,num_channels,H,W]; returns [N,num_filters,H',W']."""


class Conv3D(_Conv, nn.Conv3D):
    """A convolution of volumes. x: [N,num_channels,D,H,W]; returns [N,num_filters,D',H',W']."""


class Conv2DTranspose(_Activated, nn.Conv2DTranspose):
    """A transposed convolution of images. x: [N,num_channels,H,W]; returns [N,num_filters,H',W'].

    output_size: [H',W'], where it is not what stride and padding say.
    """

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: Any,
        output_size: Any = None,
        padding: Any = 0,
        stride: Any = 1,
        dilation: Any = 1,
        groups: int | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        use_cudnn: bool = True,
        act: Any = None,
        dtype: Any = "float32",
    ):
        super().__init__(
            num_channels, num_filters, filter_size, stride, padding, dilation=dilation,
            groups=groups or 1, weight_attr=param_attr, bias_attr=bias_attr,
        )  # fmt: skip
        self._output_size = output_size
        self._finish(act, dtype)

    def forward(self, input: Any) -> Any:  # type: ignore[override]  # its size is an attribute
        """The enlarged images."""
        return super().forward(input, output_size=self._output_size)


class Conv3DTranspose(_Activated, nn.Conv3DTranspose):
    """A transposed convolution of volumes: [N,num_channels,D,H,W] to [N,num_filters,D',H',W']."""

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: Any,
        padding: Any = 0,
        stride: Any = 1,
        dilation: Any = 1,
        groups: int | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        use_cudnn: bool = True,
        act: Any = None,
        dtype: Any = "float32",
    ):
        super().__init__(
            num_channels, num_filters, filter_size, stride, padding, dilation=dilation,
            groups=groups or 1, weight_attr=param_attr, bias_attr=bias_attr,
        )  # fmt: skip
        self._finish(act, dtype)


class Pool2D(Layer):
    """The maximum or mean of windows of images. x: [N,C,H,W]; returns [N,C,H',W'].

    pool_type: "max" or "avg". global_pooling: one window, the whole image. exclusive: a mean does
    not count padding. Raises ArgumentError for another pool_type, and without a pool_size.
    """

    def __init__(
        self,
        pool_size: Any = -1,
        pool_type: str = "max",
        pool_stride: Any = 1,
        pool_padding: Any = 0,
        global_pooling: bool = False,
        use_cudnn: bool = True,
        ceil_mode: bool = False,
        exclusive: bool = True,
    ):
        super().__init__()
        self._window = {
            "pool_size": pool_size,
            "pool_type": pool_type,
            "pool_stride": pool_stride,
            "pool_padding": pool_padding,
            "global_pooling": global_pooling,
            "ceil_mode": ceil_mode,
            "exclusive": exclusive,
        }

    def forward(self, input: Any) -> Any:
        """The pooled images."""
        return layers.pool2d(input, **self._window)


class Embedding(nn.Embedding):
    """The rows of a table that ids name. ids: [*], int64; size: [rows, width]; returns [*,width].

    padding_idx: the row that stays zero.
    """

    def __init__(
        self,
        size: Sequence[int],
        is_sparse: bool = False,
        is_distributed: bool = False,
        padding_idx: int | None = None,
        param_attr: Any = None,
        dtype: Any = "float32",
    ):
        rows, width = size
        super().__init__(rows, width, padding_idx, bool(is_sparse), weight_attr=param_attr)
        if dtype_of(dtype) != self._dtype:
            self.to(dtype=dtype)


class Dropout(Layer):
    """In training each element is zero with probability p.

    dropout_implementation: "downgrade_in_infer" multiplies by 1 - p in use, "upscale_in_train"
    divides by it in training. is_test: never drop. Raises ArgumentError for another one,
    UnsupportedError for a seed of its own.
    """

    def __init__(
        self,
        p: float = 0.5,
        seed: int | None = None,
        dropout_implementation: str = "downgrade_in_infer",
        is_test: bool = False,
    ):
        super().__init__()
        if dropout_implementation not in MODES:
            raise ArgumentError(
                f"dropout_implementation must be one of {', '.join(MODES)}, "
                f"received {dropout_implementation!r}"
            )
        if seed:
            raise UnsupportedError("a dropout has no seed of its own", cure="call paddle.seed")
        self._p, self._mode, self._is_test = p, MODES[dropout_implementation], is_test

    def forward(self, input: Any) -> Any:
        """The thinned input in training, the input as in use otherwise."""
        training = self.training and not self._is_test
        return functional.dropout(input, p=self._p, training=training, mode=self._mode)


class LayerNorm(_Activated, nn.LayerNorm):
    """Normalization over the last dimensions; scale and shift: whether it has a weight, a bias."""

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        scale: bool = True,
        shift: bool = True,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: Any = None,
        dtype: Any = "float32",
    ):
        weight, bias = param_attr if scale else False, bias_attr if shift else False
        super().__init__(normalized_shape, epsilon, weight, bias)
        self._finish(act, dtype)


class GroupNorm(_Activated, nn.GroupNorm):
    """Normalization over groups of channels. x: [N,channels,*]."""

    def __init__(
        self,
        channels: int,
        groups: int,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: Any = None,
        data_layout: str = "NCHW",
        dtype: Any = "float32",
    ):
        super().__init__(groups, channels, epsilon, param_attr, bias_attr, data_layout)
        self._finish(act, dtype)


class InstanceNorm(_Activated, nn.InstanceNorm2D):
    """Normalization of each channel of each image by itself. x: [N,num_channels,H,W]."""

    def __init__(
        self,
        num_channels: int,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ):
        super().__init__(num_channels, epsilon, weight_attr=param_attr, bias_attr=bias_attr)
        self._finish(None, dtype)


class PRelu(Layer):
    """x where x > 0, a x elsewhere, with a learned: one, one per channel, or one per element.

    mode: "all", "channel", which needs channel, or "element", which needs input_shape, [N,*].
    Raises ArgumentError.
    """

    def __init__(
        self,
        mode: str,
        channel: int | None = None,
        input_shape: Sequence[int] | None = None,
        param_attr: Any = None,
        dtype: Any = "float32",
    ):
        super().__init__("prelu")
        shape: list[int]
        if mode == "all":
            shape = [1]
        elif mode == "channel" and channel is not None:
            shape = [1, channel, 1, 1]
        elif mode == "element" and input_shape is not None:
            shape = [1, *input_shape[1:]]
        else:
            raise ArgumentError(
                f"mode must be 'all', 'channel' or 'element', received {mode!r}",
                cure="give 'channel' the number of channels, 'element' the input_shape",
            )
        self.weight = self.create_parameter(
            shape, param_attr, dtype, default_initializer=Constant(1.0)
        )

    def forward(self, input: Any) -> Any:
        """The function of the input."""
        return functional.relu(input) - self.weight * functional.relu(-input)


class BilinearTensorProduct(Layer):
    """act(x W_i y + b_i) for each of output_dim matrices W_i. x: [N,input1_dim], y: [N,input2_dim].

    Returns [N,output_dim].
    """

    def __init__(
        self,
        input1_dim: int,
        input2_dim: int,
        output_dim: int,
        name: str | None = None,
        act: Any = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ):
        super().__init__(name)
        self._act = act
        self.weight = self.create_parameter([output_dim, input1_dim, input2_dim], param_attr, dtype)
        self.bias = self.create_parameter([1, output_dim], bias_attr, dtype, is_bias=True)

    def forward(self, x: Any, y: Any) -> Any:
        """The products."""
        return activated(bilinear(x, y, self.weight, self.bias), self._act)


class GRUUnit(Layer):
    """One step of a gated recurrent unit of size / 3 units.

    origin_mode: the update gate keeps the old state, not the new one. Source: arXiv 1412.3555,
    section 3.2, and for origin_mode arXiv 1406.1078.
    """

    def __init__(
        self,
        size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        activation: str = "tanh",
        gate_activation: str = "sigmoid",
        origin_mode: bool = False,
        dtype: Any = "float32",
    ):
        super().__init__()
        if size % 3:
            raise ShapeError(f"size must be three times the number of units, received {size}")
        self._units, self._origin_mode = size // 3, origin_mode
        self._activation, self._gate_activation = activation, gate_activation
        self.weight = self.create_parameter([self._units, size], param_attr, dtype)
        self.bias = self.create_parameter([1, size], bias_attr, dtype, is_bias=True)

    def forward(self, input: Any, hidden: Any) -> tuple[Any, Any, Any]:
        """input: [N,size], hidden: [N,units]. Returns the new state, the old one after the reset
        gate, and the gates [N,size].
        """
        projected = input if self.bias is None else input + self.bias
        kinds = self._activation, self._gate_activation
        return gated(projected, hidden, self.weight, *kinds, self._origin_mode)


class SpectralNorm(Layer):
    """A weight divided by its greatest singular value, found by `power_iters` steps.

    weight_shape: of the weight; dim: which of its axes are the rows of the matrix.
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
        self._arguments = dim, power_iters, eps
        rows = weight_shape[dim]
        self.weight_u = self._vector(rows, dtype)
        self.weight_v = self._vector(math.prod(weight_shape) // rows, dtype)

    def _vector(self, size: int, dtype: Any) -> Any:
        attr = ParamAttr(generate(f"{self._full_name}.w"), Normal(0.0, 1.0), trainable=False)
        return self.create_parameter([size], attr, dtype)

    def forward(self, weight: Any) -> Any:
        """The normalized weight, of the same shape."""
        return spectral_norm(weight, self.weight_u, self.weight_v, *self._arguments)


class NLLLoss(nn.NLLLoss):
    """The negative log likelihood of labels. See `paddle.nn.NLLLoss`."""

    def __init__(self, weight: Any = None, reduction: str = "mean", ignore_index: int = -100):
        super().__init__(weight, ignore_index, reduction)


class BCELoss(nn.BCELoss):
    """The cross entropy of probabilities and truth values. See `paddle.nn.BCELoss`."""

    def __init__(self, weight: Any = None, reduction: str = "mean"):
        super().__init__(weight, reduction)


BatchNorm = nn.BatchNorm
MSELoss, L1Loss = nn.MSELoss, nn.L1Loss
