"""Padded sequences: which steps of [batch,time,*] belong to them, and steps picked by number.

Paddle's sequence functions take rows of many sequences in one, with a table of where each begins.
Here sequences are padded to equal length, [batch,time,*], and `lengths` says how many steps each
has: [batch] or [batch,1], integers, or None where all steps count. A length above `time` is `time`.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.dim import differ
from twinoar.core.dtype import int64
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather_nd import gather_nd, stacked
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import less_than
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import minimum, select
from twinoar.ops.shape.expand import expand
from twinoar.ops.shape.reshape import reshape, unsqueeze
from twinoar.static.nn.parameter import check_variable


def check_sequences(x: Any, function: str, least: int = 2) -> None:
    """Raise TypeMismatchError or ShapeError where x is not [batch,time,*] of `least` dimensions."""
    check_variable(x, function)
    if x.ndim < least:
        raise ShapeError(
            f"{function} takes sequences of at least {least} dimensions, [batch, time, ...], "
            f"received {x.spec}",
            cure="pad the sequences to equal length, and pass lengths",
        )


def lengths_of(x: Any, lengths: Any, function: str) -> Any:
    """`lengths` as [batch], int64; None stays. Raises DTypeError, ShapeError."""
    if lengths is None:
        return None
    check_variable(lengths, f"lengths of {function}")
    if not lengths.dtype.is_integer:
        raise DTypeError(
            f"lengths are integers, received {lengths.spec}", cure="cast them to int64"
        )
    shape, batch = lengths.spec.shape, x.spec.shape[0]
    is_vector = len(shape) == 1 or (len(shape) == 2 and shape[1] == 1)
    if not is_vector or differ(shape[0], batch):
        raise ShapeError(
            f"lengths must be [{batch}], one for each sequence of {x.spec}, "
            f"received {lengths.spec}",
            cure="give the number of steps of each sequence",
        )
    flat = astype(reshape(lengths, [-1]) if len(shape) == 2 else lengths, int64)
    return minimum(flat, _time(x))


def _time(x: Any) -> Any:
    """The number of steps of x, a tensor where only the run knows it."""
    time = x.spec.shape[1]
    return time if isinstance(time, int) else fill((), time, int64)


def all_lengths(x: Any) -> Any:
    """[batch]: every sequence has all steps of x."""
    return fill((x.spec.shape[0],), x.spec.shape[1], int64)


def steps_of(x: Any) -> Any:
    """0, 1, ... for the steps of x: [1,time]."""
    return unsqueeze(iota.function(x.spec.shape[1]), 0)


def is_step(x: Any, lengths: Any, ndim: int | None = None) -> Any:
    """Whether a step of x belongs to its sequence: [batch,time,1,...] of ndim dimensions."""
    found = less_than(steps_of(x), unsqueeze(lengths, 1))
    return aligned(found, x.ndim if ndim is None else ndim)


def aligned(x: Any, ndim: int) -> Any:
    """x with dimensions of size 1 behind its own, ndim in all."""
    missing = list(range(x.ndim, ndim))
    return unsqueeze(x, missing) if missing else x


def only_steps(x: Any, lengths: Any, value: Any = 0) -> Any:
    """x with `value` after the end of each sequence; lengths: [batch], or None for x itself."""
    return x if lengths is None else select(is_step(x, lengths), x, value)


def at_steps(x: Any, index: Any) -> Any:
    """Steps of x [batch,time,*] by number: index [batch,k]. Returns [batch,k,*]."""
    rows = unsqueeze(iota.function(x.spec.shape[0]), 1)
    return gather_nd(x, stacked([expand(rows, index.spec.shape), index]))
