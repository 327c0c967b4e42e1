"""The cache of machine code: sound entries, damaged ones, many processes, its size, no folder."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from twinoar import config
from twinoar.backends.llvm import cache

KEY = cache.key_of("a text")
DATA = bytes(range(256)) * 9

WRITE = """
import sys
from twinoar.backends.llvm import cache
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
    cache.prune(2 * (cache.DIGEST_BYTES + len(DATA)))
    assert sorted(path.name for path in folder.iterdir()) == ["new", "old"]


def test_an_entry_that_is_read_counts_as_used(folder: Path) -> None:
    for days, key in ((3, "read"), (2, "unread")):
        put_unused_since(key, DATA, folder, days)
    cache.get("read")
    cache.prune(cache.DIGEST_BYTES + len(DATA))
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
