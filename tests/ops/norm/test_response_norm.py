"""Local response normalization: the numbers of Paddle 2.6.2."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError

F = paddle.nn.functional


def waves(*shape: int, offset: float = 0.0) -> paddle.Tensor:
    numbers = np.sin(np.arange(np.prod(shape)) + offset).reshape(shape)
    return paddle.to_tensor(numbers.astype("float32"))


@pytest.mark.parametrize(
    ("x", "arguments", "expected"),
    [
        (waves(1, 4, 1, 1), {"size": 3, "alpha": 1.0}, [0.0, 0.6172, 0.6648, 0.1171]),
        (
            waves(1, 2, 3),
            {"size": 2, "alpha": 0.5, "beta": 0.5, "k": 2.0, "data_format": "NLC"},
            [0.0, 0.5703, 0.5889, 0.0997, -0.5164, -0.6225],
        ),
    ],
)
def test_channels_are_divided_by_their_neighbors(x, arguments, expected) -> None:
    out = F.local_response_norm(x, **arguments)
    np.testing.assert_allclose(out.numpy().reshape(-1), expected, atol=1e-4)


@pytest.mark.parametrize(
    ("shape", "size", "error"), [((2, 2), 3, ShapeError), ((1, 2, 2), 0, ArgumentError)]
)
def test_what_does_not_fit_is_refused(shape, size: int, error) -> None:
    with pytest.raises(error):
        F.local_response_norm(waves(*shape), size)
