"""Records of trainings: `twinoar plot` and `board`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from twinoar.visual.board import Board
from twinoar.visual.board.server import PORT
from twinoar.visual.curves import draw_curves


def declare(commands: Any) -> None:
    """Say what the commands take."""
    plotter = commands.add_parser(
        "plot",
        help="draw training curves",
        description="Draw the training curves in the files of a folder.",
    )
    plotter.add_argument("folder", help="the log_dir of callbacks.VisualDL")
    plotter.add_argument("-o", "--output", metavar="FILE", help="the picture, folder/curves.png")
    plotter.set_defaults(act=lambda given: plot(given.folder, given.output))
    board = commands.add_parser(
        "board",
        help="serve a page about trainings",
        description="Serve a page about the trainings below a folder, which follows what they "
        "write, until Ctrl-C is pressed.",
    )
    board.add_argument("folder", help="a log_dir, or a folder of several")
    board.add_argument("--host", default="127.0.0.1", help="who may look: this machine alone")
    board.add_argument("-p", "--port", type=int, default=PORT, help="0 takes a free one")
    board.set_defaults(act=lambda given: show(given.folder, given.host, given.port))


def plot(folder: str, output: str | None) -> int:
    """Draw training curves and print the picture's path."""
    print(draw_curves(folder, output or Path(folder) / "curves.png"))
    return 0


def show(folder: str, host: str, port: int) -> int:
    """Serve the board, and print its address first."""
    board = Board(folder, host, port)
    print(f"twinoar board at {board.address}; Ctrl-C ends it", flush=True)
    try:
        board.serve()
    except KeyboardInterrupt:
        return 0
    return 0
