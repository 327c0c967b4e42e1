"""docs/configuration.md lists the flags that `twinoar.config` defines; `make update` writes it."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

from twinoar import config

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
TABLE = re.compile(r"(?<=<!-- flags -->\n).*?(?=<!-- end of flags -->)", re.DOTALL)


def table(flags: tuple[config.Flag, ...]) -> str:
    rows = ["| variable | legal values | default | meaning |", "|---|---|---|---|"]
    rows += [
        f"| `{flag.variable}` | {flag.legal} | {f'`{flag.default}`' if flag.default else 'unset'} "
        f"| {flag.doc} |"
        for flag in flags
    ]
    return "\n".join(rows) + "\n"


def written(page: str) -> str:
    (found,) = TABLE.findall(page)
    return found


def test_the_page_lists_the_flags() -> None:
    assert written(PAGE.read_text()) == table(config.FLAGS), "`make update` writes the page anew"


def test_the_check_finds_a_flag_that_changed() -> None:
    changed = (dataclasses.replace(config.FLAGS[0], default="another"), *config.FLAGS[1:])
    assert written(PAGE.read_text()) != table(changed)


if __name__ == "__main__":
    PAGE.write_text(TABLE.sub(lambda _: table(config.FLAGS), PAGE.read_text()))
