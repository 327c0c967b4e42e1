"""Data sets of slots in several workers: lines are dealt out anew, the same in each run."""

from pathlib import Path

import pytest

import twinoar as paddle
from tests.distributed.ps.jobs import job, network, tables
from twinoar import static
from twinoar.distributed import InMemoryDataset
from twinoar.distributed.dataset import dealt
from twinoar.distributed.ps.peers import Peers
from twinoar.errors import TypeMismatchError
from twinoar.runtime.collective import run_ranks


def loaded(folder: Path, worker: int, lines: int) -> InMemoryDataset:
    file = folder / f"part{worker}"
    first = 100 * worker
    rows = (range(first, first + lines), [n % 3 + 1 for n in range(lines)])
    text = "".join(f"1 {n} {k} {' '.join(['0.5'] * k)}\n" for n, k in zip(*rows, strict=True))
    file.write_text(text)
    found = InMemoryDataset()
    found.init(use_var=variables())
    found.set_filelist([str(file)])
    found.load_into_memory()
    return found


def variables():
    paddle.enable_static()
    try:
        with static.program_guard(static.Program(), static.Program()):
            return [static.data("n", [None, 1], "int64"), static.data("x", [None, None])]
    finally:
        paddle.disable_static()


def dealt_out(folder: Path, lines: tuple[int, int]) -> list[list[tuple[int, int]]]:
    """What two workers of servers have after a global shuffle: numbers, and counts of values."""
    data = [loaded(folder, worker, count) for worker, count in enumerate(lines)]
    with job(tables(network(), 1), servers=1) as jobs:

        def work(worker, there):
            peers = Peers(lambda: there, worker, 2)
            return dealt(data[worker]._in_memory(), peers, 2)

        found = jobs.work(work)
    return [[(int(n[0]), len(x)) for n, x in samples] for samples in found]


@pytest.mark.parametrize("lines", [(30, 21), (1, 0), (0, 0)])
def test_lines_are_dealt_out_evenly_and_each_once(tmp_path, lines) -> None:
    first, second = dealt_out(tmp_path, lines)
    wanted = [100 * w + n for w, count in enumerate(lines) for n in range(count)]
    assert sorted(n for n, _ in (*first, *second)) == wanted
    assert abs(len(first) - len(second)) <= 2
    assert all(k == n % 100 % 3 + 1 for n, k in (*first, *second))
    assert [first, second] == dealt_out(tmp_path, lines)


def test_lines_are_mixed_between_workers(tmp_path) -> None:
    first, _ = dealt_out(tmp_path, (40, 40))
    assert 10 < sum(n >= 100 for n, _ in first) < 30
    assert [n for n, _ in first] != sorted(n for n, _ in first)


def test_ranks_of_a_job_deal_lines_out_too(tmp_path) -> None:
    data = [loaded(tmp_path, worker, 8) for worker in range(2)]

    def shuffle() -> tuple[int, int]:
        own = data[paddle.distributed.get_rank()]
        own.global_shuffle()
        return own.get_memory_data_size(), own.get_memory_data_size(fleet=True)

    assert run_ranks(2, shuffle) == [(8, 16), (8, 16)]


def test_what_workers_of_servers_gather_is_plain() -> None:
    with job(tables(network(), 1), servers=1) as jobs:

        def work(worker, there):
            peers = Peers(lambda: there, worker, 2)
            gathered = peers.all_gather_object({"worker": worker, "x": [1.5, None]})
            with pytest.raises(TypeMismatchError, match="arrays and plain values"):
                peers.all_gather_object(work)
            return gathered

        found = jobs.work(work)
    assert found[0] == found[1] == [{"worker": w, "x": [1.5, None]} for w in (0, 1)]
