"""The formats: good files of each, of which mutants are made, and how each is read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import nn, pretrained, static
from twinoar.formats import safetensors
from twinoar.pretrained import keras

TESTS = Path(__file__).parents[2]
Files = dict[str, bytes]


@dataclass(frozen=True)
class Kind:
    """A format.

    make: the files of good models, with inputs in some. read: reads a folder. mutable: ends of
    names that are changed.
    """

    make: Callable[[Path], list[Files]]
    read: Callable[[Path], Any]
    mutable: tuple[str, ...]


INPUTS = "inputs.npz"


def inputs(*shapes: list, dtype: str = "float32") -> bytes:
    """Ones of these shapes, two where a size is open, in a file."""
    out = io.BytesIO()
    arrays = [np.ones([2 if d is None else d for d in shape], dtype) for shape in shapes]
    np.savez(out, *arrays)
    return out.getvalue()


def run(folder: Path, model: Any) -> None:
    """Run a model that was read, if there are inputs for it."""
    if (folder / INPUTS).exists():
        with np.load(folder / INPUTS) as arrays:
            model(*[paddle.to_tensor(arrays[name]) for name in sorted(arrays)])


def files_of(folder: Path) -> Files:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def networks() -> list[tuple[Any, list]]:
    """Small networks, with the shape of what they take."""
    paddle.seed(0)

    class Chosen(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Linear(4, 3)

        @paddle.jit.to_static
        def forward(self, x):
            x = self.inner(x)
            step = paddle.zeros([], "int64")
            while step < 3:
                x = x * 2 if x.sum() > 0 else x[:, ::-1]
                step = step + 1
            return paddle.concat([x, x.reshape([-1, 3])], 1).topk(2)[0]

    image = nn.Sequential(
        nn.Conv2D(1, 2, 3, padding=1), nn.BatchNorm2D(2), nn.ReLU(), nn.MaxPool2D(2),
        nn.Flatten(), nn.Linear(8, 3), nn.Softmax(),
    )  # fmt: skip
    texts = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.GELU(), nn.Dropout(0.1))
    found = [(image, [None, 1, 4, 4]), (Chosen(), [None, 4]), (texts, [None, None, 4])]
    for net, _ in found:
        net.eval()
    return found


def saved(folder: Path, newer: bool = False) -> list[Files]:
    """What jit.save writes; newer: as Paddle 3 does."""
    found = []
    for n, (net, shape) in enumerate(networks()):
        place = folder / f"{newer}{n}"
        place.mkdir()
        paddle.set_flags({"FLAGS_enable_pir_api": newer})
        try:
            spec = [static.InputSpec(shape, "float32", "x")]
            paddle.jit.save(net, str(place / "net"), input_spec=spec)
        finally:
            paddle.set_flags({"FLAGS_enable_pir_api": False})
        files = {k: v for k, v in files_of(place).items() if "verify" not in k}
        found.append({**files, INPUTS: inputs(shape)})
    return found


def exported(folder: Path) -> list[Files]:
    found = []
    for n, (net, shape) in enumerate(networks()):
        for outside in (False, True):
            place = folder / f"onnx{n}{outside}"
            spec = [static.InputSpec(shape, "float32", "x")]
            paddle.onnx.export(net, str(place / "net"), spec, 17, external_data=outside)
            found.append({**files_of(place), INPUTS: inputs(shape)})
    return found


def arrays() -> dict[str, np.ndarray]:
    return {"w": np.ones((2, 3), "float32"), "b": np.arange(4), "e": np.zeros((0, 2), "float16")}


def objects(folder: Path) -> list[Files]:
    tensors = {name: paddle.to_tensor(array) for name, array in arrays().items()}
    paddle.save(tensors, str(folder / "net.pdparams"))
    paddle.save({"a": [tensors["w"], {"lr": 0.5, "n": (1, "x")}]}, str(folder / "other.pdparams"))
    return [{"net.pdparams": (folder / name).read_bytes()} for name in files_of(folder)]


def torch_archives(_: Path) -> list[Files]:
    """As torch.save writes them; the pickle is written by hand."""
    pickle = (
        b"\x80\x02}q\x00X\x01\x00\x00\x00wq\x01ctorch._utils\n_rebuild_tensor_v2\nq\x02((X\x07\x00"
        b"\x00\x00storageq\x03ctorch\nFloatStorage\nq\x04X\x01\x00\x00\x000q\x05X\x03\x00\x00\x00cpu"
        b"q\x06K\x06tq\x07QK\x00K\x02K\x03\x86q\x08K\x03K\x01\x86q\t\x89ccollections\nOrderedDict\n"
        b"q\n)Rq\x0btq\x0cRq\rs."
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("net/data.pkl", pickle)
        archive.writestr("net/byteorder", b"little")
        archive.writestr("net/data/0", np.arange(6, dtype="float32").tobytes())
        archive.writestr("net/version", b"3\n")
    return [{"net.pth": out.getvalue()}]


def torch_programs(_: Path) -> list[Files]:
    with zipfile.ZipFile(TESTS / "formats/torch/exported/models.zip") as archive:
        names = [n for n in archive.namelist() if n.endswith(".pt2")]
        found = [archive.read(n) for n in names]
    small = sorted(found, key=len)[:8]
    return [{"net.pt2": data} for data in small]


def folders(_: Path) -> list[Files]:
    found: dict[str, Files] = {}
    for written in ("models", "rotations"):
        with zipfile.ZipFile(TESTS / f"pretrained/written/{written}.zip") as archive:
            for name in archive.namelist():
                folder, _, file = name.partition("/")
                if file != "io.npz":
                    found.setdefault(folder, {})[file] = archive.read(name)
    images, texts = inputs([1, 3, 16, 16]), inputs([1, 5], dtype="int64")
    for name, files in found.items():
        files[INPUTS] = images if name.startswith(("vit", "resnet")) else texts
    return list(found.values())


def keras_models(_: Path) -> list[Files]:
    found = []
    with zipfile.ZipFile(TESTS / "pretrained/written/keras.zip") as archive:
        for name in archive.namelist():
            if name.endswith(("net.keras", "net.h5")):
                given = archive.read(name.replace(name.rpartition("/")[2], "io.npz"))
                found.append({name.rpartition("/")[2]: archive.read(name), INPUTS: only(given)})
    return found


def only(data: bytes) -> bytes:
    """The inputs among what was recorded."""
    out = io.BytesIO()
    with np.load(io.BytesIO(data)) as kept:
        np.savez(out, **{name: kept[name] for name in kept if name.startswith("in")})
    return out.getvalue()


def one(folder: Path, end: str | tuple[str, ...]) -> str:
    return str(next(path for path in sorted(folder.iterdir()) if path.name.endswith(end)))


def prefix(folder: Path) -> str:
    return str(folder / "net")


KINDS: dict[str, Kind] = {
    "pdmodel": Kind(saved, lambda p: paddle.jit.load(prefix(p)), (".pdmodel", ".pdiparams")),
    "pir": Kind(
        lambda p: saved(p, newer=True),
        lambda p: paddle.jit.load(prefix(p)),
        (".json", ".pdiparams"),
    ),
    "onnx": Kind(exported, lambda p: paddle.onnx.load(one(p, ".onnx")), (".onnx", ".data")),
    "safetensors": Kind(
        lambda _: [{"net.safetensors": safetensors.dump(arrays(), {"a": "b"})}],
        lambda p: dict(safetensors.opened(one(p, ".safetensors"))),
        (".safetensors",),
    ),
    "pdparams": Kind(objects, lambda p: paddle.load(one(p, ".pdparams")), (".pdparams",)),
    "pth": Kind(torch_archives, lambda p: paddle.load(one(p, ".pth")), (".pth",)),
    "pt2": Kind(torch_programs, lambda p: paddle.jit.load(one(p, ".pt2")), (".pt2",)),
    "pretrained": Kind(
        folders, lambda p: pretrained.load(p), (".json", ".json", ".json", ".safetensors")
    ),
    "keras": Kind(keras_models, lambda p: keras.load(one(p, ("s", "5"))), (".keras", ".h5")),
}
