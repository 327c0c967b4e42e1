"""A folder of models, `<name>/<version>/`, of which some are loaded, reloaded and unloaded.

A model is made whole, compiled and warm, before it takes the place of the one that is served, and
that one finishes what it has. So no request is lost by a reload, and a reload that fails changes
nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twinoar.core.near import near_names
from twinoar.errors import FileError, ServingError, TwinoarError, UnsupportedError
from twinoar.serving.configuration import Defaults, read_config, versions_of
from twinoar.serving.language import is_pretrained, open_step, writes_text
from twinoar.serving.model import Served, ServedModel
from twinoar.serving.pipeline import Pipeline
from twinoar.serving.request import Request
from twinoar.serving.status import invalid, told
from twinoar.serving.writer import open_writer

LOG = logging.getLogger("twinoar.serving")
READY, UNAVAILABLE, LOADING, UNLOADING = "READY", "UNAVAILABLE", "LOADING", "UNLOADING"
UNLOADED = "unloaded"  # a reason that is no failure
ATTEMPTS = 5  # of a request that comes while its model is exchanged


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the index: what is known of a model, or of one version of it."""

    name: str
    version: str = ""
    state: str = ""
    reason: str = ""

    def plain(self) -> dict[str, str]:
        """Its fields that say something."""
        fields = {"name": self.name, "version": self.version}
        fields |= {"state": self.state, "reason": self.reason}
        return {k: v for k, v in fields.items() if v or k == "name"}


@dataclass(frozen=True, slots=True)
class Loading:
    """A model that is made, and waits to be served: one of `commit` and `drop` is called.

    made: its versions.
    """

    repository: Repository
    name: str
    made: dict[int, Served]

    def commit(self) -> None:
        """Serve it in place of the one before. Raises ServingError where the server ends."""
        reason = "the server is shutting down"
        try:
            self.repository._exchange(self.name, self.made)
            reason = ""
        finally:
            self.repository._end_loading(self.name, reason)
        LOG.info("loaded %s, versions %s", self.name, ", ".join(map(str, self.made)))

    def drop(self, reason: str) -> None:
        """Serve the one before, as if this one could not be loaded."""
        for model in self.made.values():
            model.close(0)
        self.repository._end_loading(self.name, reason)


class Repository:
    """The models below some folders; any number of threads may use it.

    python: whether `model.py` may run, which is code of whoever writes into the folders. shared:
    whether other processes serve the same, so that requests of one client may go to any.
    Raises FileError for a folder that is not there, or a model that two have.
    """

    def __init__(
        self,
        *folders: str | Path,
        defaults: Defaults | None = None,
        python: bool = False,
        shared: bool = False,
    ):
        self.folders = [Path(folder) for folder in folders]
        for folder in self.folders:
            if not folder.is_dir():
                raise FileError(f"there is no folder {folder}", cure="name the models' folder")
        self.defaults, self.python, self.shared = defaults or Defaults(), python, shared
        self._served: dict[str, dict[int, Served]] = {}
        self._reasons: dict[str, str] = {}
        self._states: dict[str, str] = {}
        self._table = threading.Lock()  # held for moments
        self._loading: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._draining: list[threading.Thread] = []
        self._closed = False

    def names(self) -> list[str]:
        """The models that the folders have, loaded or not."""
        return sorted(self.paths())

    def in_order(
        self, names: Iterable[str], configs: Mapping[str, str | None] | None = None
    ) -> list[str]:
        """The names, those of pipelines behind all others, whose models they need.

        configs: in JSON, in place of the files of some.
        """
        paths, given = self.paths(), configs or {}

        def is_pipeline(name: str) -> bool:
            folder = paths.get(name)
            try:
                if folder is None:
                    return False
                config = read_config(folder, given.get(name))
                return bool(config.HasField("ensemble_scheduling"))
            except TwinoarError:
                return False  # loading it says why

        return sorted(names, key=lambda name: (is_pipeline(name), name))

    def load(self, name: str, override: str | None = None) -> None:
        """Load a model, or load it anew; requests meanwhile go to the one that is there.

        override: a config in JSON in place of its file. Raises ServingError for a model that is
        not there, or cannot be loaded, in which case the one before stays.
        """
        self.prepare(name, override).commit()

    def prepare(
        self, name: str, override: str | None = None, versions: Sequence[int] | None = None
    ) -> Loading:
        """Make all of a model that `load` puts in place; nobody else loads it meanwhile.

        versions: those to be loaded, None for those that the config asks for.
        """
        folder = self.paths().get(name)
        if folder is None:
            cure = near_names(name, self.names())
            raise ServingError(f"the repository has no model {name!r}", "NOT_FOUND", cure=cure)
        self._loading[name].acquire()
        self._states[name] = LOADING
        try:
            made = self._made(folder, override, versions)
        except BaseException as error:
            self._end_loading(name, told(error))
            if not isinstance(error, Exception):
                raise
            if not isinstance(error, TwinoarError):
                LOG.exception("%s cannot be loaded", name)
            raise invalid(f"{name} cannot be loaded: {told(error)}") from error
        return Loading(self, name, made)

    def check_loaded(self, name: str) -> None:
        """Raise ServingError for a model that is not loaded."""
        if name not in self._served:
            raise self._unknown(name)

    def unload(self, name: str) -> None:
        """Take a model out, which finishes what it has. Raises ServingError for one not loaded."""
        self.check_loaded(name)
        with self._loading[name]:
            self.check_loaded(name)
            self._exchange(name, {})
            self._reasons[name] = UNLOADED
        LOG.info("unloaded %s", name)

    def model(self, name: str, version: str = "") -> Served:
        """A version that is loaded, the newest where none is named. Raises ServingError."""
        with self._table:
            versions = self._served.get(name)
            if not versions:
                raise self._unknown(name)
            if not version:
                return versions[max(versions)]
            found = versions.get(int(version)) if version.isdecimal() else None
        if found is None:
            raise ServingError(
                f"the model {name!r} has no version {version!r} that is loaded",
                "NOT_FOUND",
                cure=f"use one of {', '.join(map(str, versions))}",
            )
        return found

    def submit(self, name: str, version: str, request: Request) -> Served:
        """Let a request be served by a model, which is returned. Raises ServingError."""
        for _ in range(ATTEMPTS - 1):
            model = self.model(name, version)
            try:
                model.submit(request)
                return model
            except ServingError as error:
                if error.status != "UNAVAILABLE":
                    raise
                # It was exchanged between the two lines above; the next is there already.
        model = self.model(name, version)
        model.submit(request)
        return model

    def served(self) -> Iterator[Served]:
        """All versions that are loaded, by name."""
        with self._table:
            found = [m for _, models in sorted(self._served.items()) for m in models.values()]
        return iter(found)

    def versions(self, name: str) -> list[str]:
        """The versions of a model that are loaded, oldest first."""
        with self._table:
            return [str(version) for version in sorted(self._served.get(name, {}))]

    def is_ready(self, name: str, version: str = "") -> bool:
        """Whether the model, or the version, is loaded."""
        there = self.versions(name)
        return version in there if version else bool(there)

    def index(self, *, ready: bool = False) -> list[Entry]:
        """What the folders have: each version that is loaded, each model that is not; in order."""
        found = []
        for name in sorted({*self.names(), *self._served}):
            versions, reason = self.versions(name), self._reasons.get(name, "")
            found += [Entry(name, version, READY, reason) for version in versions]
            if not versions and not ready:
                state = self._states.get(name, UNAVAILABLE if reason else "")
                found.append(Entry(name, state=state, reason=reason))
        return found

    def failures(self) -> list[str]:
        """The models that could not be loaded, and of which no version is served."""
        with self._table:
            reasons = dict(self._reasons)
            return [n for n, r in reasons.items() if r != UNLOADED and n not in self._served]

    def pending(self) -> int:
        """How many requests wait, for all models."""
        return sum(model.pending() for model in self.served())

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Unload all, at once; whether all requests were finished in time."""
        with self._table:
            served = [m for models in self._served.values() for m in models.values()]
            self._closed = True
        end = None if timeout_seconds is None else time.monotonic() + timeout_seconds

        def left() -> float | None:
            return None if end is None else max(end - time.monotonic(), 0.0)

        # Pipelines first: their requests still need the models.
        served.sort(key=lambda model: not isinstance(model, Pipeline))
        finished = [model.close(left()) for model in served]
        for thread in self._draining:
            thread.join(left())
        return all(finished) and not any(thread.is_alive() for thread in self._draining)

    def paths(self) -> Mapping[str, Path]:
        """The folder of each model."""
        found: dict[str, Path] = {}
        for folder in self.folders:
            for path in folder.iterdir():
                if path.name.startswith(".") or not path.is_dir():
                    continue
                if path.name in found:
                    raise FileError(f"both {found[path.name]} and {path} are the model {path.name}")
                found[path.name] = path
        return found

    def _end_loading(self, name: str, reason: str = "") -> None:
        """Let others load a model. reason: why it could not be loaded."""
        if reason:
            self._reasons[name] = reason
        else:
            self._reasons.pop(name, None)
        self._states.pop(name, None)
        self._loading[name].release()

    def _made(
        self, folder: Path, override: str | None, only: Sequence[int] | None
    ) -> dict[int, Served]:
        config = read_config(folder, override)
        if config.HasField("ensemble_scheduling"):
            version = max(self._numbers(folder), default=1)
            return {version: Pipeline(folder.name, version, config, self)}
        made: dict[int, Served] = {}
        try:
            for version in only or versions_of(config, folder):
                own = type(config)()
                own.CopyFrom(config)
                made[version] = self._open(folder, version, own)
        except BaseException:
            for model in made.values():
                model.close(0)
            raise
        return made

    def _open(self, folder: Path, version: int, config: Any) -> Served:
        kind: Callable[..., Served] = open_step if writes_text(config) else ServedModel
        if is_pretrained(folder / str(version)):
            kind = open_writer
        elif kind is ServedModel and self.shared and config.HasField("sequence_batching"):
            raise UnsupportedError(
                f"{folder.name} keeps sequences, whose requests reach one process of several",
                cure="--processes=1, or a model that takes its state with each request",
            )
        return kind(folder, version, config, self.defaults, python=self.python)

    def _numbers(self, folder: Path) -> Sequence[int]:
        return [int(x.name) for x in folder.iterdir() if x.is_dir() and x.name.isdecimal()]

    def _exchange(self, name: str, made: dict[int, Served]) -> None:
        """Serve others, and let those that were served finish, on a thread of their own."""
        with self._table:
            if self._closed:
                for model in made.values():
                    model.close(0)
                raise ServingError("the server is shutting down", "UNAVAILABLE")
            before = self._served.pop(name, {})
            if made:
                self._served[name] = made
        self._draining = [thread for thread in self._draining if thread.is_alive()]
        for model in before.values():
            thread = threading.Thread(target=model.close, name=f"drain {name}", daemon=True)
            thread.start()
            self._draining.append(thread)

    def _unknown(self, name: str) -> ServingError:
        if self._closed:
            return ServingError("the server is shutting down", "UNAVAILABLE")
        reason = self._reasons.get(name)
        why = f"is not loaded: {reason}" if reason else "is not found"
        cure = near_names(name, self._served)
        return ServingError(f"Request for unknown model: {name!r} {why}", "NOT_FOUND", cure=cure)
