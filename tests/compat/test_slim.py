"""`import paddleslim` is served beside `import paddle`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator

import pytest

import twinoar.slim
from twinoar import compat
from twinoar.errors import MissingModuleError


@pytest.fixture
def served() -> Iterator[None]:
    compat.install()
    yield
    compat.uninstall()


def test_modules_are_the_same(served: None) -> None:
    assert importlib.import_module("paddleslim") is twinoar.slim
    assert importlib.import_module("paddleslim.dygraph") is twinoar.slim.dygraph
    assert twinoar.slim.__spec__.name == "twinoar.slim"


def test_what_is_missing_is_said(served: None) -> None:
    with pytest.raises(MissingModuleError, match=r"paddleslim\.nobody"):
        importlib.import_module("paddleslim.nobody")


def test_nothing_is_left_behind(served: None) -> None:
    importlib.import_module("paddleslim.dygraph")
    compat.uninstall()
    assert not [name for name in sys.modules if name.partition(".")[0] == "paddleslim"]
    compat.install()
