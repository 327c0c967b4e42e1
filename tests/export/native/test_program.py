"""Programs without libraries: run here, and under emulators for other processors."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import (
    NETWORKS,
    Network,
    assert_near,
    here,
    lenet,
    of_function,
    transformer,
)
from twinoar.errors import ArgumentError
from twinoar.export.native.elf import FILE_HEADER
from twinoar.export.native.shared import LOAD, PAGE, PROGRAM_HEADER

EMULATORS = {"aarch64": "qemu-aarch64", "riscv64": "qemu-riscv64"}


@dataclass(frozen=True)
class Program:
    """A program that was exported, and what runs it."""

    file: str
    runner: Sequence[str]

    def call(self, *arguments: object, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [*self.runner, self.file, *map(str, arguments)]
        return subprocess.run(command, input=given, capture_output=True, check=False, timeout=60)

    def run(self, *arguments: object) -> str:
        """What it prints where it ends well."""
        done = self.call(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()


def program(net: Network, folder: Path, target: str = "host", **options: str) -> Program:
    emulator = EMULATORS.get(target, "")
    if emulator and shutil.which(emulator) is None:
        pytest.skip(f"there is no {emulator}")
    chosen = target if emulator else here()
    (file,) = net.exported(folder, chosen, kind="executable", **options)
    return Program(file, [emulator] if emulator else [])


def cases() -> list[tuple[str, Callable[[], Network]]]:
    return [
        *(("host", n) for n in NETWORKS),
        *((t, n) for t in EMULATORS for n in (lenet, NETWORKS[3])),
    ]


@pytest.mark.parametrize(("target", "network"), cases())
def test_a_program_computes_what_eager_code_does(target, network, tmp_path):
    net = network()
    made = program(net, tmp_path, target)
    assert made.run("--verify") == "it computes what Python did\n"
    for n, x in enumerate(net.inputs):
        np.save(tmp_path / f"x{n}.npy", x)
    wanted = net.eager()
    inputs = [tmp_path / f"x{n}.npy" for n in range(len(net.inputs))]
    outputs = [tmp_path / f"y{n}.npy" for n in range(len(wanted))]
    made.run(*inputs, *outputs)
    assert_near([np.load(file) for file in outputs], wanted)


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [
        ("float32", ()),
        ("float64", (1,)),
        ("float32", (0, 3)),
        ("int64", (4,)),
        ("int32", (2, 3)),
        ("uint8", (7,)),
        ("int8", (7,)),
        ("bool", (3,)),
        ("complex64", (4,)),
    ],
)
def test_dtypes_and_small_shapes_pass_through(dtype, shape, tmp_path):
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    made = program(of_function(lambda x: paddle.concat([x.reshape([-1])] * 2), x), tmp_path)
    np.save(tmp_path / "x.npy", x)
    made.run(tmp_path / "x.npy", tmp_path / "y.npy")
    found = np.load(tmp_path / "y.npy")
    np.testing.assert_array_equal(found, np.concatenate([x.reshape(-1)] * 2))
    assert found.dtype == x.dtype


def test_bfloat16_is_read_and_written_as_its_bits(tmp_path):
    x = np.array([1.5, -2.0], ml_dtypes.bfloat16)
    spec = [paddle.static.InputSpec([2], "bfloat16", "x")]
    net = of_function(lambda x: x * 2, x)
    made = program(net, tmp_path, input_spec=spec)
    np.save(tmp_path / "x.npy", x.view(np.uint16))
    made.run(tmp_path / "x.npy", tmp_path / "y.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), (x * 2).view(np.uint16))


def test_the_standard_streams_are_files_too(tmp_path):
    net = lenet()
    made = program(net, tmp_path)
    np.save(tmp_path / "x.npy", net.inputs[0])
    done = made.call("-", "-", given=(tmp_path / "x.npy").read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    (tmp_path / "y.npy").write_bytes(done.stdout)
    assert_near([np.load(tmp_path / "y.npy")], net.eager())


def test_two_inputs_come_one_behind_the_other(tmp_path):
    one, two = np.float32([5, 7]), np.float32([1, 2])
    made = program(of_function(lambda x, y: x - y, one, two), tmp_path)
    for name, x in (("x", one), ("y", two)):
        np.save(tmp_path / f"{name}.npy", x)
    given = (tmp_path / "x.npy").read_bytes() + (tmp_path / "y.npy").read_bytes()
    assert made.call("-", "-", tmp_path / "z.npy", given=given).returncode == 0
    np.testing.assert_array_equal(np.load(tmp_path / "z.npy"), [4, 5])


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_all_versions_of_the_format_are_read(version, tmp_path):
    x = np.float32([1, 2, 3])
    made = program(of_function(lambda x: x + 1, x), tmp_path)
    with (tmp_path / "x.npy").open("wb") as file:
        np.lib.format.write_array(file, x, version)
    made.run(tmp_path / "x.npy", tmp_path / "y.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), [2, 3, 4])


def _saved(array: np.ndarray, file: Path) -> None:
    np.save(file, array)


def _cut(file: Path) -> None:
    np.save(file, np.ones((2, 3), np.float32))
    file.write_bytes(file.read_bytes()[:-1])


def _longer(file: Path) -> None:
    np.save(file, np.ones((2, 3), np.float32))
    file.write_bytes(file.read_bytes() + b"\0")


WRONG: dict[str, Callable[[Path], object]] = {
    "cannot be opened": lambda file: None,
    "is not a file of NumPy": lambda file: file.write_bytes(b"PK\3\4 and more than ten bytes"),
    "is not a file of NumPy (": lambda file: file.write_bytes(b""),
    "is not a file of NumPy (.npy)": lambda file: file.write_bytes(b"\x93NUMPY\1\0\xff\xff" * 9),
    "ends before the array does": _cut,
    "goes on behind the array": _longer,
    "holds another array": lambda file: _saved(np.ones((3, 2), np.float32), file),
    "holds another array;": lambda file: _saved(np.ones((2, 3)), file),
    "holds another array; expected x0": lambda file: _saved(
        np.asfortranarray(np.ones((2, 3), np.float32)), file
    ),
    "holds another array; ": lambda file: file.write_bytes(b"\x93NUMPY\1\0\x04\0{'de"),
}


@pytest.mark.parametrize("reason", WRONG)
def test_another_file_is_refused(reason, tmp_path):
    made = program(of_function(lambda x: x + 1, np.ones((2, 3), np.float32)), tmp_path)
    WRONG[reason](tmp_path / "x.npy")
    done = made.call(tmp_path / "x.npy", tmp_path / "y.npy")
    text = done.stderr.decode()
    assert done.returncode == 1
    assert text.startswith(f"{tmp_path}/x.npy {reason}")
    assert text.endswith("expected x0: {'descr':'<f4','fortran_order':False,'shape':(2,3)}\n")
    assert not (tmp_path / "y.npy").exists()


def test_an_output_that_cannot_be_written_is_told(tmp_path):
    net = lenet()
    made = program(net, tmp_path)
    np.save(tmp_path / "x.npy", net.inputs[0])
    done = made.call(tmp_path / "x.npy", tmp_path / "none" / "y.npy")
    assert (done.returncode, done.stderr) == (
        1, f"{tmp_path}/none/y.npy cannot be written\n".encode(),
    )  # fmt: skip


def test_an_index_outside_is_told(tmp_path):
    net = Network(paddle.nn.Embedding(4, 2), (np.array([0, 3]),))
    made = program(net, tmp_path)
    np.save(tmp_path / "x.npy", np.array([0, 4]))
    done = made.call(tmp_path / "x.npy", tmp_path / "y.npy")
    assert done.returncode == 1
    assert b"lies outside of the 4 places" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [(), ("x",), ("x", "y", "z"), ("--time",), ("--time", "0"), ("--time", "-3"), ("--time", "2x"),
     ("--time", "9999999999"), ("--time", "3", "x"), ("--other",)],
)  # fmt: skip
def test_other_arguments_tell_how_it_is_called(arguments, tmp_path):
    done = program(lenet(), tmp_path).call(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(b"usage: net [--time RUNS] x0.npy output_0.npy\n")
    assert done.stdout == b""


def test_a_time_is_told(tmp_path):
    net = lenet()
    made = program(net, tmp_path)
    np.save(tmp_path / "x.npy", net.inputs[0])
    for files in ((), (tmp_path / "x.npy", tmp_path / "y.npy")):
        done = made.call("--time", "3", *files)
        number, rest = done.stderr.decode().split(" ", 1)
        assert rest == "ns, the least of 3 runs\n"
        assert 1000 < int(number) < 10_000_000_000
    assert_near([np.load(tmp_path / "y.npy")], net.eager())


def test_help_goes_to_the_standard_output(tmp_path):
    made = program(lenet(), tmp_path)
    assert made.run("--help").startswith("usage: net ")
    assert '"name": "net"' in made.run("--description")


@pytest.mark.parametrize("target", ["x86-64-v2", "x86-64-v4", "aarch64", "riscv64"])
def test_a_program_asks_for_no_loader_and_no_memory_that_is_written_and_run(target, tmp_path):
    (file,) = transformer().exported(tmp_path, target, kind="executable")
    content = Path(file).read_bytes()
    entry = FILE_HEADER.unpack_from(content)[4]
    count = int.from_bytes(content[56:58], "little")
    heads = [
        PROGRAM_HEADER.unpack_from(content, 64 + n * PROGRAM_HEADER.size) for n in range(count)
    ]
    assert [h[0] for h in heads] == [LOAD, LOAD, 0x6474E551]  # no INTERP, no DYNAMIC
    assert [h[1] for h in heads] == [4, 5, 6]
    assert heads[1][3] <= entry < heads[1][3] + heads[1][5]
    assert all(h[3] % PAGE == h[2] % PAGE for h in heads[:2])
    assert os.access(file, os.X_OK)


def test_weights_beside_a_program_are_refused(tmp_path):
    with pytest.raises(ArgumentError, match="a program has its weights inside"):
        lenet().exported(tmp_path, here(), kind="executable", weights="beside")
    assert list(tmp_path.iterdir()) == []
