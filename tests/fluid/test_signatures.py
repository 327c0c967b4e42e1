"""The names of fluid have the arguments of Paddle 1.8.5, in order, with its defaults.

Others may follow them. Those of `fluid.layers` are in a folder of their own.
"""

from __future__ import annotations

import inspect
import operator
from pathlib import Path

import pytest

from twinoar import fluid

SIGNATURES = Path(__file__).with_name("signatures.txt").read_text().splitlines()


@pytest.mark.parametrize("line", SIGNATURES, ids=lambda line: line.partition("(")[0])
def test_the_signature_is_that_of_paddle(line: str) -> None:
    name, _, arguments = line.removeprefix("fluid.").partition("(")
    parameters = inspect.signature(operator.attrgetter(name)(fluid)).parameters.values()
    found = ", ".join(str(p.replace(annotation=p.empty)) for p in parameters)
    expected = arguments.removesuffix(")")
    assert f"{found}, ".startswith(f"{expected}, " if expected else "")
