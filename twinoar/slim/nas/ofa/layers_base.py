"""Blocks: layers of a supernet whose sizes the network around them chooses in each call."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ProgramError, TypeMismatchError
from twinoar.nn import Layer
from twinoar.slim.nas.ofa.elastic import Elastic


class BaseBlock(Layer):
    """A layer that a supernet knows by a key.

    key: the key, by default the layer's full name.
    """

    def __init__(self, key: str | None = None):
        super().__init__()
        self._key = self.full_name() if key is None else str(key)

    def set_supernet(self, supernet: Any) -> None:
        """Say who chooses the sizes; the supernet is no part of this layer."""
        self.__dict__["supernet"] = supernet

    @property
    def key(self) -> str:
        """By which the supernet knows the layer."""
        return self._key


class Block(BaseBlock):
    """An elastic layer in a supernet, which is called with what the supernet has chosen.

    fn: such as SuperConv2D. fixed: True to call it as large as it is. key: as of BaseBlock. Raises
    TypeMismatchError for what is not elastic.

    >>> ofa = twinoar.slim.nas.ofa
    >>> block = ofa.Block(ofa.SuperLinear(4, 8, candidate_config={"channel": [2, 8]}))
    >>> block.candidate_config
    {'channel': [2, 8]}
    """

    def __init__(self, fn: Any, fixed: bool = False, key: str | None = None):
        super().__init__(key)
        if not isinstance(fn, Elastic):
            raise TypeMismatchError(
                f"expected a layer with sizes to choose, such as SuperConv2D, received {fn!r}"
            )
        self.fn, self.fixed = fn, fixed
        self.candidate_config = fn.candidate_config

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer returns. Raises ProgramError outside of a supernet."""
        supernet = self.__dict__.get("supernet")
        if supernet is None:
            raise ProgramError(
                f"the block {self.key} is in no supernet, which says how large it is",
                cure="wrap the network: OFA(model)",
            )
        return supernet.layers_forward(self, *inputs, **kwargs)
