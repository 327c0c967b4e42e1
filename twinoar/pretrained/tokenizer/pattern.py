"""Regular expressions of tokenizers, in Python's own: classes of Unicode written out.

Python's `re` knows no \\p{L}, and its \\s has a few characters more than Unicode's white space.
What a letter is says the version of Unicode that Python has; characters newer than that are none.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from itertools import groupby

from twinoar.errors import UnsupportedError

SPACES = (
    (0x09, 0x0D), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip
WHITE = "".join(chr(code) for first, last in SPACES for code in range(first, last + 1))
CATEGORY = re.compile(r"\{(\^?)([A-Z][a-z]?)\}")
Ranges = tuple[tuple[int, int], ...]  # of code points, both ends among them


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The expression as Python has it. Raises UnsupportedError for what it has not.

    >>> compiled(r"\\p{L}+|[^\\s\\p{L}]").findall("né 1")
    ['né', '1']
    """
    try:
        return re.compile(_translated(pattern))
    except (re.error, OverflowError) as error:
        raise UnsupportedError(f"the expression {pattern[:80]!r} is not served: {error}") from None


def _translated(pattern: str) -> str:
    found, at, inside = [], 0, False
    while at < len(pattern):
        character = pattern[at]
        if character == "\\":
            text, at = _escape(pattern, at, inside)
            found.append(text)
            continue
        if inside and character == "[":
            raise UnsupportedError(f"a class in a class, in {pattern[:80]!r}, is not served")
        inside = character == "[" or (inside and character != "]")
        found.append(character)
        at += 1
        if character == "[" and pattern[at : at + 1] == "^":
            found.append("^")
            at += 1
    return "".join(found)


def _escape(pattern: str, at: int, inside: bool) -> tuple[str, int]:
    """What stands for an escape that begins there, and where it ends."""
    letter = pattern[at + 1 : at + 2]
    if letter in ("s", "S"):
        return _class(SPACES if letter == "s" else _others(SPACES), inside), at + 2
    if letter not in ("p", "P"):
        return pattern[at : at + 2], at + 2
    told = CATEGORY.match(pattern, at + 2)
    if told is None:
        raise UnsupportedError(
            f"{pattern[at : at + 20]!r} is not served",
            cure="classes by their general category, as \\p{L} or \\p{Nd}, are",
        )
    ranges = _of_category(told[2])
    if (letter == "P") != bool(told[1]):
        ranges = _others(ranges)
    return _class(ranges, inside), told.end()


def _class(ranges: Ranges, inside: bool) -> str:
    listed = "".join(f"{_written(first)}-{_written(last)}" for first, last in ranges)
    return listed if inside else f"[{listed}]"


def _written(code: int) -> str:
    return f"\\U{code:08x}"


def _others(ranges: Ranges) -> Ranges:
    """All code points that are not in some."""
    found, following = [], 0
    for first, last in ranges:
        if following < first:
            found.append((following, first - 1))
        following = last + 1
    if following <= sys.maxunicode:
        found.append((following, sys.maxunicode))
    return tuple(found)


@cache
def _of_category(name: str) -> Ranges:
    """The code points of a general category, or of all that begin with a letter."""
    found: list[tuple[int, int]] = []
    for category, first, last in _categories():
        if not category.startswith(name):
            continue
        if found and found[-1][1] == first - 1:
            found[-1] = found[-1][0], last
        else:
            found.append((first, last))
    if not found:
        raise UnsupportedError(f"Unicode has no general category {name!r}")
    return tuple(found)


@cache
def _categories() -> tuple[tuple[str, int, int], ...]:
    """Runs of code points of one category, in order."""
    found, first = [], 0
    for category, run in groupby(map(unicodedata.category, map(chr, range(sys.maxunicode + 1)))):
        length = sum(1 for _ in run)
        found.append((category, first, first + length - 1))
        first += length
    return tuple(found)
