"""Layer: calls, hooks, modes, names, parameters, conversion, copies."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from twinoar.core.dtype import set_default_dtype
from twinoar.core.unique_name import guard
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError, UnsupportedError
from twinoar.nn import BatchNorm1D, Layer, Linear, ReLU, Sequential
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import snake_case
from twinoar.nn.param_attr import ParamAttr


class Multiply(Layer):
    def forward(self, x, factor=2.0):
        return x * factor


@pytest.fixture
def one():
    return to_tensor(1.0)


def test_a_call_runs_forward_with_its_arguments(one) -> None:
    assert Multiply()(one).item() == 2.0
    assert Multiply()(one, factor=5.0).item() == 5.0


def test_a_layer_without_forward_says_so(one) -> None:
    with pytest.raises(UnsupportedError, match="Layer has no forward"):
        Layer()(one)


def test_a_pre_hook_sees_the_inputs_and_may_replace_them(one) -> None:
    layer, seen = Multiply(), []
    layer.register_forward_pre_hook(lambda layer, inputs: seen.append((layer, inputs)))
    layer.register_forward_pre_hook(lambda layer, inputs: inputs[0] + 10.0)
    assert layer(one).item() == 22.0
    assert seen == [(layer, (one,))]


def test_a_post_hook_sees_the_outputs_and_may_replace_them(one) -> None:
    layer = Multiply()
    layer.register_forward_post_hook(lambda layer, inputs, outputs: None)
    layer.register_forward_post_hook(lambda layer, inputs, outputs: outputs + inputs[0])
    assert layer(one).item() == 3.0


def test_a_hook_that_is_removed_is_not_called(one) -> None:
    layer = Multiply()
    handle = layer.register_forward_post_hook(lambda layer, inputs, outputs: outputs * 100.0)
    handle.remove()
    handle.remove()
    assert layer(one).item() == 2.0


def test_hooks_run_in_order_and_prepended_ones_first(one) -> None:
    layer, order = Multiply(), []
    layer.register_forward_pre_hook(lambda layer, inputs: order.append("a"))
    layer.register_forward_pre_hook(lambda layer, inputs: order.append("b"))
    layer.register_forward_pre_hook(lambda layer, inputs: order.append("c"), prepend=True)
    layer(one)
    assert order == ["c", "a", "b"]


def test_a_hook_may_remove_itself(one) -> None:
    layer, calls = Multiply(), []

    def once(layer, inputs):
        calls.append(1)
        handle.remove()

    handle = layer.register_forward_pre_hook(once)
    layer(one)
    layer(one)
    assert len(calls) == 1


def test_train_and_eval_reach_all_layers_and_return_the_layer() -> None:
    net = Sequential(Sequential(ReLU()))
    assert net.eval() is net
    assert not any(layer.training for layer in net.sublayers(include_self=True))
    assert net.train() is net
    assert all(layer.training for layer in net.sublayers(include_self=True))


def test_apply_visits_children_first() -> None:
    net, seen = Sequential(ReLU(), Multiply()), []
    assert net.apply(lambda layer: seen.append(type(layer).__name__)) is net
    assert seen == ["ReLU", "Multiply", "Sequential"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Linear", "linear"),
        ("Conv2D", "conv2d"),
        ("Conv2DTranspose", "conv2d_transpose"),
        ("BatchNorm2D", "batch_norm2d"),
        ("ReLU", "re_lu"),
        ("PReLU", "p_re_lu"),
        ("HTTPServer", "http_server"),
        ("Foo_BarBaz3X", "foo__bar_baz3x"),
    ],
)
def test_names_of_layers_are_those_of_paddle(name: str, expected: str) -> None:
    assert snake_case(name) == expected


def test_parameters_are_named_after_their_layer() -> None:
    with guard():
        first, second = Linear(2, 3), Linear(2, 3)
        norm = BatchNorm1D(3)
    assert (first.full_name(), first.weight.name, first.bias.name) == (
        "linear_0",
        "linear_0.w_0",
        "linear_0.b_0",
    )
    assert second.weight.name == "linear_1.w_0"
    assert [p.name for p in norm.parameters()] == [
        "batch_norm1d_0.w_0",
        "batch_norm1d_0.b_0",
        "batch_norm1d_0.w_1",
        "batch_norm1d_0.w_2",
    ]


def test_a_name_scope_takes_the_place_of_the_class_name() -> None:
    with guard():
        assert Layer("MyScope").full_name() == "MyScope_0"


def test_a_parameter_is_float32_unless_said_otherwise() -> None:
    layer = Layer(dtype="float64")
    assert layer.create_parameter([2]).dtype == "float32"
    assert layer.create_parameter([2], dtype="float64").dtype == "float64"


def test_a_parameter_is_of_the_default_dtype() -> None:
    set_default_dtype("float64")
    try:
        layer = Linear(2, 2)
    finally:
        set_default_dtype("float32")
    assert layer.weight.dtype == layer.bias.dtype == "float64"
    assert repr(layer) == "Linear(in_features=2, out_features=2, dtype=float64)"


def test_attr_false_means_no_parameter() -> None:
    assert Layer().create_parameter([2], attr=False) is None


def test_a_parameter_has_the_traits_of_its_attr() -> None:
    attr = ParamAttr("w", Constant(3.0), 0.5, "r", trainable=False, need_clip=False)
    w = Layer().create_parameter([1], attr)
    assert (w.name, w.item(), w.trainable, w.stop_gradient) == ("w", 3.0, False, True)
    assert w.optimize_attr == {"learning_rate": 0.5}
    assert (w.regularizer, w.need_clip, w.do_model_average) == ("r", False, True)


def test_a_bias_starts_at_zero_and_a_weight_does_not() -> None:
    layer = Layer()
    assert np.all(layer.create_parameter([50], is_bias=True).numpy() == 0)
    assert np.all(layer.create_parameter([50]).numpy() != 0)


def test_a_parameter_of_integers_needs_an_initializer() -> None:
    layer = Layer()
    assert layer.create_parameter([1], dtype="int32", default_initializer=Constant(3)).item() == 3
    with pytest.raises(DTypeError, match="a parameter of type int32 has no usual start"):
        layer.create_parameter([1], dtype="int32")


@pytest.mark.parametrize(
    ("shape", "error", "match"),
    [
        ([2.5], TypeMismatchError, "must be integers, received float"),
        ([-1, 2], ArgumentError, "must be known"),
        (["2"], TypeMismatchError, "must be integers, received str"),
    ],
)
def test_the_shape_of_a_parameter_is_checked(shape, error, match) -> None:
    with pytest.raises(error, match=match):
        Layer().create_parameter(shape)


def test_create_tensor_is_empty_and_named() -> None:
    made = Layer().create_tensor("v", persistable=True, dtype="int64")
    assert (made.name, made.size, made.persistable, made.dtype) == ("v", 0, True, "int64")


def test_repr_is_that_of_paddle() -> None:
    net = Sequential(Linear(2, 3), Sequential(ReLU()))
    assert repr(net) == (
        "Sequential(\n"
        "  (0): Linear(in_features=2, out_features=3, dtype=float32)\n"
        "  (1): Sequential(\n"
        "    (0): ReLU()\n"
        "  )\n"
        ")"
    )


def test_repr_with_arguments_and_sublayers_or_many_lines() -> None:
    class Wordy(Layer):
        def extra_repr(self) -> str:
            return self.text

    layer = Wordy()
    layer.text, layer.act = "a=1", ReLU()
    assert repr(layer) == "Wordy(a=1\n  (act): ReLU()\n)"
    layer.text, layer.act = "a=1\nb=2", None
    del layer.act
    assert repr(layer) == "Wordy(\n  a=1\n  b=2\n)"


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16"])
def test_to_converts_parameters_and_statistics(dtype: str) -> None:
    net = Sequential(Linear(2, 2), BatchNorm1D(2))
    weight = net[0].weight
    assert net.to(dtype=dtype) is net
    assert {value.dtype.name for value in net.state_dict().values()} == {dtype}
    assert net[0].weight is weight
    assert not weight.stop_gradient


@pytest.mark.parametrize(
    ("convert", "dtype"),
    [("float16", "float16"), ("half", "float16"), ("bfloat16", "bfloat16"), ("double", "float64")],
)
def test_casts_leave_integers_alone(convert: str, dtype: str) -> None:
    layer = Linear(1, 1)
    layer.register_buffer("steps", to_tensor([3]))
    getattr(layer, convert)()
    assert (layer.weight.dtype, layer.steps.dtype) == (dtype, "int64")
    layer.float()
    assert layer.weight.dtype == "float32"


def test_excluded_layers_keep_their_dtype() -> None:
    net = Sequential(Linear(2, 2), BatchNorm1D(2))
    net.float16(excluded_layers=BatchNorm1D)
    assert (net[0].weight.dtype, net[1].weight.dtype) == ("float16", "float32")


def test_a_gradient_is_converted_with_its_parameter() -> None:
    layer = Linear(2, 2)
    layer(to_tensor([[1.0, 2.0]])).backward()
    layer.to(dtype="float64")
    assert layer.weight.grad.dtype == "float64"


def test_to_the_device_there_is_changes_nothing() -> None:
    layer = Linear(1, 1)
    assert layer.to("cpu") is layer


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"device": "gpu"}, ArgumentError),
        ({"device": 5}, TypeMismatchError),
        ({"dtype": "foo"}, DTypeError),
    ],
)
def test_to_refuses_what_there_is_not(arguments, error) -> None:
    with pytest.raises(error):
        Linear(1, 1).to(**arguments)


def test_clear_gradients() -> None:
    layer = Linear(2, 1)
    layer(to_tensor([[1.0, 2.0]])).backward()
    assert layer.weight.grad.tolist() == [[1.0], [2.0]]
    layer.clear_gradients()
    assert layer.weight.grad.tolist() == [[0.0], [0.0]]
    layer.clear_gradients(set_to_zero=False)
    assert layer.weight.grad is None


def test_a_deep_copy_has_its_own_parameters() -> None:
    net = Sequential(Linear(2, 3), BatchNorm1D(3))
    twin = copy.deepcopy(net)
    twin[0].weight.set_value(np.zeros((2, 3), "float32"))
    assert np.any(net[0].weight.numpy() != 0)
    assert list(twin.state_dict()) == list(net.state_dict())
    assert twin[0].weight.name == f"{net[0].weight.name}_deepcopy_0"
    assert not twin[0].weight.stop_gradient
    assert twin[1]._mean.stop_gradient


def test_a_deep_copy_keeps_what_is_shared_shared() -> None:
    fc = Linear(2, 2)
    twin = copy.deepcopy(Sequential(fc, fc))
    assert twin[0] is twin[1]
    assert twin[0] is not fc


def test_a_pickled_layer_comes_back_equal() -> None:
    net = Sequential(Linear(2, 3), BatchNorm1D(3), ReLU()).eval()
    twin = pickle.loads(pickle.dumps(net))
    x = to_tensor([[1.0, -2.0]])
    assert twin(x).tolist() == net(x).tolist()
    assert not twin.training
    assert [p.name for p in twin.parameters()] == [p.name for p in net.parameters()]
