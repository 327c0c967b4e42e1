"""Layers of sparse tensors."""

from twinoar.sparse.nn import functional
from twinoar.sparse.nn.activation import ReLU, ReLU6, Softmax

__all__ = ["ReLU", "ReLU6", "Softmax", "functional"]
