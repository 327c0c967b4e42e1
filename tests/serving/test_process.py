"""`twinoar serve` as a process: options, logs, TLS, SIGTERM under load, watched folders."""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest

from tests.serving.live import wait_until
from tests.serving.models import scaling
from twinoar import cli
from twinoar.formats.inference_protocol import CLASSES, SERVICE

PATIENCE_SECONDS = 60
FREE = ["--http-port=0", "--grpc-port=0", "--metrics-port=0"]
BODY = json.dumps(
    {"inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1, 1, 1, 1]}]}
).encode()


class Process:
    """A server that is started; `log` has its lines so far."""

    def __init__(self, *arguments: str):
        command = [sys.executable, "-m", "twinoar", "serve", *FREE, *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.log: list[dict[str, Any]] = []
        self.ports: dict[str, int] = {}
        self._serving = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            told = json.loads(line) if line.startswith("{") else {"message": line.strip()}
            self.log.append(told)
            if told["message"] == "serving":
                self.ports = told["ports"]
                self._serving.set()

    def wait(self) -> Process:
        assert self._serving.wait(PATIENCE_SECONDS), self.log
        return self

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        return code

    def infer(self, model: str, context: ssl.SSLContext | None = None) -> float:
        scheme = "http" if context is None else "https"
        url = f"{scheme}://localhost:{self.ports['http']}/v2/models/{model}/infer"
        with urllib.request.urlopen(url, BODY, PATIENCE_SECONDS, context=context) as answer:
            return json.load(answer)["outputs"][0]["data"][0]


@contextmanager
def serving(*arguments: str) -> Iterator[Process]:
    process = Process(*arguments)
    try:
        yield process.wait()
    finally:
        if process.process.poll() is None:
            process.process.kill()
            process.process.wait()


def test_sigterm_under_load_loses_no_request_that_was_taken(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0, config="max_batch_size: 8 dynamic_batching {}")
    wrong: list[Any] = []
    answered = [0]
    with serving(str(tmp_path), "--log-requests") as server:

        def client() -> None:
            while True:
                try:
                    if server.infer("m") != 2.0:
                        wrong.append("answer")
                    answered[0] += 1
                except urllib.error.HTTPError as error:
                    wrong.append(error.code)
                except urllib.error.URLError as error:
                    if not isinstance(error.reason, (ConnectionRefusedError, ConnectionResetError)):
                        wrong.append(error)
                    return  # the port is closed: nothing was taken
                except ConnectionError:
                    return

        threads = [threading.Thread(target=client) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        assert server.end() == 0
        for thread in threads:
            thread.join(PATIENCE_SECONDS)
    assert wrong == []
    taken = [line for line in server.log if line["message"] == "POST /v2/models/m/infer"]
    assert {line["status"] for line in taken} == {200}
    assert len(taken) == answered[0] > 0
    assert server.log[-1]["message"] == "stopped"
    assert server.log[-1]["finished"] is True


def test_sigterm_under_load_loses_no_call_of_grpc_that_was_taken(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0, config="max_batch_size: 8 dynamic_batching {}")
    message = CLASSES["ModelInferRequest"](
        model_name="m",
        inputs=[{"name": "x", "datatype": "FP32", "shape": [1, 4]}],
        raw_input_contents=[np.ones(4, "float32").tobytes()],
    ).SerializeToString()
    wanted = np.full(4, 2, "float32").tobytes()
    wrong: list[Any] = []
    answered = [0] * 8
    with serving(str(tmp_path), "--log-requests") as server:

        def client(number: int) -> None:
            options = [("grpc.use_local_subchannel_pool", 1)]
            with grpc.insecure_channel(f"localhost:{server.ports['grpc']}", options) as channel:
                call = channel.unary_unary(f"/{SERVICE}/ModelInfer")
                while True:
                    try:
                        answer = CLASSES["ModelInferResponse"].FromString(call(message, timeout=60))
                    except grpc.RpcError as error:
                        # The port is closed, or was in the moment in which the call came.
                        if error.code().name not in ("UNAVAILABLE", "CANCELLED"):
                            wrong.append(error)
                        return
                    if list(answer.raw_output_contents) != [wanted]:
                        wrong.append(answer)
                    answered[number] += 1

        threads = [threading.Thread(target=client, args=(n,)) for n in range(len(answered))]
        for thread in threads:
            thread.start()
        wait_until(lambda: sum(answered) > 100)
        assert server.end() == 0
        for thread in threads:
            thread.join(PATIENCE_SECONDS)
    assert wrong == []
    taken = [line["status"] for line in server.log if line["message"] == "ModelInfer"]
    assert set(taken) == {"OK"}
    assert len(taken) == sum(answered)


def test_a_model_that_cannot_be_loaded_keeps_the_server_from_starting(tmp_path: Path) -> None:
    (scaling(tmp_path, "bad", 1.0) / "1" / "model.pdmodel").write_bytes(b"garbage")
    process = Process(str(tmp_path))
    assert process.process.wait(PATIENCE_SECONDS) == 1
    process._reader.join()
    assert any("bad cannot be loaded" in line["message"] for line in process.log)
    with serving(str(tmp_path), "--exit-on-error=false") as server:
        url = f"http://localhost:{server.ports['http']}/v2/health/"
        assert urllib.request.urlopen(f"{url}live").status == 200
        with pytest.raises(urllib.error.HTTPError, match="503"):
            urllib.request.urlopen(f"{url}ready")


def test_folders_are_watched_where_that_is_asked_for(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0)
    options = ["--model-control-mode=poll", "--repository-poll-secs=0.2"]
    with serving(str(tmp_path), *options) as server:
        assert server.infer("m") == 2
        scaling(tmp_path, "m", 3.0, version=2)
        scaling(tmp_path, "n", 5.0)
        wait_until(lambda: server.infer("m") == 3)
        wait_until(lambda: status_is(200, lambda: server.infer("n")))
        shutil.rmtree(tmp_path / "n")
        wait_until(lambda: status_is(404, lambda: server.infer("n")))
        (tmp_path / "m" / "3").mkdir()
        (tmp_path / "m" / "3" / "model.pdmodel").write_bytes(b"garbage")
        wait_until(lambda: any("cannot be loaded" in line["message"] for line in server.log))
        assert server.infer("m") == 3


def status_is(code: int, call: Any) -> bool:
    try:
        call()
    except urllib.error.HTTPError as error:
        return error.code == code
    return code == 200


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_tls_over_http_and_grpc(tmp_path: Path) -> None:
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
               "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key),
               "-out", str(certificate)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    folder = tmp_path / "models"
    scaling(folder, "m", 2.0)
    options = [f"--tls-certificate={certificate}", f"--tls-key={key}"]
    with serving(str(folder), *options) as server:
        context = ssl.create_default_context(cafile=str(certificate))
        assert server.infer("m", context) == 2
        with pytest.raises((OSError, urllib.error.URLError)):
            server.infer("m")
        credentials = grpc.ssl_channel_credentials(certificate.read_bytes())
        channel = grpc.secure_channel(f"localhost:{server.ports['grpc']}", credentials)
        live = channel.unary_unary("/inference.GRPCInferenceService/ServerLive")
        assert live(b"", timeout=20) == b"\x08\x01"
        assert server.end() == 0


@pytest.mark.parametrize(("arguments", "message"), [
    ([], "no folder of models is named"), (["nowhere"], "there is no folder nowhere"),
    (["{}", "--tls-key=k"], "both --tls-certificate and --tls-key"),
    (["{}", "--api-key-file=nowhere"], "cannot read nowhere"),
    (["{}", "--model-control-mode=explicit", "--load-model=z"], "no model 'z'"),
    (["{}", "--tls-key=k", "--tls-certificate=c"], "cannot read"),
])  # fmt: skip
def test_wrong_options_are_told_with_a_cure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    given = [x.format(tmp_path) for x in arguments]
    assert cli.main(["serve", *FREE, *given]) == 1
    assert message in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(str(tmp_path)) as server:
        taken = f"--http-port={server.ports['http']}"
        assert cli.main(["serve", str(tmp_path), *FREE, taken]) == 1
    assert "cannot listen on 127.0.0.1:" in capsys.readouterr().err


def test_a_server_that_is_killed_leaves_the_repository_as_it_was(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0)
    before = sorted(os.walk(tmp_path))
    with serving(str(tmp_path)) as server:
        server.process.kill()
        server.process.wait()
    assert sorted(os.walk(tmp_path)) == before
    with serving(str(tmp_path)) as server:
        assert server.infer("m") == 2
