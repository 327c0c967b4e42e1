"""DataLoader with worker processes: the same batches, and nothing left behind."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar.errors import ArgumentError
from twinoar.io import DataLoader, Dataset, IterableDataset, get_worker_info, transport
from twinoar.io.worker import WorkerError, WorkerTimeoutError

SHARED_MEMORY = Path("/dev/shm")
needs_linux = pytest.mark.skipif(not SHARED_MEMORY.exists(), reason="looks into /dev/shm")


class Images(Dataset):
    """Images [3, 8, 8] of their own number, and a label; `act` is called with each index."""

    def __init__(self, count: int = 13, act: Any = None) -> None:
        self.count, self.act = count, act

    def __getitem__(self, index: int) -> Any:
        if self.act is not None:
            self.act(index)
        return np.full((3, 8, 8), index, "float32"), {"label": index, "name": str(index)}

    def __len__(self) -> int:
        return self.count


class Stream(IterableDataset):
    """The numbers below `count`, shared among the workers."""

    def __init__(self, count: int = 7) -> None:
        self.count = count

    def __iter__(self) -> Iterator[int]:
        info = get_worker_info()
        yield from range(info.id, self.count, info.num_workers)


class Answers(Dataset):
    """What a function gives in the worker."""

    def __init__(self, answer: Any, count: int = 4) -> None:
        self.answer, self.count = answer, count

    def __getitem__(self, index: int) -> Any:
        return self.answer(index)

    def __len__(self) -> int:
        return self.count


def plain(batch: Any) -> Any:
    """A batch with its Tensors as lists."""
    if isinstance(batch, list):
        return [plain(field) for field in batch]
    if isinstance(batch, dict):
        return {key: plain(value) for key, value in batch.items()}
    return batch.tolist() if hasattr(batch, "tolist") else batch


def batches(dataset: Any, **options: Any) -> list:
    return [plain(batch) for batch in DataLoader(dataset, **options)]


def segments(pid: int) -> list[str]:
    """Shared memory made by loaders of process `pid`."""
    return [path.name for path in SHARED_MEMORY.glob(f"twinoar-{pid:x}-*")]


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []
    assert segments(os.getpid()) == []


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("shared", [True, False])
def test_workers_give_the_batches_of_one_process(workers: int, shared: bool) -> None:
    here = batches(Images(), batch_size=3)
    assert batches(Images(), batch_size=3, num_workers=workers, use_shared_memory=shared) == here


def test_workers_keep_the_shuffled_order() -> None:
    orders = []
    for workers in (0, 2):
        np.random.seed(0)
        loader = DataLoader(Images(), batch_size=5, shuffle=True, num_workers=workers)
        orders.append([plain(batch[1]["label"]) for _ in range(2) for batch in loader])
    assert orders[0] == orders[1]


def test_order_holds_where_the_first_worker_is_slow() -> None:
    slow = Images(6, act=lambda i: time.sleep(0.05 if i % 2 == 0 else 0))
    assert [b[1]["label"] for b in batches(slow, num_workers=2)] == [[i] for i in range(6)]


def test_unbatched_samples_come_from_workers() -> None:
    assert batches(Images(), batch_size=None, num_workers=2) == batches(Images(), batch_size=None)


def test_tensors_of_a_batch_are_not_overwritten_by_later_batches() -> None:
    loader = DataLoader(Images(40), batch_size=2, num_workers=1, prefetch_factor=1)
    kept = [images for images, _ in loader]
    assert [images.numpy()[0, 0, 0, 0] for images in kept] == list(range(0, 40, 2))


def test_batches_that_grow_are_passed_whole() -> None:
    loader = DataLoader(
        Answers(lambda i: np.full(10 ** (i + 1), i), 5), batch_size=None, num_workers=1
    )
    assert [(len(t.numpy()), t.numpy()[-1]) for t in loader] == [
        (10 ** (i + 1), i) for i in range(5)
    ]


def test_empty_arrays_are_passed() -> None:
    loader = DataLoader(Answers(lambda i: np.zeros((0, 3))), batch_size=2, num_workers=1)
    assert [tensor.shape for tensor in loader] == [[2, 0, 3]] * 2


def test_custom_collate_runs_in_the_worker() -> None:
    pids = batches(Images(4), batch_size=2, num_workers=2, collate_fn=lambda b: os.getpid())
    assert len(set(pids)) == 2
    assert os.getpid() not in pids


def test_stream_is_shared_by_workers_and_skips_those_that_ended() -> None:
    assert batches(Stream(7), batch_size=2, num_workers=2) == [[0, 2], [1, 3], [4, 6], [5]]


def test_stream_without_batching() -> None:
    assert batches(Stream(4), batch_size=None, num_workers=3) == [0, 1, 2, 3]


def test_workers_know_who_they_are() -> None:
    def answer(index: int) -> np.ndarray:
        info = get_worker_info()
        return np.array([info.id, info.num_workers, len(info.dataset)])

    ids = batches(Answers(answer, 4), num_workers=2)
    assert ids == [[[0, 2, 4]], [[1, 2, 4]]] * 2


@pytest.mark.parametrize(
    "draw",
    [lambda i: np.random.rand(), lambda i: random.random(), lambda i: twinoar.rand([]).item()],
)
def test_random_numbers_differ_between_workers_and_follow_the_seed(draw: Any) -> None:
    def epochs() -> list:
        np.random.seed(7)
        loader = DataLoader(Answers(draw), num_workers=2)
        return [plain(batch) for _ in range(2) for batch in loader]

    first = epochs()
    assert first == epochs()
    assert len({value for (value,) in first}) == 8


def test_init_function_is_called_with_the_number_of_the_worker() -> None:
    state: dict[str, int] = {}
    loader = DataLoader(
        Answers(lambda i: state["id"]), num_workers=2, worker_init_fn=lambda i: state.update(id=i)
    )
    assert [plain(batch) for batch in loader] == [[0], [1], [0], [1]]
    assert state == {}


def test_persistent_workers_are_kept_between_epochs() -> None:
    loader = DataLoader(Answers(lambda i: os.getpid()), num_workers=2, persistent_workers=True)
    epochs = [[plain(batch) for batch in loader] for _ in range(3)]
    assert epochs[0] == epochs[1] == epochs[2]


def test_persistent_stream_starts_again_each_epoch() -> None:
    loader = DataLoader(Stream(5), batch_size=1, num_workers=2, persistent_workers=True)
    epochs = [[plain(batch) for batch in loader] for _ in range(2)]
    assert epochs == [[[0], [1], [2], [3], [4]]] * 2


def test_persistent_workers_start_afresh_after_a_break() -> None:
    loader = DataLoader(Images(), batch_size=2, num_workers=2, persistent_workers=True)
    whole = [plain(batch) for batch in loader]
    for _ in loader:
        break
    assert [plain(batch) for batch in loader] == whole


def test_older_iteration_over_persistent_workers_is_refused() -> None:
    loader = DataLoader(Images(), num_workers=1, persistent_workers=True)
    older = iter(loader)
    next(older)
    newer = iter(loader)
    next(newer)
    with pytest.raises(ArgumentError, match="one iteration runs at a time"):
        next(older)
    assert plain(next(newer)[1]["label"]) == [1]


def test_workers_without_persistence_end_with_the_epoch() -> None:
    loader = DataLoader(Images(), num_workers=2)
    list(loader)
    assert multiprocessing.active_children() == []


def test_loaders_in_several_threads_do_not_hang_each_other() -> None:
    def read(number: int) -> int:
        loader = DataLoader(Images(20), batch_size=2, num_workers=2, timeout=20)
        return sum(images.shape[0] for images, _ in loader)

    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(read, range(6))) == [20] * 6


@pytest.mark.parametrize("shared", [True, False])
def test_leaving_the_loop_early_ends_the_workers(shared: bool) -> None:
    for _ in DataLoader(Images(200), num_workers=2, use_shared_memory=shared):
        assert len(multiprocessing.active_children()) == 2
        break
    assert multiprocessing.active_children() == []


def test_worker_that_is_busy_does_not_hold_up_leaving() -> None:
    slow = Images(4, act=lambda i: time.sleep(60 if i else 0))
    start = time.monotonic()
    for _ in DataLoader(slow, num_workers=2):
        break
    assert time.monotonic() - start < 5


def test_exception_in_a_worker_is_raised_with_its_class_and_traceback() -> None:
    def fail(index: int) -> None:
        if index == 3:
            raise KeyError("no such picture")

    with pytest.raises(WorkerError) as caught:
        batches(Images(act=fail), batch_size=2, num_workers=2)
    text = str(caught.value)
    assert "KeyError in worker 1: 'no such picture'" in text
    assert "in fail" in text
    assert text.count("Traceback") == 1


def test_exception_of_a_class_that_does_not_pickle_is_raised_too() -> None:
    class LocalError(Exception):
        pass

    def fail(index: int) -> None:
        raise LocalError("lost")

    with pytest.raises(RuntimeError, match=r"LocalError in worker 0: lost"):
        batches(Images(act=fail), num_workers=1)


def test_batches_before_the_exception_arrive() -> None:
    def fail(index: int) -> None:
        if index == 5:
            raise ValueError(index)

    seen = []
    with pytest.raises(WorkerError, match="ValueError in worker 1: 5"):
        for batch in DataLoader(Images(act=fail), num_workers=2):
            seen += plain(batch[1]["label"])
    assert seen == [0, 1, 2, 3, 4]


def test_exception_in_the_init_function_is_raised() -> None:
    def init(number: int) -> None:
        raise OSError("no disk")

    with pytest.raises(WorkerError, match="OSError in worker 0: no disk"):
        batches(Images(), num_workers=2, worker_init_fn=init)


def test_loader_can_be_used_again_after_a_failure() -> None:
    trouble = multiprocessing.Value("i", 1)

    def fail(index: int) -> None:
        if trouble.value:
            raise ValueError(index)

    loader = DataLoader(Images(act=fail), num_workers=2, persistent_workers=True)
    with pytest.raises(WorkerError):
        list(loader)
    trouble.value = 0
    assert len(list(loader)) == 13


def test_samples_that_cannot_cross_are_explained() -> None:
    with pytest.raises(WorkerError, match="pickle"):
        batches(Answers(lambda i: lambda: i), num_workers=1, collate_fn=lambda batch: batch)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_worker_is_an_error_and_no_hang(number: signal.Signals) -> None:
    def die(index: int) -> None:
        if index == 3:
            os.kill(os.getpid(), number)

    with pytest.raises(WorkerError, match=rf"worker 1 \(process \d+\) was killed by {number.name}"):
        batches(Images(act=die), batch_size=2, num_workers=2)


def test_worker_that_exits_is_an_error() -> None:
    with pytest.raises(WorkerError, match="exit code 3"):
        batches(Images(act=lambda index: os._exit(3)), num_workers=1)


def test_worker_killed_between_epochs_is_an_error() -> None:
    loader = DataLoader(Images(), num_workers=2, persistent_workers=True)
    list(loader)
    victim = multiprocessing.active_children()[0]
    os.kill(victim.pid, signal.SIGKILL)
    victim.join(5)
    with pytest.raises(WorkerError, match="killed by SIGKILL"):
        list(loader)


def test_late_batch_is_a_timeout_error() -> None:
    slow = Images(act=lambda index: time.sleep(30))
    with pytest.raises(WorkerTimeoutError, match=r"no batch within 0\.2 seconds"):
        batches(slow, num_workers=2, timeout=0.2)
    assert issubclass(WorkerTimeoutError, TimeoutError)


def test_batch_in_time_is_no_timeout() -> None:
    assert len(batches(Images(), num_workers=2, timeout=30)) == 13


@needs_linux
def test_no_room_in_shared_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(transport.os, "posix_fallocate", full)
    with pytest.raises(WorkerError, match=r"no room for a batch(.|\n)*--shm-size"):
        batches(Images(), num_workers=1)


SCRIPT = """
import os, sys, time
import numpy as np
from twinoar.io import DataLoader, Dataset

class Images(Dataset):
    def __getitem__(self, index):
        return np.zeros((3, 64, 64), "float32")
    def __len__(self):
        return 10_000

if __name__ == "__main__":
    loader = DataLoader(Images(), batch_size=4, num_workers=2, persistent_workers={persistent})
    for number, batch in enumerate(loader):
        if number == 3:
            print("running", flush=True)
        time.sleep(0.02)
"""


def start(tmp_path: Path, text: str) -> subprocess.Popen[str]:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(text))
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def processes_of(session: int) -> list[int]:
    """Processes of a session that are not zombies."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(folder.name))
    return found


def wait_until_gone(session: int, seconds: float) -> list[int]:
    deadline = time.monotonic() + seconds
    while (left := processes_of(session)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


@needs_linux
@pytest.mark.parametrize("whole_group", [True, False])
@pytest.mark.parametrize("persistent", [True, False])
def test_ctrl_c_leaves_no_process_and_no_noise(
    tmp_path: Path, persistent: bool, whole_group: bool
) -> None:
    process = start(tmp_path, SCRIPT.format(persistent=persistent))
    assert process.stdout.readline() == "running\n"
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert wait_until_gone(process.pid, 5) == []
    assert segments(process.pid) == []
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert errors.count("Traceback") == 1
    assert "leaked" not in errors


@needs_linux
def test_killed_loader_takes_its_workers_along(tmp_path: Path) -> None:
    process = start(tmp_path, SCRIPT.format(persistent=False))
    assert process.stdout.readline() == "running\n"
    process.kill()
    process.wait()
    assert wait_until_gone(process.pid, 10) == []
    assert segments(process.pid) == []
    process.stdout.close()
    process.stderr.close()


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_workers_can_be_started_afresh(tmp_path: Path, method: str) -> None:
    text = f"""
    import multiprocessing
    import numpy as np
    from twinoar.io import DataLoader

    if __name__ == "__main__":
        multiprocessing.set_start_method({method!r})
        data = [(np.full(3, i, "float32"), i) for i in range(5)]
        loader = DataLoader(data, batch_size=2, num_workers=2)
        print([labels.tolist() for _, labels in loader])
        try:
            list(DataLoader(data, num_workers=1, collate_fn=lambda batch: batch))
        except ValueError as error:
            print(type(error).__name__, "cure: define" in str(error))
    """
    output, errors = start(tmp_path, text).communicate(timeout=60)
    assert (output, errors) == ("[[0, 1], [2, 3], [4]]\nArgumentError True\n", "")


@needs_linux
@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_nothing_is_left_where_all_processes_are_killed_at_once(
    tmp_path: Path, method: str
) -> None:
    chosen = f"    __import__('multiprocessing').set_start_method({method!r})\n    loader ="
    text = SCRIPT.format(persistent=False).replace("    loader =", chosen)
    process = start(tmp_path, text)
    assert process.stdout is not None and process.stdout.readline() == "running\n"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(30)
    assert segments(process.pid) == []
