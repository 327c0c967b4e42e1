"""What an operator asks of a kernel library: descriptions of primitives, which name no library.

An operator's `library` rule gets `specs`, those of its operands, and its attributes by name. It
returns one of these descriptions, or None where it has none. All sizes are numbers. Descriptions
speak of logical dimensions; in which order these lie in memory is for the strides to say, which a
back end keeps of each value.
"""

from __future__ import annotations

from typing import Literal

from twinoar.late import dataclass

Sizes = tuple[int, ...]
Direction = Literal["forward", "backward_data", "backward_weights"]


@dataclass(frozen=True, slots=True)
class Matmul:
    """Products of matrices, x [...,M,K] times y [...,K,N]; sizes before the last two broadcast.

    Both operands have two dimensions or more, in any number. transpose_x, transpose_y: the last two
    dimensions of that operand are the other way round.
    """

    transpose_x: bool
    transpose_y: bool


@dataclass(frozen=True, slots=True)
class Convolution:
    """y [N,O,*] is x [N,C,*] correlated with weight [O,C/groups,*]; or a gradient of that.

    The operands and the result, in the operator's order:

        forward             x, weight -> y
        backward_data       y, weight -> x      also transposed convolution
        backward_weights    x, y -> weight

    strides, dilation: for each spatial axis; 1 is dense. padding: (before, after) of each axis, in
    a row. channels_last: the operator's x and y are [N,*,C] and [N,*,O], not [N,C,*]; the weight
    never is.
    """

    direction: Direction
    strides: Sizes
    dilation: Sizes
    padding: Sizes
    groups: int
    channels_last: bool

    @property
    def roles(self) -> tuple[str, str, str]:
        """What the two operands and the result are, of x, weight and y."""
        if self.direction == "forward":
            return "x", "weight", "y"
        return ("y", "weight", "x") if self.direction == "backward_data" else ("x", "y", "weight")


@dataclass(frozen=True, slots=True)
class Inverted:
    """Three convolutions, of which each reads what the one before gives: widen, each, then 1 by 1.

    The operands are x, the filters [C,*,KH,KW] and a bias [C] of the first, those of the second, a
    depthwise one, and the filters [O,C,1,1] of the third. activation: what is done to the results
    of the first two.
    """

    widen: Convolution
    each: Convolution
    activation: Literal["relu", "relu6", "hardswish"]


@dataclass(frozen=True, slots=True)
class Pooling:
    """y [N,C,*] holds the maximum or the average of each window of x [N,C,*]; or its gradient.

    The first operand and the first result are x and y, or y and x for backward_data. An operator
    with more results has a library form only where nothing reads them. kernel_size, strides: for
    each spatial axis. padding: (before, after) of each axis, in a row, as wide as windows that hang
    over the edge need it. counts_padding: averages divide by the size of the window, otherwise by
    the number of pixels in it. channels_last: x and y are [N,*,C].
    """

    kind: Literal["max", "avg"]
    direction: Literal["forward", "backward_data"]
    kernel_size: Sizes
    strides: Sizes
    padding: Sizes
    counts_padding: bool
    channels_last: bool


@dataclass(frozen=True, slots=True)
class Scaled:
    """A product of integers of 8 bits, and what becomes of each sum s of it.

    That is activation(s * scale + bias + residual) * factor, rounded where the result is of
    integers. The operands are those of the product, then these four, None for what is absent:
    scale [1] or one for each channel, or column, of the result; bias likewise; residual, of the
    result's shape; factor [1]. activation: "" for none. nonnegative: the first operand holds no
    number below 0.
    """

    product: Matmul | Convolution
    activation: str
    nonnegative: bool


@dataclass(frozen=True, slots=True)
class WeightOnly:
    """x [...,M,K] times a matrix of integers [N,K], int8, with scales [N] or [K/group_size,N].

    bits: 8, or 4, where row j of [N/2,K] has column 2j in its low bits and column 2j + 1 in the
    high ones. group_size: the steps of k that share a scale, -1 for all.
    """

    bits: int
    group_size: int


def image_axes(ndim: int, channels_last: bool) -> Sizes:
    """The axes of images in the order batch, channels, spatial axes.

    >>> image_axes(4, channels_last=True)
    (0, 3, 1, 2)
    """
    return (0, ndim - 1, *range(1, ndim - 1)) if channels_last else tuple(range(ndim))


Description = Matmul | Convolution | Inverted | Pooling | Scaled | WeightOnly


@dataclass(frozen=True, slots=True)
class Collective:
    """What the ranks of a group do together with the operands, as a rule `collective` says it.

    kind, reduction, root: as in `runtime.collective`. nranks: for how many it is made, 0 for any.
    begins, ends: not 0 where it is only begun, or where one is waited for that was begun, by the
    number that both have.
    """

    kind: Literal["all_reduce", "all_gather", "reduce_scatter", "broadcast"]
    reduction: str
    group: int
    root: int = 0
    nranks: int = 0
    begins: int = 0
    ends: int = 0
