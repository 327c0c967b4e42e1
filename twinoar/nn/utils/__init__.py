"""What one does to the parameters or gradients of a layer as a whole."""

from twinoar.nn.utils.gradient import clip_grad_norm_, clip_grad_value_
from twinoar.nn.utils.vector import parameters_to_vector, vector_to_parameters

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "parameters_to_vector",
    "vector_to_parameters",
]
