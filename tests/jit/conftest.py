"""What tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from twinoar import config


@pytest.fixture
def numpy_backend() -> Iterator[None]:
    """The NumPy back end, on which a Program gives the very bits of eager code.

    The native one adds in another order; tests/backends hold it against this one.
    """
    with config.override(backend="numpy"):
        yield
