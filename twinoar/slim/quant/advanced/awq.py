"""AWQ: channels with large inputs are made larger in the weight, so that rounding hurts them less.

Source: Lin et al. 2023, "AWQ: Activation-aware Weight Quantization for LLM Compression and
Acceleration", arXiv 2306.00978, equations 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.quantization.weight_grid import WeightGrid


def awq_factors(
    inputs: np.ndarray,
    magnitudes: np.ndarray,
    weight: np.ndarray,
    grid: WeightGrid,
    count: int = 20,
    loss: Callable[[np.ndarray, np.ndarray], float] | None = None,
) -> np.ndarray:
    """What rows of a weight are multiplied by, and inputs divided, to be rounded best: [K].

    inputs: [M,K], samples. magnitudes: [K], how large inputs are in the mean. weight: [K,N]. The
    factors are magnitudes^a, with their extremes around 1, for the best of `count` values of a from
    0 on, below 1; a = 0 changes nothing. loss: of what the layer gave and what it gives, the mean
    square of the difference for None.
    """
    inputs, weight = inputs.astype(np.float64), weight.astype(np.float64)
    error = mean_square if loss is None else loss
    wanted = inputs @ weight
    best, chosen = np.inf, np.ones(len(weight))
    for step in range(count):
        factors = np.maximum(magnitudes.astype(np.float64) ** (step / count), 1e-4)
        factors /= np.sqrt(factors.max() * factors.min())
        rounded = grid.rounded(weight * factors[:, None])
        found = error(wanted, (inputs / factors) @ rounded)
        if found < best:
            best, chosen = found, factors
    return chosen


def mean_square(wanted: np.ndarray, found: np.ndarray) -> float:
    """The mean square of the difference."""
    return float(np.square(wanted - found).mean())


class AWQSearch:
    """Searches the factors of channels by AWQ; to be given to `Smooth`.

    n_grid: how many exponents are tried. bits_length: of the integers. weight_quant_method:
    "groupwise", or "abs_max_channel_wise" for a scale for each column. group_size: how many rows
    share a scale. loss_function: of two tensors, the mean square of the difference for None. Raises
    ArgumentError.

    >>> search = AWQSearch(group_size=2)
    >>> x, weight = twinoar.randn([8, 4]), twinoar.randn([4, 3])
    >>> search.search("linear", x, x.abs().mean(0), weight).shape
    [1, 4]
    """

    def __init__(
        self,
        n_grid: int = 20,
        bits_length: int = 4,
        weight_quant_method: str = "groupwise",
        group_size: int = 128,
        loss_function: Callable | None = None,
    ):
        if weight_quant_method not in ("groupwise", "abs_max_channel_wise"):
            raise ArgumentError(
                "weight_quant_method must be 'groupwise' or 'abs_max_channel_wise', received "
                f"{weight_quant_method!r}"
            )
        is_grouped = weight_quant_method == "groupwise"
        self.grid = WeightGrid(bits_length, group_size if is_grouped else -1)
        self.n_grid, self.loss_function = n_grid, loss_function

    def search(self, layer_name: str, sampled_input: Any, act_abs_max: Any, weight: Any) -> Any:
        """Factors of channels, [1,K], float32, by which inputs are divided.

        sampled_input: [*,K]. act_abs_max: as many elements as K. weight: [K,N].
        """
        inputs = sampled_input.numpy()
        factors = awq_factors(
            inputs.reshape(-1, inputs.shape[-1]),
            act_abs_max.numpy().reshape(-1),
            weight.numpy(),
            self.grid,
            self.n_grid,
            None if self.loss_function is None else self._loss,
        )
        return to_tensor(factors.astype(np.float32).reshape(1, -1))

    def _loss(self, wanted: np.ndarray, found: np.ndarray) -> float:
        assert self.loss_function is not None
        return float(self.loss_function(to_tensor(wanted), to_tensor(found)))
