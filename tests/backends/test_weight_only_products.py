"""Products with integers of 8 and 4 bits that have scales: native kernels against NumPy."""

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.contraction_calls import Call
from tests.backends.test_contraction import DTYPES, OTHER_TILES, normal, same
from twinoar.backends.llvm.contraction import plan
from twinoar.backends.llvm.contraction.tile import Shape
from twinoar.core.dtype import float32
from twinoar.core.op.library import WeightOnly
from twinoar.jit import to_static
from twinoar.nn.quant import weight_only_linear

FLOATS = [name for name in DTYPES if name != "float64"]
# Columns, k and the size of groups: single columns, parts of vectors and of blocks, some blocks.
SIZES = [(2, 1, -1), (2, 15, -1), (18, 33, -1), (130, 257, -1), (6, 128, 64), (74, 384, 128)]
BITS = [8, 4]


def weights(columns, inner, group, bits, dtype="float32"):
    """Integers as they are kept, their scales, and the matrix [K,N] in float64."""
    random = np.random.default_rng(5)
    numbers = random.integers(-(2 ** (bits - 1)), 2 ** (bits - 1), (columns, inner), np.int8)
    kept = (numbers[::2] & 15) + numbers[1::2] * 16 if bits == 4 else numbers
    groups = inner // group if group > 0 else 1
    scales = random.uniform(0.5, 2, (groups, columns)).astype(DTYPES[dtype])
    wide = np.repeat(scales.astype(np.float64), inner // groups, 0)
    return kept.astype(np.int8), scales if group > 0 else scales[0], numbers.T * wide


def product(x, kept, scales, bits, group, order=None, threads=1):
    shape = (*x.shape[:-1], scales.shape[-1])
    return Call(WeightOnly(bits, group), [x, kept, scales], shape, order, threads)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("count", [*range(1, 9), 21])
def test_some_rows_times_integers(count, size, bits, dtype):
    _, inner, group = size
    kept, scales, wide = weights(*size, bits, dtype)
    x = normal((count, inner), dtype)
    same(product(x, kept, scales, bits, group).run(), x.astype(np.float64) @ wide, dtype)


@pytest.mark.parametrize("tile", OTHER_TILES)
@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("size", SIZES[-2:], ids=str)
def test_with_the_registers_of_other_processors(size, bits, tile, monkeypatch):
    shape = Shape(float32, *OTHER_TILES[tile])
    monkeypatch.setattr(plan, "shape_of", lambda _dtype, _target: shape)
    kept, scales, wide = weights(*size, bits)
    x = normal((3, size[1]))
    same(product(x, kept, scales, bits, size[2]).run(), x @ wide)


@pytest.mark.parametrize("bits", BITS)
def test_operands_and_results_that_lie_otherwise(bits):
    kept, scales, wide = weights(6, 128, 64, bits)
    x = normal((128, 2, 3)).transpose(1, 2, 0)[::-1]
    others = [np.repeat(kept, 2, 1)[:, ::2], np.asfortranarray(kept), kept[::-1].copy()[::-1]]
    for weight in others:
        found = product(x, weight, np.asfortranarray(scales), bits, 64).run()
        same(found, x @ wide)
    same(product(x, kept, scales, bits, 64, order=(2, 0, 1)).run(), x @ wide)


@pytest.mark.parametrize("bits", BITS)
def test_results_do_not_depend_on_the_number_of_threads(bits):
    kept, scales, _ = weights(300, 384, 64, bits)
    x = normal((3, 384))
    alone = product(x, kept, scales, bits, 64).run().copy()
    for threads in (2, 3):
        found = product(x, kept, scales, bits, 64, threads=threads).run()
        np.testing.assert_array_equal(found, alone)


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("group", [-1, 64])
def test_programs_run_them_as_one_operator_for_any_number_of_rows(group, bits):
    kept, scales, wide = weights(10, 128, group, bits)
    integers, factors = map(paddle.to_tensor, (kept, scales))

    def linear(x):
        return weight_only_linear(x, integers, None, factors, f"int{bits}", None, group)

    spec = paddle.static.InputSpec([None, None, 128])
    run = to_static(linear, input_spec=[spec], full_graph=True)
    for count in (1, 5, 12):
        x = normal((2, count, 128))
        same(run(paddle.to_tensor(x)).numpy(), x @ wide)
    told = run.explain()
    assert "weight_only_product" in told
    assert "host commands: 0" in told
