"""What an operator asks of kernels for sums of products, and which of these there are run it."""

from __future__ import annotations

from typing import Literal

from twinoar.backends.native.own_images import is_channelwise, is_depthwise
from twinoar.compile.element import asked_of_library
from twinoar.compile.graph import ROWS, Order
from twinoar.compile.target import Target
from twinoar.core.dtype import bfloat16, float16, float32, float64
from twinoar.core.ir.program import Operator, Variable
from twinoar.core.op.library import (
    Convolution,
    Description,
    Inverted,
    Matmul,
    Scaled,
    WeightOnly,
)
from twinoar.core.varying import hint_of

SUMS = (Matmul, Convolution, Inverted, Scaled, WeightOnly)
IN_LIBRARY = (float32, bfloat16)
IN_LOOPS = (float32, float64, bfloat16, float16)
# A product in float32 of fewer operations is faster in loops in one thread: [64,64] x [64,10] takes
# oneDNN 2.5 us and these 1.8; [64,128] x [128,64] takes both 6 us, but oneDNN 13 where the second
# core is busy.
SMALL = 1_500_000
# Operations for each byte of the larger operand of a product up to which reading it takes longer:
# a core computes some 100 operations in the time of 20 to 30 bytes. oneDNN reads such an operand
# with [1,768] x [768,3072] at 63 GB/s and these loops at 72, [1,4096] x [4096,4096] at 17 and 28.
# That is up to 8 rows of float32, and 4 of bfloat16, for which oneDNN has units of its own.
OPERATIONS_PER_BYTE = 4
# Elements of a matrix that one row reads in the time that waking a thread may take. Between eager
# calls threads fall asleep; within a Program they wait awake, and half as many are worth dividing.
BRIEF_READS = 150_000
FEW = 3  # columns of a group that fill so little of a tile that loops over elements are faster


def for_library(o: Operator, target: Target, small: bool = False) -> Description | None:
    """What an operator asks of oneDNN; None where the target lacks it, or it does not do it.

    small: also where loops are faster.
    """
    if not target.library:
        return None
    asked = _asked(o)
    dtypes = [x.spec.dtype for x in _operands(o)]
    if isinstance(asked, Scaled):
        return asked
    if any(d not in IN_LIBRARY for d in dtypes) or isinstance(asked, Inverted):
        return None
    if small:
        return asked
    if isinstance(asked, Matmul):
        is_small = dtypes[0] is float32 and _operations(o) < SMALL
        return None if is_small or _waits_for_memory(o) else asked
    return asked


def for_loops(o: Operator) -> Description | None:
    """What an operator asks of our own tiled loops; None where plain loops are as good.

    They are of floats, of floats and integers with scales, or of integers of 8 bits.
    """
    asked = _asked(o)
    if isinstance(asked, WeightOnly):
        return asked
    if isinstance(asked, Scaled):
        return asked if _has_tiles(asked, o) else None
    if any(x.spec.dtype not in IN_LOOPS for x in _operands(o)):
        return None
    if isinstance(asked, Convolution) and _is_narrow(asked, o):
        return asked if is_channelwise(asked, o.operands[1].spec) else None
    return asked


def result_order(o: Operator, target: Target) -> Order | Literal["rows"] | None:
    """The order in which a call writes its result, or ROWS for any; None where none runs it."""
    asked = for_library(o, target) or for_loops(o)
    if isinstance(asked, Scaled):
        asked = asked.product
    if isinstance(asked, Inverted):
        asked = asked.widen  # whose images lie as those of the result
    if isinstance(asked, Convolution) and asked.direction != "backward_weights":
        rank = o.results[0].spec.ndim
        return tuple(range(rank)) if asked.channels_last else (0, *range(2, rank), 1)
    if isinstance(asked, (Matmul, WeightOnly)):
        return ROWS
    return None if asked is None else tuple(range(o.results[0].spec.ndim))


def _asked(o: Operator) -> Description | None:
    found: Description | None = asked_of_library(o.op, o.operands, o.attrs)
    return found if isinstance(found, SUMS) else None


def _is_narrow(asked: Convolution, o: Operator) -> bool:
    """True for depthwise convolution and the like, where groups make few channels each."""
    if asked.groups == 1 or asked.direction == "backward_weights":
        return False
    filters, channels, *_ = o.operands[1].spec.shape
    return (filters // asked.groups if asked.direction == "forward" else channels) < FEW


def _has_tiles(asked: Scaled, o: Operator) -> bool:
    """False for a convolution of integers whose groups make few channels, but of one alone."""
    product, weight = asked.product, o.operands[1].spec.shape
    if not isinstance(product, Convolution) or is_depthwise(product, weight):
        return True
    return not _is_narrow(product, o)


def _waits_for_memory(o: Operator) -> bool:
    """True for a product of few rows, or with a vector: it takes the time of reading its matrix."""
    x, y = _operands(o)
    matrix = x if hint_of(o.results[0].spec.shape[-1]) == 1 else y
    read = hint_of(matrix.spec.size) * matrix.spec.dtype.itemsize
    return _operations(o) <= OPERATIONS_PER_BYTE * read


def is_brief(o: Operator) -> bool:
    """True for a product of few rows that is over before a thread that sleeps has woken up."""
    if not isinstance(_asked(o), Matmul) or not _waits_for_memory(o):
        return False
    return max([hint_of(x.spec.size) for x in _operands(o)]) < BRIEF_READS


def _operations(o: Operator) -> int:
    """The additions and multiplications of a product."""
    return hint_of(o.op.rules["flops"](*(x.spec for x in _operands(o)), **o.attrs))


def _operands(o: Operator) -> list[Variable]:
    return [x for x in o.operands if isinstance(x, Variable)]


def narrow_weight(o: Operator) -> int | None:
    """The operand that is the weight of a convolution in plain loops; None for other operators."""
    asked = _asked(o)
    if not isinstance(asked, Convolution) or asked.direction != "forward":
        return None
    return asked.roles.index("weight") if for_loops(o) is None else None
