"""Right or loud: what cannot be converted is refused at the user's line, and never done wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.matrix import loud
from tests.jit.matrix.case import Given
from twinoar import config
from twinoar.core.tree import flatten
from twinoar.errors import TwinoarError
from twinoar.jit import to_static


def outcome(function: Callable, call: Given) -> Any:
    """The results, or the error."""
    try:
        leaves, structure = flatten(function(*(paddle.to_tensor(x) for x in call.args)))
    except Exception as error:
        return error
    return structure, [np.asarray(x) for x in leaves]


@pytest.mark.parametrize(
    ("factory", "calls"), loud.FUNCTIONS, ids=lambda x: getattr(x, "__name__", "")
)
def test_converted_function_is_right_or_refused(factory: Callable, calls: tuple):
    converted, plain = to_static(factory()), factory()
    with config.override(backend="numpy"):
        for call in calls:
            found, expected = outcome(converted, call), outcome(plain, call)
            if isinstance(found, TwinoarError):
                assert found.cure and "loud.py" in str(found)
                return
            if isinstance(expected, Exception):
                assert type(found) is type(expected) and str(expected) in str(found)
                continue
            assert not isinstance(found, Exception), found
            assert found[0] == expected[0]
            for a, b in zip(found[1], expected[1], strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-6)
                assert (a.dtype, a.shape) == (b.dtype, b.shape)
