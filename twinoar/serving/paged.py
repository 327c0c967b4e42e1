"""Texts in pages: continuous batching over a pool of pages that texts share.

What the model keeps of the words it has read lies in pages of so many words; a text has as many as
it needs now, and gives them back when it ends. A text that begins as one before it did has the
pages of that one, and reads what follows. Prompts are read in pieces, those of several texts
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
from twinoar.serving.pool import Pool
from twinoar.serving.statistics import Execution, Statistics

GROWTH = 4  # of sizes that are run: each is compiled, and what is added to reach one is wasted
Run = Callable[[list[np.ndarray]], Sequence[np.ndarray]]


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes. slots: texts at once. page: words of a page. pages: of the pool. piece: words of a
    prompt that are read at once. context: the most words of a text. shares: whether texts have the
    pages of others that began as they do.
    """

    slots: int
    page: int
    pages: int
    piece: int
    context: int
    shares: bool = True

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
        self.run, self.plan = run, plan
        self.pool = Pool(kept, plan.pages, plan.page)
        self.put_back = 0  # how often a text gave its pages to another
        self._tables: dict[Generation, list[int]] = {}  # the oldest first
        self.start()

    def free_pages(self) -> int:
        """How many pages no text has."""
        return self.pool.free()

    def _writing(self) -> list[Generation]:
        return list(self._tables)

    def _drop(self, generation: Generation) -> None:
        self.pool.give_back(self._tables.pop(generation))

    def _take_in(self) -> None:
        promised = sum(self._lacking(g, len(g.words)) for g in self._tables)
        for generation in list(self._waiting):
            if len(self._tables) == self.plan.slots:
                return
            found = self._begun(generation)
            if self._is_being_read(generation, len(found)):
                continue  # as copies of one prompt are, of which the first reads it for all
            needed = self._pages(len(generation.words) + 1) - self.pool.held(found)
            if needed > self.pool.free() - promised and self._tables:
                return
            # One word is left to be read, as its scores are what the text goes on with.
            generation.read = min(len(found) * self.plan.page, len(generation.words) - 1)
            if generation.queued_seconds is None:  # not one that gave its pages back
                generation.found = generation.read
            self._next_waiting(generation)
            self.pool.share(found)
            self._tables[generation] = found
            promised += self._lacking(generation, len(generation.words) + 1)

    def _begun(self, generation: Generation) -> list[int]:
        """The pages that others have filled with the words that a text begins with."""
        if not self.plan.shares or generation.steps_singly:
            return []
        return self.pool.find(generation.words)

    def _is_being_read(self, generation: Generation, found: int) -> bool:
        """Whether another text is reading the page with which this one would begin to read."""
        if not self.plan.shares or generation.steps_singly:
            return False
        end = (found + 1) * self.plan.page
        begins = generation.words[:end]
        return len(begins) == end and any(
            other.read < end and other.words[:end] == begins for other in self._tables
        )

    def _pages(self, words: int) -> int:
        return -(-words // self.plan.page)

    def _lacking(self, generation: Generation, words: int) -> int:
        """How many more pages a text needs for so many words."""
        return max(self._pages(words) - len(self._tables[generation]), 0)

    def _wanted(self, generation: Generation, words: int) -> int:
        """How many pages it takes from those that are free, to read up to so many words.

        A page that others have is not written into, so a copy of it may be needed.
        """
        at = generation.read // self.plan.page
        table = self._tables[generation]
        copies = at < len(table) and self.pool.is_shared(table[at])
        return self._lacking(generation, words) + copies

    def _forward(self) -> Scored:
        """A piece of all prompts that are not read, and a word of all texts that are."""
        found: Scored = []
        texts = list(self._tables)
        prompts = [g for g in texts if len(g.words) - g.read > 1 and not g.steps_singly]
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
            while self._wanted(generation, whole) > self.pool.free():
                last = next(reversed(self._tables))
                self._put_back(last)
                if last is generation:
                    break
            if generation in self._tables:
                table = self._tables[generation]
                table += self.pool.take(self._lacking(generation, whole))
                self.pool.own(table, generation.read // self.plan.page)
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
            before = generation.read // self.plan.page
            generation.read += count
            if self.plan.shares and generation.read // self.plan.page > before:
                self.pool.keep(self._tables[generation], generation.words, generation.read)
        return [(g, scores[row]) for row, g in enumerate(texts) if g.is_scored()]

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
