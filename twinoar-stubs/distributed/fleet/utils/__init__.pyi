"""`paddle.distributed.fleet.utils`: recomputation and file systems."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

class DistributedInfer:
    """Inference with tables that servers hold: raises UnsupportedError, there are none."""
    def __init__(self, main_program: Any = None, startup_program: Any = None) -> None: ...
class HDFSClient:
    """Files of a Hadoop cluster: raises UnsupportedError, none is connected."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class LocalFS:
    """Files of this machine."""
    def ls_dir(self, fs_path: builtins.str) -> builtins.tuple[builtins.list[builtins.str], builtins.list[builtins.str]]:
        """The names of the folders, and of the files, in a folder; none where there is none."""
    def list_dirs(self, fs_path: builtins.str) -> builtins.list[builtins.str]:
        """The names of the folders in a folder."""
    def mkdirs(self, fs_path: builtins.str) -> None:
        """Make a folder and those it is in."""
    def is_file(self, fs_path: builtins.str) -> builtins.bool:
        """Whether there is a file."""
    def is_dir(self, fs_path: builtins.str) -> builtins.bool:
        """Whether there is a folder."""
    def is_exist(self, fs_path: builtins.str) -> builtins.bool:
        """Whether there is a file or a folder."""
    def touch(self, fs_path: builtins.str, exist_ok: builtins.bool = True) -> None:
        """Make an empty file"""
    def rename(self, fs_src_path: builtins.str, fs_dst_path: builtins.str) -> None:
        """Give a file another name."""
    def mv(self, src_path: builtins.str, dst_path: builtins.str, overwrite: builtins.bool = False, test_exists: builtins.bool = False) -> None:
        """Move a file"""
    def delete(self, fs_path: builtins.str) -> None:
        """Delete a file, or a folder and what is in it, where it is there."""
    def cat(self, fs_path: builtins.str) -> builtins.str:
        """The text of a file."""
    def need_upload_download(self) -> builtins.bool:
        """False: the files are here."""
    def upload(self, local_path: builtins.str, fs_path: builtins.str) -> None:
        """Copy a file."""
    def download(self, fs_path: builtins.str, local_path: builtins.str) -> None:
        """Copy a file."""
    def upload_dir(self, local_dir: builtins.str, dest_dir: builtins.str) -> None:
        """Copy a folder."""
def recompute(function: collections.abc.Callable[..., Any], *args: Any, preserve_rng_state: builtins.bool = True, use_reentrant: builtins.bool = True, **kwargs: Any) -> Any:
    """What `function(*args, **kwargs)` returns, computed once more for its gradient."""
from . import sequence_parallel_utils as sequence_parallel_utils
