"""The scheduler without a network: batches, priorities, deadlines, limits, cancellation, faults."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest

from tests.threads import in_threads
from twinoar.errors import ServingError
from twinoar.serving.queue import QueuePolicy, RequestQueue
from twinoar.serving.request import Arrays, Request
from twinoar.serving.scheduler import BatchPolicy, Scheduler

PATIENCE_SECONDS = 10


class Doubling:
    """A model that waits for `gate`, and remembers the sizes of its batches."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.batches: list[list[float]] = []
        self.lock = threading.Lock()

    def __call__(self, inputs: Arrays) -> Arrays:
        assert self.gate.wait(PATIENCE_SECONDS)
        with self.lock:
            self.batches.append(inputs["x"][:, 0].tolist())
        if (inputs["x"] < 0).any():
            raise ValueError("negative")
        return {"y": inputs["x"] * 2}


def request(value: float, rows: int = 1, width: int = 1, **options: object) -> Request:
    made = Request({"x": np.full((rows, width), value)}, rows=rows)
    for name, option in options.items():
        setattr(made, name, option)
    return made


@contextmanager
def running(
    model: Doubling, policy: BatchPolicy, queue: RequestQueue | None = None, instances: int = 1
) -> Iterator[Scheduler]:
    scheduler = Scheduler([model] * instances, policy, queue)
    try:
        yield scheduler
    finally:
        model.gate.set()
        assert scheduler.close(PATIENCE_SECONDS)


def occupy(scheduler: Scheduler, value: float = 0.0) -> Request:
    """Let an instance take a request, so that what follows waits."""
    first = request(value)
    scheduler.submit(first)
    while scheduler.pending():
        time.sleep(0.001)
    return first


def outcome(made: Request) -> str:
    try:
        made.result(PATIENCE_SECONDS)
    except ServingError as error:
        return error.status
    return "OK"


def test_each_request_has_its_own_rows() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8)) as scheduler:
        occupy(scheduler)
        sent = [request(n, rows=1 + n % 3) for n in range(20)]
        for one in sent:
            scheduler.submit(one)
        model.gate.set()
        for n, one in enumerate(sent):
            np.testing.assert_array_equal(one.result(5)["y"], np.full((1 + n % 3, 1), 2.0 * n))


def test_64_requests_with_a_limit_of_8_run_as_9_batches() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8)) as scheduler:
        sent = [occupy(scheduler), *(request(n) for n in range(63))]
        for one in sent[1:]:
            scheduler.submit(one)
        model.gate.set()
        assert [outcome(one) for one in sent] == ["OK"] * 64
    assert len(model.batches) == 9
    assert scheduler.statistics.inference_count == 64
    assert scheduler.statistics.execution_count == 9


def test_a_batch_waits_for_others_as_long_as_the_policy_says() -> None:
    model = Doubling()
    model.gate.set()
    with running(model, BatchPolicy(8, delay_seconds=0.2)) as scheduler:
        sent = [request(1), request(2)]
        for one in sent:
            scheduler.submit(one)
            time.sleep(0.01)
        assert [outcome(one) for one in sent] == ["OK", "OK"]
    assert model.batches == [[1, 2]]


def test_a_full_batch_does_not_wait() -> None:
    model = Doubling()
    model.gate.set()
    with running(model, BatchPolicy(2, delay_seconds=PATIENCE_SECONDS)) as scheduler:
        start = time.monotonic()
        sent = [request(1), request(2)]
        for one in sent:
            scheduler.submit(one)
        assert [outcome(one) for one in sent] == ["OK", "OK"]
        assert time.monotonic() - start < PATIENCE_SECONDS / 2


def test_a_preferred_size_is_run_at_once_and_not_exceeded() -> None:
    model = Doubling()
    policy = BatchPolicy(8, delay_seconds=0.3, preferred=(2, 4))
    with running(model, policy) as scheduler:
        occupy(scheduler)
        sent = [request(n) for n in range(1, 7)]
        for one in sent:
            scheduler.submit(one)
        model.gate.set()
        assert {outcome(one) for one in sent} == {"OK"}
    assert [len(batch) for batch in model.batches[1:]] == [4, 2]


def test_shapes_that_cannot_be_stacked_are_never_mixed() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8)) as scheduler:
        occupy(scheduler)
        sent = [request(n, width=1 + n % 2) for n in range(8)]
        for one in sent:
            scheduler.submit(one)
        model.gate.set()
        for n, one in enumerate(sent):
            assert one.result(5)["y"].shape == (1, 1 + n % 2)
    assert model.batches[1:] == [[0, 2, 4, 6], [1, 3, 5, 7]]


def test_dtypes_are_not_mixed_either() -> None:
    queue = RequestQueue()
    queue.add(Request({"x": np.zeros((1, 2), "float32")}), 0)
    queue.add(Request({"x": np.zeros((1, 2), "float64")}), 0)
    assert [len(queue.take(8)), len(queue.take(8)), len(queue.take(8))] == [1, 1, 0]


def test_a_bad_request_does_not_fail_its_neighbors() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8)) as scheduler:
        occupy(scheduler)
        sent = [request(n) for n in (1, -1, 3)]
        for one in sent:
            scheduler.submit(one)
        model.gate.set()
        assert sent[0].result(5)["y"] == 2
        assert sent[2].result(5)["y"] == 6
        with pytest.raises(ValueError, match="negative"):
            sent[1].result(5)


def test_an_output_without_the_batch_axis_is_an_error_not_an_answer() -> None:
    scheduler = Scheduler([lambda inputs: {"y": inputs["x"].sum()}], BatchPolicy(8))
    sent = request(1)
    scheduler.submit(sent)
    with pytest.raises(ServingError, match="max_batch_size: 0"):
        sent.result(5)
    scheduler.close()


def test_a_batch_is_filled_up_to_a_size_that_is_run() -> None:
    seen = []
    policy = BatchPolicy(8, sizes=(1, 4, 8))
    scheduler = Scheduler([lambda x: (seen.append(len(x["x"])), {"y": x["x"]})[1]], policy)
    sent = request(1, rows=3)
    scheduler.submit(sent)
    assert sent.result(5)["y"].shape == (3, 1)
    assert seen == [4]
    assert scheduler.statistics.batches.keys() == {3}
    scheduler.close()


def test_priority_1_is_served_first() -> None:
    model, queue = Doubling(), RequestQueue(3, 2)
    with running(model, BatchPolicy(1), queue) as scheduler:
        occupy(scheduler)
        sent = [request(n, priority=p) for n, p in ((3, 3), (2, 0), (1, 1))]
        for one in sent:
            scheduler.submit(one)
        model.gate.set()
        assert {outcome(one) for one in sent} == {"OK"}
    assert model.batches[1:] == [[1], [2], [3]]


@pytest.mark.parametrize("priority", [-1, 4])
def test_a_priority_that_is_none_is_refused(priority: int) -> None:
    with pytest.raises(ServingError, match="priorities 1 to 3"):
        RequestQueue(3, 2).add(request(1, priority=priority), 0)


def test_a_request_that_waits_too_long_is_given_up_while_the_model_is_busy() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8)) as scheduler:
        occupy(scheduler)
        late, other = request(1, timeout_seconds=0.05), request(2)
        scheduler.submit(late)
        scheduler.submit(other)
        assert outcome(late) == "DEADLINE_EXCEEDED"
        assert not model.gate.is_set()
        model.gate.set()
        assert outcome(other) == "OK"
    assert model.batches[1:] == [[2]]


def test_a_later_but_shorter_deadline_is_kept_too() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8)) as scheduler:
        occupy(scheduler)
        long, short = request(1, timeout_seconds=30), request(2, timeout_seconds=0.05)
        scheduler.submit(long)
        scheduler.submit(short)
        assert outcome(short) == "DEADLINE_EXCEEDED"


def test_where_the_policy_says_so_a_late_request_is_served_behind_all_others() -> None:
    model = Doubling()
    queue = RequestQueue(policies={1: QueuePolicy(0.02, delays=True)})
    with running(model, BatchPolicy(1), queue) as scheduler:
        occupy(scheduler)
        late = request(1)
        scheduler.submit(late)
        time.sleep(0.1)
        after = request(2)
        scheduler.submit(after)
        model.gate.set()
        assert [outcome(late), outcome(after)] == ["OK", "OK"]
    assert model.batches[1:] == [[2], [1]]


@pytest.mark.parametrize(("asked", "overrides", "expected"), [
    (None, True, 5.0), (1.0, True, 1.0), (9.0, True, 5.0), (1.0, False, 5.0),
])  # fmt: skip
def test_a_request_may_only_shorten_the_usual_timeout(
    asked: float | None, overrides: bool, expected: float
) -> None:
    queue = RequestQueue(policies={1: QueuePolicy(5.0, overrides)})
    one = request(1, timeout_seconds=asked)
    queue.add(one, 0.0)
    assert one.deadline == expected


def test_a_full_queue_refuses_and_serves_again_later() -> None:
    model = Doubling()
    queue = RequestQueue(policies={1: QueuePolicy(size=2)})
    with running(model, BatchPolicy(8), queue) as scheduler:
        occupy(scheduler)
        sent = [request(n) for n in range(2)]
        for one in sent:
            scheduler.submit(one)
        with pytest.raises(ServingError, match="2 requests wait") as caught:
            scheduler.submit(request(3))
        assert caught.value.status == "RESOURCE_EXHAUSTED"
        model.gate.set()
        assert {outcome(one) for one in sent} == {"OK"}
        scheduler.submit(again := request(4))
        assert outcome(again) == "OK"


def test_a_cancelled_request_is_not_run() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8)) as scheduler:
        occupy(scheduler)
        gone, other = request(1), request(2)
        scheduler.submit(gone)
        scheduler.submit(other)
        gone.cancel()
        assert outcome(gone) == "CANCELLED"
        assert scheduler.pending() == 1
        model.gate.set()
        assert outcome(other) == "OK"
    assert model.batches[1:] == [[2]]


def test_cancelling_what_runs_drops_its_result_alone() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8)) as scheduler:
        first = occupy(scheduler)
        first.cancel()
        assert outcome(first) == "CANCELLED"
        model.gate.set()
        scheduler.submit(other := request(2))
        assert outcome(other) == "OK"


def test_a_queue_of_cancelled_requests_holds_nothing() -> None:
    queue = RequestQueue()
    sent = [request(n, width=1 + n % 5) for n in range(100)]
    for one in sent:
        queue.add(one, 0)
    assert all(queue.remove(one) for one in sent)
    assert not any(queue.remove(one) for one in sent)
    assert len(queue) == 0
    assert queue.oldest() is None
    assert queue._lines == [{}, {}]


def test_closing_finishes_what_waits_and_refuses_what_comes() -> None:
    model = Doubling()
    scheduler = Scheduler([model], BatchPolicy(2))
    sent = [occupy(scheduler), *(request(n) for n in range(5))]
    for one in sent[1:]:
        scheduler.submit(one)
    closing = threading.Thread(target=scheduler.close)
    closing.start()
    while not scheduler._closes:
        time.sleep(0.001)
    with pytest.raises(ServingError) as caught:
        scheduler.submit(request(9))
    assert caught.value.status == "UNAVAILABLE"
    model.gate.set()
    closing.join(PATIENCE_SECONDS)
    assert [outcome(one) for one in sent] == ["OK"] * 6
    for thread in scheduler._threads:
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()


def test_closing_with_a_limit_leaves_nobody_waiting() -> None:
    model = Doubling()
    scheduler = Scheduler([model], BatchPolicy(2))
    occupy(scheduler)
    scheduler.submit(left := request(1))
    assert not scheduler.close(0.05)
    assert outcome(left) == "UNAVAILABLE"
    model.gate.set()


def test_several_instances_run_at_once() -> None:
    both = threading.Barrier(2, timeout=PATIENCE_SECONDS)

    def run(inputs: Arrays) -> Arrays:
        both.wait()
        return inputs

    scheduler = Scheduler([run, run], BatchPolicy(1))
    sent = [request(1), request(2)]
    for one in sent:
        scheduler.submit(one)
    assert [outcome(one) for one in sent] == ["OK", "OK"]
    scheduler.close()


def test_without_a_batch_axis_requests_run_one_by_one_as_they_are() -> None:
    scheduler = Scheduler([lambda inputs: {"y": inputs["x"].sum()}], BatchPolicy())
    sent = [Request({"x": np.full(n, 1.0)}) for n in (1, 2, 0)]
    for one in sent:
        scheduler.submit(one)
    assert [float(one.result(5)["y"]) for one in sent] == [1, 2, 0]
    assert scheduler.statistics.execution_count == 3
    scheduler.close()


def test_many_threads_submit_cancel_and_expire_and_every_request_is_settled() -> None:
    model = Doubling()
    model.gate.set()
    with running(model, BatchPolicy(8, 0.0005), instances=2) as scheduler:
        sent: list[Request] = []

        def client(seed: int) -> None:
            generator = np.random.default_rng(seed)
            for _ in range(200):
                one = request(seed, timeout_seconds=float(generator.choice([0.0001, 5])))
                sent.append(one)
                scheduler.submit(one)
                if generator.random() < 0.2:
                    one.cancel()

        in_threads(partial(client, n) for n in range(4))
        kinds = {outcome(one) for one in sent}
    assert kinds <= {"OK", "CANCELLED", "DEADLINE_EXCEEDED"}
    assert "OK" in kinds
    for one in sent:
        if one.future.exception() is None:
            assert (one.result()["y"] == one.inputs["x"] * 2).all()


@pytest.mark.parametrize(("waiting", "batches"), [
    (3, [2, 1]), (5, [4, 1]), (6, [4, 2]), (7, [7]), (8, [8]), (13, [8, 4, 1]),
])  # fmt: skip
def test_what_would_be_padded_by_much_waits_for_the_next_batch(
    waiting: int, batches: list[int]
) -> None:
    model = Doubling()
    with running(model, BatchPolicy(8, sizes=(1, 2, 4, 8))) as scheduler:
        occupy(scheduler)
        made = [request(float(n)) for n in range(waiting)]
        for one in made:
            scheduler.submit(one)
        model.gate.set()
        found = [one.result(PATIENCE_SECONDS)["y"][0, 0] for one in made]
    assert found == [2.0 * n for n in range(waiting)]
    padded = {3: 4, 7: 8}
    assert [len(b) for b in model.batches[1:]] == [padded.get(n, n) for n in batches]


def test_a_size_that_is_preferred_is_run_whatever_it_is_padded_by() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8, preferred=(5,), sizes=(1, 8))) as scheduler:
        occupy(scheduler)
        made = [request(float(n)) for n in range(5)]
        for one in made:
            scheduler.submit(one)
        model.gate.set()
        for one in made:
            one.result(PATIENCE_SECONDS)
    assert [len(b) for b in model.batches] == [1, 8]
