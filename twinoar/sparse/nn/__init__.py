"""Layers of sparse tensors."""

from twinoar.core.public import exported
from twinoar.sparse.nn import functional
from twinoar.sparse.nn.activation import LeakyReLU, ReLU, ReLU6, Softmax
from twinoar.sparse.nn.conv import Conv2D, Conv3D, MaxPool3D, SubmConv2D, SubmConv3D
from twinoar.sparse.nn.norm import BatchNorm, SyncBatchNorm

__all__ = exported(globals(), "functional")
