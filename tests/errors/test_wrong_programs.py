"""Wrong uses of static graphs, of to_static, and of Programs as text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import twinoar as paddle
import twinoar.nn.functional as F
from tests.errors.wrong import Wrong, assert_helpful, ones
from twinoar import static
from twinoar.core.ir.parse import parse
from twinoar.core.ir.verify import verify
from twinoar.errors import (
    ArgumentError,
    AxisError,
    ConversionError,
    DTypeError,
    GradientError,
    NotTensorError,
    ProgramError,
    ShapeError,
    TypeMismatchError,
    UnknownNameError,
)
from twinoar.jit import to_static
from twinoar.static import InputSpec

ARRAY = np.ones((2, 3), "float32")


def x(*shape: int | None, name: str = "x", dtype: str = "float32") -> static.Variable:
    return static.data(name, shape or [None, 3], dtype)


def run(out: object, feed: object = None, program: object = None) -> list:
    fetches = out if isinstance(out, list) else [out]
    return static.Executor().run(
        program, feed={"x": ARRAY} if feed is None else feed, fetch_list=fetches
    )


def run_without_startup() -> None:
    out = static.nn.fc(x(), 2)
    static.Executor().run(feed={"x": ARRAY}, fetch_list=[out])


def fetch_what_another_program_has() -> None:
    with static.program_guard(static.Program()):
        other = x(name="a") * 2
    x()
    static.Executor().run(feed={"x": ARRAY}, fetch_list=[other])


def mix_programs() -> None:
    with static.program_guard(static.Program()):
        other = x(name="a")
    x() + other


def use_a_symbol_eagerly() -> None:
    with static.program_guard(static.Program()):
        symbol = x()
    symbol + ones(2, 3)


def fetch_what_nothing_defines() -> None:
    declared = static.default_main_program().global_block().create_var(name="y", shape=[2])
    static.Executor().run(feed={}, fetch_list=[declared])


def gather_out_of_range() -> None:
    index = static.data("i", [2], "int64")
    out = paddle.gather(x(), index)
    static.Executor().run(feed={"x": ARRAY, "i": np.array([0, 9])}, fetch_list=[out])


def run_an_operator_out_of_range() -> None:
    index = static.data("i", [2], "int64")
    out = F.embedding(index, x(5, 2, name="w"))
    feed = {"w": np.ones((5, 2), "float32"), "i": np.array([0, 9])}
    static.Executor().run(feed=feed, fetch_list=[out])


def minimize_what_needs_no_gradient() -> None:
    paddle.optimizer.SGD(0.1).minimize(x().mean())


BUILDING = {
    "matmul": Wrong(lambda: x(None, 3) @ x(4, 5, name="y"), ShapeError, "3 columns", "4 rows"),
    "add": Wrong(lambda: x(2, 3) + x(4, name="y"), ShapeError, "do not broadcast", "[4]"),
    "conv2d": Wrong(
        lambda: F.conv2d(x(None, 3, 8, 8), x(4, 5, 3, 3, name="w")), ShapeError, "3 channels", "5"
    ),
    "concat": Wrong(lambda: paddle.concat([x(2, 3), 3.0]), NotTensorError, "Tensor", "3.0"),
    "reshape": Wrong(lambda: paddle.reshape(x(2, 3), [4]), ShapeError, "6 elements", "[4]"),
    "softmax": Wrong(lambda: F.softmax(x(), axis=4), AxisError, "[-2, 1]", "received 4"),
    "embedding": Wrong(lambda: F.embedding(x(), x(name="w")), DTypeError, "integers", "f32"),
    "relu of a list": Wrong(lambda: F.relu([x()]), NotTensorError, "Tensor", "list"),
    "layer_norm of text": Wrong(lambda: F.layer_norm("x", 3), NotTensorError, "Tensor", "'x'"),
    "relu of None": Wrong(lambda: F.relu(None), NotTensorError, "Tensor", "None"),
    "a reduction": Wrong(
        lambda: F.mse_loss(x(), x(name="y"), reduction="avg"), ArgumentError, "'mean'", "'avg'"
    ),
    "numpy()": Wrong(lambda: x().numpy(), ProgramError, "Executor", "x"),
    "item()": Wrong(lambda: x().item(0), ProgramError, "Executor", "x"),
    "float()": Wrong(lambda: float(x(1)), ProgramError, "Executor", "x"),
    "if": Wrong(lambda: 1 if x(1) > 0 else 2, ConversionError, "cond", "greater"),
    "for": Wrong(lambda: list(x()), ShapeError, "size", "unknown"),
    "len": Wrong(lambda: range(len(x())), ShapeError, "known", "N"),
    "backward()": Wrong(lambda: x().mean().backward(), ProgramError, "append_backward", "Variable"),
    "a name that is taken": Wrong(
        lambda: (x(2), x(3)), ArgumentError, "another name", "already has an input 'x'"
    ),
    "a name that is no text": Wrong(lambda: x(name=3), TypeMismatchError, "string", "int"),
    "a size of -2": Wrong(lambda: x(-2, 3), ArgumentError, "at least 0", "-2"),
    "a size of a fraction": Wrong(lambda: x(2.5, 3), ArgumentError, "at least 0", "2.5"),
    "a dtype": Wrong(lambda: x(dtype="float31"), DTypeError, "float32", "float31"),
    "two programs": Wrong(mix_programs, ProgramError, "program_guard", "another program"),
    "a guard of no Program": Wrong(
        lambda: static.program_guard("main").__enter__(), TypeMismatchError, "Program", "str"
    ),
    "fc of no width": Wrong(lambda: static.nn.fc(x(), 0), ArgumentError, "positive", "0"),
    "fc of unknown features": Wrong(
        lambda: static.nn.fc(x(None, None), 2), ShapeError, "known", "f32[N,"
    ),
    "fc with an activation": Wrong(
        lambda: static.nn.fc(x(), 2, activation="rellu"), ArgumentError, "'relu'", "'rellu'"
    ),
    "fc of an array": Wrong(
        lambda: static.nn.fc(ARRAY, 2), TypeMismatchError, "Variables", "ndarray"
    ),
    "a parameter of unknown size": Wrong(
        lambda: static.create_parameter([None, 2], "float32"), ArgumentError, "known", "None"
    ),
    "a variable that no block has": Wrong(
        lambda: static.default_main_program().global_block().var("y"),
        UnknownNameError,
        "block",
        "'y'",
    ),
    "an operator that is none": Wrong(
        lambda: static.default_main_program().global_block().append_op("rellu", {"x": x()}),
        UnknownNameError,
        "relu",
        "'rellu'",
    ),
    "an operand that is none": Wrong(
        lambda: static.default_main_program().global_block().append_op("relu", {"y": x()}),
        UnknownNameError,
        "X",
        "'y'",
    ),
    "branches of two structures": Wrong(
        lambda: static.nn.cond(x(1) > 0, lambda: x(name="a"), lambda: (x(name="b"), 1)),
        ConversionError,
        "as many",
        "different structures",
    ),
    "gradients of nothing": Wrong(
        minimize_what_needs_no_gradient, GradientError, "trainable parameter", "reduce_mean"
    ),
    "a loss that is none": Wrong(
        lambda: paddle.optimizer.SGD(0.1).minimize(3.0), TypeMismatchError, "Tensor", "float"
    ),
    "append_backward of a list": Wrong(
        lambda: static.append_backward([x().mean()]), TypeMismatchError, "Variable", "list"
    ),
    "a state's mode": Wrong(
        lambda: static.Program().state_dict("params"), ArgumentError, "'param'", "'params'"
    ),
}

RUNNING = {
    "a feed is missing": Wrong(lambda: run(x() * 2, {}), ProgramError, "feed={'x'", "lacks x"),
    "a feed that is misspelled": Wrong(
        lambda: run(x(name="image") * 2, {"imgae": ARRAY}), UnknownNameError, "image", "imgae"
    ),
    "a feed of a wrong dtype": Wrong(
        lambda: run(x() * 2, {"x": ARRAY.astype("float64")}), DTypeError, "float32", "float64"
    ),
    "a feed of a wrong rank": Wrong(
        lambda: run(x() * 2, {"x": ARRAY[0]}), ShapeError, "f32[N,3]", "[3]"
    ),
    "a feed of a wrong size": Wrong(
        lambda: run(x() * 2, {"x": np.ones((2, 4), "float32")}), ShapeError, "f32[N,3]", "[2, 4]"
    ),
    "feeds of sizes that differ": Wrong(
        lambda: run(x("N", 3) + x("N", 3, name="y"), {"x": ARRAY, "y": np.ones((5, 3), "float32")}),
        ShapeError,
        "N",
        "[5, 3]",
    ),
    "a feed of text": Wrong(
        lambda: run(x() * 2, {"x": "abc"}), TypeMismatchError, "f32[N,3]", "str"
    ),
    "a ragged feed": Wrong(
        lambda: run(x() * 2, {"x": [[1, 2, 3], [4]]}), TypeMismatchError, "equal lengths", "list"
    ),
    "a feed that is no dict": Wrong(
        lambda: run(x() * 2, ARRAY), TypeMismatchError, "dict", "ndarray"
    ),
    "two feeds": Wrong(lambda: run(x() * 2, [{}, {}]), ProgramError, "one feed", "received 2"),
    "a fetch that is unknown": Wrong(
        lambda: run([x() * 2, "loss"]), UnknownNameError, "to fetch", "'loss'"
    ),
    "a fetch of another program": Wrong(
        fetch_what_another_program_has, UnknownNameError, "to fetch", "no variable"
    ),
    "a fetch of a number": Wrong(
        lambda: run([x() * 2, 3]), TypeMismatchError, "Variables and names", "int"
    ),
    "a fetch that nothing defines": Wrong(
        fetch_what_nothing_defines, ProgramError, "defines it", "y"
    ),
    "no startup": Wrong(run_without_startup, ProgramError, "default_startup_program", "fc"),
    "no Program": Wrong(lambda: run(x() * 2, program="main"), TypeMismatchError, "Program", "str"),
    "an index out of range": Wrong(gather_out_of_range, AxisError, "size 2", "9"),
    "an id out of range": Wrong(run_an_operator_out_of_range, AxisError, "5 rows", "9"),
    "a device": Wrong(lambda: static.Executor("gpu"), ArgumentError, "cpu", "gpu"),
}

OUTSIDE = {
    "a symbol used eagerly": Wrong(use_a_symbol_eagerly, ProgramError, "Executor", "symbol"),
    "data()": Wrong(lambda: x(), ProgramError, "enable_static", "none is being built"),
    "create_parameter": Wrong(
        lambda: static.create_global_var([1], 1.0, "float32"),
        ProgramError,
        "enable_static",
        "none is being built",
    ),
}


def call(function: Callable, *args: object, **options: object) -> object:
    return to_static(function, **options)(*args)


def changed_in_a_loop() -> None:
    def forward(v):
        text = "a"
        while v.sum() < 10:
            v = v * 2
            text = text + "b"
        return v

    call(forward, ones(2))


def undefined_in_a_branch() -> None:
    def forward(v):
        if v.sum() > 0:
            y = v * 2
        return y

    call(forward, ones(2))


def wrong_shape_in_forward() -> None:
    def forward(v):
        w = v * 2
        return w @ ones(4, 5)

    call(forward, ones(2, 3))


def wrong_argument_in_forward() -> None:
    def forward(v):
        return F.mse_loss(v, v, reduction="avg")

    call(forward, ones(2, 3))


def numpy_in_forward() -> None:
    def forward(v):
        return v.numpy().sum()

    call(forward, ones(2))


def parameter_in_forward() -> None:
    def forward(v):
        return paddle.nn.Linear(3, 2)(v)

    call(forward, ones(2, 3))


def spec(*shape: int | None) -> list[InputSpec]:
    return [InputSpec(list(shape), "float32", "v")]


def twice(v: paddle.Tensor) -> paddle.Tensor:
    return v * 2


CONVERTED = {
    "a shape in the function": Wrong(wrong_shape_in_forward, ShapeError, "3 columns", "4 rows"),
    "an argument in the function": Wrong(
        wrong_argument_in_forward, ArgumentError, "'mean'", "'avg'"
    ),
    "numpy() in the function": Wrong(
        numpy_in_forward, ConversionError, "use operators", "numpy() asks for the data"
    ),
    "a layer made in the function": Wrong(
        parameter_in_forward, ConversionError, "outside the converted function", "created"
    ),
    "a name that one branch defines": Wrong(
        undefined_in_a_branch, ConversionError, "before the branch", "y may be undefined"
    ),
    "text that a loop changes": Wrong(
        changed_in_a_loop, ConversionError, "before a loop", "text is the text 'a'"
    ),
    "a tensor of another shape": Wrong(
        lambda: call(twice, ones(2, 4), input_spec=spec(None, 3)), ShapeError, "[-1, 3]", "[2, 4]"
    ),
    "a tensor of another rank": Wrong(
        lambda: call(twice, ones(3), input_spec=spec(None, 3)), ShapeError, "[-1, 3]", "[3]"
    ),
    "a tensor of another dtype": Wrong(
        lambda: call(twice, ones(2, 3, dtype="float64"), input_spec=spec(None, 3)),
        DTypeError,
        "float32",
        "float64",
    ),
    "too few tensors": Wrong(
        lambda: call(twice, input_spec=spec(None, 3)), TypeMismatchError, "twice", "'v'"
    ),
    "too many tensors": Wrong(
        lambda: call(twice, ones(2), ones(2)), TypeMismatchError, "twice", "too many"
    ),
    "more specs than tensors": Wrong(
        lambda: call(twice, 3.0, input_spec=spec(None, 3)), ArgumentError, "1 tensors", "received 0"
    ),
    "a text for a tensor": Wrong(
        lambda: call(twice, "a", input_spec=spec(None, 3)), ArgumentError, "1 tensors", "received 0"
    ),
    "a spec of text": Wrong(lambda: InputSpec("abc"), TypeMismatchError, "list or tuple", "str"),
    "a spec of a dtype": Wrong(lambda: InputSpec([2], "f99"), DTypeError, "float32", "f99"),
    "a spec of a negative size": Wrong(lambda: InputSpec([-7]), ArgumentError, "at least 0", "-7"),
    "no function": Wrong(lambda: to_static(3), TypeMismatchError, "function", "int"),
    "a switch that is none": Wrong(
        lambda: paddle.jit.enable_to_static("yes"), TypeMismatchError, "True or False", "'yes'"
    ),
    "a Program before any call": Wrong(
        lambda: to_static(twice).main_program, ConversionError, "input_spec", "no Program"
    ),
}

TEXT = "program p {\n  main(%x: f32[2]) {\n    %0: f32[2] = relu(%x)\n    return %0\n  }\n}"


def verified(old: str, new: str) -> Callable[[], object]:
    return lambda: verify(parse(TEXT.replace(old, new)))


TEXTS = {
    "nothing": Wrong(lambda: parse(""), ProgramError, "expected 'program'", "line 1"),
    "no text": Wrong(lambda: parse(3), TypeMismatchError, "text", "int"),
    "no end": Wrong(lambda: parse(TEXT[:-3]), ProgramError, "expected", "line"),
    "more after the end": Wrong(
        lambda: parse(TEXT + "\nx"), ProgramError, "expected the end", "'x'"
    ),
    "an operator that is none": Wrong(
        lambda: parse(TEXT.replace("relu", "rellu")), ProgramError, "line 3", "rellu"
    ),
    "a value that nothing defines": Wrong(
        lambda: parse(TEXT.replace("relu(%x)", "relu(%y)")), ProgramError, "line 3", "%y"
    ),
    "a spec that is none": Wrong(
        lambda: parse(TEXT.replace("%x: f32[2]", "%x: q32[2]")), ProgramError, "f32[N,3]", "q32"
    ),
    "a result of another shape": Wrong(
        lambda: verify(parse(TEXT.replace("%0: f32[2]", "%0: f32[3]"))),
        ProgramError,
        "f32[2]",
        "f32[3]",
    ),
    "an attribute that is none": Wrong(
        lambda: parse(TEXT.replace("relu(%x)", "relu(%x, slope=2)")),
        ProgramError,
        "line 3",
        "slope",
    ),
    "too few operands": Wrong(
        lambda: verify(parse(TEXT.replace("relu(%x)", "add(%x)"))),
        ProgramError,
        "operands x, y",
        "received 1",
    ),
}

STATIC = {
    **{f"build-{k}": w for k, w in BUILDING.items()},
    **{f"run-{k}": w for k, w in RUNNING.items()},
}
EAGER = {
    f"{kind}-{name}": wrong
    for kind, table in (("outside", OUTSIDE), ("to_static", CONVERTED), ("text", TEXTS))
    for name, wrong in table.items()
}


@pytest.mark.parametrize("name", STATIC)
def test_the_error_of_a_static_graph_is_helpful(name: str) -> None:
    paddle.enable_static()
    try:
        with static.program_guard(static.Program(), static.Program()):
            assert_helpful(STATIC[name])
    finally:
        paddle.disable_static()


@pytest.mark.parametrize("name", EAGER)
def test_the_error_is_helpful(name: str) -> None:
    assert_helpful(EAGER[name])
