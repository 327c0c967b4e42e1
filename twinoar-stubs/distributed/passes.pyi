"""`paddle.distributed.passes`: changes of Programs for several processes, which are refused."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.distributed.passes
from typing import Any, Literal, overload

import numpy as _numpy

class PassContext:
    """What passes have done, and attributes that they leave for each other."""
    def __init__(self) -> None: ...
    def set_attr(self, key: builtins.str, value: Any) -> None:
        """Leave an attribute."""
    def get_attr(self, key: builtins.str, default: Any = None) -> Any:
        """An attribute that was left."""
    @property
    def passes(self) -> builtins.list[Any]:
        """The passes that have run: none."""
class PassManager:
    """Runs passes in turn; there are none to run."""
    def __init__(self, passes: collections.abc.Sequence[Any], context: twinoar.distributed.passes.PassContext | None = None, auto_solve_conflict: Any = 1) -> None: ...
    @property
    def names(self) -> builtins.list[builtins.str]:
        """The names of the passes."""
    def apply(self, main_programs: Any, startup_programs: Any) -> twinoar.distributed.passes.PassContext:
        """Run the passes: the Programs stay as they are."""
    context: Any
    passes: Any
def new_pass(name: builtins.str, pass_attrs: collections.abc.Mapping[builtins.str, Any] | None = None) -> Any:
    """The pass of that name: raises UnsupportedError."""
