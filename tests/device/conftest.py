"""The simulated accelerator of examples/plugin_device, found as an installed plug-in is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import twinoar as paddle
from twinoar.core.device import ENTRY_POINTS, backend_of

PLUG_IN = Path(__file__).parents[2] / "examples" / "plugin_device"


@pytest.fixture(scope="session", autouse=True)
def plug_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The plug-in's back end, by its entry point."""
    installed = tmp_path_factory.mktemp("installed")
    info = installed / "twinoar_sim-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: twinoar-sim\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\nsim = twinoar_sim:SimBackend\n")
    sys.path[:0] = [str(installed), str(PLUG_IN)]
    yield backend_of("sim")
    del sys.path[:2]


@pytest.fixture
def chip(plug_in: Any) -> Iterator[Any]:
    """The chip behind "sim:0", which is the device of new tensors during a test."""
    from twinoar_sim import MACHINE

    paddle.set_device("sim:0")
    yield MACHINE[0]
    paddle.set_device("cpu")
    MACHINE[0].fail_next.clear()
    MACHINE[0].failure = None
