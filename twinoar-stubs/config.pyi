"""Every flag of twinoar: its name, default, legal values and meaning; and who heeds its changes."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

BACKENDS: builtins.tuple
DEBUG_LEVELS: builtins.range
FLAGS: builtins.tuple
class Flag:
    """One flag; `parse` turns the variable's text into the value, or raises ValueError."""
    @property
    def variable(self) -> builtins.str:
        """The name of the environment variable."""
    def read(self, text: builtins.str) -> Any:
        """The value that `text` stands for; raises ArgumentError, which lists the legal values."""
    default: builtins.str
    doc: builtins.str
    legal: builtins.str
    name: builtins.str
    parse: collections.abc.Callable[[builtins.str], Any]
    def __init__(self, name: builtins.str, default: builtins.str, legal: builtins.str, doc: builtins.str, parse: collections.abc.Callable[[builtins.str], Any]) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
OF_JOBS: builtins.frozenset
PREFIX: builtins.str
SWITCH: builtins.str
SWITCH_WORDS: builtins.dict
backend: builtins.str
check: builtins.bool
debug: builtins.int
finite: builtins.bool
fixtures: None
full_traceback: builtins.bool
def heed(name: builtins.str, changed: collections.abc.Callable[[Any], None]) -> None:
    """Call `changed` with the value of the flag `name`: now, and whenever it is set."""
network: None
onednn: builtins.bool
def override(**values: Any) -> collections.abc.Iterator[None]:
    """Flags with other values inside a `with` block, in all threads."""
passes: builtins.tuple
pir: builtins.bool
programs_kept: builtins.int
def read(environment: collections.abc.Mapping[builtins.str, builtins.str]) -> builtins.dict[builtins.str, Any]:
    """The value of every flag under `environment`."""
strict: builtins.bool
