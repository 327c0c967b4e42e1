"""Quantizers of weights to codes of 4 bits, in blocks that have a scale each."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, DTypeError
from twinoar.ops.index.gather import gather
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.reshape import reshape
from twinoar.slim.lc.quantizers.codes import (
    FP4,
    NF4,
    blocks_of,
    dynamic_codes,
    nearest,
    pairs,
    unpaired,
)


class BlockQuantizer(abc.ABC):
    """Makes weights codes of 4 bits, and codes weights; subclasses have `table`.

    block_size: how many neighbors, in the order of memory, share a scale. double_quant: keep scales
    less their mean as codes of 8 bits, in blocks of as many. state: what `quantize` has kept of the
    scales. Raises ArgumentError.
    """

    table: np.ndarray
    state: Any = None

    def __init__(self, block_size: int = 64, double_quant: bool = False):
        if not isinstance(block_size, int) or block_size < 1:
            raise ArgumentError(f"block_size must be 1 or more, received {block_size!r}")
        self.block_size, self.double_quant = block_size, double_quant

    def quantize(self, x: Any) -> Any:
        """Codes of a weight, two in a byte: [ceil(count / 2),1], uint8; `state` has the scales.

        x: [*], floating. Raises DTypeError, and ArgumentError for weights that are not finite.
        """
        if not x.dtype.is_floating:
            raise DTypeError(f"weights to quantize are floating, received {x.dtype.name}")
        values = x.numpy().astype(np.float32)
        if not np.isfinite(values).all():
            raise ArgumentError(
                "weights to quantize must be finite", cure="look for nan and inf in training"
            )
        codes, scales = nearest(blocks_of(values, self.block_size), self.table)
        self.state = [to_tensor(part) for part in self._kept(scales)]
        return to_tensor(pairs(codes.ravel()[: values.size])[:, None])

    def _kept(self, scales: np.ndarray) -> list[np.ndarray]:
        if not self.double_quant:
            return [scales]
        mean = scales.mean(dtype=np.float32)
        codes, wide = nearest(blocks_of(scales - mean, self.block_size), dynamic_codes())
        return [codes, wide, np.reshape(mean, [1])]

    def dequantize(self, x: Any) -> Any:
        """What codes stand for: [count], float32, with a 0 after an odd count of weights.

        x: what `quantize` returned. Raises ArgumentError before it.
        """
        if self.state is None:
            raise ArgumentError("no scales are known", cure="call quantize before")
        codes = unpaired(reshape(x, [-1]))
        values = gather(to_tensor(self.table), codes)
        return values * self._spread(codes.shape[0])

    def _spread(self, count: int) -> Any:
        """The scale of each of so many weights."""
        scales = reshape(self._scales(), [-1, 1])
        return reshape(scales.expand([scales.shape[0], self.block_size]), [-1])[:count]

    def _scales(self) -> Any:
        if not self.double_quant:
            return self.state[0]
        codes, wide, mean = self.state
        known = gather(to_tensor(dynamic_codes()), reshape(codes, [-1]).astype("int64"))
        return reshape(reshape(known, [-1, self.block_size]) * reshape(wide, [-1, 1]), [-1]) + mean

    def matmul(self, x: Any, y: Any, bias: Any = None) -> Any:
        """x W + bias of the codes y of a weight W. x: [*,K]. Returns [*,N], dtype of x."""
        weight = reshape(self.dequantize(y).astype(x.dtype), [x.shape[-1], -1])
        out = matmul(x, weight)
        return out if bias is None else out + bias


class NF4Quantizer(BlockQuantizer):
    """Codes of quantiles of a normal distribution, as trained weights are distributed.

    Arguments as of BlockQuantizer. Source: arXiv 2305.14314, section 3.

    >>> quantizer = NF4Quantizer(block_size=4)
    >>> codes = quantizer.quantize(twinoar.to_tensor([2.0, -2.0, 0.0, 1.0]))
    >>> codes.tolist(), [round(x, 2) for x in quantizer.dequantize(codes).tolist()]
    ([[240], [124]], [2.0, -2.0, 0.0, 0.88])
    """

    table = NF4


class FP4Quantizer(BlockQuantizer):
    """Codes of floats of 4 bits. Arguments as of BlockQuantizer.

    >>> quantizer = FP4Quantizer(block_size=4)
    >>> codes = quantizer.quantize(twinoar.to_tensor([12.0, -6.0, 0.0, 1.9]))
    >>> quantizer.dequantize(codes).tolist()
    [12.0, -6.0, 0.0, 2.0]
    """

    table = FP4
