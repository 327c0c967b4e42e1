"""Stub: a place in a network, before a function, where values are to be quantized."""

from __future__ import annotations

from typing import Any

from twinoar.nn.layer import Layer


class Stub(Layer):
    """A layer that leaves x as it is; quantizing a network puts a quanter in its place.

    Functions that `forward` calls have no layer that could be configured: call a stub before them.
    observer: the factory of the quanter; None takes that of the configuration.

    >>> Stub()(twinoar.to_tensor(2.0)).item()
    2.0
    """

    def __init__(self, observer: Any = None):
        super().__init__()
        self._observer = observer

    def forward(self, input: Any) -> Any:
        """x."""
        return input


class QuanterStub(Layer):
    """What a Stub becomes: its quanter, or that of the configuration, or none.

    layer: the Stub. q_config: a factory of quanters as `activation`.
    """

    def __init__(self, layer: Stub, q_config: Any):
        super().__init__()
        factory = q_config.activation if layer._observer is None else layer._observer
        self._observer = None if factory is None else factory._instance(layer)

    def forward(self, input: Any) -> Any:
        """x as the quanter leaves it."""
        return input if self._observer is None else self._observer(input)
