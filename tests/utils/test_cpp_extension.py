"""Operators in C++: what a declaration may say, in every mode, and what fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import errors
from twinoar.utils import cpp_extension
from twinoar.utils.cpp_extension.build import COMPILERS, compiler
from twinoar.utils.cpp_extension.declaration import read_attribute

SOURCE = Path(__file__).with_name("test_cpp_extension.cc")
FAST = ["-O0"]  # what is tested runs for no time, compiling does not


def has_compiler() -> bool:
    try:
        return bool(compiler())
    except errors.ExtensionError:
        return False


needs_compiler = pytest.mark.skipif(not has_compiler(), reason="there is no C++ compiler")


@pytest.fixture(scope="module")
def ops():
    return cpp_extension.load("test_cpp_extension", [SOURCE], extra_cxx_cflags=FAST)


def tensor(*shape: int, grad: bool = False, dtype: str = "float32") -> paddle.Tensor:
    numbers = np.random.default_rng(3).standard_normal(shape).astype(dtype)
    return paddle.to_tensor(numbers, stop_gradient=not grad)


@needs_compiler
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (0, 3), (4,), (70, 20)])
def test_a_kernel_computes_on_every_type_that_it_dispatches(ops, dtype: str, shape) -> None:
    x = tensor(*shape).astype(dtype)
    out = ops.cpp_relu(x)
    assert out.dtype == x.dtype
    assert np.array_equal(out.numpy(), np.maximum(x.numpy(), 0))


@needs_compiler
def test_a_kernel_reads_arrays_that_are_not_contiguous_in_their_order(ops) -> None:
    x = tensor(3, 4).T
    assert np.array_equal(ops.cpp_relu(x).numpy(), np.maximum(x.numpy(), 0))


@needs_compiler
def test_results_outlive_the_call_and_each_other(ops) -> None:
    rows = ops.cpp_two_rows(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]))
    second = rows.pop()
    del rows
    assert second.numpy().tolist() == [[3.0, 4.0]]


@needs_compiler
def test_gradients_come_from_the_gradient_operator(ops) -> None:
    x = paddle.to_tensor([-1.0, 2.0, 3.0], stop_gradient=False)
    ops.cpp_relu(x).sum().backward()
    assert x.grad.numpy().tolist() == [0.0, 1.0, 1.0]


@needs_compiler
def test_second_gradients_come_from_its_own(ops) -> None:
    x = tensor(5, grad=True)
    (slope,) = paddle.grad(ops.cpp_square(x), x, create_graph=True)
    (slope**2).sum().backward()
    assert np.allclose(x.grad.numpy(), 8 * x.numpy())
    (slope,) = paddle.grad(ops.cpp_relu(x), x, create_graph=True)
    assert not slope.stop_gradient


@needs_compiler
def test_an_operator_without_gradient_says_so(ops) -> None:
    x = tensor(2, 3, grad=True)
    with pytest.raises(errors.GradientError, match="cpp_reshaped is not differentiable"):
        ops.cpp_reshaped(x, 0).sum().backward()


@needs_compiler
def test_attributes_of_every_type_arrive(ops) -> None:
    given = (True, -3, 0.5, 2**40, "four", [1, 2], [0.25], [2**41, 5], ["a", "bcd"])
    found = ops.cpp_attributes(tensor(1), *given).numpy().tolist()
    assert found == [1.0, -3.0, 0.5, 2.0**40, 4.0, 1.0, 2.0, 0.25, 2.0**41, 5.0, 1.0, 3.0]


@needs_compiler
def test_empty_lists_of_attributes_arrive(ops) -> None:
    found = ops.cpp_attributes(tensor(1), False, 0, 0.0, 0, "", [], [], [], []).numpy()
    assert found.tolist() == [0.0] * 5


@needs_compiler
def test_attributes_are_checked(ops) -> None:
    with pytest.raises(errors.TypeMismatchError, match="mode must be of type int"):
        ops.cpp_reshaped(tensor(2, 2), "flat")
    with pytest.raises(errors.ExtensionError, match="a C\\+\\+ int cannot hold"):
        ops.cpp_failing(tensor(1), 2**40)


@needs_compiler
def test_a_list_of_tensors_has_a_list_of_gradients(ops) -> None:
    xs = [tensor(n, 2, grad=True) for n in (1, 3, 2)]
    out = ops.cpp_stack(xs, 2)
    assert np.array_equal(out.numpy(), np.concatenate([x.numpy() for x in xs] * 2))
    (out * paddle.arange(12).astype("float32").unsqueeze(1)).sum().backward()
    assert xs[1].grad.numpy()[:, 0].tolist() == [8.0, 10.0, 12.0]


@needs_compiler
def test_an_optional_input_may_be_none(ops) -> None:
    x, y = tensor(3, grad=True), tensor(3, grad=True)
    ops.cpp_maybe_add(x).sum().backward()
    ops.cpp_maybe_add(x, None).sum().backward()
    ops.cpp_maybe_add(x, y).sum().backward()
    assert x.grad.numpy().tolist() == [3.0] * 3
    assert y.grad.numpy().tolist() == [1.0] * 3


@needs_compiler
def test_an_input_changes_in_place_for_its_handle_and_views(ops) -> None:
    x, y = tensor(3), tensor(3, grad=True)
    kept = x.numpy().copy()
    view, copy = x.detach(), x.clone()
    assert ops.cpp_add_(x, y) is x
    assert np.allclose(x.numpy(), 2 * kept)
    assert np.array_equal(view.numpy(), x.numpy())
    assert np.array_equal(copy.numpy(), kept)
    x.sum().backward()
    assert y.grad.numpy().tolist() == [1.0] * 3


@needs_compiler
def test_several_lists_and_results_of_several_types(ops) -> None:
    xs, ys = [tensor(2, grad=True)], [tensor(3, grad=True), tensor(1)]
    total, count = ops.cpp_totals(xs, paddle.to_tensor([2.0]), ys)
    assert np.allclose(total.numpy(), [2 * sum(t.numpy().sum() for t in (*xs, *ys))])
    assert count.numpy().tolist() == [1, 2]
    total.backward()
    assert xs[0].grad.numpy().tolist() == [2.0, 2.0]
    assert ys[0].grad.numpy().tolist() == [2.0] * 3


@needs_compiler
@pytest.mark.parametrize(
    ("how", "message"),
    [
        (0, "how is 0"),
        (1, r"\(InvalidArgument\) rows of X are 2\n  expected x.shape\(\)\[0\] == 7, received 2"),
        (2, "no such row"),
        (3, "no std::exception"),
        (4, r"the kernel returned f32\[1\], declared are f32\[2\]"),
        (5, "has elements of type float32, data<T>.. asks for int64"),
    ],
)
def test_an_exception_in_cpp_is_an_error_that_names_the_operator(ops, how, message) -> None:
    with pytest.raises(errors.ExtensionError, match=message) as caught:
        ops.cpp_failing(tensor(2), how)
    assert str(caught.value).startswith("cpp_failing: ")


@needs_compiler
@pytest.mark.parametrize(
    ("operator", "extra", "message"),
    [
        ("cpp_other_type", [1], "attribute 0 is declared with another type than"),
        ("cpp_more_parameters", [], "has more parameters than the operator has inputs"),
        ("cpp_fewer_parameters", [tensor(2)], "has fewer parameters than the operator has inputs"),
        ("cpp_no_kernel", [], "SetKernelFn is missing"),
    ],
)
def test_a_function_that_does_not_fit_the_declaration(ops, operator, extra, message) -> None:
    with pytest.raises(errors.ExtensionError, match=message):
        getattr(ops, operator)(tensor(2), *extra)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("by: Place", "the attribute by of scale has the type 'Place'"),
        ("by: std::vector<double", "has the type 'std::vector<double'"),
        ("by: float = half", "is not a value"),
    ],
)
def test_an_attribute_that_is_declared_wrongly(declared: str, message: str) -> None:
    with pytest.raises(errors.ExtensionError, match=message):
        read_attribute("scale", declared)


@pytest.mark.parametrize(
    ("declared", "default"),
    [
        ("flag: bool = true", True),
        ("axes: std::vector<int64_t> = {1, 2}", (1, 2)),
        ('text: std::string = "a"', "a"),
    ],
)
def test_an_attribute_may_have_a_default(declared: str, default: object) -> None:
    assert read_attribute("scale", declared).default == default


@needs_compiler
def test_memory_of_results_is_returned(ops) -> None:
    resource = pytest.importorskip("resource")
    x = paddle.zeros([1 << 20])
    ops.cpp_relu(x)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(100):  # 4 MiB each
        ops.cpp_relu(x)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10  # in KiB


@needs_compiler
def test_a_result_that_is_an_input_is_a_copy(ops) -> None:
    x = tensor(2)
    assert not np.shares_memory(ops.cpp_failing(x, 9).numpy(), x.numpy())


@needs_compiler
def test_a_type_without_a_kernel_is_an_error(ops) -> None:
    with pytest.raises(
        errors.ExtensionError, match="relu is not implemented for the data type int64"
    ):
        ops.cpp_relu(paddle.to_tensor([1, 2]))


@needs_compiler
def test_what_is_no_tensor_is_refused(ops) -> None:
    with pytest.raises(errors.TypeMismatchError, match="x must be a Tensor, received float"):
        ops.cpp_relu(2.0)
    with pytest.raises(errors.TypeMismatchError, match="x must be a list of Tensors"):
        ops.cpp_stack(tensor(2, 2), 1)


def infer(ops, *shape, mode: int):
    with paddle.static.program_guard(paddle.static.Program()):
        return ops.cpp_reshaped(paddle.static.data("x", shape), mode).spec.shape


@needs_compiler
@pytest.mark.usefixtures("static_mode")
def test_unknown_sizes_are_followed_through_the_shape_function(ops) -> None:
    assert infer(ops, 2, 3, mode=0) == (3, 2)
    transposed = infer(ops, "N", 3, mode=0)
    assert transposed[0] == 3
    assert str(transposed[1]) == "N"
    swapped = infer(ops, "N", "M", mode=0)
    assert list(map(str, swapped)) == ["M", "N"]


@needs_compiler
@pytest.mark.usefixtures("static_mode")
@pytest.mark.parametrize("mode", [1, 2])
def test_a_size_that_follows_none_is_new(ops, mode: int) -> None:
    (size, *_) = infer(ops, "N", 3, mode=mode)
    assert str(size) not in ("N", "3", "4")


@needs_compiler
@pytest.mark.usefixtures("static_mode")
def test_a_program_without_an_inference_function_names_what_is_missing(ops) -> None:
    with (
        paddle.static.program_guard(paddle.static.Program()),
        pytest.raises(errors.ExtensionError, match="nothing says what A of cpp_unsaid is like"),
    ):
        ops.cpp_unsaid(paddle.static.data("x", [2]))


@needs_compiler
def test_eager_mode_needs_no_inference_function(ops) -> None:
    first, second = ops.cpp_unsaid(tensor(2))
    assert np.array_equal(first.numpy(), second.numpy())


@needs_compiler
@pytest.mark.usefixtures("static_mode")
@pytest.mark.parametrize("rows", [1, 70])
def test_a_static_program_trains_through_it(ops, rows: int) -> None:
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", ["N", 4])
        weight = paddle.create_parameter([4, 3], "float32")
        loss = ops.cpp_square(ops.cpp_relu(x @ weight)).mean()
        paddle.optimizer.SGD(0.1).minimize(loss)
    executor = paddle.static.Executor()
    executor.run(startup)
    feed = {"x": np.ones((rows, 4), "float32")}
    losses = [float(executor.run(main, feed, [loss])[0]) for _ in range(5)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0] or losses[0] == 0


class Network(paddle.nn.Layer):
    def __init__(self, ops) -> None:
        super().__init__()
        self.linear = paddle.nn.Linear(4, 3)
        self.ops = ops

    def forward(self, x):
        y = self.ops.cpp_maybe_add(self.ops.cpp_relu(self.linear(x)), None)
        return self.ops.cpp_stack([y, y], 2)


@needs_compiler
def test_to_static_traces_it_and_its_gradient(ops) -> None:
    paddle.seed(1)
    network = Network(ops)
    x = tensor(2, 4)
    network(x).sum().backward()
    eager = network.linear.weight.grad.numpy()
    network.clear_gradients()
    converted = paddle.jit.to_static(network.forward)
    converted(x).sum().backward()
    assert np.array_equal(network.linear.weight.grad.numpy(), eager)


LOADING = """
import sys
import numpy as np
import twinoar as paddle
from twinoar.utils import cpp_extension
if sys.argv[2] != "":
    cpp_extension.load("test_cpp_extension", [sys.argv[2]], extra_cxx_cflags=["-O0"])
loaded = paddle.jit.load(sys.argv[1])
np.save(sys.argv[1], loaded(paddle.ones([3, 4])).numpy())
"""


@needs_compiler
def test_a_saved_model_loads_where_the_library_is_loaded(ops, tmp_path: Path) -> None:
    network = Network(ops)
    path = str(tmp_path / "model")
    paddle.jit.save(network, path, input_spec=[paddle.static.InputSpec([None, 4], name="x")])
    program = paddle.static.deserialize_program(Path(f"{path}.pdmodel").read_bytes())
    types = [o.type for o in program.global_block().ops if o.type.startswith("cpp_")]
    assert types == ["cpp_relu", "cpp_maybe_add", "cpp_stack"]
    command = [sys.executable, "-c", LOADING, path]
    done = subprocess.run([*command, str(SOURCE)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    expected = network(paddle.ones([3, 4])).numpy()
    assert np.allclose(np.load(f"{path}.npy"), expected, atol=1e-6)
    without = subprocess.run([*command, ""], capture_output=True, text=True)
    assert "cpp_relu: twinoar has no operator of this type" in without.stderr
    assert "load its library" in without.stderr


@needs_compiler
def test_the_file_has_the_declared_slots_and_attributes(ops) -> None:
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()) as _:
            x = paddle.static.data("x", [2, 2])
            out = ops.cpp_stack([x, x], 3)
            data = paddle.static.serialize_program([x], [out])
    finally:
        paddle.disable_static()
    from twinoar.formats.paddle import schema

    (op,) = (o for o in schema.read_program(data, "").blocks[0].ops if o.type == "cpp_stack")
    assert [(s.parameter, len(s.arguments)) for s in op.inputs] == [("X@VECTOR", 2)]
    assert [(a.name, a.l) for a in op.attrs if a.name == "repeats"] == [("repeats", 3)]


def test_gradient_names_are_marked_as_paddle_marks_them() -> None:
    header = Path(cpp_extension.__file__).parent / "include" / "paddle" / "twinoar" / "operator.h"
    for mark in ("@GRAD", "@NEW", "@VECTOR", "@OPTIONAL"):
        assert f'"{mark}"' in header.read_text()


def test_the_compilers_are_looked_for_in_order(monkeypatch, tmp_path: Path) -> None:
    for name in COMPILERS[1:]:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert compiler() == str(tmp_path / "g++")
