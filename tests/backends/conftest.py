"""What tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from twinoar import config
from twinoar.backends.llvm import emit


@pytest.fixture
def all_passes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All of LLVM's passes for every kernel, as large arrays get them; with a cache of its own."""
    monkeypatch.setattr(emit, "FEW", 0)
    with config.override(cache_dir=config.cache_dir / "all_passes"):
        yield
