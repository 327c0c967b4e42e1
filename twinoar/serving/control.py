"""What clients change while a server runs: which models are loaded, which memory is registered.

A change is made ready first, which may take long and may fail, and then is done or dropped, which
does neither. So several processes that serve the same can all be ready before one of them does it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from twinoar.serving.repository import Repository
from twinoar.serving.shared_memory import Regions, Registration

Kind = Literal["load", "unload", "register", "unregister"]


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be changed. name: of a model or a region, "" for all regions.

    config: of a model to load, in JSON, in place of its file. versions: those to load, None for
    those that the config asks for. region: what to register.
    """

    kind: Kind
    name: str
    config: str | None = None
    versions: Sequence[int] | None = None
    region: Registration | None = None

    @property
    def subject(self) -> tuple[str, str]:
        """What it is about: the last change of it holds.

        >>> Change("unload", "m").subject == Change("load", "m").subject
        True
        """
        return ("model" if self.kind in ("load", "unload") else "region"), self.name

    @property
    def line(self) -> tuple[str, str]:
        """What it waits for: changes of one line come one after the other."""
        kind, name = self.subject
        return kind, name if kind == "model" else ""  # there is a limit for all regions

    def with_versions(self, versions: Sequence[int] | None) -> Change:
        """The same, of these versions."""
        return replace(self, versions=versions)


@dataclass(frozen=True, slots=True)
class Ready:
    """A change that is ready: one of `commit` and `drop` is called. versions: of a model."""

    commit: Callable[[], None]
    drop: Callable[[str], None]
    versions: Sequence[int] = ()


class Control:
    """The changes of one process."""

    def __init__(self, repository: Repository, regions: Regions | None = None):
        self.repository, self.regions = repository, regions

    def change(self, change: Change) -> None:
        """Do it, for all that serve at these ports. Raises ServingError where it fails."""
        self.ready(change).commit()

    def ready(self, change: Change) -> Ready:
        """Make it ready in this process. Raises ServingError."""
        if change.kind == "load":
            loading = self.repository.prepare(change.name, change.config, change.versions)
            return Ready(loading.commit, loading.drop, sorted(loading.made))
        if change.kind == "unload":
            self.repository.check_loaded(change.name)
            return Ready(lambda: self.repository.unload(change.name), _nothing)
        assert self.regions is not None
        if change.kind == "unregister":
            return Ready(lambda: self._remove(change.name), _nothing)
        assert change.region is not None
        region = self.regions.opened(change.region)
        regions = self.regions
        return Ready(lambda: regions.add(region), lambda _: region.leave())

    def _remove(self, name: str) -> None:
        assert self.regions is not None
        self.regions.remove(name)


def _nothing(_: str) -> None:
    """There is nothing to be dropped."""
