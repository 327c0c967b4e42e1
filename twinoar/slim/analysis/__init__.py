"""What networks cost: multiplications, sizes, times."""

from twinoar.core.public import exported
from twinoar.slim.costs import dygraph_flops, flops, model_size
from twinoar.slim.measures import Measures, Report, measure
from twinoar.slim.sensitivity import table

__all__ = exported(globals())
