"""Whatever stands in an argument's place, a public function works or gives an error of ours."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
import twinoar.nn.functional as F
from twinoar.errors import TwinoarError

# They set the mode, the device or the like for the whole process, or take functions.
LEFT_OUT = {
    "arange",
    "create_parameter",
    "disable_static",
    "enable_grad",
    "enable_static",
    "load",
    "no_grad",
    "save",
    "seed",
    "set_default_dtype",
    "set_device",
    "set_grad_enabled",
    "set_printoptions",
    "set_rng_state",
}
ODD: dict[str, Callable[[], object]] = {
    "None": lambda: None,
    "text": lambda: "a",
    "a list": lambda: [1.0],
    "a number": lambda: 3.0,
    "an object": object,
    "an array of text": lambda: np.array(["a"]),
    "an array of half floats": lambda: np.ones((2, 2), "float16"),
    "a 0-d tensor": lambda: paddle.to_tensor(1.0),
    "a 5-d tensor": lambda: paddle.ones([2, 1, 2, 1, 2]),
    "integers": lambda: paddle.to_tensor([1, 2]),
    "truth values": lambda: paddle.to_tensor([True]),
    "complex numbers": lambda: paddle.ones([2, 2], "complex64"),
    "an empty tensor": lambda: paddle.zeros([0, 3]),
}


def functions() -> Iterator[tuple[str, Callable, int]]:
    """Name, function and number of required arguments of what is public."""
    for space, prefix in ((paddle, "paddle"), (F, "F")):
        for name in sorted(space.__all__):
            function = getattr(space, name)
            if name in LEFT_OUT or not callable(function) or isinstance(function, type):
                continue
            parameters = inspect.signature(function).parameters.values()
            required = [p for p in parameters if p.default is p.empty and p.kind < p.KEYWORD_ONLY]
            if required:
                yield f"{prefix}.{name}", function, len(required)


CALLS = {name: (function, count) for name, function, count in functions()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_a_function_works_or_gives_an_error_of_ours(name: str) -> None:
    function, count = CALLS[name]
    for make in ODD.values():
        for place in range(count):
            for other in (paddle.ones([2, 2]), 1):
                given: list[Any] = [other] * count
                given[place] = make()
                with suppress(TwinoarError):
                    function(*given)


def test_the_functions_are_found() -> None:
    assert {"paddle.add", "paddle.reshape", "F.conv2d", "F.layer_norm"} <= CALLS.keys()
