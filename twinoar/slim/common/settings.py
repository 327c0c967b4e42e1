"""Settings in files: YAML, which needs PyYAML, or JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from twinoar.errors import FileError
from twinoar.utils.try_import import try_import

JSON = ".json"


def load_config(file_path: str) -> dict[str, Any]:
    """The settings of a file: `.json`, else YAML.

    Raises FileError for a file that is missing or holds no mapping, and MissingModuleError where
    PyYAML is not installed.
    """
    path = Path(file_path)
    found = read_settings(path)
    if not isinstance(found, dict):
        raise FileError(f"{path} holds no settings by name", cure="write lines such as Prune: {}")
    return found


def save_config(config: dict[str, Any], file_path: str) -> None:
    """Write settings to a file, whole or not at all. Raises MissingModuleError."""
    write_settings(Path(file_path), config)


def read_settings(path: Path) -> Any:
    """What a file holds. Raises FileError and MissingModuleError."""
    try:
        text = path.read_text()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error}") from error
    if path.suffix == JSON:
        try:
            return json.loads(text)
        except ValueError as error:
            raise FileError(f"{path} is no JSON: {error}") from error
    yaml = _yaml()
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise FileError(f"{path} is no YAML: {error}") from error


def write_settings(path: Path, given: Any) -> None:
    """Write dictionaries and lists to a file, whole or not at all. Raises MissingModuleError."""
    if path.suffix == JSON:
        text = json.dumps(given, indent=1)
    else:
        text = str(_yaml().safe_dump(given, sort_keys=False))
    part = path.with_name(f"{path.name}.part")
    part.write_text(text)
    part.replace(path)


def _yaml() -> Any:
    return try_import("yaml", "settings in YAML need PyYAML: pip install pyyaml, or write JSON")
