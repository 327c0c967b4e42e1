"""Layers of static Programs as functions: each call makes parameters in the default Programs."""

from twinoar.core.public import exported
from twinoar.ops.control.branch_and_loop import cond, while_loop
from twinoar.ops.loss.accuracy import accuracy
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
from twinoar.static.nn.loss import nce
from twinoar.static.nn.norm import (
    batch_norm,
    data_norm,
    group_norm,
    instance_norm,
    layer_norm,
    spectral_norm,
)
from twinoar.static.nn.parameter import create_parameter
from twinoar.static.nn.sequence import (
    sequence_concat,
    sequence_enumerate,
    sequence_expand,
    sequence_expand_as,
    sequence_pad,
    sequence_reshape,
    sequence_reverse,
    sequence_scatter,
    sequence_slice,
    sequence_unpad,
)
from twinoar.static.nn.sequence_pool import (
    sequence_conv,
    sequence_first_step,
    sequence_last_step,
    sequence_pool,
    sequence_softmax,
)
from twinoar.static.nn.static_rnn import StaticRNN

__all__ = exported(globals())
