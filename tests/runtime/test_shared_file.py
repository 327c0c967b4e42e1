"""Memory of a file that processes map: what one writes the others read, as long as they live."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from twinoar.runtime.collective import shared_file
from twinoar.runtime.collective.shared_file import SharedFile

A_PROCESS = """
import sys
from twinoar.runtime.collective.shared_file import SharedFile
SharedFile(8, sys.argv[1]).bytes[3] = 7
"""


def test_a_new_one_is_zero() -> None:
    file = SharedFile(1000)
    assert file.bytes is not None and file.bytes.shape == (1000,) and not file.bytes.any()
    file.unlink()


def test_another_process_writes_into_it() -> None:
    file = SharedFile(8)
    subprocess.run([sys.executable, "-c", A_PROCESS, file.path], check=True, cwd=Path.cwd())
    file.unlink()
    assert file.bytes is not None and file.bytes.tolist() == [0, 0, 0, 7, 0, 0, 0, 0]


def test_it_lasts_without_its_name() -> None:
    first = SharedFile(8)
    second = SharedFile(8, first.path)
    first.unlink()
    assert not Path(first.path).exists()
    assert first.bytes is not None and second.bytes is not None
    first.bytes[:] = np.arange(8)
    assert second.bytes.tolist() == list(range(8))


def test_one_that_is_not_there_or_too_short_has_no_bytes(tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.write_bytes(bytes(4))
    assert SharedFile(8, str(tmp_path / "absent")).bytes is None
    assert SharedFile(8, str(short)).bytes is None
    assert SharedFile(8, "").bytes is None


def test_where_none_can_be_made_there_are_no_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shared_file.tempfile, "mkstemp", refuse)
    assert SharedFile(8).bytes is None


def refuse(**given: str) -> None:
    raise OSError("no room")
