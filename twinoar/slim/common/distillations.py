"""The configs of `slim.Distill` in files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twinoar.errors import FileError
from twinoar.slim.common.settings import read_settings, write_settings

KEY = "DistillConfig"


def config2yaml(configs: Sequence[Any], yaml_path: str) -> None:
    """Write the configs of a Distill to a file: YAML, or JSON by its name.

    Raises MissingModuleError.

    >>> import tempfile
    >>> file = f"{tempfile.mkdtemp()}/distill.json"
    >>> config2yaml([{"layers": []}], file)
    >>> yaml2config(file)
    [{'layers': []}]
    """
    write_settings(Path(yaml_path), [{KEY: list(configs)}])


def yaml2config(yaml_path: str) -> list[Any]:
    """The configs of such a file. Raises FileError and MissingModuleError."""
    path = Path(yaml_path)
    found = read_settings(path)
    try:
        return [config for part in found for config in part[KEY]]
    except (KeyError, TypeError) as error:
        raise FileError(
            f"{path} holds no {KEY}", cure="give a file that config2yaml has written"
        ) from error
