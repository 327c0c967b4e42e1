"""Files appear whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

import pytest

from twinoar.errors import FileError
from twinoar.formats.atomic import AtomicFiles, write_atomically


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def fail_half_way(file: BinaryIO) -> None:
    file.write(b"half")
    raise RuntimeError("power cut")


@pytest.mark.parametrize("data", [b"new", bytearray(b"new"), memoryview(b"new")])
def test_a_file_has_the_data_and_nothing_lies_beside_it(tmp_path: Path, data: bytes) -> None:
    write_atomically(tmp_path / "x.bin", data)
    assert (tmp_path / "x.bin").read_bytes() == b"new"
    assert names(tmp_path) == ["x.bin"]


def test_a_function_writes_the_data_into_the_open_file(tmp_path: Path) -> None:
    write_atomically(str(tmp_path / "x.bin"), lambda file: file.write(b"streamed"))
    assert (tmp_path / "x.bin").read_bytes() == b"streamed"


def test_missing_folders_are_made(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a" / "b" / "x.bin", b"new")
    assert (tmp_path / "a" / "b" / "x.bin").read_bytes() == b"new"


def test_a_failure_half_way_keeps_the_old_file_and_leaves_no_litter(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"old")
    with pytest.raises(RuntimeError, match="power cut"):
        write_atomically(tmp_path / "x.bin", fail_half_way)
    assert (tmp_path / "x.bin").read_bytes() == b"old"
    assert names(tmp_path) == ["x.bin"]


def test_a_failure_removes_the_folders_that_were_made_for_the_file(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="power cut"):
        write_atomically(tmp_path / "a" / "b" / "x.bin", fail_half_way)
    assert names(tmp_path) == []


def test_the_permissions_of_a_replaced_file_stay(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"old")
    (tmp_path / "x.bin").chmod(0o640)
    write_atomically(tmp_path / "x.bin", b"new")
    assert stat.S_IMODE((tmp_path / "x.bin").stat().st_mode) == 0o640


def test_a_link_keeps_pointing_to_the_file_that_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "x.bin")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "x.bin").read_bytes() == b"new"


def test_a_directory_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a directory"):
        write_atomically(tmp_path, b"new")


@pytest.mark.parametrize("path", ["", "folder/", "a\0b"])
def test_a_path_without_a_file_name_is_refused(path: str) -> None:
    with pytest.raises(FileError, match="expected the path of a file"):
        write_atomically(path, b"new")


def test_a_file_in_place_of_a_folder_is_a_file_error_with_a_cure(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"old")
    with pytest.raises(FileError, match=r"cannot write .*\n +cure: check the folder"):
        write_atomically(tmp_path / "x.bin" / "y.bin", b"new")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_write_protected_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"old")
    (tmp_path / "x.bin").chmod(0o400)
    with pytest.raises(FileError, match="write-protected"):
        write_atomically(tmp_path / "x.bin", b"new")


def test_files_that_belong_together_appear_at_the_end(tmp_path: Path) -> None:
    with AtomicFiles() as files:
        files.write(tmp_path / "model", b"1")
        files.write(tmp_path / "params", b"2")
        assert not (tmp_path / "model").exists()
    assert names(tmp_path) == ["model", "params"]


def test_a_failure_in_one_of_several_files_changes_none(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"old")
    with pytest.raises(RuntimeError), AtomicFiles() as files:
        files.write(tmp_path / "model", b"new")
        files.write(tmp_path / "params", fail_half_way)
    assert (tmp_path / "model").read_bytes() == b"old"
    assert names(tmp_path) == ["model"]
