"""What converted code calls: a plain value takes Python's way, a Variable builds operators."""

from twinoar.jit.runtime.branch import if_, ternary
from twinoar.jit.runtime.calls import call
from twinoar.jit.runtime.iterate import for_
from twinoar.jit.runtime.logic import and_, not_, or_
from twinoar.jit.runtime.loop import while_

__all__ = ["and_", "call", "for_", "if_", "not_", "or_", "ternary", "while_"]
