"""`explain.py` says what a work runs as."""

from __future__ import annotations

import explain
import pytest


@pytest.mark.parametrize(("work", "operator"), [("mlp", "matmul"), ("silu", "multiply")])
def test_the_operators_of_a_work_are_in_its_table(work: str, operator: str) -> None:
    assert operator in explain.explained(work)
