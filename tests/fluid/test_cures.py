"""What is said to write instead of a name of Paddle 1.8: it exists, and is no detour."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import twinoar
import twinoar.fluid
from tests.project.test_api_page import ABSENT, find

NAMES = Path(__file__).parents[1] / "project" / "public_names.txt"
DOTTED = re.compile(r"\b(?:paddle|twinoar|fluid)(?:\.[A-Za-z_]\w*)+")
# Functions of the same name that do another thing.
OTHERS = {
    "load": "fills a variable of a running Program",
    "ops": "the operators by name",
    "read_file": "reads from a queue",
}


def tables() -> Iterator[tuple[str, str, str]]:
    """The module, the name that it lacks, and the cure, of each name of `twinoar.fluid`."""
    prefix = "twinoar.fluid."
    for module in pkgutil.walk_packages(twinoar.fluid.__path__, prefix):
        refuse = getattr(importlib.import_module(module.name), "__getattr__", None)
        instead = inspect.getclosurevars(refuse).nonlocals.get("instead", {}) if refuse else {}
        yield from ((module.name, name, cure) for name, cure in instead.items())


CURES = [pytest.param(name, cure, id=f"{m[8:]}.{name}") for m, name, cure in tables()]


def written(name: str) -> str:
    """The name without the differences between Paddle 1.8 and 2."""
    return name.lower().replace("_", "")


def functions() -> dict[str, list[str]]:
    """The public functions outside of `twinoar.fluid`, by the name as `written`."""
    found: dict[str, list[str]] = {}
    for line in NAMES.read_text().splitlines():
        if not line.startswith("twinoar.fluid"):
            found.setdefault(written(line.rpartition(".")[2]), []).append(line)
    return found


FUNCTIONS = functions()


def absent(cure: str) -> list[str]:
    """What the cure names, and twinoar has not."""
    names = [re.sub("^fluid", "paddle.fluid", name) for name in DOTTED.findall(cure)]
    return [name for name in names if find(re.sub("^twinoar", "paddle", name)) is ABSENT]


def is_detour(name: str, cure: str) -> bool:
    """Whether there is a function of that name, and the cure names none of those."""
    there = FUNCTIONS.get(written(name), [])
    return bool(there) and not any(line.replace("twinoar", "paddle", 1) in cure for line in there)


@pytest.mark.parametrize(("name", "cure"), CURES)
def test_a_cure_names_what_exists_and_no_detour(name: str, cure: str) -> None:
    assert absent(cure) == []
    assert name in OTHERS or not is_detour(name, cure)


def test_all_tables_are_found() -> None:
    modules = {module for module, _, _ in tables()}
    assert len(CURES) > 100 and {"twinoar.fluid.layers", "twinoar.fluid.io"} <= modules


@pytest.mark.parametrize(
    ("name", "cure"),
    [("roi_align", "crop with fluid.layers.crop_tensor"), ("lstm", "use fluid.layers.rnn")],
)
def test_a_detour_is_found(name: str, cure: str) -> None:
    assert is_detour(name, cure)


def test_a_name_that_is_not_there_is_found() -> None:
    cure = "use paddle.nn.gone, fluid.layers.gone, or paddle.abs"
    assert absent(cure) == ["paddle.nn.gone", "paddle.fluid.layers.gone"]
