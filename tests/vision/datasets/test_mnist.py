"""MNIST: its files wherever they are, and what is said of files that are not right."""

from __future__ import annotations

import gzip
import hashlib
import struct
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from PIL import Image

from twinoar import config, vision
from twinoar.errors import ArgumentError, FileError
from twinoar.formats import fetch
from twinoar.vision.datasets import MNIST, FashionMNIST, download
from twinoar.vision.datasets.download import RemoteFile

PIXELS = np.arange(3 * 28 * 28).reshape(3, 28, 28).astype(np.uint8)
LABELS = np.array([7, 2, 1], np.uint8)
DATA_BESIDE_THE_REPOSITORY = Path(__file__).parents[4] / "shared" / "data"


def idx_file(array: np.ndarray, magic: int | None = None) -> bytes:
    magic = 0x0800 + array.ndim if magic is None else magic
    return struct.pack(f">{1 + array.ndim}I", magic, *array.shape) + array.tobytes()


IMAGE_FILE, LABEL_FILE = idx_file(PIXELS), idx_file(LABELS)


def remote(name: str, content: bytes) -> RemoteFile:
    return RemoteFile(name, content_md5=hashlib.md5(content).hexdigest())


class Small(MNIST):
    """MNIST with three images."""

    FILES: ClassVar[dict[tuple[str, str], RemoteFile]] = {
        ("train", "image"): remote("images.gz", IMAGE_FILE),
        ("train", "label"): remote("labels.gz", LABEL_FILE),
    }


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty home with no data, and no waiting."""
    folder = tmp_path / "home"
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setattr(fetch, "BACKOFF_SECONDS", 0.0)
    with config.override(data_home=tmp_path / "data"):
        yield folder


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    images, labels = tmp_path / "images", tmp_path / "labels"
    images.write_bytes(gzip.compress(IMAGE_FILE))
    labels.write_bytes(LABEL_FILE)
    return images, labels


def put(folder: Path, **contents: bytes) -> None:
    folder.mkdir(parents=True)
    for name, content in contents.items():
        (folder / f"{name}.gz").write_bytes(gzip.compress(content))


class Server:
    """A mirror on this machine; `answers` are given in turn, the last one for ever after."""

    def __init__(self) -> None:
        self.answers: list[int] = [200]
        self.files = {"/images.gz": IMAGE_FILE, "/labels.gz": LABEL_FILE}
        self.requests: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.requests.append(self.path)
                answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
                self.send_response(answer)
                self.end_headers()
                if answer == 200:
                    self.wfile.write(gzip.compress(server.files[self.path]))

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    mirror = Server()
    monkeypatch.setattr(Small, "MIRRORS", (mirror.url,))
    yield mirror
    mirror.http.shutdown()
    mirror.http.server_close()


def test_cv2_sample_is_float_array_and_label(paths: tuple[Path, Path]) -> None:
    data = MNIST(*paths, backend="cv2")
    image, label = data[1]
    assert len(data) == 3
    assert (image.dtype, label.dtype, label.tolist()) == ("float32", "int64", [2])
    assert np.array_equal(image, PIXELS[1])


def test_pil_is_the_default_and_has_the_same_pixels(paths: tuple[Path, Path]) -> None:
    image, label = MNIST(*paths)[2]
    assert isinstance(image, Image.Image)
    assert (image.mode, image.size, label.tolist()) == ("L", (28, 28), [1])
    assert np.array_equal(np.asarray(image), PIXELS[2])


def test_chosen_image_backend_counts(paths: tuple[Path, Path]) -> None:
    vision.set_image_backend("cv2")
    try:
        assert isinstance(MNIST(*paths)[0][0], np.ndarray)
    finally:
        vision.set_image_backend("pil")


def test_transform_is_applied_to_the_image(paths: tuple[Path, Path]) -> None:
    assert MNIST(*paths, transform=lambda image: image.size)[0][0] == (28, 28)


def test_indices_count_from_the_end_and_are_checked(paths: tuple[Path, Path]) -> None:
    data = MNIST(*paths)
    assert data[-1][1] == [1]
    with pytest.raises(IndexError):
        data[3]


def test_changing_a_sample_does_not_change_the_data_set(paths: tuple[Path, Path]) -> None:
    data = MNIST(*paths, backend="cv2")
    image, label = data[0]
    image[:], label[:] = 9, 9
    assert (data[0][0][0, 1], data[0][1][0]) == (1, 7)


def test_mode_may_be_written_in_capitals(paths: tuple[Path, Path]) -> None:
    assert MNIST(*paths, mode="TEST").mode == "test"


@pytest.mark.parametrize("options", [{"mode": "validation"}, {"backend": "tensor"}])
def test_unknown_mode_or_backend_is_refused(paths: tuple[Path, Path], options: dict) -> None:
    with pytest.raises(ArgumentError, match="expected"):
        MNIST(*paths, **options)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (IMAGE_FILE[:-1], r"truncated: its header says \[3, 28, 28\]"),
        (IMAGE_FILE + b"x", "too long"),
        (IMAGE_FILE[:7], "expected a header of 16 bytes, received 7"),
        (b"", "expected a header"),
        (LABEL_FILE + bytes(8), "expected magic number 2051, received 2049"),
        (idx_file(PIXELS, magic=99), "received 99"),
        (gzip.compress(IMAGE_FILE)[:-9], "truncated or damaged"),
        (gzip.compress(IMAGE_FILE)[:40] + bytes(400), "truncated or damaged"),
        (idx_file(PIXELS[:2]), "2 images and 3 labels do not fit together"),
    ],
)
def test_wrong_image_file_is_a_file_error(
    paths: tuple[Path, Path], content: bytes, message: str
) -> None:
    paths[0].write_bytes(content)
    with pytest.raises(FileError, match=message):
        MNIST(*paths)


def test_wrong_label_file_is_a_file_error(paths: tuple[Path, Path]) -> None:
    with pytest.raises(FileError, match="expected magic number 2049, received 2051"):
        MNIST(paths[0], paths[0])


def test_missing_file_is_a_file_error(tmp_path: Path, paths: tuple[Path, Path]) -> None:
    with pytest.raises(FileError, match=r"cannot read .*absent: No such file"):
        MNIST(tmp_path / "absent", paths[1])


def test_data_home_is_read_first() -> None:
    put(config.data_home / "mnist", images=IMAGE_FILE, labels=LABEL_FILE)
    put(download.cache_folder() / "mnist", images=b"damaged", labels=b"damaged")
    assert len(Small(download=False)) == 3


def test_cache_is_read_without_data_home(home: Path) -> None:
    put(home / ".cache/twinoar/dataset/mnist", images=IMAGE_FILE, labels=LABEL_FILE)
    assert len(Small(download=False)) == 3


def test_damaged_file_in_the_data_home_is_an_error() -> None:
    put(config.data_home / "mnist", images=idx_file(PIXELS + 1), labels=LABEL_FILE)
    with pytest.raises(FileError, match=r"images\.gz is not what it should be: expected md5"):
        Small()


def test_without_files_and_download_the_cures_are_named() -> None:
    with pytest.raises(FileError, match=r"TWINOAR_DATA_HOME(.|\n)*their paths(.|\n)*download=True"):
        MNIST(download=False)


def test_download_fills_the_cache_once(server: Server, home: Path) -> None:
    assert len(Small()) == len(Small()) == 3
    assert server.requests == ["/images.gz", "/labels.gz"]
    folder = home / ".cache/twinoar/dataset/mnist"
    assert sorted(path.name for path in folder.iterdir()) == ["images.gz", "labels.gz"]


def test_damaged_file_in_the_cache_is_downloaded_again(server: Server) -> None:
    put(download.cache_folder() / "mnist", images=b"damaged", labels=LABEL_FILE)
    assert len(Small()) == 3
    assert server.requests == ["/images.gz"]


def test_server_error_is_tried_again(server: Server) -> None:
    server.answers = [503, 500, 200]
    assert len(Small()) == 3


def test_missing_file_is_not_asked_for_again(server: Server) -> None:
    server.answers = [404]
    with pytest.raises(FileError, match="Not Found"):
        Small()
    assert server.requests == ["/images.gz"]


def test_second_mirror_serves_where_the_first_fails(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Small, "MIRRORS", ("http://127.0.0.1:9/", server.url))
    assert len(Small()) == 3


def test_download_that_is_not_whole_is_not_kept(server: Server) -> None:
    server.files["/images.gz"] = IMAGE_FILE[:-1]
    with pytest.raises(FileError, match=r"cannot download images\.gz: .*expected md5"):
        Small()
    assert not (download.cache_folder() / "mnist").exists()


def test_no_network_is_explained_with_cures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Small, "MIRRORS", ("http://127.0.0.1:9/",))
    with pytest.raises(
        FileError, match=r"Connection refused(.|\n)*TWINOAR_DATA_HOME(.|\n)*their paths"
    ):
        Small()


def test_archive_checksum_counts_where_the_content_is_not_known() -> None:
    file = RemoteFile("x", archive_md5=hashlib.md5(b"archive").hexdigest())
    assert file.difference(b"archive", b"content") is None
    assert "of the file" in file.difference(b"other", b"content")


def test_fashion_mnist_is_read_like_mnist(paths: tuple[Path, Path]) -> None:
    assert FashionMNIST(*paths, backend="cv2")[0][0].shape == (28, 28)
    with pytest.raises(FileError, match=r"data.fashion-mnist"):
        FashionMNIST(download=False)


def test_checksums_are_those_of_the_real_files() -> None:
    if not (DATA_BESIDE_THE_REPOSITORY / "mnist").is_dir():
        pytest.skip(f"{DATA_BESIDE_THE_REPOSITORY} has no mnist")
    with config.override(data_home=DATA_BESIDE_THE_REPOSITORY):
        train, test = (MNIST(mode=mode, download=False) for mode in ("train", "test"))
    assert (len(train), len(test)) == (60_000, 10_000)
    assert [data[0][1].tolist() for data in (train, test)] == [[5], [7]]
