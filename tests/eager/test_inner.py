"""Methods of tensors that Paddle has for itself, as Paddle 3.3.1 answers."""

import copy

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import UnsupportedError


def test_changes_in_place_are_counted():
    x = paddle.ones([3])
    x.add_(x)
    x[0] = 3.0
    assert x.inplace_version == 2
    x.reshape_([1, 3])
    paddle.assign(paddle.ones([1, 3]), x)
    assert x.inplace_version == 4
    x += 1
    assert x.inplace_version == x.clone().inplace_version == 0


def test_they_are_counted_for_all_that_share_the_memory():
    x = paddle.zeros([2, 2])
    row = x[0]
    row.add_(paddle.ones([2]))
    assert (x.inplace_version, row.inplace_version) == (1, 1)
    x.add_(x)
    flat, apart = x.reshape([4]), x.detach()
    flat.zero_()
    versions = [t.inplace_version for t in (x, row, flat, apart)]
    assert versions == [3, 3, 3, 3]
    assert copy.deepcopy(x).inplace_version == 0


def test_new_data_are_no_change_in_place():
    x = paddle.ones([2])
    x.set_value(np.zeros(2, "float32"))
    assert x.inplace_version == 0


def test_a_tensor_becomes_another():
    x = paddle.ones([2], dtype="int64")
    other = paddle.to_tensor([[1.5]], stop_gradient=False)
    assert x.reconstruct_from_(other) is None
    assert (x.tolist(), x.dtype, x.stop_gradient) == ([[1.5]], paddle.float32, False)
    other.set_value(np.zeros([1, 1]))
    assert x.tolist() == [[1.5]]


def test_a_tensor_is_dense_and_lies_in_one_place():
    x = paddle.ones([2])
    assert x.type == paddle.fluid.core.VarDesc.VarType.DENSE_TENSOR
    assert x.num_shard is None
    assert x.get_selected_rows() is None


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("rows", ()), ("get_map_tensor", ()), ("set_vocab", ({},)), ("set_string_list", (["a"],)),
     ("set_tensor", (1,))],
)  # fmt: skip
def test_what_no_tensor_is_here_is_refused(name, arguments):
    with pytest.raises(UnsupportedError, match="no tensor here"):
        getattr(paddle.ones([2]), name)(*arguments)


def test_functions_of_many_are_methods_of_the_class():
    x = paddle.ones([2, 2])
    assert paddle.Tensor.stack([x, x]).shape == [2, 2, 2]
    assert paddle.Tensor.concat([x, x], 1).shape == [2, 4]
    assert paddle.Tensor.multi_dot([x, x, x]).tolist() == [[4.0, 4.0], [4.0, 4.0]]
    assert paddle.Tensor.broadcast_shape([2, 1], [1, 3]) == [2, 3]
    assert paddle.Tensor.broadcast_shapes([2, 1], [1, 3], [4, 1, 1]) == [4, 2, 3]
    assert [y.shape for y in paddle.Tensor.broadcast_tensors([x, x[0]])] == [[2, 2], [2, 2]]
    assert paddle.Tensor.create_parameter([2], "float32").is_parameter
    assert paddle.Tensor.create_tensor("int64").dtype == paddle.int64
