"""Element types: what they ask of NumPy."""

from __future__ import annotations

import pytest

from twinoar.core.dtype import require_numpy
from twinoar.errors import MissingModuleError


@pytest.mark.parametrize("version", ["1.26.4", "0.9"])
def test_numpy_whose_promotion_looks_at_values_is_refused(version: str) -> None:
    with pytest.raises(MissingModuleError, match=f"received NumPy {version}"):
        require_numpy(version)


@pytest.mark.parametrize("version", ["2.0.0", "2.4.6", "10.1"])
def test_newer_numpy_is_taken(version: str) -> None:
    require_numpy(version)
