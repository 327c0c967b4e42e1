"""The tables of the guides name what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.test_api_page import ABSENT, find

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "from_pytorch.md", DOCS / "from_keras.md"]
SHORT = {"F": "paddle.nn.functional", "nn": "paddle.nn", "x": "paddle.Tensor", "paddle": "paddle"}
SHORT |= {"layer": "paddle.nn.Layer", "optimizer": "paddle.optimizer.Optimizer"}
NAME = re.compile(rf"\b({'|'.join(SHORT)})((?:\.[A-Za-z_]\w*)+)")


def names(page: Path) -> list[str]:
    """The public names in the right column of the table of names."""
    rows = re.findall(r"^\| `.+? \| (.+) \|$", page.read_text(), re.MULTILINE)
    found = {SHORT[root] + rest for row in rows for root, rest in NAME.findall(row)}
    return sorted(found)


@pytest.mark.parametrize("name", sorted({name for page in PAGES for name in names(page)}))
def test_a_name_in_the_table_is_there(name: str) -> None:
    assert find(name) is not ABSENT


@pytest.mark.parametrize("page", sorted((DOCS / "tutorials").glob("*.md")), ids=lambda p: p.stem)
def test_a_tutorial_is_short_and_stands_in_the_list(page: Path) -> None:
    assert page.read_text().count("\n") <= 150
    assert page.stem == "index" or f"({page.name})" in (DOCS / "tutorials" / "index.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_table_is_found(page: Path) -> None:
    assert len(names(page)) > 40
