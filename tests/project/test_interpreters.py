"""Nobody asks which interpreter is current, or looks for what it may have: its protocol says.

How code runs is asked of its Policy, and what it does of members that all have: `runs`, `traces`,
`program`, `startup`. Only a module with an interpreter of its own may ask for that. Nor is a method
exchanged while code runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from twinoar.core.interpreter import Interpreter

ROOT = Path(__file__).parents[2]
KINDS = {"Builder", "Eager", "StaticBuilder", "TracingBuilder", "Inference"}
SOURCES = {"current", "eager", "base", "recording", "derived"}  # functions that give interpreters
PROBES = {"isinstance", "getattr", "hasattr", "setattr", "type"}
CONCERNED = re.compile(
    r"\b(?:current|eager|base|recording|derived)\(|isinstance\(.*(?:Builder|Eager)"
)
MOST_MEMBERS = 18


def findings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, what) of each question after the kind of an interpreter."""
    own = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    scopes = [[*ast.walk(node)] for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    outside = (x for x in tree.body if not isinstance(x, ast.FunctionDef | ast.ClassDef))
    for nodes in (*scopes, [node for statement in outside for node in ast.walk(statement)]):
        held = {
            target.id
            for node in nodes
            if isinstance(node, ast.Assign) and gives_interpreter(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in nodes:
            if isinstance(node, ast.Call) and probes(node, held, own):
                yield node.lineno, ast.unparse(node)


def gives_interpreter(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in SOURCES


def probes(node: ast.Call, held: set[str], own: set[str]) -> bool:
    name = getattr(node.func, "id", "")
    if name not in PROBES or not node.args:
        return False
    asked, kinds = node.args[0], {n.id for n in ast.walk(node.args[-1]) if isinstance(n, ast.Name)}
    if name == "isinstance" and kinds & own:
        return False
    if gives_interpreter(asked) or getattr(asked, "id", None) in held:
        return True
    return name == "isinstance" and bool(kinds & KINDS)


def test_no_code_asks_which_interpreter_is_current() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in sorted((ROOT / "twinoar").rglob("*.py"))
        if CONCERNED.search(text := path.read_text())
        for line, what in sorted(set(findings(ast.parse(text))))
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(current(), Eager)",
        "def f():\n    builder = current()\n    if not isinstance(builder, Builder): pass",
        "getattr(current(), 'records', True)",
        "def f():\n    here = recording(False)\n    return hasattr(here, 'marks')",
        "def f(x):\n    return isinstance(x, (Tensor, StaticBuilder))",
        "setattr(eager(), 'apply', timed)",
    ],
)
def test_the_check_finds_a_question(source: str) -> None:
    assert list(findings(ast.parse(source)))


def test_the_check_lets_members_of_the_protocol_pass() -> None:
    sound = "def f(x):\n    here = current()\n    return isinstance(x, Value) and here.runs"
    assert not list(findings(ast.parse(sound)))


def test_an_interpreter_has_few_members() -> None:
    members = [name for name in vars(Interpreter) if not name.startswith("_")]
    assert len(members) <= MOST_MEMBERS
