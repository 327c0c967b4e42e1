"""Several search spaces, one after the other, as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.slim.nas.search_space.base import SEARCHSPACE, Arch, SearchSpaceBase

SETTINGS = ("input_size", "output_size", "block_num", "block_mask")


class CombinedSpace:
    """Search spaces whose tokens stand one after the other.

    configs: (name, settings) or names, of SEARCHSPACE. Raises UnknownNameError and ArgumentError.
    """

    def __init__(self, configs: Sequence[Any]):
        if not isinstance(configs, list) or not configs:
            raise ArgumentError(
                f"expected a list of spaces, received {configs!r}",
                cure='such as [("MobileNetV2Space", {})]',
            )
        self.spaces = [_made(given) for given in configs]

    def init_tokens(self, tokens: Sequence[int] | None = None) -> list[int]:
        """Those given, or those of all spaces."""
        if tokens is not None:
            return list(tokens)
        return [n for space in self.spaces for n in space.init_tokens()]

    def range_table(self) -> list[int]:
        """How many tokens there are at each place."""
        return [n for space in self.spaces for n in space.range_table()]

    def token2arch(self, tokens: Sequence[int] | None = None) -> list[Arch]:
        """A function of each space."""
        left, found = self.init_tokens(tokens), []
        for space in self.spaces:
            count = len(space.range_table())
            found.append(space.token2arch(left[:count]))
            left = left[count:]
        return found


class SearchSpaceFactory:
    """Makes spaces of configurations.

    >>> space = SearchSpaceFactory().get_search_space([("ResNetSpace", {})])
    >>> space.range_table()
    [7, 5, 7, 6, 6, 13, 5, 6]
    """

    def get_search_space(self, config_lists: Sequence[Any]) -> CombinedSpace:
        """The space of [(name, settings)]. Raises UnknownNameError and ArgumentError."""
        return CombinedSpace(config_lists)


def _made(given: Any) -> SearchSpaceBase:
    name, settings = given if isinstance(given, tuple) else (given, None)
    kind = SEARCHSPACE.get(name)
    if kind is None:
        raise UnknownNameError(
            f"there is no search space {name!r}", cure=near_names(name, SEARCHSPACE.module_dict)
        )
    if settings is not None and not isinstance(settings, Mapping):
        raise ArgumentError(f"expected settings of {name} by name, received {settings!r}")
    if unknown := sorted(set(settings or {}) - set(SETTINGS)):
        raise UnknownNameError(
            f"{name} has no setting {unknown[0]!r}", cure=near_names(unknown[0], SETTINGS)
        )
    made: SearchSpaceBase = kind(*((settings or {}).get(setting) for setting in SETTINGS))
    made.range_table()
    return made
