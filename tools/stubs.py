"""Write twinoar-stubs and paddle-stubs: what editors and type checkers know of the public names.

Operators, methods of tensors and names that load late are made when twinoar runs, so none of those
tools finds them in the sources. The stubs are written from what is there then, and from the
annotations in the sources; paddle-stubs passes on the names of twinoar-stubs. Run from anywhere,
`python tools/stubs.py`; `make update` does.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from stub_members import Writer
from stub_types import Types

import twinoar
from twinoar.compat.inner import INNER

ROOT = Path(__file__).parents[1]
PRIVATE = {"twinoar.jit.runtime"}
HEAD = '"""{}"""\n\n# Written by tools/stubs.py.\n\n'
PARTIAL = "partial\n"  # what has no stub is found in the package itself
IMPORTS = "from typing import Any, Literal, overload\n\nimport numpy as _numpy\n"
# Annotations of operators name Value. Where a kernel is at hand, editors follow them from there.
VALUES = {
    "core/__init__.pyi": HEAD.format("The core of twinoar: no public names."),
    "core/loop/__init__.pyi": HEAD.format("The loop language: its words are in `language`."),
    "core/op/__init__.pyi": HEAD.format("Operators: no public names."),
}
VALUES |= {
    path: HEAD.format(summary) + "from typing import Any\n\nfrom twinoar import Tensor as Tensor\n"
    "from twinoar import Tensor as Value\n\ndef __getattr__(name: str) -> Any: ...\n"
    for path, summary in {
        "core/values.pyi": "What operators take and give.",
        "core/op/declare.pyi": "What operators are declared with.",
    }.items()
}
LIKE = "_TensorLike = Tensor | _numpy.ndarray[Any, Any] | _numpy.generic | builtins.complex\n"


def public_modules(root: ModuleType = twinoar) -> dict[str, ModuleType]:
    """`root` and the modules below it that users import from, by name."""
    found: dict[str, ModuleType] = {}

    def visit(module: ModuleType) -> None:
        if module.__name__ not in found and module.__name__ not in PRIVATE:
            found[module.__name__] = module
            for below in _below(module):
                visit(below)

    visit(root)
    return found


def _below(module: ModuleType) -> Iterator[ModuleType]:
    exported = [getattr(module, name) for name in getattr(module, "__all__", ())]
    exported += [getattr(module, name) for name in sorted(getattr(module, "SUBPACKAGES", ()))]
    yield from (
        m for m in exported if isinstance(m, ModuleType) and m.__name__.startswith("twinoar")
    )
    for info in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{module.__name__}."):
        if info.ispkg:
            below = importlib.import_module(info.name)
            if hasattr(below, "__all__"):
                yield below


def names_of(module: ModuleType) -> dict[str, object]:
    """The public names of a module, with what they stand for."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = getattr(module, "FUNCTIONS", None) or [
            name
            for name, value in vars(module).items()
            if getattr(value, "__module__", module.__name__) == module.__name__ and name[0] != "_"
            and not isinstance(value, ModuleType) and name != "annotations"
        ]  # fmt: skip
    more = {*getattr(module, "SUBPACKAGES", ()), *getattr(module, "LAZY", ())}
    return {name: getattr(module, name) for name in sorted({*names, *more})}


def homes_of(modules: dict[str, ModuleType]) -> dict[int, str]:
    """For each class and function the place whose stub defines it: the first, the shortest."""
    homes: dict[int, str] = {}
    for place in sorted(modules, key=lambda name: (name.count("."), name)):
        for name, value in names_of(modules[place]).items():
            if inspect.isclass(value) or inspect.isroutine(value):
                homes.setdefault(id(value), f"{place}.{name}")
    return homes


def stubs() -> dict[str, str]:
    """The files of both packages, by path."""
    modules = public_modules()
    homes = homes_of(modules)
    files = {"twinoar-stubs/py.typed": PARTIAL, "paddle-stubs/py.typed": PARTIAL}
    packages = {name for name, module in modules.items() if hasattr(module, "__path__")}
    paddles = packages | {f"twinoar.{name}".rpartition(".")[0] for name in INNER}
    for place, module in modules.items():
        types = Types(homes, place)
        writer = Writer(types, place)
        body = "".join(writer.member(name, value) for name, value in names_of(module).items())
        if module is twinoar:
            body += LIKE
        while types.pending:
            body += writer.class_(*types.pending.pop(0))
        imports = "".join(f"import {name}\n" for name in sorted({"builtins", *types.modules}))
        imports += IMPORTS
        head = HEAD.format(_summary(module))
        files[f"twinoar-stubs/{_path(place, place in packages)}"] = f"{head}{imports}\n{body}"
        if not place.startswith("twinoar.core."):  # its name in Paddle is another module's
            files[f"paddle-stubs/{_path(place, place in paddles)}"] = (
                f"{head}from {place} import *\n"
                + ("from twinoar import __version__ as __version__\n" if module is twinoar else "")
            )
    files |= {f"twinoar-stubs/{path}": text for path, text in VALUES.items()}
    for place, served in INNER.items():
        if f"twinoar.{place}" not in modules:
            passed = [name for m in served if (name := f"twinoar.{m}".rstrip(".")) in modules]
            stars = f"from {passed[0]} import *\n" if passed else ""
            path = _path(f"twinoar.{place}", f"twinoar.{place}" in paddles)
            files[f"paddle-stubs/{path}"] = (
                HEAD.format("A module inside Paddle: names of public modules.")
                + f"import typing\n\n{stars}\ndef __getattr__(name: str) -> typing.Any: ...\n"
            )
    return files


def _path(place: str, is_package: bool) -> str:
    below = place.split(".")[1:]
    return "/".join(
        [*below, "__init__.pyi"] if is_package or not below else [*below[:-1], f"{below[-1]}.pyi"]
    )


def _summary(module: ModuleType) -> str:
    return (module.__doc__ or module.__name__).strip().split("\n")[0].replace('"', "'")


def write(root: Path) -> None:
    """Write both packages below `root` in the place of those that are there."""
    for package in ("twinoar-stubs", "paddle-stubs"):
        shutil.rmtree(root / package, ignore_errors=True)
    for path, text in stubs().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


if __name__ == "__main__":
    write(ROOT)
