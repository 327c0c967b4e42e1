"""Fourier transforms as compiled loops: beside direct sums, and the same bits each time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.test_native_linalg import compiled
from twinoar.backends.host import host
from twinoar.backends.native.executable import NativeExecutable
from twinoar.core.dtype import BY_NUMPY
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.spec import Spec
from twinoar.ops.linalg.fourier import fft_c2c, fft_c2r, fft_r2c

pytestmark = pytest.mark.usefixtures("one_pass_for_most", "strict")

LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 12, 30, 49, 53, 64, 77, 101, 128, 360, 509, 1024, 1331]
REAL_OF = {"complex64": "float32", "complex128": "float64"}


def numbers(dtype: str, *shape: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape) if "complex" in dtype else x).astype(dtype)


def direct(x: np.ndarray, sign: int) -> np.ndarray:
    """The sums that define transforms of rows, in long doubles."""
    n = x.shape[-1]
    turns = np.outer(np.arange(n), np.arange(n)) % n
    angles = turns.astype(np.longdouble) * (8 * np.arctan(np.longdouble(1)) / n)
    roots = np.cos(angles) + sign * 1j * np.sin(angles)
    return x.astype(np.clongdouble) @ roots


def within(found: np.ndarray, expected: np.ndarray, n: int) -> None:
    """The relative error is at most that of a fast transform."""
    error = float(np.linalg.norm((found - expected).ravel()))
    eps = float(np.finfo(found.dtype).eps)
    bound = eps * max(1.0, np.log2(n)) * float(np.linalg.norm(expected.ravel()))
    assert error <= bound, (error, bound)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("n", LENGTHS)
def test_transform_of_any_length_is_the_sum_that_defines_it(n: int, dtype: str) -> None:
    x = numbers(dtype, 3, n)
    within(compiled(lambda v: paddle.fft.fft(v), x)[0], direct(x, -1), n)
    within(compiled(lambda v: paddle.fft.ifft(v), x)[0], direct(x, 1) / n, n)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("n", [1, 2, 3, 8, 15, 53, 60])
def test_transform_of_real_numbers_is_half_of_the_whole(n: int, dtype: str) -> None:
    x = numbers(REAL_OF[dtype], 3, n)
    half = direct(x, -1)[:, : n // 2 + 1]
    found = compiled(lambda v: paddle.fft.rfft(v), x)[0]
    assert found.dtype == dtype
    within(found, half, n)
    within(compiled(lambda v: paddle.fft.ihfft(v), x)[0], np.conj(half) / n, n)
    if n > 1:
        back = compiled(lambda v: paddle.fft.irfft(v, n), half.astype(dtype))[0]
        assert back.dtype == x.dtype
        within(back, x, n)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((1, 1 << 14), 1),
        ((2, 3 * 5 * 7 * 81), 1),
        ((8200, 3), 0),
        ((1, 9000, 2), 1),
        ((1, 8209), 1),
    ],
)
def test_long_lines_are_transformed_as_exactly(
    shape: tuple[int, ...], axis: int, dtype: str
) -> None:
    x = numbers(dtype, *shape)
    n = shape[axis]
    exact = x.astype(np.clongdouble)
    within(compiled(lambda v: paddle.fft.fft(v, axis=axis), x)[0], np.fft.fft(exact, axis=axis), n)
    back = compiled(lambda v: paddle.fft.ifft(v, axis=axis), x)[0]
    within(back, np.fft.ifft(exact, axis=axis), n)
    real = x.real.copy()
    wanted = np.fft.fft(real.astype(np.longdouble), axis=axis)
    whole = compiled(lambda v: fft_r2c(v, (axis,), "backward", True, False), real)[0]
    within(whole, wanted, n)
    half = compiled(lambda v: paddle.fft.rfft(v, axis=axis), real)[0]
    kept = np.moveaxis(np.moveaxis(wanted, axis, 0)[: n // 2 + 1], 0, axis)
    within(half, kept, n)
    within(compiled(lambda v: paddle.fft.irfft(v, n, axis), kept.astype(dtype))[0], real, n)


@pytest.mark.parametrize("n", [1, 3, 4, 7, 8, 20])
def test_numbers_that_symmetry_leaves_no_use_for_do_not_count(n: int) -> None:
    x = numbers("complex128", 2, 5)  # imaginary parts at both ends; too many, or too few
    np.testing.assert_allclose(
        compiled(lambda v: fft_c2r(v, (1,), "backward", False, n), x)[0],
        np.fft.irfft(x, n),
        atol=1e-14,
    )


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("axes", [(0,), (1,), (-1, 0), (2, 0, 1)])
@pytest.mark.parametrize("op", [fft_c2c, fft_r2c, fft_c2r])
def test_axes_and_norms_are_the_kernels(
    op: Any, axes: tuple[int, ...], forward: bool, norm: str
) -> None:
    x = numbers("float64" if op is fft_r2c else "complex128", 6, 20, 3)
    last = {fft_c2c: (), fft_r2c: (True,), fft_c2r: (7,)}[op]
    np.testing.assert_allclose(
        compiled(lambda v: op(v, axes, norm, forward, *last), x)[0],
        op.kernel_rule(x, axes, norm, forward, *last),
        atol=1e-11,
    )


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0)])
def test_transforms_of_nothing_are_the_kernels(shape: tuple[int, int]) -> None:
    cases = [
        (fft_c2c, numbers("complex64", *shape), ()),
        (fft_r2c, numbers("float32", *shape), (True,)),
        (fft_c2r, numbers("complex64", *shape), (5,)),
    ]
    for op, x, last in cases:
        found = compiled(lambda v, op=op, last=last: op(v, (1,), "backward", True, *last), x)[0]
        np.testing.assert_array_equal(found, op.kernel_rule(x, (1,), "backward", True, *last))


def program_of(function: Any, x: np.ndarray) -> Program:
    program = Program()
    with using(Builder(program)):
        given = program.main.add_input(Spec(x.shape, BY_NUMPY[x.dtype]), "x")
        program.main.outputs = [function(given)]
    return program


@pytest.mark.parametrize(
    ("shape", "axis"), [((300, 60), 1), ((60, 300), 0), ((2, 101), 1), ((40000,), 0), ((5003,), 0)]
)
def test_transforms_are_the_same_bits_with_any_number_of_threads(
    shape: tuple[int, ...], axis: int
) -> None:
    x = numbers("complex64", *shape)
    program = program_of(lambda v: fft_c2c(v, (axis,)), x)
    found = [
        np.array(NativeExecutable(program, replace(host(), threads=k)).execute([x], [])[0][0])
        for k in (1, 2, 3, 2)
    ]
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])
    within(found[0], np.fft.fft(x.astype("complex128"), axis=axis), shape[axis])


@pytest.mark.parametrize(("shape", "axis"), [((300, 60), 1), ((60, 300), 0), ((40000,), 0)])
def test_transforms_of_real_numbers_are_the_same_bits_with_any_number_of_threads(
    shape: tuple[int, ...], axis: int
) -> None:
    x = numbers("float32", *shape)
    program = program_of(lambda v: fft_r2c(v, (axis,)), x)
    found = [
        np.array(NativeExecutable(program, replace(host(), threads=k)).execute([x], [])[0][0])
        for k in (1, 2, 3, 2)
    ]
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


def test_a_part_of_a_line_is_transformed_wherever_it_begins() -> None:
    x = numbers("float64", 9)
    for start in (0, 1):
        found = compiled(lambda v, start=start: paddle.fft.rfft(v[start : start + 8]), x)[0]
        np.testing.assert_allclose(found, np.fft.rfft(x[start : start + 8]), atol=1e-14)


def test_a_nan_stays_in_its_line() -> None:
    x = numbers("complex64", 40, 24)
    x[7, 3] = np.nan
    found = compiled(lambda v: paddle.fft.fft(v), x)[0]
    assert np.isnan(found[7]).all()
    assert np.isfinite(np.delete(found, 7, axis=0)).all()
