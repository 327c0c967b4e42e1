"""Three convolutions as one that goes strip by strip: which, and that it gives the same."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn
from twinoar.backends.native import own_inverted
from twinoar.compile.pipeline import lower
from twinoar.core.ir.program import copy_program
from twinoar.nn import functional as F
from twinoar.passes import inverted
from twinoar.runtime import openmp


class Block(nn.Layer):
    """The convolutions of an inverted residual, in a network: the first has what `widen` says."""

    def __init__(self, channels, wide, out, size=3, steps=1, activation=F.relu6, **widen):
        super().__init__()
        self.before = nn.Conv2D(channels, channels, 1)
        self.widen = nn.Conv2D(channels, wide, **{"kernel_size": 1, **widen})
        self.each = nn.Conv2D(wide, wide, size, steps, padding=size // 2, groups=wide)
        self.narrow = nn.Conv2D(wide, out, 1)
        self.after = nn.Conv2D(out, out, 1)
        self.activation = activation
        self.adds = channels == out and steps == 1 and widen.get("stride", 1) == 1

    def forward(self, x):
        x = self.before(x)
        y = self.activation(self.each(self.activation(self.widen(x))))
        y = self.narrow(y)
        return self.after(x + y if self.adds else y)


def made(*given, **more):
    paddle.seed(2)
    block = Block(*given, **more)
    block.eval()
    return block


def images(n, channels, height, width):
    drawn = np.random.default_rng(0).standard_normal((n, channels, height, width))
    return paddle.to_tensor(drawn.astype("float32") * 3)


def operators(layer, x):
    """Names of what a compiled call of `layer` is made of."""
    static = paddle.jit.to_static(lambda x: layer(x))
    with paddle.no_grad():
        program = static.get_concrete_program(x)[1].program
    return {o.op.name for o in lower(copy_program(program)[0]).main.walk()}


def on(backend, layer, x):
    """The result of a compiled call."""
    with config.override(backend=backend), paddle.no_grad():
        return paddle.jit.to_static(lambda x: layer(x))(x).numpy()


def both(layer, x):
    """Results on NumPy, and compiled."""
    return on("numpy", layer, x), on("native", layer, x)


@pytest.fixture
def small(monkeypatch):
    """Images of any size are served, and a thread keeps few rows."""
    monkeypatch.setattr(inverted, "LEAST_BYTES", 0)
    monkeypatch.setattr(own_inverted, "ROOM_BYTES", 40_000)
    monkeypatch.setattr(own_inverted, "STRIP_PIXELS", 30)


def cases(count):
    """Random blocks and images."""
    random = np.random.default_rng(5)
    for n in range(count):
        channels, wide = int(random.integers(1, 20)), int(random.integers(2, 90))
        out = channels if random.random() < 0.4 else int(random.integers(1, 40))
        size, steps = int(random.choice([3, 5])), int(random.choice([1, 2, 3]))
        widen = {}
        if random.random() < 0.4:
            widen = {"kernel_size": 3, "stride": int(random.choice([1, 2])), "padding": 1}
        activation = [F.relu, F.relu6, F.hardswish][n % 3]
        shape = int(random.integers(1, 4)), channels, *map(int, random.integers(6, 40, 2))
        yield (channels, wide, out, size, steps, activation), widen, shape


@pytest.mark.parametrize(("given", "widen", "shape"), list(cases(12)))
@pytest.mark.usefixtures("small")
def test_results_are_those_of_three_convolutions(given, widen, shape):
    layer, x = made(*given, **widen), images(*shape)
    assert "inverted_residual" in operators(layer, x)
    wanted, found = both(layer, x)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5 * np.abs(wanted).max())


@pytest.mark.usefixtures("small")
def test_a_nan_reaches_what_it_reaches_in_three_convolutions():
    layer, x = made(4, 20, 5), images(1, 4, 20, 20)
    x[0, 1, 9, 12] = float("nan")
    wanted, found = both(layer, x)
    assert 0 < np.isnan(wanted).sum() < wanted.size
    assert (np.isnan(found) == np.isnan(wanted)).all()


@pytest.mark.parametrize("threads", [2, 3])
def test_bits_do_not_depend_on_the_number_of_threads(threads):
    layer, x = made(8, 48, 8), images(2, 8, 60, 60)
    np.testing.assert_array_equal(*(in_threads(layer, x, count) for count in (1, threads)))


def in_threads(layer, x, count):
    with openmp.on_threads(count), paddle.no_grad():
        return paddle.jit.to_static(lambda x: layer(x))(x).numpy()


def test_one_plan_serves_all_batch_sizes(tmp_path):
    layer = made(8, 48, 8)
    spec = [paddle.static.InputSpec([None, 8, 60, 60], name="x")]
    paddle.jit.save(layer, str(tmp_path / "block"), input_spec=spec)
    files = [str(tmp_path / f"block.{s}") for s in ("pdmodel", "pdiparams")]
    predictor = paddle.inference.create_predictor(paddle.inference.Config(*files))
    for n in (1, 3, 2):
        x = images(n, 8, 60, 60)
        (found,) = predictor.run([x.numpy()])
        wanted = on("numpy", layer, x)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5 * np.abs(wanted).max())
    assert "inverted_residual" in predictor.explain()


@pytest.mark.parametrize(
    ("layer", "x"),
    [
        (made(8, 48, 8), images(1, 8, 40, 40)),
        (made(8, 48, 8, activation=F.sigmoid), images(1, 8, 60, 60)),
        (made(8, 48, 8, dilation=2), images(1, 8, 60, 60)),
        (made(8, 48, 8, groups=2), images(1, 8, 60, 60)),
    ],
    ids=["small images", "activation", "dilation", "groups"],
)
def test_other_convolutions_stay(layer, x):
    assert "inverted_residual" not in operators(layer, x)


def test_it_is_left_out_where_that_is_asked():
    layer, x = made(8, 48, 8), images(1, 8, 60, 60)
    assert "inverted_residual" in operators(layer, x)
    with config.override(passes=("-inverted",)):
        assert "inverted_residual" not in operators(layer, x)


def test_training_keeps_what_its_gradients_need():
    layer, x = made(8, 48, 8), images(1, 8, 60, 60)

    def step(x):
        loss = (layer(x) ** 2).mean()
        loss.backward()
        return loss, layer.widen.weight.grad

    compiled = [v.numpy() for v in paddle.jit.to_static(step)(x)]
    layer.clear_gradients()
    with config.override(backend="numpy"):
        plain = [v.numpy() for v in step(x)]
    for one, other in zip(compiled, plain, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
