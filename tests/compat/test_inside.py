"""What programs import from inside Paddle does what it does there."""

from __future__ import annotations

import io
from types import ModuleType

import numpy as np
import pytest

import twinoar
from twinoar import static
from twinoar.compat.inside import (
    checks,
    core,
    dygraph,
    framework,
    layers,
    operators,
    tensor,
    training,
)
from twinoar.compat.inside.layer_helper import LayerHelper
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    MissingNameError,
    ShapeError,
    TypeMismatchError,
)


@pytest.mark.parametrize(
    "path",
    [
        "framework.in_dynamic_or_pir_mode",
        "base.framework.in_dygraph_mode",
        "common_ops_import.check_variable_and_dtype",
        "common_ops_import.Variable",
        "framework.io.EagerParamBase",
        "framework.io_utils.Variable",
        "framework.random._manual_program_seed",
        "framework.core.eager.Tensor",
        "core.EOFException",
        "base.dygraph.to_variable",
        "base.dygraph.base.switch_to_static_graph",
        "base.dygraph.guard",
        "base.program_guard",
        "base.Executor",
        "base.append_backward",
        "base.core.VarDesc.VarType.FP32",
        "base.unique_name.generate",
        "base.layers.fill_constant",
        "tensor.fill_constant",
        "tensor.create_array",
        "tensor.manipulation.tensor_array_to_tensor",
        "nn.layer.transformer._convert_attention_mask",
        "nn.layer.conv._ConvNd",
        "hapi.progressbar.ProgressBar",
        "hapi.model.to_list",
        "hapi.dynamic_flops.register_hooks",
        "static.nn.sequence_lod.sequence_pool",
        "incubate.jit.inference",
        "pir.Value",
        "framework.Parameter",
        "static.input.InputSpec",
    ],
)
def test_a_name_that_programs_import_is_there(paddle: ModuleType, path: str) -> None:
    found: object = paddle
    for part in path.split("."):
        found = getattr(found, part)
    assert found is not None


def test_what_is_saved_is_no_pir_program(paddle: ModuleType) -> None:
    assert paddle.framework.use_pir_api() is paddle.framework.in_pir_mode() is False
    assert paddle.framework.in_dynamic_or_pir_mode()


def test_the_loading_function_of_framework_is_that_of_the_root(paddle: ModuleType) -> None:
    assert paddle.framework.load is twinoar.load


@pytest.mark.parametrize("part", core.WITHOUT)
def test_nothing_was_built_with_accelerators(part: str) -> None:
    assert getattr(core, f"is_compiled_with_{part}")() is False


def test_all_parameters_are_of_paddles_class() -> None:
    weight = twinoar.nn.Linear(2, 2).weight
    assert isinstance(weight, framework.EagerParamBase)
    assert isinstance(weight, framework.Parameter)
    assert not isinstance(twinoar.ones([2]), framework.EagerParamBase)


def test_a_parameter_made_from_a_tensor_has_a_copy_of_it_and_learns() -> None:
    x = twinoar.to_tensor([1.0, 2.0])
    made = framework.EagerParamBase.from_tensor(x, name="scale")
    (made * 3.0).sum().backward()
    assert made.name == "scale"
    assert made.tolist() == [1.0, 2.0]
    assert made.grad.tolist() == [3.0, 3.0]
    net = twinoar.nn.Layer()
    net.scale = made
    assert [p.name for p in net.parameters()] == ["scale"]


def test_a_parameter_without_a_shape_is_refused() -> None:
    with pytest.raises(TypeMismatchError, match="needs a shape"):
        framework.EagerParamBase(None, "float32")


def test_functions_of_one_mode_refuse_the_other() -> None:
    @framework.dygraph_only
    def eager() -> int:
        return 1

    @framework.static_only
    def builds() -> int:
        return 2

    assert eager() == 1
    with pytest.raises(AssertionError, match="static mode alone"):
        builds()
    with static.program_guard(static.Program()), pytest.raises(AssertionError, match="dynamic"):
        eager()


def test_a_test_of_programs_is_switched_to_static_mode() -> None:
    @dygraph.switch_to_static_graph
    def mode() -> bool:
        return twinoar.in_dynamic_mode()

    assert mode() is False
    assert twinoar.in_dynamic_mode()


def test_conversion_is_known_while_it_goes_on() -> None:
    seen = []

    @twinoar.jit.to_static
    def f(x: twinoar.Tensor) -> twinoar.Tensor:
        seen.append(dygraph.in_declarative_mode())
        return x * 2

    f(twinoar.ones([1]))
    assert seen[0] is True
    assert dygraph.in_declarative_mode() is False


def test_arguments_are_checked_where_programs_are_built() -> None:
    checks.check_type(1, "x", str, "op")  # eagerly operators check for themselves, as in Paddle
    with static.program_guard(static.Program()):
        x = static.data("x", [2])
        checks.check_variable_and_dtype(x, "x", ["float32"], "op")
        with pytest.raises(TypeMismatchError, match="x of op must be str, received int"):
            checks.check_type(1, "x", str, "op")
        with pytest.raises(DTypeError, match="x of op must be int32 or int64, received float32"):
            checks.check_variable_and_dtype(x, "x", ["int32", "int64"], "op")


def relu_layer(x: twinoar.Tensor) -> twinoar.Tensor:
    helper = LayerHelper("relu", x=x)
    out = helper.create_variable_for_type_inference(x.dtype)
    helper.append_op(type="relu", inputs={"X": [x]}, outputs={"Out": [out]})
    return out


def test_an_operator_is_appended_to_a_program_or_run_at_once() -> None:
    values = np.array([-1.0, 2.0], "float32")
    assert relu_layer(twinoar.to_tensor(values)).tolist() == [0.0, 2.0]
    main = static.Program()
    with static.program_guard(main):
        y = relu_layer(static.data("x", [2]))
    (found,) = static.Executor().run(main, {"x": values}, [y])
    assert found.tolist() == [0.0, 2.0]


def test_an_operator_that_is_run_at_once_has_gradients() -> None:
    x = twinoar.to_tensor([-1.0, 2.0], stop_gradient=False)
    relu_layer(x).sum().backward()
    assert x.grad.tolist() == [0.0, 1.0]


def test_a_helper_makes_parameters_biases_and_activations() -> None:
    helper = LayerHelper("fc", act="relu")
    weight = helper.create_parameter(helper.param_attr, [2, 3], "float32")
    out = helper.append_activation(helper.append_bias_op(twinoar.ones([1, 2]) @ weight))
    assert weight.shape == [2, 3]
    assert out.shape == [1, 3]
    assert float(out.min()) >= 0
    assert helper.create_parameter(False, [2], "float32") is None


def test_an_operator_is_called_by_its_attributes() -> None:
    x = twinoar.to_tensor([3.0, 1.0, 2.0], stop_gradient=False)
    out, indices = operators.legacy("argsort")(x, "axis", 0, "descending", True)
    assert out.tolist() == [3.0, 2.0, 1.0]
    assert indices.tolist() == [0, 2, 1]
    (out * twinoar.to_tensor([1.0, 2.0, 3.0])).sum().backward()
    assert x.grad.tolist() == [1.0, 3.0, 2.0]


@pytest.mark.parametrize("type", ["no_such_operator", "sgd", "rnn", "while"])
def test_operators_that_are_not_called_by_position_are_named(type: str) -> None:
    with pytest.raises(MissingNameError, match=type):
        operators.legacy(type)


def test_attributes_that_an_operator_lacks_are_refused() -> None:
    with pytest.raises(ArgumentError, match="has no attribute 'axis'"):
        operators.legacy("abs")(twinoar.ones([1]), "axis", 2)
    with pytest.raises(ArgumentError, match="2 operands"):
        operators.legacy("relu")(twinoar.ones([1]), twinoar.ones([1]))


def test_arrays_of_tensors_grow_and_are_joined() -> None:
    array = tensor.create_array("float32", [twinoar.ones([2, 3])])
    tensor.array_write(twinoar.zeros([2, 1]), twinoar.to_tensor([1]), array)
    out, sizes = tensor.tensor_array_to_tensor(array, axis=1)
    assert tensor.array_length(array) == 2
    assert tensor.array_read(array, 1).shape == [2, 1]
    assert out.shape == [2, 4]
    assert sizes.tolist() == [3, 1]


def test_a_loop_of_a_program_writes_into_an_array() -> None:
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [3])
        array = tensor.create_array("float32")
        for i in range(2):
            array = tensor.array_write(x * i, twinoar.full([1], i, "int64"), array)
        out, _ = tensor.tensor_array_to_tensor(array, axis=0, use_stack=True)
        length = tensor.array_length(array)
    found = static.Executor().run(main, {"x": np.ones(3, "float32")}, [out, length])
    assert found[0].tolist() == [[0.0] * 3, [1.0] * 3]
    assert found[1].tolist() == [2]


def test_a_mask_becomes_what_is_added() -> None:
    mask = layers._convert_attention_mask(twinoar.to_tensor([True, False]), "float32")
    assert mask.tolist() == [0.0, -1e9]


def test_the_sublayers_of_a_network_are_looked_into() -> None:
    net = twinoar.nn.Sequential(*[twinoar.nn.Linear(2, 2) for _ in range(3)])
    found = layers.IntermediateLayerGetter(net, {"0": "first", "1": "second"})(twinoar.ones([1, 2]))
    assert list(found) == ["first", "second"]
    assert found["second"].tolist() == net[1](net[0](twinoar.ones([1, 2]))).tolist()
    with pytest.raises(ArgumentError, match="no sublayers 7"):
        layers.IntermediateLayerGetter(net, {"7": "x"})


def test_parameters_are_filled_by_functions() -> None:
    weight = twinoar.nn.Linear(4, 4).weight
    layers.constant_(weight, 2.0)
    assert weight.numpy().tolist() == [[2.0] * 4] * 4
    layers.xavier_uniform_(weight)
    assert float(weight.abs().max()) <= np.sqrt(6 / 8)
    layers.orthogonal_(weight)
    np.testing.assert_allclose((weight @ weight.t()).numpy(), np.eye(4), atol=1e-5)


def test_a_bar_tells_steps_and_values() -> None:
    out = io.StringIO()
    bar = training.ProgressBar(10, width=10, verbose=1, file=out)
    bar.update(5, [("loss", 0.25), ("acc", np.array([0.5, 1.0]))])
    assert "step  5/10 [=====.....] - loss: 0.2500 - acc: 0.5000 1.0000 - " in out.getvalue()


def test_a_table_has_a_row_for_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    table = training.Table(["A", "B"])
    table.add_row(["x", "yy"])
    table.print_table()
    line = "+---+----+"
    assert capsys.readouterr().out.splitlines() == [line, "| A | B  |", line, "| x | yy |", line]
    with pytest.raises(ShapeError, match="2 columns"):
        table.add_row([1])


def test_operations_are_counted_by_hooks() -> None:
    layer, x = twinoar.nn.Linear(4, 2), twinoar.ones([3, 4])
    layer.total_ops = 0
    layer.register_buffer("total_params", twinoar.zeros([1]))
    training.register_hooks[twinoar.nn.Linear](layer, (x,), layer(x))
    training.count_parameters(layer, (x,), layer(x))
    assert layer.total_ops == 24
    assert layer.total_params.tolist() == [10.0]


def test_a_function_for_inference_has_no_gradients() -> None:
    x = twinoar.to_tensor([1.0], stop_gradient=False)
    assert training.inference(lambda v: v * 2)(x).stop_gradient


def test_results_in_training_are_given_though_inference_has_none() -> None:
    x, one = twinoar.to_tensor([1.0, -2.0]), twinoar.ones([1])
    found = operators.legacy("moving_average_abs_max_scale")(x, one, one, "moving_rate", 0.5)
    assert [each.tolist() for each in found[::2]] == [[1.0, -2.0], [1.5]]
    np.testing.assert_allclose([found[1].item(), found[3].item()], [2.5 / 1.5, 2.5], 1e-6)
