"""Models out of repositories: a file `hubconf.py` in one has functions that make them."""

# Written by tools/stubs.py.

import builtins
import os
from typing import Any, Literal, overload

import numpy as _numpy

def help(repo_dir: builtins.str, model: builtins.str, source: builtins.str = 'github', force_reload: builtins.bool = False) -> builtins.str | None:
    """The docstring of `model`"""
def list(repo_dir: builtins.str, source: builtins.str = 'github', force_reload: builtins.bool = False) -> builtins.list[builtins.str]:
    """The names of what `hubconf.py` of a repository can make."""
def load(repo_dir: builtins.str, model: builtins.str, source: builtins.str = 'github', force_reload: builtins.bool = False, **kwargs: Any) -> Any:
    """What `model`, a function in `hubconf.py` of a repository, returns for `kwargs`."""
def load_state_dict_from_url(url: builtins.str, model_dir: builtins.str | os.PathLike[builtins.str] | None = None, check_hash: builtins.bool = False, file_name: builtins.str | None = None, map_location: builtins.str | None = None) -> Any:
    """What a file that `paddle.save` wrote has, downloaded to `model_dir` if it is not there."""
