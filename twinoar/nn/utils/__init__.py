"""What one does to the parameters or gradients of a layer as a whole."""

from twinoar.core.public import exported
from twinoar.nn.utils.gradient import clip_grad_norm_, clip_grad_value_
from twinoar.nn.utils.spectral_norm import spectral_norm
from twinoar.nn.utils.vector import parameters_to_vector, vector_to_parameters
from twinoar.nn.utils.weight_norm import remove_weight_norm, weight_norm

__all__ = exported(globals())
