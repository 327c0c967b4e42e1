"""Search of networks by simulated annealing, in one process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.slim.common.controllers import SAController, Tokens
from twinoar.slim.nas.search_space.factory import SearchSpaceFactory

TRIES = 50000  # candidates that are drawn before a search is at its end


class SANAS:
    """Proposes networks, and is told how good they are.

    configs: [(name of a space, settings)]; see `slim.nas.search_space`. init_temperature: None for
    10, or with init_tokens 1; reduce_rate: by which it falls. search_steps: how many networks are
    proposed at most. init_tokens: to begin with, those of the spaces by default. save_checkpoint: a
    folder that the search is kept in, or None; load_checkpoint: one that it goes on from. seed: of
    the draws. server_addr: without effect. Raises UnknownNameError, ArgumentError, FileError, and
    UnsupportedError for is_server=False.

    >>> search = SANAS([("ResNetSpace", {})], save_checkpoint=None, seed=0)
    >>> for _ in range(3):
    ...     (build,) = search.next_archs()
    ...     done = search.reward(0.5)
    >>> search.current_info()["best_reward"]
    0.5
    """

    def __init__(
        self,
        configs: Sequence[Any],
        server_addr: Any = ("", 8881),
        init_temperature: float | None = None,
        reduce_rate: float = 0.85,
        search_steps: int = 300,
        init_tokens: Sequence[int] | None = None,
        save_checkpoint: str | None = "nas_checkpoint",
        load_checkpoint: str | None = None,
        is_server: bool = True,
        seed: int | None = None,
    ):
        if not is_server:
            raise UnsupportedError(
                "is_server=False: a search runs in one process", cure="leave it out"
            )
        self._space = SearchSpaceFactory().get_search_space(configs)
        table = self._space.range_table()
        known = {} if load_checkpoint is None else SAController.load(load_checkpoint)
        first = known.get("_tokens") or self._space.init_tokens(init_tokens)
        self._controller = SAController(
            ([0] * len(table), table),
            reduce_rate,
            init_temperature,
            TRIES,
            first,
            known.get("_reward"),
            known.get("_max_reward"),
            known.get("_iter", 0),
            known.get("_best_tokens"),
            checkpoints=save_checkpoint,
            searched=known.get("_searched"),
            seed=seed,
        )
        self._count, self._steps = int(known.get("_iter", 0)), search_steps
        self._waiting: Tokens | None = None

    def tokens2arch(self, tokens: Sequence[int]) -> list[Any]:
        """The functions that build the network of some tokens, one for each space."""
        return self._space.token2arch(tokens)

    def next_archs(self) -> list[Any]:
        """The functions that build the next network. Raises ArgumentError after search_steps."""
        if self._count >= self._steps:
            raise ArgumentError(
                f"the search has gone its {self._steps} steps", cure="raise search_steps"
            )
        self._waiting = self._controller.next_tokens()
        return self._space.token2arch(self._waiting)

    def reward(self, score: float) -> bool:
        """Take the score of the network: more is better. Returns True.

        Raises ArgumentError before `next_archs`, and for a score that is not finite.
        """
        if self._waiting is None:
            raise ArgumentError("no network waits for a score", cure="call next_archs()")
        self._controller.update(self._waiting, score, self._count + 1)
        self._count, self._waiting = self._count + 1, None
        return True

    def current_info(self) -> dict[str, Any]:
        """best_tokens, best_reward and current_tokens."""
        return {
            "best_tokens": self._controller.best_tokens,
            "best_reward": self._controller.max_reward,
            "current_tokens": self._controller.current_tokens,
        }
