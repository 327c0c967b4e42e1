"""Viterbi's algorithm against all sequences, and data sets read from small files made here."""

from __future__ import annotations

import gzip
import io
import itertools
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, text
from twinoar.errors import ArgumentError, FileError
from twinoar.vision.datasets import download


@pytest.fixture(autouse=True)
def nothing_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An empty data home and cache."""
    monkeypatch.setattr(download, "cache_folder", lambda: tmp_path / "cache")
    with config.override(data_home=tmp_path):
        yield


def tar(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            item = tarfile.TarInfo(name)
            item.size = len(data)
            archive.addfile(item, io.BytesIO(data))
    return path


def plain(dataset) -> list:
    return [[part.tolist() for part in dataset[i]] for i in range(len(dataset))]


def best_of_all(potentials, transitions, length, ends):
    """(score, tags) of the best of all sequences."""
    scores = {}
    for tags in itertools.product(range(potentials.shape[1]), repeat=length):
        score = sum(potentials[t, tag] for t, tag in enumerate(tags))
        score += sum(transitions[a, b] for a, b in itertools.pairwise(tags))
        if ends:
            score += transitions[-1, tags[0]] + transitions[-2, tags[-1]]
        scores[tags] = score
    tags = max(scores, key=scores.__getitem__)
    return scores[tags], list(tags)


@pytest.mark.parametrize("ends", [True, False])
def test_viterbi_finds_the_best_of_all_sequences(ends):
    random = np.random.default_rng(0)
    potentials, transitions = random.normal(size=(4, 5, 3)), random.normal(size=(3, 3))
    lengths = np.array([4, 1, 3, 2])
    scores, tags = text.viterbi_decode(
        *(paddle.to_tensor(x) for x in (potentials, transitions, lengths)), ends
    )
    assert tags.shape == [4, 4]
    for row, length in enumerate(lengths):
        score, best = best_of_all(potentials[row], transitions, length, ends)
        assert scores[row].item() == pytest.approx(score)
        assert tags[row].tolist() == best + [0] * (4 - length)


def test_the_decoder_is_a_layer_that_converts():
    transitions = paddle.to_tensor(np.eye(2, dtype="float32"))
    decoder = text.ViterbiDecoder(transitions, include_bos_eos_tag=False)
    potentials, lengths = paddle.randn([2, 3, 2]), paddle.to_tensor([3, 2])
    eager = decoder(potentials, lengths)
    converted = paddle.jit.to_static(lambda p, n: decoder(p, n))(potentials, lengths)
    assert [x.tolist() for x in converted] == [x.tolist() for x in eager]


def test_houses_are_rows_of_the_default_type(tmp_path: Path):
    rows = np.random.default_rng(0).random((10, 14))
    np.savetxt(tmp_path / "own.data", rows)
    trained = text.UCIHousing(tmp_path / "own.data", "train")
    tested = text.UCIHousing(tmp_path / "own.data", "TEST")
    assert (len(trained), len(tested)) == (8, 2)
    features, price = tested[0]
    assert (features.shape, features.dtype, price.shape) == ((13,), np.float32, (1,))
    assert price[0] == pytest.approx(rows[8, 13])


def test_reviews_are_ids_and_a_label(tmp_path: Path):
    path = tar(
        tmp_path / "own.tgz",
        {
            "aclImdb/train/pos/0.txt": b"Good, good film!\n",
            "aclImdb/train/neg/0.txt": b"bad film",
            "aclImdb/test/pos/0.txt": b"film",
        },
    )
    dataset = text.Imdb(path, cutoff=1)
    assert dataset.word_idx == {b"film": 0, b"good": 1, "<unk>": 2}
    assert plain(dataset) == [[[1, 1, 0], [0]], [[2, 0], [1]]]
    assert dataset.docs == [sample[0].tolist() for sample in dataset]
    assert dataset.labels == [int(sample[1][0]) for sample in dataset]
    assert plain(text.Imdb(path, "test", cutoff=1)) == [[[0], [0]]]


def test_the_treebank_gives_runs_of_words_or_sentences(tmp_path: Path):
    part = "./simple-examples/data/ptb.{}.txt"
    path = tar(
        tmp_path / "own.tgz",
        {
            part.format("train"): b"a b a\n",
            part.format("valid"): b"a\n",
            part.format("test"): b"b\n",
        },
    )
    runs = text.Imikolov(path, "NGRAM", 2, "test", 0)
    ids = runs.word_idx
    assert plain(runs) == [[ids["<s>"], ids[b"b"]], [ids[b"b"], ids["<e>"]]]
    sentences = text.Imikolov(path, "SEQ", min_word_freq=0)
    a, b, start, end = ids[b"a"], ids[b"b"], ids["<s>"], ids["<e>"]
    assert plain(sentences) == [[[start, a, b, a], [a, b, a, end]]]


def test_ratings_are_of_users_and_movies(tmp_path: Path):
    def package(name: str, title: str) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w") as files:
            files.writestr("ml-1m/movies.dat", f"1::{title} (1995)::Action\n")
            files.writestr("ml-1m/users.dat", "1::F::18::10::0\n")
            files.writestr("ml-1m/ratings.dat", "1::1::5::0\n" * 10)
        return tmp_path / name

    trained = text.Movielens(package("a.zip", "Heat"), test_ratio=0.5)
    tested = text.Movielens(package("b.zip", "Toy Story"), "test", test_ratio=0.5)
    assert len(trained) + len(tested) == 10
    assert plain(trained)[0] == [[1], [1], [1], [10], [1], [0], [0], [5.0]]
    assert plain(tested)[0][6] == [1, 0]
    assert trained.movie_info[1].title == "Heat "


def test_sentences_of_two_languages_are_shifted(tmp_path: Path):
    french = tar(
        tmp_path / "french.tgz",
        {
            "wmt14/gen/gen": b"cat\tchat\n",
            "wmt14/src.dict": b"<s>\n<e>\n<unk>\ncat\n",
            "wmt14/trg.dict": b"<s>\n<e>\n<unk>\nchat\n",
        },
    )
    dataset = text.WMT14(french, "gen", 4)
    assert plain(dataset) == [[[0, 3, 1], [0, 3], [3, 1]]]
    assert dataset.get_dict(reverse=True)[1][3] == "chat"
    german = tar(
        tmp_path / "german.tgz",
        {"wmt16/train": b"the cat\tkatze\n", "wmt16/val": b"cat\tkatze hund\n"},
    )
    dataset = text.WMT16(german, "val", 9, 5, lang="de")
    assert plain(dataset) == [[[0, 3, 2, 1], [0, 4], [4, 1]]]
    assert dataset.get_dict("en", reverse=True)[3] == "the"


def test_roles_are_nine_lists(tmp_path: Path):
    release = "conll05st-release/test.wsj/{0}/test.wsj.{0}.gz"
    path = tar(
        tmp_path / "own.tgz",
        {
            release.format("words"): gzip.compress(b"It\nran\n\n"),
            release.format("props"): gzip.compress(b"-   (A0*)\nrun (V*)\n\n"),
        },
    )
    lists = {"word": "It\nran\n", "verb": "run\n", "target": "B-A0\nI-A0\nB-V\nI-V\nO\n"}
    for name, content in lists.items():
        (tmp_path / name).write_text(content)
    dataset = text.Conll05st(path, *(tmp_path / name for name in lists), tmp_path / "vectors")
    (sample,) = plain(dataset)
    assert sample[0] == [0, 1]
    assert sample[6:] == [[0, 0], [1, 1], [0, 2]]
    assert dataset.get_dict()[1] == {"run": 0}
    assert dataset.get_embedding() == str(tmp_path / "vectors")


def test_what_cannot_be_is_refused(tmp_path: Path):
    with pytest.raises(FileError, match="is neither in"):
        text.Imdb(download=False)
    with pytest.raises(ArgumentError, match="train, test, received 'val'"):
        text.UCIHousing(mode="val")
    with pytest.raises(ArgumentError, match="window_size"):
        text.Imikolov(tmp_path / "none")
    with pytest.raises(ArgumentError, match="'NGRAM' or 'SEQ'"):
        text.Imikolov(tmp_path / "none", "WORDS")
    with pytest.raises(ArgumentError, match="dict_size must be positive"):
        text.WMT14(tmp_path / "none")
