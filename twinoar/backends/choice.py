"""Which back end runs a Program: `config.backend` says, or what is installed."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

from twinoar import config
from twinoar.backends.base import Executable
from twinoar.backends.table import COMPILERS
from twinoar.core.ir.program import Program
from twinoar.core.report import report
from twinoar.errors import UnsupportedError

NAMES = {"numpy": "NumPy"}  # as reports have them
_watches: list[list[Executable]] = []


def make_executable(program: Program) -> Executable:
    """What runs `program` on the CPU; it is the back end's from now on."""
    kind = "native" if is_native() else "numpy"
    report(1, f"{program.name}: {NAMES.get(kind, kind)} back end")
    made = COMPILERS[kind](program)
    for watch in _watches:
        watch.append(made)
    return made


@contextmanager
def watched_executables() -> Iterator[list[Executable]]:
    """A list that receives what is made inside the `with` block, in all threads."""
    watch: list[Executable] = []
    _watches.append(watch)
    try:
        yield watch
    finally:
        _watches.remove(watch)


def is_native() -> bool:
    """True where Programs are compiled to machine code. Raises UnsupportedError."""
    if config.backend == "native" and not _has_llvm():
        raise UnsupportedError(
            "TWINOAR_BACKEND=native needs llvmlite, which is not installed",
            cure="pip install llvmlite, or unset TWINOAR_BACKEND",
        )
    return may_compile() and _has_llvm()


def may_compile() -> bool:
    """Whether machine code is wanted, where there is a back end for it."""
    return config.backend != "numpy"


@functools.cache
def _has_llvm() -> bool:
    return importlib.util.find_spec("llvmlite") is not None
