"""Each model learns the same eagerly and converted, and answers the same when it was saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.models import (
    beam_search,
    cached_attention,
    detector,
    early_exit,
    gan,
    generator,
    mixture,
    recurrent,
    segmentation,
    tree,
)
from twinoar import config
from twinoar.core import unique_name
from twinoar.core.tree import flatten
from twinoar.jit import load, save, to_static

MODELS = (
    beam_search,
    cached_attention,
    detector,
    early_exit,
    gan,
    generator,
    mixture,
    recurrent,
    segmentation,
    tree,
)
every_model = pytest.mark.parametrize("code", MODELS, ids=lambda m: m.__name__.split(".")[-1])


@pytest.fixture(params=["numpy", "native"])
def backend(request: pytest.FixtureRequest) -> Iterator[dict]:
    """Run Programs on one back end; the tolerance that losses need after some steps."""
    with config.override(backend=request.param):
        yield {"rtol": 1e-5, "atol": 1e-6} if request.param == "numpy" else {"rtol": 1e-3}


def as_it_is(function: Any) -> Any:
    return function


def made(code: ModuleType, wrap: Callable) -> tuple[Any, Callable]:
    """The model and its training step, with the same weights each time."""
    paddle.seed(5)
    with unique_name.guard():
        return code.make(wrap)


def given(x: Any) -> Any:
    """An array or list of numbers as a tensor; the rest as it is."""
    return paddle.to_tensor(x) if isinstance(x, (np.ndarray, list)) else x


def losses(code: ModuleType, step: Callable) -> list[np.ndarray]:
    """The losses of a step on each batch."""
    found = []
    for batch in code.batches(np.random.default_rng(4)):
        found += [np.asarray(x) for x in flatten(step(*map(given, batch)))[0]]
    return found


def used(code: ModuleType, model: Any) -> list[np.ndarray]:
    """What comes of the trained model: of its own `use`, or of calls in the eval mode."""
    numbers = np.random.default_rng(5)
    if hasattr(code, "use"):
        results = code.use(model, numbers)
    else:
        model.eval()
        results = [model(*map(given, example)) for example in code.examples(numbers)]
    return [np.asarray(x) for x in flatten(results)[0]]


def assert_close(found: list, expected: list, tolerance: dict) -> None:
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, **tolerance)


@every_model
def test_converted_model_learns_and_answers_as_the_plain_one(code: ModuleType, backend: dict):
    plain, step = made(code, as_it_is)
    converted, other = made(code, to_static)
    assert_close(losses(code, other), losses(code, step), backend)
    assert_close(used(code, converted), used(code, plain), backend)


@every_model
def test_converted_step_learns_as_the_plain_one(code: ModuleType, backend: dict):
    model, step = made(code, as_it_is)
    other, converted = made(code, as_it_is)
    assert_close(losses(code, to_static(converted)), losses(code, step), backend)
    for a, b in zip(other.parameters(), model.parameters(), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-3, atol=1e-4)


@every_model
def test_saved_model_answers_as_the_plain_one(code: ModuleType, tmp_path):
    model, step = made(code, as_it_is)
    losses(code, step)
    model.eval()
    save(model, str(tmp_path / "model"), input_spec=code.SPEC)
    loaded = load(str(tmp_path / "model"))
    for example in code.examples(np.random.default_rng(6)):
        tensors = [t for t in map(given, example) if isinstance(t, paddle.Tensor)]
        expected = flatten(model(*map(given, example)))[0]
        assert_close(flatten(loaded(*tensors))[0], expected, {"rtol": 1e-4, "atol": 1e-5})


@every_model
def test_model_learns(code: ModuleType):
    _, step = made(code, as_it_is)
    batch = tuple(map(given, next(code.batches(np.random.default_rng(4)))))
    first, *_, last = [flatten(step(*batch))[0][0].item() for _ in range(12)]
    assert last < first
