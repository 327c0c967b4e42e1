"""Layers by their 1.x names: each call makes parameters, or shares those of the same names."""

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar import static  # noqa: F401  # the calls in the table use it
from twinoar.errors import ArgumentError
from twinoar.fluid.layers.adapter import define
from twinoar.nn import functional as F
from twinoar.static.nn import linear

MODES = {"downgrade_in_infer": "downscale_in_infer", "upscale_in_train": "upscale_in_train"}


def left_out(x: Any, p: float, is_test: bool, seed: int | None, implementation: str) -> Any:
    """x with elements left out, or without `upscale_in_train` x * (1 - p) if `is_test`. Where
    operators run at once nothing else says which it is: pass `is_test=not self.training`.
    """
    if implementation not in MODES:
        raise ArgumentError(
            f"dropout_implementation must be {' or '.join(MODES)}, received {implementation!r}",
            cure="'upscale_in_train' is what Paddle 2 does",
        )
    if seed is not None:
        raise ArgumentError(
            "a dropout has no seed of its own", cure="call paddle.seed before the Program is made"
        )
    return F.dropout(x, p, training=not is_test, mode=MODES[implementation])


def one_of(x: Any, depth: Any, allow_out_of_range: bool) -> Any:
    """One-hot rows, [*,depth], of numbers [*,1]; zeros for a number out of range, if allowed."""
    number = paddle.squeeze(x, [-1]) if x.ndim > 1 and x.spec.shape[-1] == 1 else x
    if not allow_out_of_range:
        return F.one_hot(number, depth)
    classes = paddle.arange(depth, dtype=x.dtype)
    return paddle.cast(paddle.equal(paddle.unsqueeze(number, [-1]), classes), "float32")


def looked_up(input: Any, *args: Any) -> Any:
    """Rows of a table that is learned, [*,width], for numbers [*,1]."""
    last = input.ndim > 1 and input.spec.shape[-1] == 1
    return linear.embedding(paddle.squeeze(input, [-1]) if last else input, *args)


def pooled(input: Any, rank: int, kind: str, whole: bool, *window: Any, **options: Any) -> Any:
    """The maximum or mean of windows of images; of all pixels for `whole`."""
    size = window[0]
    if whole:
        return adapted(input, rank, kind, 1, data_format=options["data_format"])
    if size in (-1, [-1], [-1] * rank):
        raise ArgumentError("pool_size must be given", cure="or pass global_pooling=True")
    if kind == "max":
        options.pop("exclusive")
    return _pool(kind, f"{{}}_pool{rank}d")(input, *window, **options)


def adapted(
    input: Any, rank: int, kind: str, size: Any, with_places: bool = False, **options: Any
) -> Any:
    """The maximum or mean of as many windows as `size` says; `with_places` of maxima, if wanted."""
    function = _pool(kind, f"adaptive_{{}}_pool{rank}d")
    if kind == "avg":
        return function(input, size, **options)
    return function(input, size, return_mask=with_places)


def _pool(kind: str, name: str) -> Any:
    if kind not in ("max", "avg"):
        raise ArgumentError(
            f"pool_type must be 'max' or 'avg', received {kind!r}", cure="'max' is the default"
        )
    return getattr(F, name.format(kind))


__all__ = define(
    globals(),
    """
adaptive_pool2d(input, pool_size, pool_type='max', require_index=False, name=None)
    -> adapted(input, 2, pool_type, pool_size, require_index)
    # F.adaptive_max_pool2d(input, pool_size), F.adaptive_avg_pool2d(input, pool_size)
adaptive_pool3d(input, pool_size, pool_type='max', require_index=False, name=None)
    -> adapted(input, 3, pool_type, pool_size, require_index)
    # F.adaptive_max_pool3d(input, pool_size), F.adaptive_avg_pool3d(input, pool_size)
batch_norm(input, act=None, is_test=False, momentum=0.9, epsilon=1e-05, param_attr=None,
        bias_attr=None, data_layout='NCHW', in_place=False, name=None, moving_mean_name=None,
        moving_variance_name=None, do_model_average_for_mean_and_var=True, use_global_stats=False)
    -> static.nn.batch_norm(
        input, None, is_test, momentum, epsilon, param_attr, bias_attr, data_layout, in_place, name,
        moving_mean_name, moving_variance_name, do_model_average_for_mean_and_var, use_global_stats)
    # static.nn.batch_norm(input)
bilinear_tensor_product(x, y, size, act=None, name=None, param_attr=None, bias_attr=None)
    -> static.nn.bilinear_tensor_product(x, y, size, None, name, param_attr, bias_attr)
    # static.nn.bilinear_tensor_product(x, y, size)
conv2d(input, num_filters, filter_size, stride=1, padding=0, dilation=1, groups=None,
        param_attr=None, bias_attr=None, use_cudnn=True, act=None, name=None, data_format='NCHW')
    -> static.nn.conv2d(
        input, num_filters, filter_size, stride, padding, dilation, groups, param_attr, bias_attr,
        name=name, data_format=data_format)
    # static.nn.conv2d(input, num_filters, filter_size)
conv2d_transpose(input, num_filters, output_size=None, filter_size=None, padding=0, stride=1,
        dilation=1, groups=None, param_attr=None, bias_attr=None, use_cudnn=True, act=None,
        name=None, data_format='NCHW')
    -> static.nn.conv2d_transpose(
        input, num_filters, output_size, filter_size, padding, stride, dilation, groups,
        param_attr, bias_attr, name=name, data_format=data_format)
    # static.nn.conv2d_transpose(input, num_filters, output_size, filter_size)
conv3d(input, num_filters, filter_size, stride=1, padding=0, dilation=1, groups=None,
        param_attr=None, bias_attr=None, use_cudnn=True, act=None, name=None, data_format='NCDHW')
    -> static.nn.conv3d(
        input, num_filters, filter_size, stride, padding, dilation, groups, param_attr, bias_attr,
        name=name, data_format=data_format)
    # static.nn.conv3d(input, num_filters, filter_size)
conv3d_transpose(input, num_filters, output_size=None, filter_size=None, padding=0, stride=1,
        dilation=1, groups=None, param_attr=None, bias_attr=None, use_cudnn=True, act=None,
        name=None, data_format='NCDHW')
    -> static.nn.conv3d_transpose(
        input, num_filters, output_size, filter_size, padding, stride, dilation, groups,
        param_attr, bias_attr, name=name, data_format=data_format)
    # static.nn.conv3d_transpose(input, num_filters, output_size, filter_size)
data_norm(input, act=None, epsilon=1e-05, param_attr=None, data_layout='NCHW', in_place=False,
        name=None, moving_mean_name=None, moving_variance_name=None,
        do_model_average_for_mean_and_var=True, slot_dim=-1, sync_stats=False,
        summary_decay_rate=0.9999999, enable_scale_and_shift=False)
    -> static.nn.data_norm(
        input, None, epsilon, param_attr, data_layout, in_place, name, moving_mean_name,
        moving_variance_name, do_model_average_for_mean_and_var, slot_dim, sync_stats,
        summary_decay_rate, enable_scale_and_shift)
    # static.nn.data_norm(input)
deformable_conv(input, offset, mask, num_filters, filter_size, stride=1, padding=0, dilation=1,
        groups=None, deformable_groups=None, im2col_step=None, param_attr=None, bias_attr=None,
        modulated=True, name=None)
    -> static.nn.deform_conv2d(
        input, offset, mask if modulated else None, num_filters, filter_size, stride, padding,
        dilation, groups or 1, deformable_groups or 1, im2col_step or 64, param_attr, bias_attr,
        name)
    # static.nn.deform_conv2d(input, offset, mask, num_filters, filter_size)
dropout(x, dropout_prob, is_test=False, seed=None, name=None,
        dropout_implementation='downgrade_in_infer')
    -> left_out(x, dropout_prob, is_test, seed, dropout_implementation)
    # F.dropout(x, dropout_prob, mode='downscale_in_infer')
embedding(input, size, is_sparse=False, is_distributed=False, padding_idx=None, param_attr=None,
        dtype='float32')
    -> looked_up(input, size, is_sparse, is_distributed, padding_idx, param_attr, dtype)
    # static.nn.embedding(input, size)
fc(input, size, num_flatten_dims=1, param_attr=None, bias_attr=None, act=None, name=None)
    -> static.nn.fc(input, size, num_flatten_dims, param_attr, bias_attr, name=name)
    # static.nn.fc(input, size)
group_norm(input, groups, epsilon=1e-05, param_attr=None, bias_attr=None, act=None,
        data_layout='NCHW', name=None)
    -> static.nn.group_norm(
        input, groups, epsilon, param_attr, bias_attr, data_layout=data_layout, name=name)
    # static.nn.group_norm(input, groups)
instance_norm(input, epsilon=1e-05, param_attr=None, bias_attr=None, name=None)
    -> static.nn.instance_norm(input, epsilon, param_attr, bias_attr, name)
layer_norm(input, scale=True, shift=True, begin_norm_axis=1, epsilon=1e-05, param_attr=None,
        bias_attr=None, act=None, name=None)
    -> static.nn.layer_norm(
        input, scale, shift, begin_norm_axis, epsilon, param_attr, bias_attr, name=name)
    # static.nn.layer_norm(input)
nce(input, label, num_total_classes, sample_weight=None, param_attr=None, bias_attr=None,
        num_neg_samples=None, name=None, sampler='uniform', custom_dist=None, seed=0,
        is_sparse=False)
    -> static.nn.nce(
        input, label, num_total_classes, sample_weight, param_attr, bias_attr, num_neg_samples,
        name, sampler, custom_dist, seed)
    # static.nn.nce(input, label, num_total_classes)
one_hot(input, depth, allow_out_of_range=False)
    -> one_of(input, depth, allow_out_of_range)  # F.one_hot(input, depth)
pool2d(input, pool_size=-1, pool_type='max', pool_stride=1, pool_padding=0, global_pooling=False,
        use_cudnn=True, ceil_mode=False, name=None, exclusive=True, data_format='NCHW')
    -> pooled(
        input, 2, pool_type, global_pooling, pool_size, pool_stride, pool_padding,
        ceil_mode=ceil_mode, exclusive=exclusive, data_format=data_format)
    # F.max_pool2d(input, pool_size), F.avg_pool2d(input, pool_size)
pool3d(input, pool_size=-1, pool_type='max', pool_stride=1, pool_padding=0, global_pooling=False,
        use_cudnn=True, ceil_mode=False, name=None, exclusive=True, data_format='NCDHW')
    -> pooled(
        input, 3, pool_type, global_pooling, pool_size, pool_stride, pool_padding,
        ceil_mode=ceil_mode, exclusive=exclusive, data_format=data_format)
    # F.max_pool3d(input, pool_size), F.avg_pool3d(input, pool_size)
prelu(x, mode, param_attr=None, name=None) -> static.nn.prelu(x, mode, param_attr, name=name)
py_func(func, x, out, backward_func=None, skip_vars_in_backward_input=None)
    -> static.py_func(func, x, out, backward_func, skip_vars_in_backward_input)
row_conv(input, future_context_size, param_attr=None, act=None)
    -> static.nn.row_conv(input, future_context_size, param_attr)
spectral_norm(weight, dim=0, power_iters=1, eps=1e-12, name=None)
    -> static.nn.spectral_norm(weight, dim, power_iters, eps, name)
""",
)
