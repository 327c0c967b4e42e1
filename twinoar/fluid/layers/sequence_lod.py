"""Sequences by their 1.x names: padded to one length, [batch,time,*], with `lengths` beside them.

1.x keeps the lengths of sequences within a tensor; these functions take them as an argument more.
"""

# ruff: noqa: F401  # what is imported is what is exported

from twinoar.core.public import exported
from twinoar.static.nn.sequence import (
    sequence_concat,
    sequence_enumerate,
    sequence_expand,
    sequence_expand_as,
    sequence_pad,
    sequence_reshape,
    sequence_reverse,
    sequence_scatter,
    sequence_slice,
    sequence_unpad,
)
from twinoar.static.nn.sequence_pool import (
    sequence_conv,
    sequence_first_step,
    sequence_last_step,
    sequence_pool,
    sequence_softmax,
)

__all__ = exported(globals())
