"""ATen's operators that networks are made of: products, norms, tables, dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.interpreter import current, using
from twinoar.core.op.declare import op_named
from twinoar.core.policy import UNRECORDED
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.table import target, together
from twinoar.ops.create.fill import full, zeros
from twinoar.ops.create.range import arange
from twinoar.ops.linalg.einsum import einsum
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import astype
from twinoar.ops.norm.batch_norm import batch_norm_op
from twinoar.ops.norm.group_norm import group_norm
from twinoar.ops.norm.layer_norm import layer_norm
from twinoar.ops.norm.rms_norm import rms_norm
from twinoar.ops.random.dropout import dropout
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.reduce.reduction import sum as sum_of
from twinoar.ops.reduce.statistics import var
from twinoar.ops.sequence.embedding import embedding
from twinoar.ops.shape.reshape import reshape, swapaxes, unsqueeze

# Products.


@target("aten.linear")
def linear(input: Value, weight: Value, bias: Value | None = None) -> Any:
    """input times the transpose of weight, plus bias."""
    if input.ndim == 1 or weight.ndim == 1:
        out = matmul(input, weight if weight.ndim == 1 else swapaxes(weight, 0, 1))
        return out if bias is None else out + bias
    return op_named("linear")(input, swapaxes(weight, 0, 1), bias)


@target("aten.matmul", "aten.linalg_matmul")
def product(self: Value, other: Value) -> Any:
    """The matrix product, over leading dimensions."""
    return matmul(self, other)


@target("aten.mm", "aten.bmm")
def product_of_matrices(self: Value, mat2: Value) -> Any:
    """The matrix product."""
    return matmul(self, mat2)


@target("aten.mv")
def product_with_vector(self: Value, vec: Value) -> Any:
    """A matrix times a vector."""
    return matmul(self, vec)


@target("aten.dot", "aten.vdot")
def dot(self: Value, tensor: Value) -> Any:
    """The sum of products."""
    return matmul(self, tensor)


@target("aten.outer", "aten.ger")
def outer(self: Value, vec2: Value) -> Any:
    """Each times each."""
    return unsqueeze(self, 1) * unsqueeze(vec2, 0)


def _plus_product(x: Value, a: Value, b: Value, beta: Any, alpha: Any) -> Any:
    out = matmul(a, b)
    out = out if alpha == 1 else out * alpha
    if beta == 0:
        return out
    return (x if beta == 1 else x * beta) + out


@target("aten.addmm")
def addmm(self: Value, mat1: Value, mat2: Value, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * self + alpha * mat1 mat2."""
    return _plus_product(self, mat1, mat2, beta, alpha)


@target("aten.baddbmm")
def baddbmm(self: Value, batch1: Value, batch2: Value, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * self + alpha * batch1 batch2."""
    return _plus_product(self, batch1, batch2, beta, alpha)


@target("aten.addmv")
def addmv(self: Value, mat: Value, vec: Value, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * self + alpha * mat vec."""
    return _plus_product(self, mat, vec, beta, alpha)


@target("aten.einsum")
def sum_of_products(equation: str, tensors: Sequence[Value], path: Any = None) -> Any:
    """The sums of products of an equation."""
    return einsum(equation, *together(*tensors))


@target("aten.bilinear")
def bilinear(input1: Value, input2: Value, weight: Value, bias: Value | None = None) -> Any:
    """x1 W x2 + b for each W."""
    out = einsum("...i,kij,...j->...k", input1, weight, input2)
    return out if bias is None else out + bias


@target("aten._trilinear")
def trilinear(
    i1: Value,
    i2: Value,
    i3: Value,
    expand1: Sequence[int],
    expand2: Sequence[int],
    expand3: Sequence[int],
    sumdim: Sequence[int],
    unroll_dim: int = 1,
) -> Any:
    """The product of three tensors with new dimensions, summed along some."""
    rank = i1.ndim + len(expand1)
    operands: list[Any] = []
    for x, new in ((i1, expand1), (i2, expand2), (i3, expand3)):
        operands.append(unsqueeze(x, sorted(new)) if new else x)
    letters = "abcdefghijklmnop"[:rank]
    kept = "".join(c for n, c in enumerate(letters) if n not in sumdim)
    first = operands[0] * operands[1]
    return einsum(f"{letters},{letters}->{kept}", first, operands[2])


# Normalization.


def _moved(running: Value | None, batch: Value, momentum: float) -> None:
    if running is not None:
        with using(current().under(UNRECORDED)):
            current().rebind(running, running * (1.0 - momentum) + batch * momentum)


def _normalized_by_batch(
    x: Value, statistics: Sequence[Value | None], momentum: float, eps: float
) -> tuple[Any, Any, Any]:
    """x by its own mean and variance, which move the running ones; their inverse deviation."""
    axes = [0, *range(2, x.ndim)]
    means, variances = mean(x, axes), var(x, axes, correction=0)
    along = [1, -1, *[1] * (x.ndim - 2)]
    inverse = op_named("rsqrt")(variances + eps)
    _moved(statistics[0], mean(x, axes), momentum)
    _moved(statistics[1], var(x, axes, correction=1), momentum)
    return (x - reshape(means, along)) * reshape(inverse, along), means, inverse


def _scaled(x: Value, weight: Value | None, bias: Value | None) -> Any:
    along = [1, -1, *[1] * (x.ndim - 2)]
    out = x if weight is None else x * reshape(weight, along)
    return out if bias is None else out + reshape(bias, along)


@target("aten.batch_norm")
def batch_norm(
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value | None,
    running_var: Value | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool = False,
) -> Any:
    """Each channel with mean 0 and variance 1; the variance that is remembered is the unbiased."""
    if training or running_mean is None or running_var is None:
        out, _, _ = _normalized_by_batch(input, (running_mean, running_var), momentum, eps)
        return _scaled(out, weight, bias)
    rest = 1.0 - momentum
    return batch_norm_op(input, running_mean, running_var, weight, bias, False, rest, eps)[0]


@target("aten._native_batch_norm_legit_no_training")
def batch_norm_of_running(
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value,
    running_var: Value,
    momentum: float,
    eps: float,
) -> Any:
    """Each channel by the running mean and variance; of the two others nothing is made."""
    args = (input, weight, bias, running_mean, running_var, False, momentum, eps)
    return batch_norm(*args), None, None


@target("aten._native_batch_norm_legit_functional", "aten._native_batch_norm_legit")
def batch_norm_of_batch(
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value,
    running_var: Value,
    training: bool,
    momentum: float,
    eps: float,
) -> Any:
    """Each channel by its own mean and variance, and the new running ones."""
    if not training:
        raise UnsupportedError("batch norm that computes running statistics out of training")
    out, means, inverse = _normalized_by_batch(input, (None, None), momentum, eps)
    axes, kept = [0, *range(2, input.ndim)], 1.0 - momentum
    new_mean = running_mean * kept + mean(input, axes) * momentum
    new_var = running_var * kept + var(input, axes, correction=1) * momentum
    return _scaled(out, weight, bias), means, inverse, new_mean, new_var


@target("aten._native_batch_norm_legit.no_stats")
def batch_norm_without_running(
    input: Value,
    weight: Value | None,
    bias: Value | None,
    training: bool,
    momentum: float,
    eps: float,
) -> Any:
    """Each channel by its own mean and variance, and those two."""
    out, means, inverse = _normalized_by_batch(input, (None, None), momentum, eps)
    return _scaled(out, weight, bias), means, inverse


@target("aten.layer_norm")
def layer_norm_(
    input: Value,
    normalized_shape: Sequence[Any],
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Any:
    """The last dimensions with mean 0 and variance 1."""
    return layer_norm(input, list(normalized_shape), weight, bias, eps)


@target("aten.native_layer_norm")
def native_layer_norm(
    input: Value,
    normalized_shape: Sequence[Any],
    weight: Value | None,
    bias: Value | None,
    eps: float,
) -> Any:
    """layer_norm, the mean and the inverse deviation."""
    axes = list(range(input.ndim - len(normalized_shape), input.ndim))
    inverse = op_named("rsqrt")(var(input, axes, keepdim=True, correction=0) + eps)
    out = layer_norm(input, list(normalized_shape), weight, bias, eps)
    return out, mean(input, axes, True), inverse


@target("aten.rms_norm", "aten._fused_rms_norm")
def rms_norm_(
    input: Value,
    normalized_shape: Sequence[Any],
    weight: Value | None = None,
    eps: float | None = None,
) -> Any:
    """The last dimensions with a root mean square of 1."""
    return rms_norm(input, list(normalized_shape), weight, 2.0**-23 if eps is None else eps)[0]


@target("aten.group_norm")
def group_norm_(
    input: Value,
    num_groups: int,
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Any:
    """Each group of channels with mean 0 and variance 1."""
    return group_norm(input, num_groups, eps, weight, bias)


@target("aten.native_group_norm")
def native_group_norm(
    input: Value,
    weight: Value | None,
    bias: Value | None,
    N: Any,
    C: Any,
    HxW: Any,
    group: int,
    eps: float,
) -> Any:
    """group_norm, the mean and the inverse deviation."""
    rows = reshape(input, [N, group, -1])
    inverse = op_named("rsqrt")(var(rows, -1, correction=0) + eps)
    return group_norm(input, group, eps, weight, bias), mean(rows, -1), inverse


@target("aten.instance_norm")
def instance_norm(
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value | None,
    running_var: Value | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool = False,
) -> Any:
    """Each channel of each image with mean 0 and variance 1."""
    if not use_input_stats:
        args = (input, weight, bias, running_mean, running_var, False, momentum, eps)
        return batch_norm(*args)
    if running_mean is not None:
        raise UnsupportedError("instance norm that remembers statistics")
    return op_named("instance_norm")(input, weight, bias, eps)


# Tables, dropout.


@target("aten.embedding")
def embedding_(
    weight: Value,
    indices: Value,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    """Rows of a table."""
    return embedding(indices, weight, padding_idx if padding_idx >= 0 else None)


@target("aten.embedding_bag", "aten._embedding_bag", "aten._embedding_bag_forward_only")
def embedding_bag(
    weight: Value,
    indices: Value,
    offsets: Value,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Value | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    """Sums or means of rows of a table, which begin at `offsets`; of what a gradient needs nothing.

    weight: [rows,D]. indices: [n]. offsets: [bags]. mode: 0 for sums, 1 for means.
    """
    if mode > 1 or padding_idx not in (None, -1):
        raise UnsupportedError("an embedding bag of the greatest rows, or with padding")
    if include_last_offset:
        offsets = offsets[:-1]
    positions = arange(0, indices.spec.shape[0], 1, offsets.dtype)
    begun = astype(unsqueeze(positions, 1) >= unsqueeze(offsets, 0), offsets.dtype)  # [n,bags]
    bag = sum_of(begun, 1) - 1
    count = offsets.spec.shape[0]
    rows = embedding(indices, weight)
    if per_sample_weights is not None:
        rows = rows * unsqueeze(per_sample_weights, 1)
    bags = zeros([count, weight.spec.shape[1]], weight.dtype)
    out = op_named("added_at")(bags, bag, rows, axis=0)
    if mode:
        ones = full([indices.spec.shape[0]], 1, weight.dtype)
        sizes = op_named("added_at")(zeros([count], weight.dtype), bag, ones, axis=0)
        out = out / unsqueeze(op_named("maximum")(sizes, full([], 1, weight.dtype)), 1)
    return out, None, None, None


@target("aten.dropout", "aten.feature_dropout", "aten.alpha_dropout")
def dropout_(input: Value, p: float, train: bool) -> Any:
    """In training, some elements are left out."""
    return dropout(input, p, training=train)


@target("aten.native_dropout")
def native_dropout(input: Value, p: float, train: bool | None) -> Any:
    """Dropout; of the mask nothing is made."""
    return dropout(input, p, training=bool(train)), None
