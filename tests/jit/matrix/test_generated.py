"""Functions of nested branches, loops and jumps that nobody wrote give the same converted."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.matrix.generate import Writer
from twinoar import config
from twinoar.errors import ConversionError
from twinoar.jit import to_static
from twinoar.jit.convert.function import convert

SEEDS = range(20)
INPUTS = ((0.0, 1.0, 2.0), (3.0, -1.0, 0.5), (-2.0, -3.0, 4.0), (1.0, 1.0, 1.0))


def generated(seed: int, unassigned: str = "", **options: int) -> Callable:
    """The function of a seed; its source is found by what converts it."""
    source = Writer(seed, unassigned, **options).source()
    file = f"<generated {seed}{unassigned}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    namespace: dict[str, Any] = {}
    exec(compile(source, file, "exec"), namespace)
    return namespace["function"]


def tensors(values: tuple) -> list[paddle.Tensor]:
    return [paddle.to_tensor(v, dtype="float32", stop_gradient=False) for v in values]


def outcome(function: Callable, values: tuple) -> list[np.ndarray]:
    """The results on tensors, and the gradients of their weighted sum."""
    given = tensors(values)
    results = function(*given)
    total = sum(x * (i + 2) for i, x in enumerate(results))
    if isinstance(total, paddle.Tensor) and not total.stop_gradient:
        total.backward()
    gradients = [0.0 if x.grad is None else x.grad.numpy() for x in given]
    return [np.asarray(x, np.float32) for x in (*results, *gradients)]


@pytest.mark.parametrize("seed", SEEDS)
def test_converted_code_on_numbers_is_python(seed: int):
    function = generated(seed)
    for values in INPUTS:
        assert convert(function)(*values) == function(*values)


@pytest.mark.parametrize("seed", SEEDS)
def test_program_equals_the_function(seed: int):
    function = generated(seed)
    with config.override(backend="numpy"):
        converted = to_static(function)
        for values in INPUTS:
            np.testing.assert_allclose(
                outcome(converted, values), outcome(function, values), rtol=1e-6
            )


@pytest.mark.parametrize("seed", range(0, len(SEEDS), 5))
def test_native_program_equals_the_function(seed: int):
    function = generated(seed)
    with config.override(backend="native"):
        converted = to_static(function)
        for values in INPUTS:
            np.testing.assert_allclose(
                outcome(converted, values), outcome(function, values), rtol=1e-5
            )


def outcome_or_error(function: Callable, values: tuple) -> list[np.ndarray] | NameError:
    """The outcome, or what is raised of a name without a value."""
    try:
        return outcome(function, values)
    except NameError as error:
        return error


@pytest.mark.parametrize("seed", SEEDS)
def test_a_name_without_a_value_on_some_paths_is_right_or_refused(seed: int):
    function = generated(seed, unassigned="d", depth=2)
    with config.override(backend="numpy"):
        converted = to_static(function)
        for values in INPUTS:
            expected = outcome_or_error(function, values)
            try:
                found = outcome_or_error(converted, values)
            except ConversionError as error:
                assert "undefined here" in str(error) and error.cure
                return
            if isinstance(expected, NameError):
                assert isinstance(found, NameError)
            else:
                np.testing.assert_allclose(found, expected, rtol=1e-6)
