"""Data sets of sentences in two languages."""

from __future__ import annotations

from typing import Literal

from twinoar.dataset import wmt14, wmt16
from twinoar.text.samples import Path, SampleDataset, arrays_of, check_size, files_of


class WMT14(SampleDataset):
    """English and French: samples (ids of the source, of the target, of the target's next words).

    data_file: the archive wmt14.tgz; None takes it from the data home or the cache, or downloads
    it. mode: "train", "test" or "gen". dict_size: how many words have ids of their own. download:
    allow downloading. Raises FileError, ArgumentError.
    """

    MODES = ("train", "test", "gen")

    def __init__(
        self,
        data_file: Path | None = None,
        mode: str = "train",
        dict_size: int = -1,
        download: bool = True,
    ):
        self.mode, self.dict_size = self._checked_mode(mode), dict_size
        check_size("dict_size", dict_size)
        with files_of({wmt14.FILE: data_file}, download):
            self._ids = wmt14.get_dict(dict_size, reverse=False)
            self.samples = arrays_of(getattr(wmt14, self.mode)(dict_size)())

    def get_dict(self, reverse: bool = False) -> tuple[dict, dict]:
        """The ids of the source's and the target's words; reverse: the words by id."""
        source, target = self._ids
        return (_reversed(source), _reversed(target)) if reverse else (source, target)


class WMT16(SampleDataset):
    """English and German: samples (ids of the source, of the target, of the target's next words).

    data_file: the archive wmt16.tar.gz; None takes it from the data home or the cache, or downloads
    it. mode: "train", "test" or "val". src_dict_size, trg_dict_size: how many words have ids of
    their own. lang: what is translated, "en" or "de". download: allow downloading. Raises
    FileError, ArgumentError.
    """

    MODES = ("train", "test", "val")

    def __init__(
        self,
        data_file: Path | None = None,
        mode: str = "train",
        src_dict_size: int = -1,
        trg_dict_size: int = -1,
        lang: Literal["en", "de"] = "en",
        download: bool = True,
    ):
        self.mode, self.lang = self._checked_mode(mode), lang
        check_size("src_dict_size", src_dict_size)
        check_size("trg_dict_size", trg_dict_size)
        read = {"train": wmt16.train, "test": wmt16.test, "val": wmt16.validation}[self.mode]
        wmt16.forget()
        with files_of({wmt16.FILE: data_file}, download):
            self.samples = arrays_of(read(src_dict_size, trg_dict_size, lang)())
            other = wmt16.OTHER[lang]
            self._ids = {
                lang: wmt16.get_dict(lang, src_dict_size),
                other: wmt16.get_dict(other, trg_dict_size),
            }
        wmt16.forget()

    def get_dict(self, lang: Literal["en", "de"], reverse: bool = False) -> dict:
        """The ids of the words of a language; reverse: the words by id."""
        return _reversed(self._ids[lang]) if reverse else self._ids[lang]


def _reversed(ids: dict) -> dict:
    return {number: word for word, number in ids.items()}
