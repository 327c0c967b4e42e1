"""Commands on disk, so that a second process runs a known Program without planning it.

They lie beside the machine code that they name, under a key of all that planning depends on: the
Program, its sizes, the Target, the compiler's own files. What NumPy runs is code of this process,
so Commands that call it are not kept, but for what `named` knows. Addresses of MPI's functions and
handles of groups are no part of Commands: an Instance asks the process that it is in.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from twinoar import config
from twinoar.backends import onednn
from twinoar.backends.llvm import cache, driver, jit
from twinoar.backends.native.named import NAMED, operator_of
from twinoar.backends.native.parts import HOST, LIBRARY, LLVM, HostPart
from twinoar.backends.onednn.recipe import primitive_from
from twinoar.compile.commands import Commands, Kernel, bodies_of
from twinoar.compile.commands_text import parsed, printed
from twinoar.compile.identity import compiler
from twinoar.compile.pipeline import CallStep
from twinoar.compile.target import Target
from twinoar.core.ir.program import Program
from twinoar.core.report import is_reported

LIMIT_BYTES = 16 << 20  # constants may be large, and are in the Program anyway
SHOWN = 3  # TWINOAR_DEBUG from which passes and kernels are printed, which planning alone knows
Handles = Mapping[Kernel, Any]


def key_of(identity: str | None, target: Target, sizes: Mapping[str, int]) -> str | None:
    """The key of a Program's Commands; None where they are not to be kept, nor looked for."""
    if identity is None or config.passes or is_reported(SHOWN):
        return None
    versions = (*jit.versions(), compiler(), repr(target))
    return cache.key_of("commands", *versions, identity, repr(sorted(sizes.items())))


def put(key: str, commands: Commands) -> None:
    """Keep them, where all that they call is found again."""
    if all(k.kind != HOST for k in _kernels(commands)):
        put_text(key, printed(commands))


def put_text(key: str, text: str) -> None:
    """Keep an Outline's text; not if its ways were measured while the machine was busy."""
    if onednn.doubted():
        return
    data = zlib.compress(text.encode(), 1)
    if len(data) <= LIMIT_BYTES:
        cache.put(key, data)


def get_text(key: str) -> str | None:
    """What was kept so."""
    data = cache.get(key)
    return None if data is None else zlib.decompress(data).decode()


def get(key: str, program: Program) -> tuple[Commands, Handles] | None:
    """What was kept of a Program, and its kernels; None where one of them is not there any more."""
    text = get_text(key)
    if text is None:
        return None
    commands = parsed(text)
    handles = handles_of(set(_kernels(commands)), program)
    return None if handles is None else (commands, handles)


def _kernels(commands: Commands) -> Iterator[Kernel]:
    yield from commands.kernels
    for body in (body for c in commands.walk() for body in bodies_of(c)):
        yield from _kernels(body)


def handles_of(kernels: Iterable[Kernel], program: Program) -> Handles | None:
    """What kernels of a Program are here; None where one of them is not there any more."""
    handles: dict[Kernel, Any] = {}
    alike: dict[tuple[str, bool], list[Kernel]] = {}
    for k in kernels:
        if k.kind == LIBRARY:
            handles[k] = primitive_from(k.source)
        elif k.kind == NAMED:
            operator, count = operator_of(k.name, k.source, program)
            handles[k] = HostPart(CallStep(operator, [None] * count, [], [], None))
        else:
            assert k.kind == LLVM
            alike.setdefault((k.name, k.polls), []).append(k)
    for (name, polls), found in alike.items():
        symbols = driver.polling() if polls else {}
        codes = jit.kept([k.source for k in found], [name], symbols)
        if codes is None:
            return None
        handles.update(zip(found, codes, strict=True))
    return handles
