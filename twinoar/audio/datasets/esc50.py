"""ESC-50: 2,000 recordings of the surroundings, of five seconds, in 50 classes."""

from __future__ import annotations

import csv
from typing import Any, ClassVar

from twinoar.audio.datasets.classification import AudioClassificationDataset, folder_of
from twinoar.errors import ArgumentError

FOLDS = range(1, 6)


class ESC50(AudioClassificationDataset):
    """ESC-50: sounds of the surroundings with their classes, 0 to 49.

    mode: "train", all folds but `split`; else that fold. feat_type, kwargs: see
    `AudioClassificationDataset`. archive: {"url": ..., "md5": ...} of the archive; it is taken from
    the data home, or downloaded. Raises ArgumentError, FileError.
    """

    archive: ClassVar[dict[str, str]] = {
        "url": "https://paddleaudio.bj.bcebos.com/datasets/ESC-50-master.zip",
        "md5": "7771e4b9d86d0945acce719c7a59305a",
    }
    label_list: ClassVar[list[str]] = [
        "Dog", "Rooster", "Pig", "Cow", "Frog", "Cat", "Hen", "Insects (flying)", "Sheep", "Crow",
        "Rain", "Sea waves", "Crackling fire", "Crickets", "Chirping birds", "Water drops", "Wind",
        "Pouring water", "Toilet flush", "Thunderstorm", "Crying baby", "Sneezing", "Clapping",
        "Breathing", "Coughing", "Footsteps", "Laughing", "Brushing teeth", "Snoring",
        "Drinking, sipping", "Door knock", "Mouse click", "Keyboard typing", "Door, wood creaks",
        "Can opening", "Washing machine", "Vacuum cleaner", "Clock alarm", "Clock tick",
        "Glass breaking", "Helicopter", "Chainsaw", "Siren", "Car horn", "Engine", "Train",
        "Church bells", "Airplane", "Fireworks", "Hand saw",
    ]  # fmt: skip

    def __init__(
        self,
        mode: str = "train",
        split: int = 1,
        feat_type: str = "raw",
        archive: dict[str, str] | None = None,
        **kwargs: Any,
    ):
        if split not in FOLDS:
            raise ArgumentError(f"split: expected 1 to 5, received {split}")
        folder = folder_of("ESC-50-master", archive or self.archive)
        with (folder / "meta" / "esc50.csv").open(newline="") as file:
            rows = [
                r for r in csv.DictReader(file) if (int(r["fold"]) != split) == (mode == "train")
            ]
        files = [str(folder / "audio" / row["filename"]) for row in rows]
        super().__init__(files, [int(row["target"]) for row in rows], feat_type, **kwargs)


__all__ = ["ESC50"]
