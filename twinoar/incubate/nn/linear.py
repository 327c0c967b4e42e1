"""Layers of one product, one dropout or one normalization, by the names of fused kernels."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import default_dtype
from twinoar.errors import ArgumentError
from twinoar.incubate.nn import functional
from twinoar.nn.dropout import Dropout
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer


class FusedLinear(Layer):
    """y = x W + b, as `nn.Linear`, with the weight as [O,I] on wish.

    weight: [in_features,out_features], or with transpose_weight the other way round. bias:
    [out_features], absent where bias_attr is False.

    >>> layer = twinoar.incubate.nn.FusedLinear(4, 2, transpose_weight=True)
    >>> layer(twinoar.ones([3, 4])).shape, layer.weight.shape
    ([3, 2], [2, 4])
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        transpose_weight: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        shape = [in_features, out_features]
        self.weight = self.create_parameter(shape[::-1] if transpose_weight else shape, weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)
        self.transpose_weight, self.name = transpose_weight, name

    def forward(self, input: Any) -> Any:
        """y = x W + b."""
        return functional.fused_linear(input, self.weight, self.bias, self.transpose_weight)


class FusedDropout(Dropout):
    """`nn.Dropout` without `inplace`.

    >>> twinoar.incubate.nn.FusedDropout(0.5).eval()(twinoar.ones([2])).tolist()
    [1.0, 1.0]
    """

    def __init__(
        self,
        p: float = 0.5,
        axis: Any = None,
        mode: str = "upscale_in_train",
        name: str | None = None,
    ) -> None:
        super().__init__(p, axis=axis, mode=mode, name=name)  # type: ignore[arg-type]


class FusedDropoutAdd(Dropout):
    """y + dropout(x); p and mode as of `nn.Dropout`.

    >>> x = twinoar.ones([2])
    >>> twinoar.incubate.nn.FusedDropoutAdd(0.5).eval()(x, x).tolist()
    [2.0, 2.0]
    """

    def __init__(
        self, p: float = 0.5, mode: str = "upscale_in_train", name: str | None = None
    ) -> None:
        super().__init__(p, mode=mode, name=name)  # type: ignore[arg-type]

    def forward(self, x: Any, y: Any) -> Any:  # type: ignore[override]
        """The sum of y and the thinned x."""
        return functional.fused_dropout_add(x, y, p=self.p, training=self.training, mode=self.mode)

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self.name}" if self.name else ""
        return f"p={self.p}, mode={self.mode}{name}"


class FusedBiasDropoutResidualLayerNorm(Layer):
    """layer_norm(residual + dropout(x + linear_bias)), of embed_dim numbers.

    weight_attr: of the normalization's scale. bias_attr: of both biases, absent where it is False.
    Raises ArgumentError.

    >>> layer = twinoar.incubate.nn.FusedBiasDropoutResidualLayerNorm(4)
    >>> layer(twinoar.rand([2, 3, 4]), twinoar.rand([2, 3, 4])).shape
    [2, 3, 4]
    """

    def __init__(
        self,
        embed_dim: int,
        dropout_rate: float = 0.5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        epsilon: float = 1e-5,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if embed_dim < 1:
            raise ArgumentError(f"embed_dim must be at least 1, received {embed_dim}")
        self._dtype = default_dtype().name
        self.embed_dim, self.dropout_rate = embed_dim, dropout_rate
        self._epsilon, self.name = epsilon, name
        size = [embed_dim]
        self.linear_bias = self.create_parameter(size, bias_attr, is_bias=True)
        self.ln_scale = self.create_parameter(size, weight_attr, default_initializer=Constant(1.0))
        self.ln_bias = self.create_parameter(size, bias_attr, is_bias=True)

    def forward(self, x: Any, residual: Any) -> Any:
        """The normalized sum."""
        return functional.fused_bias_dropout_residual_layer_norm(
            *(x, residual, self.linear_bias, self.ln_scale, self.ln_bias),
            dropout_rate=self.dropout_rate,
            ln_epsilon=self._epsilon,
            training=self.training,
        )

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self.name}" if self.name else ""
        return (
            f"embed_dim={self.embed_dim}, dropout_rate={self.dropout_rate}, "
            f"epsilon={self._epsilon}, dtype={self._dtype}{name}"
        )
