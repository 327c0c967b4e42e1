"""Hooks: functions that are called on the way into and out of a layer, until they are removed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from twinoar.core.layer_like import LayerLike, count_change

_numbers = count()


class HookHandle:
    """What registering a hook returns; `remove()` takes the hook away."""

    def __init__(
        self,
        layer: LayerLike,
        hooks: dict[int, Callable],
        hook: Callable,
        prepend: bool = False,
    ):
        self._layer, self._hooks, self._key = layer, hooks, next(_numbers)
        later = list(hooks.items()) if prepend else []
        for key, _ in later:
            del hooks[key]
        hooks[self._key] = hook
        hooks.update(later)
        count_change(layer)

    def remove(self) -> None:
        """Forget the hook; nothing happens if it is gone already."""
        self._hooks.pop(self._key, None)
        count_change(self._layer)
