"""Ratios that are searched for: a Program is pruned by each, trained, and rewarded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.slim.common.controllers import SAController, Tokens
from twinoar.slim.costs import flops
from twinoar.slim.prune.pruner import Pruner
from twinoar.static import Program
from twinoar.static.scope import Scope

STEP = 0.01  # what one token is of a ratio


class AutoPruner:
    """Searches ratios by simulated annealing: `prune`, train and test what it returns, `reward`.

    params: names of weights. init_ratios: to begin with, one or one for each. pruned_flops: the
    share of multiplications that must go. max_ratios, min_ratios: bounds, one or one for each.
    init_temperature, reduce_rate, max_try_times: of the SAController. seed: of its draws.
    server_addr, max_client_num, search_steps, key: without effect, as the search is in this
    process. Raises ArgumentError, and UnsupportedError for is_server=False and pruned_latency.
    """

    def __init__(
        self,
        program: Program,
        scope: Scope,
        place: Any,
        params: Sequence[str] = (),
        init_ratios: float | Sequence[float] | None = None,
        pruned_flops: float = 0.5,
        pruned_latency: float | None = None,
        server_addr: Any = ("", 0),
        init_temperature: float = 100,
        reduce_rate: float = 0.85,
        max_try_times: int = 300,
        max_client_num: int = 10,
        search_steps: int = 300,
        max_ratios: float | Sequence[float] = 0.9,
        min_ratios: float | Sequence[float] = 0.0,
        key: str = "auto_pruner",
        is_server: bool = True,
        seed: int | None = None,
    ):
        if not is_server:
            raise UnsupportedError(
                "is_server=False: a search runs in one process", cure="leave it out"
            )
        if pruned_latency is not None:
            raise UnsupportedError("pruned_latency", cure="give pruned_flops")
        if not params:
            raise ArgumentError("there is no parameter to prune", cure="pass names as params")
        self._program, self._scope, self._params = program, scope, list(params)
        self._pruner, self._most = Pruner(), flops(program) * (1 - pruned_flops)
        low, high = self._tokens(min_ratios), self._tokens(max_ratios)
        first = self._first(init_ratios, pruned_flops, high)
        self._controller = SAController(
            (low, [n + 1 for n in high]),
            reduce_rate,
            init_temperature,
            max_try_times,
            first,
            constrain_func=self._is_small,
            seed=seed,
        )
        self._before: dict[str, Any] = {}
        self._count, self._is_pruned = 0, False

    @property
    def best_ratios(self) -> dict[str, float] | None:
        """Those with the greatest reward, by name; None before the first."""
        best = self._controller.best_tokens
        return None if best is None else dict(zip(self._params, _ratios(best), strict=True))

    def prune(
        self, program: Program, eval_program: Program | None = None
    ) -> tuple[Program, Program | None]:
        """The Programs to train and to test by the next ratios; values in the scope are smaller.

        Raises ArgumentError where ratios that were tried have no reward yet, or none is left, and
        as `Pruner.prune`.
        """
        if self._is_pruned:
            raise ArgumentError("the last ratios have no reward yet", cure="call reward(score)")
        given = self._scope, self._params, _ratios(self._controller.next_tokens())
        test = None
        if eval_program is not None:
            test = self._pruner.prune(eval_program, *given, only_graph=True)[0]
        pruned, before, _ = self._pruner.prune(program, *given, param_backup=True)
        self._before, self._is_pruned = before or {}, True
        return pruned, test

    def reward(self, score: float) -> None:
        """Take the score of what `prune` returned: more is better. Values are as before it.

        Raises ArgumentError before `prune`.
        """
        if not self._is_pruned:
            raise ArgumentError("nothing is pruned to be rewarded", cure="call prune(program)")
        for name, value in self._before.items():
            self._scope.var(name).set(value)
        self._before, self._is_pruned = {}, False
        self._controller.update(self._controller.current_tokens, score, self._count)
        self._count += 1

    def _tokens(self, ratios: float | Sequence[float]) -> Tokens:
        given = list(ratios) if isinstance(ratios, (list, tuple)) else [ratios]
        given = given * len(self._params) if len(given) == 1 else given
        if len(given) != len(self._params) or any(not 0 <= r < 1 for r in given):
            raise ArgumentError(
                f"{len(self._params)} parameters need ratios from 0 to below 1, received {ratios}"
            )
        return [round(r / STEP) for r in given]

    def _first(self, ratios: Any, share: float, high: Tokens) -> Tokens:
        """Ratios to begin with: those that are given, or the share of FLOPs everywhere."""
        if ratios is not None:
            return self._tokens(ratios)
        return [min(round(share / STEP), n) for n in high]

    def _is_small(self, tokens: Tokens) -> bool:
        pruned, _, _ = self._pruner.prune(
            self._program, self._scope, self._params, _ratios(tokens), only_graph=True
        )
        return bool(flops(pruned) <= self._most)


def _ratios(tokens: Tokens) -> list[float]:
    return [n * STEP for n in tokens]
