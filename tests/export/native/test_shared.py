"""Shared libraries of this machine: they compute what eager code computes, and need nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

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
from tests.threads import in_threads
from twinoar.export.native import loaded
from twinoar.export.native.elf import ElfObject
from twinoar.export.native.loaded import LoadedLibrary
from twinoar.export.native.shared import LOAD, PAGE, PROGRAM_HEADER

CODE_LIMIT = 30_000  # bytes of instructions of LeNet


def segments(library: bytes) -> list[tuple[int, ...]]:
    count = int.from_bytes(library[56:58], "little")
    return [PROGRAM_HEADER.unpack_from(library, 64 + n * PROGRAM_HEADER.size) for n in range(count)]


@pytest.mark.parametrize("network", NETWORKS)
def test_a_library_computes_what_eager_code_does(network: Callable[[], Network], tmp_path):
    net = network()
    library = net.library(tmp_path)
    library.verify()
    assert_near(library.run(*net.inputs), net.eager())


def test_inputs_are_given_by_position_or_by_name(tmp_path):
    net = of_function(lambda x, y: x - y, np.ones(2, np.float32), np.zeros(2, np.float32))
    library = net.library(tmp_path)
    one, two = np.float32([5, 7]), np.float32([1, 2])
    np.testing.assert_array_equal(library.run(one, x1=two)[0], [4, 5])
    np.testing.assert_array_equal(library.run(x1=one, x0=two)[0], [-4, -5])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((np.ones(3, np.float32),), r"x0 is float32\[2\], received float32\[3\]"),
        ((np.ones(2),), r"x0 is float32\[2\], received float64\[2\]"),
        ((), r"expected the inputs \['x0'\]"),
        ((np.ones(2, np.float32),) * 2, r"expected the inputs \['x0'\]"),
    ],
)
def test_other_inputs_are_refused(given, message, tmp_path):
    library = of_function(lambda x: x + 1, np.ones(2, np.float32)).library(tmp_path)
    with pytest.raises(ValueError, match=message):
        library.run(*given)


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [
        ("float32", ()),
        ("float32", (1,)),
        ("float32", (0, 3)),
        ("float64", (5,)),
        ("int64", (4,)),
        ("int32", (2, 3)),
        ("uint8", (7,)),
        ("bool", (3,)),
        ("complex64", (4,)),
    ],
)
def test_dtypes_and_small_shapes_pass_through(dtype, shape, tmp_path):
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    net = of_function(lambda x: paddle.concat([x.reshape([-1])] * 2), x)
    library = net.library(tmp_path)
    library.verify()
    assert_near(library.run(x), net.eager())


def test_outputs_that_no_kernel_makes_are_copied(tmp_path):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    net = of_function(lambda x: (x, x.transpose([1, 0]), paddle.ones([2]), x + 1, x), x)
    assert_near(net.library(tmp_path).run(x), net.eager())


@pytest.mark.parametrize("value", [1.0, -1.0])
def test_a_branch_is_taken_by_the_data(value, tmp_path):
    net = of_function(branching, np.full(3, value, np.float32))
    library = net.library(tmp_path)
    for x in (net.inputs[0], -net.inputs[0]):
        expected = x * 2 if x.sum() > 0 else x - 1
        np.testing.assert_array_equal(library.run(x)[0], expected)


def branching(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


def test_a_loop_runs_as_often_as_the_data_say(tmp_path):
    library = of_function(doubling, np.ones(2, np.float32)).library(tmp_path)
    for start, count in ((1.0, 6), (60.0, 0), (0.5, 7)):
        x, n = library.run(np.full(2, start, np.float32))
        np.testing.assert_array_equal(x, np.full(2, start * 2**count))
        assert n == count


def doubling(x):
    count = paddle.zeros([], "int64")
    while x.sum() < 100:
        x = x * 2
        count = count + 1
    return x, count


def test_an_index_outside_is_told_and_the_next_run_is_right(tmp_path):
    ids = np.array([0, 3])
    table = paddle.nn.Embedding(4, 2)
    library = Network(table, (ids,)).library(tmp_path)
    with pytest.raises(ValueError, match="lies outside of the 4 places"):
        library.run(np.array([0, 4]))
    assert_near(library.run(ids), [table(paddle.to_tensor(ids)).numpy()])


def test_threads_share_a_model(tmp_path):
    net = transformer()
    library, found = net.library(tmp_path), []

    def run() -> None:
        found.extend(library.run(*net.inputs)[0].tobytes() for _ in range(20))

    in_threads([run] * 6)
    assert len(found) == 120
    assert len(set(found)) == 1


def test_weights_beside_are_mapped_and_others_refused(tmp_path):
    net = lenet()
    files = net.exported(tmp_path / "one", here(), weights="beside")
    assert [Path(f).name for f in files] == ["libnet.so", "net.h", "net.weights"]
    library = LoadedLibrary(files[0], files[2])
    library.verify()
    assert_near(library.run(*net.inputs), net.eager())
    with pytest.raises(ValueError, match="no weights were given"):
        LoadedLibrary(files[0])
    net.layer.fc[0].weight.set_value(net.layer.fc[0].weight * 2)
    others = net.exported(tmp_path / "two", here(), weights="beside")
    with pytest.raises(ValueError, match="not the weights of this model"):
        LoadedLibrary(files[0], others[2])


def test_a_verification_fails_where_weights_are_damaged(tmp_path):
    net = lenet()
    files = net.exported(tmp_path, here(), weights="beside")
    content = bytearray(Path(files[2]).read_bytes())
    content[64 : len(content) // 2] = bytes(len(content) // 2 - 64)
    Path(files[2]).write_bytes(content)
    with pytest.raises(ValueError, match="differs from what Python computed"):
        LoadedLibrary(files[0], files[2]).verify()


@pytest.mark.parametrize("target", ["x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"])
def test_segments_begin_at_pages_of_16_kib_and_none_is_written_and_run(target, tmp_path):
    content = Path(lenet().exported(tmp_path, target)[0]).read_bytes()
    loaded_ones = [s for s in segments(content) if s[0] == LOAD]
    assert len(loaded_ones) == 3
    pages: set[int] = set()
    for _, flags, offset, address, _, size, _, alignment in loaded_ones:
        assert alignment == PAGE == 16384
        assert address % PAGE == offset % PAGE
        assert flags & 3 != 3
        own = set(range(address // PAGE, (address + size - 1) // PAGE + 1))
        assert not own & pages
        pages |= own


@pytest.mark.parametrize("target", ["x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64", "riscv64"])
@pytest.mark.parametrize("network", NETWORKS)
def test_objects_have_no_undefined_symbols(target, network, tmp_path):
    net = network()
    (file, _) = net.exported(tmp_path, target, kind="object")
    given = ElfObject(Path(file).read_bytes())
    assert given.undefined == []
    assert {s.name for s in given.symbols if s.binding == 1 and s.visibility == 0} == {
        f"net_{end}"
        for end in (
            "open", "run", "verify", "workspace_bytes", "verify_bytes", "error", "description",
        )
    }  # fmt: skip


@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4", "aarch64", "riscv64"])
def test_the_code_of_lenet_is_small(target, tmp_path):
    given = ElfObject(Path(lenet().exported(tmp_path, target, kind="object")[0]).read_bytes())
    code = sum(s.size for s in given.sections if s.flags & 4)
    assert 1000 < code <= CODE_LIMIT


def test_a_model_is_written_the_same_twice(tmp_path):
    first, second = (lenet().exported(tmp_path / n, "aarch64") for n in "ab")
    assert Path(first[0]).read_bytes() == Path(second[0]).read_bytes()


def test_the_loader_needs_ctypes_and_numpy_alone(tmp_path):
    net = lenet()
    file = net.exported(tmp_path, here())[0]
    script = (
        "import sys, runpy, numpy\n"
        f"made = runpy.run_path({loaded.__file__!r})\n"
        f"made['LoadedLibrary']({file!r}).verify()\n"
        "print(sorted(m for m in sys.modules if m.startswith(('twinoar', 'llvmlite'))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True, text=True, cwd=tmp_path, env={"PATH": os.defpath}, check=False,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr
