"""English and French: samples (ids of the source, of the target, of the target's next words)."""

from __future__ import annotations

from collections.abc import Iterator

from twinoar.dataset.common import archive
from twinoar.errors import FileError
from twinoar.reader import Reader

URL_TRAIN = "http://paddlemodels.bj.bcebos.com/wmt/wmt14.tgz"
FILE = URL_TRAIN.rpartition("/")[2]
MD5_TRAIN = "0791583d57d5beb693b9414c5b36798c"
START, END, UNKNOWN = "<s>", "<e>", "<unk>"
UNKNOWN_ID = 2
LONGEST = 80  # words; longer sentences are left out


def train(dict_size: int) -> Reader:
    """A reader of the sentences to train with, of words among the first `dict_size`. FileError."""
    return _reader("train/train", dict_size)


def test(dict_size: int) -> Reader:
    """A reader of the sentences to test with; see `train`."""
    return _reader("test/test", dict_size)


def gen(dict_size: int) -> Reader:
    """A reader of the sentences to translate; see `train`."""
    return _reader("gen/gen", dict_size)


def get_dict(dict_size: int, reverse: bool = True) -> tuple[dict, dict]:
    """The words of source and target by id; reverse=False: the ids by word."""
    source, target = (dict(enumerate(_words(side, dict_size))) for side in ("src", "trg"))
    if reverse:
        return source, target
    return {w: i for i, w in source.items()}, {w: i for i, w in target.items()}


def _reader(part: str, dict_size: int) -> Reader:
    source_ids, target_ids = get_dict(dict_size, reverse=False)

    def read() -> Iterator[tuple[list[int], list[int], list[int]]]:
        for line in _lines(part):
            pair = line.split("\t")
            if len(pair) != 2:
                continue
            words = [START, *pair[0].split(), END]
            source = [source_ids.get(w, UNKNOWN_ID) for w in words]
            target = [target_ids.get(w, UNKNOWN_ID) for w in pair[1].split()]
            if len(source) <= LONGEST and len(target) <= LONGEST:
                yield source, [target_ids[START], *target], [*target, target_ids[END]]

    return read


def _words(side: str, count: int) -> list[str]:
    return [line for _, line in zip(range(count), _lines(f"{side}.dict"), strict=False)]


def _lines(ending: str) -> Iterator[str]:
    """The lines of the files whose name ends so."""
    with archive(URL_TRAIN, "wmt14", MD5_TRAIN) as tar:
        names = [name for name in tar.getnames() if name.endswith(ending)]
        if not names:
            raise FileError(f"wmt14.tgz has no file {ending}")
        for name in names:
            file = tar.extractfile(name)
            for line in file or ():
                yield line.decode().strip()


__all__ = ["gen", "get_dict", "test", "train"]
