"""Texts in pages: continuous batching over a pool of pages that texts share.

What the model keeps of the words it has read lies in pages of so many words; a text has as many as
it needs now, and gives them back when it ends. Prompts are read in pieces, those of several texts
together, and between two pieces those that write go on by a word. Where no page is free, the text
that came last gives its pages back and waits; it is read again when there is room. So the text that
came first always goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from twinoar.pretrained.past import Kept
from twinoar.serving.generation import Batching, Generation, Scored
from twinoar.serving.statistics import Execution, Statistics

GROWTH = 4  # of sizes that are run: each is compiled, and what is added to reach one is wasted
Run = Callable[[list[np.ndarray]], Sequence[np.ndarray]]


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes. slots: texts at once. page: words of a page. pages: of the pool. piece: words of a
    prompt that are read at once. context: the most words of a text.
    """

    slots: int
    page: int
    pages: int
    piece: int
    context: int

    @property
    def most_pages(self) -> int:
        """The pages of the longest text."""
        return min(-(-self.context // self.page), self.pages)

    def shapes(self) -> list[tuple[int, int, int]]:
        """All (rows, words, pages of a text) that are run."""
        return [
            (rows, words, pages)
            for words in sorted({1, self.piece})
            for rows in _sizes(self.slots)
            for pages in _sizes(self.most_pages)
        ]


class Pool:
    """The pages: which are free, and the keys and values in them."""

    def __init__(self, kept: Kept, plan: Plan):
        shape = (kept.layers, plan.pages, plan.page, kept.heads, kept.size)
        self.page = plan.page
        self.keys, self.values = np.zeros(shape, "float32"), np.zeros(shape, "float32")
        self.free = list(range(plan.pages))[::-1]

    def write(
        self, tables: list[list[int]], starts: list[int], counts: list[int], keys: np.ndarray,
        values: np.ndarray,
    ) -> None:  # fmt: skip
        """Put new keys and values [layers,rows,words,heads,size] where their texts have them."""
        rows = np.repeat(np.arange(len(counts)), counts)
        words = np.concatenate([np.arange(count) for count in counts])
        places = np.repeat(starts, counts) + words
        pages = np.array([tables[r][p // self.page] for r, p in zip(rows, places, strict=True)])
        self.keys[:, pages, places % self.page] = keys[:, rows, words]
        self.values[:, pages, places % self.page] = values[:, rows, words]


class PagedEngine(Batching):
    """Writes texts with a step over pages. run: as `PagedStep`, on arrays in its order."""

    def __init__(
        self,
        run: Run,
        kept: Kept,
        plan: Plan,
        ends: Iterable[int],
        size: int,
        name: str = "language",
        statistics: Statistics | None = None,
    ):
        context = min(plan.context, plan.pages * plan.page)
        super().__init__(size, context, ends, name, statistics)
        self.run, self.plan, self.pool = run, plan, Pool(kept, plan)
        self.put_back = 0  # how often a text gave its pages to another
        self._tables: dict[Generation, list[int]] = {}  # the oldest first
        self.start()

    def free_pages(self) -> int:
        """How many pages no text has."""
        return len(self.pool.free)

    def _writing(self) -> list[Generation]:
        return list(self._tables)

    def _drop(self, generation: Generation) -> None:
        self.pool.free += self._tables.pop(generation)

    def _take_in(self) -> None:
        promised = sum(self._lacking(g, len(g.words)) for g in self._tables)
        while self._waiting and len(self._tables) < self.plan.slots:
            needed = self._pages(len(self._waiting[0].words) + 1)
            if needed > len(self.pool.free) - promised and self._tables:
                return
            self._tables[self._next_waiting()] = []
            promised += needed

    def _pages(self, words: int) -> int:
        return -(-words // self.plan.page)

    def _lacking(self, generation: Generation, words: int) -> int:
        """How many more pages a text needs for so many words."""
        return max(self._pages(words) - len(self._tables[generation]), 0)

    def _forward(self) -> Scored:
        """A piece of all prompts that are not read, and a word of all texts that are."""
        found: Scored = []
        texts = list(self._tables)
        prompts = [g for g in texts if len(g.words) - g.read > 1]
        for these, words in ((prompts, self.plan.piece), (set(texts) - set(prompts), 1)):
            chosen = self._with_room([g for g in texts if g in these], words)
            if chosen:
                found += self._read(chosen, words)
        # One that gave its pages back meanwhile is read again, and comes to the same scores.
        return [(g, scores) for g, scores in found if g in self._tables]

    def _with_room(self, texts: list[Generation], words: int) -> list[Generation]:
        """Those of the texts that have pages for so many more words, which they are given."""
        found = []
        for generation in texts:
            if generation not in self._tables:
                continue  # it gave its pages to one before it
            whole = min(generation.read + words, len(generation.words))
            while self._lacking(generation, whole) > len(self.pool.free):
                last = next(reversed(self._tables))
                self._put_back(last)
                if last is generation:
                    break
            if generation in self._tables:
                table = self._tables[generation]
                table += [self.pool.free.pop() for _ in range(self._lacking(generation, whole))]
                found.append(generation)
        return [generation for generation in found if generation in self._tables]

    def _put_back(self, generation: Generation) -> None:
        """Let a text wait again, in front of the others; its words are kept, to be read again."""
        with self._changed:
            self._drop(generation)
            generation.read = 0
            self.put_back += 1
            self._waiting.appendleft(generation)

    def _read(self, texts: list[Generation], words: int) -> Scored:
        """Let the model read up to so many words of each text."""
        starts = [g.read for g in texts]
        counts = [min(words, len(g.words) - g.read) for g in texts]
        tables = [self._tables[g] for g in texts]
        arrays = self._arrays(texts, counts, words)
        begin = time.perf_counter()
        scores, keys, values = self.run([*arrays, self.pool.keys, self.pool.values])
        ran = time.perf_counter()
        self.pool.write(tables, starts, counts, keys, values)
        seconds = (0.0, ran - begin, time.perf_counter() - ran)
        self.statistics.executed(Execution(len(texts), len(texts), seconds))
        self.steps += 1
        for generation, count in zip(texts, counts, strict=True):
            generation.read += count
        return [(g, scores[row]) for row, g in enumerate(texts) if g.read == len(g.words)]

    def _arrays(self, texts: list[Generation], counts: list[int], words: int) -> list[np.ndarray]:
        """The words, starts, counts and tables of a run, in sizes that are compiled."""
        rows = _size(len(texts), self.plan.slots)
        pages = _size(max(self._pages(g.read) for g in texts), self.plan.most_pages)
        given, table = np.zeros((rows, words), "int64"), np.zeros((rows, pages), "int64")
        start, count = np.zeros(rows, "int64"), np.ones(rows, "int64")
        for row, generation in enumerate(texts):
            read = generation.read
            given[row, : counts[row]] = generation.words[read : read + counts[row]]
            start[row], count[row] = read, counts[row]
            before = self._tables[generation][: self._pages(read)]
            table[row, : len(before)] = before
        return [given, start, count, table]


def _size(count: int, most: int) -> int:
    """The size that is run for so many.

    >>> [_size(n, 24) for n in (0, 1, 2, 4, 5, 16, 17)]
    [1, 1, 4, 4, 16, 16, 24]
    """
    size = 1
    while size < count:
        size *= GROWTH
    return min(size, most)


def _sizes(most: int) -> list[int]:
    return sorted({_size(count, most) for count in range(1, most + 1)})
