"""Callers that wait for their request run batches themselves where an instance is free."""

from __future__ import annotations

import threading

import numpy as np

from tests.serving.test_scheduler import PATIENCE_SECONDS, Doubling, occupy, request, running
from tests.threads import in_threads
from twinoar.serving.request import Arrays
from twinoar.serving.scheduler import MOST_HELPERS, BatchPolicy, Scheduler


class Where:
    """A model that remembers the threads that run it."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def __call__(self, inputs: Arrays) -> Arrays:
        self.threads.append(threading.current_thread())
        return {"y": inputs["x"] * 2}


def test_one_that_waits_is_run_by_its_own_thread() -> None:
    model = Where()
    scheduler = Scheduler([model], BatchPolicy(8))
    made = request(3.0, waits=True)
    scheduler.submit(made)
    assert made.future.done()
    assert model.threads == [threading.current_thread()]
    assert scheduler.close(PATIENCE_SECONDS)


def test_one_that_does_not_wait_is_run_by_the_instance() -> None:
    model = Where()
    scheduler = Scheduler([model], BatchPolicy(8))
    made = request(3.0)
    scheduler.submit(made)
    np.testing.assert_array_equal(made.result(PATIENCE_SECONDS)["y"], [[6.0]])
    assert model.threads != [threading.current_thread()]
    assert scheduler.close(PATIENCE_SECONDS)


def test_it_stands_in_line_while_the_instance_is_busy() -> None:
    model = Doubling()
    with running(model, BatchPolicy(8)) as scheduler:
        occupy(scheduler)
        made = [request(n, waits=True) for n in (1.0, 2.0)]
        for one in made:
            scheduler.submit(one)
        assert scheduler.pending() == 2
        model.gate.set()
        assert [one.result(PATIENCE_SECONDS)["y"][0, 0] for one in made] == [2.0, 4.0]
        assert model.batches == [[0.0], [1.0, 2.0]]


def test_it_lets_a_batch_form_where_the_policy_waits_for_others() -> None:
    model = Doubling()
    model.gate.set()
    with running(model, BatchPolicy(2, delay_seconds=PATIENCE_SECONDS)) as scheduler:
        made = [request(n, waits=True) for n in (1.0, 2.0)]
        scheduler.submit(made[0])
        assert not made[0].future.done()
        scheduler.submit(made[1])  # which completes the batch
        assert made[0].future.done()
        assert model.batches == [[1.0, 2.0]]


def test_what_came_meanwhile_is_run_by_the_instance() -> None:
    model = Doubling()
    with running(model, BatchPolicy(1)) as scheduler:
        first = request(1.0, waits=True)
        caller = threading.Thread(target=scheduler.submit, args=(first,))
        caller.start()
        while not scheduler.running:
            pass
        following = request(2.0)
        scheduler.submit(following)
        model.gate.set()
        caller.join(PATIENCE_SECONDS)
        assert following.result(PATIENCE_SECONDS)["y"][0, 0] == 4.0


def test_an_error_is_the_request_s_and_not_the_caller_s() -> None:
    model = Doubling()
    model.gate.set()
    with running(model, BatchPolicy(8)) as scheduler:
        made = request(-1.0, waits=True)
        scheduler.submit(made)
        assert isinstance(made.future.exception(), ValueError)
        after = request(1.0, waits=True)
        scheduler.submit(after)  # the instance was given back
        assert after.result(0)["y"][0, 0] == 2.0


def test_the_times_of_those_that_are_run_at_once_are_forgotten() -> None:
    model = Doubling()
    model.gate.set()
    with running(model, BatchPolicy(8)) as scheduler:
        for n in range(50):
            scheduler.submit(request(float(n), waits=True, timeout_seconds=1000.0))
        assert len(scheduler.queue._deadlines) == 0


def test_so_many_threads_of_callers_run_a_model_at_most() -> None:
    model = Where()
    scheduler = Scheduler([model], BatchPolicy(8))
    together = threading.Barrier(
        3 * MOST_HELPERS
    )  # the number of a thread that ended is used again

    def ask() -> None:
        made = request(1.0, waits=True)
        scheduler.submit(made)
        made.result(PATIENCE_SECONDS)
        together.wait(PATIENCE_SECONDS)

    in_threads([ask] * (3 * MOST_HELPERS))
    own = {thread for thread in model.threads if thread.name != "model-0"}
    assert len(own) <= MOST_HELPERS
    assert scheduler.close(PATIENCE_SECONDS)


def test_a_model_that_keeps_to_its_threads_is_left_to_them() -> None:
    model = Where()
    scheduler = Scheduler([model], BatchPolicy(8), moves=False)
    made = request(3.0, waits=True)
    scheduler.submit(made)
    assert made.result(PATIENCE_SECONDS)["y"][0, 0] == 6.0
    assert [thread.name for thread in model.threads] == ["model-0"]
    assert scheduler.close(PATIENCE_SECONDS)


def test_the_end_ends_the_threads_of_all_instances() -> None:
    model = Doubling()
    scheduler = Scheduler([model] * 3, BatchPolicy(1))
    callers = [
        threading.Thread(target=scheduler.submit, args=(request(n, waits=True),)) for n in range(3)
    ]
    for caller in callers:
        caller.start()
    while scheduler.running < 3:
        pass
    scheduler.submit(request(4.0))
    ending = threading.Thread(target=scheduler.close, args=(PATIENCE_SECONDS,))
    ending.start()
    model.gate.set()
    ending.join(PATIENCE_SECONDS)
    for thread in scheduler._threads:
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()
