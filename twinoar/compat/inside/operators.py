"""Paddle's operators called by position: `_C_ops`, and by type and attributes: `_legacy_C_ops`.

`_C_ops.argsort(x, 0, True, False)` is here a function of a table: SAME are the public functions
that take those positions as they are, and a row of OTHERS is the signature there and the call here.
`_legacy_C_ops.argsort(x, "axis", 0, "descending", True)` is
the operator of that type, by the `desc` rule that files are read by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import twinoar as paddle
from twinoar import linalg
from twinoar.core.interpreter import current
from twinoar.core.values import INPLACE
from twinoar.errors import ArgumentError, MissingNameError
from twinoar.fluid.layers.adapter import rows
from twinoar.formats.paddle.program_desc import form_of, operators_by_type
from twinoar.nn import functional
from twinoar.static.append import call_paddles

SAME = {
    paddle: """
        abs acos acosh add add_n addmm all allclose amax amin angle any as_complex as_real asin
        asinh assign atan atan2 atanh baddbmm bernoulli bincount binomial bitwise_and
        bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor bmm
        broadcast_tensors cast ceil clip complex concat conj copysign cos cosh crop cross cummax
        cummin diag diag_embed diagonal digamma dist divide dot equal equal_all erf erfinv exp
        expand expm1 flatten flip floor floor_divide fmax fmin gammaincc gammaln gather gather_nd
        greater_equal greater_than heaviside i0 i0e i1 i1e imag index_put index_sample
        index_select is_empty isclose isfinite isinf isnan kron kthvalue lerp less_equal less_than
        lgamma log log10 log1p log2 logical_and logical_not logical_or logical_xor logit
        masked_fill masked_select matmul max maximum mean min minimum mode multinomial multiplex
        multiply mv nansum nextafter not_equal numel poisson polygamma pow put_along_axis real
        reciprocal reduce_as remainder renorm reshape reverse roll round rsqrt scale scatter
        scatter_nd_add searchsorted shard_index sign sin sinh softmax sqrt square stack
        standard_gamma stanh subtract sum take_along_axis tan tanh tile topk trace
        transpose tril triu unbind unsqueeze unstack where""",
    functional: """
        celu channel_shuffle elu fold gather_tree gelu grid_sample gumbel_softmax hardshrink
        hardsigmoid hardswish label_smooth leaky_relu log_loss log_softmax maxout one_hot
        pixel_shuffle pixel_unshuffle relu relu6 selu sigmoid silu softplus softshrink softsign
        swiglu swish thresholded_relu""",
    linalg: "cholesky cholesky_solve det eig eigh eigvals matrix_power multi_dot solve svdvals",
}

OTHERS = """
arange(start, end, step, dtype, place=None) -> paddle.arange(start, end, step, dtype)
argmax(x, axis=None, keepdims=False, flatten=False, dtype="int64")
    -> paddle.argmax(x, None if flatten else axis, keepdims, dtype)
argmin(x, axis=None, keepdims=False, flatten=False, dtype="int64")
    -> paddle.argmin(x, None if flatten else axis, keepdims, dtype)
argsort(x, axis=-1, descending=False, stable=False) -> sorted_with(x, axis, descending, stable)
bce_loss(input, label) -> functional.binary_cross_entropy(input, label, reduction="none")
conv2d(input, filter, strides=(1, 1), paddings=(0, 0), padding_algorithm="EXPLICIT",
    dilations=(1, 1), groups=1, data_format="NCHW")
    -> functional.conv2d(input, filter, None, strides, border(paddings, padding_algorithm),
    dilations, groups, data_format)
conv3d(input, filter, strides=(1, 1, 1), paddings=(0, 0, 0), padding_algorithm="EXPLICIT",
    groups=1, dilations=(1, 1, 1), data_format="NCDHW")
    -> functional.conv3d(input, filter, None, strides, border(paddings, padding_algorithm),
    dilations, groups, data_format)
depthwise_conv2d(input, filter, strides=(1, 1), paddings=(0, 0), padding_algorithm="EXPLICIT",
    groups=1, dilations=(1, 1), data_format="NCHW")
    -> functional.conv2d(input, filter, None, strides, border(paddings, padding_algorithm),
    dilations, groups, data_format)
einsum(x, equation) -> (paddle.einsum(equation, *x), [], [])
elementwise_pow(x, y) -> paddle.pow(x, y)
embedding(x, weight, padding_idx=-1, sparse=False)
    -> functional.embedding(x, weight, None if padding_idx == -1 else padding_idx, sparse=sparse)
empty(shape, dtype="float32", place=None) -> paddle.empty(shape, dtype)
empty_like(x, dtype=None, place=None) -> paddle.empty_like(x, dtype)
expand_as(x, y, target_shape=()) -> paddle.expand(x, target_shape if y is None else y.shape)
eye(num_rows, num_columns, dtype="float32", place=None) -> paddle.eye(num_rows, num_columns, dtype)
full(shape, value, dtype="float32", place=None) -> paddle.full(shape, value, dtype)
full_int_array(value, dtype="int64", place=None) -> paddle.to_tensor(value, dtype)
full_like(x, value, dtype=None, place=None) -> paddle.full_like(x, value, dtype)
gaussian(shape, mean, std, seed, dtype, place=None)
    -> paddle.cast(paddle.normal(mean, std, shape), dtype)
hardtanh(x, t_min=0.0, t_max=24.0) -> functional.hardtanh(x, t_min, t_max)
histogram(input, weight=None, bins=100, min=0.0, max=0.0, density=False)
    -> paddle.histogram(input, bins, min, max, weight, density)
index_add(x, index, add_value, axis=0) -> paddle.index_add(x, index, axis, add_value)
linspace(start, stop, number, dtype, place=None) -> paddle.linspace(start, stop, number, dtype)
logsigmoid(x) -> functional.log_sigmoid(x)
logsumexp(x, axis=(0,), keepdim=False, reduce_all=False) -> paddle.logsumexp(x, axis, keepdim)
mean_all(x) -> paddle.mean(x)
meshgrid(inputs) -> paddle.meshgrid(*inputs)
mish(x, threshold=20.0) -> functional.mish(x)
nonzero(condition) -> paddle.nonzero(condition)
ones(shape, dtype="float32", place=None) -> paddle.ones(shape, dtype)
ones_like(x, dtype=None, place=None) -> paddle.ones_like(x, dtype)
p_norm(x, porder=2.0, axis=-1, epsilon=1e-12, keepdim=False, asvector=False)
    -> linalg.norm(x, porder, None if asvector else axis, keepdim)
prelu(x, alpha, data_format="NCHW", mode="all") -> functional.prelu(x, alpha, data_format)
prod(x, axis=None, keepdim=False, reduce_all=False)
    -> paddle.prod(x, None if reduce_all else axis, keepdim)
randint(low, high, shape, dtype="int64", place=None) -> paddle.randint(low, high, shape, dtype)
randperm(n, dtype="int64", place=None) -> paddle.randperm(n, dtype)
sigmoid_cross_entropy_with_logits(x, label, pos_weight=None, normalize=False, ignore_index=-100)
    -> sigmoid_loss(x, label, pos_weight, normalize, ignore_index)
split(x, sections, axis=0) -> paddle.split(x, sections, axis)
split_with_num(x, num, axis=0) -> paddle.split(x, num, axis)
squeeze(x, axis=()) -> paddle.squeeze(x, None if axis in ([], ()) else axis)
trunc(input) -> paddle.trunc(input)
uniform(shape, dtype, min, max, seed=0, place=None) -> paddle.uniform(shape, dtype, min, max, seed)
unfold(x, kernel_sizes, strides, paddings, dilations)
    -> functional.unfold(x, kernel_sizes, strides, paddings, dilations)
zeros(shape, dtype="float32", place=None) -> paddle.zeros(shape, dtype)
zeros_like(x, dtype=None, place=None) -> paddle.zeros_like(x, dtype)
"""

# Results of a type in Paddle's order, where files have another; a slot that is not here is None.
RESULTS = {
    "reshape": ("Out",),
    "softmax_with_cross_entropy": ("Softmax", "Loss"),
    "transpose": ("Out",),
}
# Their slots have another order in Paddle.
UNORDERED = (
    "check_finite_and_unscale",
    "dequantize_linear",
    "fake_quantize_range_abs_max",
    "hierarchical_sigmoid",
    "quantize_linear",
    "rnn",
    "update_loss_scaling",
)


def sorted_with(x: Any, axis: int, descending: bool, stable: bool) -> tuple[Any, Any]:
    """The elements in order along the axis, and where each was."""
    indices = paddle.argsort(x, axis, descending, stable)
    return paddle.take_along_axis(x, indices, axis), indices


def border(paddings: Any, algorithm: str) -> Any:
    """The padding that a public function takes."""
    return paddings if algorithm == "EXPLICIT" else algorithm


def sigmoid_loss(x: Any, label: Any, pos_weight: Any, normalize: bool, ignore_index: int) -> Any:
    """The loss of each element, 0 where the label is `ignore_index`."""
    loss = functional.binary_cross_entropy_with_logits(
        x, label, reduction="none", pos_weight=pos_weight
    )
    counts = label != ignore_index
    loss = paddle.where(counts, loss, paddle.zeros_like(loss))
    if not normalize:
        return loss
    return loss / paddle.clip(paddle.sum(paddle.cast(counts, loss.dtype)), min=1.0)


def _functions() -> dict[str, Callable[..., Any]]:
    found = {n: getattr(module, n) for module, names in SAME.items() for n in names.split()}
    found |= {f"{n}_": INPLACE[f"{n}_"] for n in found if f"{n}_" in INPLACE}
    space = dict(globals())
    for row in rows(OTHERS):
        signature, _, call = row.partition(" -> ")
        exec(compile(f"def {signature}:\n    return {call}\n", "<twinoar _C_ops>", "exec"), space)
        name = signature.partition("(")[0]
        space[name].__doc__ = f"`{call}`"
        found[name] = space[name]
    return found


FUNCTIONS = _functions()


def legacy(type: str) -> Callable[..., Any]:
    """The function that calls the operator `type`: its operands, then names and attributes.

    Raises MissingNameError for a type that there is not.

    >>> legacy("scale")(twinoar.to_tensor([1.0]), "scale", 2.0, "bias", 1.0).tolist()
    [3.0]
    """
    operators = operators_by_type().get(type, ())
    if not operators or type in UNORDERED or any(op.takes_blocks for op in operators):
        raise MissingNameError(f"twinoar does not have the operator {type} by position")
    form = form_of(operators[0])
    if any(slot == "ParamOut" for slot in form.outputs):
        raise MissingNameError(
            f"the update rule {type} is not called by position", cure="use paddle.optimizer"
        )

    def called(*given: Any) -> Any:
        at = next((i for i, x in enumerate(given) if isinstance(x, str)), len(given))
        operands, pairs = given[:at], given[at:]
        slots = list(form.inputs)
        extra = operands[len(slots) :]
        if len(pairs) % 2 or any(x is not None and not isinstance(x, int) for x in extra):
            raise ArgumentError(
                f"{type} takes {', '.join(slots)}, then names and values of attributes, "
                f"received {len(operands)} operands and {len(pairs)} names and values"
            )
        held = {slot: _held(x) for slot, x in zip(slots, operands, strict=False) if x is not None}
        return _results(type, held, dict(zip(pairs[::2], pairs[1::2], strict=True)))

    called.__name__ = called.__qualname__ = type
    called.__doc__ = f"The operator `{type}`: {', '.join(form.inputs)}, then attributes."
    return called


def _held(x: Any) -> list[Any]:
    return list(x) if isinstance(x, (list, tuple)) else [x]


def _results(type: str, inputs: Mapping[str, list[Any]], attrs: Mapping[str, Any]) -> Any:
    op, results = call_paddles(current(), type, inputs, {}, attrs)
    by_slot = op.output_slots(results, {})
    order = RESULTS.get(type) or tuple(by_slot)
    variadic = len(results) > len(form_of(op).outputs)
    found = tuple(
        (list(by_slot[s]) if variadic and s == order[-1] else by_slot[s][0])
        if by_slot.get(s)
        else None
        for s in order
    )
    return found[0] if len(found) == 1 else found


def call_at_once(
    type: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any], attrs: Mapping[str, Any]
) -> list[tuple[Any, Any]]:
    """Run the operator `type` by slots: each tensor of `outputs` with its value."""
    held = {slot: _held(x) for slot, x in inputs.items() if x is not None}
    op, results = call_paddles(current(), type, held, outputs, attrs)
    by_slot: Mapping[str, tuple[Any, ...]] = op.output_slots(results, {})
    return [
        (target, value)
        for slot, targets in outputs.items()
        for target, value in zip(_held(targets), by_slot.get(slot, ()), strict=False)
    ]
