"""Traces: a span for each request, its parent, and the stages below it."""

from __future__ import annotations

import http.server
import logging
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import grpc
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from tests.serving.language import saved
from tests.serving.live import Live, live, wait_until
from tests.serving.models import python, scaling
from tests.serving.test_process import serving
from twinoar import cli
from twinoar.formats.inference_protocol import CLASSES, SERVICE
from twinoar.serving.repository import Repository
from twinoar.serving.tracing import Tracing

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
RECORDED, UNRECORDED = f"00-{TRACE}-{PARENT}-01", f"00-{TRACE}-{PARENT}-00"
PIPELINE = """
input [{ name: "x" data_type: TYPE_FP32 dims: [-1, 4] }]
output [{ name: "y" data_type: TYPE_FP32 dims: [-1, 4] }]
ensemble_scheduling { step [
  { model_name: "double" input_map { key: "x" value: "x" } output_map { key: "OUT" value: "a" } },
  { model_name: "double" input_map { key: "x" value: "a" } output_map { key: "OUT" value: "y" } }
] }"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, Any]]:
    folder = tmp_path_factory.mktemp("models")
    scaling(folder, "double", 2.0)
    saved(folder)
    python(folder, "fails", "def run(inputs):\n    raise ValueError('broken')", (
        'input [{ name: "x" data_type: TYPE_FP32 dims: [-1, 4] }]'
        'output [{ name: "y" data_type: TYPE_FP32 dims: [-1, 4] }]'
    ))  # fmt: skip
    repository = Repository(folder, python=True)
    for name in repository.names():
        repository.load(name)
    output = repository.model("double").config.output[0].name
    (folder / "twice").mkdir()
    (folder / "twice" / "config.pbtxt").write_text(PIPELINE.replace("OUT", output))
    repository.load("twice")
    exporter = InMemorySpanExporter()
    with live(repository, tracing=Tracing(exporter, at_once=True)) as served:
        yield served, exporter


@pytest.fixture
def spans(made: tuple[Live, Any]) -> Any:
    """Waits for so many requests' spans, which end when the answer is away; all by name."""
    made[1].clear()

    def ended(requests: int = 1) -> dict[str, Any]:
        def found() -> Any:
            return made[1].get_finished_spans()

        wait_for(lambda: sum(s.kind is SpanKind.SERVER for s in found()) == requests)
        return {span.name: span for span in found()}

    return ended


@pytest.fixture
def served(made: tuple[Live, Any]) -> Live:
    return made[0]


def ask(served: Live, model: str, **headers: str) -> int:
    one = {"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1, 2, 3, 4]}
    told = {"inputs": [one], "id": "seven"}
    return served.call("POST", f"/v2/models/{model}/infer", told, headers).status


def test_a_request_has_a_span_with_its_stages_in_order(served: Live, spans: Any) -> None:
    assert ask(served, "double") == 200
    found = spans()
    whole = found.pop("POST /v2/models/double/infer")
    assert set(found) == {"queue", "batch", "run"}
    assert all(span.parent.span_id == whole.context.span_id for span in found.values())
    times = [found[name] for name in ("queue", "batch", "run")]
    assert all(a.end_time <= b.start_time + 1000 for a, b in pairwise(times))
    # The wall clock is read twice, so they may be apart by a little.
    assert whole.start_time <= found["queue"].start_time + 10**6
    assert found["run"].end_time <= whole.end_time + 10**6
    assert dict(found["run"].attributes) == {"model": "double 1", "rows": 1, "requests": 1}
    assert whole.attributes["http.response.status_code"] == 200
    assert whole.attributes["request.id"] == "seven"


def test_a_trace_goes_on_with_the_parent_that_is_named(served: Live, spans: Any) -> None:
    ask(served, "double", traceparent=RECORDED)
    found = spans()
    assert {f"{span.context.trace_id:032x}" for span in found.values()} == {TRACE}
    assert f"{found['POST /v2/models/double/infer'].parent.span_id:016x}" == PARENT


def test_what_its_parent_does_not_record_is_not_recorded(served: Live, spans: Any) -> None:
    assert ask(served, "double", traceparent=UNRECORDED) == 200
    time.sleep(0.05)
    assert spans(0) == {}


@pytest.mark.parametrize("header", ["", "00-zz", "ff-" + "0" * 49, "00-" + "0" * 32, "é"])
def test_a_parent_that_is_none_begins_a_trace(served: Live, spans: Any, header: str) -> None:
    assert ask(served, "double", traceparent=header.encode("utf-8").decode("latin-1")) == 200
    assert spans()["POST /v2/models/double/infer"].parent is None


def test_a_pipeline_shows_the_stages_of_its_steps(served: Live, made: Any, spans: Any) -> None:
    assert ask(served, "twice") == 200
    spans()
    names = [span.name for span in made[1].get_finished_spans()]
    assert names.count("run") == names.count("queue") == 2


def test_an_error_of_the_server_is_one_of_the_span(served: Live, spans: Any) -> None:
    assert ask(served, "fails") == 500
    assert ask(served, "other") == 404
    found = spans(2)
    assert found["POST /v2/models/fails/infer"].status.status_code.name == "ERROR"
    assert found["POST /v2/models/other/infer"].status.status_code.name == "UNSET"


def test_a_call_over_grpc_has_the_same(served: Live, spans: Any) -> None:
    one = {"name": "x", "datatype": "FP32", "shape": [1, 4]}
    message = CLASSES["ModelInferRequest"](
        model_name="double", inputs=[one], raw_input_contents=[bytes(16)]
    )
    with grpc.insecure_channel(served.grpc) as channel:
        call = channel.unary_unary(f"/{SERVICE}/ModelInfer")
        metadata = (("traceparent", RECORDED),)
        call(message.SerializeToString(), timeout=20, metadata=metadata)
        found = spans()
        with pytest.raises(grpc.RpcError):
            call(b"", timeout=20)
    assert f"{found[f'{SERVICE}/ModelInfer'].context.trace_id:032x}" == TRACE
    assert set(found) == {f"{SERVICE}/ModelInfer", "queue", "batch", "run"}


@pytest.mark.parametrize("streams", [False, True])
def test_a_text_shows_how_long_it_waited_and_was_written(
    served: Live, spans: Any, streams: bool
) -> None:
    told = {"model": "writer", "prompt": "ab", "max_tokens": 3, "stream": streams, "stop": "\x00"}
    assert served.call("POST", "/v1/completions", told).status == 200
    found = spans()
    assert found["write"].attributes["tokens"] <= 3
    assert found["write"].end_time <= found["POST /v1/completions"].end_time + 10**6


def test_probes_have_no_spans(served: Live, spans: Any) -> None:
    served.call("GET", "/v2/health/ready")
    time.sleep(0.05)
    assert spans(0) == {}


def test_lines_of_the_log_name_the_trace(
    served: Live, spans: Any, caplog: pytest.LogCaptureFixture
) -> None:
    logger = logging.getLogger("twinoar.serving.access")
    with caplog.at_level(logging.INFO, logger.name):
        logger.addHandler(caplog.handler)
        try:
            ask(served, "double", traceparent=RECORDED)
            wait_until(lambda: bool(caplog.records))  # a line is written after the answer
        finally:
            logger.removeHandler(caplog.handler)
    assert caplog.records[-1].trace_id == TRACE


def test_a_share_of_requests_begins_traces() -> None:
    exporter = InMemorySpanExporter()
    tracing = Tracing(exporter, 0.25, at_once=True)
    begun = [tracing.begin("a", {}) for _ in range(2000)]
    assert 400 < sum(one is not None for one in begun) < 600
    assert tracing.begin("a", {"traceparent": RECORDED}) is not None
    tracing.close()


def test_the_command_sends_them_to_a_collector(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0)
    bodies: list[bytes] = []

    class Collector(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    collector = http.server.HTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{collector.server_port}/v1/traces"
    with serving(str(tmp_path), f"--trace-endpoint={url}") as server:
        assert server.infer("m") == 2
        assert server.end() == 0
    collector.shutdown()
    assert b"POST /v2/models/m/infer" in b"".join(bodies)


def test_a_rate_that_is_none_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", str(tmp_path), "--trace-rate=2"]) == 1
    assert "--trace-rate is from 0 to 1" in capsys.readouterr().err


def wait_for(holds: Any) -> None:
    done = threading.Event()
    for _ in range(500):
        if holds():
            return
        done.wait(0.01)
    raise AssertionError
