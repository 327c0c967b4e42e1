"""What search spaces share: how tokens become a network, and its pieces."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.nn.param_attr import ParamAttr
from twinoar.slim.core.registry import Registry
from twinoar.static import nn

SEARCHSPACE = Registry("search_space")
Arch = Callable[..., Any]
Points = int | Sequence[int] | None


class SearchSpaceBase(abc.ABC):
    """Networks that tokens tell apart; a space of one's own is registered in SEARCHSPACE.

    input_size, output_size: rows of images that a part of a network takes and gives. block_num: how
    many blocks it has. block_mask: 1 for each block that halves sizes, else 0, in place of these.
    """

    def __init__(
        self,
        input_size: int | None = None,
        output_size: int | None = None,
        block_num: int | None = None,
        block_mask: list[int] | None = None,
    ):
        if block_mask is not None and not isinstance(block_mask, list):
            raise ArgumentError(f"block_mask is a list of 0 and 1, received {block_mask!r}")
        self.input_size, self.output_size = input_size, output_size
        self.block_mask = block_mask
        self.block_num = None if block_mask is not None else block_num

    @abc.abstractmethod
    def init_tokens(self) -> list[int]:
        """Tokens to begin with."""

    @abc.abstractmethod
    def range_table(self) -> list[int]:
        """How many tokens there are at each place."""

    @abc.abstractmethod
    def token2arch(self, tokens: Sequence[int] | None = None) -> Arch:
        """The function that builds the network of some tokens in a Program."""


class BlockSpace(SearchSpaceBase):
    """A part of a network: blocks of tokens, of which some halve sizes.

    Raises ArgumentError for sizes that no halving leads to, and for too few blocks.
    """

    per_block: tuple[np.ndarray, ...]

    def strides(self) -> list[tuple[int, int]]:
        """(whose tokens, stride) of each block, in order."""
        if self.block_mask is not None:
            return [(n, 2 if mask == 1 else 1) for n, mask in enumerate(self.block_mask)]
        if None in (self.block_num, self.input_size, self.output_size):
            raise ArgumentError(
                "the space needs block_mask, or block_num, input_size and output_size"
            )
        assert self.block_num is not None
        halvings = halvings_between(self.input_size, self.output_size)
        if halvings > self.block_num:
            raise ArgumentError(f"{self.block_num} blocks cannot halve sizes {halvings} times")
        if not halvings:
            return [(n, 1) for n in range(self.block_num)]
        rounds, more = divmod(self.block_num, halvings)
        found = []
        for n in range(halvings):
            found.append((n, 2))
            found += [(k * halvings + n, 1) for k in range(rounds - 1)]
            if halvings - n <= more:
                found.append((halvings * (rounds - 1) + n, 1))
        return found

    def range_table(self) -> list[int]:
        """The choices of each block."""
        count = len(self.block_mask) if self.block_mask is not None else (self.block_num or 0)
        return [len(choices) for choices in self.per_block] * count

    def init_tokens(self) -> list[int]:
        """Random ones."""
        return [int(np.random.default_rng().integers(n)) for n in self.range_table()]

    def chosen(self, tokens: Sequence[int]) -> list[tuple[Any, ...]]:
        """What is chosen for each block, and its stride."""
        width, found = len(self.per_block), []
        for n, stride in self.strides():
            picks = zip(self.per_block, tokens[n * width :], strict=False)
            found.append((*(choices[token] for choices, token in picks), stride))
        return found


def halvings_between(size: Any, wanted: Any) -> int:
    """How often a size is halved, rounded up, to come to another. Raises ArgumentError."""
    count, left = 0, int(size)
    while left > wanted:
        left, count = (left + 1) // 2, count + 1
    if left != wanted:
        raise ArgumentError(f"halving {size} does not come to {wanted}")
    return count


def convolve(
    x: Any,
    filters: int,
    size: int,
    name: str,
    stride: int = 1,
    groups: int = 1,
    act: str | None = None,
) -> Any:
    """A convolution that keeps sizes, divided by stride, and batch norm, with names of both."""
    out = nn.conv2d(
        x,
        num_filters=int(filters),
        filter_size=int(size),
        stride=stride,
        padding="SAME",
        groups=groups,
        param_attr=ParamAttr(name=f"{name}_weights"),
        bias_attr=False,
    )
    return nn.batch_norm(
        out,
        act=act,
        param_attr=ParamAttr(name=f"{name}_bn_scale"),
        bias_attr=ParamAttr(name=f"{name}_bn_offset"),
        moving_mean_name=f"{name}_bn_mean",
        moving_variance_name=f"{name}_bn_variance",
    )


class Ends:
    """Values by how often sizes were halved before them: those that are asked for, and the last."""

    def __init__(self, wanted: Points, last: Points, halved: int):
        self._wanted, self._last, self.count = _listed(wanted), _listed(last), halved
        self.found: dict[int, Any] = {}

    def before(self, stride: int, value: Any) -> bool:
        """Note `value`, which the next block reads; True if the network ends with it."""
        self.count += stride == 2
        return self._note(self.count - 1, value)

    def after(self, value: Any) -> bool:
        """Note the value at the end; True if the network ends with it."""
        return self._note(self.count, value)

    def _note(self, at: int, value: Any) -> bool:
        if at in self._wanted:
            self.found[at] = value
        return at in self._last


def limited(strides: Iterable[int], most: int | None) -> list[int]:
    """Strides, which are 1 where sizes would be halved more often than to 1/most.

    >>> limited([2, 2, 1, 2], 4)
    [2, 1, 1, 1]
    """
    total, found = 2, []  # the first convolution has halved them
    for stride in strides:
        total *= stride
        found.append(1 if most is not None and total > most else stride)
    return found


def _listed(points: Points) -> list[int]:
    if points is None:
        return []
    return [points] if isinstance(points, int) else list(points)
