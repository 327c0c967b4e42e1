"""How parameters start: what `ParamAttr(initializer=...)` takes."""

from twinoar.core.public import exported
from twinoar.nn.initializer.default import set_global_initializer
from twinoar.nn.initializer.fixed import Assign, Bilinear, Constant, Dirac
from twinoar.nn.initializer.gain import (
    KaimingNormal,
    KaimingUniform,
    XavierNormal,
    XavierUniform,
    calculate_gain,
)
from twinoar.nn.initializer.initializer import Initializer
from twinoar.nn.initializer.random import Normal, Orthogonal, TruncatedNormal, Uniform

__all__ = exported(globals())
