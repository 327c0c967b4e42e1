"""What counts as a layer, without knowing any: `nn.Layer`, and models loaded from files."""

from __future__ import annotations

from typing import Any


class LayerLike:
    """Base of everything that can stand in a network.

    It has `forward`, `training`, the tables `_parameters`, `_buffers` and `_sub_layers`, and the
    methods over them that `nn.Layer` has.
    """

    training: bool
    _parameters: Any
    _buffers: Any
    _sub_layers: Any
