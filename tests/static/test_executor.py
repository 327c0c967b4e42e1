"""Programs: built, run, differentiated, cloned."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    GradientError,
    ProgramError,
    ShapeError,
    TypeMismatchError,
    UnknownNameError,
)


def regression():
    x = static.data("x", [None, 4], "float32")
    y = static.data("y", [None, 1], "float32")
    prediction = static.nn.fc(x, 1)
    return x, y, prediction, paddle.mean(paddle.square(prediction - y))


def batch(n=8):
    x = np.random.default_rng(0).random((n, 4), dtype=np.float32)
    return {"x": x, "y": x.sum(1, keepdims=True)}


def test_training_lowers_the_loss(programs):
    main, startup = programs
    *_, loss = regression()
    paddle.optimizer.SGD(0.1).minimize(loss)
    exe = static.Executor(paddle.CPUPlace())
    exe.run(startup)
    losses = [exe.run(main, feed=batch(), fetch_list=[loss])[0].item() for _ in range(30)]
    assert losses[-1] < 0.2 * losses[0]


def test_test_program_has_forward_operators_alone(programs):
    main, startup = programs
    _, _, prediction, loss = regression()
    before = [o.type for o in main.global_block().ops]
    paddle.optimizer.Adam(0.1).minimize(loss)
    test = main.clone(for_test=True)
    assert [o.type for o in test.global_block().ops] == before
    exe = static.Executor()
    exe.run(startup)
    fed = {"x": batch()["x"]}
    first = exe.run(test, feed=fed, fetch_list=[prediction])[0]
    np.testing.assert_array_equal(exe.run(test, feed=fed, fetch_list=[prediction.name])[0], first)


def test_gradients_equal_eager_ones(programs):
    main, startup = programs
    *_, loss = regression()
    pairs = static.append_backward(loss)
    exe = static.Executor()
    exe.run(startup)
    fed = batch()
    found = exe.run(main, feed=fed, fetch_list=[g for _, g in pairs])
    scope = static.global_scope()
    values = [np.array(scope.find_var(p.name)) for p, _ in pairs]
    with paddle.base.dygraph.guard() if hasattr(paddle, "base") else eager():
        w, b = (paddle.to_tensor(v, stop_gradient=False) for v in values)
        x, y = paddle.to_tensor(fed["x"]), paddle.to_tensor(fed["y"])
        paddle.mean(paddle.square(paddle.matmul(x, w) + b - y)).backward()
        np.testing.assert_allclose(found[0], w.grad.numpy(), rtol=1e-5)
        np.testing.assert_allclose(found[1], b.grad.numpy(), rtol=1e-5)


def eager():
    from twinoar.core.interpreter import eager as eager_interpreter
    from twinoar.core.interpreter import using

    return using(eager_interpreter())


def test_any_batch_size_runs(programs):
    main, startup = programs
    _, _, prediction, _ = regression()
    exe = static.Executor()
    exe.run(startup)
    for n in (1, 3, 0):
        assert exe.run(main, feed={"x": batch(n)["x"]}, fetch_list=[prediction])[0].shape == (n, 1)


def test_fetch_takes_names_states_and_gradients(programs):
    main, startup = programs
    *_, loss = regression()
    (weight, gradient), _ = static.append_backward(loss)
    exe = static.Executor()
    exe.run(startup)
    assert gradient.name == f"{weight.name}@GRAD"
    out = exe.run(main, feed=batch(), fetch_list=[weight.name, gradient.name, loss])
    assert [a.shape for a in out] == [(4, 1), (4, 1), ()]


@pytest.mark.parametrize(
    ("feed", "fetch", "error", "match"),
    [
        ({}, ["loss"], ProgramError, "the feed lacks x"),
        ({"x": np.ones((2, 4), "float32")}, ["loss"], ProgramError, "the feed lacks y"),
        (
            {"x": np.ones((2, 5), "float32"), "y": np.ones((2, 1), "float32")},
            ["loss"],
            ShapeError,
            "dimension 1 is 5",
        ),
        (
            {"x": np.ones((2, 4)), "y": np.ones((2, 1), "float32")},
            ["loss"],
            DTypeError,
            "must be float32",
        ),
        (
            {"x": np.ones((4,), "float32"), "y": np.ones((2, 1), "float32")},
            ["loss"],
            ShapeError,
            "1 dimensions",
        ),
        ({"z": 1}, ["loss"], UnknownNameError, "no input ['z']"),
        (batch(), ["lost"], UnknownNameError, "no variable 'lost'"),
        (batch(), [3], TypeMismatchError, "received int"),
    ],
)
def test_wrong_runs_are_refused(programs, feed, fetch, error, match):
    main, startup = programs
    *_, loss = regression()
    loss.name = "loss"
    exe = static.Executor()
    exe.run(startup)
    with pytest.raises(error) as caught:
        exe.run(main, feed=feed, fetch_list=fetch)
    assert match in str(caught.value) and "test_executor.py" in str(caught.value)


def test_running_before_startup_is_refused(programs):
    main, _ = programs
    *_, loss = regression()
    with pytest.raises(ProgramError, match="not initialized"):
        static.Executor().run(main, feed=batch(), fetch_list=[loss])


def test_loss_with_several_elements_is_refused(programs):
    regression()
    x = static.data("more", [3], "float32")
    with pytest.raises(ArgumentError, match="one element"):
        static.append_backward(x)


def test_loss_without_parameters_is_refused(programs):
    x = static.data("x", [3], "float32")
    with pytest.raises(GradientError, match="no trainable parameter"):
        static.append_backward(paddle.mean(x))


def test_an_input_that_is_declared_again_is_the_same_one(programs):
    assert static.data("x", [None, 3]) is static.data("x", [-1, 3], "float32")
    assert static.data("y", ["M"]) is static.data("y", ["M"])


@pytest.mark.parametrize(
    ("shape", "dtype"), [([2, 4], None), ([2, 3], None), ([None, 3], "int64"), (["M", 3], None)]
)
def test_the_name_of_an_input_is_taken_once(programs, shape, dtype):
    static.data("x", [None, 3])
    with pytest.raises(ArgumentError, match="already has an input 'x'"):
        static.data("x", shape, dtype)


def test_data_outside_a_program_is_refused():
    with pytest.raises(ProgramError, match="enable_static"):
        static.data("x", [3])


def test_symbols_have_no_data(programs):
    x = static.data("x", [None, 3])
    with pytest.raises(ProgramError, match="symbol"):
        x.numpy()
    with pytest.raises(ProgramError, match="symbol"):
        float(x)


def test_in_place_operators_rebind_the_handle(programs):
    main, _ = programs
    x = static.data("x", [3], "float32")
    y = x * 1.0
    before = y + 0.0
    y[0] = 5.0
    paddle.assign(y * 2, output=y)
    out = static.Executor().run(main, feed={"x": np.ones(3, "float32")}, fetch_list=[before, y])
    assert out[0].tolist() == [1, 1, 1] and out[1].tolist() == [10, 2, 2]


def test_global_counter_lives_on_between_runs(programs):
    main, startup = programs
    counter = static.create_global_var([1], 0, "int64", persistable=True, name="counter")
    paddle.increment(counter)
    exe = static.Executor()
    exe.run(startup)
    seen = [exe.run(main, fetch_list=[counter])[0].item() for _ in range(3)]
    assert seen == [1, 2, 3]


def test_layers_work_in_programs(programs):
    main, startup = programs
    x = static.data("x", [None, 4], "float32")
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.ReLU(), paddle.nn.Linear(3, 2))
    out = net(x)
    exe = static.Executor()
    exe.run(startup)
    assert exe.run(main, feed={"x": batch()["x"]}, fetch_list=[out])[0].shape == (8, 2)
    assert len(main.all_parameters()) == 4


def test_state_dict_round_iteration(programs):
    main, startup = programs
    _, _, prediction, _ = regression()
    exe = static.Executor()
    exe.run(startup)
    state = main.state_dict()
    fed = {"x": batch()["x"]}
    before = exe.run(main, feed=fed, fetch_list=[prediction])[0]
    main.set_state_dict({k: np.zeros_like(v) for k, v in state.items()})
    assert not exe.run(main, feed=fed, fetch_list=[prediction])[0].any()
    main.set_state_dict(state)
    np.testing.assert_array_equal(exe.run(main, feed=fed, fetch_list=[prediction])[0], before)


def test_wrong_state_changes_nothing(programs):
    main, startup = programs
    regression()
    static.Executor().run(startup)
    before = main.state_dict()
    first, second = before
    with pytest.raises(ShapeError, match="received shape"):
        main.set_state_dict(
            {first: np.zeros_like(before[first]), second: np.zeros((7,), "float32")}
        )
    with pytest.warns(UserWarning, match="no state 'nothing'"):
        main.set_state_dict({"nothing": np.zeros(1)})
    for k, v in main.state_dict().items():
        np.testing.assert_array_equal(v, before[k])


def test_py_func_runs_forward_and_backward(programs):
    main, _ = programs
    x = static.data("x", [-1, 4], "float32")
    x.stop_gradient = False
    out = main.current_block().create_var(name="output", dtype="float32", shape=[-1, 4])
    static.py_func(
        func=lambda a: np.maximum(a, 0.0),
        x=x,
        out=out,
        backward_func=lambda y, dy: dy * (y > 0),
        skip_vars_in_backward_input=x,
    )
    (gradient,) = static.gradients([paddle.mean(out)], [x])
    a = np.random.default_rng(1).uniform(-1, 1, (2, 4)).astype("float32")
    y, g = static.Executor().run(main, feed={"x": a}, fetch_list=["output", gradient])
    np.testing.assert_array_equal(y, np.maximum(a, 0))
    np.testing.assert_allclose(g, (a > 0) / 8)


def test_declared_variable_that_nothing_defines_is_refused(programs):
    main, _ = programs
    out = main.current_block().create_var(name="output", dtype="float32", shape=[2])
    with pytest.raises(ProgramError, match="nothing defines it"):
        static.Executor().run(main, fetch_list=[out])


def test_enable_static_and_back():
    paddle.enable_static()
    try:
        assert not paddle.in_dynamic_mode()
        assert "fill_constant" in paddle.zeros([1, 2]).name
    finally:
        paddle.disable_static()
    assert paddle.in_dynamic_mode()
