"""ATen's operators as calls of ours: one table, filled by the modules of this folder."""

from twinoar.formats.torch.aten import (
    activation,
    conv,
    creation,
    elementwise,
    image,
    loss,
    network,
    number,
    position,
    reduction,
    sequence,
    shape,
)
from twinoar.formats.torch.aten.table import TARGETS, found_target

__all__ = [
    "TARGETS", "activation", "conv", "creation", "elementwise", "found_target", "image", "loss",
    "network", "number", "position", "reduction", "sequence", "shape",
]  # fmt: skip
