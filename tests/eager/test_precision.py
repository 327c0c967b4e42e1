"""Products of float32 are as exact as users ask, however they are run, and say what they are.

Bounds: bfloat16 has 8 bits, so rounding moves a number by at most 2^-9 of it, and a product of two
by at most 2^-8 and a little. Sums in float32 add a multiple of 2^-24.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, inference, nn, static
from twinoar.backends import onednn
from twinoar.backends.host import host
from twinoar.backends.native import kept
from twinoar.compile.target import Target
from twinoar.core.interpreter import under
from twinoar.errors import ArgumentError, ConversionError, TypeMismatchError

ROUNDED = 2**-8 * 1.01
SUMMED = 2**-24 * 40  # of a few hundred products, in whatever order
BARE = Target("x86_64", "znver4", "+avx512f,+avx512bf16", 512, library="oneDNN")
has_units = pytest.mark.skipif(
    not host().multiplies_bfloat16, reason="products of bfloat16 are not faster here"
)
SIZES = 128, 160, 144  # above what our own loops, which are exact, compute


@pytest.fixture
def rounding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Rounded operands are taken wherever they may be, also where that is not measured faster."""
    fastest = onednn.fastest

    def chosen(key: str, ways: Mapping[str, Any]) -> Any:
        rounded = {name: way for name, way in ways.items() if name.startswith("rounded")}
        return fastest(key, rounded) or fastest(key, ways)

    monkeypatch.setattr(onednn, "fastest", chosen)
    with config.override(cache_dir=tmp_path):
        yield


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    paddle.set_float32_matmul_precision("highest")


def matrices(*sizes: int) -> tuple[np.ndarray, np.ndarray]:
    rows, inner, columns = sizes or SIZES
    draw = np.random.default_rng(5)
    shapes = (rows, inner), (inner, columns)
    return tuple(draw.standard_normal(s).astype("float32") for s in shapes)  # type: ignore[return-value]


def error(found: Any, x: np.ndarray, y: np.ndarray) -> float:
    """The greatest error of a product, as a part of the sum of its terms' sizes."""
    wide = x.astype("float64"), y.astype("float64")
    terms = np.abs(wide[0]) @ np.abs(wide[1])
    return float((np.abs(np.asarray(found) - wide[0] @ wide[1]) / terms).max())


def eagerly(x: np.ndarray, y: np.ndarray) -> Any:
    return paddle.matmul(paddle.to_tensor(x), paddle.to_tensor(y)).numpy()


def converted(x: np.ndarray, y: np.ndarray) -> Any:
    return paddle.jit.to_static(paddle.matmul)(paddle.to_tensor(x), paddle.to_tensor(y)).numpy()


def in_a_static_program(x: np.ndarray, y: np.ndarray) -> Any:
    paddle.enable_static()
    try:
        program = static.Program()
        with static.program_guard(program):
            feeds = [static.data(name, a.shape) for name, a in (("x", x), ("y", y))]
            out = paddle.matmul(*feeds)
            return static.Executor().run(program, {"x": x, "y": y}, [out])[0]
    finally:
        paddle.disable_static()


WAYS: list[Callable] = [eagerly, converted, in_a_static_program]


@pytest.mark.parametrize("way", WAYS)
def test_products_are_those_of_float32_unless_asked(way):
    x, y = matrices()
    assert error(way(x, y), x, y) < SUMMED


@has_units
@pytest.mark.usefixtures("rounding")
@pytest.mark.parametrize("way", WAYS)
def test_medium_rounds_operands_to_bfloat16(way):
    x, y = matrices()
    paddle.set_float32_matmul_precision("medium")
    assert SUMMED < error(way(x, y), x, y) < ROUNDED


@pytest.mark.parametrize("way", WAYS)
def test_high_is_never_less_exact_than_three_products(way):
    x, y = matrices()
    exact = way(x, y)
    paddle.set_float32_matmul_precision("high")
    np.testing.assert_array_equal(way(x, y), exact)


@has_units
@pytest.mark.usefixtures("rounding")
def test_what_is_compiled_already_follows_the_choice_of_now():
    x, y = map(paddle.to_tensor, matrices())
    product = paddle.jit.to_static(paddle.matmul)
    exact = product(x, y).numpy()
    paddle.set_float32_matmul_precision("medium")
    assert (product(x, y).numpy() != exact).any()
    paddle.set_float32_matmul_precision("highest")
    np.testing.assert_array_equal(product(x, y).numpy(), exact)


@has_units
@pytest.mark.usefixtures("rounding")
@pytest.mark.parametrize("transpose_x", [False, True])
@pytest.mark.parametrize("transpose_y", [False, True])
@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
def test_transposed_and_batched_products_are_within_the_bound(transpose_x, transpose_y, batch):
    draw = np.random.default_rng(7)
    x, y = (draw.standard_normal((*batch, 96, 96)).astype("float32") for _ in "xy")
    paddle.set_float32_matmul_precision("medium")
    found = paddle.matmul(*map(paddle.to_tensor, (x, y)), transpose_x, transpose_y)
    left = x.swapaxes(-1, -2) if transpose_x else x
    right = y.swapaxes(-1, -2) if transpose_y else y
    assert error(found.numpy(), left, right) < ROUNDED


@has_units
@pytest.mark.usefixtures("rounding")
def test_linear_layers_add_their_bias_and_activation_in_float32():
    x, weight = matrices(256, 256, 256)
    bias = np.random.default_rng(1).standard_normal(256).astype("float32")

    @paddle.jit.to_static
    def layer(x: Any, weight: Any, bias: Any) -> Any:
        return nn.functional.relu(nn.functional.linear(x, weight, bias))

    paddle.set_float32_matmul_precision("medium")
    found = layer(*map(paddle.to_tensor, (x, weight, bias))).numpy()
    wide = x.astype("float64") @ weight.astype("float64") + bias
    terms = np.abs(x.astype("float64")) @ np.abs(weight.astype("float64"))
    assert (np.abs(found - np.maximum(wide, 0)) / terms).max() < ROUNDED


@has_units
@pytest.mark.parametrize("stride, groups", [(1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.usefixtures("rounding")
def test_convolutions_and_their_gradients_are_within_the_bound(stride, groups, compiled):
    draw = np.random.default_rng(3)
    x = draw.standard_normal((2, 64, 14, 14)).astype("float32")
    weight = draw.standard_normal((64, 64 // groups, 3, 3)).astype("float32")

    def gradients(x: Any, weight: Any) -> tuple[Any, ...]:
        out = nn.functional.conv2d(x, weight, stride=stride, padding=1, groups=groups)
        return (out, *paddle.grad([out], [x, weight], [out.detach()]))

    def found(exactness: str, kind: str) -> list[np.ndarray]:
        run = paddle.jit.to_static(gradients) if compiled else gradients
        given = [paddle.to_tensor(a.astype(kind), stop_gradient=False) for a in (x, weight)]
        with under(products=exactness):
            return [t.numpy() for t in run(*given)]

    exact = found("highest", "float64")
    for rounded, wide in zip(found("medium", "float32"), exact, strict=True):
        # Independent errors of 2^-9 in each term make less than 2^-8 of the spread of sums.
        assert 1e-5 < np.abs(rounded - wide).std() / wide.std() < ROUNDED


@has_units
def test_no_convolution_is_transformed_whose_products_are_rounded():
    convolution = paddle.jit.to_static(nn.Conv2D(64, 64, 3, padding=1))
    images = paddle.randn([2, 64, 28, 28])
    with paddle.no_grad():
        convolution(images)
        assert "winograd" in convolution.forward.concrete_program.explain()
        paddle.set_float32_matmul_precision("medium")
        convolution(images)
        assert "winograd" not in convolution.forward.concrete_program.explain()


@has_units
@pytest.mark.usefixtures("rounding")
def test_explain_says_what_is_rounded():
    x, y = map(paddle.to_tensor, matrices())
    product = paddle.jit.to_static(paddle.matmul)
    product(x, y)
    assert "bfloat16" not in product.concrete_program.explain().split("copies, GB/s")[0]
    paddle.set_float32_matmul_precision("medium")
    product(x, y)
    assert "of float32 rounded to bfloat16" in product.concrete_program.explain()


@has_units
def test_a_training_step_under_medium_keeps_float32_and_learns():
    paddle.seed(2)
    layer = nn.Linear(256, 256)
    rule = paddle.optimizer.SGD(0.05, parameters=layer.parameters())
    x, target = (paddle.randn([256, 256]) for _ in "xt")

    @paddle.jit.to_static
    def step() -> Any:
        loss = ((layer(x) - target) ** 2).sum(axis=-1).mean()
        loss.backward()
        rule.step()
        rule.clear_grad()
        return loss

    paddle.set_float32_matmul_precision("medium")
    losses = [float(step()) for _ in range(5)]
    assert losses == sorted(losses, reverse=True)
    assert layer.weight.dtype is paddle.float32


@has_units
@pytest.mark.usefixtures("rounding")
def test_gradients_outside_of_the_converted_model_follow_too():
    x, weight = matrices()

    def gradient() -> np.ndarray:
        model = paddle.jit.to_static(nn.functional.linear)
        held = paddle.to_tensor(weight, stop_gradient=False)
        model(paddle.to_tensor(x), held).sum().backward()
        return held.grad.numpy()

    exact = gradient()
    paddle.set_float32_matmul_precision("medium")
    assert 0 < np.abs(gradient() - exact).max() / np.abs(exact).max() < ROUNDED * 8


@pytest.mark.parametrize("dtype", ["float64", "bfloat16", "float16"])
def test_products_of_other_dtypes_are_what_they_were(dtype):
    x, y = (paddle.to_tensor(a).astype(dtype) for a in matrices())
    exact = paddle.matmul(x, y).astype("float64").numpy()
    paddle.set_float32_matmul_precision("medium")
    np.testing.assert_array_equal(paddle.matmul(x, y).astype("float64").numpy(), exact)


def test_numpy_is_exact_whatever_is_asked():
    x, y = matrices()
    paddle.set_float32_matmul_precision("medium")
    with config.override(backend="numpy"):
        assert error(eagerly(x, y), x, y) < SUMMED
        assert error(converted(x, y), x, y) < SUMMED


@pytest.mark.parametrize("sizes", [(0, 4, 4), (4, 0, 4), (1, 1, 1), (1, 300, 1), (2, 3, 0)])
def test_empty_and_single_products(sizes):
    x, y = matrices(*sizes)
    paddle.set_float32_matmul_precision("medium")
    found = converted(x, y)
    assert found.shape == (sizes[0], sizes[2])
    np.testing.assert_allclose(found, x @ y, rtol=1e-5, atol=1e-5)


@has_units
@pytest.mark.usefixtures("rounding")
def test_infinite_and_undefined_operands_stay_so():
    x, y = matrices(256, 256, 256)
    x[0, 0], x[1, 0] = np.inf, np.nan
    paddle.set_float32_matmul_precision("medium")
    found = eagerly(x, y)
    assert np.isinf(found[0]).all() and np.isnan(found[1]).all()
    assert np.isfinite(found[2:]).all()


@has_units
@pytest.mark.usefixtures("rounding")
def test_a_block_says_it_for_itself_and_other_threads_do_not_see_it():
    x, y = matrices()
    with ThreadPoolExecutor(1) as other, under(products="medium"):
        assert paddle.get_float32_matmul_precision() == "medium"
        assert other.submit(paddle.get_float32_matmul_precision).result() == "highest"
        assert error(eagerly(x, y), x, y) > SUMMED
        assert other.submit(lambda: error(eagerly(x, y), x, y)).result() < SUMMED


def test_the_choice_holds_in_all_threads_and_blocks():
    with ThreadPoolExecutor(1) as other, paddle.no_grad():
        paddle.set_float32_matmul_precision("medium")
        assert paddle.get_float32_matmul_precision() == "medium"
        assert other.submit(paddle.get_float32_matmul_precision).result() == "medium"
    paddle.enable_static()
    try:
        assert paddle.get_float32_matmul_precision() == "medium"
    finally:
        paddle.disable_static()


@has_units
@pytest.mark.usefixtures("rounding")
def test_a_predictor_has_a_choice_of_its_own(tmp_path):
    x, weight = matrices(256, 256, 256)
    layer = nn.Linear(256, 256, bias_attr=False)
    layer.weight.set_value(weight)
    prefix = str(tmp_path / "net")
    paddle.jit.save(layer, prefix, input_spec=[static.InputSpec([None, 256], name="x")])

    def predicted(exactness: str) -> np.ndarray:
        chosen = inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams")
        chosen.set_float32_matmul_precision(exactness)
        assert chosen.float32_matmul_precision() == exactness
        assert exactness in chosen.summary()
        (found,) = inference.create_predictor(chosen).run([x])
        return found

    assert SUMMED < error(predicted("medium"), x, weight) < ROUNDED
    paddle.set_float32_matmul_precision("medium")
    assert error(predicted("highest"), x, weight) < SUMMED


def test_what_is_kept_of_both_choices_lies_apart():
    assert BARE.rounding() != BARE and BARE.rounding().exact() == BARE
    assert kept.key_of("a program", BARE, {}) != kept.key_of("a program", BARE.rounding(), {})


@pytest.mark.parametrize(
    "target",
    [
        Target("x86_64", "haswell", "+avx2", 256, library="oneDNN"),
        Target("x86_64", "znver4", "+avx512bf16", 512),
    ],
)
def test_nothing_is_rounded_without_units_or_a_library(target):
    assert target.rounding() is target


@pytest.mark.parametrize("other", ["low", "", "float32", None, 1, ["medium"]])
def test_other_words_are_refused_with_those_there_are(other):
    with pytest.raises(ArgumentError, match=r"'highest', 'high', 'medium'"):
        paddle.set_float32_matmul_precision(other)
    with pytest.raises(ArgumentError, match=r"'highest', 'high', 'medium'"):
        inference.Config().set_float32_matmul_precision(other)
    assert paddle.get_float32_matmul_precision() == "highest"


def test_a_call_without_a_word_is_told_what_is_missing():
    with pytest.raises((TypeError, TypeMismatchError, ArgumentError), match="precision"):
        paddle.set_float32_matmul_precision()


def test_a_converted_function_cannot_choose():
    @paddle.jit.to_static
    def choosing(x: Any) -> Any:
        paddle.set_float32_matmul_precision("medium")
        return x + 1

    with pytest.raises(ConversionError, match="set_float32_matmul_precision"):
        choosing(paddle.ones([2]))
    assert paddle.get_float32_matmul_precision() == "highest"
