"""The pages in which keys and values of words lie: which are free, and which texts have in common.

A page that is full is known by its words and all before them. A text that begins with the same
words has the page too, as long as it does not write into it; before it does, it gets a copy. Pages
that no text has any more keep what is in them until others need the room, the longest unused first.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence

import numpy as np

from twinoar.pretrained.past import Kept

DIGEST_BYTES = 16  # nobody finds two beginnings with the same digest, not even on purpose


class Pool:
    """So many pages of so many words. keys, values: [layers,pages,words,heads,size]."""

    def __init__(self, kept: Kept, pages: int, page: int):
        shape = (kept.layers, pages, page, kept.heads, kept.size)
        self.page = page
        self.keys, self.values = np.zeros(shape, "float32"), np.zeros(shape, "float32")
        self._counts = [0] * pages  # of the texts that have each
        # Pages that no text has, in the order in which they are taken.
        self._free: OrderedDict[int, None] = OrderedDict.fromkeys(range(pages))
        self._known: dict[bytes, int] = {}
        self._digests: dict[int, bytes] = {}

    def free(self) -> int:
        """How many pages no text has."""
        return len(self._free)

    def held(self, pages: Sequence[int]) -> int:
        """How many of these a text has."""
        return sum(self._counts[page] > 0 for page in pages)

    def take(self, count: int) -> list[int]:
        """So many pages that were free; what was in them is forgotten."""
        found = []
        for _ in range(count):
            page = next(iter(self._free))
            self._forget(page)
            del self._free[page]
            self._counts[page] = 1
            found.append(page)
        return found

    def give_back(self, pages: Sequence[int]) -> None:
        """A text does not need its pages any more. Its last ones are taken first, as the least
        is gone with them.
        """
        for page in reversed(pages):
            self._counts[page] -= 1
            if self._counts[page]:
                continue
            self._free[page] = None
            if page not in self._digests:  # nobody can find it, so it is taken before all others
                self._free.move_to_end(page, last=False)

    def find(self, words: Sequence[int]) -> list[int]:
        """The pages that have the words with which a text begins, as many as there are."""
        found = []
        for digest in self._chain(words, len(words)):
            page = self._known.get(digest)
            if page is None:
                break
            found.append(page)
        return found

    def share(self, pages: Sequence[int]) -> None:
        """A text has these pages, which others may have too."""
        for page in pages:
            self._counts[page] += 1
            self._free.pop(page, None)

    def keep(self, table: Sequence[int], words: Sequence[int], read: int) -> None:
        """Let others find the pages of a text that are full, by its words that were read."""
        for page, digest in zip(table, self._chain(words, read), strict=False):
            if page not in self._digests and digest not in self._known:
                self._known[digest], self._digests[page] = page, digest

    def is_shared(self, page: int) -> bool:
        """Whether a text may not write into a page that it has."""
        return self._counts[page] > 1 or page in self._digests

    def own(self, table: list[int], at: int) -> None:
        """Put a copy into a text's table for a page that it may not write into."""
        if at >= len(table) or not self.is_shared(table[at]):
            return
        before = table[at]
        (page,) = self.take(1)
        self.keys[:, page], self.values[:, page] = self.keys[:, before], self.values[:, before]
        table[at] = page
        self.give_back([before])

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

    def _chain(self, words: Sequence[int], count: int) -> Iterator[bytes]:
        """What each full page of a text is known by: its words, and all before them."""
        digest = b""
        for end in range(self.page, count + 1, self.page):
            told = np.array(words[end - self.page : end], "int64").tobytes()
            digest = hashlib.blake2b(digest + told, digest_size=DIGEST_BYTES).digest()
            yield digest

    def _forget(self, page: int) -> None:
        digest = self._digests.pop(page, None)
        if digest is not None:
            del self._known[digest]
