"""The real client of KServe, unmodified, over both protocols: KSERVE_PYTHON names its Python."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.serving.live import live
from tests.serving.models import scaling
from twinoar.serving.repository import Repository

PYTHON = os.environ.get("KSERVE_PYTHON", "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="KSERVE_PYTHON names no Python")
DOUBLED = [[0, 2, 4, 6], [8, 10, 12, 14]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("models")
    scaling(folder, "double", 2.0)
    repository = Repository(folder)
    repository.load("double")
    script = Path(__file__).with_name("client_of_kserve.py")
    with live(repository) as served:
        address = f"127.0.0.1:{served.server.bound['http']}"
        command = [PYTHON, str(script), address, served.grpc]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_it_asks_what_is_there_and_has_its_answers(told: dict[str, Any], protocol: str) -> None:
    found = told[protocol]
    assert found["live"] and found["ready"] and found["model ready"]
    assert found["json"] == found["binary"] == DOUBLED
    assert "unknown model" in found["error"] or "404" in found["error"]
