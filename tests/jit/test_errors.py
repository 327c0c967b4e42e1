"""Wrong programs: each error names the user's line, shows it, says the cause and the cure."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

import twinoar as paddle
from tests.jit import wrong
from tests.jit.wrong import number, ones
from twinoar import config, static
from twinoar.errors import (
    ArgumentError,
    AxisError,
    ConversionError,
    DTypeError,
    FailedAssertion,
    NotTensorError,
    ShapeError,
    TypeMismatchError,
)
from twinoar.jit import load, save, to_static
from twinoar.static import InputSpec

MARK = "# HERE"
FILE = wrong.__file__


class Wrong(NamedTuple):
    """A function, its arguments, its error, and what the message says of cause and cure.

    where: the function that has the marked line, if that is another.
    """

    function: Callable
    arguments: tuple
    error: type[Exception]
    cause: str
    cure: str = ""
    where: Callable | None = None


def x() -> paddle.Tensor:
    return ones([3])


ONE = (x(),)
CONVERSION = [
    Wrong(wrong.reshape_in_a_branch, ONE, ShapeError, "3 elements does not take the shape [7, 7]",
          "the products of both shapes must be equal"),
    Wrong(wrong.undefined_in_one_branch, ONE, ConversionError, "y may be undefined here",
          "assign y before the branch"),
    Wrong(wrong.dtype_differs_between_branches, ONE, ConversionError, "y is f32[3] at line",
          "give y the same type, dtype"),
    Wrong(wrong.rank_differs_between_branches, ONE, ConversionError, "f32[1,3] at line",
          "number of dimensions on both sides"),
    Wrong(wrong.structure_of_returns_differs, ONE, ConversionError, "returns a tuple of 2 at line",
          "return values of the same structure"),
    Wrong(wrong.none_before_a_loop, ONE, ConversionError, "best is None before a loop",
          "give best before the loop"),
    Wrong(wrong.dtype_changes_over_iterations, ONE, ConversionError, "y is i64[3] before a loop",
          "give y before the loop"),
    Wrong(wrong.born_in_a_loop_and_used_after, ONE, ConversionError, "last is undefined here if",
          "assign last before the loop"),
    Wrong(wrong.born_in_a_loop_and_returned, ONE, ConversionError, "last is undefined here if",
          "assign last before the loop"),
    Wrong(wrong.attribute_of_another_type, ONE, ConversionError, "Holder.value is f32[3] at line",
          "give Holder.value the same type"),
    Wrong(wrong.list_of_another_length, ONE, ConversionError, "as many items as a tensor decides",
          "paddle.stack"),
    Wrong(wrong.recursion_on_a_tensor, ONE, ConversionError, "recursion_on_a_tensor calls itself",
          "write it as a while loop"),
    Wrong(wrong.numpy_in_the_middle, ONE, ConversionError, "numpy() asks for the data",
          "use operators"),
    Wrong(wrong.numpy_function_of_a_tensor, ONE, ConversionError, "NumPy's sin is called on a",
          "use operators"),
    Wrong(wrong.text_of_a_tensor_as_a_key, ONE, ConversionError, "known only when the Program runs",
          "print it"),
    Wrong(wrong.format_of_a_tensor_as_a_key, ONE, ConversionError,
          "known only when the Program runs", "print it"),
    Wrong(wrong.list_sorted_by_tensors, ONE, ConversionError, "sorted by what only a run knows",
          "paddle.argsort"),
    Wrong(wrong.dict_looked_up_by_a_tensor, ONE, ConversionError, "is looked for in a dict",
          "compare it with the keys"),
    Wrong(wrong.condition_of_three_elements, ONE, ArgumentError, "a tensor with 3 elements",
          ".any() or .all()"),
    Wrong(wrong.loop_condition_of_three_elements, ONE, ArgumentError, "a tensor with 3 elements",
          ".any() or .all()"),
    Wrong(wrong.shapes_that_do_not_divide, (ones([2, 3]), ones([2])), ShapeError,
          "shapes [2, 3] and [2] do not broadcast", "make the sizes equal"),
    Wrong(wrong.parameter_made_while_tracing, ONE, ConversionError, "a parameter is created while",
          "outside the converted function"),
    Wrong(wrong.layer_made_while_tracing, ONE, ConversionError, "a parameter is created while",
          "outside the converted function"),
    Wrong(wrong.rate_set_while_tracing, ONE, ConversionError, "set_lr changes Python's state",
          "call it outside"),
    Wrong(wrong.seed_while_tracing, ONE, ConversionError, "seeding changes Python's state",
          "call it outside"),
    Wrong(wrong.error_in_a_nested_call, ONE, ShapeError, "does not take the shape [2, 2]",
          "products of both shapes", wrong.squared),
    Wrong(wrong.raise_in_a_try, ONE, ConversionError, "the raise of ValueError depends on a tensor",
          "write an if in place of the try"),
    Wrong(wrong.error_of_a_branch_in_a_try, ONE, ConversionError, "the ShapeError depends on a",
          "write an if in place of the try"),
    Wrong(wrong.loop_over_a_tensor_without_dimensions, ONE, TypeMismatchError,
          "a tensor without dimensions", "use x.size"),
    Wrong(wrong.loop_that_never_ends, ONE, ConversionError, "has run 10000 times",
          "let a tensor count its iterations"),
    Wrong(wrong.index_of_a_wrong_type, ONE, TypeMismatchError, "received 0.5 (float)",
          "use int(i)"),
    Wrong(wrong.reshape_after_and, ONE, ShapeError, "does not take the shape [7]",
          "products of both shapes"),
    Wrong(wrong.list_times_a_tensor, ONE, NotTensorError, "received list", "to_tensor"),
    Wrong(wrong.text_added_to_a_tensor, ONE, NotTensorError, "received str", "to_tensor"),
]  # fmt: skip
RUN = [
    Wrong(wrong.assertion_that_fails, ONE, FailedAssertion, "the sum must be positive"),
    Wrong(wrong.index_out_of_range_in_a_loop, (x(), number(5)), AxisError,
          "index 3 is out of range for dimension 0 of size 3", "give indices in [-3, 2]"),
    Wrong(wrong.product_in_a_loop, (ones([2, 3]), number(3)), ShapeError,
          "shapes [2, 4] and [3, 4]", "transpose an operand"),
    Wrong(wrong.gather_in_a_branch, (x(), number([0, 1, 9])), AxisError, "index 9 is out of range",
          "give indices in [-3, 2]"),
]  # fmt: skip
PYTHON = [
    Wrong(wrong.raise_under_a_condition, ONE, ValueError, "x is positive"),
    Wrong(wrong.name_that_is_not_defined, ONE, NameError, "name 'undefined_name' is not defined"),
    Wrong(wrong.type_error_in_a_helper, ONE, TypeError, "object of type 'int' has no len()",
          where=wrong.length_of),
    Wrong(wrong.attribute_that_is_not_there, ONE, AttributeError, "no attribute 'summ'"),
    Wrong(wrong.import_of_nothing, ONE, ModuleNotFoundError, "No module named 'not_a_module'"),
    Wrong(wrong.plain_index_out_of_range, ONE, IndexError, "list index out of range"),
    Wrong(wrong.deleted_before_use, ONE, UnboundLocalError, "local variable 'y'"),
    Wrong(wrong.broken_before_a_raise, ONE, ZeroDivisionError, "division by zero"),
]  # fmt: skip


def marked_line(function: Callable) -> tuple[int, str]:
    """The number and text of the line of a function that is marked."""
    lines, first = inspect.getsourcelines(function)
    ((offset, text),) = [(i, line.strip()) for i, line in enumerate(lines) if MARK in line]
    return first + offset, text


def failed(case: Wrong) -> Exception:
    with pytest.raises(case.error) as caught:
        to_static(case.function)(*case.arguments)
    assert type(caught.value) is case.error
    return caught.value


@pytest.mark.parametrize("case", CONVERSION + RUN, ids=lambda c: c.function.__name__)
def test_the_message_has_line_excerpt_cause_and_cure(case):
    text = str(failed(case))
    number, line = marked_line(case.where or case.function)
    told = text.partition("\n  at ")[0]
    assert case.cause in told
    assert case.cure in told and ("\n  cure: " in told or not case.cure)
    assert f"\n  at {FILE}:{number}: {line}" in text
    assert f"\n  in {(case.where or case.function).__name__}:\n" in text
    assert f"  > {number:>5} | " in text and text.count(line) == 2


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("case", RUN, ids=lambda c: c.function.__name__)
def test_every_back_end_tells_the_same(case, backend):
    with config.override(backend=backend):
        text = str(failed(case))
    number, line = marked_line(case.function)
    assert case.cause in text and f"\n  at {FILE}:{number}: {line}" in text
    assert "\n  operands: " in text


@pytest.mark.parametrize("case", PYTHON, ids=lambda c: c.function.__name__)
def test_errors_of_python_keep_their_words_at_the_users_line(case):
    error = failed(case)
    number, line = marked_line(case.where or case.function)
    assert case.cause in str(error)
    shown = "".join(traceback.format_exception(error))
    assert f'File "{FILE}", line {number}, in ' in shown or f"at {FILE}:{number}: " in shown
    assert line.partition("  #")[0] in shown


@pytest.mark.parametrize("case", CONVERSION + RUN + PYTHON, ids=lambda c: c.function.__name__)
def test_tracebacks_show_the_users_frames_alone(case):
    error = failed(case)
    shown = traceback.extract_tb(error.__traceback__)
    assert all(frame.filename in (FILE, __file__) for frame in shown)
    assert not any(frame.name.startswith("_twinoar") for frame in shown)
    assert "_twinoar" not in "".join(traceback.format_exception(error))


def test_the_calls_that_led_to_an_error_are_told():
    text = str(failed(next(c for c in CONVERSION if c.where is wrong.squared)))
    calls = [line.strip() for line in text.splitlines() if "called from" in line]
    assert [c.rpartition(": ")[2] for c in calls] == ["return squared(x + 1)", "y = shifted(x)"]


def test_an_excerpt_ends_with_the_function():
    case = next(c for c in CONVERSION if c.function is wrong.born_in_a_loop_and_returned)
    assert str(failed(case)).splitlines()[-1].startswith("  > ")


def test_the_frames_of_a_branch_bear_the_name_of_the_function():
    error = failed(CONVERSION[0])
    names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    assert names == ["failed", "reshape_in_a_branch"]


def test_a_flag_shows_all_frames():
    with config.override(full_traceback=True):
        error = failed(CONVERSION[0])
    files = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
    assert any(file.endswith("jit/to_static.py") for file in files)


def test_eager_errors_name_one_line():
    with pytest.raises(ShapeError) as caught:
        wrong.reshape_in_a_branch(x())
    assert str(caught.value).splitlines()[-1].startswith(f"  at {FILE}:")


def test_causes_inside_twinoar_are_not_shown():
    case = next(c for c in RUN if c.function is wrong.product_in_a_loop)
    assert "direct cause" not in "".join(traceback.format_exception(failed(case)))


def test_causes_of_the_users_are_shown():
    def chained(v):
        try:
            return v + wrong.length_of(v)
        except TypeError as error:
            raise KeyError("chained") from error

    with pytest.raises(KeyError) as caught:
        to_static(chained)(x())
    assert isinstance(caught.value.__cause__, TypeError)
    assert "return len(3)" in "".join(traceback.format_exception(caught.value))


def test_layers_and_programs_hide_frames_too():
    class Broken(paddle.nn.Layer):
        def forward(self, v):
            return v.reshape([7])

    for broken in (to_static(Broken()), paddle.nn.Sequential(to_static(Broken()))):
        with pytest.raises(ShapeError) as caught:
            broken(x())
        files = [f.filename for f in traceback.extract_tb(caught.value.__traceback__)]
        assert files == [__file__] * 2


def test_saved_and_loaded_models_hide_frames_too(tmp_path):
    def gathered(v, i):
        return paddle.gather(v, i)

    def broken(v):
        return v.reshape([7])

    path = str(tmp_path / "model")
    specs = [InputSpec([3]), InputSpec([None], "int64")]
    with pytest.raises(ShapeError) as refused:
        save(to_static(broken), path, input_spec=specs[:1])
    save(to_static(gathered), path, input_spec=specs)
    with pytest.raises(AxisError, match="index 9 is out of range") as failing:
        load(path)(x(), number([0, 9]))
    for caught in (refused, failing):
        files = {f.filename for f in traceback.extract_tb(caught.value.__traceback__)}
        assert files == {__file__}


def test_an_executor_names_the_line_that_made_the_operator():
    paddle.enable_static()
    try:
        program = static.Program()
        with static.program_guard(program):
            v = static.data("v", [None])
            w = static.data("w", [None], "int64")
            out = paddle.gather(v, w)
        with pytest.raises(AxisError, match="index 9 is out of range") as caught:
            static.Executor().run(program, {"v": np.ones(3, "float32"), "w": np.array([9])}, [out])
    finally:
        paddle.disable_static()
    assert "out = paddle.gather(v, w)" in str(caught.value)
    assert {f.filename for f in traceback.extract_tb(caught.value.__traceback__)} == {__file__}


@pytest.mark.parametrize(
    ("make", "cause", "cure"),
    [
        (lambda: to_static(wrong.generator), "generator is a generator", "in a list"),
        (lambda: to_static(wrong.Generating()), "forward is a generator", "in a list"),
        (lambda: to_static(wrong.coroutine), "coroutine is a coroutine", "a plain function"),
        (lambda: wrong.without_source()(x()), "the source of made_of_text is not available",
         "define it in a file"),
    ],
)  # fmt: skip
def test_functions_that_cannot_be_converted_are_refused_at_once(make, cause, cure):
    with pytest.raises(ConversionError, match=cause) as caught:
        make()
    assert cure in str(caught.value)


def plain(v, k=1):
    return v * k


@pytest.mark.parametrize(
    ("call", "error", "cause", "cure"),
    [
        (lambda f: f(), TypeMismatchError, "missing a required argument: 'v'", "plain(v, k=1)"),
        (lambda f: f(x(), z=1), TypeMismatchError, "unexpected keyword argument 'z'",
         "plain(v, k=1)"),
        (lambda f: f(x(), 1, 2), TypeMismatchError, "too many positional", "plain(v, k=1)"),
        (lambda f: f(x(), {1, 2}), TypeMismatchError, "an argument of type set", "pass tensors"),
        (lambda f: f.concrete_program, ConversionError, "plain has no Program yet",
         "call it once"),
    ],
)  # fmt: skip
def test_wrong_calls_name_the_line_of_the_call(call, error, cause, cure):
    with pytest.raises(error) as caught:
        call(to_static(plain))
    told, _, where = str(caught.value).partition("\n  at ")
    assert cause in told and cure in told
    assert where.startswith(f"{__file__}:")


@pytest.mark.parametrize(
    ("argument", "error", "cause"),
    [
        (ones([2, 3, 4]), ShapeError, "3 dimensions"),
        (ones([2, 4]), ShapeError, "dimension 1 is 4"),
        (ones([2, 3], "float64"), DTypeError, "must be float32, received float64"),
    ],
)
def test_what_an_input_spec_does_not_allow_names_the_argument(argument, error, cause):
    function = to_static(plain, input_spec=[InputSpec([None, 3], "float32")])
    with pytest.raises(error) as caught:
        function(argument)
    text = str(caught.value)
    assert cause in text and "plain: v" in text and "\n  cure: " in text
    assert text.rpartition(": ")[2] == "function(argument)"
