"""GPTQ: weights are rounded one row after another, and those that follow make up for the error.

Source: Frantar et al. 2022, "GPTQ: Accurate Post-Training Quantization for Generative Pre-trained
Transformers", arXiv 2210.17323, algorithm 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.nn import Layer, Linear
from twinoar.quantization.weight_grid import WeightGrid


class GPTQ(Layer):
    """Stands for a Linear while data passes, and then rounds its weight.

    layer: a Linear. quant_bits: of the integers. weight_quant_method: "abs_max_channel_wise", a
    scale for each column. Raises ArgumentError for others. After `fasterquant`, `integers` [K,N]
    and `scales` [G,N] are what the weight is made of.

    >>> layer = GPTQ(twinoar.nn.Linear(4, 3))
    >>> _ = layer(twinoar.randn([8, 4]))
    >>> layer.fasterquant()
    >>> layer.integers.shape, layer.scales.shape
    ((4, 3), (1, 3))
    """

    def __init__(
        self,
        layer: Any,
        quant_bits: int = 4,
        weight_quant_method: str = "abs_max_channel_wise",
    ):
        super().__init__()
        if not isinstance(layer, Linear):
            raise ArgumentError(f"GPTQ rounds the weights of Linear, received {type(layer)}")
        if weight_quant_method != "abs_max_channel_wise":
            raise ArgumentError(
                f"weight_quant_method must be abs_max_channel_wise, received {weight_quant_method}"
            )
        self.layer, self.quant_bits = layer, WeightGrid(quant_bits).bits
        self.hessian: Any = SecondMoments(layer.weight.shape[0])
        self.integers: Any = None
        self.scales: Any = None

    @property
    def quantized(self) -> bool:
        """Whether the weight was rounded."""
        return self.integers is not None

    def forward(self, input: Any) -> Any:  # Paddle's name
        """What the layer gives; until the weight is rounded, the input is looked at."""
        if not self.quantized:
            self.hessian.add(input.numpy())
        return self.layer(input)

    def fasterquant(
        self,
        blocksize: int = 128,
        percdamp: float = 0.01,
        groupsize: int = -1,
        actorder: bool = True,
    ) -> None:
        """Round the weight; as `gptq`, with `actorder` for `by_size`. Raises ArgumentError."""
        grid, weight = WeightGrid(self.quant_bits, groupsize), self.layer.weight
        moments = self.hessian.mean()
        self.integers, self.scales = gptq(
            weight.numpy(), moments, grid, blocksize, percdamp, actorder
        )
        values = grid.values(self.integers, self.scales)
        weight.set_value(values.astype(weight.numpy().dtype))


class SecondMoments:
    """The mean of x x^T over the rows x of what is added: half of the Hessian of the error."""

    def __init__(self, size: int):
        self._sum, self._rows = np.zeros((size, size)), 0

    def add(self, values: np.ndarray) -> None:
        """Count rows: [*,K]."""
        rows = values.reshape(-1, values.shape[-1]).astype(np.float64)
        self._sum += rows.T @ rows
        self._rows += len(rows)

    def mean(self) -> np.ndarray:
        """[K,K], float64. Raises ArgumentError if there were no rows."""
        if not self._rows:
            raise ArgumentError("no data has passed the layer", cure="run the network on some")
        return self._sum / self._rows


def gptq(
    weight: np.ndarray,
    moments: np.ndarray,
    grid: WeightGrid,
    block: int = 128,
    damping: float = 0.01,
    by_size: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Integers [K,N], int8, and scales [G,N] for which x @ weight changes little.

    weight: [K,N]. moments: [K,K], the mean of x x^T. block: after how many rows the error reaches
    all that follow. damping: the part of the mean of the diagonal of the moments that is added to
    it. by_size: True to round rows with large inputs first; then groups have scales of the weight
    as it was, else of what it has become when a group's turn comes.
    """
    rows = len(weight)
    left, size = weight.astype(np.float64), grid.rows(rows)
    diagonal = np.diag(moments)
    idle = diagonal == 0
    left[idle] = 0.0  # never multiplied by anything
    order = np.argsort(-diagonal, kind="stable") if by_size else np.arange(rows)
    inverse = _inverse_root((moments + np.diag(idle))[order][:, order], damping)
    left, scales = left[order], grid.scales(left)
    found = np.zeros(left.shape, np.int8)
    start = 0
    while start < rows:
        if not by_size and start % size == 0:
            scales[start // size] = WeightGrid(grid.bits).scales(left[start : start + size])[0]
        stop = min(start + block, rows, start // size * size + size)  # within one group
        errors = np.zeros((stop - start, left.shape[1]))
        for i in range(start, stop):
            scale = scales[order[i] // size]
            found[i] = np.clip(np.round(left[i] / scale), -grid.largest, grid.largest)
            errors[i - start] = (left[i] - found[i] * scale) / inverse[i, i]
            left[i + 1 : stop] -= np.outer(inverse[i, i + 1 : stop], errors[i - start])
        left[stop:] -= inverse[start:stop, stop:].T @ errors
        start = stop
    integers = np.empty_like(found)
    integers[order] = found
    return integers, scales


def _inverse_root(moments: np.ndarray, damping: float) -> np.ndarray:
    """U, upper, with U^T U the inverse of the damped moments."""
    damped = moments + damping * np.diag(moments).mean() * np.eye(len(moments))
    return np.asarray(np.linalg.cholesky(np.linalg.inv(damped)).T)
