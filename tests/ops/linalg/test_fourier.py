"""Fourier transforms against NumPy's, and their gradients against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.ops.slope import require_slope

RANDOM = np.random.default_rng(0)
REAL = RANDOM.standard_normal((3, 4, 5))
COMPLEX = REAL + 1j * RANDOM.standard_normal((3, 4, 5))
NORMS = ["backward", "ortho", "forward"]
OF_ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
OF_TWO = [f"{kind}2" for kind in OF_ONE]


def given(kind: str) -> np.ndarray:
    return REAL if kind.startswith(("rfft", "ihfft")) else COMPLEX


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("kind", OF_ONE)
@pytest.mark.parametrize(("n", "axis"), [(None, -1), (3, 0), (8, 1)])
def test_transform_along_an_axis_is_numpys(kind: str, n: int | None, axis: int, norm: str) -> None:
    x = given(kind)
    found = getattr(paddle.fft, kind)(paddle.to_tensor(x), n, axis, norm).numpy()
    np.testing.assert_allclose(found, getattr(np.fft, kind)(x, n, axis, norm), atol=1e-12)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("kind", ["fft", "ifft", "rfft", "irfft"])
@pytest.mark.parametrize("s", [None, (2, 6)])
def test_transform_over_axes_is_numpys(kind: str, s: tuple[int, int] | None, norm: str) -> None:
    x = given(kind)
    for suffix in "2n":
        name, axes = kind + suffix, (-2, -1)
        found = getattr(paddle.fft, name)(paddle.to_tensor(x), s, axes, norm).numpy()
        expected = getattr(np.fft, name)(x, s, axes, norm)
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_hermitian_transforms_over_axes_undo_each_other() -> None:
    x = paddle.to_tensor(REAL)
    half = paddle.fft.ihfftn(x)
    np.testing.assert_allclose(paddle.fft.hfftn(half, [3, 4, 5]).numpy(), REAL, atol=1e-12)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("kind", OF_TWO)
def test_gradient_is_the_slope(kind: str, norm: str) -> None:
    function = getattr(paddle.fft, kind)
    require_slope(lambda x: function(x, norm=norm), given(kind)[0, :, :3])


@pytest.mark.parametrize(("kind", "n"), [("irfft", 5), ("irfft", 2), ("hfft", 6), ("rfft", 6)])
def test_gradient_of_a_fitted_transform_is_the_slope(kind: str, n: int) -> None:
    function = getattr(paddle.fft, kind)
    require_slope(lambda x: function(x, n, 0), given(kind)[0, :, :2])


def test_shapes_in_a_program_with_an_unknown_batch() -> None:
    paddle.enable_static()
    try:
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            x = paddle.static.data("x", [None, 4], "float32")
            out = paddle.fft.irfft(paddle.fft.rfft(x))
        (found,) = paddle.static.Executor().run(
            program, {"x": REAL[0, :3, :4].astype("float32")}, [out]
        )
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, REAL[0, :3, :4], atol=1e-6)


@pytest.mark.parametrize("n", [4, 5])
def test_frequencies_and_shifts_are_numpys(n: int) -> None:
    x = paddle.to_tensor(REAL[:, :, :n])
    np.testing.assert_allclose(paddle.fft.fftfreq(n, 0.5).numpy(), np.fft.fftfreq(n, 0.5))
    np.testing.assert_allclose(paddle.fft.rfftfreq(n, 0.5).numpy(), np.fft.rfftfreq(n, 0.5))
    np.testing.assert_array_equal(paddle.fft.fftshift(x).numpy(), np.fft.fftshift(x.numpy()))
    shifted = paddle.fft.ifftshift(x, [0, 2]).numpy()
    np.testing.assert_array_equal(shifted, np.fft.ifftshift(x.numpy(), (0, 2)))


def test_wrong_arguments_are_refused() -> None:
    x = paddle.to_tensor(REAL)
    with pytest.raises(paddle.errors.ArgumentError, match="norm must be"):
        paddle.fft.fft(x, norm="other")
    with pytest.raises(paddle.errors.ArgumentError, match="size 1 or more"):
        paddle.fft.fft(x, 0)
    with pytest.raises(paddle.errors.DTypeError, match="must be one of"):
        paddle.fft.rfft(paddle.to_tensor(COMPLEX))
