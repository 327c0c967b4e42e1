"""Weight decay, by the names and arguments of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
import twinoar.regularizer
from typing import Any, Literal, overload

import numpy as _numpy

class L1Decay(twinoar.regularizer.L1Decay):
    """Adds regularization_coeff * sign(w) to the gradient of a parameter w."""
    def __init__(self, regularization_coeff: Any = ...) -> None: ...
L1DecayRegularizer = L1Decay
class L2Decay(twinoar.regularizer.L2Decay):
    """Adds regularization_coeff * w to the gradient of a parameter w."""
    def __init__(self, regularization_coeff: Any = ...) -> None: ...
L2DecayRegularizer = L2Decay
