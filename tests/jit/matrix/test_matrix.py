"""Each function of the matrix gives the same however it is run: results, prints, gradients."""

from __future__ import annotations

import contextlib
import inspect
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.matrix import (
    branches,
    builtins,
    calls,
    classes,
    combined,
    containers,
    indexing,
    inplace,
    iteration,
    jumps,
    logic,
    loops,
    numbers,
    output,
    patterns,
    shapes,
    state,
)
from tests.jit.matrix.case import CASES, Case, Given
from twinoar import config
from twinoar.core.tree import flatten, map_leaves
from twinoar.jit import load, save, to_static
from twinoar.jit.convert.function import convert
from twinoar.static import InputSpec

MODULES = (
    branches, builtins, calls, classes, combined, containers, indexing, inplace, iteration, jumps,
    logic, loops, numbers, output, patterns, shapes, state,
)  # fmt: skip
EXACT = {"rtol": 0, "atol": 0}
NUMPY = {"rtol": 1e-6, "atol": 1e-7}  # rules simplify what they meet
NATIVE = {"rtol": 2e-5, "atol": 1e-6}  # the native back end adds in another order
every_case = pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)


@dataclass
class Outcome:
    """What a call leaves behind; gradients: of arguments, then of parameters."""

    result: Any = None
    printed: str = ""
    arguments: Any = None
    gradients: Any = None
    error: BaseException | None = None


def run(
    case: Case, subject: Callable, calls: Sequence[Given] | None = None, differentiate: bool = False
) -> list[Outcome]:
    """The outcome of each call of `case`, or of `calls`, in order, on one subject."""
    return [_outcome(case, subject, call, differentiate) for call in calls or case.calls]


def _outcome(case: Case, subject: Callable, call: Given, differentiate: bool) -> Outcome:
    args, kwargs = map_leaves(
        lambda x: _tensor(x, differentiate) if isinstance(x, np.ndarray) else x,
        (call.args, call.kwargs),
    )
    outcome = Outcome(arguments=(args, kwargs))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            outcome.result = subject(*args, **kwargs)
        except case.raises as error:
            outcome.error = error
    outcome.printed = printed.getvalue()
    if differentiate and outcome.error is None:
        outcome.gradients = _gradients(outcome.result, (args, kwargs), subject)
    return outcome


def _tensor(array: np.ndarray, differentiate: bool) -> paddle.Tensor:
    return paddle.to_tensor(array, stop_gradient=not (differentiate and array.dtype.kind == "f"))


def _gradients(result: Any, arguments: Any, subject: Any) -> list[np.ndarray | None]:
    """The gradients of a number that all results have a part in; zeros where there is none."""
    parts = [
        ((x * x + x) * (i + 1)).sum()
        for i, x in enumerate(flatten(result)[0])
        if _is_tensor(x) and not x.stop_gradient
    ]
    leaves = [x for x in flatten(arguments)[0] if _is_tensor(x) and not x.stop_gradient]
    if hasattr(subject, "parameters"):
        leaves += subject.parameters()
    if parts:
        paddle.add_n(parts).backward()
    found = [np.zeros(x.shape, "float32") if x.grad is None else x.grad.numpy() for x in leaves]
    for leaf in leaves:
        leaf.grad = None
    return found


def _is_tensor(x: Any) -> bool:
    return isinstance(x, paddle.Tensor)


def assert_same(found: list[Outcome], expected: list[Outcome], tolerance: dict) -> None:
    """Hold the outcomes of all calls against each other."""
    for one, other in zip(found, expected, strict=True):
        assert isinstance(one.error, type(other.error)) and str(other.error) in str(one.error)
        if other.error is None:
            _assert_equal(one.result, other.result, tolerance)
        assert one.printed == other.printed
        _assert_equal(one.arguments, other.arguments, tolerance)
        _assert_equal(one.gradients, other.gradients, tolerance)


def _assert_equal(found: Any, expected: Any, tolerance: dict) -> None:
    found_leaves, found_structure = flatten(found)
    leaves, structure = flatten(expected)
    assert found_structure == structure
    for one, other in zip(found_leaves, leaves, strict=True):
        if isinstance(other, (paddle.Tensor, np.ndarray)):
            a, b = np.asarray(one), np.asarray(other)
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            np.testing.assert_allclose(a, b, **tolerance)
        else:
            assert type(one) is type(other) and one == other


@pytest.fixture(params=["numpy", "native"])
def backend(request: pytest.FixtureRequest) -> Iterator[dict]:
    """Run Programs on one back end; the tolerance that its results need."""
    with config.override(backend=request.param):
        yield NUMPY if request.param == "numpy" else NATIVE


def test_matrix_has_at_least_150_functions_of_different_names():
    assert len(CASES) >= 150 and len({c.name for c in CASES}) == len(CASES)
    assert all(len(c.calls) > 1 for c in CASES)


@every_case
def test_converted_code_run_eagerly_equals_the_function(case: Case):
    subject = case.make()
    if hasattr(subject, "forward"):
        subject.forward = _converted(subject.forward)
    else:
        subject = _converted(subject)
    assert_same(run(case, subject), run(case, case.make()), EXACT)


def _converted(function: Any) -> Callable:
    bound = getattr(function, "__self__", None)
    if bound is None:
        return convert(function)
    return convert(function.__func__).__get__(bound)


@every_case
def test_one_program_for_all_values_equals_the_function(case: Case, backend: dict):
    subject = to_static(case.make())
    assert_same(run(case, subject), run(case, case.make()), backend)
    if not case.is_new and not case.raises:
        specs = {str(_specs([call.args, call.kwargs], fixed=True)) for call in case.calls}
        assert len(subject.program_cache) == len(specs)


@every_case
def test_gradients_of_the_program_equal_those_of_the_function(case: Case, backend: dict):
    expected = run(case, case.make(), differentiate=True)
    assert_same(run(case, to_static(case.make()), differentiate=True), expected, backend)


@every_case
@pytest.mark.filterwarnings("ignore")  # what a model leaves out; inputs that verification makes up
def test_saved_model_equals_the_function(case: Case, tmp_path: Path):
    models: dict[str, Any] = {}
    signature = to_static(case.make())

    def replayed(*args: Any, **kwargs: Any) -> list:
        given, named = _by_position(signature, args, kwargs)
        specs = _specs(given, case.fixed)
        key = f"{specs} {named}"
        if key not in models or case.is_new:
            path = str(tmp_path / str(len(models)))
            if named:  # what is given by name alone is saved as in the latest call
                static = to_static(case.make())
                static(*given, **named)
                save(static, path)
            else:
                save(case.make(), path, input_spec=specs)
            models[key] = load(path)
        return flatten(models[key](*filter(_is_tensor, flatten(given)[0])))[0]

    for call in case.calls:
        expected = run(case, case.make(), [call])
        for outcome in expected:
            outcome.result = [x for x in flatten(outcome.result)[0] if _is_tensor(x)]
        found = run(case, replayed, [call])
        for one, other in zip(found, expected, strict=True):
            _as_in_a_file(one, other)
        assert_same(found, expected, NATIVE)


def _as_in_a_file(found: Outcome, expected: Outcome) -> None:
    """Leave out what Paddle's operators do not keep: the text around a print or an assertion."""
    assert bool(found.printed) >= bool(expected.printed)
    found.printed = expected.printed
    if expected.error is not None:
        expected.error = type(expected.error)()


def _by_position(subject: Any, args: tuple, kwargs: dict) -> tuple[list, dict]:
    """The arguments in the order of the parameters, and those that have no position."""
    function = subject.forward if hasattr(subject, "forward") else subject
    own = () if function._instance is None else (function._instance,)
    found = inspect.signature(function._function).bind(*own, *args, **kwargs)
    return [*found.args[len(own) :]], found.kwargs


def _specs(given: Any, fixed: bool) -> Any:
    """An InputSpec for each tensor; first dimensions of equal size share a name."""
    sizes: dict[int, str] = {}

    def spec(x: Any) -> Any:
        if not isinstance(x, (paddle.Tensor, np.ndarray)):
            return x
        shape: list[Any] = list(x.shape)
        if shape and not fixed:
            shape[0] = sizes.setdefault(shape[0], f"N{len(sizes)}")
        return InputSpec(shape, str(x.dtype))

    return map_leaves(spec, given)
