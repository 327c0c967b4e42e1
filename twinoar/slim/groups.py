"""Labels that say which channel each element belongs to, and which channels go together.

A label is a number. Two channels that must be removed together are joined; a channel joined with
FIXED can't be removed at all. NEUTRAL belongs to none, as a number that is added everywhere does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FIXED, NEUTRAL = 0, -1


class Groups:
    """Disjoint sets of labels, as a forest: each label points towards the least of its set.

    >>> groups = Groups()
    >>> first, second = groups.fresh(3), groups.fresh(3)
    >>> groups.join(first, second)
    >>> groups.least(second).tolist()
    [1, 2, 3]
    """

    def __init__(self) -> None:
        self._parents = [FIXED]

    def fresh(self, count: int) -> np.ndarray:
        """Labels that no channel had, [count], int64."""
        start = len(self._parents)
        self._parents.extend(range(start, start + count))
        return np.arange(start, start + count)

    def join(self, first: np.ndarray, second: np.ndarray) -> None:
        """Put the labels at equal places of two arrays together; shapes broadcast."""
        first, second = np.broadcast_arrays(first, second)
        both = (first != NEUTRAL) & (second != NEUTRAL) & (first != second)
        pairs = np.stack([first[both], second[both]], axis=1)
        for one, other in np.unique(pairs, axis=0).tolist():
            low, high = sorted((self._root(one), self._root(other)))
            self._parents[high] = low

    def fix(self, labels: np.ndarray) -> None:
        """Say that these channels can't be removed."""
        self.join(np.unique(labels), np.array(FIXED))

    def least(self, labels: np.ndarray) -> np.ndarray:
        """The least label of the set of each; equal where channels go together."""
        known, places = np.unique(labels, return_inverse=True)
        roots = [x if x == NEUTRAL else self._root(x) for x in known.tolist()]
        return np.array(roots, np.int64)[places].reshape(np.shape(labels))

    def tie(self, labels: np.ndarray, axis: int) -> None:
        """Let all along one axis go together, place by place of the others."""
        self.join(labels, labels[(slice(None),) * axis + (slice(0, 1),)])

    def varying(self, labels: np.ndarray) -> list[int]:
        """The axes along which labels differ."""
        found = self.least(labels)
        return [
            axis
            for axis, size in enumerate(found.shape)
            if size > 1 and (found != found[(slice(None),) * axis + (slice(0, 1),)]).any()
        ]

    def tie_all_but_one(self, labels: np.ndarray, first: int | None = None) -> None:
        """Let labels differ along one axis only, so that removing channels leaves a dense array.

        first: the axis that is tied first. Else an axis of channels that was divided in two is
        taken for [groups, channels], one that was divided further for [channels, rows, columns].
        """
        axes = self.varying(labels)
        tied = axes[1:] if len(axes) > 2 else axes[:-1]
        if first in axes and len(axes) > 1:
            tied = [first, *(a for a in axes if a != first)][:-1]
        for axis in tied:
            if len(self.varying(labels)) > 1:
                self.tie(labels, axis)

    def _root(self, label: int) -> int:
        parents = self._parents
        while parents[label] != label:
            parents[label] = parents[parents[label]]
            label = parents[label]
        return label


def spread(labels: np.ndarray, axis: int, shape: Any) -> np.ndarray:
    """Labels along one axis, for an array of that shape."""
    sizes = [1] * len(shape)
    sizes[axis] = len(labels)
    return np.broadcast_to(labels.reshape(sizes), shape)
