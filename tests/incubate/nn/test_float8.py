"""Numbers as floats of 8 bits with a scale for each block, against NumPy's arithmetic."""

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from twinoar import jit
from twinoar.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from twinoar.incubate.nn import functional as F

SMALL = ml_dtypes.float8_e4m3fn


def given(*shape, seed=0):
    """Rows of different magnitudes; the second is of zeros."""
    random = np.random.default_rng(seed)
    x = random.normal(size=shape) * 10.0 ** random.integers(
        -3, 3, (shape[0], *[1] * len(shape[1:]))
    )
    x[1:2] = 0
    return x.astype(np.float32)


def rounded(x, rows, is_power):
    """Each block by a loop: float8 as float32, and scales."""
    m, n = x.shape
    small = np.zeros((m, n), np.float32)
    scales = np.zeros((-(-m // rows), -(-n // 128)), np.float32)
    for i in range(scales.shape[0]):
        for j in range(scales.shape[1]):
            block = (slice(i * rows, (i + 1) * rows), slice(j * 128, (j + 1) * 128))
            largest = np.abs(x[block]).max()
            factor = np.float32(448) / largest if largest else np.float32(1)
            if is_power:
                factor = np.float32(2.0 ** (np.frexp(factor)[1] - 1))
            small[block] = np.clip(x[block] * factor, -448, 448).astype(SMALL)
            scales[i, j] = 1 / factor
    return small, scales


def equal(found, wanted):
    np.testing.assert_array_equal(found.astype("float32").numpy(), wanted)


@pytest.mark.parametrize("way", ["eager", "compiled"])
@pytest.mark.parametrize("is_power", [False, True])
@pytest.mark.parametrize("method", ["1x128", "128x128"])
@pytest.mark.parametrize("shape", [(256, 384), (5, 300), (1, 1)])
def test_blocks_are_rounded(shape, method, is_power, way):
    x, rows = given(*shape), int(method.split("x")[0])

    def call(x):
        return F.fp8_quant_blockwise(
            x, quant_method=method, using_pow2_scale=is_power, input_transpose=True
        )

    found = (jit.to_static(call) if way == "compiled" else call)(paddle.to_tensor(x))
    assert [t.dtype for t in found] == ["float8_e4m3fn", "float32"] * 2
    for n, wanted in enumerate((x, x.T)):
        small, scale = rounded(wanted, rows, is_power)
        equal(found[2 * n], small)
        equal(found[2 * n + 1], scale.T)
    again = F.fp8_quant_blockwise(
        paddle.to_tensor(x),
        quant_method=method,
        using_pow2_scale=is_power,
        input_transpose=True,
        return_transpose_only=True,
        output_scale_transpose=False,
    )
    equal(again[0], small)
    equal(again[1], scale)


def test_epsilon_is_the_least_magnitude():
    x = paddle.to_tensor(given(4, 128))
    assert F.fp8_quant_blockwise(x, 448.0, using_pow2_scale=False)[1].min().item() == 1.0


@pytest.mark.parametrize("method", ["1x128", "128x128"])
def test_exponents_stand_for_powers(method):
    x = paddle.to_tensor(given(130, 700))
    call = {"quant_method": method, "output_scale_transpose": False}
    small, scale = F.fp8_quant_blockwise(x, **call)
    same, packed = F.fp8_quant_blockwise(x, using_ue8m0_scale=True, **call)
    assert (packed.dtype, packed.shape) == ("int32", [130, 2])
    equal(same, small.astype("float32").numpy())
    exponents = packed.numpy().view(np.uint8)[:, :6].astype(np.float32)
    rows = 1 if method == "1x128" else 128
    wanted = np.repeat(scale.numpy(), rows, 0)[:130]
    np.testing.assert_array_equal(2.0 ** (exponents - 127), wanted)
    found = F.fused_act_dequant(same, packed)
    assert found.dtype == "bfloat16"
    wide = small.astype("float32").numpy() * np.repeat(wanted, 128, 1)[:, :700]
    equal(found, wide.astype(ml_dtypes.bfloat16).astype(np.float32))


@pytest.mark.parametrize("one", [True, False])
@pytest.mark.parametrize("other", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_products_multiply_by_scales(one, other, dtype):
    parts, wide = [], []
    for seed, is_1d, m in ((0, one, 200), (1, other, 130)):
        x = paddle.to_tensor(given(m, 300, seed=seed))
        rows = 1 if is_1d else 128
        small, scale = F.fp8_quant_blockwise(
            x,
            quant_method="1x128" if is_1d else "128x128",
            output_scale_transpose=is_1d,
            using_pow2_scale=False,
        )
        parts += [small, scale]
        scale = scale.numpy().T if is_1d else scale.numpy()
        each = np.repeat(np.repeat(scale, rows, 0), 128, 1)[:m, :300]
        wide.append(small.astype("float32").numpy().astype(np.float64) * each)
    wanted = wide[0] @ wide[1].T
    flags = {"is_a_1d_scaled": one, "is_b_1d_scaled": other}
    found = F.fp8_gemm_blockwise(*parts, dtype, **flags)
    assert found.dtype == dtype
    near = {"rtol": 1e-2 if dtype == "bfloat16" else 1e-4, "atol": 1e-4 * np.abs(wanted).max()}
    np.testing.assert_allclose(found.astype("float32").numpy(), wanted, **near)
    out = paddle.ones([200, 130], dtype)
    same = F.fp8_gemm_blockwise(*parts, dtype, out=out, accumulate=True, **flags)
    assert same is out
    np.testing.assert_allclose(out.astype("float32").numpy(), wanted + 1, **near)


@pytest.mark.parametrize("transpose", [True, False])
def test_stacked_matrices_are_rounded_by_squares(transpose):
    matrices = [given(256, 128, seed=seed) for seed in range(3)]
    small, scale = F.fused_stack_transpose_quant([paddle.to_tensor(x) for x in matrices], transpose)
    wanted = rounded(np.concatenate([x.T if transpose else x for x in matrices]), 128, False)
    equal(small, wanted[0])
    equal(scale, wanted[1])


@pytest.mark.parametrize("is_power", [False, True])
def test_tokens_of_experts_are_columns(is_power):
    x, counts = given(384, 70), [128, 0, 256]
    small, scale = rounded(np.ascontiguousarray(x.T), 1, is_power)
    ends = np.cumsum(counts)[:-1]
    found = F.fused_transpose_split_quant(paddle.to_tensor(x), None, counts, is_power)
    for a, b in zip(found[0], np.split(small, ends, 1), strict=True):
        equal(a, b)
    for a, b in zip(found[1], np.split(scale.T, ends // 128, 0), strict=True):
        equal(a, b)
    quantized = F.fp8_quant_blockwise(paddle.to_tensor(x), output_scale_transpose=False)
    again = F.fused_transpose_split_quant(*quantized, counts, is_power)
    assert [t.shape for t in again[0]] == [[70, 128], [70, 0], [70, 256]]
    turned = paddle.to_tensor(x.reshape(3, 2, 64, 70).transpose(1, 0, 2, 3).copy())
    same = F.fused_transpose_wlch_split_quant(turned, counts, is_power)
    for a, b in zip(same[0] + same[1], found[0] + found[1], strict=True):
        equal(a, b.astype("float32").numpy())
    assert F.fused_transpose_split_quant(paddle.ones([0, 3]), None, [0]) == ([], [])


@pytest.mark.parametrize("is_power", [False, True])
def test_gated_rows_are_weighted_and_rounded(is_power):
    x, weight = given(6, 2 * 200).reshape(2, 3, 400), given(2, 3).astype(np.float32)
    gate, value = np.split(x.reshape(6, 400).astype(np.float64), 2, 1)
    wide = gate / (1 + np.exp(-gate)) * value * weight.reshape(6, 1)
    small, scale = F.fused_weighted_swiglu_act_quant(
        paddle.to_tensor(x), paddle.to_tensor(weight), is_power
    )
    assert (small.shape, scale.shape) == ([6, 200], [6, 2])
    back = small.astype("float32").numpy() * np.repeat(scale.numpy(), 128, 1)[:, :200]
    largest = np.abs(wide).max(1, keepdims=True)
    np.testing.assert_array_less(np.abs(back - wide), np.abs(wide) / 16 + largest / 1e5 + 1e-30)


def test_dispatched_rows_are_rounded():
    x, gates = paddle.to_tensor(given(8, 200)), paddle.rand([8, 4])
    rows, *others = F.moe_gate_dispatch(x, gates, None, 2, 3, True)
    small, scale, *found = F.moe_gate_dispatch_and_quant(x, gates, None, 2, 3, True, True)
    wanted = rounded(rows.numpy(), 1, True)
    equal(small, wanted[0])
    equal(scale, wanted[1])
    for a, b in zip(found, others, strict=True):
        equal(a, b.astype("float32").numpy())


ONE = paddle.ones([1, 1])


@pytest.mark.parametrize(
    ("error", "match", "call"),
    [
        (ShapeError, "expected 2 dimensions", lambda: F.fp8_quant_blockwise(paddle.ones([3]))),
        (DTypeError, "floating", lambda: F.fp8_quant_blockwise(paddle.ones([2, 2], "int32"))),
        (ArgumentError, "quant_method", lambda: F.fp8_quant_blockwise(ONE, quant_method="2")),
        (UnsupportedError, "output_type", lambda: F.fp8_quant_blockwise(ONE, output_type="e5m2")),
        (ShapeError, "has scales", lambda: F.fused_act_dequant(ONE, paddle.ones([2, 1]))),
        (UnsupportedError, "bias", lambda: F.fp8_gemm_blockwise(*[ONE] * 4, "float32", bias=ONE)),
        (
            ShapeError,
            "out must be",
            lambda: F.fp8_gemm_blockwise(*[ONE] * 4, "float32", paddle.ones([2])),
        ),
        (ShapeError, "multiples of 128", lambda: F.fused_stack_transpose_quant([ONE])),
        (ArgumentError, "add up to 1", lambda: F.fused_transpose_split_quant(ONE, None, [1])),
        (
            ShapeError,
            "expected 4 dimensions",
            lambda: F.fused_transpose_wlch_split_quant(ONE, [0]),
        ),
        (ShapeError, "must be even", lambda: F.fused_weighted_swiglu_act_quant(ONE)),
        (
            ShapeError,
            "prob must have",
            lambda: F.fused_weighted_swiglu_act_quant(paddle.ones([1, 2]), paddle.ones([2])),
        ),
    ],
)
def test_what_does_not_fit_is_refused(error, match, call):
    with pytest.raises(error, match=match):
        call()
