"""Files of other forms that are damaged: images, sound, event files, kept verifications."""

from __future__ import annotations

import io
import random
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import FileError, TwinoarError
from twinoar.export.save import repeat_verification
from twinoar.visual.curves import read_curves
from twinoar.visual.events import CHECKSUMS, check_of

ROUNDS = 120


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with a few bytes changed, left out or put in, or cut short."""
    data = bytearray(content)
    kind = rng.randrange(5)
    at = rng.randrange(len(data))
    if kind == 0:
        return bytes(data[:at])
    if kind == 1:
        data[rng.randrange(min(len(data), 200))] = rng.choice([0, 1, 128, 255])
    elif kind == 2:
        del data[at : at + rng.randrange(1, 20)]
    elif kind == 3:
        data[at:at] = rng.randbytes(rng.randrange(1, 20))
    else:
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def read_damaged(content: bytes, read: Callable[[bytes], object]) -> int:
    """How many damaged files were refused; any error but our own fails the test."""
    rng, refused = random.Random(0), 0
    read(content)
    for _ in range(ROUNDS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                read(damaged(content, rng))
            except TwinoarError:
                refused += 1
    return refused


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("TIFF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("PNG", {}),
        ("JPEG", {}),
        ("GIF", {}),
        ("BMP", {}),
        ("TGA", {}),
        ("ICO", {}),
        ("PPM", {}),
        ("DDS", {}),
    ],
)
def test_a_damaged_image_is_a_file_error(tmp_path: Path, form: str, options: dict) -> None:
    from PIL import Image

    content = io.BytesIO()
    pixels = np.arange(40 * 30 * 3, dtype=np.uint8).reshape(40, 30, 3)
    Image.fromarray(pixels).save(content, form, **options)

    def read(data: bytes) -> None:
        path = tmp_path / f"image.{form.lower()}"
        path.write_bytes(data)
        paddle.vision.image_load(path, "tensor")
        paddle.vision.ops.decode_jpeg(paddle.vision.ops.read_file(str(path)))

    assert read_damaged(content.getvalue(), read) > 0


def test_a_damaged_sound_is_a_file_error(tmp_path: Path) -> None:
    path = str(tmp_path / "sound.wav")
    paddle.audio.save(path, paddle.sin(paddle.arange(400.0)).unsqueeze(0), 16000)

    def read(data: bytes) -> None:
        Path(path).write_bytes(data)
        paddle.audio.info(path)
        paddle.audio.load(path)

    assert read_damaged(Path(path).read_bytes(), read) > 0


def test_a_size_that_leads_out_of_a_sound_is_a_file_error(tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    paddle.audio.save(str(path), paddle.zeros([1, 8]), 16000)
    content = bytearray(path.read_bytes())
    content[16:20] = b"\xf0\xff\xff\x7f"  # the bytes of the format
    path.write_bytes(content)
    with pytest.raises(FileError):
        paddle.audio.load(str(path))


def test_a_damaged_verification_is_a_file_error(tmp_path: Path) -> None:
    net = paddle.nn.Linear(3, 2)
    spec = [paddle.static.InputSpec([None, 3], "float32")]
    paddle.jit.save(net, str(tmp_path / "m"), input_spec=spec, verify=True)
    (file,) = tmp_path.glob("*.npz")

    def read(data: bytes) -> None:
        file.write_bytes(data)
        repeat_verification(str(tmp_path / "m"))

    assert read_damaged(file.read_bytes(), read) > ROUNDS // 2


@pytest.mark.parametrize("key", ["forward/0/in/99999999999", "forward/0/in/-1", "forward/0/in/1"])
def test_a_verification_with_arrays_out_of_place_is_refused(tmp_path: Path, key: str) -> None:
    net = paddle.nn.Linear(3, 2)
    spec = [paddle.static.InputSpec([None, 3], "float32")]
    paddle.jit.save(net, str(tmp_path / "m"), input_spec=spec, verify=True)
    (file,) = tmp_path.glob("*.npz")
    np.savez(file, **{key: np.ones((1, 3), "float32"), "forward/0/out/0": np.ones((1, 2))})
    with pytest.raises(FileError, match="is not the file of a verification"):
        repeat_verification(str(tmp_path / "m"))


def test_a_damaged_event_file_is_a_file_error(tmp_path: Path) -> None:
    from tensorboardX import SummaryWriter

    with SummaryWriter(str(tmp_path)) as writer:
        for step in range(20):
            writer.add_scalar("train/loss", step / 2, step)
    (file,) = tmp_path.glob("*tfevents*")
    content = file.read_bytes()

    def read(data: bytes) -> dict:
        file.write_bytes(data)
        return read_curves(tmp_path)

    assert read_damaged(content, read) > ROUNDS // 2
    for at in random.Random(1).sample(range(len(content)), 60):
        changed = bytearray(content)
        changed[at] ^= 1 << at % 8
        with pytest.raises(FileError, match="is damaged: "):
            read(bytes(changed))
    assert len(read(content[:-3])["train/loss"]) == 19  # the last is still being written


def test_the_check_of_records_is_the_one_of_the_form() -> None:
    found = 0xFFFFFFFF
    for byte in b"123456789":
        found = CHECKSUMS[(found ^ byte) & 0xFF] ^ (found >> 8)
    assert found ^ 0xFFFFFFFF == 0xE3069283  # the catalogue's check value of CRC-32C
    assert check_of(b"123456789") == ((0xE3069283 >> 15 | 0xE3069283 << 17) + 0xA282EAD8) & (
        0xFFFFFFFF
    )
