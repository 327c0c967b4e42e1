"""Special functions by the names that PyTorch has for them."""

from twinoar.core.op.definition import publish
from twinoar.ops.math.exponential import expm1
from twinoar.ops.reduce.reduction import logsumexp
from twinoar.ops.spelling import softmax

__all__ = ["expm1", "logsumexp", "softmax"]

publish(globals())
