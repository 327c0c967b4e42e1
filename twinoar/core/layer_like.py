"""What counts as a layer, without knowing any: `nn.Layer`, and models loaded from files.

Layers are built once and called often, so what relies on their attributes asks whether any layer
changed at all before it looks at each.
"""

from __future__ import annotations

from itertools import count
from typing import Any

_numbers = count(1)


class LayerLike:
    """Base of everything that can stand in a network.

    It has `forward`, `training`, the tables `_parameters`, `_buffers` and `_sub_layers`, and the
    methods over them that `nn.Layer` has.
    """

    training: bool
    _parameters: Any
    _buffers: Any
    _sub_layers: Any
    _changed = 0  # the number of the latest change of an attribute or member


class LatestChange:
    """The number of the latest change of any layer."""

    number = 0


def count_change(layer: LayerLike) -> None:
    """An attribute, a member or a hook of a layer is another one now."""
    layer.__dict__["_changed"] = LatestChange.number = next(_numbers)
