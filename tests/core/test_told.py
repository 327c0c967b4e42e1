"""Calls with keywords that a public function does not have: told which it has, and near names."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator

import pytest

import twinoar as paddle
from twinoar.errors import TwinoarError, TypeMismatchError

MODULES = (
    "twinoar", "twinoar.nn.functional", "twinoar.linalg", "twinoar.fft", "twinoar.signal",
    "twinoar.sparse", "twinoar.geometric", "twinoar.vision.ops", "twinoar.vision.transforms",
    "twinoar.audio.functional", "twinoar.nn.utils",
)  # fmt: skip
# In-place variants ask for a Tensor first; what is declared below the layer that tells.
UNTOLD = {"batch", "enable_grad", "get_default_dtype", "load", "no_grad", "save"}
UNTOLD |= {"set_default_dtype", "set_grad_enabled", "set_printoptions"}
UNTOLD |= {"decode_jpeg", "read_file"}
UNTOLD |= {"is_tensor", "in_dynamic_mode", "is_grad_enabled"}  # asked very often


def public_functions() -> Iterator[tuple[str, Callable]]:
    for module in MODULES:
        place = importlib.import_module(module)
        for name in getattr(place, "__all__", None) or dir(place):
            found = getattr(place, name)
            is_plain = inspect.isfunction(found) and found.__module__.startswith("twinoar")
            is_own = not name.startswith("_") and not name.endswith("_") and name not in UNTOLD
            if is_plain and is_own:
                yield f"{module}.{name}", found


FUNCTIONS = dict(public_functions())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_keyword_that_a_function_lacks_is_told(name):
    with pytest.raises(TypeError) as caught:
        FUNCTIONS[name](no_such_keyword=1)
    assert isinstance(caught.value, TwinoarError)


def test_the_parameters_and_the_nearest_name_are_told():
    with pytest.raises(TypeMismatchError) as caught:
        paddle.to_tensor([1], dtyp="int32")
    text = str(caught.value)
    assert "unexpected keyword argument 'dtyp'" in text
    assert "dtype may be meant: call it as to_tensor(data, dtype=None, " in text


def test_too_many_arguments_are_told():
    with pytest.raises(TypeMismatchError, match="too many positional arguments"):
        paddle.fft.fftfreq(4, 1.0, None, None, None, 7)


def test_a_type_error_from_within_passes_as_it_is():
    with pytest.raises(TypeError) as caught:
        paddle.io.random_split(3, [1, 2])
    assert not isinstance(caught.value, TypeMismatchError)
