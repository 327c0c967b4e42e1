"""Paddle Serving's names: convert, serve, ask, as its first example does, and its real client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.serving.live import Live
from tests.serving.models import scaling
from twinoar.errors import ArgumentError, FileError, ServingError
from twinoar.formats.paddle_serving import GeneralModelConfig
from twinoar.formats.protobuf import parse_text, plain
from twinoar.serving.paddle.client import Client, HttpClient, inference_model_to_serving
from twinoar.serving.paddle.client.convert import main as convert
from twinoar.serving.paddle.server.serve import made, parse_args

PYTHON = os.environ.get("PADDLE_SERVING_PYTHON", "")
PATH = "/GeneralModelService/inference"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paddle")
    scaling(folder, "m", 2.0)
    files = ["--model_filename", "model.pdmodel", "--params_filename", "model.pdiparams"]
    where = ["--serving_server", f"{folder}/server", "--serving_client", f"{folder}/client"]
    given = ["--dirname", f"{folder}/m/1", *files, *where, "--fetch_alias_names", "y"]
    assert convert(given) == 0
    return folder


@pytest.fixture(scope="module")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    options = parse_args(["--model", f"{folder}/server", "--port", "0", "--name", "uci",
                          "--host", "127.0.0.1", "--batch_infer_size", "8"])  # fmt: skip
    server = made(options, str(tmp_path_factory.mktemp("repository")))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert server.started.wait(30)
    yield Live(server, [])
    server.stop()
    thread.join(30)


@pytest.fixture
def client(folder: Path, served: Live) -> Client:
    client = Client()
    client.load_client_config(str(folder / "client"))
    client.connect([f"127.0.0.1:{served.server.bound['http']}"])
    return client


def test_a_converted_model_has_its_files_and_configs(folder: Path) -> None:
    names = {path.name for path in (folder / "server").iterdir()}
    configs = {"serving_server_conf.prototxt", "serving_server_conf.stream.prototxt"}
    assert {"model.pdmodel", "model.pdiparams"} | configs == names
    file = folder / "client" / "serving_client_conf.prototxt"
    config = parse_text(GeneralModelConfig, file.read_text(), "config")
    (feed,), (fetch,) = config.feed_var, config.fetch_var
    assert (feed.alias_name, feed.feed_type, list(feed.shape)) == ("x", 1, [4])
    assert (fetch.alias_name, fetch.fetch_type, list(fetch.shape)) == ("y", 1, [4])
    stream = (folder / "client" / "serving_client_conf.stream.prototxt").read_bytes()
    assert GeneralModelConfig.FromString(stream) == config


def test_show_proto_prints_and_writes_nothing(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"model_filename": "model.pdmodel", "params_filename": "model.pdiparams"}
    inference_model_to_serving(f"{folder}/m/1", **files, show_proto=True)
    assert 'alias_name: "x"' in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_client_feeds_and_fetches_by_name(client: Client) -> None:
    assert client.get_feed_names() == ["x"]
    x = np.arange(4, dtype="float32")
    found = client.predict(feed={"x": x}, fetch=["y"])
    np.testing.assert_array_equal(found["y"], [x * 2])
    several = np.ones((3, 4), "float32")
    found = client.predict(feed={"x": several}, fetch=["y"], batch=True)
    np.testing.assert_array_equal(found["y"], several * 2)
    found, tag = client.predict(feed=[{"x": [0, 1, 2, 3]}], need_variant_tag=True)
    assert (found["y"].tolist(), tag) == ([[0, 2, 4, 6]], "0")


@pytest.mark.parametrize("gzip", [False, True])
@pytest.mark.parametrize("protocol", ["proto", "json", "grpc"])
def test_a_client_of_http_gives_the_answer_as_it_comes(
    folder: Path, served: Live, protocol: str, gzip: bool
) -> None:
    client = HttpClient()
    client.load_client_config(str(folder / "client"))
    client.set_http_proto(protocol != "json")
    client.set_use_grpc_client(protocol == "grpc")
    client.set_request_compress(gzip)
    client.connect(
        [served.grpc if protocol == "grpc" else f"127.0.0.1:{served.server.bound['http']}"]
    )
    answer = client.predict(feed={"x": [1, 2, 3, 4]}, fetch=["y"])
    found = answer if protocol == "json" else plain(answer)
    assert found["outputs"][0]["tensor"][0]["float_data"] == [2, 4, 6, 8]
    with pytest.raises(ServingError, match=r"refused: .*has shape"):
        client.predict(feed={"x": [1, 2]}, fetch=["y"])


def test_what_is_wrong_is_told(client: Client) -> None:
    with pytest.raises(ArgumentError, match="no feed 'z'"):
        client.predict(feed={"z": np.zeros(4, "float32")}, fetch=["y"])
    with pytest.raises(ArgumentError, match="no fetch 'z'"):
        client.predict(feed={"x": np.zeros(4, "float32")}, fetch=["z"])
    with pytest.raises(ArgumentError, match="is float32, received float64"):
        client.predict(feed={"x": np.zeros(4)}, fetch=["y"])
    with pytest.raises(ServingError, match="has shape"):
        client.predict(feed={"x": np.zeros(5, "float32")}, fetch=["y"])
    client.connect("127.0.0.1:1")
    with pytest.raises(ServingError, match="does not answer"):
        client.predict(feed={"x": np.zeros(4, "float32")}, fetch=["y"])
    with pytest.raises(FileError, match="cannot read"):
        client.load_client_config("nowhere")


def test_the_service_answers_in_json_too(served: Live) -> None:
    tensor = {"name": "x", "alias_name": "x", "elem_type": 1, "shape": [1, 4]}
    told = {"tensor": [{**tensor, "float_data": [1, 2, 3, 4]}], "fetch_var_names": ["y"]}
    headers = {"Content-Type": "application/json"}
    answer = served.call("POST", PATH, told, headers).json["outputs"][0]
    assert answer["tensor"][0]["float_data"] == [2, 4, 6, 8]
    for wrong in ({"tensor": 3}, {"tensor": [{**tensor, "float_data": [1]}]},
                  {"tensor": [{**tensor, "elem_type": 99}]}, {"tensor": []}):  # fmt: skip
        assert served.call("POST", PATH, wrong, headers).status == 400
    assert served.call("POST", PATH, b"\xff\xff").status == 400


def test_a_web_service_takes_rows(served: Live) -> None:
    told = {"feed": [{"x": [1, 2, 3, 4]}, {"x": [0, 0, 0, 1]}], "fetch": ["y"]}
    found = served.call("POST", "/uci/prediction", told).json
    assert found == {"result": {"y": [[2, 4, 6, 8], [0, 0, 0, 2]]}}
    for wrong in ({}, {"feed": [{}]}, {"feed": [{"x": "a"}]}, {"feed": [{"x": [1]}]},
                  {**told, "fetch": ["z"]}):  # fmt: skip
        assert served.call("POST", "/uci/prediction", wrong).status == 400


def test_the_first_example_runs_as_it_is_written(
    folder: Path, served: Live, tmp_path: Path
) -> None:
    script = tmp_path / "client.py"
    script.write_text(f"""
from paddle_serving_client import Client
import numpy as np
client = Client()
client.load_client_config({str(folder / "client" / "serving_client_conf.prototxt")!r})
client.connect(["127.0.0.1:{served.server.bound["http"]}"])
fetch_map = client.predict(feed={{"x": np.ones((1, 4)).astype("float32")}}, fetch=["y"], batch=True)
print(fetch_map)
""")
    command = [sys.executable, "-m", "twinoar", "run"]
    found = subprocess.run([*command, str(script)], capture_output=True, text=True)
    assert found.stdout == "{'y': array([[2., 2., 2., 2.]], dtype=float32)}\n", found.stderr
    files = ["--model_filename", "model.pdmodel", "--params_filename", "model.pdiparams"]
    command += ["-m", "paddle_serving_client.convert", "--dirname", f"{folder}/m/1", *files]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "serving_client" / "serving_client_conf.prototxt").is_file()


@pytest.mark.parametrize(("arguments", "message"), [
    (["--dirname", "nowhere"], "there is no nowhere/__model__"),
    (["--dirname", "{}/m/1", "--model_filename", "model.pdmodel", "--params_filename", "z"], "no"),
])  # fmt: skip
def test_what_cannot_be_converted_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert convert([x.format(folder) for x in arguments]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.skipif(not PYTHON, reason="PADDLE_SERVING_PYTHON names no Python")
def test_the_real_client_talks_to_it(folder: Path, served: Live) -> None:
    script = Path(__file__).with_name("client_of_paddle.py")
    address = f"127.0.0.1:{served.server.bound['http']}"
    command = [PYTHON, str(script), str(folder / "client"), address, served.grpc]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.partition("RESULT")[2])
    refused = True  # 300 rows are more than the batch that was asked for
    expected = ["y", [1, 4], [0, 2, 4, 6], refused]
    assert found == {name: expected for name in ("proto", "json", "gzip", "grpc")}
