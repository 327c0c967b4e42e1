"""Files that are downloaded once and kept: weights, and what `twinoar.hub` loads."""

# Written by tools/stubs.py.

import builtins
import os
from typing import Any, Literal, overload

import numpy as _numpy

def get_path_from_url(url: builtins.str, root_dir: builtins.str | os.PathLike[builtins.str], md5sum: builtins.str | None = None, check_exist: builtins.bool = True, decompress: builtins.bool = True, method: builtins.str = 'get') -> builtins.str:
    """The path of a file, downloaded to `root_dir` if it is not there."""
def get_weights_path_from_url(url: builtins.str, md5sum: builtins.str | None = None) -> builtins.str:
    """The path of a file of weights, downloaded to `<data home>/weights` if it is not there."""
def is_url(path: builtins.str) -> builtins.bool:
    """True for what is found in the network."""
