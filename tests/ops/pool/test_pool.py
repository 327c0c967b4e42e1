"""Pooling: wrappers, ties, frames and unknown sizes; the rest is in test_ops."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.pool._bins import bins_of
from twinoar.ops.pool.adaptive import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
)
from twinoar.ops.pool.pool import avg_pool1d, avg_pool2d, max_pool1d, max_pool2d

random = np.random.default_rng(0)


def normal(*shape):
    return random.standard_normal(shape).astype("float32")


def windows(x, size, stride, padding, value):
    """Windows of x [N,C,H,W] as [N,C,OH,OW,h*w]."""
    x = np.pad(x, ((0, 0), (0, 0), (padding,) * 2, (padding,) * 2), constant_values=value)
    view = np.lib.stride_tricks.sliding_window_view(x, (size, size), axis=(2, 3))
    view = view[:, :, ::stride, ::stride]
    return view.reshape(*view.shape[:4], size * size)


@pytest.mark.parametrize(("size", "stride", "padding"), [(2, 2, 0), (3, 2, 1), (3, 1, 1)])
def test_max_pool2d_is_the_maximum_of_windows(size, stride, padding):
    x = normal(2, 3, 7, 6)
    expected = windows(x, size, stride, padding, -np.inf).max(-1)
    found = max_pool2d(to_tensor(x), size, stride, padding).numpy()
    np.testing.assert_array_equal(found, expected)


def test_avg_pool2d_counts_padding_only_where_it_is_told_to():
    x = to_tensor(np.ones((1, 1, 4, 4), "float32"))
    np.testing.assert_allclose(avg_pool2d(x, 3, 2, 1).numpy(), 1.0, rtol=1e-6)
    inclusive = avg_pool2d(x, 3, 2, 1, exclusive=False).numpy()[0, 0]
    np.testing.assert_allclose(inclusive, np.array([[4, 6], [6, 9]]) / 9, rtol=1e-6)


def test_a_window_that_hangs_over_the_padding_is_cut_there():
    x = to_tensor(np.ones((1, 1, 6, 6), "float32"))
    found = avg_pool2d(x, 3, 2, 1, ceil_mode=True, exclusive=False).numpy()[0, 0]
    np.testing.assert_allclose(found[0], [4 / 9, 2 / 3, 2 / 3, 1 / 3], rtol=1e-6)


def test_divisor_override_divides_the_sum():
    x = to_tensor(np.ones((1, 1, 4, 4), "float32"))
    np.testing.assert_allclose(avg_pool2d(x, 2, divisor_override=8).numpy(), 0.5)
    with pytest.raises(ArgumentError, match="divisor_override must be positive"):
        avg_pool2d(x, 2, divisor_override=0)


@pytest.mark.parametrize("return_mask", [False, True])
def test_the_first_of_equal_maxima_takes_the_gradient(return_mask):
    x = to_tensor(np.zeros((1, 1, 4, 4), "float32"), stop_gradient=False)
    out = max_pool2d(x, 3, 2, 1, return_mask=return_mask)
    (g,) = grad(out[0].sum() if return_mask else out.sum(), x)
    expected = np.zeros((4, 4))
    expected[:2, :2] = 1
    np.testing.assert_array_equal(g.numpy()[0, 0], expected)


def test_the_mask_holds_positions_in_the_plane():
    x = to_tensor(np.arange(16, dtype="float32").reshape(1, 1, 4, 4))
    out, mask = max_pool2d(x, 2, return_mask=True)
    assert mask.dtype.name == "int32"
    np.testing.assert_array_equal(mask.numpy()[0, 0], [[5, 7], [13, 15]])
    np.testing.assert_array_equal(out.numpy()[0, 0], [[5, 7], [13, 15]])


def test_a_maximum_of_minus_infinity_has_a_position_and_a_gradient():
    x = to_tensor(np.full((1, 1, 2, 2), -np.inf, "float32"), stop_gradient=False)
    _, mask = max_pool2d(x, 2, return_mask=True)
    (g,) = grad(max_pool2d(x, 2).sum(), x)
    assert mask.item() == 0
    np.testing.assert_array_equal(g.numpy()[0, 0], [[1, 0], [0, 0]])


@pytest.mark.parametrize("pool", [max_pool2d, avg_pool2d])
def test_channels_last_is_channels_first_transposed(pool):
    x = normal(2, 3, 5, 6)
    first = pool(to_tensor(x), 3, 2, "SAME").numpy()
    images = to_tensor(np.ascontiguousarray(x.transpose(0, 2, 3, 1)))
    last = pool(images, 3, 2, "SAME", data_format="NHWC").numpy()
    np.testing.assert_allclose(last.transpose(0, 3, 1, 2), first, rtol=1e-6)


@pytest.mark.parametrize(
    ("pool", "options", "message"),
    [
        (max_pool2d, {"padding": "VALID", "ceil_mode": True}, "padding in numbers"),
        (max_pool2d, {"return_mask": True, "data_format": "NHWC"}, "return_mask needs"),
        (avg_pool2d, {"padding": "valid", "ceil_mode": True}, "padding in numbers"),
    ],
)
def test_options_that_exclude_each_other_are_refused(pool, options, message):
    with pytest.raises(ArgumentError, match=message):
        pool(to_tensor(normal(1, 2, 4, 4)), 2, **options)


def test_a_sequence_is_not_an_image():
    with pytest.raises(ShapeError, match="x must have 4 dimensions"):
        max_pool2d(to_tensor(normal(1, 2, 4)), 2)


def test_unknown_batch_and_size_are_inferred_as_expressions():
    program = trace(lambda x: avg_pool2d(max_pool2d(x, 2), 3, 1, 1), Spec.parse("f32[N,3,2*H,W]"))
    assert str(program.main.outputs[0].spec) == "f32[N,3,H,((W-2)//(2))+1]"


def test_adaptive_pooling_keeps_an_unknown_size_for_none():
    x = Spec.parse("f32[N,3,H,W]")
    program = trace(lambda x: adaptive_avg_pool2d(x, [None, 2]), x)
    assert str(program.main.outputs[0].spec) == "f32[N,3,H,2]"


def test_bins_cover_an_axis_and_overlap_by_a_pixel_at_most():
    assert list(bins_of(7, 3)) == [(0, 3), (2, 5), (4, 7)]
    assert list(bins_of(2, 4)) == [(0, 1), (0, 1), (1, 2), (1, 2)]


@pytest.mark.parametrize("size", [1, (3, 2), (5, 7), (8, 9)])
def test_adaptive_pooling_is_by_bins(size):
    x = normal(2, 3, 6, 7)
    h, w = (size, size) if isinstance(size, int) else size
    parts = [[x[:, :, a:b, c:d] for c, d in bins_of(7, w)] for a, b in bins_of(6, h)]
    for pool, reduce in ((adaptive_avg_pool2d, np.mean), (adaptive_max_pool2d, np.max)):
        expected = [[reduce(p, axis=(2, 3)) for p in row] for row in parts]
        found = pool(to_tensor(x), size).numpy()
        np.testing.assert_allclose(
            found, np.moveaxis(expected, (0, 1), (2, 3)), rtol=1e-5, atol=1e-6
        )


def test_adaptive_max_pooling_tells_positions_in_the_plane():
    x = normal(2, 3, 6, 7)
    out, mask = adaptive_max_pool2d(to_tensor(x), (3, 2), return_mask=True)
    flat = x.reshape(2, 3, 42)
    picked = np.take_along_axis(flat, mask.numpy().reshape(2, 3, 6), 2)
    np.testing.assert_array_equal(picked.reshape(2, 3, 3, 2), out.numpy())


def test_pooling_of_sequences_is_pooling_of_one_row():
    x = normal(2, 3, 9)
    tensor, row = to_tensor(x), to_tensor(x[:, :, None])
    for one, two in (
        (max_pool1d(tensor, 3, 2, 1), max_pool2d(row, (1, 3), (1, 2), (0, 1))),
        (avg_pool1d(tensor, 3, 2, 1), avg_pool2d(row, (1, 3), (1, 2), (0, 1))),
        (adaptive_avg_pool1d(tensor, 4), adaptive_avg_pool2d(row, (1, 4))),
        (adaptive_max_pool1d(tensor, 4), adaptive_max_pool2d(row, (1, 4))),
    ):
        np.testing.assert_array_equal(one.numpy(), two.numpy()[:, :, 0])


def test_max_pool1d_tells_positions_in_the_sequence():
    _, mask = max_pool1d(to_tensor(np.zeros((1, 1, 6), "float32")), 3, 2, 1, return_mask=True)
    assert mask.tolist() == [[[0, 1, 3]]]


@pytest.mark.parametrize("what", [np.inf, np.nan])
def test_what_is_not_finite_stays_in_the_bins_that_it_is_in(what: float) -> None:
    x = to_tensor(np.array([[[what, 1.0, 2.0, 4.0]]], np.float32), stop_gradient=False)
    np.testing.assert_array_equal(adaptive_avg_pool1d(x, 2).numpy(), [[[what, 3.0]]])
    y = to_tensor(np.ones((1, 1, 4), np.float32), stop_gradient=False)
    (adaptive_avg_pool1d(y, 2) * to_tensor([what, 1.0])).sum().backward()
    np.testing.assert_array_equal(y.grad.numpy(), [[[what, what, 0.5, 0.5]]])
