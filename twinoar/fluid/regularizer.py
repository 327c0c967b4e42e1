"""Weight decay, by the names and arguments of Paddle 1.8."""

from __future__ import annotations

from twinoar import regularizer


class L1DecayRegularizer(regularizer.L1Decay):
    """Adds regularization_coeff * sign(w) to the gradient of a parameter w."""

    def __init__(self, regularization_coeff: float = 0.0):
        super().__init__(regularization_coeff)


class L2DecayRegularizer(regularizer.L2Decay):
    """Adds regularization_coeff * w to the gradient of a parameter w."""

    def __init__(self, regularization_coeff: float = 0.0):
        super().__init__(regularization_coeff)


L1Decay = L1DecayRegularizer
L2Decay = L2DecayRegularizer

__all__ = ["L1Decay", "L1DecayRegularizer", "L2Decay", "L2DecayRegularizer"]
