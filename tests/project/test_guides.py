"""The tables of the guides name what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.test_api_page import ABSENT, find

PAGE = Path(__file__).parents[2] / "docs" / "from_pytorch.md"
SHORT = {"F": "paddle.nn.functional", "nn": "paddle.nn", "x": "paddle.Tensor", "paddle": "paddle"}
SHORT |= {"layer": "paddle.nn.Layer", "optimizer": "paddle.optimizer.Optimizer"}
NAME = re.compile(rf"\b({'|'.join(SHORT)})((?:\.[A-Za-z_]\w*)+)")


def names() -> list[str]:
    """The public names in the right column of the table of names."""
    rows = re.findall(r"^\| `.+? \| (.+) \|$", PAGE.read_text(), re.MULTILINE)
    found = {SHORT[root] + rest for row in rows for root, rest in NAME.findall(row)}
    return sorted(found)


@pytest.mark.parametrize("name", names())
def test_a_name_in_the_table_is_there(name: str) -> None:
    assert find(name) is not ABSENT


def test_the_table_is_found() -> None:
    assert len(names()) > 40
