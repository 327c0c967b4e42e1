"""Window functions against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, DTypeError

WINDOWS = {
    "hann_window": np.hanning,
    "hamming_window": np.hamming,
    "blackman_window": np.blackman,
    "bartlett_window": np.bartlett,
    "kaiser_window": lambda n: np.kaiser(n, 12.0),
}


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("length", [0, 1, 2, 7, 8])
def test_windows_are_numpys(name: str, length: int) -> None:
    window, expected = getattr(paddle, name), WINDOWS[name]
    found = window(length, False, dtype="float64")
    np.testing.assert_allclose(found.numpy(), expected(length), atol=1e-15)
    longer = expected(length + 1)[:-1] if length > 1 else expected(length)
    np.testing.assert_allclose(window(length).numpy(), longer, atol=1e-7)
    assert window(length).dtype.name == "float32"


def test_shapes_of_windows_have_numbers() -> None:
    found = paddle.hamming_window(4, alpha=0.4, beta=0.3)
    np.testing.assert_allclose(found.numpy(), [0.1, 0.4, 0.7, 0.4], rtol=1e-6)
    np.testing.assert_allclose(paddle.kaiser_window(3, beta=0.0).numpy(), 1.0)


def test_a_window_may_want_a_gradient() -> None:
    assert paddle.hann_window(4).stop_gradient
    assert not paddle.hann_window(4, requires_grad=True).stop_gradient


def test_windows_refuse() -> None:
    with pytest.raises(ArgumentError, match="0 or more"):
        paddle.hann_window(-1)
    with pytest.raises(DTypeError, match="has a floating dtype"):
        paddle.hann_window(4, dtype="int32")


def test_a_window_in_a_program() -> None:
    program = paddle.jit.to_static(lambda x: x * paddle.hann_window(4))
    assert program(paddle.ones([4])).tolist() == paddle.hann_window(4).tolist()
