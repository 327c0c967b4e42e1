"""Bits of numbers in compiled Programs: signs, neighbors, parts, shifts."""

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle

ALL_16_BITS = np.arange(1 << 16, dtype=np.uint16)
FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


def numbers(dtype):
    """All floats of 16 bits; floats of random bits and special ones for the wider."""
    if np.dtype(dtype).itemsize == 2:
        return ALL_16_BITS.view(dtype)
    words = np.random.default_rng(0).integers(0, 256, (4096, np.dtype(dtype).itemsize), np.uint8)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, np.finfo(dtype).smallest_subnormal]
    return np.concatenate([words.view(dtype).reshape(-1), np.array(special, dtype)])


def compiled(function, *arrays):
    found = paddle.jit.to_static(function)(*map(paddle.to_tensor, arrays))
    parts = found if isinstance(found, (tuple, list)) else (found,)
    return [x.numpy() for x in parts]


def equal(found, wanted):
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found.astype("float64"), wanted.astype("float64"))
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


@pytest.mark.parametrize("dtype", FLOATS)
def test_neighbors_are_numpys_towards_all_kinds_of_numbers(strict, dtype):
    x = numbers(dtype)
    for y in [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0]:
        other = np.full_like(x, y)
        (found,) = compiled(paddle.nextafter, x, other)
        with np.errstate(all="ignore"):
            wanted = np.nextafter(x, other)
        is_nan = np.isnan(wanted)
        np.testing.assert_array_equal(np.isnan(found), is_nan)
        kept = ~is_nan & (x != y)  # NumPy's float16 keeps the zero that it comes from
        equal(found[kept], wanted[kept])


@pytest.mark.parametrize("dtype", FLOATS)
def test_signs_are_numpys_of_all_numbers(strict, dtype):
    x = numbers(dtype)
    (found,) = compiled(paddle.signbit, x)
    np.testing.assert_array_equal(found, np.signbit(x))
    np.testing.assert_array_equal(paddle.signbit(paddle.to_tensor(x)).numpy(), np.signbit(x))
    (found,) = compiled(paddle.copysign, np.abs(x), x)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(x))
    kept = x == x
    equal(found[kept], x[kept])


@pytest.mark.parametrize("dtype", FLOATS)
def test_mantissas_and_exponents_are_numpys(strict, dtype):
    x = numbers(dtype)
    x = x[x == x]
    for found, wanted in zip(compiled(paddle.frexp, x), np.frexp(x), strict=True):
        equal(found, wanted.astype(dtype))


@pytest.mark.parametrize("is_arithmetic", [True, False])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
def test_shifts_of_any_length_are_numpys(strict, dtype, is_arithmetic):
    info = np.iinfo(dtype)
    x = np.random.default_rng(1).integers(info.min, info.max, 256, dtype, endpoint=True)
    by = np.arange(256) % 140 - (0 if dtype == "uint8" else 10)
    by = by.clip(info.min, info.max).astype(dtype)

    def shifted(x, y):
        right = paddle.bitwise_right_shift(x, y, is_arithmetic)
        return paddle.bitwise_left_shift(x, y), right

    eagerly = shifted(paddle.to_tensor(x), paddle.to_tensor(by))
    for found, wanted in zip(compiled(shifted, x, by), eagerly, strict=True):
        np.testing.assert_array_equal(found, wanted.numpy())
    np.testing.assert_array_equal(eagerly[0].numpy(), np.left_shift(x, by))


def test_the_sign_of_an_integer_keeps_all_its_digits():
    x = np.array([2**60 + 1, -(2**60) - 1])
    for y in (1, -1):
        assert paddle.copysign(paddle.to_tensor(x), y).tolist() == [y * (2**60 + 1)] * 2
