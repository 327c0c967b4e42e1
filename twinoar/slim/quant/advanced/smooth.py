"""SmoothQuant: what is hard to round in activations moves into the weights that read them.

Source: Xiao et al. 2022, "SmoothQuant: Accurate and Efficient Post-Training Quantization for Large
Language Models", arXiv 2211.10438, equation 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.nn import Layer
from twinoar.slim.quant.advanced.watched import Watched

LEAST = 1e-5  # of a factor; PaddleSlim's


class Smooth(Watched):
    """Watches a network on data, then makes the channels of what Linear layers read alike.

    model: in place, and into eval mode. Where a normalization makes what only Linear layers read,
    as the network's Program says, its weight is divided by factors and theirs are multiplied.
    model_config: a dictionary; of it `skip_norm_list` counts, full names of normalizations to leave
    as they are. alpha: how much of the difficulty moves, 0 to 1. smooth_all_linears: True to put a
    ShiftSmoothHelpLayer around the other Linear layers. start_sample_step: the step from which
    sample_function is called. smooth_method: "smoothquant" for the largest magnitudes of
    activations, "awq" for means. sample_function: makes the sample for the search of the inputs so
    far, `sample(x, sampled, name)`; None takes the last. search_function: has
    `search(name, sample, magnitudes, weight)`, which returns factors. Raises ArgumentError.

    >>> nn = twinoar.nn
    >>> net = nn.Sequential(nn.LayerNorm(4), nn.Linear(4, 3))
    >>> smooth, x = Smooth(net, {}), twinoar.randn([8, 4])
    >>> before = net(x)
    >>> smooth.update_weight()
    >>> bool(twinoar.allclose(net(x), before, atol=1e-5))
    True
    """

    def __init__(
        self,
        model: Layer,
        model_config: Mapping[str, Any] | None = None,
        alpha: float = 0.5,
        smooth_all_linears: bool = False,
        start_sample_step: int = 10000,
        smooth_method: str = "smoothquant",
        sample_function: Any = None,
        search_function: Any = None,
    ):
        if smooth_method not in ("smoothquant", "awq"):
            raise ArgumentError(
                f"smooth_method must be 'smoothquant' or 'awq', received {smooth_method!r}"
            )
        if not 0 <= alpha <= 1:
            raise ArgumentError(f"alpha must be from 0 to 1, received {alpha!r}")
        super().__init__(model, model_config, sample_function, start_sample_step)
        self.alpha, self.smooth_all_linears = alpha, smooth_all_linears
        self.smooth_method, self.search_function = smooth_method, search_function
        self.smooth_scale_dict: dict[str, Any] = {}

    def update_weight(self) -> None:
        """Scale weights by what was seen, and watch no more. Raises ArgumentError without data."""
        rest = dict(self.linears)
        for joint in self.joints():
            readers = [name for name, x in rest.items() if self.reads(joint, x)]
            if len(readers) == len(joint.readers):
                joint.scale(self._factors(readers))
                for name in readers:
                    del rest[name]
        if self.smooth_all_linears:
            for name in rest:
                factors = self._factors([name]).astype(np.float32)
                self.helped(name).convert_weight(smooth_weight=to_tensor(factors))
        self.stop()

    def _factors(self, names: Sequence[str]) -> np.ndarray:
        """What channels are divided by that these layers read: [K]."""
        seen = self.seen_by(names[0])
        is_mean = self.smooth_method == "awq"
        magnitudes = seen.sum / seen.rows if is_mean else np.maximum(-seen.least, seen.greatest)
        weight = np.concatenate([self.linears[name].weight.numpy() for name in names], axis=1)
        if self.search_function is not None:
            found = self.search_function.search(
                names[0], seen.sample, to_tensor(magnitudes.astype(np.float32)), to_tensor(weight)
            )
            factors = found.numpy().reshape(-1).astype(np.float64)
        else:
            largest = np.maximum(np.abs(weight).max(axis=1).astype(np.float64), LEAST)
            factors = np.maximum(magnitudes**self.alpha / largest ** (1 - self.alpha), LEAST)
        for name in names:
            self.smooth_scale_dict[name] = factors
        return np.asarray(factors)


class Shift(Watched):
    """Watches a network on data, then moves the middle of what Linear layers read to 0.

    model, model_config, sample_function: as of Smooth. shift_all_linears: True to put a
    ShiftSmoothHelpLayer around Linear layers that no normalization with a bias comes before. The
    middle is that of the least and the greatest value of each channel; what the network computes
    stays the same. Source: Wei et al. 2023, "Outlier Suppression+", arXiv 2304.09145, section 4.1.

    >>> nn = twinoar.nn
    >>> net = nn.Sequential(nn.LayerNorm(4), nn.Linear(4, 3))
    >>> shift, x = Shift(net, {}), twinoar.randn([8, 4])
    >>> before = net(x)
    >>> shift.update_weight()
    >>> bool(twinoar.allclose(net(x), before, atol=1e-5))
    True
    """

    def __init__(
        self,
        model: Layer,
        model_config: Mapping[str, Any] | None = None,
        shift_all_linears: bool = False,
        sample_function: Any = None,
    ):
        super().__init__(model, model_config, sample_function, 0)
        self.shift_all_linears = shift_all_linears

    def update_weight(self) -> None:
        """Shift biases by what was seen, and watch no more. Raises ArgumentError without data."""
        rest = dict(self.linears)
        for joint in self.joints():
            readers = [name for name, x in rest.items() if self.reads(joint, x)]
            has_bias = len(joint.makers) == 2 and joint.is_direct
            if has_bias and len(readers) == len(joint.readers):
                middle = self._middle(readers[0])
                bias = joint.makers[1].tensor
                bias.set_value((bias.numpy() - middle).astype(bias.numpy().dtype))
                for name in readers:
                    _add_to_bias(rest.pop(name), middle)
        if self.shift_all_linears:
            for name in rest:
                middle = self._middle(name).astype(np.float32)
                self.helped(name).convert_weight(shift_bias=to_tensor(middle))
        self.stop()

    def _middle(self, name: str) -> np.ndarray:
        seen = self.seen_by(name)
        return np.asarray((seen.least + seen.greatest) / 2)


def _add_to_bias(layer: Any, shift: np.ndarray) -> None:
    """Add what the weight makes of a shift of the input."""
    if layer.bias is None:
        layer.bias = layer.create_parameter([layer.weight.shape[1]], is_bias=True)
    before = layer.bias.numpy()
    layer.bias.set_value((before + shift @ layer.weight.numpy()).astype(before.dtype))
