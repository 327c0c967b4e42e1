"""Python source from parts: literals, names, and calls broken into lines as formatters do."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable, Sequence

from twinoar.late import dataclass

WIDTH = 100
STEP = "    "
NO_NAME = re.compile(r"[^0-9A-Za-z_]+")


@dataclass(frozen=True)
class Bracketed:
    """A literal or call: what opens it, its items, what closes it.

    packs: True where the items may stand in one line of their own, as arguments do.
    """

    opening: str
    items: Sequence[Part]
    closing: str
    packs: bool = False

    def __str__(self) -> str:
        lone = len(self.items) == 1 and self.opening.endswith("(") and not self.packs
        return f"{self.opening}{', '.join(map(str, self.items))}{',' if lone else ''}{self.closing}"


Part = str | Bracketed


def call(function: str, arguments: Sequence[Part]) -> Bracketed:
    """`function(arguments)`."""
    return Bracketed(f"{function}(", arguments, ")", packs=True)


def statement(part: Part, before: str = "", after: str = "", indent: str = "") -> list[str]:
    """The lines of `before`, the part and `after`, the latter a comment or punctuation."""
    line = f"{indent}{before}{part}{after}"
    if isinstance(part, str) or len(line) <= WIDTH or not part.items:
        return [line]
    inner = indent + STEP
    packed = f"{inner}{', '.join(map(str, part.items))}"
    if part.packs and len(packed) <= WIDTH:
        body = [packed]
    else:
        body = [line for item in part.items for line in statement(item, after=",", indent=inner)]
    if part.packs and len(part.items) == 1 and isinstance(part.items[0], Bracketed):
        body = statement(part.items[0], indent=inner) if len(packed) <= WIDTH else body
    return [f"{indent}{before}{part.opening}", *body, f"{indent}{part.closing}{after}"]


def keyed(name: str, value: Part) -> Part:
    """`name=value`."""
    return _prefixed(f"{name}=", value)


def entry(key: str, value: Part) -> Part:
    """`key: value`."""
    return _prefixed(f"{key}: ", value)


def _prefixed(prefix: str, value: Part) -> Part:
    if isinstance(value, str):
        return prefix + value
    return Bracketed(prefix + value.opening, value.items, value.closing, value.packs)


def quoted(text: str) -> str:
    """A literal of `text`, in double quotes where that needs no more escapes."""
    plain = ascii(text)
    if plain.startswith("'") and '"' not in plain:
        return '"' + plain[1:-1].replace("\\'", "'") + '"'
    return plain


class Identifiers:
    """Python names for what has other names, each given once."""

    def __init__(self, taken: Iterable[str]):
        self.taken = {*taken, *keyword.kwlist, *keyword.softkwlist, *dir(builtins)}

    def take(self, wanted: str) -> str:
        """An identifier like `wanted`, which nothing else has got."""
        plain = NO_NAME.sub("_", wanted.removesuffix(".tmp_0")).strip("_") or "v"
        plain = f"v{plain}" if plain[0].isdigit() else plain
        name, number = plain, 0
        while name in self.taken:
            number += 1
            name = f"{plain}_{number}"
        self.taken.add(name)
        return name
