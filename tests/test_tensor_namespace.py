"""paddle.tensor has the functions of tensors, and they are those at the top."""

import pytest

import twinoar as paddle


@pytest.mark.parametrize("name", ["arange", "concat", "matmul", "to_tensor", "triu", "where", "t"])
def test_functions_are_those_at_the_top(name):
    assert getattr(paddle.tensor, name) is getattr(paddle, name)


def test_functions_of_other_places_are_there_too():
    assert paddle.tensor.cholesky is paddle.linalg.cholesky
    assert paddle.tensor.stft is paddle.signal.stft
    assert paddle.tensor.sigmoid(paddle.zeros([1])).item() == 0.5
    assert paddle.tensor.exp_(paddle.zeros([2])).tolist() == [1.0, 1.0]
    x = paddle.to_tensor([[0.1, 0.9]])
    assert paddle.tensor.top_p_sampling(x, paddle.to_tensor([0.5]))[1].tolist() == [[1]]


@pytest.mark.parametrize("name", ["nn", "Tensor", "float32", "save"])
def test_what_is_no_function_of_tensors_is_not(name):
    assert not hasattr(paddle.tensor, name)
