"""Dtypes that are names with limits: there are no tensors of them, and whoever asks is told."""

import copy
import pickle

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import DTypeError, UnsupportedError

NAMES = ["uint16", "uint32", "uint64", "pstring", "raw"]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_dtype_by_its_names(name):
    dtype = getattr(paddle, name)
    assert isinstance(dtype, paddle.dtype)
    assert dtype in (name, f"paddle.{name}")
    assert dtype != paddle.float32
    assert str(dtype) == f"paddle.{name}"
    assert not dtype.is_floating
    assert not dtype.is_integer
    assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype
    assert paddle.ones([1]).dtype != dtype


@pytest.mark.parametrize(("name", "bits"), [("uint16", 16), ("uint32", 32), ("uint64", 64)])
def test_unsigned_integers_have_the_limits_of_arrays(name, bits):
    found = paddle.iinfo(getattr(paddle, name))
    assert (found.min, found.max, found.bits) == (0, 2**bits - 1, bits)
    assert getattr(paddle, name) == np.dtype(name)
    with pytest.raises(DTypeError, match="finfo is of floating types"):
        paddle.finfo(name)


@pytest.mark.parametrize("name", ["pstring", "raw"])
@pytest.mark.parametrize("limits", [paddle.finfo, paddle.iinfo])
def test_what_is_no_number_has_no_limits(name, limits):
    with pytest.raises(DTypeError, match=name):
        limits(name)


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
