"""Operators that a test defines are gone after it."""

import pytest

from twinoar.core.op.definition import registry


@pytest.fixture(autouse=True)
def _only_here():
    before = dict(registry)
    yield
    registry.clear()
    registry.update(before)
