"""`paddle.pir`: what programs ask about values of Programs, which are Variables here."""

# ruff: noqa: F401  # what is imported is what is exported

from twinoar.core.ir.program import Variable
from twinoar.core.public import exported
from twinoar.static.mode import default_main_program, default_startup_program, program_guard
from twinoar.static.program import Program

Value = OpResult = Variable

__all__ = exported(globals(), but=("Variable",))
