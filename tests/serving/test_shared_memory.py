"""Tensors in the system's shared memory: registered, read, written, and refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import shared_memory
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest

from tests.serving.live import Live, live
from tests.serving.models import scaling
from twinoar.errors import ServingError
from twinoar.formats.inference_protocol import CLASSES, SERVICE
from twinoar.serving import shared_memory as ours
from twinoar.serving.repository import Repository
from twinoar.serving.shared_memory import Place, Regions, Registration

X = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], "float32")
REGISTER = "/v2/systemsharedmemory/region/{}/register"


@pytest.fixture
def segment() -> Iterator[shared_memory.SharedMemory]:
    """64 bytes: the input, and room for the output behind it."""
    made = shared_memory.SharedMemory(create=True, size=64)
    made.buf[:32] = X.tobytes()
    yield made
    made.close()
    made.unlink()


@pytest.fixture
def regions(tmp_path: Path) -> Regions:
    """With a region r of 12 bytes, which begins behind the first 4 of its segment."""
    (tmp_path / "key").write_bytes(bytes(range(16)))
    made = Regions(most_bytes=64, folder=tmp_path)
    made.add(made.opened(Registration("r", "/key", 4, 12)))
    return made


@contextmanager
def served(folder: Path, **options: Any) -> Iterator[Live]:
    scaling(folder, "m", 2.0)
    repository = Repository(folder)
    repository.load("m")
    with live(repository, **options) as server:
        yield server


def asked(
    output: str, region: str = "r", *, size: int = 32, room: int = 32, at: int = 32
) -> dict[str, Any]:
    """A request whose input and output are in a region."""
    given = {"shared_memory_region": region, "shared_memory_byte_size": size}
    put = {"shared_memory_region": region, "shared_memory_byte_size": room}
    put["shared_memory_offset"] = at  # type: ignore[assignment]
    return {
        "inputs": [{"name": "x", "datatype": "FP32", "shape": [2, 4], "parameters": given}],
        "outputs": [{"name": output, "parameters": put}],
    }


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def name_of_output(server: Live) -> str:
    found: str = server.call("GET", "/v2/models/m").json["outputs"][0]["name"]
    return found


def registered(server: Live, segment: shared_memory.SharedMemory) -> str:
    """Register the segment as r; the name of the model's output."""
    told = {"key": f"/{segment.name}", "offset": 0, "byte_size": 64}
    assert server.call("POST", REGISTER.format("r"), told).status == 200
    return name_of_output(server)


def test_inputs_are_read_from_a_region_and_outputs_put_into_it(
    tmp_path: Path, segment: shared_memory.SharedMemory
) -> None:
    with served(tmp_path, regions=Regions()) as server:
        name = registered(server, segment)
        answer = server.call("POST", "/v2/models/m/infer", asked(name))
        assert answer.status == 200
        (output,) = answer.json["outputs"]
        assert "data" not in output
        assert output["parameters"] == asked(name)["outputs"][0]["parameters"]
        assert np.array_equal(np.frombuffer(segment.buf[32:], "float32").reshape(2, 4), X * 2)


def test_regions_are_listed_and_forgotten(
    tmp_path: Path, segment: shared_memory.SharedMemory
) -> None:
    with served(tmp_path, regions=Regions()) as server:
        name = registered(server, segment)
        status = "/v2/systemsharedmemory/status"
        one = {"name": "r", "key": f"/{segment.name}", "offset": 0, "byte_size": 64}
        assert server.call("GET", status).json == [one]
        assert server.call("GET", "/v2/systemsharedmemory/region/r/status").json == [one]
        again = server.call("POST", REGISTER.format("r"), {"key": segment.name, "byte_size": 8})
        assert (again.status, "unregister it first" in again.json["error"]) == (409, True)
        for _ in range(2):  # the second time it is not there, which is no error
            path = "/v2/systemsharedmemory/region/r/unregister"
            assert server.call("POST", path).status == 200
        assert server.call("GET", status).json == []
        assert server.call("GET", "/v2/systemsharedmemory/region/r/status").status == 404
        assert server.call("POST", "/v2/models/m/infer", asked(name)).status == 404


@pytest.mark.parametrize(("request_", "message"), [
    ({"region": "other"}, "Unable to find shared memory region: 'other'; use one of r"),
    ({"size": 96}, "lies at 0 to 96 of the region 'r', which has 64 bytes"),
    ({"size": 16}, "has 16 bytes, FP32 of shape [2, 4] takes 32"),
    ({"room": 31}, "has 32 bytes, its place in the region 'r' has 31"),
    ({"at": 33}, "lies at 33 to 65 of the region 'r', which has 64 bytes"),
    ({"at": -1}, "is a whole number from 0 on, received -1"),
    ({"size": "8"}, "is a whole number from 0 on, received '8'"),
    ({"region": 5}, "shared_memory_region of input 'x' is text"),
])  # fmt: skip
def test_what_does_not_fit_is_refused(
    tmp_path: Path, segment: shared_memory.SharedMemory, request_: dict[str, Any], message: str
) -> None:
    with served(tmp_path, regions=Regions()) as server:
        name = registered(server, segment)
        answer = server.call("POST", "/v2/models/m/infer", asked(name, **request_))
        assert answer.status in (400, 404)
        assert message in answer.json["error"]
        assert server.call("POST", "/v2/models/m/infer", asked(name)).status == 200


def test_a_server_that_does_not_allow_it_says_how_to(
    tmp_path: Path, segment: shared_memory.SharedMemory
) -> None:
    with served(tmp_path) as server:
        name = name_of_output(server)
        told = {"key": segment.name, "byte_size": 64}
        for answer in (
            server.call("POST", REGISTER.format("r"), told),
            server.call("POST", "/v2/models/m/infer", asked(name)),
            server.call("GET", "/v2/systemsharedmemory/status"),
        ):
            assert answer.status == 409
            assert "--allow-shared-memory" in answer.json["error"]
        assert "system_shared_memory" not in server.call("GET", "/v2").json["extensions"]


def test_devices_have_no_memory_here(tmp_path: Path) -> None:
    with served(tmp_path, regions=Regions()) as server:
        assert server.call("GET", "/v2/cudasharedmemory/status").json == []
        path = "/v2/cudasharedmemory/region/r/register"
        assert server.call("POST", path, {"raw_handle": {"b64": ""}}).status == 501
        assert server.call("POST", "/v2/cudasharedmemory/unregister").status == 200
        assert server.call("POST", "/v2/systemsharedmemory/other").status == 404


def test_over_grpc_raw_contents_are_of_the_inputs_that_are_not_in_memory(
    tmp_path: Path, segment: shared_memory.SharedMemory
) -> None:
    with (
        served(tmp_path, regions=Regions()) as server,
        grpc.insecure_channel(server.grpc) as channel,
    ):
        name = name_of_output(server)

        def call(method: str, **fields: Any) -> Any:
            message = CLASSES[f"{method}Request"](**fields).SerializeToString()
            data = channel.unary_unary(f"/{SERVICE}/{method}")(message, timeout=30)
            return CLASSES[f"{method}Response"].FromString(data)

        call("SystemSharedMemoryRegister", name="r", key=segment.name, byte_size=64)
        assert call("SystemSharedMemoryStatus").regions["r"].byte_size == 64
        told = asked(name)
        for one in (*told["inputs"], *told["outputs"]):
            one["parameters"] = {
                k: {"string_param" if isinstance(v, str) else "int64_param": v}
                for k, v in one["parameters"].items()
            }
        answer = call("ModelInfer", model_name="m", **told)
        assert list(answer.raw_output_contents) == []
        assert answer.outputs[0].parameters["shared_memory_byte_size"].int64_param == 32
        assert np.array_equal(np.frombuffer(segment.buf[32:], "float32").reshape(2, 4), X * 2)
        with pytest.raises(grpc.RpcError, match="0 inputs come with 1 raw contents"):
            call("ModelInfer", model_name="m", raw_input_contents=[b""], **told)
        call("SystemSharedMemoryUnregister")
        assert len(call("SystemSharedMemoryStatus").regions) == 0
        assert len(call("CudaSharedMemoryStatus").regions) == 0
        with pytest.raises(grpc.RpcError, match="no devices"):
            call("CudaSharedMemoryRegister", name="r")


def test_bytes_are_those_of_the_region(regions: Regions) -> None:
    assert bytes(regions.read(Place("r", 2, 3), "x")) == bytes([6, 7, 8])
    assert bytes(regions.read(Place("r", 12, 0), "x")) == b""
    regions.write(Place("r", 2, 3), b"\xff\xfe", "y")
    assert bytes(regions.read(Place("r", 1, 4), "x")) == bytes([5, 255, 254, 8])


def test_a_segment_that_became_shorter_harms_nobody(regions: Regions, tmp_path: Path) -> None:
    os.truncate(tmp_path / "key", 6)
    with pytest.raises(ServingError, match="has become smaller"):
        regions.read(Place("r", 0, 8), "x")
    with pytest.raises(ServingError, match="has become smaller"):
        regions.write(Place("r", 0, 8), bytes(8), "y")
    assert (tmp_path / "key").stat().st_size == 6  # nor is it made longer again


@pytest.mark.parametrize(("told", "message", "status"), [
    (Registration("s", "/none", 0, 8), "is not there", "NOT_FOUND"),
    (Registration("s", "/key", 8, 9), "has 16 bytes, the region 's' would end at 17", None),
    (Registration("s", "/key", -1, 8), "offset is a whole number", None),
    (Registration("s", "/key", 0, 0), "byte_size is a whole number from 1", None),
    (Registration("s", "/key", 1 << 62, 1 << 62), "would end at", None),
    (Registration("s", "/key", True, 8), "offset is a whole number", None),
    (Registration("", "/key", 0, 8), "a region has a name", None),
    (Registration("s", "", 0, 8), "has 1 to 255 bytes", None),
    (Registration("s", "..", 0, 8), "has 1 to 255 bytes", None),
    (Registration("s", "x" * 256, 0, 8), "has 1 to 255 bytes", None),
    (Registration("s", "../key", 0, 8), "is no name of a segment", None),
    (Registration("s", "a\0b", 0, 8), "is no name of a segment", None),
    (Registration("s", "folder", 0, 8), "cannot be opened", None),
    (Registration("s", "link", 0, 8), "cannot be opened", None),
    (Registration("s", "fifo", 0, 8), "is no segment", None),
])  # fmt: skip
def test_regions_that_are_none_are_refused(
    regions: Regions, tmp_path: Path, told: Registration, message: str, status: str | None
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "key")
    os.mkfifo(tmp_path / "fifo")
    before = open_files()
    with pytest.raises(ServingError, match=message) as caught:
        regions.opened(told)
    assert caught.value.status == (status or "INVALID_ARGUMENT")
    assert open_files() == before


def test_there_are_limits(regions: Regions, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ServingError, match="a tensor has at most 64") as caught:
        regions.read(Place("r", 0, 65), "x")
    assert caught.value.status == "TOO_LARGE"
    monkeypatch.setattr(ours, "MOST_REGIONS", 1)
    with pytest.raises(ServingError, match="1 regions are registered"):
        regions.opened(Registration("s", "/key", 0, 8))


def test_what_is_being_read_when_it_is_forgotten_is_closed_behind_it(regions: Regions) -> None:
    before = open_files()
    region = regions._entered(Place("r", 0, 4), "x")
    regions.remove("r")
    assert os.fstat(region.file).st_size == 16
    region.leave()
    assert open_files() == before - 1
    assert not region.enter()
