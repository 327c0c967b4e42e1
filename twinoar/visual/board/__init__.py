"""A page that shows records of trainings while they are written: `twinoar board`."""

from twinoar.visual.board.runs import Runs
from twinoar.visual.board.server import Board

__all__ = ["Board", "Runs"]
