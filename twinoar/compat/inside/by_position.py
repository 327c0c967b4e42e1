"""`paddle._C_ops`: operators called by position. See `compat.inside.operators`."""

from twinoar.compat.inside.operators import FUNCTIONS

globals().update(FUNCTIONS)

__all__ = sorted(FUNCTIONS)
