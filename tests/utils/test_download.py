"""Weights are downloaded once, whole, and never half."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
from pathlib import Path

import pytest

import twinoar as paddle
from twinoar import config
from twinoar.errors import ArgumentError, FileError
from twinoar.formats import fetch
from twinoar.utils.download import (
    _get_unique_endpoints,
    get_path_from_url,
    get_weights_path_from_url,
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "BACKOFF_SECONDS", 0.0)
    with config.override(data_home=tmp_path / "home"):
        yield tmp_path / "home"


@pytest.fixture
def weights(tmp_path) -> Path:
    path = tmp_path / "small.pdparams"
    paddle.save({"w": paddle.ones([2])}, str(path))
    return path


def test_a_file_is_downloaded_once_and_kept_in_the_data_home(home, weights):
    path = get_weights_path_from_url(weights.as_uri())
    assert path == str(home / "weights" / "small.pdparams")
    assert paddle.load(path)["w"].tolist() == [1.0, 1.0]
    weights.unlink()
    assert get_weights_path_from_url(weights.as_uri()) == path


def test_a_file_that_is_damaged_is_downloaded_again(home, weights):
    md5 = hashlib.md5(weights.read_bytes()).hexdigest()
    kept = Path(get_weights_path_from_url(weights.as_uri(), md5))
    kept.write_bytes(b"damaged")
    assert get_weights_path_from_url(weights.as_uri(), md5) == str(kept)
    assert kept.read_bytes() == weights.read_bytes()


def test_another_file_than_expected_is_not_kept(home, weights):
    with pytest.raises(FileError, match=r"is not what it should be: expected md5 0123, received"):
        get_weights_path_from_url(weights.as_uri(), "0123")
    assert not (home / "weights").exists()


def test_what_cannot_be_had_names_the_place_to_put_it(home):
    with pytest.raises(FileError, match=r"cannot download file:///nowhere/x\.pdparams(.|\n)*put"):
        get_weights_path_from_url("file:///nowhere/x.pdparams")


def test_a_file_of_this_machine_is_taken_where_it_lies(home, weights):
    assert get_weights_path_from_url(str(weights)) == str(weights)
    assert not (home / "weights").exists()
    with pytest.raises(FileError, match="expected md5 0123"):
        get_weights_path_from_url(str(weights), "0123")


def test_an_archive_of_this_machine_is_unpacked(tmp_path):
    archive(tmp_path / "net.tar", net__a="1")
    assert get_path_from_url(str(tmp_path / "net.tar"), tmp_path / "root") == str(tmp_path / "net")


def test_hosts_are_named_once_by_their_first_endpoint():
    found = _get_unique_endpoints(["a:1", "a:2", "b:1"])
    assert found == {"a:1", "b:1"}
    assert _get_unique_endpoints([]) == set()


def test_what_is_no_url_is_refused():
    with pytest.raises(ArgumentError, match="expected the URL of a file"):
        get_weights_path_from_url("x.pdparams")


def archive(path, **files) -> str:
    """The URL of an archive of these files, of the kind that its name says."""
    folder = path.with_name(f"{path.name}.content")
    for name, text in files.items():
        file = folder / name.replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    kind = {".gz": "gztar", ".tar": "tar", ".zip": "zip"}[path.suffix]
    shutil.move(shutil.make_archive(str(path) + ".made", kind, folder), path)
    return path.as_uri()


@pytest.mark.parametrize(
    ("name", "files", "expected"),
    [
        ("a.tar.gz", {"one__first": "1", "one__second": "2"}, "one"),
        ("a.zip", {"one__first": "1"}, "one"),
        ("a.tar", {"first": "1", "second": "2"}, "a"),
        ("a.zip", {"small": "1"}, "small"),
    ],
)
def test_an_archive_is_unpacked(tmp_path, name, files, expected):
    url = archive(tmp_path / name, **files)
    for _ in range(2):
        path = get_path_from_url(url, tmp_path / "root")
        assert path == str(tmp_path / "root" / expected)
    found = [path] if Path(path).is_file() else Path(path).iterdir()
    assert sorted(Path(p).read_text() for p in found) == sorted(files.values())
    assert sorted(p.name for p in (tmp_path / "root").iterdir()) == sorted([name, expected])
    assert get_path_from_url(url, tmp_path / "root", decompress=False).endswith(name)


def test_an_archive_is_read_again_when_asked_for(tmp_path):
    url = archive(tmp_path / "a.zip", one__first="1")
    get_path_from_url(url, tmp_path / "root")
    archive(tmp_path / "a.zip", one__first="2")
    assert (Path(get_path_from_url(url, tmp_path / "root")) / "first").read_text() == "1"
    path = get_path_from_url(url, tmp_path / "root", check_exist=False)
    assert (Path(path) / "first").read_text() == "2"


@pytest.mark.parametrize("name", ["../outside", "inside/../../outside"])
def test_files_that_would_lie_elsewhere_are_not_written(tmp_path, name):
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo(name))
    with pytest.raises(FileError, match=r"would lie elsewhere|cannot unpack"):
        get_path_from_url((tmp_path / "a.tar").as_uri(), tmp_path / "root")
    assert [p.name for p in (tmp_path / "root").iterdir()] == ["a.tar"]
    assert not (tmp_path / "outside").exists()
