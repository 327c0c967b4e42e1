"""A rectifier with random slopes, as a layer."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.layer import Layer


class RReLU(Layer):
    """x where it is not negative; elsewhere x times a slope that is random in training.

    >>> layer = twinoar.nn.RReLU(0.25, 0.75).eval()
    >>> layer(twinoar.to_tensor([-2.0, 3.0])).tolist()
    [-1.0, 3.0]
    """

    def __init__(self, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, name: str | None = None):
        super().__init__()
        self._lower, self._upper, self._name = lower, upper, name

    def forward(self, x: Any) -> Any:
        """The rectified x."""
        return functional.rrelu(x, self._lower, self._upper, training=self.training)

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self._name}" if self._name else ""
        return f"lower={self._lower}, upper={self._upper}, training={self.training}{name}"
