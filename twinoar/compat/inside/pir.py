"""`paddle.pir`: what programs ask about values of Programs, which are Variables here."""

from twinoar.core.ir.program import Variable
from twinoar.static.mode import default_main_program, default_startup_program, program_guard
from twinoar.static.program import Program

Value = OpResult = Variable

__all__ = [
    "OpResult",
    "Program",
    "Value",
    "default_main_program",
    "default_startup_program",
    "program_guard",
]
