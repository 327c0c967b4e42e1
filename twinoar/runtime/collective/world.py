"""All ranks, and the groups that were made of them."""

from __future__ import annotations

import itertools
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.runtime.collective.communicator import Communicator

ALL = 0  # the number of the group of all ranks
FIRST_NUMBER = 10  # numbers below are for groups that Paddle makes by itself


class World:
    """All ranks, as one of them sees them, and the groups that were made of them, by number."""

    def __init__(self, communicator: Communicator):
        self.communicators: dict[int, Communicator | None] = {ALL: communicator}
        self.faces: dict[int | str, Any] = {}  # what users hold of the groups
        self.numbers = itertools.count(FIRST_NUMBER)
        self.own_values: dict[Any, Any] = {}  # of a rank that is a thread

    @property
    def all(self) -> Communicator:
        """The group of all ranks."""
        found = self.communicators[ALL]
        assert found is not None
        return found

    @property
    def rank(self) -> int:
        """Which rank this is."""
        return self.all.rank

    @property
    def size(self) -> int:
        """How many there are."""
        return self.all.size

    def of(self, number: int) -> Communicator:
        """The group with this number. Raises ArgumentError where this rank is in no such group."""
        found = self.communicators.get(number)
        if found is None:
            made = number in self.communicators
            raise ArgumentError(
                f"rank {self.rank} is not in the group {number}"
                if made
                else f"there is no group {number} here",
                cure="make it by new_group on all ranks, in the order in which the Program's were",
            )
        return found
