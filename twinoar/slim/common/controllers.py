"""What chooses the next candidate of a search: simulated annealing over tokens.

A candidate is a list of tokens, whole numbers, each within its own bounds. Source: Kirkpatrick et
al. 1983, "Optimization by Simulated Annealing", Science 220.
"""

from __future__ import annotations

import abc
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, FileError

Tokens = list[int]
FILE = "sanas.checkpoints"
NEVER = -1.0  # the reward of what is not known yet
HOT, MILD = 10.0, 1.0  # temperatures without and with tokens to begin with


class EvolutionaryController(abc.ABC):
    """What proposes tokens, and is told how good they were."""

    @abc.abstractmethod
    def update(self, tokens: Tokens, reward: float) -> None:
        """Take the reward of some tokens: more is better."""

    @abc.abstractmethod
    def next_tokens(self) -> Tokens:
        """Tokens to try."""


class RLBaseController(abc.ABC):
    """What learns to propose tokens by the rewards of those before."""

    @abc.abstractmethod
    def next_tokens(self, num_archs: int = 1, is_inference: bool = False) -> list[Tokens]:
        """Tokens of so many candidates; the likeliest where is_inference."""

    @abc.abstractmethod
    def update(self, rewards: Any) -> float:
        """Learn by the rewards of the last tokens: more is better. Returns the loss."""


class SAController(EvolutionaryController):
    """Simulated annealing: a step for the worse is taken the less often the longer it goes.

    range_table: the least token and the first too large at each place. reduce_rate: by which the
    temperature falls in each iteration; init_temperature: None for 10, or with init_tokens 1.
    max_try_times: how many candidates are drawn before none is left. constrain_func: tells of
    tokens whether they may be tried. reward, max_reward, iters, best_tokens, searched: of a search
    that goes on. checkpoints: a folder that each update is kept in. seed: of the draws. Raises
    ArgumentError.

    >>> controller = SAController(([0, 0], [4, 4]), init_tokens=[0, 0], seed=1)
    >>> for step in range(8):
    ...     tokens = controller.next_tokens()
    ...     controller.update(tokens, sum(tokens), step)
    >>> controller.max_reward == sum(controller.best_tokens)
    True
    """

    def __init__(
        self,
        range_table: tuple[Sequence[int], Sequence[int]],
        reduce_rate: float = 0.85,
        init_temperature: float | None = None,
        max_try_times: int = 300,
        init_tokens: Sequence[int] | None = None,
        reward: float | None = None,
        max_reward: float | None = None,
        iters: int = 0,
        best_tokens: Sequence[int] | None = None,
        constrain_func: Callable[[Tokens], bool] | None = None,
        checkpoints: str | None = None,
        searched: Mapping[str, float] | None = None,
        seed: int | None = None,
    ):
        self._low, self._high = _bounds(range_table)
        self._random = np.random.default_rng(seed)
        mild = MILD if init_tokens is not None else HOT
        self._heat = mild if init_temperature is None else float(init_temperature)
        self._rate, self._tries, self._is_allowed = reduce_rate, max_try_times, constrain_func
        self._tokens = self._checked(init_tokens) if init_tokens is not None else self._drawn()
        self._reward, self._max_reward, self._iter = reward, max_reward, iters
        self._best = None if best_tokens is None else list(best_tokens)
        self._folder, self._searched = checkpoints, dict(searched or {})
        self._current = list(self._tokens)

    @property
    def best_tokens(self) -> Tokens | None:
        """Those with the greatest reward; None before the first update."""
        return self._best

    @property
    def max_reward(self) -> float:
        """The greatest reward; -1 before the first."""
        return NEVER if self._max_reward is None else self._max_reward

    @property
    def current_tokens(self) -> Tokens:
        """What `next_tokens` returned last."""
        return self._current

    def update(self, tokens: Tokens, reward: float, iter: int = 0, client_num: int = 1) -> None:
        """Take the reward of some tokens. iter: the count of updates so far.

        Raises ArgumentError for a reward that is not finite.
        """
        reward = float(reward)
        if not math.isfinite(reward):
            raise ArgumentError(
                f"a reward is a finite number, received {reward}",
                cure="reward a candidate that failed by the least of all rewards",
            )
        self._iter = max(self._iter, int(iter))
        self._searched[str(list(tokens))] = reward
        heat = max(self._heat * self._rate ** (client_num * self._iter), 1e-300)
        gain = math.inf if self._reward is None else reward - self._reward
        if gain > 0 or self._random.random() <= math.exp(max(gain / heat, -700.0)):
            self._reward, self._tokens = reward, list(tokens)
        if self._max_reward is None or reward > self._max_reward:
            self._max_reward, self._best = reward, list(tokens)
        if self._folder is not None:
            self._save(Path(self._folder))

    def next_tokens(self, control_token: Sequence[int] | None = None) -> Tokens:
        """Tokens that differ at one place from the last that were taken, or from control_token.

        Raises ArgumentError where none is left that may be tried and has not been.
        """
        base = list(control_token) if control_token else self._tokens
        for _ in range(self._tries):
            new = list(base)
            at = int(self._random.integers(len(new)))
            new[at] = int(self._random.integers(self._low[at], self._high[at]))
            is_new = str(new) not in self._searched
            if is_new and (self._is_allowed is None or self._is_allowed(new)):
                self._searched[str(new)] = NEVER
                self._current = new
                return new
        raise ArgumentError(
            f"of {self._tries} candidates all were tried before, or may not be",
            cure="end the search, or raise max_try_times",
        )

    def state(self) -> dict[str, Any]:
        """What a search needs to go on."""
        return {
            "_tokens": self._tokens,
            "_reward": self._reward,
            "_max_reward": self._max_reward,
            "_best_tokens": self._best,
            "_iter": self._iter,
            "_searched": self._searched,
        }

    @staticmethod
    def load(folder: str) -> dict[str, Any]:
        """The state that was kept in a folder. Raises FileError."""
        file = Path(folder, FILE)
        try:
            found: dict[str, Any] = json.loads(file.read_text())
            lacking = {"_tokens", "_reward", "_searched", "_iter"} - found.keys()
        except (OSError, ValueError, AttributeError) as error:
            raise FileError(
                f"{file} holds no search: {error}", cure="give the folder of save_checkpoint"
            ) from error
        if lacking:
            raise FileError(f"{file} lacks {', '.join(sorted(lacking))}")
        return found

    def _save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{FILE}.part"
        part.write_text(json.dumps(self.state()))
        part.replace(folder / FILE)

    def _drawn(self) -> Tokens:
        pairs = zip(self._low, self._high, strict=True)
        return [int(self._random.integers(low, high)) for low, high in pairs]

    def _checked(self, tokens: Sequence[int]) -> Tokens:
        given = [int(n) for n in tokens]
        fits = len(given) == len(self._low) and all(
            low <= n < high for low, n, high in zip(self._low, given, self._high, strict=True)
        )
        if not fits:
            raise ArgumentError(
                f"tokens lie from {self._low} to below {self._high}, received {given}"
            )
        return given


def _bounds(table: Any) -> tuple[Tokens, Tokens]:
    if not isinstance(table, tuple) or len(table) != 2 or len(table[0]) != len(table[1]):
        raise ArgumentError(f"expected range_table as two lists of one length, received {table!r}")
    low, high = ([int(n) for n in side] for side in table)
    if not low or any(a >= b for a, b in zip(low, high, strict=True)):
        raise ArgumentError(f"there is no token from {low} to below {high}")
    return low, high
