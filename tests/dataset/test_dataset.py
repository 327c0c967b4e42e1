"""Paddle 1's data sets, read from small files made here."""

from __future__ import annotations

import gzip
import hashlib
import io
import pickle
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from twinoar import config, dataset
from twinoar.dataset import (
    cifar,
    common,
    conll05,
    imdb,
    imikolov,
    mnist,
    movielens,
    uci_housing,
    wmt14,
    wmt16,
)
from twinoar.errors import ArgumentError, FileError, MissingNameError
from twinoar.vision.datasets import MNIST, download


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data home, and no network."""

    def refuse(url: str) -> bytes:
        raise OSError("no network")

    monkeypatch.setattr(download, "fetch", refuse)
    monkeypatch.setattr(download, "cache_folder", lambda: tmp_path / "cache")
    with config.override(data_home=tmp_path):
        yield tmp_path


def put(path: Path, data: bytes) -> str:
    """Write a file; returns its md5."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return hashlib.md5(data).hexdigest()


def tar_of(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as tar:
        for name, data in files.items():
            item = tarfile.TarInfo(name)
            item.size = len(data)
            tar.addfile(item, io.BytesIO(data))
    return gzip.compress(held.getvalue(), mtime=0)


def serve(
    monkeypatch: pytest.MonkeyPatch, home: Path, module: ModuleType, name: str, data: bytes,
    constant: str = "MD5",
) -> None:  # fmt: skip
    folder = module.__name__.rpartition(".")[2]
    monkeypatch.setattr(module, constant, put(home / folder / name, data))


def test_digits_are_784_numbers_and_a_label(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    images = np.array([[0, 255], [51, 102]], np.uint8).repeat(392, 1)
    heads = {
        "image": (2051).to_bytes(4, "big") + b"".join(n.to_bytes(4, "big") for n in (2, 28, 28))
    }
    heads["label"] = (2049).to_bytes(4, "big") + (2).to_bytes(4, "big")
    contents = {"image": heads["image"] + images.tobytes(), "label": heads["label"] + b"\x07\x01"}
    files = {}
    for kind, data in contents.items():
        name = MNIST.FILES["train", kind].name
        put(home / "mnist" / name, data)
        files["train", kind] = download.RemoteFile(name, hashlib.md5(data).hexdigest())
    monkeypatch.setattr(MNIST, "FILES", files)
    (first, label), _ = mnist.train()()
    assert (first.shape, first.dtype, label) == ((784,), np.float32, 7)
    assert (first[0], first[-1]) == (-1.0, 1.0)


@pytest.mark.parametrize(
    "make",
    [
        mnist.test,
        cifar.train10,
        uci_housing.train,
        conll05.test,
        imdb.word_dict,
        imikolov.build_dict,
        movielens.movie_info,
        lambda: wmt14.train(9),
        lambda: wmt16.train(9, 9),
    ],
)
def test_without_files_and_network_the_file_is_named(make) -> None:
    with pytest.raises(FileError, match=r"cannot download [\w%.-]+(gz|data|tgz|zip|txt)"):
        make()


def test_houses_are_normalized(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.RandomState(0).rand(10, 14)
    text = "\n".join(" ".join(map(str, row)) for row in rows).encode()
    serve(monkeypatch, home, uci_housing, "housing.data", text)
    trained, tested = list(uci_housing.train()()), list(uci_housing.test()())
    assert (len(trained), len(tested)) == (8, 2)
    features = np.array([x for x, _ in trained + tested])
    np.testing.assert_allclose(features.mean(0), 0, atol=1e-12)
    np.testing.assert_allclose(np.ptp(features, 0), 1)
    assert trained[0][1].tolist() == [rows[0, 13]]


def test_color_images_are_3072_numbers(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = {"data": np.full((2, 3072), 255, np.uint8), "labels": [3, 4]}
    data = tar_of(
        {"c/data_batch_1": pickle.dumps(batch, 2), "c/test_batch": pickle.dumps(batch, 2)}
    )
    md5 = put(home / "cifar" / "cifar-10-python.tar.gz", data)
    monkeypatch.setattr(cifar, "CIFAR10", (cifar.CIFAR10[0], md5))
    (image, label), (_, second) = cifar.train10()()
    assert (image.shape, image.dtype, image[0], label, second) == ((3072,), np.float32, 1.0, 3, 4)
    again = cifar.test10(cycle=True)()
    assert [label for _, (_, label) in zip(range(4), again, strict=False)] == [3, 4, 3, 4]


def test_reviews_are_ids_of_words(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "aclImdb/train/pos/0.txt": b"Good, good film!\n",
        "aclImdb/train/neg/0.txt": b"bad film",
    }
    serve(monkeypatch, home, imdb, "imdb%2FaclImdb_v1.tar.gz", tar_of(files))
    words = imdb.build_dict(re.compile(r"aclImdb/train/.*\.txt$"), 1)
    assert words == {b"film": 0, b"good": 1, "<unk>": 2}
    assert list(imdb.train(words)()) == [([1, 1, 0], 0), ([2, 0], 1)]


def test_sentences_are_ids_in_a_row(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = "./simple-examples/data/ptb"
    files = {f"{folder}.train.txt": b"a b a\n", f"{folder}.valid.txt": b"a c\n"}
    serve(monkeypatch, home, imikolov, "imikolov%2Fsimple-examples.tgz", tar_of(files))
    ids = imikolov.build_dict(1)
    assert ids == {b"a": 0, "<e>": 1, "<s>": 2, "<unk>": 3}
    assert list(imikolov.train(ids, 2)()) == [(2, 0), (0, 3), (3, 0), (0, 1)]
    sentences = imikolov.test(ids, 0, imikolov.DataType.SEQ)
    assert list(sentences()) == [([2, 0, 3], [0, 3, 1])]
    with pytest.raises(ArgumentError, match="data_type"):
        imikolov.train(ids, 2, 7)


def test_ratings_are_of_users_and_movies(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as files:
        files.writestr("ml-1m/movies.dat", "1::Toy Story (1995)::Comedy|Animation\n")
        files.writestr("ml-1m/users.dat", "4::M::25::7::02460\n")
        files.writestr("ml-1m/ratings.dat", "4::1::5::978300760\n" * 20)
    serve(monkeypatch, home, movielens, "movielens%2Fml-1m.zip", held.getvalue())
    cached = (movielens.movie_info, movielens.user_info)
    cached += (movielens.get_movie_title_dict, movielens.movie_categories)
    for function in cached:
        function.cache_clear()
    trained, tested = list(movielens.train()()), list(movielens.test()())
    assert (len(trained) + len(tested), len(tested) > 0) == (20, True)
    assert trained[0] == [4, 0, 2, 7, 1, [1, 0], [1, 0], [5.0]]
    found = movielens.max_movie_id(), movielens.max_user_id(), movielens.max_job_id()
    assert found == (1, 4, 7)
    for function in cached:
        function.cache_clear()


def test_roles_of_words_are_about_a_verb(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "He\ngave\nher\na\nbook\n\nStop\n\n"
    rows = "- (A0*)\ngive (V*)\n- (A2*)\n- (A1*\n- *)\n\nstop (V*)\n\n"
    folder = "conll05st-release/test.wsj"
    files = {
        f"{folder}/words/test.wsj.words.gz": gzip.compress(words.encode()),
        f"{folder}/props/test.wsj.props.gz": gzip.compress(rows.encode()),
    }
    contents = {
        "ARCHIVE": ("conll05st-tests.tar.gz", tar_of(files)),
        "WORDS": ("conll05st%2FwordDict.txt", b"<unk>\nbos\neos\nHe\ngave\nher\na\nbook\n"),
        "VERBS": ("conll05st%2FverbDict.txt", b"give\nstop\n"),
        "LABELS": ("conll05st%2FtargetDict.txt", b"B-A0\nI-A0\nB-A1\nB-A2\nB-V\nO\n"),
    }
    for constant, (name, data) in contents.items():
        md5 = put(home / "conll05st" / name, data)
        monkeypatch.setattr(conll05, constant, (*getattr(conll05, constant)[:2], md5))
    first, second = conll05.test()()
    assert first == (
        [3, 4, 5, 6, 7], [1] * 5, [3] * 5, [4] * 5, [5] * 5, [6] * 5, [0] * 5,
        [1, 1, 1, 1, 0], [0, 6, 4, 2, 3],
    )  # fmt: skip
    assert second == ([0], [1], [1], [0], [2], [2], [1], [1], [6])
    with pytest.raises(FileError, match="label"):
        conll05._tags(("*", "A0"))


def test_translations_of_known_words(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = b"<s>\n<e>\n<unk>\none\n"
    files = {"w/src.dict": words, "w/trg.dict": words, "w/train/train": b"one two\tun one\nalone\n"}
    serve(monkeypatch, home, wmt14, "wmt14.tgz", tar_of(files), "MD5_TRAIN")
    assert list(wmt14.train(4)()) == [([0, 3, 2, 1], [0, 2, 3], [2, 3, 1])]
    assert wmt14.get_dict(2) == ({0: "<s>", 1: "<e>"},) * 2
    with pytest.raises(FileError, match="no file"):
        list(wmt14.gen(4)())


def test_translations_both_ways(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"wmt16/train": b"one one two\tein zwei zwei\n", "wmt16/val": b"two\tein\n"}
    serve(monkeypatch, home, wmt16, "wmt16.tar.gz", tar_of(files))
    wmt16._frequent.cache_clear()
    assert list(wmt16.validation(5, 4)()) == [([0, 4, 1], [0, 2], [2, 1])]
    assert list(wmt16.train(4, 4, "de")()) == [([0, 2, 3, 3, 1], [0, 3, 3, 2], [3, 3, 2, 1])]
    assert wmt16.get_dict("de", 4, reverse=True)[3] == "zwei"
    with pytest.raises(ArgumentError, match="src_lang"):
        wmt16.test(4, 4, "fr")
    wmt16._frequent.cache_clear()


def test_samples_are_kept_in_files_and_read_by_turns(tmp_path: Path) -> None:
    common.split(lambda: range(5), 2, suffix=f"{tmp_path}/%02d.pickle")
    pattern = f"{tmp_path}/*.pickle"
    assert list(common.cluster_files_reader(pattern, 2, 0)()) == [0, 1, 4]
    assert list(common.cluster_files_reader(pattern, 2, 1)()) == [2, 3]
    with pytest.raises(ArgumentError, match="suffix"):
        common.split(lambda: range(5), 2, suffix="all.pickle")


def test_the_path_of_a_file(home: Path) -> None:
    md5 = put(home / "own" / "file.txt", b"content")
    path = common.download("http://example.org/file.txt", "own", md5)
    assert common.md5file(path) == md5


@pytest.mark.parametrize("name", ["flowers", "voc2012", "sentiment"])
def test_a_data_set_that_is_not_served_says_so(name: str) -> None:
    with pytest.raises(MissingNameError, match=f"paddle.dataset.{name}"):
        getattr(dataset, name)
