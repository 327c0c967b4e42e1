"""A few mutants of each format; many are made by `python -m tests.formats.hostile`."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.formats.hostile import __main__ as driver
from tests.formats.hostile.kinds import INPUTS, KINDS, Kind

COUNT = 30


@pytest.mark.parametrize("name", KINDS)
def test_good_files_are_read_and_mutants_end_in_an_error_of_ours(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    good = kind.make(tmp_path)
    for number, files in enumerate(good):
        folder = tmp_path / f"good{number}"
        folder.mkdir()
        for file, data in files.items():
            (folder / file).write_bytes(data)
        assert driver.outcome(kind, folder) == driver.GOOD
    found = driver.run(kind, good, [f"{name} 0 {n}" for n in range(COUNT)])
    assert {seed: told for seed, told in found.items() if told not in driver.FINE} == {}
    assert driver.REFUSED in found.values()


def reading(act: object) -> Kind:
    return Kind(lambda _: [{"x": b"1234"}], act, ("x",))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda _: os._exit(3), "the process died"),
        (lambda _: time.sleep(60), "hangs"),
        (lambda _: os.system("true"), "acted: os.system"),
        (lambda _: Path("/etc/new").write_text("x"), "acted: open"),
        (lambda _: bytearray(200 << 20), "of memory"),
        (lambda _: bytearray(1 << 40), "MemoryError"),
        (lambda _: [][1], "IndexError"),
    ],
    ids=["dies", "hangs", "runs", "writes", "grows", "asks for all", "stumbles"],
)
def test_what_goes_wrong_is_seen(act: object, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "SECONDS", 5)
    monkeypatch.setattr(driver, "GROWTH", 100 << 20)
    warmed = []

    def after_the_first(folder: Path) -> object:
        if warmed:
            act(folder)  # type: ignore[operator]
        warmed.append(folder)  # in the process that reads
        return None

    kind = reading(after_the_first)
    found = driver.run(kind, [{"x": b"1234"}], ["0"])
    assert said in found["0"]


def test_inputs_are_not_changed(tmp_path: Path) -> None:
    kind = reading(lambda _: None)
    for seed in range(20):
        driver.make(kind, [{"x": b"1234", INPUTS: b"kept"}], str(seed), tmp_path)
        assert (tmp_path / INPUTS).read_bytes() == b"kept"


def test_equal_seeds_give_equal_mutants(tmp_path: Path) -> None:
    made = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        driver.make(reading(lambda _: None), [{"x": bytes(100)}], "7", folder)
        made.append((folder / "x").read_bytes())
    assert made[0] == made[1] != bytes(100)
