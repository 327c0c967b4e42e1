"""docs/dependencies.md gives a reason for every dependency in pyproject.toml, and for no other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def declared(pyproject: str) -> dict[str, set[str]]:
    """The packages of each extra; those that twinoar always needs under "base"."""
    project = tomllib.loads(pyproject)["project"]
    groups = {"base": project["dependencies"], **project["optional-dependencies"]}
    return {
        group: {re.match(r"[\w-]+", line)[0] for line in lines} for group, lines in groups.items()
    }


def explained(page: str) -> dict[str, set[str]]:
    """The packages in the table below each heading of the page that is a group's name."""
    groups = {}
    for section in page.split("\n## ")[1:]:
        if "| package |" not in section:
            continue
        rows = re.findall(r"^\| `([\w-]+)[^`]*` \| [^|\s]", section, re.MULTILINE)
        groups[section.split("\n")[0].strip("`")] = set(rows)
    return groups


PYPROJECT = '[project]\ndependencies = ["a>=1"]\n[project.optional-dependencies]\nx = ["b[c]"]\n'


def test_every_dependency_has_a_reason() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text()
    assert explained(page) == declared((ROOT / "pyproject.toml").read_text())


def test_the_check_finds_a_dependency_without_a_reason() -> None:
    head = "| package | why |\n|---|---|\n"
    page = f"\n## base\n\n{head}| `a` | because |\n\n## x\n\n{head}| `b` | |\n\n## Other\n"
    assert declared(PYPROJECT) == {"base": {"a"}, "x": {"b"}}
    assert explained(page) == {"base": {"a"}, "x": set()}
