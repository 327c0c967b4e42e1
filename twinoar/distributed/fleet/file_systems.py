"""Files of this machine by the names of fleet."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from twinoar.distributed.world import refused_alone
from twinoar.errors import FileError


class ExecuteError(FileError):
    """A file system that did not do what it should."""


class FSFileExistsError(FileError):
    """A file that is there already."""


class FSFileNotExistsError(FileError):
    """A file that is not there."""


class LocalFS:
    """Files of this machine.

    >>> fs = LocalFS()
    >>> fs.is_exist("no such file"), fs.need_upload_download()
    (False, False)
    """

    def ls_dir(self, fs_path: str) -> tuple[list[str], list[str]]:
        """The names of the folders, and of the files, in a folder; none where there is none."""
        if not self.is_exist(fs_path):
            return [], []
        found = sorted(Path(fs_path).iterdir())
        return [p.name for p in found if p.is_dir()], [p.name for p in found if not p.is_dir()]

    def list_dirs(self, fs_path: str) -> list[str]:
        """The names of the folders in a folder."""
        return self.ls_dir(fs_path)[0]

    def mkdirs(self, fs_path: str) -> None:
        """Make a folder and those it is in."""
        Path(fs_path).mkdir(parents=True, exist_ok=True)

    def is_file(self, fs_path: str) -> bool:
        """Whether there is a file."""
        return Path(fs_path).is_file()

    def is_dir(self, fs_path: str) -> bool:
        """Whether there is a folder."""
        return Path(fs_path).is_dir()

    def is_exist(self, fs_path: str) -> bool:
        """Whether there is a file or a folder."""
        return Path(fs_path).exists()

    def touch(self, fs_path: str, exist_ok: bool = True) -> None:
        """Make an empty file. Raises FSFileExistsError where it may not be there."""
        if self.is_exist(fs_path) and not exist_ok:
            raise FSFileExistsError(f"{fs_path} exists")
        Path(fs_path).touch()

    def rename(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Give a file another name."""
        Path(fs_src_path).rename(fs_dst_path)

    def mv(
        self, src_path: str, dst_path: str, overwrite: bool = False, test_exists: bool = False
    ) -> None:
        """Move a file. Raises FSFileNotExistsError, or FSFileExistsError without `overwrite`."""
        if not self.is_exist(src_path):
            raise FSFileNotExistsError(f"{src_path} does not exist")
        if self.is_exist(dst_path):
            if not overwrite:
                raise FSFileExistsError(f"{dst_path} exists", cure="pass overwrite=True")
            self.delete(dst_path)
        self.rename(src_path, dst_path)

    def delete(self, fs_path: str) -> None:
        """Delete a file, or a folder and what is in it, where it is there."""
        path = Path(fs_path)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.exists() or path.is_symlink():
            path.unlink()

    def cat(self, fs_path: str) -> str:
        """The text of a file."""
        return Path(fs_path).read_text()

    def need_upload_download(self) -> bool:
        """False: the files are here."""
        return False

    def upload(self, local_path: str, fs_path: str) -> None:
        """Copy a file."""
        shutil.copy(local_path, fs_path)

    def download(self, fs_path: str, local_path: str) -> None:
        """Copy a file."""
        shutil.copy(fs_path, local_path)

    def upload_dir(self, local_dir: str, dest_dir: str) -> None:
        """Copy a folder."""
        shutil.copytree(local_dir, dest_dir)


class HDFSClient:
    """Files of a Hadoop cluster: raises UnsupportedError, none is connected."""

    def __init__(self, *args: Any, **kwargs: Any):
        raise refused_alone("HDFSClient", "copy the files here, and use LocalFS")


__all__ = ["HDFSClient", "LocalFS"]
