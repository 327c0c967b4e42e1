"""What may happen to a server's process: kill -9, garbage, slow clients, thousands of them."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from multiprocessing import shared_memory
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.serving.live import wait_until
from tests.serving.models import saved, scaling
from tests.serving.test_process import BODY, PATIENCE_SECONDS, Process, serving
from twinoar import cli, nn

FREE = ["--http-port=0", "--grpc-port=0", "--metrics-port=0"]


def processes(server: Process) -> list[int]:
    """Those that run, as the last line of the log that names them says."""
    return [line["processes"] for line in server.log if line["message"] == "supervising"][-1]


def serving_all(server: Process, count: int) -> bool:
    return sum(line["message"] == "serving" for line in server.log) >= count


def ended(*arguments: str) -> Process:
    """A server that ends by itself; it is ended where it does not."""
    process = Process(*arguments)
    try:
        process.process.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.end()
        raise
    process._reader.join(PATIENCE_SECONDS)
    return process


class Clients:
    """Clients that ask over and over, each time on a new connection. lost: how often none came."""

    def __init__(self, ask: Callable[[], float], count: int, wanted: tuple[float, ...] = (2.0,)):
        self.wrong: list[Any] = []
        self.answered = self.lost = 0
        self._ends = False
        self._threads = [
            threading.Thread(target=self._work, args=(ask, wanted)) for _ in range(count)
        ]

    def _work(self, ask: Callable[[], float], wanted: tuple[float, ...]) -> None:
        while not self._ends:
            try:
                found = ask()
                if found not in wanted:
                    self.wrong.append(found)
                self.answered += 1
            except urllib.error.HTTPError as error:
                self.wrong.append(f"{error.code} {error.read()!r}")
            except (OSError, http.client.HTTPException):
                self.lost += 1

    def __enter__(self) -> Clients:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends = True
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS)


def lives(process: int) -> bool:
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return False


def test_a_process_that_is_killed_is_begun_again_and_no_answer_is_wrong(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0)
    with serving(str(tmp_path), "--processes=2") as server:
        wait_until(lambda: serving_all(server, 2))
        first = processes(server)
        with Clients(lambda: server.infer("m"), 4) as clients:
            wait_until(lambda: clients.answered > 20)
            os.kill(first[0], signal.SIGKILL)
            before = clients.answered
            wait_until(lambda: clients.answered > before + 20)  # the other goes on
            wait_until(lambda: serving_all(server, 3))
            before = clients.answered
            wait_until(lambda: clients.answered > before + 20)
        assert clients.wrong == []
        assert clients.lost <= 40  # those that it had, and its queue of connections
        assert len(set(processes(server)) - set(first)) == 1
        assert any("ended with code -9" in line["message"] for line in server.log)
        assert server.end() == 0
    assert not any(map(lives, processes(server)))


def test_processes_end_with_the_one_that_began_them(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0)
    with serving(str(tmp_path), "--processes=2") as server:
        wait_until(lambda: serving_all(server, 2))
        running = processes(server)
        server.process.kill()
        wait_until(lambda: not any(map(lives, running)))


def test_processes_that_cannot_start_are_given_up(tmp_path: Path) -> None:
    (scaling(tmp_path, "bad", 1.0) / "1" / "model.pdmodel").write_bytes(b"garbage")
    process = ended(str(tmp_path), "--processes=2")
    assert process.process.returncode == 1
    assert any("bad cannot be loaded" in line["message"] for line in process.log)


def test_sequences_are_not_spread_over_processes(tmp_path: Path) -> None:
    class Both(nn.Layer):
        def forward(self, x: Any) -> Any:
            return x * 2

    saved(tmp_path, "s", Both())
    (tmp_path / "s" / "config.pbtxt").write_text(
        "max_batch_size: 4 sequence_batching { max_sequence_idle_microseconds: 1000 }"
    )
    process = ended(str(tmp_path), "--processes=2")
    assert process.process.returncode == 1
    assert any("s keeps sequences" in line["message"] for line in process.log)


def test_processes_are_at_least_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", str(tmp_path), *FREE, "--processes=0"]) == 1
    assert "--processes is at least 1" in capsys.readouterr().err


def post(server: Process, path: str, told: Any) -> Any:
    """The answer to JSON, on a new connection, which any of the processes may take."""
    url = f"http://127.0.0.1:{server.ports['http']}{path}"
    with urllib.request.urlopen(url, json.dumps(told).encode(), PATIENCE_SECONDS) as answer:
        return json.load(answer)


def answers_of_all(server: Process) -> set[Any]:
    """What 40 connections hear, of which each process has some."""
    found: set[Any] = set()
    for _ in range(40):
        try:
            found.add(server.infer("m"))
        except urllib.error.HTTPError as error:
            found.add(error.code)
    return found


def test_what_a_client_loads_is_loaded_in_all_processes_once_it_is_told_so(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0)
    with serving(str(tmp_path), "--processes=2", "--model-control-mode=explicit") as server:
        wait_until(lambda: serving_all(server, 2))
        assert answers_of_all(server) == {404}
        post(server, "/v2/repository/models/m/load", {})
        assert answers_of_all(server) == {2.0}
        scaling(tmp_path, "m", 3.0, version=2)
        first = processes(server)
        os.kill(first[0], signal.SIGKILL)
        wait_until(lambda: serving_all(server, 3))
        assert answers_of_all(server) == {2.0}  # nobody has asked for the new version
        post(server, "/v2/repository/models/m/load", {})
        assert answers_of_all(server) == {3.0}
        (scaling(tmp_path, "m", 4.0, version=3) / "3" / "model.pdmodel").write_bytes(b"garbage")
        with pytest.raises(urllib.error.HTTPError, match="400"):
            post(server, "/v2/repository/models/m/load", {})
        assert answers_of_all(server) == {3.0}
        post(server, "/v2/repository/models/m/unload", {})
        assert answers_of_all(server) == {404}
        assert server.end() == 0


def test_memory_that_a_client_registers_is_known_to_all_processes(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0)
    segment = shared_memory.SharedMemory(create=True, size=16)
    given = {"shared_memory_region": "r", "shared_memory_byte_size": 16}
    x = {"name": "x", "datatype": "FP32", "shape": [1, 4], "parameters": given}
    try:
        segment.buf[:] = np.full(4, 1.5, "float32").tobytes()
        with serving(str(tmp_path), "--processes=2") as server:
            wait_until(lambda: serving_all(server, 2))
            told = {"key": segment.name, "offset": 0, "byte_size": 16}
            post(server, "/v2/systemsharedmemory/region/r/register", told)
            for begun in (2, 3):
                for _ in range(20):
                    answer = post(server, "/v2/models/m/infer", {"inputs": [x]})
                    assert answer["outputs"][0]["data"] == [3.0] * 4
                if begun == 2:
                    os.kill(processes(server)[0], signal.SIGKILL)
                    wait_until(lambda: serving_all(server, 3))
            assert server.end() == 0
    finally:
        segment.close()
        segment.unlink()


def test_a_file_that_becomes_garbage_under_load_changes_no_answer(tmp_path: Path) -> None:
    file = scaling(tmp_path, "m", 2.0) / "1" / "model.pdmodel"
    good = file.read_bytes()
    options = ["--model-control-mode=poll", "--repository-poll-secs=0.1"]
    with serving(str(tmp_path), *options) as server:
        with Clients(lambda: server.infer("m"), 4, (2.0, 3.0)) as clients:
            for garbage in (b"garbage", b"", good[: len(good) // 2]):
                failed = len(failures(server))
                file.write_bytes(garbage)
                wait_until(lambda failed=failed: len(failures(server)) > failed)
            scaling(tmp_path, "m", 3.0)
            wait_until(lambda: server.infer("m") == 3.0)
        assert clients.wrong == []
        assert clients.lost == 0
        assert clients.answered > 20


def failures(server: Process) -> list[Any]:
    return [line for line in server.log if "cannot be loaded" in line["message"]]


def test_slow_clients_hold_nobody_up(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0)
    head = f"POST /v2/models/m/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {len(BODY)}\r\n\r\n"
    with serving(str(tmp_path), "--read-timeout=2") as server:
        slow = [socket.create_connection(("127.0.0.1", server.ports["http"])) for _ in range(100)]
        ends = threading.Event()

        def trickle() -> None:
            sent = head.encode() + BODY
            for at in range(len(sent)):
                for one in slow:
                    with contextlib.suppress(OSError):
                        one.send(sent[at : at + 1])
                if ends.wait(0.05):
                    return

        thread = threading.Thread(target=trickle)
        thread.start()
        try:
            start, slowest = time.monotonic(), 0.0
            while time.monotonic() - start < 4:
                begun = time.monotonic()
                assert server.infer("m") == 2
                slowest = max(slowest, time.monotonic() - begun)
            assert slowest < 2
            wait_until(lambda: all(map(is_closed, slow)))
        finally:
            ends.set()
            thread.join()
            for one in slow:
                one.close()


def is_closed(connection: socket.socket) -> bool:
    """Whether the other end is gone; what it said before is read."""
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


@pytest.fixture
def many_files() -> Iterator[int]:
    """As many open files as the system lets this process have, and those that it begins."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_thousands_of_connections_are_served_and_too_many_refused(
    tmp_path: Path, many_files: int
) -> None:
    scaling(tmp_path, "m", 2.0)
    count = min(4000, many_files // 2)
    with serving(str(tmp_path), f"--max-connections={count + 50}") as server:
        address = ("127.0.0.1", server.ports["http"])
        with contextlib.ExitStack() as stack:
            open_ones = []
            for _ in range(count):
                one = http.client.HTTPConnection(*address, timeout=PATIENCE_SECONDS)
                one.connect()
                stack.callback(one.close)
                open_ones.append(one)
            for one in open_ones[:: max(count // 200, 1)]:
                one.request("POST", "/v2/models/m/infer", BODY)
                assert json.load(one.getresponse())["outputs"][0]["data"] == [2, 2, 2, 2]
            more = [socket.create_connection(address) for _ in range(100)]
            for one in more:
                stack.callback(one.close)
            with pytest.raises(urllib.error.HTTPError, match="503"):
                server.infer("m")
        wait_until(lambda: answers(server))
        assert server.end() == 0


def test_thousands_of_slow_clients_hold_nobody_up(tmp_path: Path, many_files: int) -> None:
    """Each has begun to send a body, and sends a byte now and then."""
    scaling(tmp_path, "m", 2.0)
    count = min(4000, many_files // 2)
    head = b"POST /v2/models/m/infer HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n{"
    options = [f"--max-connections={count + 50}", f"--read-timeout={PATIENCE_SECONDS}"]
    with serving(str(tmp_path), *options) as server, contextlib.ExitStack() as stack:
        address = ("127.0.0.1", server.ports["http"])
        for _ in range(count):
            slow = stack.enter_context(socket.create_connection(address, PATIENCE_SECONDS))
            slow.sendall(head)
            if slow.fileno() % 40 == 0:
                assert server.infer("m") == 2
        start = time.monotonic()
        assert [server.infer("m") for _ in range(20)] == [2] * 20
        assert time.monotonic() - start < PATIENCE_SECONDS / 2
        assert server.end() == 0  # what they have begun was never taken


def answers(server: Process) -> bool:
    with contextlib.suppress(OSError):
        return server.infer("m") == 2
    return False
