"""Who did what to whom: a data set for labeling semantic roles."""

from __future__ import annotations

from twinoar.dataset import conll05
from twinoar.text.samples import Path, SampleDataset, arrays_of, files_of


class Conll05st(SampleDataset):
    """Who did what to whom, the part of CoNLL 2005 that is free: that to test with.

    A sample is nine arrays as long as the sentence: ids of the words, of the words around the verb,
    of the verb; whether a word is around the verb; labels. data_file: the archive
    conll05st-tests.tar.gz. word_dict_file, verb_dict_file, target_dict_file, emb_file: the lists of
    words, verbs and labels, and the vectors of words. None for any takes it from the data home or
    the cache, or downloads it. download: allow downloading. Raises FileError.
    """

    def __init__(
        self,
        data_file: Path | None = None,
        word_dict_file: Path | None = None,
        verb_dict_file: Path | None = None,
        target_dict_file: Path | None = None,
        emb_file: Path | None = None,
        download: bool = True,
    ):
        self._embedding, self._download = emb_file, download
        sources = {
            conll05.ARCHIVE: data_file,
            conll05.WORDS: word_dict_file,
            conll05.VERBS: verb_dict_file,
            conll05.LABELS: target_dict_file,
        }
        with files_of({url.rpartition("/")[2]: p for (url, *_), p in sources.items()}, download):
            self._ids = conll05.get_dict()
            self.samples = arrays_of(conll05.test()())

    def get_dict(self) -> tuple[dict, dict, dict]:
        """The ids of words, of verbs, and of labels."""
        return self._ids

    def get_embedding(self) -> str:
        """The path of the file of word vectors. Raises FileError."""
        if self._embedding is not None:
            return str(self._embedding)
        with files_of({}, self._download):
            return conll05.get_embedding()
