"""Under LazyGuard a parameter has its data when it is needed, or when some is loaded."""

import copy
import pickle

import numpy as np
import pytest

import twinoar as paddle
from twinoar.eager.lazy import LazyParameter
from twinoar.errors import ArgumentError, ProgramError


def lazy_linear():
    with paddle.LazyGuard():
        return paddle.nn.Linear(3, 4)


def is_lazy(parameter):
    return type(parameter) is LazyParameter


def test_shape_and_dtype_are_known_without_data():
    weight = lazy_linear().weight
    assert (weight.shape, weight.dtype, weight.ndim, weight.size) == ([3, 4], "float32", 2, 12)
    assert weight.is_leaf
    assert not weight.stop_gradient
    assert repr(weight) == "Parameter containing:\nTensor(Not initialized)"
    assert is_lazy(weight)


def test_a_network_makes_its_parameters_when_it_runs_first():
    layer = lazy_linear()
    paddle.seed(3)
    y = layer(paddle.ones([2, 3]))
    assert not is_lazy(layer.weight)
    assert not is_lazy(layer.bias)
    assert layer.weight.numpy().any()
    np.testing.assert_allclose(y.numpy()[0], layer.weight.numpy().sum(0), rtol=1e-6)


def test_initialize_makes_one_parameter_and_no_second_time():
    layer = lazy_linear()
    layer.weight.initialize()
    assert not is_lazy(layer.weight)
    assert is_lazy(layer.bias)
    before = layer.weight.numpy()
    layer.weight.initialize()
    np.testing.assert_array_equal(layer.weight.numpy(), before)


def test_the_numbers_are_those_of_a_layer_made_at_once():
    layer = lazy_linear()
    paddle.seed(7)
    made = layer.weight.numpy()
    paddle.seed(7)
    np.testing.assert_array_equal(made, paddle.nn.Linear(3, 4).weight.numpy())


def test_a_loaded_value_takes_the_place_of_the_first():
    layer = lazy_linear()
    layer.weight.initialize = None  # nobody asks for it
    layer.set_state_dict({"weight": paddle.ones([3, 4]), "bias": paddle.zeros([4])})
    assert layer(paddle.ones([1, 3])).tolist() == [[3.0] * 4]


def test_a_value_of_another_shape_is_refused():
    layer = lazy_linear()
    with pytest.raises(ArgumentError, match="the tensor has shape"):
        layer.weight.set_value(np.ones([2, 2]))
    assert is_lazy(layer.weight)


def test_training_starts_from_lazy_parameters():
    layer = lazy_linear()
    optimizer = paddle.optimizer.Adam(parameters=layer.parameters())
    before = layer.weight.numpy()
    layer(paddle.ones([2, 3])).sum().backward()
    optimizer.step()
    assert (layer.weight.numpy() != before).all()


def test_copies_have_data():
    layer = copy.deepcopy(lazy_linear())
    assert not is_lazy(layer.weight)
    read = pickle.loads(pickle.dumps(lazy_linear().weight))
    assert read.numpy().shape == (3, 4)


def test_it_is_lazy_without_a_record_too_and_nowhere_else():
    with paddle.LazyGuard(), paddle.no_grad():
        assert is_lazy(paddle.nn.Linear(3, 4).weight)
    assert not is_lazy(paddle.nn.Linear(3, 4).weight)


def test_a_program_is_not_built_lazily():
    paddle.enable_static()
    try:
        with pytest.raises(ProgramError, match="needs eager mode"), paddle.LazyGuard():
            pass
    finally:
        paddle.disable_static()
