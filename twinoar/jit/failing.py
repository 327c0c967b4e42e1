"""Operators that fail as the data say, where an except of the user's would take what they raise.

A Program raises at its end what eager mode raises on the spot, so such a try is refused. Which
operators can fail, and with what, is told by their samples: a bad call that only data can tell.
"""

from __future__ import annotations

import functools

import numpy as np

from twinoar.core.ir.builder import trace_body
from twinoar.core.ir.program import Operator, Variable
from twinoar.core.op.definition import Op
from twinoar.errors import TwinoarError
from twinoar.jit.runtime.handling import is_within_try, refuse_handled
from twinoar.testing.sample import Sample, samples_of


def refuse_failing(o: Operator) -> None:
    """Raise ConversionError for an operator whose failure a try of the function would take."""
    if not is_within_try():
        return
    counts = any(isinstance(x, Variable) and not x.dtype.is_floating for x in o.operands)
    for error, by_integers in failures(o.op):
        if counts or not by_integers:
            refuse_handled(f"the {error.__name__} of {o.op.name}", error)
    if o.op.body is not None and not o.op.takes_blocks:
        for inner in trace_body(o.op, o.operands, o.attrs, o.source).walk():
            refuse_failing(inner)


@functools.cache
def failures(op: Op) -> frozenset[tuple[type[TwinoarError], bool]]:
    """What calls of `op` may raise as the data say, and whether integers decide it.

    What has an effect (an assertion, a print) is refused in its own words.
    """
    if "samples" not in op.rules or op.rules.get("effect"):
        return frozenset()
    bad = [s for s in samples_of(op) if s.error is not None and not s.static_error]
    return frozenset((s.error, _has_integers(s)) for s in bad if s.error is not None)


def _has_integers(sample: Sample) -> bool:
    given = (*sample.args, *sample.kwargs.values())
    return any(isinstance(x, np.ndarray) and x.dtype.kind in "biu" for x in given)
