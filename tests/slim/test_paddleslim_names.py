"""The table of PaddleSlim's names says what is served, and what is not."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "compression.md"
ROW = re.compile(r"\| `(paddleslim[\w.]*)` \| (\d+) of (\d+) \| (.*?) \|")


def names() -> dict[str, list[str]]:
    """The public names of PaddleSlim 2.6 by module."""
    found: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("paddleslim_names.txt").read_text().splitlines():
        module, name = line.split()
        found.setdefault(module, []).append(name)
    return found


def rows() -> dict[str, tuple[int, int, list[str]]]:
    """Of the table, by module: how many are served, of how many, and which are not."""
    return {
        m[1]: (int(m[2]), int(m[3]), re.findall(r"`(\w+)`", m[4]))
        for m in ROW.finditer(PAGE.read_text())
    }


def missing(module: str, wanted: list[str]) -> list[str]:
    place = "twinoar.slim" + module.removeprefix("paddleslim")
    try:
        served = importlib.import_module(place)
    except ModuleNotFoundError:
        return wanted
    return [name for name in wanted if not hasattr(served, name)]


def test_each_module_has_a_row() -> None:
    assert sorted(rows()) == sorted(names())


@pytest.mark.parametrize("module", sorted(names()))
def test_a_row_says_what_is_there(module: str) -> None:
    wanted = names()[module]
    absent = missing(module, wanted)
    assert rows()[module] == (len(wanted) - len(absent), len(wanted), absent)
