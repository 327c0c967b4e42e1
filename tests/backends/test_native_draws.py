"""Random draws are equal bits: by NumPy, natively, in a Program, from a file, and in any part."""

import math
from dataclasses import replace

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, jit, nn
from twinoar.backends.host import host
from twinoar.backends.native.executable import NativeExecutable
from twinoar.backends.numpy import compile_numpy
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program

SHAPE = [37, 1001]  # of which neither part is a whole number of blocks


def wide(low, high, dtype="float64"):
    """Numbers whose logarithms to the base 10 are from low to high."""
    return paddle.to_tensor((10 ** np.linspace(low, high, math.prod(SHAPE))).reshape(SHAPE), dtype)


DRAWS = {
    "uniform": lambda: paddle.rand(SHAPE),
    "uniform of float64": lambda: paddle.uniform(SHAPE, "float64", -2.0, 3.0),
    "uniform of float16": lambda: paddle.uniform(SHAPE, "float16", 1.0, 2.0),
    "uniform of bfloat16": lambda: paddle.uniform(SHAPE, "bfloat16", 1.0, 2.0),
    "normal": lambda: paddle.randn(SHAPE),
    "normal of float64": lambda: paddle.randn(SHAPE, "float64"),
    "normal of a mean": lambda: paddle.normal(1.0, 3.0, SHAPE),
    "integers": lambda: paddle.randint(-3, 1000, SHAPE),
    "integers of int32": lambda: paddle.randint(0, 7, SHAPE, "int32"),
    "many integers": lambda: paddle.randint(-(2**62), 2**62 + 5, SHAPE),
    "dropout": lambda: nn.functional.dropout(paddle.ones(SHAPE), 0.3),
    "dropout of rows": lambda: nn.functional.dropout(paddle.ones(SHAPE), 0.3, axis=0),
    "gamma": lambda: paddle.standard_gamma(wide(-3, 4)),
    "gamma of float32": lambda: paddle.standard_gamma(wide(-1, 1, "float32")),
    "Poisson": lambda: paddle.poisson(wide(-2, 5)),
    "binomial": lambda: paddle.binomial(wide(0, 9).astype("int64"), wide(-6, 0)),
    "places": lambda: paddle.multinomial(wide(-3, 3), 90, True),
    "different places": lambda: paddle.multinomial(wide(-1, 1), 90),
    "all places": lambda: paddle.multinomial(wide(-1, 1), SHAPE[1]),
    "a place of half a float": lambda: paddle.multinomial(wide(-3, 3, "float16")),
    "trials": lambda: paddle.bernoulli(paddle.full(SHAPE, 0.3)),
}
PERMUTED = (0, 1, 2, 5, 1000, 1 << 14, (1 << 14) + 1, (1 << 16) + 7, 200_003, 3_000_017)
# The greatest has words whose bits of the rank are equal, and buckets beyond a group's own memory.
STATE = np.array([2**40 + 11, 2**33 + 5])


@pytest.fixture(params=DRAWS, ids=[name.replace(" ", "-") for name in DRAWS])
def draw(request):
    return DRAWS[request.param]


def recorded(draw):
    program = Program()
    with using(Builder(program)):
        program.main.outputs = [draw()]
    return program


def run(executable):
    (out,), following = executable.execute([], [STATE])
    return bits(out), following


def bits(x):
    return np.ascontiguousarray(np.asarray(x)).view(np.uint8)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_native_code_draws_what_numpy_draws(draw, threads):
    program = recorded(draw)
    expected, (counted,) = run(compile_numpy(program))
    found, (state,) = run(NativeExecutable(program, replace(host(), threads=threads)))
    assert (found == expected).all() and state.tolist() == counted.tolist() != STATE.tolist()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["int64", "int32"])
@pytest.mark.parametrize("n", PERMUTED)
def test_permutations_are_those_of_numpy(n, dtype, threads):
    program = recorded(lambda: paddle.randperm(n, dtype))
    ((expected,), _) = compile_numpy(program).execute([], [STATE])
    executable = NativeExecutable(program, replace(host(), threads=threads))
    ((found,), _) = executable.execute([], [STATE])
    assert found.tolist() == np.asarray(expected).tolist()
    assert np.sort(found).tolist() == list(range(n)) and "NumPy" not in executable.explain()


def test_eager_calls_and_converted_functions_draw_the_same(draw):
    paddle.seed(99)
    native = [bits(draw().numpy()) for _ in range(2)]
    assert (native[0] != native[1]).any()
    converted = jit.to_static(lambda: draw())
    paddle.seed(99)
    assert all((bits(converted().numpy()) == x).all() for x in native)
    paddle.seed(99)
    with config.override(backend="numpy"):
        assert all((bits(draw().numpy()) == x).all() for x in native)


def test_a_part_that_is_computed_alone_is_that_part(draw):
    whole = run(compile_numpy(recorded(draw)))[0].reshape(SHAPE[0], -1)
    part = recorded(lambda: draw()[5:7])
    executable = NativeExecutable(part, host())
    found = run(executable)[0]
    assert (found.reshape(2, -1) == whole[5:7]).all()
    assert "NumPy" not in executable.explain()


class Noisy(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(64, 64)

    def forward(self, x):
        noise = paddle.randn([16, 64]) + paddle.rand([16, 64]) * paddle.randint(0, 5, [16, 64])
        return nn.functional.dropout(self.linear(x), 0.4) + noise


def test_a_file_draws_what_the_layer_draws(tmp_path):
    net, x = Noisy(), paddle.ones([16, 64])
    jit.save(net, str(tmp_path / "net"), input_spec=[x])
    loaded = jit.load(str(tmp_path / "net"))
    net.train()
    loaded.train()
    for seed in (3, 4):
        paddle.seed(seed)
        expected = [net(x).numpy() for _ in range(2)]
        paddle.seed(seed)
        found = [loaded(x).numpy() for _ in range(2)]
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)  # of the product


def test_a_training_step_with_dropout_leaves_nothing_to_the_host():
    net = nn.Sequential(nn.Linear(64, 128), nn.Dropout(0.3), nn.ReLU(), nn.Linear(128, 1))
    adam = paddle.optimizer.Adam(parameters=net.parameters())

    @jit.to_static
    def step(x, y):
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        adam.step()
        adam.clear_grad()
        return loss

    x, y = paddle.randn([32, 64]), paddle.randn([32, 1])
    paddle.seed(5)
    losses = [float(step(x, y)) for _ in range(3)]
    assert len(set(losses)) == 3
    text = step.explain()
    assert "dropout_mask" in text and "NumPy" not in text


@pytest.mark.parametrize("wrong", [1.5, -0.25, float("nan")])
def test_a_probability_outside_is_refused_natively(wrong):
    def trials():
        return paddle.bernoulli(paddle.concat([paddle.full([999], 0.5), paddle.full([1], wrong)]))

    with pytest.raises((IndexError, ValueError), match="probabilit"):
        NativeExecutable(recorded(trials), host()).execute([], [STATE])
    with pytest.raises((IndexError, ValueError), match="probabilit"):
        trials()
