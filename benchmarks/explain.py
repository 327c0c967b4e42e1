"""What a compiled work runs as, a line for each part, with its time: `explain.py WORK`.

A step of training is compiled whole; what has no optimizer, as it is used. It runs in as many
threads as OMP_NUM_THREADS says, and where TWINOAR_BACKEND says.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import works_paddle
from works import WORKS, write

import twinoar

CALLS = 5  # the first compiles


def explained(name: str) -> str:
    """The table of the work `name` after some calls."""
    mode = "train_step" if WORKS[name].optimizer else "to_static"
    with tempfile.TemporaryDirectory() as folder:
        write(name, Path(folder))
        function, arguments = works_paddle.prepared(twinoar, mode, Path(folder), name)
    with twinoar.set_grad_enabled(WORKS[name].optimizer is not None):
        for _ in range(CALLS):
            function(*arguments)
    # What is compiled: of a model its forward, the function itself, or what that calls.
    candidates = (getattr(function, "forward", function), *arguments)
    static = next(x for x in candidates if hasattr(x, "concrete_program"))
    return static.concrete_program.explain()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    offered = works_paddle.offered("twinoar", "to_static")
    parser.add_argument("work", choices=offered, metavar="WORK", help=", ".join(offered))
    print(explained(parser.parse_args().work))


if __name__ == "__main__":
    main()
