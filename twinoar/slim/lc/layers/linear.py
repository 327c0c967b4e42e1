"""Linear layers that keep their weight in codes of 4 bits, and make it floats in each call."""

from __future__ import annotations

from typing import Any

from twinoar import nn
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.ops.create.fill import zeros
from twinoar.ops.shape.reshape import reshape
from twinoar.slim.lc.quantizers.blockwise import BlockQuantizer, FP4Quantizer, NF4Quantizer


class Linear4bit(nn.Layer):
    """A Linear whose weight becomes codes of 4 bits by `quantize`; subclasses name the quantizer.

    linear: the layer, whose bias it takes, and whose weight it drops. block_size, use_double_quant:
    as of `quantizers.NF4Quantizer`. Codes are the buffer `quant_weight`, [N / 2,K], uint8; scales
    are buffers, too. Raises TypeMismatchError, and ShapeError for an odd number of columns.
    """

    kind: type[BlockQuantizer]

    def __init__(self, linear: nn.Linear, block_size: int = 64, use_double_quant: bool = False):
        super().__init__()
        if not isinstance(linear, nn.Linear):
            raise TypeMismatchError(f"expected a Linear, received {linear!r}")
        inner, outer = linear.weight.shape
        if outer % 2:
            raise ShapeError(
                f"two codes lie in a byte, and {outer} columns are odd",
                cure="leave this layer as it is",
            )
        self.linear, self.in_features, self.out_features = linear, inner, outer
        self.block_size, self.double_quant = block_size, use_double_quant
        self.quantizer = self.kind(block_size, use_double_quant)
        self.register_buffer("quant_weight", zeros([outer // 2, inner], "uint8"))
        self._is_quantized = False

    def quantize(self) -> None:
        """Keep the weight as codes, and drop it. Raises ArgumentError where it is not finite."""
        if self._is_quantized:
            raise ArgumentError("the weight is quantized already", cure="call quantize once")
        codes = self.quantizer.quantize(self.linear.weight)
        self.quant_weight = reshape(codes, [self.out_features // 2, self.in_features])
        for i, part in enumerate(self.quantizer.state):
            self.register_buffer(f"quant_scale_{i}", part)
        self.linear.weight = None  # type: ignore[assignment]  # it is dropped
        self._is_quantized = True

    def forward(self, x: Any) -> Any:
        """x W + b. x: [*,K]. Returns [*,N]. Raises ArgumentError before `quantize`."""
        if not self._is_quantized:
            raise ArgumentError("the weight is not quantized yet", cure="call quantize()")
        count = len(self.quantizer.state)
        self.quantizer.state = [getattr(self, f"quant_scale_{i}") for i in range(count)]
        return self.quantizer.matmul(x, self.quant_weight, self.linear.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.in_features}, {self.out_features}, block_size={self.block_size}"


class NF4Linear(Linear4bit):
    """A Linear with a weight in NF4: quantiles of a normal distribution, a scale for each block.

    >>> layer = NF4Linear(twinoar.nn.Linear(64, 32))
    >>> layer.quantize()
    >>> layer(twinoar.ones([2, 64])).shape, layer.quant_weight.shape
    ([2, 32], [16, 64])
    """

    kind = NF4Quantizer


class FP4Linear(Linear4bit):
    """A Linear with a weight in FP4: floats of 4 bits, and a scale for each block.

    >>> layer = FP4Linear(twinoar.nn.Linear(64, 32), use_double_quant=True)
    >>> layer.quantize()
    >>> layer(twinoar.ones([2, 64])).shape
    [2, 32]
    """

    kind = FP4Quantizer
