"""TESS: 2,800 words that two actresses say with one of seven emotions."""

from __future__ import annotations

from typing import Any, ClassVar

from twinoar.audio.datasets.classification import AudioClassificationDataset, folder_of
from twinoar.errors import ArgumentError, FileError


class TESS(AudioClassificationDataset):
    """TESS: spoken words with their emotions, 0 to 6.

    mode: "train", all folds but `split`; else that fold: each n_folds-th file by name. feat_type,
    kwargs: see `AudioClassificationDataset`. archive: {"url": ..., "md5": ...}, which is taken from
    the data home, or downloaded. Raises ArgumentError, FileError.
    """

    archive: ClassVar[dict[str, str]] = {
        "url": "https://bj.bcebos.com/paddleaudio/datasets/TESS_Toronto_emotional_speech_set.zip",
        "md5": "1465311b24d1de704c4c63e4ccc470c7",
    }
    label_list: ClassVar[list[str]] = ["angry", "disgust", "fear", "happy", "neutral", "ps", "sad"]

    def __init__(
        self,
        mode: str = "train",
        n_folds: int = 5,
        split: int = 1,
        feat_type: str = "raw",
        archive: dict[str, str] | None = None,
        **kwargs: Any,
    ):
        if not isinstance(n_folds, int) or n_folds < 1:
            raise ArgumentError(f"n_folds: expected an integer of 1 or more, received {n_folds}")
        if split not in range(1, n_folds + 1):
            raise ArgumentError(f"split: expected 1 to {n_folds}, received {split}")
        folder = folder_of("TESS_Toronto_emotional_speech_set", archive or self.archive)
        found = sorted(folder.rglob("*.wav"))
        chosen = [
            path
            for number, path in enumerate(found)
            if (number % n_folds + 1 != split) == (mode == "train")
        ]
        labels = [self._emotion(path.stem) for path in chosen]
        super().__init__([str(path) for path in chosen], labels, feat_type, **kwargs)

    def _emotion(self, name: str) -> int:
        """The class of a file, whose name is speaker_word_emotion."""
        emotion = name.rpartition("_")[2]
        if emotion not in self.label_list:
            raise FileError(f"{name}.wav: expected speaker_word_emotion, one of {self.label_list}")
        return self.label_list.index(emotion)


__all__ = ["TESS"]
