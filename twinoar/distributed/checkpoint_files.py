"""The files of a checkpoint, which several ranks write and which appear together or not at all.

Each rank writes its file beside the one that is there, then all tell each other how it went. If all
could, one of them lists the files and gives them their names; who comes next ends that, should it
die meanwhile (see `formats.unfinished`). If one could not, nothing has changed and all raise.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from twinoar.errors import FileError
from twinoar.formats import unfinished
from twinoar.formats.atomic import file_error, mode_of, sync_folder
from twinoar.runtime.collective import Communicator

Renames = list[tuple[str, str]]  # names in the folder: as it was written, and as it is to be


class CheckpointFiles:
    """What the ranks of a group write in one folder that all of them see.

    Within the `with` block all ranks call `written`, then `appear`, in turn.
    """

    def __init__(self, folder: Path, there: Communicator, first: int):
        self._folder, self._there, self._is_first = folder, there, there.rank == first
        self._written: list[tuple[Path, Path]] = []  # (as it was written, as it is to be)
        self._open: list[int] = []  # what tells other processes that this one lives

    def __enter__(self) -> Self:
        self._together(self._begin if self._is_first else None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for beside, _ in self._written:
            beside.unlink(missing_ok=True)
        for descriptor in self._open:
            os.close(descriptor)

    def written(self, files: Callable[[], Sequence[tuple[str, bytes]]]) -> None:
        """Write what `files` gives, names and contents, beside their targets; all ranks call it.

        Raises FileError, on all of them, where one could not.
        """

        def write() -> None:
            for name, data in files():
                self._write(self._folder / name, data)

        self._together(write)

    def appear(self, after: Callable[[], None]) -> None:
        """Give all files their names, and let the first rank call `after`; all ranks call it."""
        own = [(beside.name, target.name) for beside, target in self._written]
        everywhere = [pair for given in self._there.all_gather_object(own) for pair in given]

        def rename() -> None:
            self._rename(everywhere)
            after()

        self._together(rename if self._is_first else None)

    def _begin(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as failure:
            raise file_error(self._folder, failure) from failure
        unfinished.settle(self._folder / "file")

    def _write(self, target: Path, data: bytes) -> None:
        try:
            mode = mode_of(target, str(target))
            beside, descriptor = unfinished.made(self._folder, "tmp")
            self._written.append((beside, target))
            self._open.append(descriptor)
            with os.fdopen(os.dup(descriptor), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                beside.chmod(mode)
        except OSError as failure:
            if isinstance(failure, FileError):
                raise
            raise file_error(target, failure) from failure

    def _rename(self, renames: Renames) -> None:
        pairs = [(self._folder / beside, self._folder / target) for beside, target in renames]
        try:
            path, descriptor = unfinished.write_list(pairs)
            self._open.append(descriptor)
            sync_folder(self._folder)
            for beside, target in pairs:
                beside.replace(target)
            sync_folder(self._folder)
            path.unlink()
        except OSError as failure:
            raise file_error(self._folder, failure) from failure

    def _together(self, work: Callable[[], None] | None) -> None:
        """Do this rank's part; raise on all ranks where one of them could not do its."""
        error: Exception | None = None
        try:
            if work is not None:
                work()
        except Exception as failure:
            error = failure
        told = None if error is None else str(error).partition("\n")[0]
        everywhere: list[Any] = self._there.all_gather_object(told)
        if error is not None:
            raise error
        for rank, text in zip(self._there.ranks, everywhere, strict=True):
            if text is not None:
                raise FileError(
                    f"rank {rank} has not written its part of the checkpoint: {text}",
                    cure="the one that was there is whole: make room there, and save again",
                )
