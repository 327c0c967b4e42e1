"""The page about Paddle 1's names says what there is: every name has a row, every row is right.

The rows of `fluid.layers` come from the docstrings; `python tests/fluid/test_page.py` writes them.
"""

from __future__ import annotations

import operator
import re
from pathlib import Path
from types import ModuleType

import pytest

import twinoar
from twinoar import dataset, fluid, static
from twinoar.fluid import (
    clip,
    dygraph,
    initializer,
    io,
    layers,
    metrics,
    optimizer,
    regularizer,
)

PAGE = Path(__file__).parents[2] / "docs" / "fluid.md"
MARK = "<!-- what follows is written by: python tests/fluid/test_page.py -->\n"
ROW = re.compile(r"^\| (?P<older>.+?) \| (?P<today>.+?) \|$", re.MULTILINE)
CODE = re.compile(r"`([\w.]+)[^`]*`")
MODERN = re.compile(r"Modern spelling: (`.+?`)\.\s*$", re.DOTALL)
HEAD = "| Paddle 1.8 | today |\n|---|---|\n"
TABLES: dict[str, ModuleType] = {
    "fluid": fluid,
    "fluid.clip": clip,
    "fluid.dygraph": dygraph,
    "fluid.initializer": initializer,
    "fluid.io": io,
    "fluid.metrics": metrics,
    "fluid.optimizer": optimizer,
    "fluid.regularizer": regularizer,
    "paddle.dataset": dataset,
}
IN_ROWS_OF_THEIR_NAMES = {
    "fluid.clip", "fluid.initializer", "fluid.io", "fluid.metrics", "fluid.optimizer",
    "fluid.regularizer",
}  # fmt: skip


def layer_rows() -> str:
    """The table of `fluid.layers`, from what the docstrings call the modern spelling."""
    return HEAD + "".join(f"| `fluid.layers.{n}` | {today(n)} |\n" for n in layers.__all__)


def today(name: str) -> str:
    found = MODERN.search(getattr(layers, name).__doc__ or "")
    if found is None:
        here = hasattr(static.nn, name)
        return f"`paddle.static.nn.{name}`" if here else "cells and loops in Python"
    spelling = " ".join(found[1].split()).partition(" # ")
    code = (spelling[2] or spelling[0]).strip("`")
    for short, whole in (("F.", "paddle.nn.functional."), ("static.", "paddle.static.")):
        code = re.sub(rf"(?<![\w.]){re.escape(short)}", whole, code)
    return f"`{code}`".replace("|", "\\|").replace("( ", "(")


def resolved(name: str) -> object:
    root, _, rest = name.partition(".")
    start = {"fluid": fluid, "paddle": twinoar}[root]
    return operator.attrgetter(rest)(start) if rest else start


def rows() -> list[re.Match[str]]:
    text = PAGE.read_text().partition(MARK)[0]
    return [row for row in ROW.finditer(text) if not row["older"].startswith("Paddle 1.8")]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["older"][:40])
def test_both_sides_of_a_row_are_there(row: re.Match[str]) -> None:
    assert CODE.findall(row["older"])[0].startswith(("fluid", "paddle.dataset"))
    for name in CODE.findall(row[0]):
        if name.startswith(("fluid", "paddle")):
            resolved(name)


@pytest.mark.parametrize("prefix", TABLES)
def test_every_public_name_has_a_row(prefix: str) -> None:
    known = {name for row in rows() for name in CODE.findall(row["older"])}
    wanted = {f"{prefix}.{name}" for name in TABLES[prefix].__all__}
    assert wanted - known - IN_ROWS_OF_THEIR_NAMES == set()


def test_every_layer_has_its_row() -> None:
    assert PAGE.read_text().partition(MARK)[2].strip() == layer_rows().strip()


if __name__ == "__main__":
    before = PAGE.read_text().partition(MARK)[0]
    PAGE.write_text(f"{before}{MARK}\n{layer_rows()}")
