"""Samplers: what is kept of the inputs of several steps, for a search."""

from __future__ import annotations

from typing import Any

from twinoar.ops.shape.concat import concat


class MultiStepSampler:
    """Keeps the inputs of all steps, one behind the other along the second axis.

    >>> MultiStepSampler().sample(twinoar.ones([2, 3, 4]), twinoar.ones([2, 5, 4])).shape
    [2, 8, 4]
    """

    def sample(self, x: Any, sampled_x: Any = None, layer_name: str | None = None) -> Any:
        """The new input before those so far."""
        return x if sampled_x is None else concat([x, sampled_x], 1)


class EMASampler:
    """Keeps the moving average of the inputs of steps, for each name, with decay `ema_beta`.

    >>> sampler = EMASampler()
    >>> for x in (1.0, 1.0):
    ...     found = sampler.sample(twinoar.to_tensor([x]))
    >>> round(found.item(), 6)
    1.0
    """

    ema_beta = 0.98

    def __init__(self) -> None:
        self.sampled: dict[str | None, Any] = {}
        self.ema_step: dict[str | None, int] = {}

    def sample(self, x: Any, sampled_x: Any = None, layer_name: str | None = None) -> Any:
        """The average so far, each step with the weight that it has of all."""
        steps = self.ema_step[layer_name] = self.ema_step.get(layer_name, 0) + 1
        before = self.sampled.get(layer_name, 0.0)
        total = before * self.ema_beta + x * (1 - self.ema_beta)
        self.sampled[layer_name] = total
        return total / (1 - self.ema_beta**steps)
