"""What the model server costs: CPU time of its process for each request, and requests a second.

A server is started with LeNet; clients in this process ask it over HTTP (bytes, JSON) and gRPC, one
at a time and eight at once. The CPU time of the model alone, run by a Predictor in this process, is
measured beside it and taken off: what is left is the overhead of sockets, protocol and batching.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import grpc
import numpy as np

import twinoar as paddle
from twinoar import inference
from twinoar.formats.inference_protocol import CLASSES, SERVICE

SHAPE = (1, 1, 28, 28)
CONCURRENCIES = (1, 8)
LENGTH = "Inference-Header-Content-Length"
Ask = Callable[[], None]


def saved(folder: Path) -> Path:
    """LeNet in a repository; the prefix of its files."""
    place = folder / "lenet" / "1"
    place.mkdir(parents=True)
    network = paddle.vision.models.LeNet()
    network.eval()
    spec = [paddle.static.InputSpec([None, *SHAPE[1:]], "float32", "x")]
    paddle.jit.save(network, str(place / "model"), input_spec=spec)
    return place / "model"


def started(folder: Path) -> tuple[subprocess.Popen[str], dict[str, int]]:
    """A server of a repository, and its ports."""
    ports = [f"--{what}-port=0" for what in ("http", "grpc", "metrics")]
    command = [sys.executable, "-m", "twinoar", "serve", str(folder), *ports]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    for line in server.stderr:
        if '"serving"' in line:
            return server, json.loads(line)["ports"]
    raise SystemExit("the server did not start")


def cpu_seconds(process: int) -> float:
    """The CPU time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def over_http(port: int, *, binary: bool) -> Ask:
    """A client with a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    x = np.random.default_rng(0).random(SHAPE, "float32")
    one: dict[str, object] = {"name": "x", "datatype": "FP32", "shape": list(SHAPE)}
    if binary:
        one["parameters"] = {"binary_data_size": x.nbytes}
    else:
        one["data"] = x.reshape(-1).tolist()
    told = {"inputs": [one], "parameters": {"binary_data_output": binary}}
    head = json.dumps(told).encode()
    body = head + x.tobytes() if binary else head
    headers = {LENGTH: str(len(head))} if binary else {}

    def ask() -> None:
        connection.request("POST", "/v2/models/lenet/infer", body, headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()

    return ask


def over_grpc(port: int) -> Ask:
    """A client with a channel of its own."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    channel = grpc.insecure_channel(f"127.0.0.1:{port}", options)
    call = channel.unary_unary(f"/{SERVICE}/ModelInfer")
    x = np.random.default_rng(0).random(SHAPE, "float32")
    one = {"name": "x", "datatype": "FP32", "shape": SHAPE}
    message = CLASSES["ModelInferRequest"](
        model_name="lenet", inputs=[one], raw_input_contents=[x.tobytes()]
    ).SerializeToString()

    def ask(_: object = channel) -> None:  # held, as calls of a channel that is gone are cancelled
        call(message)

    return ask


def measured(
    make: Callable[[], Ask], clients: int, server: int, seconds: float
) -> tuple[float, float]:
    """CPU milliseconds of the server for each request, and requests a second."""
    asks = [make() for _ in range(clients)]
    counts = [0] * clients
    for ask in asks:
        ask()
    end = time.monotonic() + seconds

    def client(number: int) -> None:
        while time.monotonic() < end:
            asks[number]()
            counts[number] += 1

    threads = [threading.Thread(target=client, args=(n,)) for n in range(clients)]
    before, start = cpu_seconds(server), time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took, spent = time.monotonic() - start, cpu_seconds(server) - before
    return spent / sum(counts) * 1000, sum(counts) / took


def model_alone(prefix: Path, repeats: int = 300) -> float:
    """CPU milliseconds of a run of one row."""
    config = inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams")
    config.set_cpu_math_library_num_threads(1)
    predictor = inference.create_predictor(config)
    x = np.random.default_rng(0).random(SHAPE, "float32")
    predictor.run([x])
    start = time.process_time()
    for _ in range(repeats):
        predictor.run([x])
    return (time.process_time() - start) / repeats * 1000


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row, three rounds")
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        prefix = saved(Path(folder))
        alone = model_alone(prefix)
        server, ports = started(Path(folder))
        makers: dict[str, Callable[[], Ask]] = {
            "HTTP, bytes": lambda: over_http(ports["http"], binary=True),
            "HTTP, JSON": lambda: over_http(ports["http"], binary=False),
            "gRPC": lambda: over_grpc(ports["grpc"]),
        }
        print(f"the model alone: {alone:.3f} CPU ms a run")
        print(f"{'protocol':<12} {'clients':>7} {'CPU ms':>8} {'overhead':>9} {'requests/s':>11}")
        try:
            rows = {(name, n): [] for name in makers for n in CONCURRENCIES}
            for _ in range(3):  # in turns, as the machine's other work comes and goes
                for name, clients in rows:
                    found = measured(makers[name], clients, server.pid, seconds)
                    rows[name, clients].append(found)
            for (name, clients), found in rows.items():
                cost, rate = min(c for c, _ in found), max(r for _, r in found)
                print(f"{name:<12} {clients:>7} {cost:>8.3f} {cost - alone:>9.3f} {rate:>11.0f}")
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


if __name__ == "__main__":
    main()
