"""The Programs that a converted function has been traced to, as Paddle shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from twinoar.errors import ArgumentError
from twinoar.jit.concrete import ConcreteProgram


class ProgramCache(Mapping[tuple, ConcreteProgram]):
    """Programs by signature, and by number where a signature has several: a live view.

    latest: tells which was traced last, or None. forget: forgets them all.
    """

    def __init__(
        self,
        programs: Mapping[tuple, list[ConcreteProgram]],
        latest: Callable[[], ConcreteProgram | None],
        forget: Callable[[], None],
    ):
        self._programs, self._latest, self._forget = programs, latest, forget

    def __getitem__(self, key: tuple) -> ConcreteProgram:
        variants = self._programs[key[:-1]]
        if not 0 <= key[-1] < len(variants):
            raise KeyError(key)
        return variants[key[-1]]

    def __iter__(self) -> Iterator[tuple]:
        return ((*key, i) for key, all_ in self._programs.items() for i in range(len(all_)))

    def __len__(self) -> int:
        return sum(map(len, self._programs.values()))

    def concrete_programs(self) -> list[ConcreteProgram]:
        """All of them, in the order of their signatures."""
        return list(self.values())

    def last(self) -> tuple[tuple, tuple[ConcreteProgram, Callable]]:
        """The signature of the latest, with the pair of it and what runs it.

        Raises ArgumentError if there is none.
        """
        latest = self._latest()
        for key, concrete in self.items():
            if concrete is latest:
                return key, (concrete, concrete)
        raise ArgumentError("there is no Program yet", cure="call the function once before")

    def clear(self) -> None:
        """Forget all Programs: the next call traces anew."""
        self._forget()
