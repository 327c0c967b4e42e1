"""From something that runs Programs to a page about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from twinoar.backends.base import Executable
from twinoar.backends.choice import is_native
from twinoar.backends.native.executable import NativeExecutable
from twinoar.errors import ProgramError, UnsupportedError
from twinoar.inspection.chapter import Chapter, chapter_of
from twinoar.inspection.page import page
from twinoar.inspection.precision import Loss
from twinoar.jit.to_static import StaticFunction


def write_page(
    source: Any,
    file: str | Path,
    title: str | None = None,
    *,
    beside: Any = None,
    names: tuple[str, str] = ("first", "second"),
    losses: Sequence[Loss] = (),
) -> Path:
    """Write a page about Programs that have run into `file`; returns its path.

    source: a function under to_static, a loaded model, a static Program, or several executables.
    beside: another one; the page then begins with the difference of the two, which are called by
    `names`. losses: of the first Program's results in lower precision. Raises
    ProgramError where nothing has run as machine code, UnsupportedError without LLVM.
    """
    if not is_native():
        raise UnsupportedError(
            "only what runs as machine code has kernels to show",
            cure="install llvmlite, and set TWINOAR_BACKEND=native",
        )
    chapters = _ran(source, losses)
    others = [] if beside is None else _ran(beside)
    if others:
        chapters, others = _called(names[0], chapters), _called(names[1], others)
    count = len(chapters)
    compared = [(n, count + n) for n in range(min(count, len(others)))]
    path = Path(file)
    part = path.with_name(f".{path.name}.part")
    text = page(title or chapters[0].name, [*chapters, *others], compared)
    part.write_text(text, encoding="utf-8")
    return part.replace(path)


def _ran(source: Any, losses: Sequence[Loss] = ()) -> list[Chapter]:
    """The chapters of what has run; those of one source at least."""
    chapters = chapters_of(_executables(source), losses)
    if not chapters:
        raise ProgramError(
            "no Program has run as machine code",
            cure="call the function, or run the Program, before its page is written",
        )
    return chapters


def _called(name: str, chapters: Sequence[Chapter]) -> list[Chapter]:
    return [replace(c, name=f"{name}: {c.name}") for c in chapters]


def chapters_of(
    executables: Sequence[tuple[str, Executable]], losses: Sequence[Loss] = ()
) -> list[Chapter]:
    """A chapter for each set of sizes that each executable, with its name, has run for.

    losses: of the results of the first one.
    """
    ran = [
        (name, form)
        for name, executable in executables
        if isinstance(executable, NativeExecutable)
        for form in executable.forms.values()
        if form.dynamic is None and form.free
    ]
    counts = Counter(name for name, _ in ran)
    return [
        chapter_of(f"{name} {n}" if counts[name] > 1 else name, form, losses if n == 1 else ())
        for n, (name, form) in enumerate(ran, 1)
    ]


def _executables(source: Any) -> list[tuple[str, Executable]]:
    """Executables with their names."""
    if isinstance(source, Sequence):
        return [(e.program.name, e) for e in source if isinstance(e, NativeExecutable)]
    forward = source if hasattr(source, "executables") else getattr(source, "forward", source)
    concrete = forward.concrete_program if isinstance(forward, StaticFunction) else forward
    return list(concrete.executables().items())
