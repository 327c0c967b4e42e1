"""`import twinoar` loads nothing heavy; benchmarks/import_time.py says how long it takes."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "llvmlite",
    "onednn",
    "google.protobuf",
    "PIL",
    "matplotlib",
    "rich",
    "multiprocessing.pool",
)
LOADED = "import sys; {statement}; print(*sys.modules)"


def heavy_modules(statement: str) -> set[str]:
    """Those of HEAVY that a fresh process has loaded after `statement`."""
    program = LOADED.format(statement=statement)
    loaded = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout
    return set(HEAVY) & set(loaded.split())


def test_importing_twinoar_loads_nothing_heavy() -> None:
    assert heavy_modules("import twinoar") == set()


@pytest.mark.parametrize("module", ["google.protobuf", "PIL"])
def test_the_check_sees_a_heavy_module(module: str) -> None:
    assert heavy_modules(f"import twinoar, {module}") >= {module}
