"""How tensors lie in memory, as they answer, and what gives them other memory."""

import ctypes

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import AxisError, GradientError, ProgramError, ShapeError, TypeMismatchError


@pytest.fixture
def x():
    return paddle.to_tensor([[1.0, 2.0, 0.0], [0.0, 5.0, 6.0]])


def test_a_tensor_is_one_dense_block_on_the_cpu(x):
    assert x.is_dense()
    kinds = (x.is_sparse(), x.is_sparse_coo(), x.is_sparse_csr(), x.is_selected_rows(), x.is_dist())
    assert not any(kinds)
    assert not x.is_cuda
    assert (x.get_device(), x.device, x.device.type, x.device.index) == (-1, "cpu", "cpu", None)
    assert (x.dense_dim(), x.sparse_dim(), x.layout, x.offset) == (2, 0, "NCHW", 0)


def test_strides_count_elements(x):
    assert x.strides == x.get_strides() == x.stride() == [3, 1]
    assert (x.stride(0), x.stride(-1)) == (3, 1)
    assert paddle.to_tensor(3.0).strides == []
    with pytest.raises(AxisError, match="dim 2 is out of range"):
        x.stride(2)


def test_the_address_is_that_of_the_data(x):
    assert x.data_ptr() == x.data_ptr() != paddle.ones([3]).data_ptr()


def test_the_elements_lie_where_address_and_strides_say():
    x = paddle.arange(6, dtype="float32").reshape([2, 3]).t()
    address, (rows, columns) = x.data_ptr(), x.get_strides()
    for i in range(3):
        for j in range(2):
            place = address + 4 * (i * rows + j * columns)
            assert ctypes.c_float.from_address(place).value == x[i, j].item()


def test_a_symbol_has_no_address():
    with paddle.static.program_guard(paddle.static.Program()):
        x = paddle.static.data("x", [2])
    with pytest.raises(ProgramError, match="has no address"):
        x.data_ptr()


@pytest.mark.parametrize("name", ["coalesce", "indices", "nnz", "to_dense", "values"])
def test_what_only_sparse_tensors_have_names_the_way_there(x, name):
    with pytest.raises(TypeMismatchError, match=rf"{name}\(\) is of sparse(.|\n)*to_sparse_coo"):
        getattr(x, name)()


def test_a_tensor_becomes_sparse_and_back(x):
    for sparse in (x.to_sparse_coo(2), x.to_sparse_coo(1), x.to_sparse_csr()):
        np.testing.assert_array_equal(sparse.to_dense().numpy(), x.numpy())
    assert x.to_sparse_coo(2).nnz() == 4
    with pytest.raises(ShapeError, match="expected a matrix"):
        paddle.ones([3]).to_sparse_csr()


def test_gradients_flow_through_sparse_tensors(x):
    x.stop_gradient = False
    (x.to_sparse_coo(2).to_dense() * 2).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2.0 * (x.numpy() != 0))


def test_resize_takes_the_first_elements_or_adds_zeros(x):
    assert x.clone().resize_([2]).tolist() == [1.0, 2.0]
    assert x.resize_([2, 4], fill_zero=True).tolist() == [[1.0, 2.0, 0.0, 0.0], [5.0, 6.0, 0, 0]]
    assert x.shape == [2, 4]


def test_set_takes_elements_of_another(x):
    source = paddle.arange(6.0)
    assert x.set_(source) is x
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert x.set_(source, [2, 2]).tolist() == [[0.0, 1.0], [2.0, 3.0]]
    assert x.set_(source, [2, 2], [1, 1], 4).tolist() == [[1.0, 2.0], [2.0, 3.0]]
    assert x.set_().shape == [0]


def test_apply_changes_in_place(x):
    held = x
    x.apply_(lambda x: x + 1)
    assert held.tolist() == [[2.0, 3.0, 1.0], [1.0, 6.0, 7.0]]


def test_detach_in_place_leaves_the_graph(x):
    x.stop_gradient = False
    y = x * 2
    z = (y * y).sum()
    assert y.detach_() is y
    assert (y.is_leaf, y.stop_gradient) == (True, True)
    z.backward()  # what was recorded before still holds
    np.testing.assert_array_equal(x.grad.numpy(), 8 * x.numpy())
    with pytest.raises(GradientError):
        y.sum().backward()


def test_detach_in_place_in_a_converted_function(x):
    @paddle.jit.to_static
    def function(x):
        y = x * 2
        y.detach_()
        return (y * x).sum()

    x.stop_gradient = False
    function(x).backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2 * x.numpy())


def test_what_made_a_tensor_is_known_by_name(x):
    x.stop_gradient = False
    y = paddle.exp(x * 2)
    assert x.grad_fn is None
    assert y.grad_fn.name() == "exp.grad"
    assert [node.name() for node in y.grad_fn.next_functions] == ["multiply.grad"]
    assert paddle.topk(y, 1)[0].grad_fn.next_functions == [y.grad_fn]


def test_stop_gradient_stands_in_the_class():
    assert paddle.Tensor.stop_gradient is True
    assert "stop_gradient" in dir(paddle.Tensor)


def test_functions_of_one_tensor_are_methods(x):
    assert x.add_n().tolist() == x.tolist()
    assert x.block_diag().shape == paddle.block_diag(x).shape
    assert x.diag_embed().shape == [2, 3, 3]
    assert x.polar(x).dtype == "complex64"
    assert paddle.ones([1]).increment(2.0).item() == 3.0
    index = paddle.to_tensor([[0], [2]])
    assert index.scatter_nd(paddle.ones([2]), [4]).tolist() == [1.0, 0.0, 1.0, 0.0]
    is_kept = paddle.to_tensor([True, False])
    assert is_kept.where_(paddle.ones([2]), paddle.zeros([2])).tolist() == [1.0, 0.0]


def test_methods_of_packages_that_load_on_first_use():
    signal = paddle.randn([32])
    found = signal.stft(8).istft(8)
    np.testing.assert_allclose(found.numpy(), signal.numpy(), atol=1e-5)
    assert paddle.Tensor.stft is paddle.signal.stft
