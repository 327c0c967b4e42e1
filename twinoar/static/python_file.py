"""Static Programs as Python files, with their values in an `.npz` beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from twinoar.core.ir.program import Program
from twinoar.core.live import name_of_live
from twinoar.core.to_python import to_python
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.formats.atomic import AtomicFiles, StrPath, path_text
from twinoar.static.scope import Scope


def program_to_python(
    program: Program,
    path: StrPath | None,
    values: bool,
    startup: Program | None,
    sources: bool,
    scope: Scope,
) -> str:
    """What `Program.to_python` does; the values are those in `scope`."""
    if startup is not None and not isinstance(startup, Program):
        raise TypeMismatchError(f"startup: expected a Program, received {startup!r}")
    name = None if path is None else path_text(path)
    if name is not None and not name.endswith(".py"):
        raise ArgumentError(f"expected the path of a Python file, received {name!r}")
    if name is None and values:
        raise ArgumentError("values go into a file beside the Python file", cure="give its path")
    programs = {"build": program} | ({"build_startup": startup} if startup is not None else {})
    kept = _values(program, scope) if values else None
    source = to_python(programs, kept, apart=name is not None, sources=sources)
    if name is not None:
        with AtomicFiles() as files:
            files.write(name, source.text.encode())
            if source.arrays:
                files.write(Path(name).with_suffix(".npz"), source.npz())
    return source.text


def _values(program: Program, scope: Scope) -> dict[str, np.ndarray]:
    kept = [s for s in program.states.values() if not s.is_constant]
    return {s.name: np.array(scope.read(s)) for s in kept if name_of_live(s.data) is None}
