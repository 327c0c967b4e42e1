"""The bits of a tensor as elements of another dtype."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.errors import GradientError, ShapeError

NAMES = [
    *("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"),
    *("complex64", "complex128"),
]


@pytest.mark.parametrize("wanted", NAMES)
@pytest.mark.parametrize("own", NAMES)
def test_all_pairs_are_numpys(own: str, wanted: str) -> None:
    data = np.random.default_rng(0).integers(0, 100, (3, 16)).astype(own)
    found = paddle.to_tensor(data).view(wanted)
    assert found.dtype.name == wanted
    np.testing.assert_array_equal(found.numpy().view("uint8"), data.view(wanted).view("uint8"))
    traced = paddle.jit.to_static(lambda x: x.view(wanted))(paddle.to_tensor(data))
    np.testing.assert_array_equal(traced.numpy().view("uint8"), data.view("uint8"))


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_all_bits_of_16_stay_as_they_are_in_compiled_programs(dtype: type, monkeypatch) -> None:
    monkeypatch.setattr(config, "strict", True)
    bits = np.arange(1 << 16, dtype=np.uint16).view(np.int16)
    name = np.dtype(dtype).name
    there = paddle.jit.to_static(lambda x: x.view(name))(paddle.to_tensor(bits))
    np.testing.assert_array_equal(there.numpy().view(np.int16), bits)
    back = paddle.jit.to_static(lambda x: x.view("int16"))(paddle.to_tensor(bits.view(dtype)))
    np.testing.assert_array_equal(back.numpy(), bits)


def test_bits_as_truth_values_are_true_where_there_are_any() -> None:
    assert paddle.to_tensor([0, 1, 7], "uint8").view("bool").tolist() == [False, True, True]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ShapeError, match="does not hold a whole number of elements of int64"):
        paddle.ones([2, 3]).view("int64")
    with pytest.raises(ShapeError, match="a number of 4 bytes has no view as uint8"):
        paddle.ones([]).view("uint8")


def test_the_gradient_of_parts_is_that_of_the_number() -> None:
    x = paddle.to_tensor([1 + 2j, 3j], stop_gradient=False)
    (x.view("float32") * paddle.to_tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad.tolist() == [1 + 2j, 3 + 4j]


def test_bits_have_no_gradient() -> None:
    x = paddle.ones([2])
    x.stop_gradient = False
    with pytest.raises(GradientError, match="have no gradient"):
        x.view("float64").sum().backward()
