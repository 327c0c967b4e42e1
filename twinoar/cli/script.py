"""`twinoar run` and `launch`: scripts and modules written for Paddle, in one process or several."""

from __future__ import annotations

import argparse
import builtins
import runpy
import sys
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from twinoar import compat
from twinoar.cli.exit_code import CANNOT_OPEN
from twinoar.compat.beside import BESIDE
from twinoar.distributed.launch import launch
from twinoar.errors import TwinoarError
from twinoar.runtime.collective.job import announce_rank


def declare(commands: Any) -> None:
    """Say what the commands take."""
    runner = commands.add_parser(
        "run",
        help="run a Python script with `import paddle` served by twinoar",
        description="Run a Python script as python does, with `import paddle` served by twinoar; "
        "with -m MODULE, that module.",
    )
    runner.add_argument("script", help="the script's file")
    runner.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own arguments")
    launcher = commands.add_parser(
        "launch",
        help="run a script in several processes that train together",
        description="Run a script as paddle.distributed.launch does, with its options: "
        "twinoar launch --nproc_per_node 2 train.py.",
        add_help=False,
    )
    launcher.add_argument("arguments", nargs=argparse.REMAINDER)


def run(script: str, arguments: Sequence[str]) -> int:
    """Run the file `script` as `__main__`, as python does; returns 0, or 2 if it cannot be read.

    What the script raises is printed without twinoar's own frames on top, and ends the process
    as it would end python.
    """
    file = str(Path(script).absolute())
    try:
        source = Path(script).read_bytes()
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        print(f"twinoar: can't open file {file!r}: {reason}", file=sys.stderr)
        return CANNOT_OPEN
    announce_rank()
    compat.install()
    module = _main_module(file)
    sys.modules["__main__"] = module
    sys.argv = [script, *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = str(Path(script).resolve().parent)
    try:
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        _report(error)
        raise
    return 0


def run_module(name: str, arguments: Sequence[str]) -> int:
    """Run the module `name` as `__main__`, as `python -m` does; a module of Paddle is twinoar's."""
    compat.install()
    sys.argv = [name, *arguments]
    first, dot, rest = name.partition(".")
    beside = {"paddle": "twinoar"} | {finder.served: finder.serving for finder in BESIDE}
    served = f"{beside[first]}{dot}{rest}" if first in beside else name
    runpy.run_module(served, run_name="__main__", alter_sys=True)
    return 0


def launched(arguments: Sequence[str]) -> int:
    """Run a script in several processes; returns their exit code, or 2 for wrong arguments."""
    try:
        launch(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    except TwinoarError as error:
        print(f"twinoar: {error}", file=sys.stderr)
    return CANNOT_OPEN


def _main_module(file: str) -> ModuleType:
    """An empty `__main__` as python makes it for a script."""
    module = ModuleType("__main__")
    module.__file__ = file
    module.__loader__ = SourceFileLoader("__main__", file)
    module.__dict__.update(__builtins__=builtins, __annotations__={}, __cached__=None)
    return module


def _report(error: BaseException) -> None:
    """Print the traceback from the script's first frame on, and keep python from repeating it."""
    own = error.__traceback__
    of_script = own.tb_next if own else None
    sys.excepthook(type(error), error.with_traceback(of_script), of_script)
    sys.excepthook = lambda *printed: None
