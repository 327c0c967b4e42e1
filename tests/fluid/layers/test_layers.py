"""What functions of fluid.layers share, and what no recorded result shows."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar import fluid, static
from twinoar.errors import ArgumentError
from twinoar.fluid import layers


def types(program: static.Program) -> list[str]:
    return [o.type for o in program.global_block().ops]


def test_the_operators_of_a_classifier_are_those_of_paddle() -> None:
    main = static.Program()
    with static.program_guard(main, static.Program()):
        image = fluid.data("image", [None, 3, 4, 4])
        label = fluid.data("label", [None, 1], "int64")
        loss = layers.softmax_with_cross_entropy(layers.fc(image, size=5), label)
        layers.reduce_mean(loss)
    assert types(main) == ["mul", "elementwise_add", "softmax_with_cross_entropy", "reduce_mean"]


def test_the_operators_of_a_training_program_are_those_of_paddle() -> None:
    main = static.Program()
    with static.program_guard(main, static.Program()):
        loss = layers.mean(layers.fc(fluid.data("x", [8, 1]), size=10))
        fluid.optimizer.SGD(learning_rate=0.01).minimize(loss)
    backward = ["fill_constant", "mean_grad", "elementwise_add_grad", "mul_grad"]
    assert types(main) == ["mul", "elementwise_add", "mean", *backward, "sgd", "sgd"]
    assert loss.shape == [1]


def test_data_puts_the_size_of_the_batch_in_front() -> None:
    with static.program_guard(static.Program()):
        assert layers.data("a", [3, 4]).spec.ndim == 3
        assert layers.data("b", [-1, 4]).spec.ndim == 2
        assert layers.data("c", [3, 4], append_batch_size=False).shape == [3, 4]
        assert layers.data("d", [1], dtype="int64", stop_gradient=False).stop_gradient is False


def test_results_are_named_after_the_layer() -> None:
    with static.program_guard(static.Program()):
        x = fluid.data("x", [2, 3])
        assert layers.relu(x, name="gate").name == "gate.tmp_0"
        assert layers.elementwise_add(x, x, act="tanh", name="sum").name == "sum.tmp_1"


def test_an_activation_is_a_name_or_a_dict() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.array([-1.0, 2.0], "float32"))
        leaky = layers.scale(x, act={"type": "leaky_relu", "alpha": 0.5})
        assert leaky.tolist() == [-0.5, 2.0]
        with pytest.raises(ArgumentError, match="there is no activation 'rellu'"):
            layers.scale(x, act="rellu")


def test_out_takes_the_result() -> None:
    with fluid.dygraph.guard():
        out = layers.zeros([2], "float32")
        found = layers.sums([layers.ones([2], "float32")] * 3, out=out)
        assert found is out
        assert out.tolist() == [3.0, 3.0]


def test_dropout_scales_in_testing_or_in_training() -> None:
    x = np.ones([1000], "float32")
    with fluid.dygraph.guard():
        tensor = fluid.dygraph.to_variable(x)
        assert layers.dropout(tensor, 0.25, is_test=True).tolist() == [0.75] * 1000
        kept = layers.dropout(tensor, 0.25).numpy()
        scaled = layers.dropout(tensor, 0.25, dropout_implementation="upscale_in_train").numpy()
    assert set(kept) == {0.0, 1.0}
    assert set(scaled) == {0.0, np.float32(1 / 0.75)}
    assert 0.6 < kept.mean() < 0.9


def test_a_program_for_testing_drops_nothing() -> None:
    main = static.Program()
    with static.program_guard(main, static.Program()):
        y = layers.dropout(fluid.data("x", [4]), 0.5)
    feed = {"x": np.ones([4], "float32")}
    (found,) = static.Executor().run(main.clone(for_test=True), feed=feed, fetch_list=[y.name])
    assert found.tolist() == [0.5] * 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("dropout(x, 0.5, seed=1)", "no seed of its own"),
        ("dropout(x, 0.5, dropout_implementation='up')", "dropout_implementation must be"),
        ("pool2d(x, 2, 'min')", "pool_type must be"),
        ("pool2d(x)", "pool_size must be given"),
        ("flatten(x, 9)", "axis must be in"),
        ("pad2d(x, mode='wrap')", "mode must be one of"),
        ("resize_bilinear(x)", "out_shape or scale must be given"),
        ("image_resize(x, [2, 2], resample='CUBE')", "resample must be one of"),
    ],
)
def test_wrong_arguments_are_refused(call: str, message: str) -> None:
    with static.program_guard(static.Program()):
        x = fluid.data("x", [2, 3, 4, 4])
        with pytest.raises(ArgumentError, match=message):
            eval(f"layers.{call}", {"layers": layers, "x": x})


def test_random_numbers_have_the_bounds_and_the_sizes_that_are_asked_for() -> None:
    with fluid.dygraph.guard():
        like = layers.zeros([3, 2], "float32")
        found = layers.uniform_random_batch_size_like(like, [-1, 400], min=2.0, max=3.0).numpy()
        assert found.shape == (3, 400)
        assert 2.0 <= found.min() < 2.1 < 2.9 < found.max() <= 3.0
        assert layers.uniform_random([2, 3], "float64").dtype == "float64"
        bell = layers.gaussian_random([2000], mean=1.0, std=0.5).numpy()
        assert abs(bell.mean() - 1.0) < 0.05 and abs(bell.std() - 0.5) < 0.05
        assert layers.gaussian_random_batch_size_like(like, [4, -1], 0, 1).shape == [4, 3]


def test_the_centers_of_classes_move_towards_their_rows() -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x, label = fluid.data("x", [3, 2]), fluid.data("label", [3, 1], "int64")
        zero = fluid.ParamAttr("centers", initializer=fluid.initializer.Constant(0.0))
        loss = layers.center_loss(x, label, 2, 0.5, zero)
    executor = static.Executor()
    executor.run(startup)
    rows = np.array([[1, 2], [3, 4], [5, 6]], "float32")
    feed = {"x": rows, "label": np.array([[0], [1], [1]])}
    executor.run(main, feed=feed, fetch_list=[loss])
    centers = np.array(fluid.global_scope().find_var("centers").get_tensor())
    expected = np.array([[1 / 2, 2 / 2], [(3 + 5) / 3, (4 + 6) / 3]]) * 0.5
    np.testing.assert_allclose(centers, expected, rtol=1e-6)


def test_a_tensor_made_without_a_value_takes_what_is_assigned() -> None:
    main = static.Program()
    with static.program_guard(main, static.Program()):
        made = layers.create_tensor("float32", name="made")
        layers.assign(layers.fill_constant([2], "float32", 3.0), output=made)
    (found,) = static.Executor().run(main, fetch_list=["made"])
    assert found.tolist() == [3.0, 3.0]


def test_a_rank_is_a_number_and_sequences_have_lengths() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.array([[1.0, 2.0, 9.0]], "float32"))
        lengths = fluid.dygraph.to_variable(np.array([2]))
        assert layers.rank(x).tolist() == [2]
        assert layers.sequence_pool(x, "sum", lengths=lengths).tolist() == [3.0]
        assert layers.diag_embed(x[0]).shape == [3, 3]
