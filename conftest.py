"""What the examples in docstrings begin with."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True, scope="session")
def _twinoar_is_imported(doctest_namespace: dict[str, Any]) -> None:
    """Give examples the name `twinoar`, which tests/conftest.py wants loaded after itself."""
    import twinoar

    doctest_namespace["twinoar"] = twinoar
