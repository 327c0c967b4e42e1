"""The models' folders, looked at again and again: what is new, changed or gone."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from twinoar.errors import TwinoarError
from twinoar.serving.repository import Repository

LOG = logging.getLogger("twinoar.serving")
Print = tuple[tuple[str, int, int], ...]


def print_of(folder: Path) -> Print:
    """What changes when a file below a folder does: names, times and sizes."""
    found = []
    for file in sorted(folder.rglob("*")):
        try:
            about = file.stat()
        except OSError:  # it has just gone
            continue
        if file.is_file():
            found.append((str(file), about.st_mtime_ns, about.st_size))
    return tuple(found)


class Watcher:
    """What was seen of each model's folder, and loaded.

    A folder is acted on when it looks the same twice in a row, so that files that are still being
    written are left alone.
    """

    def __init__(self, repository: Repository):
        self.repository = repository
        self._loaded = self._now()
        self._seen = dict(self._loaded)

    def look(self) -> None:
        """Load what is new or changed, unload what is gone; what fails is logged."""
        now = self._now()
        for name in [*now, *(set(self._loaded) - set(now))]:
            settled = self._seen.get(name) == now.get(name)
            if settled and self._loaded.get(name) != now.get(name):
                self._act(name, now.get(name))
        self._seen = now

    def _act(self, name: str, seen: Print | None) -> None:
        try:
            if seen is None:
                self._loaded.pop(name, None)
                self.repository.unload(name)
            else:
                self._loaded[name] = seen
                self.repository.load(name)
        except TwinoarError as error:
            LOG.error("%s", error.message)

    def _now(self) -> dict[str, Print]:
        paths = self.repository.paths()
        return {name: print_of(path) for name, path in paths.items()}


async def watch(repository: Repository, seconds: float) -> None:
    """Look every so many seconds."""
    watcher = await asyncio.to_thread(Watcher, repository)
    while True:
        await asyncio.sleep(seconds)
        await asyncio.to_thread(watcher.look)
