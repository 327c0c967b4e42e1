"""Operators of a library among all others: entered under their names, and found by gradients."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from twinoar.core.op.definition import Op, registry
from twinoar.errors import ArgumentError, ExtensionError
from twinoar.formats.paddle.program_desc import operators_by_type
from twinoar.utils.cpp_extension.library import Library
from twinoar.utils.cpp_extension.operator import CppGradient, CppOp, face_of

GRADIENT = "_grad"  # ends the name of the operator that computes another's gradient
_modules: dict[tuple[Path, str], ModuleType] = {}


def module_of(name: str, path: Path) -> ModuleType:
    """A module `name` with one function for each operator of the library at `path`.

    A library is loaded once: who asks again gets the same module. An operator that another library
    has defined before is replaced. Raises ArgumentError where a name is that of a built-in one.
    """
    key = (path.resolve(), name)
    if key not in _modules:
        _modules[key] = _new_module(name, path)
    return _modules[key]


def _new_module(name: str, path: Path) -> ModuleType:
    library = Library(path)
    by_name = {d.name: CppOp(library, d) for d in library.declarations}
    if not by_name:
        raise ExtensionError(
            f"{path} declares no operators", cure="declare one with PD_BUILD_OP(name)"
        )
    for op in by_name.values():
        _refuse_built_in(op)
        gradient = by_name.get(op.name + GRADIENT)
        if gradient is not None:
            op.attach("grad", CppGradient(op, gradient))
    registry.update(by_name)
    module = ModuleType(name, f"The operators of {path.name}.")
    module.__file__ = str(path)
    gradients = {other + GRADIENT for other in by_name}
    for op in by_name.values():
        if op.name not in gradients:
            setattr(module, op.name, face_of(op))
    return module


def _refuse_built_in(op: CppOp) -> None:
    taken: list[Op] = [registry[op.name]] if op.name in registry else []
    taken += operators_by_type().get(op.name, [])
    if any(not isinstance(other, CppOp) for other in taken):
        raise ArgumentError(
            f"{op.name} is a built-in operator", cure="give the one in C++ another name"
        )
