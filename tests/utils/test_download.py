"""Weights are downloaded once, whole, and never half."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import twinoar as paddle
from twinoar import config
from twinoar.errors import ArgumentError, FileError
from twinoar.formats import fetch
from twinoar.utils.download import get_weights_path_from_url


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


@pytest.mark.parametrize(
    ("url", "what"),
    [("x.pdparams", "expected the URL of a file"), ("https://host/x.tar.gz", "is an archive")],
)
def test_what_is_no_url_of_a_file_of_weights_is_refused(url, what):
    with pytest.raises(ArgumentError, match=what):
        get_weights_path_from_url(url)
