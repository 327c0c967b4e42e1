"""FloatTensor and its kin make tensors of their dtype; Size is a list of sizes."""

import pickle

import numpy as np
import pytest

import twinoar as paddle
from twinoar.eager.typed import TYPED
from twinoar.errors import ArgumentError, TypeMismatchError

DTYPES = [
    "bfloat16", "bool", "uint8", "int8", "float64", "float32", "float16", "int32", "int64", "int16"
]  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), [*zip(TYPED, DTYPES, strict=True)])
def test_each_makes_its_dtype_of_sizes_and_of_data(name, dtype):
    make = getattr(paddle, name)
    for made in (make(2, 3), make([1, 0]), make(np.ones([2])), make(paddle.ones([2]))):
        assert made.dtype == dtype
        assert made.stop_gradient
    assert make(2, 3).shape == [2, 3]
    assert make().shape == [0]
    assert make((2, 3)).astype("float32").shape == [2]
    assert make([1, 0]).astype("float32").tolist() == [1.0, 0.0]


@pytest.mark.parametrize("args", [(2.5,), ("x",), ([1], [2]), (True,)])
def test_what_is_neither_sizes_nor_data_is_refused(args):
    with pytest.raises(TypeMismatchError, match="FloatTensor takes sizes, or one list"):
        paddle.FloatTensor(*args)


def test_another_device_is_refused():
    assert paddle.LongTensor([1], device="cpu").item() == 1
    with pytest.raises(ArgumentError, match="there is no device 'gpu'"):
        paddle.LongTensor([1], device="gpu")


def test_sizes_are_a_list_that_knows_their_product():
    size = paddle.Size([2, 3])
    assert size.numel() == 6
    assert size == [2, 3] == size
    assert size == (2, 3)
    assert paddle.Size() == []
    for made in (size[1:], size + [4], [4] + size, size * 2, 2 * size):  # noqa: RUF005
        assert type(made) is paddle.Size
    assert [4] + size == [4, 2, 3]  # noqa: RUF005
    assert repr(size) == "paddle.Size([2, 3])"
    assert paddle.ones(size).shape == size
    assert pickle.loads(pickle.dumps(size)) == size
    with pytest.raises(TypeMismatchError, match=r"sizes are integers, received 2\.5"):
        paddle.Size([2.5])
    with pytest.raises(TypeError, match="unhashable"):
        hash(size)


def test_sizes_pass_through_converted_functions():
    @paddle.jit.to_static
    def function(x, size):
        return x.reshape(size), paddle.Size(size)

    found, size = function(paddle.ones([6]), paddle.Size([2, 3]))
    assert found.shape == size == [2, 3]
