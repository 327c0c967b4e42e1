"""VOC2012: photographs with the class of each pixel."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from twinoar import config
from twinoar.errors import ArgumentError, FileError
from twinoar.io import Dataset
from twinoar.vision.datasets.archive import Archive
from twinoar.vision.datasets.download import cache_folder
from twinoar.vision.image import DATASET_BACKENDS, checked_backend, get_image_backend

FILE = "VOCtrainval_11-May-2012.tar"
SOURCE = "http://host.robots.ox.ac.uk/pascal/VOC/voc2012/"
ROOT = "VOCdevkit/VOC2012"
# As Paddle has it: all photographs to train with, and their two halves.
PARTS = {"train": "trainval", "test": "train", "valid": "val"}


class VOC2012(Dataset):
    """Photographs and, of the same size, the class of each pixel, to segment images.

    data_file: the archive "VOCtrainval_11-May-2012.tar", not compressed. Without it the file is
    looked for in `voc2012/` of the folder TWINOAR_DATA_HOME, then in
    `~/.cache/twinoar/dataset/voc2012`; it has 2 GB and is not downloaded.
    mode: "train" (2,913), "valid" (1,449) or "test" (1,464). transform: applied to each image.
    download: as other data sets have it, without effect. backend: "pil" for Pillow images, "cv2"
    for ndarrays [H,W,3], float32, in 0..255, red first; None takes `vision.get_image_backend()`.

    A sample is (image, label); label: a Pillow image of mode P, or an ndarray [H,W], float32, of
    class numbers, 255 at borders. Raises FileError for a file that is damaged or not there,
    ArgumentError for another mode. Source: M. Everingham et al., the PASCAL Visual Object Classes
    Challenge 2012.
    """

    def __init__(
        self,
        data_file: str | PathLike[str] | None = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        if str(mode).lower() not in PARTS:
            raise ArgumentError(f"expected mode of {', '.join(PARTS)}, received {mode!r}")
        self.mode = mode.lower()
        self.backend = checked_backend(backend or get_image_backend(), DATASET_BACKENDS)
        self.data_file = Path(data_file) if data_file else _found()
        self.transform = transform
        self._archive = Archive(self.data_file, str(self.data_file))
        names = self._archive.read(f"{ROOT}/ImageSets/Segmentation/{PARTS[self.mode]}.txt")
        self.names = names.decode().split()

    def __getitem__(self, idx: int) -> tuple[Any, Any]:
        name = self.names[idx]
        image = self._archive.image(f"{ROOT}/JPEGImages/{name}.jpg", self.backend)
        label = self._archive.image(f"{ROOT}/SegmentationClass/{name}.png", self.backend)
        return image if self.transform is None else self.transform(image), label

    def __len__(self) -> int:
        return len(self.names)


def _found() -> Path:
    folders = [home / "voc2012" for home in (config.data_home, cache_folder())]
    for folder in folders:
        if (folder / FILE).exists():
            return folder / FILE
    raise FileError(
        f"{FILE} is neither in {folders[0]} nor in {folders[1]}",
        cure=f"download it from {SOURCE}, and put it there or give its path as data_file",
    )
