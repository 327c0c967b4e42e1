"""Layers of sparse tensors."""

from twinoar.sparse.nn import functional
from twinoar.sparse.nn.activation import LeakyReLU, ReLU, ReLU6, Softmax

__all__ = ["LeakyReLU", "ReLU", "ReLU6", "Softmax", "functional"]
