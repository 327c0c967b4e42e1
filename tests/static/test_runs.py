"""Runs: pruned ones, ones over batches, of several threads, and interrupted ones."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import static
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.static.interrupt import delayed_interrupt


@pytest.fixture
def training():
    """Programs that train y = x w, and the loss."""
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        x, y = static.data("x", [None, 2]), static.data("y", [None, 1])
        out = static.nn.fc(x, 1, weight_attr="w", bias_attr=False)
        loss = paddle.mean(paddle.square(out - y))
        paddle.optimizer.SGD(0.1).minimize(loss)
        static.Executor().run(startup)
        yield main, out, loss


def batch(seed=0, n=4):
    x = np.random.default_rng(seed).random((n, 2), dtype=np.float32)
    return {"x": x, "y": x.sum(1, keepdims=True)}


def weight():
    return np.array(static.global_scope().find_var("w"))


def test_fetches_may_be_one_or_nested_and_occur_twice(training):
    main, out, loss = training
    exe = static.Executor()
    test = main.clone(for_test=True)
    assert exe.run(test, batch(), out)[0].shape == (4, 1)
    assert exe.run(test, batch(), out.name)[0].shape == (4, 1)
    assert [a.shape for a in exe.run(test, batch(), [loss, [out, (loss,)]])] == [(), (4, 1), ()]
    assert exe.run(test, batch()) == []


def test_a_pruned_run_does_not_train(training):
    main, out, loss = training
    before = weight()
    static.Executor().run(main, batch(), [loss], use_prune=True)
    np.testing.assert_array_equal(weight(), before)
    assert static.Executor().run(main, {"x": batch()["x"]}, [out], use_prune=True)
    static.Executor().run(main, batch(), [loss])
    assert (weight() != before).any()


def test_a_pruned_run_updates_what_the_fetches_compute():
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        counters = [
            static.create_global_var([1], 0, "int64", persistable=True, name=n) for n in "ab"
        ]
        for counter in counters:
            paddle.increment(counter)
        exe = static.Executor()
        exe.run(startup)
        exe.run(main, fetch_list=["a"], use_prune=True)
        assert [c.get_value().item() for c in counters] == [1, 0]


@pytest.mark.parametrize("form", ["dicts", "lists", "lists of dicts", "loader"])
def test_training_over_batches_is_training_batch_by_batch(training, form, capsys):
    main, _, loss = training
    before = main.state_dict()
    exe, batches = static.Executor(), [batch(i) for i in range(5)]
    for feed in batches:
        exe.run(main, feed)
    expected = weight()
    main.set_state_dict(before)
    x, y = (np.concatenate([b[n] for b in batches]) for n in "xy")
    data = {
        "dicts": batches,
        "lists": [[b["x"], b["y"]] for b in batches],
        "lists of dicts": [[b] for b in batches],
        "loader": paddle.io.DataLoader(
            paddle.io.TensorDataset([paddle.Tensor(x), paddle.Tensor(y)]), batch_size=4
        ),
    }[form]
    assert exe.train_from_dataset(main, data, fetch_list=[loss], print_period=2) is None
    np.testing.assert_allclose(weight(), expected, rtol=1e-6)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"batch {i}, {loss.name}" for i in (0, 2, 4)]


def test_inference_over_batches_changes_nothing(training, capsys):
    main, _, loss = training
    before = weight()
    static.Executor().infer_from_dataset(
        main, [batch()], fetch_list=[loss], fetch_info=["loss"], print_period=1, debug=True
    )
    np.testing.assert_array_equal(weight(), before)
    assert capsys.readouterr().out.startswith("batch 0, loss: ")


@pytest.mark.parametrize(
    ("settings", "error", "match"),
    [
        ({"fetch_info": ["a", "b"]}, ArgumentError, "must name the 1 fetches"),
        ({"fetch_handler": print}, UnsupportedError, "fetch_handler"),
        ({"dataset": [[1, 2, 3]]}, ArgumentError, "3 arrays, the program 2 inputs: x, y"),
    ],
)
def test_wrong_runs_over_batches_are_refused(training, settings, error, match):
    main, _, loss = training
    with pytest.raises(error, match=match):
        static.Executor().train_from_dataset(
            main, **{"dataset": [batch()], "fetch_list": [loss], **settings}
        )


def test_threads_that_train_take_turns(training):
    main, _, _ = training
    counter_program, startup = static.Program(), static.Program()
    with static.program_guard(counter_program, startup):
        counter = static.create_global_var([1], 0, "int64", persistable=True, name="counter")
        paddle.increment(counter)
    scope, exe = static.global_scope(), static.Executor()
    exe.run(startup)

    def count(_):
        exe.run(counter_program, scope=scope)
        return exe.run(main, batch(), scope=scope)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(40)))
    assert counter.get_value().item() == 40


def test_threads_that_only_compute_run_at_once_and_agree(training):
    main, out, _ = training
    test = main.clone(for_test=True)
    scope, exe = static.global_scope(), static.Executor()
    feeds = [batch(i, n=1 + i % 3) for i in range(24)]
    expected = [exe.run(test, f, [out])[0] for f in feeds]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda f: exe.run(test, f, [out], scope=scope)[0], feeds))
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_ctrl_c_waits_until_all_states_are_written():
    """Two states that each run makes equal stay equal, wherever Ctrl-C comes."""
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        for name in "ab":
            state = static.create_global_var([1], 0, "int64", persistable=True, name=name)
            paddle.increment(state)

        def interrupt(a):
            os.kill(os.getpid(), signal.SIGINT)
            return a

        out = main.current_block().create_var(name="out", shape=[1], dtype="int64")
        static.py_func(interrupt, paddle.zeros([1], "int64"), out)
        exe = static.Executor()
        exe.run(startup)
        with pytest.raises(KeyboardInterrupt):
            exe.run(main)
        a, b = (np.array(static.global_scope().find_var(n))[0] for n in "ab")
        assert a == b == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_second_ctrl_c_interrupts_at_once():
    reached = []
    with pytest.raises(KeyboardInterrupt), delayed_interrupt():
        os.kill(os.getpid(), signal.SIGINT)
        reached.append(1)
        os.kill(os.getpid(), signal.SIGINT)
        reached.append(2)
    assert reached == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_have_no_ctrl_c_to_wait_for():
    handler, seen = signal.getsignal(signal.SIGINT), []

    def look():
        with delayed_interrupt():
            seen.append(signal.getsignal(signal.SIGINT) is handler)

    in_threads([look])
    assert seen == [True]
