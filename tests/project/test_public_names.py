"""The public names change only on purpose: `public_names.txt` lists them, one a line.

A public namespace is a package of twinoar that has an `__all__`. `make update` writes the list.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest

import twinoar

LIST = Path(__file__).with_name("public_names.txt")

# For those who work on twinoar, and free to change.
INTERNAL = {
    "backends", "compat", "compile", "core", "eager", "formats", "jit.convert", "jit.runtime",
    "ops", "passes", "runtime", "testing", "export", "inspection",
}  # fmt: skip


def namespaces(root: ModuleType = twinoar) -> list[ModuleType]:
    """`root` and the public packages and modules below it."""
    found = [root]
    for module in pkgutil.iter_modules(root.__path__, root.__name__ + "."):
        if module.name.partition(".")[2] in INTERNAL or module.name.endswith("__main__"):
            continue
        loaded = importlib.import_module(module.name)
        if module.ispkg:
            found += namespaces(loaded)
    return [module for module in found if hasattr(module, "__all__")]


def public_names(modules: Iterable[ModuleType]) -> list[str]:
    return sorted({f"{module.__name__}.{name}" for module in modules for name in module.__all__})


def missing(modules: Iterable[ModuleType]) -> list[str]:
    """Names that an `__all__` promises and the namespace lacks."""
    return [
        f"{module.__name__}.{name}"
        for module in modules
        for name in module.__all__
        if not hasattr(module, name)
    ]


def difference(listed: list[str], present: list[str]) -> str:
    lines = difflib.unified_diff(listed, present, "public_names.txt", "twinoar", n=0, lineterm="")
    return "\n".join(lines)


def test_public_names_are_those_listed() -> None:
    changed = difference(LIST.read_text().splitlines(), public_names(namespaces()))
    assert not changed, f"meant so? `make update` writes the list anew\n{changed}"


def test_every_public_name_exists() -> None:
    assert missing(namespaces()) == []


def made_up(names: list[str], present: list[str]) -> ModuleType:
    module = ModuleType("made_up")
    module.__dict__.update(dict.fromkeys(present), __all__=names)
    return module


@pytest.mark.parametrize(
    ("names", "line"), [(["a"], "-made_up.b"), (["a", "b", "c"], "+made_up.c")]
)
def test_the_check_finds_a_name_that_came_or_went(names: list[str], line: str) -> None:
    present = public_names([made_up(names, present=names)])
    assert line in difference(["made_up.a", "made_up.b"], present).splitlines()


def test_the_check_finds_a_name_that_is_promised_only() -> None:
    assert missing([made_up(["a", "b"], present=["a"])]) == ["made_up.b"]


if __name__ == "__main__":
    LIST.write_text("".join(f"{name}\n" for name in public_names(namespaces())))
