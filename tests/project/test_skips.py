"""No test is left out because a package is missing that `make setup` installs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.project.test_dependencies import declared

ROOT = Path(__file__).parents[2]
# What tells whether a package is there: the reason of a skip, or a skip itself.
ASKING = {"importorskip", "find_spec"}
# What is false where the compiler is missing; `may_compile` is false where it is not wanted.
FORGIVING = {"is_native", "_has_llvm"}


def always_installed() -> set[str]:
    """The modules of all packages that twinoar needs, or its tests."""
    groups = declared((ROOT / "pyproject.toml").read_text())
    needed = {name.lower() for name in groups["base"] | groups["test"]}
    return {
        module
        for module, packages in packages_distributions().items()
        if needed & {package.lower() for package in packages}
    }


def forgiven(source: str, modules: set[str]) -> Iterator[tuple[int, str]]:
    """The line and the name of what lets a test be left out where one of `modules` is missing."""
    if not any(word in source for word in ASKING | FORGIVING):
        return
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        if called(call) in FORGIVING:
            yield call.lineno, called(call)
        elif called(call) in ASKING and package_of(call) in modules:
            yield call.lineno, package_of(call)


def package_of(call: ast.Call) -> str:
    """The package that the call names, or nothing."""
    named = [node.value for node in call.args[:1] if isinstance(node, ast.Constant)]
    return str(*named).partition(".")[0]


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def test_no_test_does_without_what_is_always_installed() -> None:
    modules = always_installed()
    found = {
        str(path.relative_to(ROOT)): lines
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if (lines := list(forgiven(path.read_text(), modules)))
    }
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        'pytest.importorskip("llvmlite")',
        'pytest.importorskip("llvmlite.binding")',
        'HAS_PILLOW = importlib.util.find_spec("PIL") is not None',
        'pytestmark = pytest.mark.skipif(not is_native(), reason="")',
    ],
)
def test_the_check_finds_what_would_leave_a_test_out(line: str) -> None:
    assert list(forgiven(line, always_installed()))


@pytest.mark.parametrize("line", ['pytest.importorskip("resource")', "may_compile()"])
def test_the_check_lets_other_questions_be(line: str) -> None:
    assert not list(forgiven(line, always_installed()))
