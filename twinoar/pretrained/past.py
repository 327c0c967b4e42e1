"""Keys and values of the words before, so that a word that is written reads itself alone.

A model asks its past three things: at which places the words lie that it reads now, what hides
words from each other, and in each block for the keys and values of all words until now. `Room` is
in this process's memory and is written in place; `Pages` reads what lies in pages of a pool that
texts share, as the model server keeps it, and is written with operators, so it can be compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from twinoar.core.device import to_host
from twinoar.core.dtype import default_dtype
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.ops.create.fill import full, zeros
from twinoar.ops.create.range import arange
from twinoar.ops.index.gather import gather
from twinoar.ops.index.mask import where
from twinoar.ops.shape.concat import concat
from twinoar.pretrained.model import FAR


@dataclass(frozen=True, slots=True)
class Kept:
    """What a model keeps of a word: in so many layers, so many heads of so many elements, twice.

    places: the most words of a text, None where the model does not say.
    """

    layers: int
    heads: int
    size: int
    places: int | None = None


class Past(Protocol):
    """What a model asks of the words before."""

    @property
    def positions(self) -> Any:
        """The places of the words that are read now, [batch,steps] of integers."""

    @property
    def mask(self) -> Any:
        """What is added to scores, [batch,1,steps,all steps], or None for nothing."""

    def seen(self, layer: int, keys: Any, values: Any) -> tuple[Any, Any]:
        """All keys and values until now, of those of the words that are read now.

        All are [batch,steps,heads,size].
        """


class Room:
    """Room for `most` words of each text, filled in place. Texts may begin with padding.

    padding: how many words of padding each text begins with, [batch]. Words are outermost in
    memory, so that those until now lie together, and tensors show them without a copy.
    """

    def __init__(self, kept: Kept, batch: int, most: int, padding: np.ndarray | None = None):
        shape, dtype = (most, batch, kept.heads, kept.size), default_dtype().numpy
        self.keys = [np.zeros(shape, dtype) for _ in range(kept.layers)]
        self.values = [np.zeros(shape, dtype) for _ in range(kept.layers)]
        self.padding = np.zeros(batch, np.int64) if padding is None else padding
        self.filled, self.steps = 0, 0
        self.positions: Any = None
        self.mask: Any = None

    def read(self, steps: int) -> None:
        """Say how many words are read next."""
        self.filled, self.steps = self.filled + self.steps, steps
        queries = np.arange(self.filled, self.filled + steps)
        # Padding lies at place 0, where nobody sees it.
        self.positions = to_tensor(np.maximum(queries - self.padding[:, None], 0))
        self.mask = None
        if steps > 1 or self.padding.any():
            places = np.arange(self.filled + steps)
            hidden = places > queries[:, None]  # [steps,all]
            hidden = hidden | (places < self.padding[:, None])[:, None]  # [batch,steps,all]
            self.mask = to_tensor(np.where(hidden, -FAR, 0.0).astype(np.float32)[:, None])

    def seen(self, layer: int, keys: Any, values: Any) -> tuple[Any, Any]:
        """All keys and values until now; those of this step are written into the room."""
        end = self.filled + self.steps
        found = []
        for room, new in ((self.keys[layer], keys), (self.values[layer], values)):
            data = new._data
            room[self.filled : end] = to_host(data).swapaxes(0, 1)
            until_now = room[:end].swapaxes(0, 1)  # only what lies beyond is written from now on
            is_here = isinstance(data, np.ndarray)
            found.append(Tensor(until_now) if is_here else to_tensor(until_now))
        return found[0], found[1]

    def reorder(self, rows: np.ndarray) -> None:
        """Let each text go on from another: row n from what was row rows[n]."""
        if (rows == np.arange(len(rows))).all():
            return
        self.padding = self.padding[rows]
        end = self.filled + self.steps
        for room in (*self.keys, *self.values):
            room[:end] = room[:end, rows]


class Pages:
    """A past that lies in pages of a pool. New keys and values are kept, not written.

    start: how many words each text has before, [batch]. table: the pages in which they lie, in
    order, [batch,pages of a text]. keys, values: the pool [layers,pages,words,heads,size]. steps:
    how many words of each text are read. `new`: what the step has found, by layer.
    """

    def __init__(self, start: Any, table: Any, keys: Any, values: Any, steps: Any):
        self.keys, self.values, self.table = keys, values, table
        words, pages = keys.shape[2], table.shape[1]
        self.new: list[tuple[Any, Any]] = []
        self.positions = start.unsqueeze(1) + arange(steps).unsqueeze(0)
        before = arange(pages * words).unsqueeze(0) < start.unsqueeze(1)  # [batch,all before]
        hidden = where(before, 0.0, -FAR).unsqueeze([1, 2])  # [batch,1,1,all before]
        later = full([steps, steps], -FAR).triu(1).unsqueeze([0, 1])  # [1,1,steps,steps]
        flat = zeros([start.shape[0], 1, steps, 1])
        self.mask = concat([hidden + flat, later + flat], axis=-1)

    def seen(self, layer: int, keys: Any, values: Any) -> tuple[Any, Any]:
        """All keys and values until now, with those in unused places, which the mask hides."""
        self.new.append((keys, values))
        batch, pages = self.table.shape
        _, _, words, heads, size = self.keys.shape
        found = []
        for pool, new in ((self.keys[layer], keys), (self.values[layer], values)):
            before = gather(pool, self.table.reshape([-1]))
            before = before.reshape([batch, pages * words, heads, size])
            found.append(concat([before, new], axis=1))
        return found[0], found[1]
