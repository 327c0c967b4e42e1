"""py_func: Python on NumPy arrays, in Programs, in eager mode and in converted functions."""

import gc
import weakref

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError, UnsupportedError

X = np.array([[-1.0, 2.0, 3.0], [4.0, -5.0, 6.0]], np.float32)


@pytest.fixture
def programs():
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        yield main, startup


def relu(x):
    assert isinstance(x, np.ndarray)
    return np.maximum(x, 0.0)


def relu_gradient(y, dy):
    """As the tutorials of Paddle write it, which wants ndarrays."""
    dx = np.zeros_like(y)
    dx[y > 0] = 1.0
    return dx * dy


def picked(x, index):
    return x[index], index * 2


def picked_gradient(x, index, dy):
    dx = np.zeros_like(x)
    np.add.at(dx, index, dy)
    return dx


def declared(program, name, shape, dtype="float32"):
    return program.current_block().create_var(name=name, dtype=dtype, shape=shape)


def run(program, feed, fetch):
    return static.Executor().run(program, feed=feed, fetch_list=fetch)


@pytest.mark.parametrize("rows", [1, 2])
def test_skipped_variables_are_not_given_to_the_backward_function(programs, rows):
    main, _ = programs
    x = static.data("x", [-1, 3])
    x.stop_gradient = False
    y = declared(main, "y", [-1, 3])
    static.py_func(relu, x, y, relu_gradient, skip_vars_in_backward_input=x)
    (dx,) = static.gradients([paddle.sum(y)], [x])
    out, gradient = run(main, {"x": X[:rows]}, [y, dx])
    np.testing.assert_array_equal(out, np.maximum(X[:rows], 0))
    np.testing.assert_array_equal(gradient, (X[:rows] > 0).astype(np.float32))


@pytest.mark.parametrize("gives_all", [False, True])
def test_integer_inputs_and_outputs_have_no_gradient(programs, gives_all):
    main, _ = programs
    x, index = static.data("x", [-1, 3]), static.data("index", [-1], "int64")
    x.stop_gradient = False
    outs = [declared(main, "y", [-1, 3]), declared(main, "twice", [-1], "int64")]

    def backward(*given):
        found = picked_gradient(*given)
        return (found, None) if gives_all else found

    static.py_func(picked, [x, index], outs, backward, skip_vars_in_backward_input=outs)
    (dx,) = static.gradients([paddle.sum(outs[0])], [x])
    y, twice, gradient = run(main, {"x": X, "index": np.array([1, 1])}, [*outs, dx])
    np.testing.assert_array_equal(y, X[[1, 1]])
    assert twice.tolist() == [2, 2]
    np.testing.assert_array_equal(gradient, [[0, 0, 0], [2, 2, 2]])


def test_without_a_backward_function_no_gradient_flows(programs):
    main, _ = programs
    x = static.data("x", [2, 3])
    x.stop_gradient = False
    y = declared(main, "y", [2, 3])
    static.py_func(relu, x, y)
    assert static.gradients([paddle.sum(y)], [x]) == [None]


def test_a_function_without_results_runs_once_per_run(programs):
    main, _ = programs
    seen = []
    static.py_func(lambda a: seen.append(float(a.sum())), static.data("x", [-1, 3]), None)
    for rows in (1, 2):
        run(main, {"x": X[:rows]}, [])
    assert seen == [4.0, 9.0]


def doubled_relu(x):
    out = static.InputSpec([-1, 3])
    doubled = x * 2.0
    return static.py_func(relu, doubled, out, relu_gradient, skip_vars_in_backward_input=doubled)


@pytest.mark.parametrize("convert", [lambda f: f, paddle.jit.to_static], ids=["eager", "traced"])
def test_it_runs_in_eager_mode_and_in_converted_functions(convert):
    x = paddle.to_tensor(X, stop_gradient=False)
    y = convert(doubled_relu)(x)
    y.sum().backward()
    np.testing.assert_array_equal(y.numpy(), np.maximum(2 * X, 0))
    np.testing.assert_array_equal(x.grad.numpy(), 2.0 * (X > 0))


def test_a_tensor_takes_the_result_in_eager_mode():
    x, y = paddle.to_tensor(X, stop_gradient=False), paddle.zeros([2, 3])
    assert static.py_func(relu, x, y, relu_gradient, skip_vars_in_backward_input=x) is y
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), (X > 0).astype(np.float32))


def test_eager_calls_do_not_keep_their_functions():
    def local(a):
        return a

    kept = weakref.ref(local)
    static.py_func(local, paddle.to_tensor(X), static.InputSpec([2, 3]))
    del local
    gc.collect()
    assert kept() is None


def test_a_program_keeps_its_functions(programs):
    main, _ = programs
    y = declared(main, "y", [2, 3])
    static.py_func(lambda a: a + 1, static.data("x", [2, 3]), y)
    gc.collect()
    np.testing.assert_array_equal(run(main, {"x": X}, [y])[0], X + 1)


def test_the_text_of_a_program_finds_its_functions(programs):
    main, _ = programs
    static.py_func(relu, static.data("x", [2, 3]), declared(main, "y", [2, 3]))
    assert "function='relu'" in str(main)


@pytest.mark.parametrize(
    ("function", "out", "error", "message"),
    [
        (relu, static.InputSpec([7]), ShapeError, r"returned shape \[2, 3\], declared is f32\[7\]"),
        (lambda a: (a, a), static.InputSpec([2, 3]), ArgumentError, "returned 2 values, 1 were"),
        (relu, 3, TypeMismatchError, "must be Tensors or Variables, received int"),
        (None, None, TypeMismatchError, "func must be callable"),
    ],
)
def test_what_does_not_fit_is_refused(function, out, error, message):
    with pytest.raises(error, match=message):
        static.py_func(function, paddle.to_tensor(X), out)


def test_skipping_what_is_not_there_is_refused():
    x, other = paddle.to_tensor(X), paddle.to_tensor(X)
    with pytest.raises(ArgumentError, match="neither in x nor in out"):
        static.py_func(relu, x, static.InputSpec([2, 3]), relu_gradient, [other])


def test_files_do_not_hold_python_functions(tmp_path):
    class Layer(nn.Layer):
        def forward(self, x):
            return doubled_relu(x)

    with pytest.raises(UnsupportedError, match="py_func has no form") as caught:
        paddle.jit.save(Layer(), str(tmp_path / "model"), [static.InputSpec([2, 3])])
    assert "twinoar.custom" in str(caught.value)
