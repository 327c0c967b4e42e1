"""Operators choose their precision, by one rule each, eagerly and in Programs alike."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import twinoar as paddle
import twinoar.ops  # its effect is wanted: every operator is there
from tests.amp.paddle_lists import BLACK_O1, BLACK_O2, WHITE
from tests.samples import every_sample
from tests.threads import in_threads
from twinoar import amp
from twinoar.amp.choice import Autocast
from twinoar.core.dtype import bfloat16, float32
from twinoar.core.interpreter import under
from twinoar.core.op.declare import Tensor
from twinoar.core.op.definition import PRECISIONS, primitive, registry
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TwinoarError, TypeMismatchError
from twinoar.testing.calls import arrays_of, call, is_float
from twinoar.testing.sample import samples_of

LOWS = ("bfloat16", "float16")
FLOATING = [
    pytest.param(op, s, id=f"{op.name}-{i}")
    for op in registry.values()
    for i, s in enumerate(samples_of(op))
    if s.error is None and any(a.dtype == np.float32 for a in arrays_of(s))
]
# What is stricter here than in Paddle's lists, by type.
STRICTER = {
    "bce_loss": "log of what may be 1 in low precision",
    "complex": "there are no complex numbers of 16 bits",
    "deformable_conv": "positions between pixels need more bits than a bfloat16 has",
    "dequantize_linear": "Paddle's passes put it in, after casts",
    "elementwise_pow": "Paddle's list has pow, which is this with a number",
    "hierarchical_sigmoid": "Paddle's list has it as hsigmoid_loss",
    "kldiv_loss": "logarithms",
    "from_int8": "int8 has scales that 8 bits of a bfloat16 would round",
    "integer_conv2d": "its scales, as from_int8",
    "integer_linear": "its scales, as from_int8",
    "margin_scores": "Paddle's list has it as margin_cross_entropy",
    "p_norm": "Paddle's list has it as pnorm, which no operator of it is called",
    "quantize_linear": "as dequantize_linear",
    "to_int8": "its scales, as from_int8",
}
STRICTER |= {
    op.type: "whole numbers up to 127, and their scales, need more bits than a bfloat16 has"
    for op in registry.values()
    if op.type.startswith("fake_") or op.type == "moving_average_abs_max_scale"
}
KERNELS = {
    "as_complex", "cholesky", "data_norm", "determinant", "eig", "eigh", "fft_r2c", "inverse",
    "least_squares", "lu", "matrix_exp", "psroi_pool", "qr", "roi_align", "roi_pool",
    "sign_and_log_det", "slogdeterminant", "solve", "spectral_norm", "svd", "triangular_solve",
    "warpctc", "warprnnt", "yolov3_loss",
}  # fmt: skip  # what Paddle computes in float32 because it has no kernel of less
LOWER = {
    "linear": "Paddle's list has it as linear_v2",
    "weight_only_product": "a product, which Paddle calls weight_only_linear",
}
NONE_OF_ITS_BUSINESS = {"cast", "view_dtype", "check_finite_and_unscale", "update_loss_scaling"}


@pytest.fixture
def x():
    return paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)


@pytest.mark.parametrize("level", ["O1", "O2"])
def test_operators_are_in_the_precision_of_paddles_lists(level):
    chosen = Autocast(level, bfloat16)
    black = BLACK_O1 if level == "O1" else BLACK_O2
    differing = {}
    for op in registry.values():
        listed = "low" if op.type in WHITE else "full" if op.type in black else "promote"
        kind = chosen.kind_of(op).replace("high", "full")
        if kind != listed:
            differing[op.type] = kind
    stricter = {t for t, kind in differing.items() if kind == "full"}
    assert stricter <= STRICTER.keys() | KERNELS
    assert {t for t, kind in differing.items() if kind == "low"} == LOWER.keys()
    among_ranks = {o.type for o in registry.values() if ".collective." in o.__module__}
    kept = {t for t, kind in differing.items() if kind == "keep"}
    assert kept - among_ranks == NONE_OF_ITS_BUSINESS
    assert not {t for t, kind in differing.items() if kind == "promote"}


def test_every_reason_for_a_difference_is_of_an_operator():
    types = {op.type for op in registry.values()}
    assert STRICTER.keys() | KERNELS | LOWER.keys() | NONE_OF_ITS_BUSINESS <= types


def test_a_precision_that_there_is_not_is_refused():
    def nothing(x: Tensor) -> Tensor:
        """The same."""

    with pytest.raises(TypeError, match=r"no such precision: 'lowest'.*promote, low"):
        primitive(name="nothing", amp="lowest")(nothing)
    assert "nothing" not in registry
    assert PRECISIONS[0] == "promote"


def expected_dtype(kind, floats):
    """The dtype of operands by the class of precision; `floats` are those that count."""
    if kind == "low" or (kind == "promote" and float32 not in floats):
        return bfloat16
    return float32


class Spy(Autocast):
    """Remembers the operands of the first operator that it is asked for."""

    def cast(self, op, operands):
        found = super().cast(op, operands)
        if "seen" not in vars(self):
            object.__setattr__(self, "seen", (op, operands, found))
        return found


@every_sample(FLOATING)
def test_each_operand_is_in_the_precision_of_its_operator(op, sample):
    given = [a.astype(bfloat16.numpy) if n % 2 and is_float(a) else a for n, a in arrays(sample)]
    spy = Spy("O1", bfloat16)
    with under(autocast=spy), contextlib.suppress(TwinoarError):  # some take one dtype alone
        call(op, sample, [paddle.to_tensor(a) for a in given])
    op, before, after = spy.seen
    kind, names = spy.kind_of(op), op.operand_names(len(before))
    counted = op.rules.get("amp_operands", names)
    pairs = [
        (x, y, name in counted and x.dtype in (bfloat16, float32))
        for x, y, name in zip(before, after, names, strict=True)
        if isinstance(x, Value)
    ]
    wanted = expected_dtype(kind, {x.dtype for x, _, counts in pairs if counts})
    for x, y, counts in pairs:
        if kind == "keep" or not counts:
            assert y is x
        else:
            assert y.dtype is wanted
            np.testing.assert_array_equal(y.numpy(), x.astype(wanted).numpy())


def arrays(sample):
    return enumerate(arrays_of(sample))


@every_sample([p for p in FLOATING if p.values[1].half and not p.values[0].takes_blocks])
def test_results_are_those_of_a_program_under_the_same_cast(op, sample):
    if op.rules.get("effect") or op.name in ("uniform_random", "gaussian_random"):
        pytest.skip("it draws, or acts")
    tensors = [paddle.to_tensor(a) for a in arrays_of(sample)]

    def run(*given):
        with amp.auto_cast(dtype="bfloat16"):
            return call(op, sample, list(given))

    eager, static = run(*tensors), paddle.jit.to_static(run)(*tensors)
    eager = eager if isinstance(eager, tuple) else (eager,)
    static = static if isinstance(static, (tuple, list)) else (static,)
    assert [x.dtype for x in eager if x is not None] == [x.dtype for x in static if x is not None]


@pytest.mark.parametrize("low", LOWS)
def test_levels(x, low):
    layer = paddle.nn.LayerNorm(2)

    def dtypes():
        y = x @ x
        results = (y, paddle.exp(y), paddle.nn.functional.relu(y), y + x, layer(y))
        return [r.dtype.name for r in results]

    with amp.auto_cast(level="O1", dtype=low):
        assert dtypes() == [low, "float32", low, "float32", "float32"]
    with amp.auto_cast(level="O2", dtype=low):
        assert dtypes() == [low, low, low, "float32", low]
    with amp.auto_cast(level="O2", dtype=low, use_promote=False):
        assert dtypes() == [low, low, low, low, low]
    with amp.auto_cast(level="OD", dtype=low):
        assert dtypes() == [low, *["float32"] * 4]
    for off in ({"enable": False}, {"level": "O0"}):
        with amp.auto_cast(dtype=low, **off):
            assert dtypes() == ["float32"] * 5


def test_lists_move_operators(x):
    black, white = ["matmul_v2"], {"exp", "elementwise_add"}
    with amp.auto_cast(dtype="bfloat16", custom_black_list=black, custom_white_list=white):
        assert (x @ x).dtype == paddle.float32
        assert paddle.exp(x).dtype == paddle.bfloat16
        assert (x + x).dtype == paddle.bfloat16


def test_what_is_no_float32_stays(x):
    with amp.auto_cast(dtype="bfloat16"):
        double = x.astype("float64")
        assert double.dtype == paddle.float64
        assert (double @ double).dtype == paddle.float64
        assert paddle.to_tensor([1, 2]).sum().dtype == paddle.int64


def test_gradients_are_of_the_dtype_of_their_leaf(x):
    with amp.auto_cast(dtype="bfloat16"):
        y = (x @ x).sum()
    assert y.dtype == paddle.float32
    y.backward()
    assert x.grad.dtype == paddle.float32
    assert x.grad.tolist() == [[7.0, 11.0], [9.0, 13.0]]


def test_second_gradients_flow_through_casts():
    x = paddle.to_tensor([[2.0]], stop_gradient=False)
    with amp.auto_cast(dtype="bfloat16"):
        y = paddle.matmul(paddle.matmul(x, x), x).sum()
        (g,) = paddle.grad(y, x, create_graph=True)
    (h,) = paddle.grad(g.sum(), x)
    assert (g.item(), h.item()) == (12.0, 12.0)
    assert h.dtype == paddle.float32


def test_blocks_nest_and_end(x):
    assert not amp.is_autocast_enabled()
    with amp.auto_cast(dtype="bfloat16"):
        with amp.auto_cast(dtype="float16"):
            assert (amp.is_autocast_enabled(), amp.get_autocast_dtype()) == (True, "float16")
            assert (x @ x).dtype == paddle.float16
        with amp.auto_cast(enable=False):
            assert not amp.is_autocast_enabled()
            assert (x @ x).dtype == paddle.float32
        assert (x @ x).dtype == paddle.bfloat16
    assert (x @ x).dtype == paddle.float32


def test_other_threads_are_not_cast(x):
    found = []
    with amp.auto_cast(dtype="bfloat16"):
        in_threads([lambda: found.append((x @ x).dtype)])
    assert found == [paddle.float32]


def test_a_function_is_traced_once_for_each_precision(x):
    @paddle.jit.to_static
    def product(a):
        return a @ a

    assert product(x).dtype == paddle.float32
    for _ in range(2):
        with amp.auto_cast(dtype="bfloat16"):
            assert product(x).dtype == paddle.bfloat16
    assert product(x).dtype == paddle.float32
    assert len(product.program_cache.concrete_programs()) == 2


def test_casts_stand_in_the_program(x):
    program = paddle.static.Program()
    with paddle.static.program_guard(program):
        a = paddle.static.data("a", [2, 2])
        with amp.auto_cast(dtype="bfloat16"):
            b = paddle.matmul(a, a)
    assert [op.type for op in program.global_block().ops] == ["cast", "cast", "matmul_v2"]
    assert b.dtype == paddle.bfloat16


def test_a_decorated_function_is_cast(x):
    @amp.auto_cast(dtype="bfloat16")
    def product(a):
        return a @ a

    assert product(x).dtype == paddle.bfloat16
    assert not amp.is_autocast_enabled()


def test_torchs_spelling(x):
    with paddle.autocast("cpu", dtype="bfloat16"):
        assert (x @ x).dtype == paddle.bfloat16
    with paddle.autocast("cpu", enabled=False):
        assert (x @ x).dtype == paddle.float32


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"level": "O3"}, ArgumentError, "level among .*'O3'"),
        ({"dtype": "float64"}, ArgumentError, "dtype among .*'float64'"),
        ({"dtype": "int8"}, ArgumentError, "dtype among .*'int8'"),
        ({"custom_white_list": "relu"}, TypeMismatchError, "list of names"),
        (
            {"custom_white_list": ["relu"], "custom_black_list": {"relu"}},
            ArgumentError,
            r"share \['relu'\]",
        ),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message), amp.auto_cast(**arguments):
        pass
    assert not amp.is_autocast_enabled()


def test_a_name_of_no_operator_is_warned_of():
    with (
        pytest.warns(UserWarning, match="no operator is called matmull"),
        amp.auto_cast(custom_black_list={"matmull", "exp"}),
    ):
        pass


def test_an_error_in_the_block_ends_it(x):
    with pytest.raises(ZeroDivisionError), amp.auto_cast(dtype="bfloat16"):
        raise ZeroDivisionError
    assert (x @ x).dtype == paddle.float32


def test_units_of_processors():
    assert isinstance(amp.is_float16_supported(), bool)
    assert amp.is_bfloat16_supported("cpu") == amp.is_bfloat16_supported()
    assert amp.is_bfloat16_supported("gpu:0") is False
    with pytest.raises(ArgumentError, match="'tpu'"):
        amp.is_bfloat16_supported("tpu")


def test_optimizers_compute_as_without(x):
    parameter = paddle.create_parameter([2], "float32")
    sgd = paddle.optimizer.SGD(0.5, parameters=[parameter])
    with amp.auto_cast(dtype="bfloat16"):
        (parameter * parameter).sum().backward()
        with under(records=False):
            before = parameter.numpy()
        sgd.step()
    assert parameter.dtype == paddle.float32
    np.testing.assert_array_equal(parameter.numpy(), before - 0.5 * (before + before))
