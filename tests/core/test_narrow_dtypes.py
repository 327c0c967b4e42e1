"""float8: the names, and their limits; there are no tensors of it, and whoever asks is told."""

from __future__ import annotations

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import DTypeError, UnsupportedError

NAMES = ["float8_e4m3fn", "float8_e5m2"]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_dtype_by_its_names(name):
    dtype = getattr(paddle, name)
    assert isinstance(dtype, paddle.dtype)
    assert dtype in (name, f"paddle.{name}")
    assert dtype == getattr(ml_dtypes, name)
    assert dtype != paddle.float32
    assert str(dtype) == f"paddle.{name}"
    assert dtype.itemsize == 1
    assert not dtype.is_floating
    assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype
    assert paddle.ones([1]).dtype != dtype


@pytest.mark.parametrize(
    ("name", "largest", "eps", "tiny"),
    [("float8_e4m3fn", 448, 0.125, 2.0**-6), ("float8_e5m2", 57344, 0.25, 2.0**-14)],
)
def test_it_has_limits(name, largest, eps, tiny):
    found = paddle.finfo(name)
    assert (found.max, found.min, found.eps) == (largest, -largest, eps)
    assert (found.smallest_normal, found.bits) == (tiny, 8)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "call",
    [
        lambda d: paddle.ones([2]).astype(d),
        lambda d: paddle.cast(paddle.ones([2]), d),
        lambda d: paddle.zeros([2], dtype=d),
        lambda d: paddle.full([2], 1.0, d),
        lambda d: paddle.to_tensor([1.0], dtype=d),
        lambda d: paddle.randn([2], dtype=d),
        lambda d: paddle.nn.Linear(2, 2).to(dtype=d),
        lambda d: paddle.set_default_dtype(d),
        lambda d: paddle.static.InputSpec([2], d),
        lambda d: paddle.jit.to_static(lambda x: x.astype(d))(paddle.ones([2])),
        lambda d: paddle.ones([2]).sum(dtype=d),
    ],
)
def test_a_tensor_of_it_is_refused_by_name(name, call):
    with pytest.raises(UnsupportedError, match=f"no tensors of {name}"):
        call(getattr(paddle, name))


@pytest.mark.parametrize("name", NAMES)
def test_an_array_of_it_is_no_tensor(name):
    with pytest.raises(DTypeError, match=name):
        paddle.to_tensor(np.ones(2, getattr(ml_dtypes, name)))
