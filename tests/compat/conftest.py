"""What tests of this folder share."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType

import pytest

from twinoar import compat


@pytest.fixture
def paddle() -> Iterator[ModuleType]:
    """What `import paddle` gives where twinoar stands for it."""
    compat.install()
    yield importlib.import_module("paddle")
    compat.uninstall()
