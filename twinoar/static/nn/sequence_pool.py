"""What is learned from whole padded sequences: pooling, softmax, convolution over time."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import limits
from twinoar.errors import UnsupportedError
from twinoar.ops.activation.softmax import softmax
from twinoar.ops.conv.row_conv import following
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, greater_than
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.select import maximum, select
from twinoar.ops.reduce.extreme import max as maximum_over
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import unsqueeze
from twinoar.static.nn.parameter import (
    Parameters,
    activation_named,
    check_choice,
    known_sizes,
    positive,
)
from twinoar.static.nn.steps import (
    aligned,
    all_lengths,
    check_sequences,
    lengths_of,
    only_steps,
    steps_of,
)

POOLS = ("average", "sum", "sqrt", "max", "last", "first")


def sequence_pool(
    input: Any,
    pool_type: str,
    is_test: bool = False,
    pad_value: float = 0.0,
    lengths: Any = None,
) -> Any:
    """One step from all steps of each sequence.

    input: [batch,time,*]. pool_type: "average", "sum", "sqrt" (sum / sqrt(length)), "max", "last"
    or "first". pad_value: the result of a sequence without steps. lengths: [batch], None for all
    steps. Returns [batch,*]. Raises ShapeError, ArgumentError for another pool_type.

    >>> x, lengths = twinoar.to_tensor([[1.0, 2.0, 9.0]]), twinoar.to_tensor([2])
    >>> twinoar.static.nn.sequence_pool(x, "average", lengths=lengths).tolist()
    [1.5]
    """
    check_sequences(input, "sequence_pool")
    kind = pool_type.lower() if isinstance(pool_type, str) else pool_type
    check_choice(kind, POOLS, "pool_type")
    found = lengths_of(input, lengths, "sequence_pool")
    counts = all_lengths(input) if found is None else found
    if kind == "max":
        out = maximum_over(only_steps(input, found, _lowest(input)), axis=1)
    elif kind in ("last", "first"):
        chosen = unsqueeze(counts - 1, 1) if kind == "last" else 0
        only_one = equal(steps_of(input), chosen)
        out = total(select(aligned(only_one, input.ndim), input, 0), axis=1)
    else:
        out = total(only_steps(input, found), axis=1)
        divisor = astype(maximum(counts, 1), input.dtype)
        if kind != "sum":
            out = out / aligned(sqrt(divisor) if kind == "sqrt" else divisor, out.ndim)
    if found is None:
        return out
    return select(aligned(greater_than(found, 0), out.ndim), out, float(pad_value))


def sequence_first_step(input: Any, lengths: Any = None) -> Any:
    """The first step of each sequence, zeros where it has none: `sequence_pool` by "first".

    input: [batch,time,*]. Returns [batch,*].
    """
    return sequence_pool(input, "first", lengths=lengths)


def sequence_last_step(input: Any, lengths: Any = None) -> Any:
    """The last step of each sequence, zeros where it has none: `sequence_pool` by "last".

    input: [batch,time,*]. Returns [batch,*].
    """
    return sequence_pool(input, "last", lengths=lengths)


def sequence_softmax(
    input: Any, use_cudnn: bool = False, name: str | None = None, lengths: Any = None
) -> Any:
    """softmax over the steps of each sequence.

    input: [batch,time] or [batch,time,1], floating. use_cudnn is accepted. Returns the shape of
    input, zeros after the end. Raises ShapeError.

    >>> x, lengths = twinoar.to_tensor([[1.0, 1.0, 9.0]]), twinoar.to_tensor([2])
    >>> twinoar.static.nn.sequence_softmax(x, lengths=lengths).tolist()
    [[0.5, 0.5, 0.0]]
    """
    check_sequences(input, "sequence_softmax")
    found = lengths_of(input, lengths, "sequence_softmax")
    scores = only_steps(input, found, _lowest(input))
    return only_steps(softmax(scores, axis=1), found)


def sequence_conv(
    input: Any,
    num_filters: int,
    filter_size: int = 3,
    filter_stride: int = 1,
    padding: bool = True,
    padding_start: int | None = None,
    bias_attr: Any = None,
    param_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
    lengths: Any = None,
) -> Any:
    """act(W [x[t + s], ..., x[t + s + filter_size - 1]] + b), where s is padding_start.

    input: [batch,time,width]; steps outside of a sequence are zeros. padding_start: None is
    -(filter_size // 2). padding is accepted. Parameters: W [filter_size*width,num_filters], b
    [num_filters] unless bias_attr is False. Returns [batch,time,num_filters], zeros after the end.
    Raises ShapeError, UnsupportedError for a filter_stride other than 1.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.sequence_conv(static.data("x", [None, 7, 4]), 5).shape)
    [N, 7, 5]
    """
    activate = activation_named(act)
    check_sequences(input, "sequence_conv", 3)
    if filter_stride != 1:
        raise UnsupportedError(
            f"sequence_conv moves by one step, received filter_stride={filter_stride}",
            cure="take every second step of its result",
        )
    found = lengths_of(input, lengths, "sequence_conv")
    (width,) = known_sizes(input, (2,), "sequence_conv")
    parameters = Parameters("sequence_conv", name)
    shape = (positive(filter_size, "filter_size") * width, positive(num_filters, "num_filters"))
    weight = parameters.make(shape, input.dtype, param_attr)
    bias = parameters.make((num_filters,), input.dtype, bias_attr, is_bias=True)
    first = -(filter_size // 2) if padding_start is None else padding_start
    x = only_steps(input, found)
    seen = concat([following(x, first + k) for k in range(filter_size)], axis=2)
    out = matmul(seen, weight)
    return only_steps(activate(out if bias is None else add(out, bias)), found)


def _lowest(x: Any) -> float:
    """The least number of the dtype of x: less than any step."""
    return float(limits(x.dtype).min)
