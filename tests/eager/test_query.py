"""Questions about values, dtypes and the installation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import twinoar
from twinoar import to_tensor
from twinoar.core.dtype import ALL
from twinoar.errors import DTypeError, TypeMismatchError


def test_is_tensor() -> None:
    assert twinoar.is_tensor(to_tensor(1))
    assert to_tensor(1).is_tensor()
    assert not twinoar.is_tensor(np.ones(1))


@pytest.mark.parametrize(
    "question, true_of",
    [
        (twinoar.is_floating_point, {"float16", "bfloat16", "float32", "float64"}),
        (twinoar.is_integer, {"int8", "uint8", "int16", "int32", "int64"}),
        (twinoar.is_complex, {"complex64", "complex128"}),
    ],
)
@pytest.mark.parametrize(
    "dtype",
    [d.name for d in ALL],
)
def test_kinds_of_dtype(question: Callable, true_of: set, dtype: str) -> None:
    x = twinoar.zeros([1], dtype)
    assert question(x) is (dtype in true_of)
    assert getattr(x, question.__name__)() is (dtype in true_of)


def test_limits_of_floats() -> None:
    limits = twinoar.finfo("float32")
    assert (float(limits.max), limits.bits) == (np.finfo(np.float32).max, 32)
    assert float(twinoar.finfo("bfloat16").eps) == 2.0**-7


def test_limits_of_integers() -> None:
    assert (twinoar.iinfo("uint8").min, twinoar.iinfo("uint8").max) == (0, 255)


@pytest.mark.parametrize(
    "limits, dtype", [(twinoar.finfo, "int32"), (twinoar.iinfo, "float32"), (twinoar.iinfo, "bool")]
)
def test_limits_of_the_other_kind_are_refused(limits: Callable, dtype: str) -> None:
    with pytest.raises(DTypeError, match=f"received {dtype}"):
        limits(dtype)


def test_there_is_no_gpu() -> None:
    assert not twinoar.is_compiled_with_cuda()
    assert not twinoar.is_compiled_with_xpu()


def test_a_shape_is_sizes_or_a_tensor_of_them():
    size = twinoar.to_tensor(2)
    for shape in ([2, 3], (2,), [], [size, 3], twinoar.to_tensor([2, 3], "int32")):
        twinoar.check_shape(shape, "zeros")
    twinoar.check_shape([2.5], "zeros", expected_element_type=None)
    twinoar.check_shape(twinoar.ones([2]), "zeros", expected_tensor_dtype=None)


@pytest.mark.parametrize(
    ("shape", "error", "what"),
    [
        ("23", TypeMismatchError, r"the shape of zeros must be list or tuple or Value, received"),
        (3, TypeMismatchError, r"received 3 \(int\)"),
        ([2.5], TypeMismatchError, r"a size of zeros must be int or Value, received 2\.5 \(float"),
        (twinoar.ones([2]), DTypeError, r"sizes of zeros must be int32 or int64, received float32"),
        ([twinoar.ones([])], DTypeError, r"received float32"),
    ],
)
def test_what_is_no_shape_is_told_by_the_operator(shape, error, what):
    with pytest.raises(error, match=what):
        twinoar.check_shape(shape, "zeros")
