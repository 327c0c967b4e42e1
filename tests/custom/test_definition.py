"""Names, signatures and rules of custom operators, and operators composed of others."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest

import twinoar as paddle
from twinoar import Tensor, custom, nn
from twinoar.backends.choice import may_compile
from twinoar.core.ir.builder import trace
from twinoar.core.ir.parse import parse
from twinoar.core.op.definition import op_named, registry
from twinoar.core.spec import Spec
from twinoar.custom import language as s
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    ProgramError,
    TypeMismatchError,
    VerificationError,
)
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.program_write import write_program

X = np.linspace(-1.0, 1.1, 6, dtype=np.float32).reshape(2, 3)

MODULE = """
from twinoar import custom
from twinoar.custom import language as s

@custom.loop
def row_sums(x, scale: float = 1.0, kind: str = "plain", axes: tuple[int, ...] = (0,)):
    rows, columns = x.shape
    return custom.Elements([rows], lambda i: s.sum([columns], lambda k: x[i, k]) * scale)

@custom.elementwise
def bent(x):
    return s.select(x < 0, 0.5 * x, x)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "my_operators.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_operators", raising=False)
    import my_operators

    return my_operators


def in_new_process(folder, *lines):
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], cwd=folder, capture_output=True, text=True
    )
    return done.stdout + done.stderr


class Net(nn.Layer):
    def __init__(self, module):
        super().__init__()
        self.module, self.linear = module, nn.Linear(3, 3)

    def forward(self, x):
        return self.module.row_sums(self.module.bent(self.linear(x)), scale=2.0)


@pytest.fixture
def saved(module, tmp_path):
    net = Net(module)
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, [paddle.static.InputSpec([None, 3])])
    return net, prefix


def test_a_saved_model_computes_and_trains_as_before(saved):
    net, prefix = saved
    loaded = paddle.jit.load(prefix)
    x = paddle.to_tensor(X)
    mine, theirs = net(x), loaded(x)
    np.testing.assert_allclose(theirs.numpy(), mine.numpy(), rtol=1e-6)
    mine.sum().backward()
    theirs.sum().backward()
    gradients = {p.name: p.grad.numpy() for p in loaded.parameters()}
    for p in net.parameters():
        np.testing.assert_allclose(gradients[p.name], p.grad.numpy(), rtol=1e-6)
    assert "row_sums(" in str(loaded.program())


def test_an_expression_is_read_by_who_does_not_know_it(saved):
    _, prefix = saved
    assert "bent" not in str(paddle.jit.load(prefix).program())


LOADING = ("import numpy as np, twinoar", "net = twinoar.jit.load('net')")


def test_a_new_process_reads_the_file_once_it_has_the_definition(saved, tmp_path):
    net, _ = saved
    wanted = net(paddle.to_tensor(X)).numpy().tolist()
    shown = in_new_process(
        tmp_path, "import my_operators", *LOADING, f"x = twinoar.to_tensor({X.tolist()})",
        f"print(np.allclose(net(x).numpy(), {wanted}))",
    )  # fmt: skip
    assert shown == "True\n"


def test_a_process_without_the_definition_is_told_what_lacks(saved, tmp_path):
    shown = in_new_process(tmp_path, *LOADING)
    assert "FileError" in shown and "the custom operator row_sums is not defined" in shown
    assert "import my_operators, the module that defines row_sums" in shown


def test_an_inference_model_of_the_static_api_reads_back(module, tmp_path):
    static = paddle.static
    paddle.enable_static()
    try:
        main = static.Program()
        with static.program_guard(main, static.Program()):
            x = static.data("x", [None, 3])
            y = module.row_sums(module.bent(x), scale=3.0)
        executor = static.Executor()
        static.save_inference_model(str(tmp_path / "m"), [x], [y], executor, program=main)
        program, feeds, fetches = static.load_inference_model(str(tmp_path / "m"), executor)
        (found,) = executor.run(program, feed={feeds[0]: X}, fetch_list=fetches)
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, 3 * np.where(X < 0, X / 2, X).sum(1), rtol=1e-6)


def test_a_program_with_gradients_is_written_and_read(module):
    static = paddle.static
    program = static.Program()
    with static.program_guard(program, static.Program()):
        x = static.data("x", [None, 3])
        x.stop_gradient = False
        loss = paddle.sum(module.row_sums(module.bent(x)) ** 2)
        (gradient,) = static.gradients([loss], [x])
    again = read_program(write_program(program), "program")
    assert "row_sums.slopes(" in str(again)
    found = [
        static.Executor().run(p, feed={"x": X}, fetch_list=[name])[0]
        for p, name in ((program, gradient.name), (again, gradient.name))
    ]
    np.testing.assert_allclose(*found, rtol=1e-6)


def test_operators_are_pickled_by_where_they_stand(module, tmp_path):
    data = pickle.dumps(module.row_sums)
    assert pickle.loads(data) is module.row_sums
    shown = in_new_process(
        tmp_path, f"import pickle; op = pickle.loads({data!r})",
        "import twinoar; print(op(twinoar.ones([1, 3])).tolist())",
    )  # fmt: skip
    assert shown == "[3.0]\n"


def test_programs_as_text_read_back(module):
    program = trace(lambda x: module.row_sums(x, scale=2.0), Spec.parse("f32[N,3]"))
    assert str(parse(str(program))) == str(program)
    del registry["row_sums"]
    with pytest.raises(ProgramError, match="there is no operator 'row_sums'"):
        parse(str(program))


def define(text="x * 2", name="f", module="a", **options):
    space = {"__name__": module, "custom": custom, "s": s, "options": options}
    exec(f"@custom.elementwise(**options)\ndef {name}(x):\n    return {text}\n", space)
    return space[name]


def test_a_cell_of_a_notebook_may_run_again():
    define("x * 2")
    again = define("x * 3")
    assert op_named("f") is again and again(paddle.ones([1])).tolist() == [3.0]


def test_a_name_of_another_module_is_taken_only_on_demand():
    define(module="a")
    with pytest.raises(ArgumentError, match="already a custom operator f, defined in a") as caught:
        define(module="b")
    assert "replace=True" in str(caught.value)
    assert define(module="b", replace=True) is op_named("f")


@pytest.mark.parametrize("kind", [custom.elementwise, custom.op, custom.loop])
def test_names_of_built_in_operators_are_refused(kind):
    def relu(x):
        return x

    with pytest.raises(ArgumentError, match="twinoar has an operator relu") as caught:
        kind(relu)
    assert "my_relu" in str(caught.value)
    assert kind(relu, name="my_relu").name == "my_relu"


def test_a_name_can_be_given():
    assert custom.elementwise(lambda x: x * 2, name="doubled")(paddle.ones([1])).tolist() == [2.0]
    with pytest.raises(ArgumentError, match=r"received 'a\.b'"):
        custom.elementwise(lambda x: x, name="a.b")


def test_an_expression_has_a_fixed_number_of_operands():
    def total(xs: Sequence[Tensor]):
        return sum(xs)

    with pytest.raises(TypeMismatchError, match="fixed number of operands"):
        custom.elementwise(total)


def test_complex_numbers_are_refused():
    with pytest.raises(DTypeError, match="f: elements are real numbers"):
        define("x * 2")(paddle.to_tensor([1j]))


def test_annotations_tell_operands_from_attributes():
    @custom.op
    def scaled(
        x: Tensor, bias: Tensor | None = None, scale: float = 1.0, mode: Literal["a", "b"] = "a"
    ) -> Tensor:
        """x * scale, and the bias."""
        y = x * scale
        return y if bias is None else y + bias

    assert [o.name for o in scaled.operands] == ["x", "bias"] and scaled.operands[1].optional
    assert list(scaled.attrs) == ["scale", "mode"]
    assert scaled(paddle.ones([1]), scale=3, bias=paddle.ones([1])).tolist() == [4.0]
    with pytest.raises(ArgumentError, match="mode"):
        scaled(paddle.ones([1]), mode="c")


def of_any_number(*xs):
    return xs[0]


def of_a_list(x, axes=(1, 2)):
    return x


def with_a_gradient(x, g):
    return x


@pytest.mark.parametrize(
    ("function", "error", "messages"),
    [
        (of_any_number, TypeMismatchError, ["*xs", "Sequence[Tensor]"]),
        (of_a_list, TypeMismatchError, ["axes=(1, 2)", "axes: tuple[int, ...]"]),
        (with_a_gradient, ArgumentError, ["the name g means something", "g_"]),
        (lambda x: x, ArgumentError, ["received '<lambda>'", "name="]),
        (3, TypeMismatchError, ["received int", "def name(x"]),
    ],
)
@pytest.mark.parametrize("kind", [custom.elementwise, custom.op, custom.loop, custom.primitive])
def test_what_is_no_signature_is_refused(kind, function, error, messages):
    with pytest.raises(error) as caught:
        kind(function)
    for message in messages:
        assert message in str(caught.value)


def test_a_composite_is_one_line_and_has_all_gradients():
    @custom.op
    def squared_tanh(x, scale: float = 1.0):
        t = paddle.tanh(x * scale)
        return t * t

    program = trace(lambda x: squared_tanh(x, scale=2.0), Spec((2, 3)))
    assert "= squared_tanh(%x, scale=2.0)" in str(program)
    assert "second gradient" in custom.check(squared_tanh, X, scale=2.0)


def test_a_primitive_is_its_rules():
    @custom.primitive(infer=lambda x: x, kernel=lambda x: np.sort(x, -1))
    def sorted_rows(x):
        """The elements of each row in order."""

    assert sorted_rows(paddle.to_tensor([2, 1])).tolist() == [1, 2]
    custom.check(sorted_rows, X)


def test_a_primitive_without_rules_is_refused():
    def half(x):
        """Half of x."""

    with pytest.raises(ArgumentError, match="half lacks infer and kernel"):
        custom.primitive(half)


def test_check_takes_the_samples_of_the_operator():
    op = define("x * x")
    with pytest.raises(ArgumentError, match="f has no samples"):
        custom.check(op)

    @op.samples
    def _(make):
        yield make(make.randn(2, 3))
        yield make.bad(DTypeError, "never called")

    assert len(custom.check(op).splitlines()) == (8 if may_compile() else 6)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"grad": lambda g: g}, "the gradient is the slope of the result: the derivative is"),
        ({"infer": lambda x: Spec((7,))}, "inference is what the kernel gives: f32[7] is inferred"),
    ],
)
def test_check_finds_what_does_not_agree(rules, message):
    op = define("x * 2", **rules)
    with pytest.raises(VerificationError) as caught:
        custom.check(op, X)
    assert message in str(caught.value) and "f(f32[2,3])" in str(caught.value)


@pytest.mark.skipif(not may_compile(), reason="Programs run on NumPy here")
def test_check_holds_native_code_against_the_kernel():
    op = define("x * 2", kernel=lambda x: x * 3, grad=lambda g: g * 3.0)
    with pytest.raises(VerificationError, match="native code gives what the NumPy kernel gives"):
        custom.check(op, X)


def test_check_wants_an_operator():
    with pytest.raises(TypeMismatchError, match="check wants an operator, received int"):
        custom.check(3)


@pytest.mark.skipif(not may_compile(), reason="Programs run on NumPy here")
def test_a_kernel_in_python_is_a_host_command():
    @custom.primitive(infer=lambda x: x, kernel=np.sort)
    def sorted_on_host(x):
        """The elements of each row in order."""

    function = paddle.jit.to_static(lambda x: sorted_on_host(x * 2.0))
    with paddle.no_grad():
        function(paddle.to_tensor(X))
    wanted = "host commands: 1: sorted_on_host (its kernel is a Python function)"
    assert function.explain().splitlines()[-1] == wanted
