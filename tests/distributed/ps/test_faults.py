"""Servers and workers that end, do not fit, or never come: told in time, and gone over."""

import os
import random
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.distributed.ps.jobs import QUICK, ROWS, free_endpoint, job, network, tables
from twinoar.distributed.ps import server as server_module
from twinoar.distributed.ps.communicator import Communicator
from twinoar.distributed.ps.members import Members
from twinoar.distributed.ps.messages import KEY, packed, zmq
from twinoar.distributed.ps.server import Server
from twinoar.errors import ArgumentError, DistributedError
from twinoar.optimizer import SGD, Adam

GRADIENT = np.ones((2, 4), np.float32)
WEIGHT = np.ones((4, 1), np.float32)
SHORT = replace(QUICK, timeout_seconds=1.0)


def step(there: Communicator, rate: float = 0.1) -> np.ndarray:
    """A step of a table and a parameter; the rows before it."""
    rows = there.lookup("emb", np.array([1, 2]), None, True)
    there.push_rows("emb", np.array([1, 2]), GRADIENT, rate)
    there.push("fc.w_0", WEIGHT, rate)
    there.flush()
    return rows


def begin(there: Communicator) -> None:
    there.begin("fc.w_0", WEIGHT)
    there.begin("fc.b_0", np.zeros(1, np.float32))


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_server_that_is_started_again_goes_on_from_its_snapshot(tmp_path: Path, mode) -> None:
    settings = replace(QUICK, snapshots=tmp_path, snapshot_steps=1)
    with job(tables(network()), workers=1, mode=mode, settings=settings) as jobs:
        there = jobs.connect()
        begin(there)
        first = step(there)
        there.settle()
        for server in (0, 1):
            jobs.kill(server)
            jobs.start(server, restore=True)
        np.testing.assert_allclose(step(there), first - 0.1, rtol=1e-6)
        np.testing.assert_allclose(there.pull("fc.w_0"), WEIGHT * 0.8, rtol=1e-6)
        assert [link.restarts for link in there.links] == [1, 1]
        there.leave()


def test_a_restart_loses_the_steps_after_the_snapshot_and_no_more(tmp_path: Path) -> None:
    settings = replace(QUICK, snapshots=tmp_path, snapshot_steps=3)
    with job(tables(network(), 1), servers=1, workers=1, settings=settings) as jobs:
        there = jobs.connect()
        begin(there)
        for _ in range(5):
            step(there)
        assert there.pull("fc.w_0")[0] == pytest.approx(0.5)
        jobs.kill(0)
        jobs.start(0, restore=True)
        step(there)
        assert there.pull("fc.w_0")[0] == pytest.approx(1.0 - 0.1 * (3 + 1))
        there.leave()


def test_two_workers_in_step_go_on_after_a_restart(tmp_path: Path) -> None:
    settings = replace(QUICK, snapshots=tmp_path, snapshot_steps=1)
    with job(tables(network()), settings=settings) as jobs:

        def work(worker: int, there: Communicator) -> float:
            begin(there)
            for number in range(12):
                step(there)
                if worker == 0 and number in (3, 7):
                    jobs.kill(number % 2)
                    jobs.start(number % 2, restore=True)
            there.barrier()
            return float(there.pull("fc.w_0")[0, 0])

        found = jobs.work(work)
    # The step that a server had not taken when it ended is sent again: nothing is lost.
    assert found == pytest.approx([1.0 - 12 * 0.1] * 2, abs=1e-5)


@pytest.mark.parametrize("seed", range(2))
def test_servers_may_end_at_any_moment_and_nothing_is_lost(tmp_path: Path, seed: int) -> None:
    settings = replace(QUICK, snapshots=tmp_path, snapshot_steps=1)
    numbers, steps = random.Random(seed), 60
    with job(tables(network()), settings=settings) as jobs:
        first = [jobs.connect(worker) for worker in (0, 1)]
        done = threading.Event()

        def kill() -> None:
            for target in sorted(numbers.sample(range(2, steps), 6)):
                while first[0].step < target and not done.is_set():
                    time.sleep(0.001)
                time.sleep(numbers.random() * 0.02)  # at any moment of a step
                index = numbers.randrange(2)
                jobs.kill(index)
                jobs.start(index, restore=True)

        def train(there: Communicator, found: list) -> None:
            begin(there)
            for _ in range(steps):
                step(there, 0.01)
                time.sleep(0.01)
            found.append((there.pull("fc.w_0")[0, 0], there.rows("emb", np.array([1]), True)))

        found: list = []
        threads = [threading.Thread(target=train, args=(there, found)) for there in first]
        threads.append(threading.Thread(target=kill))
        for thread in threads:
            thread.start()
        for thread in threads[:2]:
            thread.join()
        done.set()
        threads[2].join()
        beginning = jobs.tables[0].beginning.rows(np.array([1]), 4, np.float32)
        assert sum(link.restarts for link in first[0].links) >= 2  # some see two as one
        for there in first:
            there.close()
    assert len(found) == 2
    for weight, rows in found:
        assert weight == pytest.approx(1.0 - steps * 0.01, abs=1e-4)
        np.testing.assert_allclose(rows, beginning - steps * 0.01, atol=1e-4)


def test_a_restart_without_a_snapshot_begins_rows_as_they_began() -> None:
    with job(tables(network(), 1), servers=1, workers=1) as jobs:
        there = jobs.connect()
        begin(there)
        first = step(there)
        jobs.kill(0)
        jobs.start(0)
        np.testing.assert_array_equal(there.lookup("emb", np.array([1, 2]), None, True), first)
        with pytest.raises(DistributedError, match=r"no server has a value of fc\.w_0"):
            there.pull("fc.w_0")
        there.leave()


def test_a_server_that_is_not_there_is_named_in_time() -> None:
    begun = time.monotonic()
    endpoint = free_endpoint()
    with pytest.raises(DistributedError, match=f"server 0 at {endpoint} has not answered worker 0"):
        Communicator(tables(network(), 1), [endpoint], settings=SHORT)
    assert time.monotonic() - begun < 10


def test_a_server_that_ends_is_named_in_time() -> None:
    with job(tables(network(), 1), servers=1, workers=1, settings=SHORT) as jobs:
        there = jobs.connect()
        jobs.kill(0)
        with pytest.raises(DistributedError, match="its last sign of life is"):
            there.lookup("emb", np.array([1]), None, True)
        there.close()


def test_a_worker_that_does_not_come_is_named() -> None:
    with job(tables(network(), 1), servers=1, settings=SHORT) as jobs:
        there = jobs.connect(0)
        begin(there)
        step(there)
        with pytest.raises(DistributedError, match="waits for worker 1, which has not connected"):
            there.pull("fc.w_0")
        there.close()


def test_a_worker_that_ends_is_named_before_any_deadline() -> None:
    quick = replace(QUICK, timeout_seconds=60.0, dead_seconds=1.0)
    with job(tables(network(), 1), servers=1, settings=quick) as jobs:
        both = [jobs.connect(worker) for worker in (0, 1)]
        for there in both:
            begin(there)
        both[1].close()  # gives no signs of life any more
        begun = time.monotonic()
        step(both[0])
        with pytest.raises(DistributedError, match=r"waits for worker 1 \(process \d+ on "):
            both[0].pull("fc.w_0")
        assert time.monotonic() - begun < 10
        both[0].close()


def test_a_killed_process_of_this_machine_is_seen_at_once() -> None:
    members = Members(2, dead_seconds=1000.0)
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    members.hello(1, {"process": child, "host": os.uname().nodename})
    assert members.gone() == [1]


def test_a_worker_that_has_left_is_waited_for_no_more() -> None:
    with job(tables(network(), 1), servers=1) as jobs:

        def work(worker: int, there: Communicator) -> float:
            begin(there)
            for _ in range(2 + 3 * worker):
                step(there)
            return float(there.pull("fc.w_0")[0, 0])

        assert jobs.work(work)[1] == pytest.approx(0.5)
    assert jobs.raised == []


def test_a_server_tells_who_is_gone_and_ends() -> None:
    quick = replace(QUICK, dead_seconds=0.5)
    with job(tables(network(), 1), servers=1, workers=1, settings=quick) as jobs:
        jobs.connect().close()
        jobs.threads[0].join(10)
        assert not jobs.threads[0].is_alive()
    with pytest.raises(DistributedError, match=r"worker 0 .*: gone without fleet.stop_worker"):
        raise jobs.raised[0]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"workers": 3}, "was told of 3 workers"),
        ({"mode": "async"}, "this is server 0, async"),
        ({"tables": tables(network(lambda: SGD(0.1)), 1)[:2]}, "has another Program"),
        ({"tables": tables(network(lambda: Adam(0.1, lazy_mode=True)), 1)}, "adam"),
    ],
)
def test_a_worker_of_another_job_is_told_what_differs(changed, message) -> None:
    with (
        job(tables(network(), 1), servers=1) as jobs,
        pytest.raises(DistributedError, match=message),
    ):
        jobs.connect(**changed)


def test_a_second_worker_of_one_number_is_refused() -> None:
    with job(tables(network(), 1), servers=1) as jobs:
        there = jobs.connect(0)
        jobs.servers[0].members._there[0].process = 1  # as if another had it: init of the machine
        with pytest.raises(DistributedError, match="worker 0 is there already: process 1"):
            jobs.connect(0)
        there.close()


@pytest.mark.parametrize("gradient", [np.ones((3, 1), np.float32), np.ones((4, 1))])
def test_a_gradient_that_does_not_fit_is_an_error_of_its_worker_alone(gradient) -> None:
    with job(tables(network(), 1), servers=1, workers=1) as jobs:
        there = jobs.connect()
        begin(there)
        there.push("fc.w_0", gradient, 0.1)
        with pytest.raises(DistributedError, match=r"the gradient of fc\.w_0 is"):
            there.flush()
        assert there.links[0].ask("count")[0]["rows"] == {"emb": 0}
        there.close()


def test_workers_that_call_different_things_are_told() -> None:
    with job(tables(network(), 1), servers=1) as jobs:

        def work(worker: int, there: Communicator) -> str:
            if worker:
                time.sleep(0.3)
            try:
                there.exchange("barrier" if worker else "sum", {})
            except DistributedError as error:
                return str(error)
            return ""

        found = jobs.work(work)
    assert "workers call different things: worker 0 sum, worker 1 barrier" in found[1]


@pytest.mark.parametrize(
    "frames",
    [
        [b"\x00\xff"],
        [b"{}"],
        [b'{"arrays": [], "call": "shrink", "worker": "x", "sequence": 1}'],
        [b'{"arrays": [], "call": "__init__", "worker": 0, "sequence": 1}'],
        [b'{"arrays": [["a", "|O", [1]]], "call": "pull", "worker": 0}', b"12345678"],
        [b'{"arrays": [["a", "<f4", [9]]], "call": "pull", "worker": 0}', b"1234"],
        [b'{"arrays": [["a", "<f4", [-1]]], "call": "pull", "worker": 0}', b"1234"],
        [b"[" * 100_000],
    ],
)
def test_what_is_no_request_is_answered_so_and_changes_nothing(frames) -> None:
    with job(tables(network(), 1), servers=1, workers=1) as jobs:
        socket = zmq.Context.instance().socket(zmq.DEALER)
        socket.connect(f"tcp://{jobs.endpoints[0]}")
        socket.send_multipart(frames)
        assert socket.poll(5000)
        assert b"no request of a worker" in socket.recv_multipart()[0]
        socket.close(0)
        there = jobs.connect()
        assert there.rows("emb", np.arange(ROWS), True).shape == (ROWS, 4)
        there.close()


def odd(numbers: random.Random) -> Any:
    """Something that JSON can say, in place of what a header should have."""
    plain = [None, True, -1, 0, 3, 2**80, 1.5, "", "emb", "fc.w_0", "../x"]
    return numbers.choice([*plain, [], ["emb"], {}, {"emb": 0.1}, {"fc.w_0": "x"}, [[[]]]])


def test_what_is_forged_ends_no_server() -> None:
    numbers = random.Random(5)
    with job(tables(network(), 1), servers=1, workers=1) as jobs:
        there = jobs.connect()
        begin(there)
        calls = sorted({*jobs.servers[0]._calls} - {"save", "load", "bye"})
        socket = zmq.Context.instance().socket(zmq.DEALER)
        socket.connect(f"tcp://{jobs.endpoints[0]}")
        names = ("table", "after", "training", "rates", "step", "number", "what", "all",
                 "threshold", "tables", "workers", "process", "host")  # fmt: skip
        for _ in range(400):
            header = {n: odd(numbers) for n in names if numbers.random() < 0.8}
            header |= {"call": numbers.choice(calls), "worker": 0, "sequence": 7}
            arrays = {
                name: np.zeros(numbers.choice([(), (2,), (2, 4), (4, 1)]), numbers.choice("fql"))
                for name in ("ids", "rows", "value", "ids emb", "rows emb", "fc.w_0", "counts")
                if numbers.random() < 0.7
            }
            socket.send_multipart(packed(header, arrays))
        socket.close(0)
        assert there.links[0].ask("count")[0]["rows"]["emb"] >= 0
        there.close()
    assert jobs.raised == []


@pytest.mark.parametrize("changed", [{"worker": 9}, {"worker": -1}])
def test_a_worker_of_a_number_that_there_is_not_is_refused(changed) -> None:
    with (
        job(tables(network(), 1), servers=1) as jobs,
        pytest.raises(DistributedError, match=r"no request of a worker|has not answered"),
    ):
        jobs.connect(**changed, settings=SHORT)


def test_a_worker_that_raises_ends_at_once() -> None:
    script = (
        "import sys; from twinoar.distributed.ps.client import Link; "
        "Link(sys.argv[1], 0, {'worker': 0}, 5.0); raise SystemExit('it has ended')"
    )
    command = [sys.executable, "-c", script, free_endpoint()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.strip()) == (1, "it has ended")


def test_an_unknown_worker_is_told_to_say_hello() -> None:
    with job(tables(network(), 1), servers=1, workers=1) as jobs:
        socket = zmq.Context.instance().socket(zmq.DEALER)
        socket.connect(f"tcp://{jobs.endpoints[0]}")
        socket.send_multipart(packed({"call": "pull", "worker": 0, "sequence": 4, "after": 0}))
        assert socket.poll(5000)
        assert b'"again": true' in socket.recv_multipart()[0]
        socket.close(0)


def test_who_does_not_know_the_key_gets_no_answer(monkeypatch) -> None:
    monkeypatch.setenv(KEY, "what only we know")
    with job(tables(network(), 1), servers=1, workers=1) as jobs:
        there = jobs.connect()
        assert there.rows("emb", np.array([1]), True).shape == (1, 4)
        monkeypatch.setenv(KEY, "what others guess")
        with pytest.raises(DistributedError, match="has not answered"):
            jobs.connect(settings=SHORT)
        there.leave()


def test_an_address_that_others_reach_needs_a_key(monkeypatch) -> None:
    monkeypatch.delenv(KEY, raising=False)
    server = Server(tables(network(), 1), "0.0.0.0:0")
    with pytest.raises(ArgumentError, match="need a secret"):
        server.bind()


def test_a_port_that_is_taken_is_named(monkeypatch) -> None:
    monkeypatch.setattr(server_module, "RETRIES", 2)
    with (
        job(tables(network(), 1), servers=1) as jobs,
        pytest.raises(DistributedError, match=f"cannot listen at {jobs.endpoints[0]}"),
    ):
        Server(tables(network(), 1), jobs.endpoints[0], settings=SHORT).bind()
