"""Files of torch, read without it: what they hold, and that nothing in them is run."""

from __future__ import annotations

import io
import os
import pickle
import random
import zipfile
from collections import OrderedDict
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
import twinoar.nn.functional as F
from twinoar.errors import FileError, TwinoarError, UnsafeFileError
from twinoar.formats.torch.archive import STORAGES, read_archive


class Named:
    """Pickles as a name of torch, which is not there."""

    def __init__(self, name: str):
        self.module, _, self.name = name.rpartition(".")


class Call:
    """Pickles as a call of a name."""

    def __init__(self, name: str, *arguments: object):
        self.name, self.arguments = name, arguments


class Storage:
    """Pickles as a reference to a storage."""

    def __init__(self, kind: str, key: str, count: int):
        self.reference = ("storage", Named(f"torch.{kind}Storage"), key, "cpu", count)


class Writer(pickle._Pickler):
    """Writes the names of torch as torch does."""

    def persistent_id(self, obj: object) -> object:
        return obj.reference if isinstance(obj, Storage) else None

    def save(self, obj: object, save_persistent_id: bool = True) -> None:
        if isinstance(obj, Named):
            self.write(b"c" + f"{obj.module}\n{obj.name}\n".encode())
        elif isinstance(obj, Call):
            self.save(Named(obj.name))
            self.save(obj.arguments)
            self.write(b"R")
        else:
            super().save(obj, save_persistent_id)


def archive(obj: object, storages: dict[str, bytes], **files: bytes) -> bytes:
    """What torch.save writes."""
    pickled, file = io.BytesIO(), io.BytesIO()
    Writer(pickled, 2).dump(obj)
    with zipfile.ZipFile(file, "w") as found:
        found.writestr("net/data.pkl", pickled.getvalue())
        found.writestr("net/byteorder", files.get("byteorder", b"little"))
        for key, data in storages.items():
            found.writestr(f"net/data/{key}", data)
    return file.getvalue()


def tensor(kind: str, count: int, offset=0, sizes=(2, 3), steps=(3, 1)) -> Call:
    storage = Storage(kind, "0", count)
    return Call("torch._utils._rebuild_tensor_v2", storage, offset, sizes, steps, False, {})


@pytest.mark.parametrize("kind", STORAGES)
def test_tensors_of_all_types_are_read(kind: str) -> None:
    array = np.arange(6).astype(STORAGES[kind])
    (found,) = read_archive(archive([tensor(kind, 6)], {"0": array.tobytes()}), "x")
    assert found.dtype == array.dtype
    assert found.tobytes() == array.tobytes()


def test_views_of_one_storage_are_read() -> None:
    data = np.arange(12, dtype=np.float32)
    parts = [
        tensor("Float", 12, 1, (2, 2), (1, 4)),
        tensor("Float", 12, 4, (), ()),
        tensor("Float", 12, 0, (3, 0), (1, 1)),
        tensor("Float", 12, 2, (2, 3), (0, 1)),
    ]
    found = read_archive(archive(parts, {"0": data.tobytes()}), "x")
    assert [x.tolist() for x in found] == [
        [[1, 5], [2, 6]],
        4,
        [[], [], []],
        [[2, 3, 4], [2, 3, 4]],
    ]


def test_a_model_of_torch_computes_what_torch_computed(paddle_fixtures: Path) -> None:
    """By layers of ours with the weights of its file."""
    folder = paddle_fixtures / "torch"
    state = paddle.load(str(folder / "torch_cnn.pth"))
    kept = np.load(folder / "torch_cnn_io.npz")
    assert isinstance(state, OrderedDict)
    assert state["l.0.b1.num_batches_tracked"].dtype == "int64"
    net = Cnn(state)
    np.testing.assert_allclose(net(kept["x"]), kept["y"], rtol=1e-4, atol=1e-5)


class Cnn:
    """The network of the fixture: a stem, three residual blocks, a mean and a linear layer."""

    def __init__(self, state: dict):
        self.state = state

    def conv(self, x, name, stride=1, padding=0):
        weight, bias = self.state[f"{name}.weight"], self.state.get(f"{name}.bias")
        return F.conv2d(x, weight, bias, stride, padding)

    def norm(self, x, name):
        names = ("running_mean", "running_var", "weight", "bias")
        return F.batch_norm(x, *(self.state[f"{name}.{n}"] for n in names))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        value = F.relu(self.conv(paddle.to_tensor(x), "stem", 1, 1))
        for block, stride in (("l.0", 1), ("l.1", 2), ("l.2", 2)):
            kept = value
            value = F.relu(self.norm(self.conv(value, f"{block}.c1", stride, 1), f"{block}.b1"))
            value = self.norm(self.conv(value, f"{block}.c2", 1, 1), f"{block}.b2")
            if stride == 2:
                kept = self.norm(self.conv(kept, f"{block}.sc.0", stride), f"{block}.sc.1")
            value = F.relu(value + kept)
        weight = self.state["fc.weight"].T  # torch's are [out,in]
        return F.linear(value.mean([2, 3]), weight, self.state["fc.bias"]).numpy()


def test_a_call_of_the_system_is_refused_by_name(tmp_path: Path) -> None:
    class Attack:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path}/done",)

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as found:
        found.writestr("net/data.pkl", pickle.dumps(Attack(), 2))
    path = tmp_path / "net.pth"
    path.write_bytes(file.getvalue())
    with pytest.raises(UnsafeFileError, match=r"posix\.system"):
        paddle.load(str(path))
    assert not (tmp_path / "done").exists()


def test_what_torch_may_call_and_is_not_known_is_refused_by_name() -> None:
    data = archive([Call("torch.load", "x")], {})
    with pytest.raises(UnsafeFileError, match=r"torch\.load"):
        read_archive(data, "x")


def test_references_are_for_archives_alone() -> None:
    pickled = io.BytesIO()
    Writer(pickled, 2).dump([Storage("Float", "0", 1)])
    with pytest.raises(UnsafeFileError, match=r"torch\.FloatStorage|BINPERSID"):
        paddle.load(io.BytesIO(pickled.getvalue()))


@pytest.mark.parametrize(
    "broken",
    [
        tensor("Float", 6, sizes=(3, 3)),
        tensor("Float", 6, offset=1),
        tensor("Float", 6, offset=-1),
        tensor("Float", 6, steps=(-3, 1)),
        tensor("Float", 6, steps=(1,)),
        tensor("Float", 7),
        tensor("Float", 6, sizes=(1 << 40, 3), steps=(0, 1)),
        tensor("Moon", 6),
        Storage("Float", "1", 6),
        [Storage("Float", "0", 6), Storage("Int", "0", 6)],
        Call("torch.Size", (-1,)),
        Call("torch.FloatStorage"),
    ],
)
def test_tensors_that_do_not_fit_are_refused(broken: object) -> None:
    data = archive([broken], {"0": bytes(24)})
    with pytest.raises(FileError, match=r"net\.pth"):
        read_archive(data, "net.pth")


def test_other_archives_are_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as found:
        found.writestr("a.txt", "text")
    with pytest.raises(FileError, match=r"archive of torch\.save"):
        read_archive(file.getvalue(), "x")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as found:
        found.writestr("net/data.pkl", b"\x80\x02N.")
    with pytest.raises(FileError, match="compressed"):
        read_archive(file.getvalue(), "x")
    with pytest.raises(FileError, match="big-endian"):
        read_archive(archive(None, {}, byteorder=b"big"), "x")


def test_damaged_archives_end_in_errors_of_ours() -> None:
    weights = np.ones(6, ml_dtypes.bfloat16).tobytes()
    data, chance = archive({"w": tensor("BFloat16", 6)}, {"0": weights}), random.Random(0)
    for _ in range(1500):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            read_archive(bytes(damaged), "x")
        except TwinoarError:
            continue
