"""Functions of padded sequences [batch,time,*] with `lengths`: see `steps` for the convention.

The results are padded too. Where theirs are other lengths, these are returned beside them if
`lengths` was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import int64
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.ops.control.assertion import check
from twinoar.ops.conv.row_conv import following
from twinoar.ops.create.range import arange, iota
from twinoar.ops.index.gather import gather
from twinoar.ops.index.gather_nd import scatter_nd_add, stacked
from twinoar.ops.index.repeat import repeat_interleave
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import greater_equal, less_equal, less_than
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import select
from twinoar.ops.reduce.cumulative_sum import cumsum
from twinoar.ops.reduce.reduction import all as all_of
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import concat, stack
from twinoar.ops.shape.expand import expand
from twinoar.ops.shape.pad import pad_constant
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze
from twinoar.ops.shape.slice import slice_op
from twinoar.static.nn.parameter import check_variable, positive
from twinoar.static.nn.steps import (
    all_lengths,
    at_steps,
    check_sequences,
    is_step,
    lengths_of,
    only_steps,
    steps_of,
)


def sequence_concat(input: Sequence[Any], name: str | None = None, lengths: Any = None) -> Any:
    """Sequences one after the other: first those of input[0], then of input[1], ...

    input: [batch,time_i,*] each. lengths: one for each of input. Returns [batch,sum time_i,*]; with
    lengths, the ends are moved together, and the new lengths [batch] are returned too. Raises
    ShapeError, TypeMismatchError.
    """
    if not isinstance(input, (list, tuple)) or not input:
        raise TypeMismatchError(
            f"sequence_concat takes a list of Variables, received {type(input).__name__}",
            cure="write sequence_concat([x, y])",
        )
    for x in input:
        check_sequences(x, "sequence_concat")
    whole = concat(list(input), axis=1)
    if lengths is None:
        return whole
    if not isinstance(lengths, (list, tuple)) or len(lengths) != len(input):
        raise ArgumentError(
            f"{len(input)} inputs need as many lengths", cure="write lengths=[a, b] for [x, y]"
        )
    step = steps_of(whole)
    index: Any = None
    end: Any = None
    padding: Any = None
    for x, given in zip(input, lengths, strict=True):
        own = unsqueeze(lengths_of(x, given, "sequence_concat"), 1)
        # padding before x in `whole` is what its steps move by
        index = step if index is None else select(greater_equal(step, end), step + padding, index)
        gap = unsqueeze(all_lengths(x), 1) - own
        end, padding = (own, gap) if end is None else (end + own, padding + gap)
    found = reshape(end, [-1])
    inside = less_than(step, end)
    return only_steps(at_steps(whole, select(inside, index, 0)), found), found


def sequence_slice(input: Any, offset: Any, length: Any, name: str | None = None) -> Any:
    """length[i] steps of sequence i, from step offset[i] on.

    input: [batch,time,*]. offset, length: [batch] or [batch,1], integers. Returns [batch,time,*],
    zeros after the steps that are taken; `length` has their lengths. Raises ShapeError, DTypeError.
    """
    check_sequences(input, "sequence_slice")
    first, count = (lengths_of(input, v, "sequence_slice") for v in (offset, length))
    inside = is_step(input, count, 2)
    index = select(inside, steps_of(input) + unsqueeze(first, 1), 0)
    return only_steps(at_steps(input, index), count)


def sequence_expand(
    x: Any, y: Any, ref_level: int = -1, name: str | None = None, lengths: Any = None
) -> Any:
    """Each example of x as often as the sequence of y beside it has steps.

    x: [batch,*]. y: [batch,time,*], of which the lengths alone count. ref_level is accepted: there
    is one level. lengths: of y. Returns [sum of lengths,*]. Raises ShapeError.
    """
    check_sequences(x, "sequence_expand", 1)
    check_sequences(y, "sequence_expand")
    counts = lengths_of(y, lengths, "sequence_expand")
    if counts is None and not isinstance(y.spec.shape[1], SymbolicDim):
        return repeat_interleave(x, y.spec.shape[1], 0)
    ends = cumsum(all_lengths(y) if counts is None else counts)
    place = unsqueeze(arange(0, ends[-1], 1, int64), 1)
    return gather(x, total(astype(greater_equal(place, ends), int64), axis=1))


def sequence_expand_as(x: Any, y: Any, name: str | None = None, lengths: Any = None) -> Any:
    """Each example of x as every step of the sequence of y beside it.

    x: [batch,*]. y: [batch,time,*]. lengths: of y, and of the result. Returns [batch,time,*], zeros
    after the end. Raises ShapeError.
    """
    check_sequences(x, "sequence_expand_as", 1)
    check_sequences(y, "sequence_expand_as")
    batch, *rest = x.spec.shape
    wide = expand(unsqueeze(x, 1), [batch, y.spec.shape[1], *rest])
    return only_steps(wide, lengths_of(y, lengths, "sequence_expand_as"))


def sequence_pad(
    x: Any, pad_value: Any, maxlen: int | None = None, name: str | None = None, lengths: Any = None
) -> tuple[Any, Any]:
    """Sequences with pad_value after their ends, and `maxlen` steps in all.

    x: [batch,time,*]. pad_value: a number, or a Variable of one element or of the shape of a step.
    maxlen: None keeps time. Returns [batch,maxlen,*] and the lengths [batch], int64. Raises
    ShapeError, ArgumentError where maxlen is less than a length.
    """
    check_sequences(x, "sequence_pad")
    found = lengths_of(x, lengths, "sequence_pad")
    time: Any = x.spec.shape[1]
    if maxlen is not None and maxlen != time:
        found = all_lengths(x) if found is None else found
        if isinstance(time, int) and maxlen < time and lengths is None:
            raise ArgumentError(
                f"maxlen is {maxlen}, and sequences have {time} steps", cure="give maxlen >= time"
            )
        check(
            all_of(less_equal(found, positive(maxlen, "maxlen"))),
            "ValueError",
            f"a sequence has more than maxlen={maxlen} steps",
        )
        x = _resized(x, maxlen)
    if found is None:
        return x, all_lengths(x)
    value = pad_value
    if isinstance(pad_value, (int, float)):
        value = fill((), pad_value, x.dtype)
    else:
        check_variable(pad_value, "pad_value of sequence_pad")
        value = reshape(value, []) if value.size == 1 else value
    return select(is_step(x, found), x, value), found


def _resized(x: Any, time: int) -> Any:
    """x [batch,*,*] cut, or continued by zeros, to so many steps."""
    longer = pad_constant(x, (0, 0, 0, time, *(0, 0) * (x.ndim - 2)))
    return slice_op(longer, (1,), (0,), (time,))


def sequence_unpad(x: Any, length: Any, name: str | None = None) -> Any:
    """Sequences without what pads them: zeros after the end of each.

    x: [batch,time,*]. length: [batch], which stays the lengths of the result. Returns
    [batch,time,*]; the steps alone, one after the other, are masked_select's. Raises ShapeError.
    """
    check_sequences(x, "sequence_unpad")
    check_variable(length, "length of sequence_unpad")
    return only_steps(x, lengths_of(x, length, "sequence_unpad"))


def sequence_reshape(input: Any, new_dim: int, lengths: Any = None) -> Any:
    """The numbers of each sequence, in order, as steps of width new_dim.

    input: [batch,time,width]. Returns [batch,time*width/new_dim,new_dim]; with lengths, which times
    width new_dim must divide, also the new lengths. Raises ShapeError where new_dim does not divide
    time*width.
    """
    check_sequences(input, "sequence_reshape", 3)
    batch, time, width = input.spec.shape
    size: Any = time * width
    if isinstance(size, int) and size % positive(new_dim, "new_dim"):
        raise ShapeError(
            f"{time} steps of width {width} are no steps of width {new_dim}",
            cure="choose a new_dim that divides time * width",
        )
    out = reshape(input, [batch, size // new_dim, new_dim])
    found = lengths_of(input, lengths, "sequence_reshape")
    return out if found is None else (out, found * width // new_dim)


def sequence_scatter(
    input: Any, index: Any, updates: Any, name: str | None = None, lengths: Any = None
) -> Any:
    """input with updates added: out[i, index[i, t]] = input[i, index[i, t]] + updates[i, t].

    input: [batch,width]. index, updates: [batch,time]; lengths: theirs. Returns [batch,width].
    Raises ShapeError, DTypeError.
    """
    for x in (input, index, updates):
        check_sequences(x, "sequence_scatter")
    if not index.dtype.is_integer:
        raise DTypeError(f"index must hold integers, received {index.spec}", cure="cast it")
    index, updates = (squeeze(v, 2) if v.ndim == 3 else v for v in (index, updates))
    found = lengths_of(index, lengths, "sequence_scatter")
    index, updates = (only_steps(v, found) for v in (index, updates))
    rows = expand(unsqueeze(iota.function(index.spec.shape[0]), 1), index.spec.shape)
    return scatter_nd_add(input, stacked([rows, astype(index, int64)]), updates)


def sequence_enumerate(
    input: Any, win_size: int, pad_value: int = 0, name: str | None = None, lengths: Any = None
) -> Any:
    """For each step the win_size numbers from it on, with pad_value after the end.

    input: [batch,time] or [batch,time,1], integers. Returns [batch,time,win_size]. Raises
    ShapeError, DTypeError, ArgumentError.
    """
    check_sequences(input, "sequence_enumerate")
    x = squeeze(input, 2) if input.ndim == 3 else input
    if not x.dtype.is_integer:
        raise DTypeError(
            f"sequence_enumerate takes integers, received {input.spec}", cure="cast the input"
        )
    x = only_steps(x, lengths_of(x, lengths, "sequence_enumerate"), pad_value)
    ahead = range(positive(win_size, "win_size"))
    return stack([following(x, w, pad_value) for w in ahead], axis=2)


def sequence_reverse(x: Any, name: str | None = None, lengths: Any = None) -> Any:
    """The steps of each sequence in reverse order; what pads it stays behind.

    x: [batch,time,*]. Returns the shape of x. Raises ShapeError.
    """
    check_sequences(x, "sequence_reverse")
    found = lengths_of(x, lengths, "sequence_reverse")
    step = steps_of(x)
    last = unsqueeze(all_lengths(x) if found is None else found, 1) - 1
    return at_steps(x, select(less_equal(step, last), last - step, step))
