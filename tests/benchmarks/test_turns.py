"""The clockwork of the benchmarks: peers take turns, blocks are long enough, failures are told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import turns

PEER = """
import sys, time
sys.path.insert(0, {folder!r})
from turns import serve
def work():
    print("noise from the work")
    time.sleep({milliseconds} / 1000)
serve({name!r}, {{"work": lambda: work}})
"""

COUNTER = """
import itertools, sys
sys.path.insert(0, {folder!r})
from turns import serve
numbers = itertools.count(1)
serve("counter", {{"count": lambda: lambda: next(numbers), "fail": lambda: lambda: 1 / 0}})
"""

REFUSED = """
import sys
sys.path.insert(0, {folder!r})
from turns import serve
def check(name):
    raise RuntimeError("not " + name)
serve("refused", {{"work": lambda: float}}, check=check)
"""


def command(folder: Path, name: str, milliseconds: float) -> list[str]:
    script = folder / f"{name}.py"
    home = str(Path(turns.__file__).parent)
    script.write_text(PEER.format(folder=home, name=name, milliseconds=milliseconds))
    return [sys.executable, str(script)]


def test_each_peer_is_timed_for_each_work(tmp_path: Path) -> None:
    commands = [command(tmp_path, "slow", 5), command(tmp_path, "quick", 1)]
    medians = turns.measure(commands, ["work"], blocks=3, seconds=0.02)
    assert list(medians["work"]) == ["slow", "quick"]
    assert medians["work"]["slow"] >= 0.005
    assert medians["work"]["quick"] < medians["work"]["slow"]


def test_results_are_numbers_of_calls(tmp_path: Path) -> None:
    script = tmp_path / "counter.py"
    script.write_text(COUNTER.format(folder=str(Path(turns.__file__).parent)))
    with turns.started([[sys.executable, str(script)]]) as (peer,):
        assert peer.works == ("count", "fail")
        assert peer.results("count", 3) == [1.0, 2.0, 3.0]
        assert peer.results("count", 1) == [4.0]


def test_a_work_that_fails_is_an_error_and_the_peer_goes_on(tmp_path: Path) -> None:
    script = tmp_path / "counter.py"
    script.write_text(COUNTER.format(folder=str(Path(turns.__file__).parent)))
    with turns.started([[sys.executable, str(script)]]) as (peer,):
        with pytest.raises(turns.PeerError, match="counter: ZeroDivisionError"):
            peer.results("fail", 1)
        assert peer.results("count", 1) == [1.0]


def test_a_peer_that_cannot_start_is_an_error_with_its_command(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"missing\.py ended with 2"):
        turns.measure([[sys.executable, str(tmp_path / "missing.py")]], ["work"], 1, 0.01)


def test_a_block_lasts_at_least_half_of_what_is_asked() -> None:
    calls = []
    turns.seconds_per_call(lambda: calls.append(turns.time.perf_counter()), 0.02)
    assert calls[-1] - calls[0] >= 0.009


def test_the_table_gives_ratios_to_the_reference() -> None:
    text = turns.table({"add": {"a": 2e-6, "b": 1e-6}}, reference="b")
    assert text.splitlines()[1].split() == ["add", "2.00", "(2.00x)", "1.00", "(1.00x)"]


def test_a_work_that_the_check_refuses_is_an_error(tmp_path: Path) -> None:
    script = tmp_path / "refused.py"
    script.write_text(REFUSED.format(folder=str(Path(turns.__file__).parent)))
    with (
        turns.started([[sys.executable, str(script)]]) as (peer,),
        pytest.raises(turns.PeerError, match="refused: RuntimeError: not work"),
    ):
        peer.results("work", 1)
