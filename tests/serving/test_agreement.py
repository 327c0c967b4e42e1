"""What several processes agree on: a change is done in all of them, or in none."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving.live import wait_until
from tests.serving.models import scaling
from twinoar.errors import ServingError
from twinoar.serving.agreement import Agreement, SharedControl
from twinoar.serving.control import Change
from twinoar.serving.repository import Repository
from twinoar.serving.shared_memory import Regions, Registration

LOAD = Change("load", "m")


class Member:
    """A process as who began it sees it: what was said to it, and whether it is gone."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.gone = False

    def send(self, message: Any) -> None:
        if self.gone:
            raise BrokenPipeError
        self.heard.append(message)

    def take(self) -> list[Any]:
        found, self.heard = self.heard, []
        return found


def agreed(count: int = 2, standing: tuple[Change, ...] = ()) -> tuple[Agreement, list[Member]]:
    agreement, members = Agreement(standing), [Member() for _ in range(count)]
    for member in members:
        agreement.join(member)
    return agreement, members


def test_a_change_is_done_when_all_are_ready_and_answered_when_all_have_done_it() -> None:
    agreement, (one, two) = agreed()
    agreement.hear(one, ("ask", 7, LOAD))
    assert one.take() == two.take() == [("ready", 0, LOAD)]
    agreement.hear(two, ("done", 0, None, (1, 2)))
    assert one.heard == two.heard == []
    agreement.hear(one, ("done", 0, None, (1, 2)))
    assert one.take() == two.take() == [("commit", 0)]
    agreement.hear(one, ("done", 0, None, None))
    assert one.heard == []
    agreement.hear(two, ("done", 0, None, None))
    assert (one.take(), two.take()) == ([("answer", 7, None)], [])
    assert agreement.standing() == [LOAD.with_versions((1, 2))]


def test_a_change_that_one_cannot_make_is_dropped_by_all() -> None:
    agreement, (one, two) = agreed()
    failure = ("INVALID_ARGUMENT", "m cannot be loaded")
    agreement.hear(one, ("ask", 7, LOAD))
    agreement.hear(two, ("done", 0, failure, None))
    agreement.hear(one, ("done", 0, None, (1,)))
    assert one.take()[1:] == [("drop", 0, failure), ("answer", 7, failure)]
    assert two.take()[1:] == [("drop", 0, failure)]
    assert agreement.standing() == []


def test_one_that_begins_meanwhile_is_waited_for_too() -> None:
    agreement, (one,) = agreed(1)
    agreement.hear(one, ("ask", 7, LOAD))
    later = Member()
    assert agreement.standing() == []  # so it has to be told
    agreement.join(later)
    agreement.hear(one, ("done", 0, None, (1,)))
    assert later.take() == [("ready", 0, LOAD)]
    agreement.hear(later, ("done", 0, None, (1,)))
    assert later.take() == [("commit", 0)]


def test_what_ends_a_process_while_it_is_made_ready_does_not_end_the_others() -> None:
    agreement, (one, two) = agreed()
    agreement.hear(one, ("ask", 7, LOAD))
    agreement.hear(one, ("done", 0, None, (1,)))
    two.gone = True
    agreement.leave(two)
    _, dropped, answer = one.take()
    assert dropped[0] == "drop"
    assert answer[2][0] == "INTERNAL"
    assert agreement.standing() == []


def test_one_that_ends_while_a_change_is_done_is_not_waited_for() -> None:
    agreement, (one, two) = agreed()
    agreement.hear(one, ("ask", 7, LOAD))
    for member in (one, two):
        agreement.hear(member, ("done", 0, None, (1,)))
    agreement.hear(one, ("done", 0, None, None))
    agreement.leave(two)
    assert one.take()[-1] == ("answer", 7, None)
    assert agreement.standing() == [LOAD.with_versions((1,))]


def test_changes_of_one_model_come_one_after_the_other_and_others_beside() -> None:
    agreement, (one,) = agreed(1)
    unload, other = Change("unload", "m"), Change("load", "other")
    for ticket, change in enumerate((LOAD, unload, other)):
        agreement.hear(one, ("ask", ticket, change))
    assert one.take() == [("ready", 0, LOAD), ("ready", 1, other)]
    agreement.hear(one, ("done", 0, None, (1,)))
    agreement.hear(one, ("done", 0, None, None))
    assert one.take()[1:] == [("answer", 0, None), ("ready", 2, unload)]
    agreement.hear(one, ("done", 2, None, None))
    agreement.hear(one, ("done", 2, None, None))
    assert agreement.standing() == []


def test_who_begins_later_has_the_versions_of_the_first() -> None:
    agreement, (one,) = agreed(1, (LOAD, Change("load", "bad")))
    agreement.hear(one, ("serves", {"m": (3,)}))
    assert [change.versions for change in agreement.standing()] == [(3,), None]


def test_who_waits_at_the_end_is_told_so() -> None:
    agreement, (one,) = agreed(1)
    agreement.hear(one, ("ask", 7, LOAD))
    agreement.close()
    assert one.take()[-1][:2] == ("answer", 7)


class Together:
    """Processes that are in this one, and who began them, on a thread."""

    def __init__(self, *folders: Path):
        self.agreement = Agreement()
        self.controls: list[SharedControl] = []
        self._said: queue.Queue[Any] = queue.Queue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        for folder in folders:
            self.join(folder)

    def join(self, folder: Path) -> SharedControl:
        """Begin one, with what stands."""
        said, repository = self._said, Repository(folder, shared=True)

        class Up:
            def send(self, message: Any) -> None:
                said.put((down, message))

        class Down:
            def send(self, message: Any) -> None:
                control.hear(message)

        down = Down()
        control = SharedControl(repository, Regions(folder=folder), Up())
        for change in self.agreement.standing():
            control.ready(change).commit()
        self.agreement.join(down)
        control.begin()
        self.controls.append(control)
        return control

    def close(self) -> None:
        for control in self.controls:
            control.repository.close(10)
        self._said.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (heard := self._said.get()) is not None:
            self.agreement.hear(*heard)


@pytest.fixture
def together() -> Iterator[Callable[..., Together]]:
    made: list[Together] = []
    yield lambda *folders: made.append(Together(*folders)) or made[-1]
    for one in made:
        one.close()


def test_a_model_that_is_loaded_by_one_is_loaded_by_all(
    tmp_path: Path, together: Callable[..., Together]
) -> None:
    scaling(tmp_path, "m", 2.0)
    all_ = together(tmp_path, tmp_path)
    all_.controls[0].change(LOAD)
    assert [c.repository.versions("m") for c in all_.controls] == [["1"], ["1"]]
    scaling(tmp_path, "m", 3.0, version=2)
    all_.join(tmp_path)
    assert all_.controls[2].repository.versions("m") == ["1"]  # as the others
    all_.controls[2].change(LOAD)
    assert [c.repository.versions("m") for c in all_.controls] == [["2"]] * 3
    all_.controls[1].change(Change("unload", "m"))
    assert not any(c.repository.is_ready("m") for c in all_.controls)


def test_a_model_that_one_cannot_load_stays_as_it_was_in_all(
    tmp_path: Path, together: Callable[..., Together]
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        scaling(folder, "m", 2.0)
    all_ = together(first, second)
    all_.controls[0].change(LOAD)
    scaling(first, "m", 3.0, version=2)
    (scaling(second, "m", 3.0, version=2) / "2" / "model.pdmodel").write_bytes(b"garbage")
    with pytest.raises(ServingError, match="m cannot be loaded") as caught:
        all_.controls[0].change(LOAD)
    assert caught.value.status == "INVALID_ARGUMENT"
    for control in all_.controls:
        assert control.repository.versions("m") == ["1"]
        wait_until(lambda c=control: "ProgramDesc" in c.repository.index()[0].reason)
    all_.controls[1].change(Change("unload", "m"))  # nothing is held by what was dropped


def test_memory_that_is_registered_with_one_is_with_all_and_with_later_ones(
    tmp_path: Path, together: Callable[..., Together]
) -> None:
    (tmp_path / "key").write_bytes(bytes(8))
    all_ = together(tmp_path, tmp_path)
    told = Registration("r", "/key", 0, 8)
    all_.controls[0].change(Change("register", "r", region=told))
    all_.join(tmp_path)
    assert [c.regions and c.regions.status() for c in all_.controls] == [[told]] * 3
    with pytest.raises(ServingError, match="registered already"):
        all_.controls[1].change(Change("register", "r", region=told))
    all_.controls[1].change(Change("unregister", ""))
    assert [c.regions and c.regions.status() for c in all_.controls] == [[]] * 3
    assert all_.agreement.standing() == []


def test_a_model_that_is_not_loaded_is_not_unloaded(
    tmp_path: Path, together: Callable[..., Together]
) -> None:
    all_ = together(tmp_path, tmp_path)
    with pytest.raises(ServingError, match="unknown model") as caught:
        all_.controls[0].change(Change("unload", "none"))
    assert caught.value.status == "NOT_FOUND"


def test_nobody_waits_for_a_server_that_ends(
    tmp_path: Path, together: Callable[..., Together]
) -> None:
    all_ = together(tmp_path)
    all_.controls[0].close()
    with pytest.raises(ServingError, match="shutting down"):
        all_.controls[0].change(LOAD)
