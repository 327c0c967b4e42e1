"""Images in folders of the user's: a folder for each class, or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from twinoar.errors import ArgumentError, FileError, TypeMismatchError
from twinoar.io import Dataset
from twinoar.vision.image import get_image_backend, image_load

EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")

Loader = Callable[[str], Any]


class DatasetFolder(Dataset):
    """Files in one folder for each class, deeper ones included.

    root: the folder of these folders. loader: reads a file of that path, by default an image, in
    color and in the form of `vision.get_image_backend()`. extensions: of the files that count, by
    default those of images. is_valid_file: says of a path whether it counts, in the place of
    extensions. transform: applied to what is loaded. A sample is (what is loaded, number of the
    class); classes are numbered by name. Raises FileError where there is no class or no file.

    classes: names; class_to_idx: their numbers; samples: paths and numbers; targets: numbers.
    """

    def __init__(
        self,
        root: str | PathLike[str],
        loader: Loader | None = None,
        extensions: Sequence[str] | None = None,
        transform: Callable[[Any], Any] | None = None,
        is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:
        self.root, self.transform, self.loader = root, transform, loader or load_in_color
        self.extensions, counts = _selection(extensions, is_valid_file)
        self.classes = sorted(entry.name for entry in os.scandir(_folder(root)) if entry.is_dir())
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}
        self.samples = [
            (path, number)
            for name, number in self.class_to_idx.items()
            for path in _files(Path(root) / name, counts)
        ]
        _check_some(self.samples, root, self.extensions)
        self.targets = [number for _, number in self.samples]
        self.dtype = "float32"

    def __getitem__(self, index: int) -> tuple[Any, int]:
        path, number = self.samples[index]
        sample = self.loader(path)
        return sample if self.transform is None else self.transform(sample), number

    def __len__(self) -> int:
        return len(self.samples)


class ImageFolder(Dataset):
    """Files in a folder and those in it, without classes; arguments and errors as DatasetFolder.

    A sample is a list of what is loaded. samples: paths.
    """

    def __init__(
        self,
        root: str | PathLike[str],
        loader: Loader | None = None,
        extensions: Sequence[str] | None = None,
        transform: Callable[[Any], Any] | None = None,
        is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:
        self.root, self.transform, self.loader = root, transform, loader or load_in_color
        self.extensions, counts = _selection(extensions, is_valid_file)
        self.samples = list(_files(_folder(root), counts))
        _check_some(self.samples, root, self.extensions)

    def __getitem__(self, index: int) -> list[Any]:
        sample = self.loader(self.samples[index])
        return [sample if self.transform is None else self.transform(sample)]

    def __len__(self) -> int:
        return len(self.samples)


def load_in_color(path: str) -> Any:
    """The image in a file, with three channels, in the form of `vision.get_image_backend()`."""
    image = image_load(path)
    return image.convert("RGB") if get_image_backend() == "pil" else image


def _selection(
    extensions: Sequence[str] | None, is_valid_file: Callable[[str], bool] | None
) -> tuple[tuple[str, ...] | None, Callable[[str], bool]]:
    """The extensions that count, if they decide, and what says whether a path counts."""
    if is_valid_file is not None:
        if extensions is not None:
            raise ArgumentError("extensions and is_valid_file are both given", cure="give one")
        return None, is_valid_file
    if isinstance(extensions, str):
        raise TypeMismatchError(
            f"expected extensions to be a sequence of names, received {extensions!r}",
            cure=f"({extensions!r},)",
        )
    endings = tuple(e.lower() for e in (EXTENSIONS if extensions is None else extensions))
    return endings, lambda path: path.lower().endswith(endings)


def _folder(root: str | PathLike[str]) -> Path:
    if not Path(root).is_dir():
        raise FileError(f"there is no folder {root}")
    return Path(root)


def _files(folder: Path, counts: Callable[[str], bool]) -> Iterator[str]:
    """Paths in a folder and those in it, in the order of names, files before folders."""
    for place, _, names in sorted(os.walk(folder, followlinks=True)):
        paths = (str(Path(place) / name) for name in sorted(names))
        yield from filter(counts, paths)


def _check_some(samples: Sequence[Any], root: object, extensions: Sequence[str] | None) -> None:
    if not samples:
        kinds = f" with the extensions {', '.join(extensions)}" if extensions else " that count"
        raise FileError(f"there are no files{kinds} in {root}")
