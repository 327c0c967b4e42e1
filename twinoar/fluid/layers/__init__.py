"""`fluid.layers` of Paddle 1.8: its names, arguments, orders and defaults, over what twinoar has.

Most are rows of tables (`adapter`): the signature of 1.x and the modern call. They work in a static
graph and at once alike.
"""

from twinoar.fluid.absent import refusing
from twinoar.fluid.layers import (
    activation,
    array,
    blocks,
    control_flow,
    dynamic_rnn,
    elementwise,
    image,
    io,
    learning_rate_scheduler,
    loss,
    metric_op,
    nn,
    reduction,
    resize,
    rnn,
    sequence_lod,
    shape,
    tensor,
)
from twinoar.fluid.layers.removed import INSTEAD

# Modules that have a list of names; helpers have none.
FAMILIES = [module for module in list(globals().values()) if hasattr(module, "__all__")]
__all__ = sorted(name for family in FAMILIES for name in family.__all__)
globals().update({name: getattr(f, name) for f in FAMILIES for name in f.__all__})
__getattr__ = refusing(__name__, INSTEAD)
