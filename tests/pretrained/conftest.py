"""Folders that transformers wrote: see `written/write.py`."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

collect_ignore = ["written"]  # its module is of transformers, which is not there
ARCHIVE = Path(__file__).parent / "written" / "models.zip"


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each of the folders lies by name; nobody changes them."""
    place = tmp_path_factory.mktemp("pretrained")
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(place)
    return place


@pytest.fixture
def copied(folders: Path, tmp_path: Path) -> Any:
    """Copies a folder, with other values in its config."""

    def copy(name: str, **changed: Any) -> Path:
        to = tmp_path / name
        to.mkdir()
        for file in (folders / name).iterdir():
            (to / file.name).write_bytes(file.read_bytes())
        config = json.loads((to / "config.json").read_text()) | changed
        (to / "config.json").write_text(json.dumps(config))
        return to

    return copy
