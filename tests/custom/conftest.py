"""Operators that a test defines are gone after it."""

from __future__ import annotations

import pytest

from twinoar.core.op.definition import registry


@pytest.fixture(autouse=True)
def _only_here():
    before = dict(registry)
    yield
    registry.clear()
    registry.update(before)
