"""What every file of the tree keeps to: size, name, docstring, words, no path of a machine.

The patterns are written so that they do not match their own text: `[x]` is x.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("twinoar", "tests", "benchmarks", "docs", "examples", ".ci")
LINE_LIMIT = 600
VAGUE_NAMES = {"util", "utils", "common", "helper", "helpers", "misc", "tools", "stuff"}
PADDLES_NAMES = {"twinoar/dataset/common.py"}  # public modules that scripts import by name
MODE_TESTS = {"in_dynamic_mode", "in_static_mode", "in_dygraph_mode", "in_pir_mode"}

FORBIDDEN = {
    r"\bTO[D]O\b(?!\(#\d+\))": "a to-do carries an issue's number: TO" + "DO(#12)",
    r"\b(?:FIX[M]E|X[X]X|HA[C]K)\b": "mend it or open an issue",
    r"^(?:<{7}|>{7}) ": "a conflict that was not resolved",
    r"\bbreak[p]oint\(\)|\bimport p[d]b\b": "left from debugging",
    r"(?i)co-author[e]d-by|\bcla[u]de\b|\bchat[g]pt\b|\bcopi[l]ot\b|\banthro[p]ic\b": (
        "says how the text was made"
    ),
    r"(?i)\bthis ses[s]ion\b|\bmy bri[e]f\b|\bas instr[u]cted\b": "says how the text was made",
    r"(?:^|[^\w.<>{}*-])/(?:h[o]me|r[o]ot|t[m]p|s[r]v|U[s]ers|w[o]rk|m[n]t|op[t])/\w": (
        "a path of one machine"
    ),
    r"\b[A-Z]:\\(?:U[s]ers|W[i]ndows)": "a path of one machine",
}


def files(root: Path) -> Iterator[tuple[Path, str]]:
    """The text files of the tree, by folder, without what tools leave behind."""
    candidates = [path for path in root.iterdir() if path.is_file()]
    for folder in FOLDERS:
        candidates += [path for path in (root / folder).rglob("*") if path.is_file()]
    for path in sorted(candidates):
        if "__pycache__" in path.parts:
            continue
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def python_files(root: Path) -> Iterator[tuple[Path, str]]:
    return ((path, text) for path, text in files(root) if path.suffix == ".py")


def too_long(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}: {text.count(chr(10))} lines, {LINE_LIMIT} are allowed"
        for path, text in python_files(root)
        if text.count("\n") > LINE_LIMIT
    ]


def without_docstring(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}: no docstring that says what the module is"
        for path, text in python_files(root)
        if text.strip() and not ast.get_docstring(ast.parse(text))
    ]


def badly_named(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}: name it by its one concept, in lower case"
        for path, _ in python_files(root)
        if (path.stem in VAGUE_NAMES and str(path.relative_to(root)) not in PADDLES_NAMES)
        or not re.fullmatch(r"[a-z0-9_]+", path.stem)
    ]


def forbidden_words(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}:{number}: {reason}: {line.strip()[:80]}"
        for path, text in files(root)
        for pattern, reason in FORBIDDEN.items()
        if re.search(pattern, text, re.MULTILINE)  # few texts are looked through by lines
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line)
    ]


def swallowed_errors(root: Path) -> list[str]:
    """Handlers that catch everything and do nothing."""
    return [
        f"{path.relative_to(root)}:{node.lineno}: catches everything and says nothing"
        for path, text in python_files(root)
        if "except" in text and re.search(r"\bpass\b", text)  # else it need not be parsed
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in {"Exception", "BaseException"})
        and all(isinstance(statement, ast.Pass) for statement in node.body)
    ]


def mode_tests(root: Path) -> list[str]:
    """Calls in `twinoar/` that ask for the mode: an interpreter decides that."""
    return [
        f"{path.relative_to(root)}:{node.lineno}: asks for the mode"
        for path, text in python_files(root)
        if path.is_relative_to(root / "twinoar")
        if any(name in text for name in MODE_TESTS)  # else it need not be parsed
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and {getattr(node.func, "id", ""), getattr(node.func, "attr", "")} & MODE_TESTS
    ]


CHECKS = [
    too_long,
    without_docstring,
    badly_named,
    forbidden_words,
    swallowed_errors,
    mode_tests,
]


@pytest.mark.parametrize("check", CHECKS)
def test_the_tree_keeps_to(check) -> None:
    assert check(ROOT) == []


DOCSTRING = '"""What it is."""\n'
OFFENCES = [
    (too_long, "twinoar/a.py", DOCSTRING + "x = 1\n" * LINE_LIMIT),
    (without_docstring, "twinoar/a.py", "x = 1\n"),
    (badly_named, "twinoar/nn/utils.py", DOCSTRING),
    (badly_named, "twinoar/nn/BatchNorm.py", DOCSTRING),
    (forbidden_words, "docs/a.md", "TO" + "DO: later"),
    (forbidden_words, "twinoar/a.py", "# FIX" + "ME"),
    (forbidden_words, "README.md", "<<<<<<" + "< ours"),
    (forbidden_words, "README.md", "cd /ho" + "me/someone"),
    (forbidden_words, "tests/a.py", "open('/tm" + "p/x')"),
    (forbidden_words, "tests/a.py", "break" + "point()"),
    (forbidden_words, "docs/a.md", "done in this ses" + "sion"),
    (swallowed_errors, "twinoar/a.py", "try:\n    f()\nexcept Exception:\n    pass\n"),
    (swallowed_errors, "twinoar/a.py", "try:\n    f()\nexcept:\n    pass\n"),
    (mode_tests, "twinoar/a.py", "if paddle.in_dynamic_mode():\n    f()\n"),
]
SOUND = [
    (too_long, "twinoar/a.py", DOCSTRING + "x = 1\n" * (LINE_LIMIT - 1)),
    (without_docstring, "twinoar/__init__.py", ""),
    (forbidden_words, "twinoar/a.py", "# TO" + "DO(#12): later"),
    (forbidden_words, "docs/a.md", "#!/usr/bin/env bash, twinoar/tmp/x, a/work/b"),
    (swallowed_errors, "twinoar/a.py", "try:\n    f()\nexcept KeyError:\n    pass\n"),
    (mode_tests, "tests/a.py", "assert paddle.in_dynamic_mode()\n"),
]


def tree_with(root: Path, file: str, text: str) -> Path:
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text(text)
    return root


@pytest.mark.parametrize(("check", "file", "text"), OFFENCES)
def test_the_check_finds_an_offence(check, tmp_path: Path, file: str, text: str) -> None:
    (found,) = check(tree_with(tmp_path, file, text))
    assert found.startswith(file)


@pytest.mark.parametrize(("check", "file", "text"), SOUND)
def test_the_check_lets_sound_text_pass(check, tmp_path: Path, file: str, text: str) -> None:
    assert check(tree_with(tmp_path, file, text)) == []
