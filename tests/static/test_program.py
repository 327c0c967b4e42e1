"""Programs, Blocks, Operators and Variables as Paddle's code looks at them and edits them."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.core.ir.parse import parse
from twinoar.errors import ArgumentError, ProgramError, UnknownNameError, UnsupportedError

X = np.array([[1, -2, 3], [0, 1, 2]], np.float32)


@pytest.fixture
def chain(programs):
    """A Program of Paddle's operators: y = relu(x), z = 3 y + 1, changed in place to z + x."""
    main, _ = programs
    block = main.global_block()
    x = static.data("x", [2, 3])
    y, z = (block.create_var(name=n, shape=[2, 3]) for n in "yz")
    block.append_op(type="relu", inputs={"X": x}, outputs={"Out": y})
    block.append_op(
        type="scale", inputs={"X": [y]}, outputs={"Out": [z]}, attrs={"scale": 3.0, "bias": 1.0}
    )
    block.append_op(type="elementwise_add", inputs={"X": "z", "Y": "x"}, outputs={"Out": "z"})
    return main


def run(program, *fetch):
    return static.Executor().run(program, {"x": X}, list(fetch))


def test_operators_are_appended_by_paddles_names(chain):
    y, z = run(chain, "y", "z")
    np.testing.assert_array_equal(y, np.maximum(X, 0))
    np.testing.assert_array_equal(z, 3 * y + 1 + X)


def test_an_operator_before_all_others_changes_what_they_read(chain):
    block = chain.global_block()
    block._prepend_op(type="scale", inputs={"X": "x"}, outputs={"Out": "x"}, attrs={"scale": -1.0})
    np.testing.assert_array_equal(run(chain, "y")[0], np.maximum(-X, 0))
    assert [o.type for o in block.ops] == ["scale", "relu", "scale", "elementwise_add"]


def test_an_operator_takes_the_place_of_another(chain):
    block = chain.global_block()
    block._remove_op(0)
    block._insert_op(0, type="tanh", inputs={"X": "x"}, outputs={"Out": "y"})
    y, z = run(chain, "y", "z")
    np.testing.assert_allclose(y, np.tanh(X), rtol=1e-6)
    np.testing.assert_allclose(z, 3 * y + 1 + X, rtol=1e-6)


def test_an_operator_between_others_reads_what_stands_there(chain):
    block = chain.global_block()
    early = block.create_var(name="early", shape=[2, 3])
    block._insert_op(2, type="assign", inputs={"X": "z"}, outputs={"Out": early})
    early, z = run(chain, "early", "z")
    np.testing.assert_array_equal(early + X, z)


def test_a_state_is_updated_by_an_operator_that_writes_it(programs):
    main, startup = programs
    block = main.global_block()
    static.create_global_var([2], 1.0, "float32", persistable=True, name="w")
    block.append_op(type="scale", inputs={"X": "w"}, outputs={"Out": "w"}, attrs={"scale": 2.0})
    exe = static.Executor()
    exe.run(startup)
    assert [exe.run(main, fetch_list=["w"])[0].tolist() for _ in range(2)] == [[2, 2], [4, 4]]


def test_a_state_whose_operator_is_removed_keeps_its_value(programs):
    main, startup = programs
    weight = static.create_parameter([2], "float32", name="w")
    paddle.optimizer.SGD(0.5).minimize(paddle.sum(weight * weight))
    block = main.global_block()
    block._remove_op(next(o.idx for o in block.ops if o.type == "sgd"))
    exe = static.Executor()
    exe.run(startup)
    before = weight.get_value().numpy()
    np.testing.assert_array_equal(exe.run(main, fetch_list=["w"])[0], before)
    assert not main.updates and main.clone().num_blocks == 1


def test_operators_show_slots_and_attributes_as_paddle(chain):
    _, scale, add = chain.global_block().ops
    assert scale.type == "scale" and (scale.idx, add.idx) == (1, 2)
    assert scale.block is chain.global_block()
    assert scale.input_names == ["X"] and scale.input("X") == ["y"]
    assert scale.output_names == ["Out"] and scale.output("Out") == ["z"]
    assert scale.input_arg_names == ["y"] and scale.output_arg_names == ["z"]
    assert add.input_names == ["X", "Y"] and add.input("Y") == ["x"]
    assert {"scale", "bias", "bias_after_scale", "op_role", "op_namescope"} <= set(scale.attr_names)
    assert scale.attr("scale") == 3.0 and scale.attr("op_role") == 0
    assert scale.attr_type("scale").name == "FLOAT" and add.attr_type("axis").name == "INT"
    assert scale.attr_type("op_callstack").name == "STRINGS"
    assert add.has_attr("axis") and not add.has_attr("scale")
    assert add.all_attrs()["axis"] == -1
    assert "add" in add.to_string(True)


def test_gradients_show_the_slots_of_paddles_gradients(programs):
    main, _ = programs
    loss = paddle.mean(static.nn.fc(static.data("x", [None, 3]), 2, weight_attr="w"))
    static.append_backward(loss)
    (o,) = [o for o in main.global_block().ops if o.type == "mul_grad"]
    assert o.input_names[:1] == ["Out@GRAD"] and o.input("Y") == ["w"]
    assert o.output("Y@GRAD") == ["w@GRAD"] and o.output_names == ["X@GRAD", "Y@GRAD"]
    assert o.attr("op_role") == 1 and o.attr("x_num_col_dims") == 1


@pytest.mark.parametrize("what", ["input", "output", "attr"])
def test_what_an_operator_does_not_have_is_refused(chain, what):
    with pytest.raises(UnknownNameError, match=r"relu has no (input|output|attribute) 'nothing'"):
        getattr(chain.global_block().ops[0], what)("nothing")


def test_an_attribute_is_set_and_what_follows_is_inferred_anew(programs):
    main, _ = programs
    x = static.data("x", [2, 3])
    y = paddle.reshape(x, [3, 2])
    z = y * 2.0
    o = main.global_block().ops[0]
    o._set_attr("shape", [6, 1])
    assert o.attr("shape") == [6, 1] and z.shape == [6, 1]
    assert run(main, z)[0].shape == (6, 1)
    o._set_attr("op_device", "cpu")
    assert o.attr("op_device") == "cpu"


def test_an_attribute_that_the_type_fixes_is_not_set(chain):
    add = chain.global_block().ops[2]
    add._set_attr("axis", -1)
    with pytest.raises(UnsupportedError, match="axis of elementwise_add"):
        add._set_attr("axis", 0)
    with pytest.raises(UnknownNameError, match="no attribute 'axs'"):
        add._set_attr("axs", 0)


def test_an_input_is_renamed(chain):
    add = chain.global_block().ops[2]
    add._rename_input("x", "y")
    y, z = run(chain, "y", "z")
    np.testing.assert_array_equal(z, 3 * y + 1 + y)


def test_blocks_find_make_rename_and_drop_variables(chain):
    block = chain.global_block()
    assert (block.idx, block.parent_idx, block.forward_block_idx) == (0, -1, -1)
    assert block.program is chain and chain.current_block() is block
    assert block.has_var("x") and not block.has_var("w") and block.var("y").name == "y"
    assert block._find_var_recursive("w") is None
    assert block.create_var(name="y", shape=[2, 3]) is block.var("y")
    made = block.create_var(shape=[-1, 3], dtype="int64")
    assert made.name in block.vars and made.dtype == paddle.int64
    block._remove_var(made.name)
    assert made.name not in block.vars
    assert block._rename_var("y", "hidden").name == "hidden"
    np.testing.assert_array_equal(run(chain, "hidden")[0], np.maximum(X, 0))
    with pytest.raises(ArgumentError, match="has a variable 'z' already"):
        block._rename_var("hidden", "z")


def test_nested_blocks_know_their_place(programs):
    main, _ = programs
    x = static.data("x", [2, 3])
    seen = []

    def branch():
        seen.append(main.current_block_idx)
        return x * 2.0

    static.nn.cond(paddle.sum(x) > 0, branch, lambda: x - 1.0)
    assert main.num_blocks == 3
    inner = main.block(1)
    assert (inner.idx, inner.parent_idx) == (1, 0) and inner.program is main
    assert main.block(0) is main.global_block()
    assert [v.name for v in inner.ops[0].results] == list(inner.vars)[-1:]
    with pytest.raises(ProgramError, match="while it is built"):
        inner.append_op("relu", inputs={"X": next(iter(inner.vars.values()))})
    assert main.clone().block(2).parent_idx == 0


def test_parameters_of_the_two_programs_are_made_by_hand(programs):
    main, startup = programs
    for program, initializer in (
        (startup, paddle.nn.initializer.Constant(2.0)),
        (main, None),
    ):
        made = program.global_block().create_parameter(
            name="w", shape=[2], dtype="float32", initializer=initializer, need_clip=False
        )
    out = made * 3.0
    exe = static.Executor()
    exe.run(startup)
    assert exe.run(main, fetch_list=[out])[0].tolist() == [6, 6]
    assert list(main.global_block().iter_parameters()) == [made] and made.trainable
    assert not made.need_clip


def test_variables_show_what_paddles_show(programs):
    main, startup = programs
    x = static.data("x", [None, 3])
    w = static.create_parameter([3, 2], "float32", name="w")
    y = paddle.matmul(x, w)
    assert x.is_data and not y.is_data and x.lod_level == 0 and x.type == "LOD_TENSOR"
    assert w.persistable and w.is_parameter and w.trainable and not y.persistable
    assert x.stop_gradient and not y.stop_gradient
    assert y.block is main.global_block() and y.op.type == "matmul_v2" and w.op is None
    assert y.grad_name == f"{y.name}@GRAD" and y.ndim == 2 and w.size == 6
    assert y.astype("int64").dtype == paddle.int64 and w.T.shape == [2, 3]
    assert y.clone().name != y.name
    assert w.to_string(True).startswith("persist trainable param w : LOD_TENSOR.shape(3, 2)")
    assert "need_clip: True" in w.to_string(True, with_details=True)
    static.Executor().run(startup)
    w.set_value(np.ones((3, 2), np.float32))
    np.testing.assert_array_equal(w.get_value().numpy(), np.ones((3, 2)))


def test_a_program_comes_back_from_its_bytes(chain):
    again = static.Program.parse_from_string(chain.desc.serialize_to_string())
    assert [o.type for o in again.global_block().ops] == [o.type for o in chain.global_block().ops]
    np.testing.assert_array_equal(run(again, "y")[0], run(chain, "y")[0])


def test_a_clone_has_the_variables_of_the_original_and_is_edited_alone(chain):
    copy = chain.clone()
    copy.global_block().append_op(
        "tanh", inputs={"X": "z"}, outputs={"Out": copy.global_block().create_var(name="t")}
    )
    assert copy.global_block().has_var("t") and not chain.global_block().has_var("t")
    np.testing.assert_allclose(run(copy, "t")[0], np.tanh(run(chain, "z")[0]), rtol=1e-6)


def test_names_of_scopes_are_noted_and_printed(programs):
    main, _ = programs
    x = static.data("x", [2])
    x.stop_gradient = False
    with static.name_scope("net"):
        with static.name_scope("head"):
            y = paddle.tanh(x)
        with static.name_scope("head"):
            y = paddle.tanh(y)
    with static.name_scope("net"):
        y = paddle.mean(y)
    static.gradients([y], [x])
    forward, backward = main.global_block().ops[:3], main.global_block().ops[4:]
    scopes = ["/net/head/", "/net/head_1/", "/net_1/"]
    assert [o.attr("op_namescope") for o in forward] == scopes
    assert [o.attr("op_namescope") for o in backward] == scopes[::-1]
    assert "in /net/head/" in str(main)
    assert str(parse(str(main))) == str(main)


def test_devices_are_noted(programs):
    main, _ = programs
    x = static.data("x", [2])
    with static.device_guard("cpu"):
        paddle.tanh(x)
    paddle.tanh(x)
    assert [o.attr("op_device") for o in main.global_block().ops] == ["cpu", ""]


def test_a_seed_of_the_program_gives_each_run_the_same_numbers(programs):
    main, startup = programs
    startup.random_seed = 7
    static.create_parameter([3], "float32", name="w")
    drawn = paddle.rand([4])
    exe = static.Executor()
    weights, numbers = [], []
    for _ in range(2):
        exe.run(startup)
        weights.append(np.array(static.global_scope().find_var("w")))
        numbers.append(exe.run(main, fetch_list=[drawn])[0])
    np.testing.assert_array_equal(*weights)
    assert (numbers[0] != numbers[1]).any()
    main.global_seed(5)
    assert main.random_seed == 5 and main.clone().random_seed == 5
    np.testing.assert_array_equal(*[exe.run(main, fetch_list=[drawn])[0] for _ in range(2)])


def test_gradients_are_found_by_the_names_of_what_they_are_of(programs):
    main, startup = programs
    x = static.data("x", [2, 3])
    x.stop_gradient = False
    hidden = paddle.tanh(x)
    static.nn.fc(hidden, 2, weight_attr="w")
    loss = paddle.mean(hidden * hidden) + 0.0 * static.create_parameter([1], "float32").sum()
    static.append_backward(loss)
    assert main.global_block().has_var(f"{hidden.name}@GRAD")
    found, h = run_after(startup, main, [f"{hidden.name}@GRAD", hidden])
    np.testing.assert_allclose(found, h / 3, rtol=1e-6)
    assert not main.clone(for_test=True).global_block().has_var(f"{hidden.name}@GRAD")


def run_after(startup, main, fetch):
    exe = static.Executor()
    exe.run(startup)
    return exe.run(main, {"x": X}, fetch)


def test_callbacks_see_each_operator_of_the_backward_pass_and_may_change_gradients(programs):
    main, startup = programs
    x = static.data("x", [2, 3])
    hidden = static.nn.fc(x, 2, weight_attr="w", bias_attr=False)
    loss = paddle.mean(paddle.tanh(hidden))
    seen = []

    def double_gradient_of_tanh(block, context):
        seen.append(context["__current_op_desc__"].type)
        if seen[-1] == "tanh_grad":
            name = next(n for n, of in context.items() if of == hidden.name)
            block.append_op(
                "scale", inputs={"X": name}, outputs={"Out": name}, attrs={"scale": 2.0}
            )

    ((_, doubled),) = static.append_backward(loss, callbacks=[double_gradient_of_tanh])
    ((_, plain),) = static.append_backward(loss)
    assert seen == ["reduce_mean_grad", "tanh_grad", "mul_grad"]
    doubled, plain = run_after(startup, main, [doubled, plain])
    np.testing.assert_allclose(doubled, 2 * plain, rtol=1e-6)


def test_gradients_share_the_blocks_of_their_operators(programs):
    main, startup = programs
    x = static.data("x", [2, 3])
    out = static.nn.fc(x, 2, weight_attr="w")
    loss = paddle.mean(static.nn.cond(paddle.mean(out) > 0, lambda: out * 2.0, lambda: out - 1.0))
    static.append_backward(loss)
    assert main.num_blocks == 3 and [b.idx for b in main.blocks] == [0, 1, 2]
    assert np.isfinite(run_after(startup, main, ["w@GRAD"])[0]).all()


def test_parameters_that_are_all_left_out_have_no_gradients(programs):
    loss = paddle.mean(static.nn.fc(static.data("x", [2, 3]), 2))
    assert static.append_backward(loss, no_grad_set=programs[0].all_parameters()) == []


def test_element_types_have_the_names_of_numpy(programs):
    assert static.data("label", [-1, 1], dtype="int").dtype == paddle.int64
    assert static.data("x", [1], dtype="double").dtype == paddle.float64


def test_results_of_a_layer_are_called_after_it(programs):
    main, _ = programs
    with paddle.utils.unique_name.guard():
        x = static.data("x", [2, 3])
        y = static.nn.fc(x, 2, activation="relu")
        z = static.nn.fc([y, x], 2, name="head")
    assert (y.name, z.name) == ("fc_0.tmp_2", "head.tmp_3")
    assert {"fc_0.w_0", "fc_0.tmp_0", "fc_0.b_0", "fc_0.tmp_1"} <= set(main.global_block().vars)
    assert paddle.tanh(z).name == "tanh_0.tmp_0"


def test_a_device_is_noted_while_a_function_is_converted_too():
    def devices(x):
        with static.device_guard("gpu:0"):
            y = x * 2.0
        return y + 1.0

    program = paddle.jit.to_static(devices).get_concrete_program(paddle.ones([2]))[0].program
    assert [o.attr("op_device") for o in program.main.ops] == ["gpu:0", ""]


def test_a_program_that_is_built_within_a_scope_and_a_device_has_their_notes():
    program = static.Program()
    with static.name_scope("net"), static.device_guard("cpu"), static.program_guard(program):
        y = static.data("x", [2], "float32") * 2.0
        with static.device_guard(None):
            y + 1.0
    assert [o.attr("op_namescope") for o in program.main.ops] == ["/net/", "/net/"]
    assert [o.attr("op_device") for o in program.main.ops] == ["cpu", ""]
