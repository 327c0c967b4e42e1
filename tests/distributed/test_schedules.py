"""Schedules of pipelines: complete, without a deadlock, with the bubbles that papers state."""

import pytest

from twinoar.distributed.fleet.schedule import (
    SCHEDULES,
    Command,
    alive,
    timeline_of,
)
from twinoar.errors import ArgumentError

SIZES = [(2, 1), (2, 4), (3, 2), (4, 4), (4, 8), (8, 32)]
ONE_CHUNK = ("1F1B", "FThenB", "ZBH1")


def made(name, ranks, micros):
    return SCHEDULES[name](ranks, micros, 1)


@pytest.mark.parametrize("name", ONE_CHUNK)
@pytest.mark.parametrize(("ranks", "micros"), SIZES)
def test_each_rank_does_each_micro_batch_once_and_none_waits_for_ever(name, ranks, micros):
    schedule = made(name, ranks, micros)
    kinds = ("forward", "input", "weight") if name == "ZBH1" else ("forward", "backward")
    for row in schedule:
        assert sorted(map(str, row)) == sorted(
            str(Command(kind, m)) for kind in kinds for m in range(micros)
        )
    assert timeline_of(schedule).span > 0


@pytest.mark.parametrize(("ranks", "micros"), [(2, 2), (2, 6), (4, 8)])
@pytest.mark.parametrize("chunks", [2, 3])
def test_chunks_take_turns_without_waiting_for_ever(ranks, micros, chunks):
    schedule = SCHEDULES["VPP"](ranks, micros, chunks)
    assert all(len(set(row)) == len(row) == 2 * micros * chunks for row in schedule)
    part = {"forward": 1 / chunks, "backward": 2 / chunks}
    assert timeline_of(schedule, part).bubble == pytest.approx(3 * (ranks - 1) / chunks)


@pytest.mark.parametrize(("ranks", "micros"), [(2, 4), (4, 8), (8, 32)])
def test_bubbles_are_those_of_the_papers(ranks, micros):
    """A forward takes 1, a backward 2, each half of one 1."""
    bubbles = {name: timeline_of(made(name, ranks, micros)).bubble for name in ONE_CHUNK}
    whole = 3 * (ranks - 1)
    assert bubbles == {"1F1B": whole, "FThenB": whole, "ZBH1": ranks - 1}


@pytest.mark.parametrize(("ranks", "micros"), SIZES)
def test_ranks_keep_at_most_as_many_micro_batches_as_there_are_stages(ranks, micros):
    least = [min(ranks - r, micros) for r in range(ranks)]
    assert [alive(row) for row in made("1F1B", ranks, micros)] == least
    assert max(alive(row) for row in made("ZBH1", ranks, micros)) <= ranks
    assert [alive(row) for row in made("FThenB", ranks, micros)] == [micros] * ranks


def test_a_share_of_waiting_falls_with_more_micro_batches():
    shares = [timeline_of(made("1F1B", 4, m)).bubble_share for m in (4, 8, 16)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == pytest.approx(3 / 7)


def test_a_schedule_that_waits_for_ever_is_named():
    wrong = (
        (Command("backward", 0), Command("forward", 0)),
        (Command("forward", 0), Command("backward", 0)),
    )
    with pytest.raises(ArgumentError, match="rank 0 in B0, rank 1 in F0"):
        timeline_of(wrong)


@pytest.mark.parametrize("name", ONE_CHUNK)
def test_chunks_need_their_own_schedule(name):
    with pytest.raises(ArgumentError, match="VPP"):
        SCHEDULES[name](2, 4, 2)


def test_chunks_need_a_multiple_of_the_ranks():
    with pytest.raises(ArgumentError, match="multiple of pp_degree"):
        SCHEDULES["VPP"](4, 6, 2)
