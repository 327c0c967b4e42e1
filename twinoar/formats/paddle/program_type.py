"""What a program in a file is read as: `static`, which is beside this folder, announces its
Program.
"""

from __future__ import annotations

from collections.abc import Callable

from twinoar.core.ir.program import Program


class _Announced:
    make: Callable[[], Program] = Program


def announce_program_type(make: Callable[[], Program]) -> None:
    """Read files as Programs that `make()` makes, unless told otherwise."""
    _Announced.make = make


def new_program() -> Program:
    """An empty Program of the announced type."""
    return _Announced.make()
