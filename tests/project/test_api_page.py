"""docs/api.md says for each public name of Paddle 3.3.1 whether twinoar has it, and how it differs.

`paddle_names.txt` lists Paddle's names, Tensor's attributes among them. What differs stands where
it is tested or told: in tests/paddle and in docs/paddle.md. `make update` writes the page.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import re
from collections import Counter
from itertools import groupby
from pathlib import Path
from types import ModuleType

import pytest

import twinoar

ROOT = Path(__file__).parents[2]
NAMES = Path(__file__).with_name("paddle_names.txt")
PAGE = ROOT / "docs" / "api.md"
PADDLE = ROOT / "docs" / "paddle.md"
SIGNATURES = ROOT / "tests" / "paddle" / "signature_differences.txt"
CALLS = ROOT / "tests" / "paddle" / "call_differences.txt"

ROW = re.compile(r"^\| (`.+?) \| (.+?) \|$", re.MULTILINE)
CODE = re.compile(r"`([\w.]+)`")
ABSENT = object()

HEAD = """# Paddle's names, one by one

For each public name of Paddle 3.3.1: whether it is here under `twinoar`, in the same place; for
those that differ, how. What differs in general is told in [Paddle's names](paddle.md). The names of
Paddle 1.8 have [a page of their own](fluid.md).

| namespace | names | supported | differs | absent |
|---|--:|--:|--:|--:|
"""


def find(name: str, root: ModuleType = twinoar) -> object:
    """What is served under Paddle's `name`, or ABSENT."""
    found: object = root
    path = root.__name__
    _, *parts = name.split(".")
    if parts[0] == "Tensor" and parts[1:]:  # what each tensor has may not stand in the class
        found, parts = root.to_tensor([[1.0]]), parts[1:]
    for part in parts:
        path = f"{path}.{part}"
        try:
            found = getattr(found, part)
        except (AttributeError, ImportError):
            if not isinstance(found, ModuleType):
                return ABSENT
            try:
                found = importlib.import_module(path)
            except ImportError:
                return ABSENT
    return found


def signature(name: str) -> str:
    """The arguments of `name` here."""
    found = find(name)
    try:
        parameters = inspect.signature(found).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return "other arguments"
    written = [
        p.name if p.default is p.empty else f"{p.name}={p.default!r}"
        for p in (p.replace(annotation=p.empty) for p in parameters)
        if p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    return f"other arguments: `({', '.join(written)})`"


def served_in_part(text: str) -> dict[str, str]:
    """What the table of that heading in docs/paddle.md says of each name in it that is one."""
    section = text.partition("## Served in part")[2].partition("\n## ")[0]
    told = {}
    for names, what in ROW.findall(section):
        for name in CODE.findall(names):
            full = f"paddle.{name}"
            if find(full) is not ABSENT and not isinstance(find(full), ModuleType):
                told[full] = "in part: " + re.sub(r"\[(.*?)\]\(\S*?\)", r"\1", what)
    return told


def listed(text: str) -> dict[str, str]:
    """The lines `name: how` of a list; those with # are comments."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {name: how for name, _, how in (line.partition(": ") for line in lines)}


def differences() -> dict[str, str]:
    """What is known of each name that differs."""
    signatures = {f"paddle.{n}": signature(f"paddle.{n}") for n in SIGNATURES.read_text().split()}
    found: dict[str, str] = {}
    for told in (signatures, listed(CALLS.read_text()), served_in_part(PADDLE.read_text())):
        for name, how in told.items():
            found[name] = f"{found[name]}; {how}" if name in found else how
    return found


def namespace(name: str) -> str:
    return name.rpartition(".")[0]


def page(names: list[str], differing: dict[str, str]) -> str:
    sections, summary, total = [], [], Counter[str]()
    for space, members in groupby(sorted(names, key=lambda n: (namespace(n), n)), namespace):
        rows, counts = [], Counter[str]()
        for name in members:
            how = differing.get(name, "")
            state = "absent" if find(name) is ABSENT else "differs" if how else "supported"
            counts[state] += 1
            told = f"differs: {how}".replace("|", "\\|") if state == "differs" else state
            rows.append(f"| `{name[len(space) + 1 :]}` | {told} |")
        link = f"[`{space}`](#{space.replace('.', '').lower()})"
        summary.append(counted(link, counts))
        total += counts
        sections.append("\n".join([f"\n## {space}\n", "| name | here |", "|---|---|", *rows, ""]))
    return HEAD + "\n".join([counted("all", total), *summary, ""]) + "".join(sections)


def counted(what: str, counts: Counter[str]) -> str:
    columns = (counts.total(), counts["supported"], counts["differs"], counts["absent"])
    return f"| {what} | {' | '.join(map(str, columns))} |"


def current() -> str:
    return page(NAMES.read_text().split(), differences())


def test_the_page_says_what_is_there() -> None:
    lines = difflib.unified_diff(
        PAGE.read_text().splitlines(), current().splitlines(), "docs/api.md", "twinoar", n=0
    )
    changed = "\n".join(lines)
    assert not changed, f"`make update` writes the page anew\n{changed}"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("paddle.abs", "| `abs` | supported |"),
        ("paddle.nn.functional.gelu", "| `gelu` | supported |"),
        ("paddle.Tensor.sum", "| `sum` | supported |"),
        ("paddle.nothing_like_it", "| `nothing_like_it` | absent |"),
        ("paddle.nowhere.like_it", "| `like_it` | absent |"),
        ("paddle.full", "| `full` | differs: a \\| b |"),
    ],
)
def test_each_name_gets_its_row(name: str, told: str) -> None:
    assert told in page([name], {"paddle.full": "a | b"}).splitlines()


def test_names_are_counted_by_namespace() -> None:
    found = page(["paddle.abs", "paddle.no_such", "paddle.nn.Linear"], {"paddle.nn.Linear": "so"})
    assert "| all | 3 | 1 | 1 | 1 |" in found
    assert "| [`paddle.nn`](#paddlenn) | 1 | 0 | 1 | 0 |" in found


def test_what_the_page_on_paddle_tells_is_repeated() -> None:
    text = "## Served in part\n| `grad`, `nowhere` | [less](#less) |\n\n## Next\n| `abs` | x |\n"
    assert served_in_part(text) == {"paddle.grad": "in part: less"}


def test_calls_that_differ_are_of_names_of_paddle() -> None:
    assert sorted(set(listed(CALLS.read_text())) - set(NAMES.read_text().split())) == []


if __name__ == "__main__":
    PAGE.write_text(current())
