"""Search of networks by a controller that learns by rewards, in one process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twinoar.core.interpreter import eager, using
from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, FileError, UnknownNameError, UnsupportedError
from twinoar.export.objects import load, save
from twinoar.slim.common.rl_controller import RLCONTROLLER
from twinoar.slim.nas.search_space.factory import SearchSpaceFactory

FILE = "rlnas.pdparams"


class RLNAS:
    """Proposes networks, and learns by how good they are.

    key: the name of a controller in RLCONTROLLER, "LSTM". configs: [(name of a space, settings)];
    see `slim.nas.search_space`. save_controller: a folder that the controller is kept in after each
    reward, or None; load_controller: one that it goes on from. Other settings: those of the
    controller. use_gpu, server_addr, is_sync: without effect. Raises UnknownNameError, FileError,
    ArgumentError for a controller of another search, and UnsupportedError for is_server=False.

    >>> search = RLNAS("lstm", [("ResNetSpace", {})])
    >>> for _ in range(3):
    ...     ((build,),) = search.next_archs()
    ...     loss = search.reward(0.5)
    >>> len(search.tokens[0])
    8
    """

    def __init__(
        self,
        key: str,
        configs: Sequence[Any],
        use_gpu: bool = False,
        server_addr: Any = ("", 8881),
        is_server: bool = True,
        is_sync: bool = False,
        save_controller: str | None = None,
        load_controller: str | None = None,
        **kwargs: Any,
    ):
        if not is_server:
            raise UnsupportedError(
                "is_server=False: a search runs in one process", cure="leave it out"
            )
        kind = RLCONTROLLER.get(key.upper())
        if kind is None:
            raise UnknownNameError(
                f"there is no controller {key!r}", cure=near_names(key, RLCONTROLLER.module_dict)
            )
        self._space = SearchSpaceFactory().get_search_space(configs)
        self.range_tables = self._space.range_table()
        self._controller = kind(self.range_tables, use_gpu, **kwargs)
        self._folder = None if save_controller is None else Path(save_controller)
        if load_controller is not None:
            self._controller.set_state(_loaded(Path(load_controller)))
        self._tokens: list[list[int]] | None = None

    def next_archs(self, obs: int | None = None) -> list[list[Any]]:
        """The functions that build the next networks, a list for each of `obs`, by default one."""
        self._tokens = self._controller.next_tokens(1 if obs is None else obs)
        return [self._space.token2arch(tokens) for tokens in self._tokens]

    @property
    def tokens(self) -> list[list[int]] | None:
        """Those of the last networks."""
        return self._tokens

    def reward(self, rewards: Any, **kwargs: Any) -> float:
        """Take the scores of the last networks, a number or one for each: more is better.

        Returns the loss. Raises ArgumentError before `next_archs`, for another number of scores,
        and for what is not finite.
        """
        if self._tokens is None:
            raise ArgumentError("no network waits for a score", cure="call next_archs()")
        loss = self._controller.update(rewards, **kwargs)
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            with using(eager()):
                save(self._controller.state(), str(self._folder / FILE))
        return float(loss)

    def final_archs(self, batch_obs: int) -> list[list[Any]]:
        """The functions of the networks that the controller holds to be the best."""
        self._tokens = self._controller.next_tokens(batch_obs, is_inference=True)
        return [self._space.token2arch(tokens) for tokens in self._tokens or []]

    def tokens2arch(self, tokens: Sequence[int]) -> list[Any]:
        """The functions that build the network of some tokens, one for each space."""
        return self._space.token2arch(tokens)


def _loaded(folder: Path) -> Any:
    file = folder / FILE
    if not file.is_file():
        raise FileError(f"{file} is no file", cure="give the folder of save_controller")
    with using(eager()):
        return load(str(file))
