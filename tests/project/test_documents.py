"""The Python in README.md and docs/ runs and prints what the page says.

A page's ```python blocks run in order, in one process, in an empty folder. A ```text block right
after one is what it prints; `make update` writes these blocks anew. Code that is not to be run is
marked ```py, commands ```bash.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(
    r"^(?:<!-- needs (?P<needs>\S+) -->\n)?```(?P<kind>\w*)[^\n]*\n(?P<text>.*?)^```\s*?$",
    re.DOTALL | re.MULTILINE,
)

RUNNER = """
import contextlib, io, json, linecache, sys
page, blocks = json.load(sys.stdin)
names = {"__name__": "__main__"}
lines = []  # the page as Python alone, for what reads the source of functions
for line, code in blocks:
    lines += ["\\n"] * (line - len(lines)) + code.splitlines(keepends=True)
linecache.cache[page] = sum(map(len, lines)), None, lines, page
printed = []
for line, code in blocks:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("\\n" * line + code, page, "exec", dont_inherit=True), names)
    printed.append(out.getvalue())
json.dump(printed, sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of Python in a page; `expected` is the span of the text that it prints, or None."""

    code: str
    line: int
    expected: tuple[int, int] | None


def blocks(text: str) -> list[Block]:
    fences = list(FENCE.finditer(text))
    found = []
    for fence, after in zip_longest(fences, fences[1:]):
        if fence["kind"] != "python" or (fence["needs"] and not shutil.which(fence["needs"])):
            continue
        adjacent = after and after["kind"] == "text"
        if adjacent and text[fence.end() : after.start()].strip():
            adjacent = False
        line = text.count("\n", 0, fence.start("text"))
        found.append(Block(fence["text"], line, after.span("text") if adjacent else None))
    return found


def run(page: Path) -> list[str]:
    """What each Python block of the page prints; raises with the page's traceback if one fails."""
    code = [(block.line, block.code) for block in blocks(page.read_text())]
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", RUNNER],
            input=json.dumps([page.name, code]),
            capture_output=True,
            text=True,
            cwd=folder,
        )
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def stripped(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def differences(page: Path) -> list[str]:
    """One line for each block that prints something else than the page says."""
    text = page.read_text()
    return [
        f"{page.name}:{block.line}: prints\n{printed}"
        for block, printed in zip(blocks(text), run(page), strict=True)
        if block.expected and stripped(text[slice(*block.expected)]) != stripped(printed)
    ]


def rewrite(page: Path) -> None:
    """Replace what the page says its blocks print by what they do print."""
    text = page.read_text()
    results = zip(blocks(text), run(page), strict=True)
    for block, printed in reversed(list(results)):
        if block.expected:
            begin, end = block.expected
            text = text[:begin] + "\n".join([*stripped(printed), ""]) + text[end:]
    page.write_text(text)


WITH_CODE = [page for page in PAGES if page.exists() and blocks(page.read_text())]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.name)
def test_the_page_prints_what_it_says(page: Path) -> None:
    assert differences(page) == []


def test_the_readme_has_code_that_prints() -> None:
    assert any(block.expected for block in blocks((ROOT / "README.md").read_text()))


def test_every_link_between_pages_leads_somewhere() -> None:
    link = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
    broken = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in link.findall(page.read_text())
        if not (page.parent / target).exists()
    ]
    assert broken == []


def without_reference(package: Path, pages: Path) -> list[str]:
    """The folders of twinoar that no page of the reference describes."""
    folders = sorted(path.parent.name for path in package.glob("*/__init__.py"))
    return [
        name
        for name in folders
        if not (pages / f"{name}.md").exists()
        or f"::: twinoar.{name}" not in (pages / f"{name}.md").read_text()
    ]


def test_every_folder_has_a_page_in_the_reference() -> None:
    assert without_reference(ROOT / "twinoar", ROOT / "docs" / "api") == []


def test_the_check_finds_a_folder_without_a_page(tmp_path: Path) -> None:
    for name in ("nn", "io"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    (tmp_path / "nn.md").write_text("::: twinoar.nn")
    assert without_reference(tmp_path, tmp_path) == ["io"]


PAGE = """# A page

```python
x = 1
print(x + 1)
```

```text
{expected}
```

```python
print(x)
```
"""


def page_with(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text)
    return page


def test_blocks_of_a_page_share_their_names(tmp_path: Path) -> None:
    assert run(page_with(tmp_path, PAGE)) == ["2\n", "1\n"]


@pytest.mark.parametrize(("expected", "wrong"), [("2", 0), ("3", 1)])
def test_the_check_compares_what_is_printed(tmp_path: Path, expected: str, wrong: int) -> None:
    assert len(differences(page_with(tmp_path, PAGE.format(expected=expected)))) == wrong


def test_the_check_reports_code_that_fails_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r'page.md", line 5'):
        run(page_with(tmp_path, PAGE.replace("x + 1", "y")))


def test_rewriting_a_page_makes_it_true(tmp_path: Path) -> None:
    page = page_with(tmp_path, PAGE.format(expected="old\nold"))
    rewrite(page)
    assert page.read_text() == PAGE.format(expected="2")


@pytest.mark.parametrize(("program", "count"), [("no-such-program", 1), (sys.executable, 2)])
def test_a_block_may_need_a_program(program: str, count: int) -> None:
    text = PAGE.replace("```python\nprint", f"<!-- needs {program} -->\n```python\nprint")
    assert len(blocks(text)) == count


def test_text_that_does_not_follow_code_is_not_compared() -> None:
    assert [block.expected for block in blocks(PAGE.replace("```text", "words\n```text"))] == [
        None,
        None,
    ]


if __name__ == "__main__":
    for with_code in WITH_CODE:
        rewrite(with_code)
