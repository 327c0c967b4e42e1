"""Models out of repositories: a file `hubconf.py` in one has functions that make them.

The code of a repository runs in this process: load only from those that you trust.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

from twinoar import config
from twinoar.errors import (
    ArgumentError,
    FileError,
    MissingModuleError,
    TypeMismatchError,
    UnknownNameError,
)
from twinoar.export.objects import load as load_file
from twinoar.utils.download import cached, unpacked

HUBCONF = "hubconf.py"
# The archive of a branch, and the branch that is meant where none is named.
ARCHIVES = {
    "github": ("https://github.com/{owner}/{name}/archive/{branch}.zip", "main"),
    "gitee": ("https://gitee.com/{owner}/{name}/repository/archive/{branch}.zip", "master"),
}
REPOSITORY = re.compile(r"([\w.-]+)/([\w.-]+)(?::([\w./-]+))?")
HASH = re.compile(r"-([0-9a-f]{8,})\.")


def list(repo_dir: str, source: str = "github", force_reload: bool = False) -> builtins.list[str]:
    """The names of what `hubconf.py` of a repository can make.

    repo_dir: "owner/name" or "owner/name:branch"; with source="local" a folder. source: "github",
    "gitee", "local". force_reload: download it again. Raises FileError where there is none.
    """
    module = _hubconf(repo_dir, source, force_reload)
    return sorted(n for n, f in vars(module).items() if callable(f) and not n.startswith("_"))


def help(
    repo_dir: str, model: str, source: str = "github", force_reload: bool = False
) -> str | None:
    """The docstring of `model`. The other arguments and errors are those of `load`."""
    return _entry(_hubconf(repo_dir, source, force_reload), model).__doc__


def load(
    repo_dir: str, model: str, source: str = "github", force_reload: bool = False, **kwargs: Any
) -> Any:
    """What `model`, a function in `hubconf.py` of a repository, returns for `kwargs`.

    repo_dir, source, force_reload: see `list`. Raises UnknownNameError where there is no such
    function, MissingModuleError where a package is missing that the repository depends on.
    """
    module = _hubconf(repo_dir, source, force_reload)
    entry = _entry(module, model)
    needed = getattr(module, "dependencies", ())
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingModuleError(
            f"{repo_dir} needs packages that are not there: {', '.join(missing)}",
            cure=f"pip install {' '.join(missing)}",
        )
    with _importable(module):
        return entry(**kwargs)


def load_state_dict_from_url(
    url: str,
    model_dir: str | PathLike[str] | None = None,
    check_hash: bool = False,
    file_name: str | None = None,
    map_location: str | None = None,
) -> Any:
    """What a file that `paddle.save` wrote has, downloaded to `model_dir` if it is not there.

    model_dir: None means `<data home>/hub/checkpoints`. check_hash: the file's name ends in the
    first digits of its sha256, `name-0123abcd.pdparams`, which is compared. map_location: "cpu", or
    "numpy" for arrays. Raises FileError where it cannot be had, ArgumentError for others.
    """
    if map_location not in (None, "cpu", "numpy", "np"):
        raise ArgumentError(
            f'map_location must be "cpu" or "numpy", received {map_location!r}',
            cure='use "cpu", the only device of this version',
        )
    folder = _home() / "checkpoints" if model_dir is None else Path(model_dir)
    found = HASH.search(file_name or url) if check_hash else None
    if check_hash and found is None:
        raise ArgumentError(
            f"check_hash needs a name with a hash, received {file_name or url!r}",
            cure="a name like weights-0123abcd.pdparams, or check_hash=False",
        )
    path = cached(url, folder, file_name, sha256=found and found[1])
    return load_file(str(path), return_numpy=map_location in ("numpy", "np"))


def _home() -> Path:
    return config.data_home / "hub"


def _hubconf(repo_dir: str, source: str, force_reload: bool) -> ModuleType:
    """The module `hubconf.py` of a repository, freshly run."""
    if source == "local":
        folder = Path(repo_dir)
    elif source in ARCHIVES:
        folder = _downloaded(repo_dir, source, force_reload)
    else:
        raise ArgumentError(
            f"source must be one of {', '.join([*ARCHIVES, 'local'])}, received {source!r}"
        )
    file = folder / HUBCONF
    if not file.is_file():
        raise FileError(f"there is no {HUBCONF} in {folder}", cure="check repo_dir and source")
    spec = importlib.util.spec_from_file_location("hubconf", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with _importable(module):
        spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def _importable(module: ModuleType) -> Iterator[None]:
    """In the block the modules beside `hubconf.py` can be imported."""
    folder = str(Path(str(module.__file__)).parent)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _entry(module: ModuleType, name: Any) -> Callable[..., Any]:
    if not isinstance(name, str):
        raise TypeMismatchError(f"model must be a string, received {type(name).__name__}")
    found = getattr(module, name, None)
    if not callable(found):
        raise UnknownNameError(
            f"{HUBCONF} has no function {name!r}", cure="see hub.list(repo_dir, source)"
        )
    return found


def _downloaded(repository: str, source: str, again: bool) -> Path:
    """The folder of a repository's branch, downloaded if it is not there."""
    found = REPOSITORY.fullmatch(repository)
    if found is None:
        raise ArgumentError(
            f"expected a repository, received {repository!r}",
            cure='write "owner/name" or "owner/name:branch"; source="local" for a folder',
        )
    url, usual = ARCHIVES[source]
    owner, name, branch = found[1], found[2], found[3] or usual
    stem = f"{owner}_{name}_{branch}".replace("/", "_")
    url = url.format(owner=owner, name=name, branch=branch)
    archive = cached(url, _home(), f"{stem}.zip", again=again)
    return unpacked(archive, stem, again)


__all__ = ["help", "list", "load", "load_state_dict_from_url"]
