"""The real client of OpenAI, unmodified: OPENAI_PYTHON names a Python that has it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.serving.language import saved
from tests.serving.live import live
from tests.serving.test_embeddings import alone, embedder, loaded, made

PYTHON = os.environ.get("OPENAI_PYTHON", "")


@pytest.mark.skipif(not PYTHON, reason="OPENAI_PYTHON names no Python")
def test_it_completes_chats_and_streams(tmp_path: Path) -> None:
    saved(tmp_path)
    model = embedder(tmp_path, made("bert"))
    repository = loaded(tmp_path)
    script = Path(__file__).with_name("client_of_openai.py")
    with live(repository) as served:
        url = f"http://127.0.0.1:{served.server.bound['http']}/v1"
        done = subprocess.run([PYTHON, str(script), url], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["models"] == ["vectors", "writer"]
    for vector in found["vectors"]:
        assert np.allclose(vector, alone(model, [1, 2, 3], "mean"), atol=1e-5)
    assert found["whole"] == found["streamed"] != ""
    assert found["chat"] == found["chat streamed"]
    text, tokens, logprobs = found["scored"]
    assert (text, tokens, logprobs[0]) == ("Once", list("Once"), None)
    assert all(logprob < 0 for logprob in logprobs[1:])
    assert found["likely"] == found["likely streamed"]
    assert [count for _, _, count in found["likely"]] == [2] * 8
    assert found["cached"] == 0  # a step with a cache for each row shares nothing
    assert found["400"].startswith("400") and "temperature" in found["400"]
    assert found["404"].startswith("404") and "unknown model" in found["404"]
