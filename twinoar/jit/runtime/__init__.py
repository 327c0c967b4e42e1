"""What converted code calls: a plain value takes Python's way, a Variable builds operators."""

from twinoar.core.public import exported
from twinoar.jit.runtime import consumers, wrapped  # what they replace is wanted
from twinoar.jit.runtime.branch import if_, ternary, unless
from twinoar.jit.runtime.calls import call
from twinoar.jit.runtime.handling import handled, within
from twinoar.jit.runtime.iterate import chosen, for_, items
from twinoar.jit.runtime.logic import and_, binding, both, chain, either, or_
from twinoar.jit.runtime.loop import while_
from twinoar.jit.runtime.match import guard, subject
from twinoar.jit.runtime.mutation import changed, in_place
from twinoar.jit.runtime.names import assign, shares
from twinoar.jit.runtime.output import assert_, joined, pass_on, percent, raised
from twinoar.jit.runtime.state import attribute, item
from twinoar.jit.runtime.truth import compare, hashed, not_

__all__ = exported(globals())
