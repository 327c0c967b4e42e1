"""Public functions and classes take the arguments of the real Paddle: names, order and defaults.

A signature may be that of 2.6.2 or of 3.3.1, and may have more arguments after Paddle's. What
differs on purpose, or for now, is in `signature_differences.txt`, one name a line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import twinoar
from twinoar.core.keyword import SPELLINGS

LIST = Path(__file__).with_name("signature_differences.txt")
NAMES = Path(__file__).parents[1] / "project" / "public_names.txt"

# Shared with the real Paddle's process, so it uses nothing but `inspect`.
READ = '''
import inspect

def parameters(callable_):
    """[name, default] of each positional argument, "*" for any more; None if they are not known."""
    try:
        found = inspect.signature(callable_).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = [[p.name, default(p.default)] for p in found if p.kind == p.POSITIONAL_OR_KEYWORD]
    return positional + ["*" for p in found if p.kind == p.VAR_POSITIONAL]

def default(value):
    if value is inspect.Parameter.empty:
        return "required"
    if isinstance(value, (list, tuple)):
        return [default(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else "an object"

def read(root, names):
    found = {}
    for name in names:
        value = root
        for part in name.split("."):
            value = getattr(value, part, None)
        if callable(value):
            found[name] = parameters(value)
    return found
'''

space: dict = {}
exec(READ, space)


def accepts(own: list | None, real: list | None) -> bool:
    """Whether calls that fit `real` fit `own` and mean the same."""
    if own is None or real is None:
        return True
    if "*" in own + real:  # compared as far as both are written out
        length = min(len(found) - ("*" in found) for found in (own, real))
        own, real = own[:length], real[:length]
    named = zip([name for name, _ in own], [name for name, _ in real], strict=False)
    if len(own) < len(real) or not all(a == b or a in SPELLINGS.get(b, ()) for a, b in named):
        return False
    # A default where Paddle has none is an offer; an argument that Paddle lacks must have one.
    offered = all(
        value == expected
        or expected == "required"
        or (name == "data_format" and value is None)  # the usual format of the class
        for (name, value), (_, expected) in zip(own, real, strict=False)
    )
    return offered and all(value != "required" for _, value in own[len(real) :])


def differing(own: dict, *reals: dict) -> list[str]:
    """The names that every Paddle that has them reads in another way."""
    return [
        name
        for name in sorted(own)
        if (known := [real[name] for real in reals if name in real])
        and not any(accepts(own[name], real) for real in known)
    ]


def own_names() -> list[str]:
    return [line.removeprefix("twinoar.") for line in NAMES.read_text().splitlines()]


def found_differences(paddle_2, paddle_3) -> list[str]:
    names = own_names()
    ask = READ + "answer(read(paddle, given['names']))"
    own = space["read"](twinoar, names)
    return differing(own, paddle_2(ask, names=names), paddle_3(ask, names=names))


def test_signatures_are_paddles_but_for_those_listed(paddle_2, paddle_3) -> None:
    assert found_differences(paddle_2, paddle_3) == LIST.read_text().split()


@pytest.mark.parametrize(
    ("own", "fits"),
    [
        (lambda x, axis=None, name=None: 0, True),
        (lambda x, axis=None, name=None, extra=1: 0, True),
        (lambda x, axis=None, name=None, *, extra: 0, True),
        (lambda x=None, axis=None, name=None: 0, True),
        (lambda x, axis, name=None: 0, False),
        (lambda x, axis=None, name=None, *, extra: 0, True),
        (lambda x, axis=None: 0, False),
        (lambda x, axis=0, name=None: 0, False),
        (lambda x, name=None, axis=None: 0, False),
        (lambda input, axis=None, name=None: 0, False),
        (lambda x, dim=None, name=None: 0, False),
        (lambda x, axis=None, name=None, *extra: 0, True),
    ],
)
def test_the_check_compares_names_order_and_defaults(own, fits: bool) -> None:
    def real(x, axis=None, name=None): ...

    parameters = space["parameters"]
    assert accepts(parameters(own), parameters(real)) is fits


def test_a_keyword_that_stands_for_ours_is_ours() -> None:
    def real(input, axis=None, name=None): ...

    parameters = space["parameters"]
    assert accepts(parameters(lambda x, axis=None, name=None: 0), parameters(real))


def test_what_is_not_written_out_is_not_compared() -> None:
    def real(x, axis, name=None): ...

    parameters = space["parameters"]
    assert accepts(parameters(lambda x, *more: 0), parameters(real))
    assert not accepts(parameters(lambda y, *more: 0), parameters(real))


def test_either_of_the_two_paddles_may_be_followed() -> None:
    own = {"f": [["x", "required"]], "g": [["x", "required"]], "own": []}
    older = {"f": [["x", "required"]], "g": [["y", "required"]]}
    newer = {"f": [["input", "required"]], "g": [["z", "required"]]}
    assert differing(own, older, newer) == ["g"]
