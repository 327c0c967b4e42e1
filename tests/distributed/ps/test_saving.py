"""Tables in files: whole or as before, and for another number of servers."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.distributed.ps.jobs import ROWS, job, network, tables
from twinoar.distributed import CountFilterEntry
from twinoar.distributed.ps.shards import (
    MANIFEST,
    load_checkpoint,
    read_manifest,
    write_manifest,
    write_shard,
)
from twinoar.distributed.ps.table import empty
from twinoar.errors import DistributedError, FileError
from twinoar.optimizer import Adam

ALL = np.arange(ROWS)


def rule() -> Adam:
    return Adam(0.05, lazy_mode=True)


def taught(there) -> None:
    there.begin("fc.w_0", np.ones((4, 1), np.float32))
    there.begin("fc.b_0", np.zeros(1, np.float32))
    for step in range(3):
        there.rows("emb", ALL, True)
        there.push_rows("emb", ALL, np.full((ROWS, 4), 1.0 + step, np.float32), 0.1)
        there.push("fc.w_0", np.ones((4, 1), np.float32), 0.1)
        there.flush()
    there.pull("fc.w_0")


def save(there, kept, folder: Path, generation: str) -> None:
    files = there.on_all("save", folder=str(folder), generation=generation)
    write_manifest(folder, generation, kept, [{n: f[n] for n in ("file", "bytes")} for f in files])


@pytest.mark.parametrize("servers", [1, 2, 3])
def test_tables_load_on_another_number_of_servers_and_go_on_alike(tmp_path, servers) -> None:
    kept = tables(network(rule), 2)
    with job(kept, workers=1) as jobs:
        there = jobs.connect()
        taught(there)
        save(there, kept, tmp_path, "a")
        taught(there)
        wanted = there.rows("emb", ALL, True), there.pull("fc.w_0")
        there.leave()
    with job(tables(network(rule), servers), servers, workers=1) as jobs:
        there = jobs.connect()
        loaded = there.on_all("load", folder=str(tmp_path))
        assert sum(a["rows"] for a in loaded) == ROWS
        taught(there)
        found = there.rows("emb", ALL, True), there.pull("fc.w_0")
        there.leave()
    for one, other in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_checkpoint_that_is_written_over_keeps_one_set_of_files(tmp_path) -> None:
    kept = tables(network(rule), 2)
    with job(kept, workers=1) as jobs:
        there = jobs.connect()
        taught(there)
        for generation in ("a", "b"):
            save(there, kept, tmp_path, generation)
        there.leave()
    names = sorted(f.name for f in tmp_path.iterdir())
    assert names == [MANIFEST, "shard-0-of-2-b.npz", "shard-1-of-2-b.npz"]
    assert read_manifest(tmp_path)["generation"] == "b"


def kept_here(servers: int = 1) -> dict:
    found = {t.name: empty(t) for t in tables(network(rule), servers)}
    found["emb"].pull(ALL, True)
    found["fc.w_0"].begin(np.ones((4, 1), np.float32))
    return found


def saved(folder: Path) -> dict:
    kept = kept_here()
    size = write_shard(folder / "shard-0-of-1-a.npz", kept, {"steps": 1})
    described = [t.table for t in kept.values()]
    write_manifest(folder, "a", described, [{"file": "shard-0-of-1-a.npz", "bytes": size}])
    return kept


def test_a_full_disk_leaves_the_old_checkpoint_whole(tmp_path, monkeypatch) -> None:
    kept = saved(tmp_path)
    before = {f.name: f.read_bytes() for f in tmp_path.iterdir()}

    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np, "savez", full)
        with pytest.raises(FileError, match="No space left"):
            write_shard(tmp_path / "shard-0-of-1-b.npz", kept, {"steps": 2})
    assert {f.name: f.read_bytes() for f in tmp_path.iterdir()} == before
    load_checkpoint(tmp_path, kept_here(), 0, 1)


def test_a_server_that_cannot_write_is_told_to_the_worker(tmp_path) -> None:
    (tmp_path / "file").write_text("no folder")
    with job(tables(network(rule), 1), servers=1, workers=1) as jobs:
        there = jobs.connect()
        with pytest.raises(DistributedError, match=r"server 0: .*file"):
            there.on_all("save", folder=str(tmp_path / "file" / "x"), generation="a")
        with pytest.raises(DistributedError, match="has no checkpoint of tables"):
            there.on_all("load", folder=str(tmp_path))
        there.leave()


@pytest.mark.parametrize("damage", ["cut", "flipped", "gone", "empty"])
def test_damaged_files_are_told_and_change_nothing(tmp_path, damage) -> None:
    saved(tmp_path)
    file = tmp_path / "shard-0-of-1-a.npz"
    data = bytearray(file.read_bytes())
    if damage == "cut":
        file.write_bytes(data[:-10])
    elif damage == "flipped":
        data[len(data) // 2] ^= 0xFF
        file.write_bytes(data)
    elif damage == "gone":
        file.unlink()
    else:
        file.write_bytes(b"")
    kept = kept_here()
    kept["emb"].push(ALL[:1], np.ones((1, 4), np.float32), 1.0)
    before = kept["emb"].pull(ALL, False)
    with pytest.raises(FileError):
        load_checkpoint(tmp_path, kept, 0, 1)
    np.testing.assert_array_equal(kept["emb"].pull(ALL, False), before)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"files": [{"file": "../../etc/passwd", "bytes": 1}], "tables": []}',
        '{"files": [], "tables": 3}',
    ],
)
def test_a_forged_manifest_is_refused(tmp_path, text) -> None:
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(FileError):
        load_checkpoint(tmp_path, kept_here(), 0, 1)


def test_tables_of_another_network_are_named(tmp_path) -> None:
    saved(tmp_path)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    manifest["tables"][0]["shape"] = [5]
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(FileError, match=r"emb is sparse\[5\] in .*, and sparse\[4\] here"):
        load_checkpoint(tmp_path, kept_here(), 0, 1)
    manifest["tables"] = manifest["tables"][1:]
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(FileError, match="has no table 'emb'"):
        load_checkpoint(tmp_path, kept_here(), 0, 1)


def test_rows_that_wait_for_their_count_are_saved_with_it(tmp_path) -> None:
    def made() -> dict:
        return {"emb": empty(tables(network(rule, CountFilterEntry(2)), 1)[0])}

    one = made()
    one["emb"].pull(ALL[:2], True)
    size = write_shard(tmp_path / "shard-0-of-1-a.npz", one, {})
    write_manifest(
        tmp_path, "a", [one["emb"].table], [{"file": "shard-0-of-1-a.npz", "bytes": size}]
    )
    other = made()
    load_checkpoint(tmp_path, other, 0, 1)
    assert other["emb"].pull(ALL[:3], True).any(1).tolist() == [True, True, False]
