"""ATen's operators as calls of ours: one table, filled by the modules of this folder."""

from twinoar.formats.torch.aten import (
    activation,
    conv,
    creation,
    drawing,
    elementwise,
    image,
    loss,
    matrix,
    network,
    number,
    position,
    reduction,
    sequence,
    shape,
    special,
    spectrum,
)
from twinoar.formats.torch.aten.table import TARGETS, found_target

__all__ = [
    "TARGETS", "activation", "conv", "creation", "drawing", "elementwise", "found_target", "image",
    "loss", "matrix", "network", "number", "position", "reduction", "sequence", "shape",
    "special", "spectrum",
]  # fmt: skip
