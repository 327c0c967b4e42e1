"""What tests of several folders share: the place of the files that the real Paddle has written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FIXTURES_VARIABLE = "TWINOAR_FIXTURES"
BESIDE_THE_REPOSITORY = Path(__file__).parents[2] / "shared" / "fixtures"


@pytest.fixture(scope="session")
def paddle_fixtures() -> Path:
    """The folder of the files that Paddle 2.6.2 and 3.3.1 have written; skips if there is none."""
    folder = Path(os.environ.get(FIXTURES_VARIABLE) or BESIDE_THE_REPOSITORY)
    if not folder.is_dir():
        pytest.skip(
            f"{folder} does not exist; {FIXTURES_VARIABLE} names the folder of Paddle's files"
        )
    return folder
