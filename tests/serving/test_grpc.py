"""The protocol over gRPC, by its published messages: what it tells, inference, errors, health."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest

from tests.serving.live import Live, live
from tests.serving.models import scaling
from tests.threads import in_threads
from twinoar.formats.inference_protocol import CLASSES, HEALTH_CLASSES, HEALTH_SERVICE, SERVICE
from twinoar.serving.repository import Repository
from twinoar.serving.state import digest


class Client:
    """Calls by name, as generated code does."""

    def __init__(self, address: str, metadata: tuple[tuple[str, str], ...] = ()):
        self.channel, self.metadata = grpc.insecure_channel(address), metadata

    def __call__(self, name: str, /, **fields: Any) -> Any:
        asked = CLASSES[f"{name}Request"](**fields)
        return self.raw(f"/{SERVICE}/{name}", asked, CLASSES[f"{name}Response"])

    def raw(self, path: str, asked: Any, answer_class: Any) -> Any:
        call = self.channel.unary_unary(
            path,
            request_serializer=lambda m: m if isinstance(m, bytes) else m.SerializeToString(),
            response_deserializer=answer_class.FromString,
        )
        return call(asked, timeout=20, metadata=self.metadata)

    def infer(self, value: float, **fields: Any) -> Any:
        return self("ModelInfer", **inference(value, **fields))


def inference(value: float, **fields: Any) -> dict[str, Any]:
    x = np.full((1, 4), value, "<f4")
    one = {"name": "x", "datatype": "FP32", "shape": [1, 4]}
    whole = {"model_name": "double", "inputs": [one], "raw_input_contents": [x.tobytes()]}
    return whole | fields


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("models")
    scaling(folder, "double", 2.0)
    repository = Repository(folder)
    repository.load("double")
    with live(repository, explicit=True) as found:
        yield found


@pytest.fixture(scope="module")
def client(served: Live) -> Client:
    return Client(served.grpc)


def test_health_and_metadata(client: Client) -> None:
    assert client("ServerLive").live
    assert client("ServerReady").ready
    assert client("ModelReady", name="double").ready
    assert not client("ModelReady", name="double", version="2").ready
    assert client("ServerMetadata").name == "twinoar"
    told = client("ModelMetadata", name="double")
    assert [(x.name, x.datatype, list(x.shape)) for x in told.inputs] == [("x", "FP32", [-1, 4])]
    assert client("ModelConfig", name="double").config.max_batch_size == 8
    assert [x.name for x in client("RepositoryIndex").models] == ["double"]


def test_the_usual_health_service_answers(client: Client) -> None:
    answer_class = HEALTH_CLASSES["HealthCheckResponse"]
    path = f"/{HEALTH_SERVICE}/Check"
    for service in ("", SERVICE):
        asked = HEALTH_CLASSES["HealthCheckRequest"](service=service)
        assert client.raw(path, asked, answer_class).status == 1
    with pytest.raises(grpc.RpcError) as caught:
        client.raw(path, HEALTH_CLASSES["HealthCheckRequest"](service="x"), answer_class)
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND


def test_inference_with_raw_contents(client: Client) -> None:
    answer = client.infer(3, id="seven")
    assert (answer.model_name, answer.model_version, answer.id) == ("double", "1", "seven")
    assert np.frombuffer(answer.raw_output_contents[0], "<f4").tolist() == [6] * 4


def test_inference_with_contents_in_fields(client: Client) -> None:
    contents = {"fp32_contents": [1, 2, 3, 4]}
    one = {"name": "x", "datatype": "FP32", "shape": [1, 4], "contents": contents}
    answer = client.infer(0, inputs=[one], raw_input_contents=[])
    assert np.frombuffer(answer.raw_output_contents[0], "<f4").tolist() == [2, 4, 6, 8]


ONE = {"name": "x", "datatype": "FP32", "shape": [1, 4]}
BAD: dict[str, dict[str, Any]] = {
    "has 3 bytes": {"raw_input_contents": [b"123"]},
    "come with 2 raw contents": {"raw_input_contents": [b"", b""]},
    "0 elements in fp32_contents": {"raw_input_contents": []},
    "no datatype 'F'": {"inputs": [{**ONE, "datatype": "F"}]},
    "not to be had": {"inputs": [{**ONE, "shape": [-1, 4]}]},
    "no input 'z'": {"inputs": [{**ONE, "name": "z"}]},
    "no output 'z'": {"outputs": [{"name": "z"}]},
    "priorities 1 to 1": {"parameters": {"priority": {"int64_param": 5}}},
}


@pytest.mark.parametrize("reason", BAD)
def test_a_request_that_does_not_fit_is_told_why(client: Client, reason: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        client.infer(1, **BAD[reason])
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert reason in caught.value.details()


@pytest.mark.parametrize(("name", "fields", "code"), [
    ("ModelInfer", inference(1, model_name="other"), grpc.StatusCode.NOT_FOUND),
    ("ModelMetadata", {"name": "double", "version": "9"}, grpc.StatusCode.NOT_FOUND),
    ("RepositoryModelLoad", {"model_name": "other"}, grpc.StatusCode.NOT_FOUND),
    ("RepositoryModelUnload", {"model_name": "other"}, grpc.StatusCode.NOT_FOUND),
])  # fmt: skip
def test_each_wrong_call_has_its_status(
    client: Client, name: str, fields: dict[str, Any], code: grpc.StatusCode
) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        client(name, **fields)
    assert caught.value.code() == code


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x02\xff\xfe", b"\x0a\xff\xff\xff\xff\x0f"])
def test_bytes_that_are_no_message_are_an_invalid_argument(client: Client, data: bytes) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        client.raw(f"/{SERVICE}/ModelInfer", data, CLASSES["ModelInferResponse"])
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_a_method_that_is_not_served_says_so(client: Client) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        client.raw(f"/{SERVICE}/TraceSetting", b"", CLASSES["ServerLiveResponse"])
    assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_models_are_exchanged_and_counted(client: Client) -> None:
    client("RepositoryModelLoad", model_name="double")
    client.infer(1)
    (counts,) = client("ModelStatistics", name="double").model_stats
    assert counts.inference_stats.success.count == 1
    assert counts.batch_stats[0].batch_size == 1


def test_a_stream_answers_in_order_and_goes_on_after_an_error(client: Client) -> None:
    asked = [inference(n, id=str(n)) for n in range(5)]
    asked[2]["model_name"] = "other"
    call = client.channel.stream_stream(
        f"/{SERVICE}/ModelStreamInfer",
        request_serializer=lambda m: m.SerializeToString(),
        response_deserializer=CLASSES["ModelStreamInferResponse"].FromString,
    )
    answers = list(call(iter([CLASSES["ModelInferRequest"](**one) for one in asked]), timeout=20))
    assert [answer.infer_response.id for answer in answers] == list("01234")
    assert [bool(answer.error_message) for answer in answers] == [n == 2 for n in range(5)]


def test_many_clients_share_batches_and_each_has_its_answer(client: Client) -> None:
    found: dict[int, float] = {}

    def ask(n: int) -> None:
        answer = client.infer(n)
        found[n] = float(np.frombuffer(answer.raw_output_contents[0], "<f4")[0])

    in_threads(partial(ask, n) for n in range(32))
    assert found == {n: 2.0 * n for n in range(32)}


def test_keys_are_asked_for_but_not_by_probes(tmp_path: Path) -> None:
    scaling(tmp_path, "double", 2.0)
    with live(Repository(tmp_path), keys=frozenset([digest("secret")])) as served:
        assert Client(served.grpc)("ServerLive").live
        with pytest.raises(grpc.RpcError) as caught:
            Client(served.grpc)("ServerMetadata")
        assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED
        for pair in (("x-api-key", "secret"), ("authorization", "Bearer secret")):
            assert Client(served.grpc, (pair,))("ServerMetadata").name == "twinoar"
