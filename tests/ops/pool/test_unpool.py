"""Max pooling undone: every maximum is back in its place."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, AxisError, ShapeError

F = paddle.nn.functional


def numbers(*shape: int) -> paddle.Tensor:
    return paddle.to_tensor(np.random.default_rng(0).standard_normal(shape).astype("float32"))


@pytest.mark.parametrize(
    ("rank", "size", "window"),
    [(1, (9,), (2,)), (2, (6, 8), (2,)), (2, (7, 7), (3, 2, 1)), (3, (4, 4, 6), (2,))],
)
def test_maxima_are_where_they_were_and_zeros_elsewhere(rank: int, size, window) -> None:
    x = numbers(2, 3, *size)
    pooled, places = getattr(F, f"max_pool{rank}d")(x, *window, return_mask=True)
    out = getattr(F, f"max_unpool{rank}d")(pooled, places, *window, output_size=list(size))
    assert out.shape == x.shape
    kept = out.numpy() != 0
    assert np.array_equal(out.numpy()[kept], x.numpy()[kept])
    assert set(out.numpy()[kept]) == set(pooled.numpy().reshape(-1))


def test_the_gradient_is_read_where_maxima_are() -> None:
    x = paddle.to_tensor([[[[5.0]]]], stop_gradient=False)
    place = paddle.to_tensor([[[[2]]]], dtype="int32")
    weight = paddle.to_tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    (F.max_unpool2d(x, place, 2) * weight).sum().backward()
    assert x.grad.item() == 3.0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"output_size": [9, 9]}, ArgumentError, "cannot have been pooled to this size"),
        ({"data_format": "NHWC"}, ArgumentError, "channels first"),
        ({"indices": np.array([[[[7]]]], "int32")}, AxisError, "out of range"),
        ({"indices": np.array([[[[1, 2]]]], "int32")}, ShapeError, "one shape"),
    ],
)
def test_what_does_not_fit_is_refused(options, error, message: str) -> None:
    indices = paddle.to_tensor(options.pop("indices", np.array([[[[1]]]], "int32")))
    with pytest.raises(error, match=message):
        F.max_unpool2d(numbers(1, 1, 1, 1), indices, 2, **options)
