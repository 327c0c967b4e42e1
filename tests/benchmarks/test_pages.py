"""`pages.py` times what computes what Python does, in Node."""

from __future__ import annotations

import shutil
from pathlib import Path

import pages
import pytest


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
def test_a_network_in_node_gives_the_results_of_python(tmp_path: Path) -> None:
    settings, wanted = pages.written("squeezenet1_1", 64, 1, "", tmp_path)
    found = pages.in_node(tmp_path, settings)
    assert found["least"]["twinoar"] > 0
    assert pages.differing(found["results"], wanted) == []
    assert pages.differing({"twinoar": [0.0] * 1000}, wanted) == ["twinoar"]
