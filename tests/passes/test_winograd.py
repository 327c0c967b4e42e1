"""Convolutions as products of transformed tiles: which, and that they give the same."""

import numpy as np
import pytest

import twinoar
from twinoar import nn
from twinoar.core.ir.program import copy_program
from twinoar.nn import functional as F
from twinoar.passes.contract import contract
from twinoar.passes.decompose import decompose

TILES = {"winograd_input", "winograd_filter", "winograd_output"}
GEOMETRIES = [  # images, channels, filters, height, width, padding
    (4, 48, 64, 8, 8, 1),
    (5, 64, 48, 7, 9, 1),
    (7, 50, 49, 5, 6, 2),
    (9, 48, 48, 7, 6, 0),
    (6, 48, 48, 6, 9, [0, 1, 2, 0]),
]


def images(n, channels, height, width, layout="NCHW"):
    shape = (n, channels, height, width) if layout == "NCHW" else (n, height, width, channels)
    drawn = np.random.default_rng(0).standard_normal(shape).astype("float32")
    return twinoar.to_tensor(drawn, stop_gradient=False)


def operators(layer, x):
    """Names of what a compiled call of `layer` is made of, after `contract`."""
    static = twinoar.jit.to_static(layer)
    program = static.forward.get_concrete_program(x)[1].program
    return {o.op.name for o in contract(copy_program(program)[0]).main.walk()}


def relative(found, wanted):
    return np.abs(found - wanted).max() / np.abs(wanted).max()


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("n,channels,filters,height,width,padding", GEOMETRIES)
def test_results_and_gradients_are_those_of_a_convolution(
    n, channels, filters, height, width, padding, layout
):
    layer = nn.Conv2D(channels, filters, 3, padding=padding, data_format=layout)
    x = images(n, channels, height, width, layout)

    def step(x):
        y = layer(x)
        (y * y).mean().backward()
        return y, x.grad, layer.weight.grad

    compiled = [v.numpy() for v in twinoar.jit.to_static(step)(x)]
    layer.clear_gradients()
    with twinoar.config.override(backend="numpy"):
        plain = [v.numpy() for v in step(x.detach().requires_grad_())]
    assert all(relative(a, b) < 2e-6 for a, b in zip(compiled, plain, strict=True))
    assert operators(layer, x.detach()) >= TILES


def test_all_three_convolutions_of_a_step_are_products():
    layer, x = nn.Conv2D(64, 64, 3, padding=1), images(4, 64, 8, 8)

    def step(x):
        (layer(x) ** 2).sum().backward()
        return x.grad, layer.weight.grad

    program = twinoar.jit.to_static(step).get_concrete_program(x)[1].program
    names = [o.op.name for o in contract(decompose(copy_program(program)[0])).main.walk()]
    assert names.count("winograd_output") == 2  # the result, and the gradient of images
    assert {"winograd_pixels", "winograd_filter_gradient"} <= set(names)
    assert not any(name.startswith("conv2d") for name in names)


def test_a_convolution_is_as_near_to_float64_as_the_librarys_own():
    layer, x = nn.Conv2D(64, 64, 3, padding=1), images(2, 64, 14, 14).detach()
    tiled = twinoar.jit.to_static(layer)(x).numpy()
    with twinoar.config.override(passes=("-winograd",)):
        direct = twinoar.jit.to_static(lambda x: layer(x))(x).numpy()
    wide = F.conv2d(
        x.astype("float64"), layer.weight.astype("float64"), layer.bias.astype("float64"), padding=1
    ).numpy()
    assert relative(tiled, wide) < 4 * relative(direct, wide) < 1e-5


@pytest.mark.parametrize(
    "layer,x",
    [
        (lambda: nn.Conv2D(64, 64, 3, stride=2, padding=1), images(4, 64, 16, 16)),
        (lambda: nn.Conv2D(64, 64, 3, dilation=2, padding=2), images(4, 64, 8, 8)),
        (lambda: nn.Conv2D(64, 64, 3, groups=2, padding=1), images(4, 64, 8, 8)),
        (lambda: nn.Conv2D(64, 64, 5, padding=2), images(4, 64, 8, 8)),
        (lambda: nn.Conv2D(32, 64, 3, padding=1), images(4, 32, 8, 8)),
        (lambda: nn.Conv2D(64, 64, 3, padding=1), images(1, 64, 8, 8)),
    ],
    ids=["stride", "dilation", "groups", "size", "few channels", "few tiles"],
)
def test_other_convolutions_stay(layer, x):
    assert not TILES & operators(layer(), x.detach())


def test_weights_that_no_run_changes_are_transformed_once():
    layer, x = nn.Conv2D(64, 64, 3, padding=1), images(4, 64, 8, 8).detach()
    layer.eval()
    static = twinoar.jit.to_static(layer)
    with twinoar.no_grad():
        first = static(x).numpy()
        shown = static.forward.concrete_program.explain()
        layer.weight.set_value(layer.weight * 2.0)
        layer.bias.set_value(layer.bias * 2.0)
        second = static(x).numpy()
    assert "run once, when states are bound" in shown and "winograd_filter" not in shown
    assert relative(second, 2 * first) < 1e-6
