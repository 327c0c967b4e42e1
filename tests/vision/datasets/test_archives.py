"""Cifar10, Cifar100, Flowers and VOC2012 read the files that their authors give away."""

from __future__ import annotations

import io
import pickle
import struct
import tarfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from twinoar import config
from twinoar.errors import ArgumentError, FileError
from twinoar.vision.datasets import VOC2012, Cifar10, Cifar100, Flowers, matlab

RANDOM = np.random.RandomState(0)
PIXELS = RANDOM.randint(0, 256, (14, 3072)).astype("uint8")
VOC = "VOCdevkit/VOC2012"


def archive(path: Path, files: dict[str, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


def batch(start: int, key: bytes, count: int = 2) -> bytes:
    labels = list(range(start, start + count))
    return pickle.dumps({b"data": PIXELS[start : start + count], key: labels}, protocol=2)


def picture(pixels: np.ndarray, kind: str = "PNG") -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind)
    return stream.getvalue()


def element(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def matlab_file(compressed: bool, **arrays: list[int]) -> bytes:
    content = bytes(124) + b"\x00\x01IM"
    for name, values in arrays.items():
        matrix = element(6, bytes(8)) + element(5, struct.pack("<ii", 1, len(values)))
        matrix += (
            struct.pack("<HH4s", 1, len(name), name.encode())
            if len(name) < 5
            else element(1, name.encode())
        )
        matrix += element(9, np.array(values, "<f8").tobytes())
        whole = element(14, matrix)
        packed = zlib.compress(whole)
        content += struct.pack("<II", 15, len(packed)) + packed if compressed else whole
    return content


@pytest.fixture
def cifar10(tmp_path: Path) -> Path:
    files = {f"c/data_batch_{i}": batch(2 * i - 2, b"labels") for i in range(1, 6)}
    return archive(tmp_path / "c10.tgz", {**files, "c/test_batch": batch(10, b"labels", 4)})


@pytest.fixture
def flowers(tmp_path: Path) -> tuple[Path, Path, Path]:
    images = {
        f"jpg/image_{i:05d}.jpg": picture(np.full((2, 3, 3), i, "uint8")) for i in range(1, 6)
    }
    labels, parts = tmp_path / "labels.mat", tmp_path / "setid.mat"
    labels.write_bytes(matlab_file(True, labels=[11, 12, 13, 14, 15]))
    parts.write_bytes(matlab_file(False, trnid=[1], valid=[2], tstid=[5, 3, 4]))
    return archive(tmp_path / "f.tgz", images), labels, parts


@pytest.fixture
def voc(tmp_path: Path) -> Path:
    lists = {"trainval": "ab", "train": "a", "val": "b"}
    files = {
        f"{VOC}/ImageSets/Segmentation/{part}.txt": "\n".join(names).encode()
        for part, names in lists.items()
    }
    for i, name in enumerate("ab"):
        files[f"{VOC}/JPEGImages/{name}.jpg"] = picture(np.full((2, 3, 3), i, "uint8"))
        files[f"{VOC}/SegmentationClass/{name}.png"] = picture(np.full((2, 3), 9 + i, "uint8"))
    return archive(tmp_path / "voc.tar", files, "w")


def test_cifar10_has_its_batches_in_order(cifar10: Path) -> None:
    train, test = Cifar10(cifar10), Cifar10(cifar10, mode="test", backend="cv2")
    assert (len(train), len(test)) == (10, 4)
    image, label = train[3]
    expected = PIXELS[3].reshape(3, 32, 32).transpose(1, 2, 0)
    assert np.array_equal(np.asarray(image), expected)
    assert (label.shape, label.dtype, int(label)) == ((), np.int64, 3)
    image, label = test[1]
    assert (image.dtype, image.shape, int(label)) == (np.float32, (32, 32, 3), 11)


def test_cifar100_has_fine_labels(tmp_path: Path) -> None:
    files = {"c/train": batch(0, b"fine_labels", 5), "c/test": batch(5, b"fine_labels")}
    path = archive(tmp_path / "c100.tgz", files)
    assert [int(label) for _, label in Cifar100(path, "test")] == [5, 6]


def test_a_transform_is_applied(cifar10: Path) -> None:
    assert Cifar10(cifar10, transform=lambda image: image.size)[0][0] == (32, 32)


@pytest.mark.parametrize(("mode", "numbers"), [("train", [5, 3, 4]), ("valid", [2]), ("test", [1])])
def test_flowers_has_its_parts_as_paddle_has_them(flowers: Any, mode: str, numbers: list) -> None:
    data = Flowers(*flowers, mode=mode, backend="cv2")
    samples = [(int(image[0, 0, 0]), label.tolist()) for image, label in data]
    assert samples == [(i, [10 + i]) for i in numbers]


@pytest.mark.parametrize(("mode", "names"), [("train", "ab"), ("valid", "b"), ("test", "a")])
def test_voc_has_a_class_for_each_pixel(voc: Path, mode: str, names: str) -> None:
    data = VOC2012(voc, mode)
    assert [np.asarray(label)[0, 0] for _, label in data] == [9 + "ab".index(n) for n in names]
    image, label = VOC2012(voc, mode, backend="cv2")[0]
    assert (image.shape, label.shape, label.dtype) == ((2, 3, 3), (2, 3), np.float32)


def test_data_sets_can_be_sent_to_workers(flowers: Any, voc: Path) -> None:
    for data in (Flowers(*flowers), VOC2012(voc)):
        image, _ = pickle.loads(pickle.dumps(data))[0]
        assert image.size == (3, 2)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: Cifar10(download=False), "cifar-10-python.tar.gz"),
        (lambda: Cifar100(download=False), "cifar-100-python.tar.gz"),
        (lambda: Flowers(download=False), "102flowers.tgz"),
        (VOC2012, "VOCtrainval_11-May-2012.tar"),
        (lambda: Cifar10("/nowhere/c10.tgz"), "/nowhere/c10.tgz"),
        (lambda: VOC2012("/nowhere/voc.tar"), "/nowhere/voc.tar"),
    ],
)
def test_a_missing_file_is_named(
    make: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with config.override(data_home=tmp_path), pytest.raises(FileError, match=name):
        make()


def test_what_is_no_archive_is_a_file_error(tmp_path: Path) -> None:
    path = tmp_path / "c10.tgz"
    path.write_bytes(b"nothing")
    with pytest.raises(FileError, match="cannot read the archive"):
        Cifar10(path)


def test_code_in_a_batch_is_not_run(tmp_path: Path) -> None:
    path = archive(tmp_path / "c.tgz", {"c/test_batch": pickle.dumps({b"data": print})})
    with pytest.raises(FileError, match=r"builtins\.print is no array"):
        Cifar10(path, "test")


def test_a_photograph_that_is_not_there_is_named(flowers: Any, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"no jpg/image_00005\.jpg"):
        Flowers(archive(tmp_path / "e.tgz", {}), *flowers[1:])[0]


@pytest.mark.parametrize("content", [b"", bytes(124) + b"\x00\x01IM" + b"\x0e\x00\x00\x00abcdefgh"])
def test_what_is_no_matlab_file_is_a_file_error(content: bytes) -> None:
    with pytest.raises(FileError, match=r"x\.mat"):
        matlab.arrays(content, "x.mat")


@pytest.mark.parametrize("make", [Flowers, VOC2012, Cifar10])
def test_another_mode_is_refused(make: Any) -> None:
    with pytest.raises(ArgumentError, match="received 'all'"):
        make(mode="all")
