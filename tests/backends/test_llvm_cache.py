"""The cache of machine code: sound entries, damaged ones, many processes, its size, no folder."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from twinoar import config
from twinoar.backends.llvm import cache, jit
from twinoar.runtime import kept_files
from twinoar.runtime.kept_files import DIGEST_BYTES

KEY = cache.key_of("a text")
DATA = bytes(range(256)) * 9

WRITE = """
import sys
from twinoar.runtime.kept_files import DIGEST_BYTES
from twinoar.backends.llvm import cache, jit
key, rounds = sys.argv[1], int(sys.argv[2])
for number in range(rounds):
    cache.put(key, bytes([number % 256]) * 100_000)
    data = cache.get(key)
    assert data is not None and len(data) == 100_000 and len(set(data)) == 1
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with config.override(cache_dir=tmp_path / "new"):
        yield tmp_path / "new" / cache.FOLDER


def put_unused_since(key: str, data: bytes, folder: Path, days: float) -> None:
    cache.put(key, data)
    then = time.time() - days * cache.DAY_SECONDS
    os.utime(folder / key, (then, then))


def test_what_was_put_is_got() -> None:
    cache.put(KEY, DATA)
    assert cache.get(KEY) == DATA


def test_what_was_not_put_is_absent() -> None:
    assert cache.get(KEY) is None


def test_keys_differ_where_texts_do() -> None:
    parts = [("a", "b"), ("ab", ""), ("", "ab"), ("ab",), ("a", "c")]
    assert len({cache.key_of(*each) for each in parts}) == len(parts)


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: entry[:-1],
        lambda entry: entry[:10],
        lambda entry: b"",
        lambda entry: entry[:100] + bytes([entry[100] ^ 1]) + entry[101:],
        lambda entry: bytes([entry[0] ^ 1]) + entry[1:],
        lambda entry: entry + b"\0",
    ],
    ids=["cut", "no data", "empty", "changed", "digest changed", "longer"],
)
def test_a_damaged_entry_is_absent_and_can_be_put_again(folder: Path, damage) -> None:
    cache.put(KEY, DATA)
    (folder / KEY).write_bytes(damage((folder / KEY).read_bytes()))
    assert cache.get(KEY) is None
    cache.put(KEY, DATA)
    assert cache.get(KEY) == DATA


def test_processes_that_write_the_same_key_see_whole_entries(folder: Path) -> None:
    environment = os.environ | {"TWINOAR_CACHE_DIR": str(folder.parent)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITE, KEY, "200"], env=environment)
        for _ in range(3)
    ]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]
    assert [path.name for path in folder.iterdir()] == [KEY]


def test_pruning_deletes_what_was_used_least_recently(folder: Path) -> None:
    for days, key in enumerate(["new", "old", "older"]):
        put_unused_since(key, DATA, folder, days)
    cache.prune(2 * (DIGEST_BYTES + len(DATA)))
    assert sorted(path.name for path in folder.iterdir()) == ["new", "old"]


def test_an_entry_that_is_read_counts_as_used(folder: Path) -> None:
    for days, key in ((3, "read"), (2, "unread")):
        put_unused_since(key, DATA, folder, days)
    cache.get("read")
    cache.prune(DIGEST_BYTES + len(DATA))
    assert [path.name for path in folder.iterdir()] == ["read"]


def test_writing_makes_room_at_times(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LIMIT_BYTES", 10 * len(DATA))
    for number in range(2000):
        cache.put(cache.key_of(str(number)), DATA)
    assert len(list(folder.iterdir())) < 1000


def test_a_folder_that_cannot_be_written_is_warned_of_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of the folder")
    with config.override(cache_dir=tmp_path / "file"):
        with pytest.warns(UserWarning, match="TWINOAR_CACHE_DIR"):
            cache.put(KEY, DATA)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cache.put(KEY, DATA)
        assert cache.get(KEY) is None


def test_an_entry_under_the_name_of_another_is_absent(folder: Path) -> None:
    other = cache.key_of("another text")
    cache.put(KEY, DATA)
    cache.put(other, b"something else")
    (folder / KEY).replace(folder / other)
    assert cache.get(other) is None


TEXT = "define i64 @function(i64 %x) {{ %y = add i64 %x, {} ret i64 %y }}"


def test_swapped_machine_code_is_compiled_anew(folder: Path) -> None:
    texts = [TEXT.format(n) for n in (1, 2)]
    for text in texts:
        jit.load(text, ["function"])
    one, two = (folder / jit.key(text) for text in texts)
    whole = one.read_bytes(), two.read_bytes()
    one.write_bytes(whole[1])
    two.write_bytes(whole[0])
    for text, number in zip(texts, (1, 2), strict=True):
        code = jit.load(text, ["function"])
        function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code.address("function"))
        assert function(40) == 40 + number
    assert (one.read_bytes(), two.read_bytes()) == whole


@pytest.mark.parametrize("inner", ["", cache.FOLDER], ids=["whole cache", "folder of code"])
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
def test_a_folder_that_others_may_write_to_is_refused(folder: Path, inner: str, mode: int) -> None:
    cache.put(KEY, DATA)
    path = folder.parent / inner
    path.chmod(mode)
    with pytest.warns(UserWarning, match="is not safe, others may write to it"):
        assert cache.get(KEY) is None
    cache.put(KEY, b"other")
    path.chmod(0o700)
    assert cache.get(KEY) == DATA


def test_an_entry_that_others_may_write_to_is_absent(folder: Path) -> None:
    cache.put(KEY, DATA)
    (folder / KEY).chmod(0o666)
    assert cache.get(KEY) is None


@pytest.mark.parametrize("inner", ["", cache.FOLDER, f"{cache.FOLDER}/{KEY}"])
def test_what_belongs_to_somebody_else_is_not_read(
    folder: Path, inner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put(KEY, DATA)
    theirs = (folder.parent / inner).stat().st_ino
    real = os.stat_result

    def distrusted(status: real) -> str | None:
        return "it belongs to user 12345" if status.st_ino == theirs else None

    monkeypatch.setattr(kept_files, "distrusted", distrusted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert cache.get(KEY) is None


@pytest.mark.parametrize(("user", "safe"), [(0, True), (os.geteuid(), True), (54321, False)])
def test_owners_that_are_trusted_are_the_user_and_root(user: int, safe: bool) -> None:
    status = os.stat_result((0o40700, 1, 1, 2, user, 0, 0, 0, 0, 0))
    assert (kept_files.distrusted(status) is None) == safe


def test_what_is_made_is_for_the_user_alone_whatever_the_mask(folder: Path) -> None:
    before = os.umask(0o002)
    try:
        cache.put(KEY, DATA)
    finally:
        os.umask(before)
    made = [folder.parent, folder, folder / KEY]
    assert [path.stat().st_mode & 0o777 for path in made] == [0o700, 0o700, 0o600]
    assert cache.get(KEY) == DATA
