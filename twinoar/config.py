"""Every flag of twinoar: its name, default, legal values and meaning; and who heeds its changes.

The flag `debug` is read from the variable TWINOAR_DEBUG when this module is imported, and is then
the module's own value `config.debug`; `override` changes flags for the length of a `with` block.
An unknown TWINOAR_* variable is an error, and so is a value that is not legal.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.late import dataclass

PREFIX = "TWINOAR_"
# What the processes of one job are told, and `distributed` reads when it joins them.
OF_JOBS = frozenset(
    {
        "TWINOAR_MPIRUN", "TWINOAR_RPC_KEY", "TWINOAR_SERVER_DEAD", "TWINOAR_SERVER_KEY",
        "TWINOAR_SERVER_RESTARTS", "TWINOAR_SERVER_SNAPSHOTS", "TWINOAR_SERVER_SNAPSHOT_STEPS",
        "TWINOAR_SERVER_TIMEOUT",
    }
)  # fmt: skip
SWITCH_WORDS = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}
DEBUG_LEVELS = range(7)

backend: str
data_home: Path
cache_dir: Path
fixtures: Path | None
check: bool
debug: int
finite: bool
full_traceback: bool
network: Path | None
onednn: bool
passes: tuple[str, ...]
pir: bool
programs_kept: int
strict: bool


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag; `parse` turns the variable's text into the value, or raises ValueError."""

    name: str
    default: str
    legal: str
    doc: str
    parse: Callable[[str], object]

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return PREFIX + self.name.upper()

    def read(self, text: str) -> object:
        """The value that `text` stands for; raises ArgumentError, which lists the legal values."""
        try:
            return self.parse(text.strip())
        except ValueError:
            default = f" for the default, {self.default}" if self.default else ""
            raise ArgumentError(
                f"{self.variable} expects {self.legal}, got {text!r}",
                cure=f"unset {self.variable}{default}",
            ) from None


def _switch(text: str) -> bool:
    if text.lower() not in SWITCH_WORDS:
        raise ValueError(text)
    return SWITCH_WORDS[text.lower()]


def _level(text: str) -> int:
    level = int(text)
    if level not in DEBUG_LEVELS:
        raise ValueError(text)
    return level


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise ValueError(text)
    return count


def _folder(text: str) -> Path:
    if not text:
        raise ValueError(text)
    return Path(text).expanduser()


def _optional_folder(text: str) -> Path | None:
    return _folder(text) if text else None


def _signed(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not all(name.startswith(("-", "+")) and len(name) > 1 for name in names):
        raise ValueError(text)
    return names


def _backend(text: str) -> str:
    if text not in BACKENDS:
        raise ValueError(text)
    return text


SWITCH = "one of 0, 1, false, true, off, on"
BACKENDS = ("auto", "native", "numpy")
FLAGS: tuple[Flag, ...] = (
    Flag(
        "backend",
        "auto",
        f"one of {', '.join(BACKENDS)}",
        "What runs Programs: machine code, or NumPy kernels one by one; auto is machine code where "
        "llvmlite is installed.",
        _backend,
    ),
    Flag("data_home", "~/.cache/twinoar", "a folder", "Where data sets are kept.", _folder),
    Flag(
        "cache_dir",
        "~/.cache/twinoar/compiled",
        "a folder",
        "Where compiled code and measured choices are kept; it may be emptied at any time.",
        _folder,
    ),
    Flag("fixtures", "", "a folder, or nothing", "Saved models to test with.", _optional_folder),
    Flag("check", "0", SWITCH, "Verify a Program after each pass.", _switch),
    Flag(
        "debug",
        "0",
        f"a level from {DEBUG_LEVELS[0]} to {DEBUG_LEVELS[-1]}",
        "What to print on stderr, each level more: 1 the chosen back end and compile times; 2 the "
        "table of explain() after the third run: time, bytes, GFLOP/s; 3 what each pass changes; "
        "4 loop nests; 5 LLVM IR; 6 assembly.",
        _level,
    ),
    Flag(
        "finite",
        "0",
        SWITCH,
        "The results of each operator are checked: one that is not a number or infinite is an "
        "error, which says where. All runs on NumPy, operator by operator.",
        _switch,
    ),
    Flag(
        "full_traceback",
        "0",
        SWITCH,
        "Errors in converted functions, Programs and loaded models show twinoar's own frames too.",
        _switch,
    ),
    Flag(
        "network",
        "",
        "a file, or nothing",
        "What collectives cost on this cluster, as `twinoar plan --measure` has written it: how "
        "calls are divided on a mesh is chosen by it. That of the first rank counts.",
        _optional_folder,
    ),
    Flag(
        "onednn",
        "1",
        SWITCH,
        "Matrix products and convolutions run in oneDNN where it is installed; with 0 in loops of "
        "our own.",
        _switch,
    ),
    Flag(
        "passes",
        "",
        "names of passes, each with a leading '-' or '+', separated by commas",
        "Passes and rules that do not run, and registered passes that run before a Program is "
        "compiled, in this order: `-simplify,+fuse_attention`.",
        _signed,
    ),
    Flag(
        "pir",
        "0",
        SWITCH,
        "Programs are saved as the `.json` of Paddle 3, not as `.pdmodel`. It is the flag "
        "FLAGS_enable_pir_api.",
        _switch,
    ),
    Flag(
        "programs_kept",
        "256",
        "a number of 1 or more",
        "Programs that a function under to_static keeps, lists of fetches that a static Program is "
        "prepared for, and sizes that one Program is compiled for. Of more, what was used least "
        "recently goes, and is made anew where it is wanted again.",
        _count,
    ),
    Flag(
        "strict",
        "0",
        SWITCH,
        "An operator that the native back end lacks is an error; with 0 it runs on NumPy inside "
        "the compiled Program, and explain() says so.",
        _switch,
    ),
)
_BY_NAME = {flag.name: flag for flag in FLAGS}


def read(environment: Mapping[str, str]) -> dict[str, object]:
    """The value of every flag under `environment`.

    Raises UnknownNameError for a TWINOAR_* variable that is no flag, ArgumentError for a value
    that is not legal.
    """
    for variable in environment:
        if variable.startswith(PREFIX) and variable not in OF_JOBS:
            _known(variable, [flag.variable for flag in FLAGS])
    return {flag.name: flag.read(environment.get(flag.variable, flag.default)) for flag in FLAGS}


@contextmanager
def override(**values: object) -> Iterator[None]:
    """Flags with other values inside a `with` block, in all threads.

    A value is given as Python has it or as the variable's text. Raises as `read` does.

    >>> from twinoar import config
    >>> with config.override(debug=2, passes=["-fold"]):
    ...     print(config.debug, config.passes)
    2 ('-fold',)
    """
    for name in values:
        _known(name, list(_BY_NAME))
    changed = {name: _BY_NAME[name].read(_text(value)) for name, value in values.items()}
    before = {name: globals()[name] for name in changed}
    try:
        _set(changed)
        yield
    finally:
        _set(before)


def heed(name: str, changed: Callable[[Any], None]) -> None:
    """Call `changed` with the value of the flag `name`: now, and whenever it is set."""
    _Flags.heeding.setdefault(name, []).append(changed)
    changed(globals()[name])


class _Flags(ModuleType):
    """This module, which tells those who heed a flag when it is set."""

    heeding: ClassVar[dict[str, list[Callable[[Any], None]]]] = {}

    def __setattr__(self, name: str, value: object) -> None:
        for changed in self.heeding.get(name, ()):
            changed(value)  # which may refuse it
        super().__setattr__(name, value)


def _set(values: Mapping[str, object]) -> None:
    for name, value in values.items():
        setattr(sys.modules[__name__], name, value)


def _known(name: str, names: list[str]) -> None:
    if name not in names:
        nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.0)[0]
        raise UnknownNameError(
            f"twinoar has no flag {name}, the nearest is {nearest}",
            cure=f"one of {', '.join(names)}",
        )


def _text(value: object) -> str:
    """A Python value as the text of a variable."""
    if value is None:
        return ""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)


sys.modules[__name__].__class__ = _Flags
globals().update(read(os.environ))
