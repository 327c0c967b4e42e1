"""Descriptions for a kernel library say what the operator computes."""

from dataclasses import astuple
from itertools import product

import numpy as np
import pytest

from tests.ops.test_ops import GOOD
from tests.samples import every_sample
from twinoar.compile.element import asked_by
from twinoar.core.ir.program import Variable
from twinoar.core.op.definition import registry
from twinoar.core.op.library import (
    Convolution,
    Inverted,
    Matmul,
    Pooling,
    Scaled,
    WeightOnly,
    image_axes,
)
from twinoar.core.spec import Spec
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.pool.average import avg_pool2d_op
from twinoar.testing.calls import arrays_of, build, execute, run_eagerly
from twinoar.testing.checks import close

DESCRIBED = [
    p
    for p in GOOD
    if "library" in p.values[0].rules and all(a.dtype.kind != "V" for a in arrays_of(p.values[1]))
]


def description(op, specs, attrs):
    given = {**attrs, "specs": specs}
    return op.rules["library"](**{k: given[k] for k in asked_by(op.rules["library"])})


def described(op, sample):
    """A sample's description, its operands and the first result of its kernel."""
    program = build(op, sample)
    operator = [o for o in program.main.ops if o.op is op][-1]
    program.main.outputs = [x for x in operator.operands if isinstance(x, Variable)]
    specs = [None if x is None else x.spec for x in operator.operands]
    present = iter(execute(program, arrays_of(sample)))
    operands = [None if x is None else next(present) for x in operator.operands]
    return description(op, specs, operator.attrs), operands, run_eagerly(op, sample)[0]


def numbers_in(values):
    return [n for v in values for n in (numbers_in(v) if isinstance(v, tuple) else [v])]


def channels_first(x, channels_last):
    return x.transpose(image_axes(x.ndim, channels_last))


def windows(x, kernel_size, out, strides, padding, dilation=None, fill=0.0):
    """Pixels [N,C,OH,OW] of each window of x [N,C,H,W], place by place."""
    pairs = list(zip(padding[::2], padding[1::2], strict=True))
    spread = dilation or (1,) * len(strides)
    x = np.pad(x, [(0, 0), (0, 0), *pairs], constant_values=fill)
    for place in product(*map(range, kernel_size)):
        cut = [
            slice(p * d, p * d + (m - 1) * s + 1, s)
            for p, d, m, s in zip(place, spread, out, strides, strict=True)
        ]
        yield place, x[(slice(None), slice(None), *cut)]


def convolved(d, x, weight, out):
    """y [N,O,OH,OW] of x [N,C,H,W]."""
    filters, each = weight.shape[0], weight.shape[1]
    y = np.zeros((len(x), filters, *out))
    for place, pixels in windows(x, weight.shape[2:], out, d.strides, d.padding, d.dilation):
        for o in range(filters):
            first = o // (filters // d.groups) * each
            factors = weight[(o, slice(None), *place)]
            y[:, o] += np.einsum("nc...,c->n...", pixels[:, first : first + each], factors)
    return y


def pooled(d, x, out):
    """y [N,C,OH,OW] of x [N,C,H,W]."""
    window = (d.kernel_size, out, d.strides, d.padding)
    if d.kind == "max":
        return np.max([p for _, p in windows(x, *window, fill=-np.inf)], axis=0)
    total = sum(p for _, p in windows(x, *window))
    counts = sum(p for _, p in windows(np.ones_like(x), *window, fill=float(d.counts_padding)))
    return total / counts


def is_adjoint(forward, y, x):
    """Whether x is what the transpose of the linear function `forward` gives for y."""
    direction = np.random.default_rng(0).standard_normal(x.shape)
    expected = np.vdot(forward(direction), y)
    return np.vdot(direction, x) == pytest.approx(expected, rel=1e-3, abs=1e-3)


ACTIVATIONS = {
    "": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
}


def scaled(d, operands, result):
    """What becomes of a product of integers, channels first."""
    x, weight, scale, bias, residual, factor = operands
    if isinstance(d.product, Matmul):
        total, place = np.matmul(x.astype(np.float64), weight), (...,)
    else:
        last, place = d.product.channels_last, (..., None, None)
        x, result = channels_first(x, last), channels_first(result, last)
        residual = None if residual is None else channels_first(residual, last)
        total = convolved(d.product, x.astype(np.float64), weight, result.shape[2:])
    found = total * scale[place] + (0 if bias is None else bias[place])
    found = ACTIVATIONS[d.activation](found + (0 if residual is None else residual))
    found = found * (1 if factor is None else factor[0])
    if result.dtype.kind == "f":
        return found, result
    limits = np.iinfo(result.dtype)
    return np.clip(found, limits.min, limits.max), result


def of_weights(d, x, weight, scales):
    """A product with integers that have scales, in float64."""
    numbers = weight.astype(np.int64)
    if d.bits == 4:
        halves = np.stack([(numbers + 8) % 16 - 8, numbers // 16], 1)
        numbers = halves.reshape(-1, numbers.shape[1])
    steps = numbers.shape[1] if d.group_size < 0 else d.group_size
    factors = np.repeat(scales.reshape(-1, len(numbers)), steps, 0)
    return x @ (numbers.T * factors)


@every_sample(DESCRIBED)
def test_a_description_means_the_operator(op, sample):
    d, operands, result = described(op, sample)
    if d is None or isinstance(d, Inverted):  # of three products, see tests/passes/test_inverted.py
        return
    if isinstance(d, Scaled):
        expected, result = scaled(d, operands, result)
        away = 1e-4 if result.dtype.kind == "f" else 0.5 + 1e-4
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=away)
        return
    operands = [a.astype(np.float64) if a.dtype.kind == "f" else a for a in operands]
    if isinstance(d, WeightOnly):
        close(of_weights(d, *operands).astype(result.dtype), result, 1e-4)
        return
    if isinstance(d, Matmul):
        x, y = operands
        x = x.swapaxes(-1, -2) if d.transpose_x else x
        y = y.swapaxes(-1, -2) if d.transpose_y else y
        close(np.matmul(x, y).astype(result.dtype), result, 1e-4)
        return
    if isinstance(d, Pooling):
        first, result = (channels_first(a, d.channels_last) for a in (operands[0], result))
        if d.direction == "forward":
            close(pooled(d, first, result.shape[2:]).astype(result.dtype), result, 1e-4)
        else:
            assert is_adjoint(lambda x: pooled(d, x, first.shape[2:]), first, result)
        return
    named = dict(zip(d.roles, [*operands, result], strict=True))
    x, y = (channels_first(named[n], d.channels_last) for n in "xy")
    weight, out = named["weight"], y.shape[2:]
    if d.direction == "forward":
        close(convolved(d, x, weight, out).astype(result.dtype), y, 1e-4)
    elif d.direction == "backward_data":
        assert is_adjoint(lambda x: convolved(d, x, weight, out), y, x)
    else:
        assert is_adjoint(lambda weight: convolved(d, x, weight, out), y, weight)


@every_sample(DESCRIBED)
def test_descriptions_hold_numbers_and_can_be_keys(op, sample):
    d, _, _ = described(op, sample)
    if d is not None:
        assert {d: 1}[d] and None not in numbers_in(astuple(d))


@pytest.mark.parametrize("specs", ["f32[3] f32[3,4]", "f32[2,3] f32[3]", "i64[2,3] i64[3,2]"])
def test_products_of_vectors_and_of_integers_have_no_description(specs):
    attrs = {"transpose_x": False, "transpose_y": False}
    assert description(matmul, [Spec.parse(s) for s in specs.split()], attrs) is None


@pytest.mark.parametrize(("exclusive", "expected"), [(True, (0, 1, 0, 1)), (False, None)])
def test_windows_that_hang_over_count_as_padding_only_where_padding_does_not(exclusive, expected):
    attrs = {
        "kernel_size": (2, 2), "stride": (2, 2), "padding": (0, 0, 0, 0),
        "ceil_mode": True, "exclusive": exclusive, "data_format": "NCHW",
    }  # fmt: skip
    found = description(avg_pool2d_op, [Spec.parse("f32[1,2,5,5]")], attrs)
    assert (found and found.padding) == expected


def test_these_operators_have_a_library_form():
    by_rank = [
        "conv{}d conv{}d_grad_x conv{}d_grad_weight",
        "max_pool{}d_with_position avg_pool{}d avg_pool{}d_grad",
    ]
    images = {name.format(rank) for names in by_rank for name in names.split() for rank in (2, 3)}
    found = {op.name for op in registry.values() if "library" in op.rules}
    others = "matmul weight_only_product integer_linear integer_conv2d inverted_residual"
    assert found == {*others.split()} | images
    assert Convolution("backward_data", (1,), (1,), (0, 0), 1, False).roles[2] == "x"
