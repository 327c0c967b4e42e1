"""Convolutions of images in loops of our own: depthwise ones, and what is done to each sum."""

from dataclasses import replace

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.contraction_calls import Call
from twinoar import config, nn
from twinoar.backends.host import host
from twinoar.backends.llvm.contraction.tile import Shape, fitted, shape_of
from twinoar.backends.native import own_images
from twinoar.core.dtype import float32
from twinoar.core.op.library import Convolution
from twinoar.nn import functional as F
from twinoar.ops.conv.operator import conv2d_op
from twinoar.ops.window._geometry import all_windows

# Images, channels, sizes; kernel, stride, dilation, padding: rows of one tile, of equal and unequal
# ones; channels of no, of whole and of cut vectors; windows that hang over no, one or all edges,
# and over more pixels than a tile has.
DEPTHWISE = {
    "one tile": ((2, 32, 7, 7), (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)),
    "equal tiles": ((1, 16, 5, 14), (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)),
    "unequal tiles": ((1, 24, 6, 27), (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)),
    "every other pixel": ((2, 40, 15, 30), (3, 3), (2, 2), (1, 1), (1, 1, 1, 1)),
    "one edge": ((1, 19, 8, 28), (3, 3), (2, 2), (1, 1), (0, 1, 0, 1)),
    "no edges": ((1, 17, 9, 19), (3, 3), (1, 1), (1, 1), (0, 0, 0, 0)),
    "5 by 5": ((1, 72, 9, 20), (5, 5), (1, 1), (1, 1), (2, 2, 2, 2)),
    "wide steps": ((1, 8, 9, 30), (2, 3), (3, 4), (1, 1), (0, 1, 2, 0)),
    "dilated": ((1, 20, 9, 17), (3, 3), (1, 1), (2, 3), (2, 2, 3, 3)),
    "far over the edge": ((1, 20, 3, 17), (3, 3), (1, 1), (1, 9), (1, 1, 9, 9)),
    "all beside the image": ((1, 4, 2, 3), (3, 3), (1, 1), (1, 1), (4, 4, 4, 4)),
    "a pixel": ((3, 5, 1, 1), (1, 1), (1, 1), (1, 1), (0, 0, 0, 0)),
    "a column": ((1, 2, 9, 1), (3, 1), (1, 1), (1, 1), (1, 1, 0, 0)),
}
OTHER_TILES = {"neon": (4, 4), "avx": (8, 2), "scalar": (2, 2)}


def normal(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("float32")


def called(name, lies="channels last", threads=None):
    """A depthwise convolution, and its result in float64."""
    (n, c, h, w), kernel, stride, dilation, padding = DEPTHWISE[name]
    x, weight = normal((n, c, h, w)), normal((c, 1, *kernel), 1)
    is_last = lies == "NHWC"
    rest = (stride, padding, dilation, c, "NCHW")
    wanted = conv2d_op.rules["kernel"](x.astype("float64"), weight.astype("float64"), *rest)
    out = (n, c, *all_windows((h, w), kernel, stride, padding, dilation))
    if lies == "channels last":
        x = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    if is_last:
        x, out = np.ascontiguousarray(x.transpose(0, 2, 3, 1)), (out[0], *out[2:], c)
        wanted = wanted.transpose(0, 2, 3, 1)
    asked = Convolution("forward", stride, dilation, padding, c, is_last)
    order = (0, 2, 3, 1) if lies == "channels last" else None
    return Call(asked, [x, weight], out, order, threads), wanted


@pytest.mark.parametrize("lies", ["NCHW", "NHWC", "channels last"])
@pytest.mark.parametrize("name", DEPTHWISE)
def test_each_channel_with_its_own_filter(name, lies):
    call, wanted = called(name, lies)
    np.testing.assert_allclose(call.run(), wanted, rtol=0, atol=1e-5)


@pytest.mark.parametrize("tile", OTHER_TILES)
@pytest.mark.parametrize("name", ["unequal tiles", "every other pixel", "a pixel"])
def test_each_channel_with_the_vectors_of_other_processors(name, tile, monkeypatch):
    shape = Shape(float32, *OTHER_TILES[tile])
    monkeypatch.setattr(own_images, "shape_of", lambda *_: shape)
    call, wanted = called(name)
    np.testing.assert_allclose(call.run(), wanted, rtol=0, atol=1e-5)


@pytest.mark.parametrize("threads", [2, 3])
def test_bits_do_not_depend_on_the_number_of_threads(threads):
    alone = called("every other pixel", threads=1)[0].run().copy()
    np.testing.assert_array_equal(called("every other pixel", threads=threads)[0].run(), alone)


def test_pixels_beside_a_window_do_not_show_in_its_sum():
    call, wanted = called("unequal tiles")
    x = next(iter(a for s, a in call.homes.items() if getattr(s, "name", "") == "operand0"))
    x[0, :, 3, 13] = np.nan
    found = call.run()
    reached = np.zeros(found.shape, bool)
    reached[0, :, 2:5, 12:15] = True
    assert (np.isnan(found) == reached).all()
    np.testing.assert_allclose(found[~reached], wanted[~reached], rtol=0, atol=1e-5)


FOLLOWING = {
    "bias": lambda y, b, r: y + b,
    "relu": lambda y, b, r: F.relu(y + b),
    "relu6": lambda y, b, r: F.relu6(y + b),
    "hardswish": lambda y, b, r: F.hardswish(y - b),
    "leaky": lambda y, b, r: paddle.clip(y * b, max=0.5),
    "residual": lambda y, b, r: F.relu(y + b + r),
    "a number": lambda y, b, r: F.relu6(y * paddle.to_tensor(2.0)),
}


def follows(kernel, groups, channels, name):
    """A convolution between two others and what follows it: on NumPy, compiled; what runs it."""
    paddle.seed(0)
    before, after = nn.Conv2D(channels, channels, 1), nn.Conv2D(channels, 3, 1)
    conv = nn.Conv2D(channels, channels, kernel, padding=kernel // 2, groups=groups)
    bias = paddle.to_tensor(normal((channels, 1, 1), 2))

    def network(x):
        y = before(x)
        return after(FOLLOWING[name](conv(y), bias, y))

    x = normal((2, channels, 9, 11), 3)
    x[0, 0, 4, 5], x[1, 1, 2, 3], x[1, 0, 8, 1] = np.nan, np.inf, -np.inf
    results = []
    for backend in ("numpy", "native"):
        with config.override(backend=backend), paddle.no_grad(), np.errstate(all="ignore"):
            static = paddle.jit.to_static(network)
            results.append(static(paddle.to_tensor(x)).numpy())
    return *results, static.concrete_program.explain()


@pytest.mark.parametrize("name", FOLLOWING)
@pytest.mark.parametrize(("kernel", "groups"), [(1, 1), (3, 20)], ids=["1 by 1", "depthwise"])
def test_what_follows_gives_what_it_gives_alone_on_nan_as_well(kernel, groups, name):
    wanted, found, _ = follows(kernel, groups, 20, name)
    assert np.isnan(wanted).any(), "the sample has nothing to show"
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("kernel", "groups", "channels", "name", "ours"),
    [
        (1, 1, 20, "relu6", True),
        (1, 1, 20, "bias", False),  # the library does that
        (1, 1, 20, "residual", False),  # read column by column
        (1, 1, 130, "relu6", False),  # so many products are faster there
        (3, 20, 20, "residual", True),
        (3, 20, 20, "bias", True),
    ],
)
def test_which_convolutions_finish_their_sums(kernel, groups, channels, name, ours):
    shown = follows(kernel, groups, channels, name)[2]
    (line,) = [s for s in shown.splitlines() if "conv2d" in s and ("add" in s) == ours][-1:] or [""]
    assert ("tiled" in line) == ours


def test_vectors_are_halved_where_a_processor_loses_nothing_by_it():
    zen = replace(host(), cpu="znver4", vector_bits=512, features="+avx512f")
    whole = shape_of(float32, zen)
    assert [fitted(whole, n, zen).lanes for n in (8, 16, 24, 32, 40, 72, 96)] == [
        8, 16, 8, 16, 8, 16, 16,
    ]  # fmt: skip
    assert fitted(whole, 40, zen).vectors == 3  # two panels, of 24 and 16 columns
    assert fitted(whole, 24, replace(zen, cpu="sapphirerapids")) == whole
