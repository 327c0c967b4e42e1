"""The model server held under load, and beside onnxruntime behind the same server.

`python benchmarks/serving_load.py hold --minutes 30` finds how many requests a second the server
takes, sends 80% of that at fixed times over HTTP (bytes and JSON) and gRPC, compares every answer
with what a Predictor of this process gives, and watches the server's memory. A request's time
counts from when it was to be sent, so one that had to wait for others before it counts in full. It
ends with code 1 where an answer was wrong or none came, or where memory grew.

`python benchmarks/serving_load.py compare` serves MobileNetV2 and a small transformer by twinoar
and by onnxruntime in a Python model of the same server, and asks them in turns. With `--triton
PYTHON` and `--bentoml PYTHON`, of environments that have them (see `serving_peer.py`), onnxruntime
behind these servers is asked too: Triton as ours is, BentoML for arrays in JSON, with batches, and
for bytes, without. Clients are threads of this process, which has the same cores.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import numpy as np

import twinoar as paddle
from twinoar import nn
from twinoar.formats.inference_protocol import CLASSES, SERVICE

LENGTH = "Inference-Header-Content-Length"
SHARE = 0.8  # of what the server takes
INPUTS = 8  # different ones, whose answers are known
CLOSE = 1e-3  # of the largest value: batches add in another order
GROWTH = 1.05  # of memory, after a tenth of the time, that is still flat
PATIENCE_SECONDS = 60
CONFIG = """max_batch_size: 8 dynamic_batching {}
input [{ name: "x" data_type: TYPE_FP32 dims: [%s] }]
output [{ name: "%s" data_type: TYPE_FP32 dims: [%s] }]
"""
RUNS_ONNX = """
import onnxruntime

class Model:
    def __init__(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        self.session = onnxruntime.InferenceSession(FILE, options, ["CPUExecutionProvider"])

    def run(self, inputs):
        return {"y": self.session.run(None, {self.session.get_inputs()[0].name: inputs["x"]})[0]}
"""
PEERS = ("triton", "bentoml")
SERVERS = ("twinoar", "onnxruntime", "triton", "bentoml", "bentoml bytes")
Ask = Callable[[int], np.ndarray]


class Transformer(nn.Layer):
    """A small encoder over vectors [N,32,64], and ten scores."""

    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(64, 4, 256, dropout=0.0)
        self.encoder = nn.TransformerEncoder(layer, 4)
        self.scores = nn.Linear(64, 10)

    def forward(self, x: Any) -> Any:
        return self.scores(self.encoder(x).mean(axis=1))


@dataclass(frozen=True, slots=True)
class Network:
    """A network that is served. shape: of one row."""

    name: str
    make: Callable[[], nn.Layer]
    shape: tuple[int, ...]


NETWORKS = {
    network.name: network
    for network in (
        Network("lenet", paddle.vision.models.LeNet, (1, 28, 28)),
        Network("mobilenet", paddle.vision.models.mobilenet_v2, (3, 224, 224)),
        Network("transformer", Transformer, (32, 64)),
    )
}


@dataclass
class Case:
    """A network with inputs, and the answers to them."""

    network: Network
    layer: nn.Layer
    inputs: list[np.ndarray] = field(default_factory=list)
    answers: list[np.ndarray] = field(default_factory=list)

    @classmethod
    def of(cls, name: str) -> Case:
        """A network by its name, with random weights."""
        paddle.seed(0)
        case = cls(NETWORKS[name], NETWORKS[name].make())
        case.layer.eval()
        generator = np.random.default_rng(0)
        for _ in range(INPUTS):
            x = generator.standard_normal((1, *case.network.shape), "float32")
            case.inputs.append(x)
            with paddle.no_grad():
                case.answers.append(case.layer(paddle.to_tensor(x)).numpy())
        return case

    def check(self, number: int, found: np.ndarray) -> None:
        """Raise AssertionError for a wrong answer to an input."""
        wanted = self.answers[number]
        assert found.shape == wanted.shape, found.shape
        worst = np.abs(found - wanted).max() / np.abs(wanted).max()
        assert worst <= CLOSE, f"off by {worst:.2g}"

    def save(self, folder: Path) -> None:
        """Put it into a repository, to be run by twinoar."""
        place = folder / self.network.name / "1"
        place.mkdir(parents=True)
        spec = [paddle.static.InputSpec([None, *self.network.shape], "float32", "x")]
        paddle.jit.save(self.layer, str(place / "model"), input_spec=spec)

    def save_for_onnxruntime(self, folder: Path, threads: int) -> None:
        """Put it into a repository, to be run by onnxruntime in a Python model."""
        place = folder / f"{self.network.name}_onnxruntime" / "1"
        place.mkdir(parents=True)
        spec = [paddle.static.InputSpec([None, *self.network.shape], "float32", "x")]
        paddle.onnx.export(self.layer, str(place / "weights"), spec, opset_version=17)
        code = RUNS_ONNX.replace("THREADS", str(threads))
        code = code.replace("FILE", repr(str(place / "weights.onnx")))
        (place / "model.py").write_text(code)
        dims = ", ".join(map(str, self.network.shape))
        outputs = ", ".join(map(str, self.answers[0].shape[1:]))
        (place.parent / "config.pbtxt").write_text(CONFIG % (dims, "y", outputs))


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple[int, dict[str, int]]]:
    """A server of a repository in a process of its own: its number, and its ports."""
    ports = [f"--{what}-port=0" for what in ("http", "grpc", "metrics")]
    command = [sys.executable, "-m", "twinoar", "serve", str(folder), *ports, *options]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        for line in server.stderr:
            if '"serving"' in line:
                break
            print(line, end="", file=sys.stderr)
        else:
            raise SystemExit("the server did not start")
        # What it writes must not fill the pipe.
        lines = server.stderr
        threading.Thread(target=lambda: sys.stderr.writelines(lines), daemon=True).start()
        yield server.pid, json.loads(line)["ports"]
        server.send_signal(signal.SIGTERM)
        if server.wait(PATIENCE_SECONDS):
            raise SystemExit(f"the server ended with code {server.returncode}")
    finally:
        if server.poll() is None:
            server.kill()
            server.wait()


def over_http(case: Case, name: str, port: int, *, binary: bool) -> Ask:
    """A client with a connection of its own. It gives the answer to an input."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    bodies, lengths = [], []
    for x in case.inputs:
        one: dict[str, Any] = {"name": "x", "datatype": "FP32", "shape": list(x.shape)}
        if binary:
            one["parameters"] = {"binary_data_size": x.nbytes}
        else:
            one["data"] = x.reshape(-1).tolist()
        told = {"inputs": [one], "parameters": {"binary_data_output": binary}}
        head = json.dumps(told).encode()
        lengths.append(len(head))
        bodies.append(head + x.tobytes() if binary else head)

    def ask(number: int) -> np.ndarray:
        headers = {LENGTH: str(lengths[number])} if binary else {}
        connection.request("POST", f"/v2/models/{name}/infer", bodies[number], headers)
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (answer.status, body[:200])
        length = answer.getheader(LENGTH)
        told = json.loads(body[: int(length)] if length else body)["outputs"][0]
        if length:
            return np.frombuffer(body[int(length) :], "float32").reshape(told["shape"])
        return np.array(told["data"], "float32").reshape(told["shape"])

    return ask


def over_grpc(case: Case, name: str, port: int) -> Ask:
    """A client with a channel of its own."""
    options = [
        ("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1),
    ]  # fmt: skip
    channel = grpc.insecure_channel(f"127.0.0.1:{port}", options)
    call = channel.unary_unary(f"/{SERVICE}/ModelInfer")
    messages = [
        CLASSES["ModelInferRequest"](
            model_name=name,
            inputs=[{"name": "x", "datatype": "FP32", "shape": x.shape}],
            raw_input_contents=[x.tobytes()],
        ).SerializeToString()
        for x in case.inputs
    ]

    def ask(number: int) -> np.ndarray:
        answer = CLASSES["ModelInferResponse"].FromString(
            call(messages[number], timeout=PATIENCE_SECONDS)
        )
        shape = tuple(answer.outputs[0].shape)
        return np.frombuffer(answer.raw_output_contents[0], "float32").reshape(shape)

    return ask


def throughput(case: Case, asks: Sequence[Ask], seconds: float) -> float:
    """Requests a second of clients that ask again as soon as they are answered."""
    counts = [0] * len(asks)
    for ask in asks:
        case.check(0, ask(0))
    start = time.monotonic()
    end = start + seconds

    def client(number: int) -> None:
        while time.monotonic() < end:
            asked = (number + counts[number]) % INPUTS
            case.check(asked, asks[number](asked))
            counts[number] += 1

    run_all([lambda n=n: client(n) for n in range(len(asks))])  # type: ignore[misc]
    return sum(counts) / (time.monotonic() - start)


def run_all(works: Sequence[Callable[[], None]]) -> None:
    """Each on a thread of its own; the first error of any is raised when all have ended."""
    errors: list[BaseException] = []

    def watched(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=watched, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@dataclass
class Held:
    """What a client has seen. seconds: of each answer, since it was to be sent."""

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def hold(case: Case, ask: Ask, held: Held, first: float, interval: float, end: float) -> None:
    """Send requests at fixed times, each once the one before is answered."""
    generator = random.Random(first)
    due = first
    while due < end:
        time.sleep(max(due - time.monotonic(), 0))
        number = generator.randrange(INPUTS)
        try:
            case.check(number, ask(number))
        except Exception as error:
            held.wrong.append(f"{type(error).__name__}: {error}")
        held.seconds.append(time.monotonic() - due)
        due += interval


def resident_megabytes(process: int) -> float:
    """The memory of a process."""
    fields = Path(f"/proc/{process}/status").read_text().split("VmRSS:")[1].split()
    return int(fields[0]) / 1024


def clients(case: Case, ports: dict[str, int], count: int) -> list[Ask]:
    """So many clients of the three protocols in turn."""
    name = case.network.name
    makers: list[Callable[[], Ask]] = [
        lambda: over_http(case, name, ports["http"], binary=True),
        lambda: over_http(case, name, ports["http"], binary=False),
        lambda: over_grpc(case, name, ports["grpc"]),
    ]
    return [makers[number % len(makers)]() for number in range(count)]


def command_hold(told: argparse.Namespace) -> int:
    """Hold the load; 1 where something was wrong."""
    case = Case.of(told.network)
    with tempfile.TemporaryDirectory() as folder:
        case.save(Path(folder))
        with serving(Path(folder), f"--threads={told.threads}") as (process, ports):
            asks = clients(case, ports, told.clients)
            most = max(throughput(case, asks, told.seconds) for _ in range(2))
            rate = most * told.share
            print(f"{most:.0f} requests/s at most; {rate:.0f} for {told.minutes:g} minutes")
            held, curve = _held(case, asks, rate, told.minutes * 60, process)
    return _report(held, curve, told.record)


def _held(
    case: Case, asks: list[Ask], rate: float, seconds: float, process: int
) -> tuple[list[Held], list[tuple[float, float]]]:
    """What the clients have seen, and the server's memory over time."""
    held = [Held() for _ in asks]
    start = time.monotonic() + 0.5
    end, interval = start + seconds, len(asks) / rate
    curve: list[tuple[float, float]] = []

    def watch() -> None:
        while time.monotonic() < end:
            curve.append((time.monotonic() - start, resident_megabytes(process)))
            time.sleep(min(max(seconds / 120, 0.2), 15))

    def client(number: int) -> None:
        hold(case, asks[number], held[number], start + number / rate, interval, end)

    works = [lambda n=n: client(n) for n in range(len(asks))]  # type: ignore[misc]
    run_all([*works, watch])
    return held, curve


def _report(held: list[Held], curve: list[tuple[float, float]], record: str | None) -> int:
    seconds = np.array([second for one in held for second in one.seconds])
    wrong = [message for one in held for message in one.wrong]
    p50, p99, p999 = np.percentile(seconds, [50, 99, 99.9]) * 1000
    settled = [megabytes for at, megabytes in curve if at >= 0.1 * curve[-1][0]]
    grown = float(np.mean(settled[-5:]) / np.mean(settled[:5]))
    print(f"{len(seconds)} requests, {len(wrong)} wrong or lost")
    print(f"ms until the answer: p50 {p50:.2f}, p99 {p99:.2f}, p99.9 {p999:.2f}")
    print(f"MB of the server: {settled[0]:.0f} to {settled[-1]:.0f}, at most {max(settled):.0f}")
    for message in wrong[:5]:
        print(f"  {message}")
    if record:
        told = {"requests": len(seconds), "wrong": wrong, "memory": curve}
        told |= {"p50_ms": p50, "p99_ms": p99, "p99.9_ms": p999}
        Path(record).write_text(json.dumps(told))
    if grown > GROWTH:
        print(f"memory has grown to {grown:.2f} times")
    return 1 if wrong or grown > GROWTH else 0


def command_compare(told: argparse.Namespace) -> int:
    """Print a table: requests a second of twinoar and of onnxruntime behind several servers."""
    cases = [Case.of(name) for name in told.networks.split(",")]
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for case in cases:
            case.save(folder)
            case.save_for_onnxruntime(folder, told.threads)
        options = [f"--threads={told.threads}", "--allow-python"]
        _, ports = stack.enter_context(serving(folder, *options))
        at = {kind: ports["http"] for kind in ("twinoar", "onnxruntime")}
        for kind in PEERS:
            python = getattr(told, kind)
            if python:
                at[kind] = stack.enter_context(peer(kind, python, cases, told.threads))
        servers = [kind for kind in SERVERS if kind.split()[0] in at]
        print(f"{'network':<14}{'clients':>8}", *(f"{kind:>14}" for kind in servers))
        for case in cases:
            for count in (1, told.clients):
                _compare(case, {kind: at[kind.split()[0]] for kind in servers}, count, told)
    return 0


@contextlib.contextmanager
def peer(kind: str, python: str, cases: Sequence[Case], threads: int) -> Iterator[int]:
    """Another server of the same networks, in a process of its own: its port."""
    with tempfile.TemporaryDirectory() as folder, Path(folder, "log").open("w") as log:
        for case in cases:
            spec = [paddle.static.InputSpec([None, *case.network.shape], "float32", "x")]
            place = f"{folder}/{case.network.name}"
            paddle.onnx.export(case.layer, place, spec, opset_version=17)
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            port = held.getsockname()[1]
        script = str(Path(__file__).with_name("serving_peer.py"))
        command = [python, script, kind, folder, str(port), str(threads)]
        server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            end = time.monotonic() + PATIENCE_SECONDS
            while not _is_ready(port, kind, cases):
                if server.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"{kind} did not start:\n{Path(folder, 'log').read_text()}")
                time.sleep(0.2)
            yield port
        finally:
            server.terminate()
            server.wait()


def _is_ready(port: int, kind: str, cases: Sequence[Case]) -> bool:
    """Whether a server answers, and has all models."""
    paths = ["/readyz"]
    if kind == "triton":
        paths = [f"/v2/models/{case.network.name}/ready" for case in cases]
    with contextlib.suppress(OSError):
        for path in paths:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5):
                pass
        return True
    return False


def to_bentoml(case: Case, port: int, *, binary: bool) -> Ask:
    """A client of BentoML with a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    path, kind = f"/{case.network.name}", "application/json"
    if binary:
        path, kind = f"{path}_bytes", "application/octet-stream"
    bodies = [
        x.tobytes() if binary else json.dumps({"x": x.tolist()}).encode() for x in case.inputs
    ]

    def ask(number: int) -> np.ndarray:
        told = "POST", path, bodies[number], {"Content-Type": kind}
        try:
            connection.request(*told)
            answer = connection.getresponse()
        except ConnectionError:  # it closes connections that nobody has used for a while
            connection.close()
            connection.request(*told)
            answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (answer.status, body[:200])
        if binary:
            return np.frombuffer(body, "float32").reshape(1, -1)
        return np.array(json.loads(body), "float32")

    return ask


def _asking(case: Case, kind: str, port: int) -> Ask:
    """A client of a server."""
    if kind.startswith("bentoml"):
        return to_bentoml(case, port, binary=kind.endswith("bytes"))
    name = case.network.name + ("_onnxruntime" if kind == "onnxruntime" else "")
    return over_http(case, name, port, binary=True)


def _compare(case: Case, ports: dict[str, int], count: int, told: argparse.Namespace) -> None:
    asks = {kind: [_asking(case, kind, port) for _ in range(count)] for kind, port in ports.items()}
    rates: dict[str, list[float]] = {kind: [] for kind in ports}
    for _ in range(told.rounds):  # in turns, as the machine's other work comes and goes
        for kind in ports:
            rates[kind].append(throughput(case, asks[kind], told.seconds))
    best = {kind: max(found) for kind, found in rates.items()}
    shown = [f"{best['twinoar']:.1f}"]
    shown += [f"{best[k]:.1f} ({best['twinoar'] / best[k]:.2f})" for k in ports if k != "twinoar"]
    print(f"{case.network.name:<14}{count:>8}", *(f"{text:>14}" for text in shown), flush=True)


def main() -> int:
    """Run a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    holding = commands.add_parser("hold")
    holding.add_argument("--minutes", type=float, default=30.0)
    holding.add_argument("--network", choices=NETWORKS, default="lenet")
    holding.add_argument("--clients", type=int, default=12)
    holding.add_argument("--share", type=float, default=SHARE)
    holding.add_argument("--record", help="a file for the figures, in JSON")
    comparing = commands.add_parser("compare")
    comparing.add_argument("--networks", default="mobilenet,transformer")
    comparing.add_argument("--clients", type=int, default=8)
    for kind in PEERS:
        comparing.add_argument(f"--{kind}", metavar="PYTHON", help=f"of an environment with {kind}")
    comparing.add_argument("--rounds", type=int, default=3)
    for one in (holding, comparing):
        one.add_argument("--threads", type=int, default=1, help="of each run of a model")
        one.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    told = parser.parse_args()
    return command_hold(told) if told.command == "hold" else command_compare(told)


if __name__ == "__main__":
    sys.exit(main())
