"""Files and folders of this tree that a document names are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = [path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]
INNER = [path.name for path in (ROOT / "twinoar").iterdir() if path.is_dir()]
# A folder of the tree and what is below; with an ending, also below `twinoar/`.
PATH = re.compile(rf"(?<![\w./~-])(?:{'|'.join(FOLDERS)})/[\w./-]*\w")
INNER_FILE = re.compile(rf"(?<=`)(?:{'|'.join(INNER)})/[\w./-]*\.\w+(?=`)")
# A row about a file of another repository, which begins with its name.
ELSEWHERE = re.compile(r"^\| (?:[\w.-]+/[\w.-]+|Paddle\w+|PGL) \|.*$", re.MULTILINE)


def missing(text: str) -> list[str]:
    """What the text names, and the tree has not."""
    text = ELSEWHERE.sub("", text)
    named = [ROOT / path for path in PATH.findall(text)]
    named += [ROOT / "twinoar" / path for path in INNER_FILE.findall(text)]
    return [str(path.relative_to(ROOT)) for path in named if not path.exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_are_there(page: Path) -> None:
    assert missing(page.read_text()) == []


@pytest.mark.parametrize(
    "text", ["see tests/ops/test_samples.py.", "`jit/swept.py` does", "in tests/operators/"]
)
def test_the_check_finds_a_file_that_is_not_there(text: str) -> None:
    assert missing(text)


@pytest.mark.parametrize(
    "text",
    [
        "see tests/ops/test_ops.py.",
        "`jit/tracing.py` does",
        "~/.cache/twinoar/compiled",
        "| lululxvi/deepxde | 99b6 | `examples/function/func.py` |",
    ],
)
def test_the_check_lets_others_be(text: str) -> None:
    assert missing(text) == []
