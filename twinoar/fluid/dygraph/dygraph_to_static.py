"""ProgramTranslator, where Paddle 1.8 has it."""

from twinoar.fluid.dygraph.jit import ProgramTranslator

__all__ = ["ProgramTranslator"]
