"""A page that shows records of trainings while they are written: `twinoar board`."""

# Written by tools/stubs.py.

import builtins
import pathlib
import twinoar.visual.board
from typing import Any, Literal, overload

import numpy as _numpy

class Board:
    """Serves a page about the trainings below a folder, which follows what they write."""
    def __init__(self, folder: builtins.str | pathlib.Path, host: builtins.str = '127.0.0.1', port: Any = 8040) -> None: ...
    @property
    def address(self) -> builtins.str:
        """What to open in a browser."""
    def serve(self) -> None:
        """Answer until `close` is called, or Ctrl-C is pressed."""
    def close(self) -> None:
        """Answer no more."""
    def __enter__(self) -> twinoar.visual.board.Board: ...
    def __exit__(self, *raised: Any) -> None: ...
    runs: Any
class Runs:
    """What is shown of the trainings below a folder; a run is a folder with files of records."""
    def __init__(self, folder: builtins.str | pathlib.Path) -> None: ...
    def read(self) -> None:
        """Read what has been written since; a damaged file becomes one of `problems`."""
    def tags(self) -> builtins.dict[builtins.str, builtins.dict[builtins.str, builtins.dict[builtins.str, builtins.int]]]:
        """How many values there are by kind, tag and run."""
    def series(self, kind: builtins.str, tag: builtins.str) -> builtins.dict[builtins.str, builtins.list[builtins.list[Any]]]:
        """The values of a tag by run, each with its step and its time in seconds before it."""
    folder: Any
    problems: builtins.dict[builtins.str, builtins.str]
