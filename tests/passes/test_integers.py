"""Quantized Programs as products of integers: what they become, and that results stay."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.passes.programs import types
from twinoar import nn, passes, static
from twinoar.backends.choice import make_executable
from twinoar.backends.numpy import compile_numpy
from twinoar.core.ir.program import copy_program
from twinoar.nn import functional as F
from twinoar.ops.linalg.matmul import fc_mul
from twinoar.ops.quant.linear import dequantize_linear, quantize_linear
from twinoar.passes.pipeline import lower

LIMIT = 127


def step(random, low=-7, high=-2) -> np.float32:
    """A power of 2: with such steps all arithmetic on floats here is exact."""
    return np.float32(2.0 ** random.integers(low, high))


def tensor(values) -> paddle.Tensor:
    return paddle.to_tensor(np.asarray(values, np.float32))


def rounded(x, size):
    """x through integers with steps of this size, as Paddle's quantizers write it."""
    scale, zero = tensor([size * LIMIT]), tensor([0.0])
    return dequantize_linear(quantize_linear(x, scale, zero), scale, zero)


def weight(random, shape, axis):
    """Integers, made floats by a step for each index along an axis."""
    whole = paddle.to_tensor(random.integers(-128, 128, shape).astype(np.int8))
    sizes = [step(random, -11, -8) * LIMIT for _ in range(shape[axis])]
    return dequantize_linear(whole, tensor(sizes), tensor(np.zeros(len(sizes))), axis)


def norm(random, x):
    """Batch norm that multiplies by powers of 2, and adds multiples of one."""
    c = x.shape[1]
    mean, shift = (tensor(random.integers(-8, 8, c) / 8) for _ in range(2))
    variance, gain = (tensor(2.0 ** (2 * random.integers(-1, 2, c))) for _ in range(2))
    return F.batch_norm(x, mean, variance, gain, shift, epsilon=0.0)


def network(seed):
    """A random quantized network: convolutions and what stands between them, and a classifier."""
    random = np.random.default_rng(seed)
    plan = [
        {
            "filters": int(random.choice([4, 8])),
            "size": int(random.choice([1, 3])),
            "stride": int(random.choice([1, 1, 2])),
            "depthwise": random.random() < 0.25,
            "norm": random.random() < 0.6,
            "bias": random.random() < 0.4,
            "residual": str(random.choice(["", "float", "rounded"])),
            "activation": str(random.choice(["", "relu", "relu6"])),
            "pool": random.random() < 0.25,
            "joined": random.random() < 0.2,
            "seed": int(random.integers(1 << 30)),
        }
        for _ in range(random.integers(1, 4))
    ]

    def run(x):
        for layer in plan:
            random = np.random.default_rng(layer["seed"])
            size, channels = step(random), x.shape[1]
            given = x
            x = rounded(x, size)
            filters = channels if layer["depthwise"] else layer["filters"]
            groups = channels if layer["depthwise"] else 1
            w = weight(random, (filters, channels // groups, layer["size"], layer["size"]), 0)
            bias = tensor(random.integers(-16, 16, filters) / 8) if layer["bias"] else None
            x = F.conv2d(x, w, bias, layer["stride"], layer["size"] // 2, 1, groups)
            if layer["norm"]:
                x = norm(random, x)
            if layer["residual"] and x.shape == given.shape:
                x = x + (given if layer["residual"] == "float" else rounded(given, size))
            if layer["activation"]:
                x = getattr(F, layer["activation"])(x)
            if layer["joined"]:
                x = paddle.concat([x, F.relu(x)], 1)
            if layer["pool"] and x.shape[-1] > 1:
                x = F.max_pool2d(x, 2)
        random = np.random.default_rng(seed)
        x = rounded(paddle.flatten(x, 1), step(random))
        return F.linear(x, weight(random, (x.shape[1], 3), 1), tensor([0.5, -1.0, 0.25]))

    return run


def program_of(function, shape):
    traced = paddle.jit.to_static(function, input_spec=[static.InputSpec(shape, name="x")])
    return traced.concrete_program.main_program


def results(program, x, native):
    lowered, _ = copy_program(program)
    executable = make_executable(lowered) if native else compile_numpy(lower(lowered))
    states = [np.asarray(s.data) for s in lowered.states.values() if not s.is_constant]
    return executable.execute([x], states)[0]


@pytest.mark.parametrize("native", [False, True], ids=["numpy", "native"])
@pytest.mark.parametrize("seed", range(12))
def test_random_networks_give_the_same_numbers(seed, native) -> None:
    function = network(seed)
    x = np.random.default_rng(seed).normal(size=(2, 4, 8, 8)).astype(np.float32)
    expected = function(paddle.to_tensor(x)).numpy()
    program = passes.for_inference(program_of(function, [2, 4, 8, 8]))
    assert not {"conv2d", "quantize_linear", "dequantize_linear", "linear"} & set(types(program))
    np.testing.assert_array_equal(results(program, x, native)[0], expected)


def test_one_kernel_takes_integers_and_gives_them() -> None:
    """Batch norm, bias, residual, activation, pooling and rounding are part of products."""

    def block(x):
        random = np.random.default_rng(0)
        draws = [weight(random, (4, 4, 3, 3), 0) for _ in range(2)]
        first = rounded(x, np.float32(0.25))
        x = norm(np.random.default_rng(1), F.conv2d(first, draws[0], tensor([1, 2, 3, 4]), 1, 1))
        x = F.max_pool2d(F.relu(x), 3, 1, 1)
        x = F.conv2d(rounded(x, np.float32(0.5)), draws[1], None, 1, 1)
        return rounded(F.relu(x + first), np.float32(0.125))

    program = passes.for_inference(program_of(block, [2, 4, 6, 6]))
    assert types(program) == [
        "to_int8",
        "integer_conv2d",
        "cast",
        "max_pool2d",
        "cast",
        "integer_conv2d",
        "from_int8",
    ]
    first, second = (o for o in program.main.ops if o.op.name == "integer_conv2d")
    assert (first.attrs["activation"], first.attrs["dtype"].name) == ("relu", "int8")
    assert second.operands[4].spec.dtype is paddle.int8, "the residual is of integers"
    assert [o.attrs["nonnegative"] for o in (first, second)] == [False, True]


def test_integers_are_written_in_the_order_in_which_products_read_them() -> None:
    """A library copies bytes slowly: only its result is copied, back to the rows of users."""

    def layer(x):
        w = weight(np.random.default_rng(0), (8, 4, 3, 3), 0)
        return F.conv2d(rounded(x, np.float32(0.5)), w, None, 1, 1)

    program, _ = copy_program(passes.for_inference(program_of(layer, [1, 4, 9, 9])))
    executable = make_executable(program)
    states = [np.asarray(s.data) for s in program.states.values() if not s.is_constant]
    executable.execute([np.zeros((1, 4, 9, 9), np.float32)], states)
    assert "1 reorder" in executable.explain()


def test_layers_that_share_a_value_share_its_integers() -> None:
    """Each layer holds a scale of its own; that they are equal is seen."""

    def both(x):
        random = np.random.default_rng(0)
        weights = [weight(random, (4, 4, 1, 1), 0) for _ in range(3)]
        x = F.relu(F.conv2d(rounded(x, np.float32(0.5)), weights[0]))
        sizes = np.float32(0.25)
        return F.conv2d(rounded(x, sizes), weights[1]) + F.conv2d(rounded(x, sizes), weights[2])

    program = passes.for_inference(program_of(both, [1, 4, 5, 5]))
    assert types(program) == ["to_int8", *["integer_conv2d"] * 3]


def test_floats_that_others_read_stay() -> None:
    def both(x):
        w = weight(np.random.default_rng(0), (4, 4, 1, 1), 0)
        x = F.conv2d(rounded(x, np.float32(0.5)), w)
        return x, F.conv2d(rounded(x, np.float32(0.25)), w)

    program = passes.for_inference(program_of(both, [1, 4, 5, 5]))
    assert types(program) == ["to_int8", "integer_conv2d", "to_int8", "integer_conv2d"]


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("turned", [False, True])
def test_products_of_matrices_are_of_integers(rank, turned) -> None:
    random = np.random.default_rng(rank)

    def product(x):
        draws = np.random.default_rng(rank)
        w = weight(draws, (5, 6) if turned else (6, 5), 0 if turned else 1)
        return paddle.matmul(rounded(x, np.float32(0.5)), w, transpose_y=turned) + tensor([1.5] * 5)

    shape = [2, 3, 6][-rank:]
    x = random.normal(size=shape).astype(np.float32)
    program = passes.for_inference(program_of(product, shape))
    assert types(program) == ["to_int8", "integer_linear"]
    expected = product(paddle.to_tensor(x)).numpy()
    np.testing.assert_array_equal(results(program, x, native=True)[0], expected)


@pytest.mark.parametrize("least", [-128, -129])
def test_weights_that_files_keep_in_floats_are_integers_where_they_are(least) -> None:
    """As Paddle's conversion writes them."""

    def layer(x):
        values = np.random.default_rng(0).integers(-127, 128, (4, 5))
        values[0, 0] = least
        w = dequantize_linear(tensor(values), tensor([2.0]), tensor([0.0]))
        return F.linear(rounded(x, np.float32(0.5)), w, tensor([1, 2, 3, 4, 5]))

    x = np.random.default_rng(1).normal(size=(3, 4)).astype(np.float32)
    program = passes.for_inference(program_of(layer, [3, 4]))
    assert ("integer_linear" in types(program)) is (least == -128)
    np.testing.assert_allclose(results(program, x, True)[0], layer(tensor(x)), rtol=1e-6)


def test_weights_that_are_no_whole_numbers_stay_floats() -> None:
    def layer(x):
        values = np.array([[0.5, np.nan], [1.0, 2.0]])
        return F.linear(
            rounded(x, 0.5), dequantize_linear(tensor(values), tensor([2.0]), tensor([0.0]))
        )

    assert "integer_linear" not in types(passes.for_inference(program_of(layer, [3, 2])))


@pytest.mark.parametrize(("shape", "rows"), [([3, 4], 1), ([3, 2, 2], 1), ([2, 3, 4], 2)])
def test_products_of_flattened_values_are_of_integers(shape, rows) -> None:
    def layer(x):
        w = weight(np.random.default_rng(0), (4, 5), 1)
        return fc_mul(rounded(x, np.float32(0.5)), w, rows) + tensor([1, 2, 3, 4, 5])

    x = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    program = passes.for_inference(program_of(layer, shape))
    assert "integer_linear" in types(program) and "mul" not in types(program)
    np.testing.assert_array_equal(results(program, x, True)[0], layer(tensor(x)))


def test_weights_that_are_rounded_in_the_program_become_integers() -> None:
    """So they stand in networks that still learn."""
    random = np.random.default_rng(0)
    w = tensor(random.normal(size=(4, 4, 1, 1)))

    def layer(x):
        return F.conv2d(rounded(x, np.float32(0.5)), rounded(w, np.float32(1 / 64)))

    x = random.normal(size=(1, 4, 5, 5)).astype(np.float32)
    program = passes.for_inference(program_of(layer, [1, 4, 5, 5]))
    assert types(program) == ["to_int8", "integer_conv2d"]
    assert program.main.ops[1].operands[1].spec.dtype is paddle.int8
    expected = layer(paddle.to_tensor(x)).numpy()
    np.testing.assert_array_equal(results(program, x, native=False)[0], expected)


@pytest.mark.parametrize("activation", ["relu6", "hardswish", "relu"])
def test_any_scales_give_what_rounded_floats_give_within_a_quantum(activation) -> None:
    random = np.random.default_rng(5)
    whole = paddle.to_tensor(random.integers(-128, 128, (8, 4, 3, 3)).astype(np.int8))
    scales, zeros = tensor(random.uniform(0.1, 0.3, 8)), tensor(np.zeros(8))
    size = np.float32(0.0371)

    def layer(x):
        w = dequantize_linear(whole, scales, zeros, 0)
        x = F.conv2d(rounded(x, np.float32(0.0173)), w, tensor(random_bias), 1, 1)
        return rounded(getattr(F, activation)(x), size)

    random_bias = random.normal(size=8)
    x = random.normal(size=(2, 4, 9, 9)).astype(np.float32)
    expected = layer(paddle.to_tensor(x)).numpy()
    program = passes.for_inference(program_of(layer, [2, 4, 9, 9]))
    (found,) = results(program, x, native=True)
    quanta = np.abs(found - expected) / size
    assert quanta.max() < 1.01
    assert (quanta > 0.5).mean() < 0.01


def test_what_a_gradient_needs_stays() -> None:
    random = np.random.default_rng(0)
    gain = paddle.create_parameter([1], "float32")

    def loss(x):
        w = weight(np.random.default_rng(0), (4, 4, 1, 1), 0)
        return F.relu(F.conv2d(rounded(x * gain, np.float32(0.5)), w)).sum()

    program = program_of(loss, [1, 4, 5, 5])
    with static.program_guard(program):
        static.append_backward(program.main.outputs[0])
    x = random.normal(size=(1, 4, 5, 5)).astype(np.float32)
    changed, _ = copy_program(program)
    passes.run(changed, "use_integers")
    np.testing.assert_allclose(results(changed, x, False)[0], results(program, x, False)[0])


def test_programs_without_rounding_stay_as_they_are() -> None:
    paddle.seed(0)
    net = nn.Sequential(nn.Conv2D(3, 4, 3), nn.ReLU())
    program = program_of(net.forward, [1, 3, 5, 5])
    before = program.to_text()
    assert passes.run(program, "use_integers").to_text() == before
