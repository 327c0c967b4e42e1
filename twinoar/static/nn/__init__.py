"""Layers of static Programs as functions: each call makes parameters in the default Programs."""

from twinoar.ops.accuracy import accuracy
from twinoar.ops.control_flow import cond, while_loop
from twinoar.static.host import py_func
from twinoar.static.nn.activation import prelu
from twinoar.static.nn.control_flow import case, static_pylayer, switch_case
from twinoar.static.nn.conv import (
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
    deform_conv2d,
    row_conv,
)
from twinoar.static.nn.linear import bilinear_tensor_product, embedding, fc, sparse_embedding
from twinoar.static.nn.norm import (
    batch_norm,
    data_norm,
    group_norm,
    instance_norm,
    layer_norm,
    spectral_norm,
)
from twinoar.static.nn.parameter import create_parameter

__all__ = [
    "accuracy",
    "batch_norm",
    "bilinear_tensor_product",
    "case",
    "cond",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "create_parameter",
    "data_norm",
    "deform_conv2d",
    "embedding",
    "fc",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "prelu",
    "py_func",
    "row_conv",
    "sparse_embedding",
    "spectral_norm",
    "static_pylayer",
    "switch_case",
    "while_loop",
]
