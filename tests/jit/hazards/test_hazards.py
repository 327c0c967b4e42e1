"""Hazardous functions that nobody wrote are right under `to_static`, or refused."""

from __future__ import annotations

import ast

import pytest

from tests.jit.hazards.__main__ import modes_of
from tests.jit.hazards.found import FOUND
from tests.jit.hazards.runner import EQUAL, INVALID, REFUSED, WRONG, verdict
from tests.jit.hazards.shrink import shrunk
from tests.jit.hazards.writer import Writer

SEEDS = range(100)
REST = """
def change(i):
    pass
"""
SEEN = """
def seen():
    pass
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hazardous_function_is_right_or_refused(seed: int):
    found = verdict(Writer(seed).module(), modes_of(seed))
    assert found.kind in (EQUAL, REFUSED, INVALID), found.told


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_once_stays_mended(name: str):
    text = FOUND[name]
    rest = (REST if "def change" not in text else "") + (SEEN if "def seen" not in text else "")
    found = verdict(text + rest)
    assert found.kind in (EQUAL, REFUSED), found.told


def test_the_same_seed_writes_the_same_module():
    assert Writer(7).module() == Writer(7).module() != Writer(8).module()


HIDDEN = """
def function(x, y):
    a = x + 1
    b = y * 2
    if b.sum() > 100:
        a = b
    tells = hasattr(x, "_data")
    return a * 2 if tells else a * 3
"""


def test_a_difference_is_found_and_made_small():
    text = HIDDEN + REST + SEEN
    found = verdict(text)
    assert found.kind == WRONG, found.told
    small = shrunk(text, lambda t: verdict(t).kind == WRONG, most=100)
    (function,) = (n for n in ast.parse(small).body if getattr(n, "name", "") == "function")
    assert len(function.body) <= 3
    assert "_data" in small
