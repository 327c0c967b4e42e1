"""ObserveWrapper: a layer, and a quanter of what goes in or comes out."""

from __future__ import annotations

from typing import Any

from twinoar.core.values import Value
from twinoar.nn.layer import Layer


class ObserveWrapper(Layer):
    """Calls a quanter before a layer, or after it.

    observer: the quanter; every floating tensor that is given by position passes through it, others
    as they are. observed: the layer. observe_input: False to call the quanter on the result.

    >>> observer = twinoar.quantization.observers.AbsmaxObserver()._instance(None)
    >>> ObserveWrapper(observer, twinoar.nn.ReLU())(twinoar.to_tensor([-3.0, 2.0])).tolist()
    [0.0, 2.0]
    >>> observer.scales().item()
    3.0
    """

    def __init__(self, observer: Any, observed: Layer, observe_input: bool = True):
        super().__init__()
        self._observer, self._observed = observer, observed
        self._observe_input = observe_input

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer returns."""
        if not self._observe_input:
            return self._observer(self._observed(*inputs, **kwargs))
        seen = [self._observer(x) if _is_float(x) else x for x in inputs]
        return self._observed(*seen, **kwargs)


def _is_float(x: Any) -> bool:
    return isinstance(x, Value) and x.dtype.is_floating
