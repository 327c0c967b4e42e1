"""Parts of networks that Paddle 1.8 has ready: convolutions with pooling, attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.public import declared
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.fluid import layers
from twinoar.fluid.mode import begins_static


@begins_static
def simple_img_conv_pool(
    input: Any,
    num_filters: int,
    filter_size: Any,
    pool_size: Any,
    pool_stride: Any,
    pool_padding: Any = 0,
    pool_type: str = "max",
    global_pooling: bool = False,
    conv_stride: Any = 1,
    conv_padding: Any = 0,
    conv_dilation: Any = 1,
    conv_groups: int = 1,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: Any = None,
    use_cudnn: bool = True,
) -> Any:
    """A convolution, an activation, and a pooling. input: [N,C,H,W]; returns [N,num_filters,H',W'].

    >>> from twinoar import fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     images = fluid.data("images", [None, 1, 28, 28])
    ...     fluid.nets.simple_img_conv_pool(images, 20, 5, 2, 2, act="relu").shape
    [N, 20, 12, 12]
    """
    found = layers.conv2d(
        input, num_filters, filter_size, conv_stride, conv_padding, conv_dilation, conv_groups,
        param_attr, bias_attr, act=act,
    )  # fmt: skip
    return layers.pool2d(found, pool_size, pool_type, pool_stride, pool_padding, global_pooling)


@begins_static
def img_conv_group(
    input: Any,
    conv_num_filter: Sequence[int],
    pool_size: Any,
    conv_padding: Any = 1,
    conv_filter_size: Any = 3,
    conv_act: Any = None,
    param_attr: Any = None,
    conv_with_batchnorm: Any = False,
    conv_batchnorm_drop_rate: Any = 0.0,
    pool_stride: Any = 1,
    pool_type: str = "max",
    use_cudnn: bool = True,
) -> Any:
    """Convolutions one after the other, each perhaps with batch norm and dropout, and a pooling.

    conv_num_filter: the channels of each. What is not a list is the same for all. Raises
    ArgumentError for a list of another length, TypeMismatchError where conv_num_filter is none.
    """
    if not isinstance(conv_num_filter, (list, tuple)):
        kind = type(conv_num_filter).__name__
        raise TypeMismatchError(f"conv_num_filter must be a list, received {kind}")
    count = len(conv_num_filter)
    rows = zip(
        conv_num_filter,
        _for_each("conv_filter_size", conv_filter_size, count),
        _for_each("conv_padding", conv_padding, count),
        _for_each("param_attr", param_attr, count),
        _for_each("conv_with_batchnorm", conv_with_batchnorm, count),
        _for_each("conv_batchnorm_drop_rate", conv_batchnorm_drop_rate, count),
        strict=True,
    )
    for filters, size, padding, attr, is_normalized, drop_rate in rows:
        act = None if is_normalized else conv_act
        input = layers.conv2d(input, filters, size, padding=padding, param_attr=attr, act=act)
        if is_normalized:
            input = layers.batch_norm(input, act=conv_act)
            if drop_rate:
                input = layers.dropout(input, drop_rate)
    return layers.pool2d(input, pool_size, pool_type, pool_stride)


@begins_static
def sequence_conv_pool(
    input: Any,
    num_filters: int,
    filter_size: int,
    param_attr: Any = None,
    act: Any = "sigmoid",
    pool_type: str = "max",
    bias_attr: Any = None,
    lengths: Any = None,
) -> Any:
    """A convolution over the steps of sequences, an activation, and one step from all of them.

    input: [N,T,D]. lengths: [N], None for all steps. pool_type: see `fluid.layers.sequence_pool`.
    Returns [N,num_filters].
    """
    found = layers.sequence_conv(
        input, num_filters, filter_size, param_attr=param_attr, bias_attr=bias_attr, act=act,
        lengths=lengths,
    )  # fmt: skip
    return layers.sequence_pool(found, pool_type, lengths=lengths)


@begins_static
def glu(input: Any, dim: int = -1) -> Any:
    """The first half of the input times the sigmoid of the second, halves along `dim`.

    Source: arXiv 1612.08083, eq. 1.
    """
    first, second = layers.split(input, 2, dim)
    return layers.elementwise_mul(first, layers.sigmoid(second))


@begins_static
def scaled_dot_product_attention(
    queries: Any, keys: Any, values: Any, num_heads: int = 1, dropout_rate: float = 0.0
) -> Any:
    """softmax(q k' / sqrt(d)) v, for each head.

    queries: [N,L,D], keys: [N,S,D], values: [N,S,V]. With several heads each is projected first.
    Returns [N,L,V]. Raises ShapeError where sizes do not fit. Source: arXiv 1706.03762, eq. 1.
    """
    for name, x in (("queries", queries), ("keys", keys), ("values", values)):
        if x.ndim != 3:
            raise ShapeError(f"{name} must be [N,L,D], received {x.spec}")
        if x.spec.shape[-1] % num_heads:
            raise ShapeError(f"{num_heads} heads do not divide the last dimension of {name}")
    if queries.spec.shape[-1] != keys.spec.shape[-1]:
        raise ShapeError(f"queries {queries.spec} and keys {keys.spec} must have one width")
    width = keys.spec.shape[-1] // num_heads
    q, k, v = (_heads(x, num_heads) for x in (queries, keys, values))
    weights = layers.softmax(layers.matmul(q, k, transpose_y=True, alpha=width**-0.5))
    if dropout_rate:
        weights = layers.dropout(weights, dropout_rate)
    found = layers.matmul(weights, v)
    if num_heads == 1:
        return found
    joined = layers.transpose(found, [0, 2, 1, 3])
    return layers.reshape(joined, [0, 0, values.spec.shape[-1]])


def _heads(x: Any, count: int) -> Any:
    """[N,L,D], projected, as [N,count,L,D/count]; x itself for one head."""
    if count == 1:
        return x
    width = x.spec.shape[-1]
    projected = layers.fc(x, width, num_flatten_dims=2)
    apart = layers.reshape(projected, [0, 0, count, width // count])
    return layers.transpose(apart, [0, 2, 1, 3])


def _for_each(name: str, given: Any, count: int) -> list[Any]:
    if not isinstance(given, (list, tuple)):
        return [given] * count
    if len(given) != count:
        raise ArgumentError(f"{name} must have {count} entries, received {len(given)}")
    return list(given)


__all__ = declared(globals())
