"""The real client of Triton, unmodified, over both protocols.

It asks for a version of protobuf that twinoar's tests do not have, so it runs in a process of its
own: TRITONCLIENT_PYTHON names a Python with `tritonclient[all]`.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.serving.live import live
from tests.serving.models import scaling
from twinoar.formats.inference_protocol import CLASSES
from twinoar.serving.repository import Repository
from twinoar.serving.shared_memory import Regions

PYTHON = os.environ.get("TRITONCLIENT_PYTHON", "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="TRITONCLIENT_PYTHON names no Python")
DOUBLED = [[0, 2, 4, 6], [8, 10, 12, 14]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("models")
    scaling(folder, "double", 2.0)
    repository = Repository(folder)
    repository.load("double")
    script = Path(__file__).with_name("client_of_triton.py")
    with live(repository, explicit=True, regions=Regions()) as served:
        address = f"127.0.0.1:{served.server.bound['http']}"
        command = [PYTHON, str(script), address, served.grpc]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_it_finds_what_it_looks_for(told: dict[str, Any], protocol: str) -> None:
    found = told[protocol]
    assert found["live"] and found["ready"] and found["model ready"]
    assert found["server"] == "twinoar"
    assert found["infer"] == DOUBLED
    assert found["classes"] == ["6.000000:3", "14.000000:3"]
    assert "Request for unknown model: 'double'" in found["error"]
    assert found["statistics"] == "double"


def test_it_reads_the_index_and_the_config(told: dict[str, Any]) -> None:
    entry = {"name": "double", "version": "1", "state": "READY"}
    assert told["http"]["index"] == [entry]
    assert told["grpc"]["index"] == {"models": [entry]}
    assert told["http"]["config"]["max_batch_size"] == 8
    assert told["grpc"]["config"]["config"]["max_batch_size"] == 8


def test_json_compression_and_asynchronous_calls_give_the_same(told: dict[str, Any]) -> None:
    assert told["http"]["json"] == told["http"]["later"] == DOUBLED


@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_tensors_are_in_shared_memory(told: dict[str, Any], protocol: str) -> None:
    found = told[protocol]["memory"]
    assert found["status"] == [["region", 64]]
    assert found["y"] == DOUBLED
    assert "has 32 bytes, its place in the region 'region' has 31" in found["small"]
    assert "Unable to find shared memory region: 'region'" in found["unknown"]
    assert found["left"] == []


def test_streams_answer_in_order(told: dict[str, Any]) -> None:
    assert told["grpc"]["stream"] == ["0", "1", "2"]


def test_our_messages_are_the_published_ones(told: dict[str, Any]) -> None:
    published = told["grpc"]["descriptors"]
    for name, message in CLASSES.items():
        if "." not in name:
            ours = [[f.number, f.name, f.type] for f in message.DESCRIPTOR.fields]
            assert sorted(ours) == sorted(published[name]), name
