"""Libraries for all x86-64: each level computes the same, and the processor's is chosen."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.export.native.exported import NETWORKS, assert_near, lenet
from tests.export.native.test_integers import mixed, on_numpy, quantized
from twinoar.backends.host import host
from twinoar.errors import ArgumentError
from twinoar.export.native import export, export_sizes
from twinoar.export.native.elf import ElfObject
from twinoar.export.native.loaded import LoadedLibrary
from twinoar.export.native.processor_text import BITS, STATES, level_text
from twinoar.export.native.targets import LEVELS, MACHINES

X86 = host().triple.startswith("x86")
QEMU = shutil.which("qemu-x86_64")
needs_x86 = pytest.mark.skipif(not X86, reason="this processor is no x86-64")
needs_qemu = pytest.mark.skipif(QEMU is None, reason="there is no qemu-x86_64")


def here() -> int:
    """The number of the last level that this machine has."""
    return max(n for n, x in enumerate(LEVELS) if all(map(host().has, MACHINES[x].features)))


def reopened(library: LoadedLibrary, level: int) -> int:
    """The code of opening the model for a level at most."""
    function = library._function("open_level")
    return int(
        function(ctypes.byref(library._model), None, ctypes.c_size_t(0), ctypes.c_int32(level))
    )


def level_of(library: LoadedLibrary) -> int:
    return int(library._function("level")(library._model))


@needs_x86
@pytest.mark.parametrize("network", NETWORKS)
def test_each_level_computes_what_eager_code_does(network, tmp_path):
    net = network()
    library = LoadedLibrary(net.exported(tmp_path, "x86-64")[0])
    assert level_of(library) == here()
    for level in range(len(LEVELS)):
        assert reopened(library, level) == 0
        assert level_of(library) == min(level, here())
        library.verify()
        assert_near(library.run(*net.inputs), net.eager())


@needs_x86
def test_integers_have_the_same_bits_at_each_level(tmp_path):
    net = mixed()
    prefix = quantized(net, tmp_path)
    library = LoadedLibrary(export(prefix, str(tmp_path), target="x86-64", name="net")[0])
    for level in range(len(LEVELS)):
        assert reopened(library, level) == 0
        np.testing.assert_array_equal(library.run(*net.inputs)[0], on_numpy(prefix, *net.inputs))


@needs_x86
def test_a_level_that_is_none_is_refused(tmp_path):
    library = LoadedLibrary(lenet().exported(tmp_path, "x86-64")[0])
    code = reopened(library, -1)
    text = library._function("error")(ctypes.c_int32(code))
    assert text == b"this processor is older than x86-64-v2"
    assert reopened(library, 99) == 0
    assert level_of(library) == here()


@needs_qemu
@pytest.mark.parametrize(("processor", "runs"), [("Nehalem", 1), ("max", 1), ("qemu64", 0)])
def test_a_program_runs_on_each_processor_that_has_the_first(processor, runs, tmp_path):
    (file,) = lenet().exported(tmp_path, "x86-64", kind="executable")
    command = [str(QEMU), "-cpu", processor, file, "--verify"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 1 - runs
    told = done.stdout if runs else done.stderr
    wanted = "it computes what Python did" if runs else "this processor is older than x86-64-v2"
    assert told.decode().splitlines()[-1].endswith(wanted)


@needs_qemu
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
@pytest.mark.parametrize(("processor", "level"), [("Nehalem", 0), ("max", 1)])
def test_c_is_told_the_level(processor, level, tmp_path):
    lenet().exported(tmp_path, "x86-64", kind="static")
    (tmp_path / "main.c").write_text(
        '#include "net.h"\n'
        "int main(void) {\n"
        "  const net_model *model;\n"
        "  if (net_open(&model, NULL, 0)) return 99;\n"
        "  if (NET_X86_64_V4_VNNI != 3) return 98;\n"
        "  return net_level(model);\n"
        "}\n"
    )
    files = [str(tmp_path / name) for name in ("main.c", "libnet.a", "main")]
    subprocess.run(
        ["gcc", "-Wall", "-Wextra", "-Werror", "-static", *files[:2], "-o", files[2]], check=True
    )
    done = subprocess.run([str(QEMU), "-cpu", processor, files[2]], check=False)
    assert done.returncode == level


def test_it_needs_no_other_library_and_writes_nothing(tmp_path):
    (file, _) = lenet().exported(tmp_path, "x86-64", kind="object")
    assert ElfObject(Path(file).read_bytes()).undefined == []


@needs_x86
def test_parts_of_kernels_run_in_threads_at_each_level(tmp_path):
    net = lenet()
    library = LoadedLibrary(net.exported(tmp_path, "x86-64", threads=3)[0])
    one = library.run(*net.inputs)
    assert_near(one, net.eager())
    calls: list[int] = []
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)
    pool = ctypes.CFUNCTYPE(None, ctypes.c_void_p, kind, ctypes.c_void_p, ctypes.c_size_t)

    @pool
    def parallel(context: Any, function: Any, argument: Any, count: int) -> None:
        calls.append(count)
        for part in reversed(range(count)):
            function(argument, part)

    outputs = [np.empty_like(x) for x in one]
    size = library.description["workspace_bytes"]
    memory = np.zeros(size + 64, np.uint8)
    start = memory.ctypes.data + -memory.ctypes.data % 64
    inputs = (ctypes.c_void_p * 1)(net.inputs[0].ctypes.data)
    targets = (ctypes.c_void_p * 1)(outputs[0].ctypes.data)
    status = library._function("run_threads")(
        library._model, inputs, targets, ctypes.c_void_p(start), ctypes.c_size_t(size),
        parallel, None,
    )  # fmt: skip
    assert status == 0
    np.testing.assert_array_equal(outputs[0], one[0])


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_asks_for_what_its_code_may_use(level):
    bits = sum(len(b) for word, b in BITS[level].items() if word is not STATES)
    assert bits > 0
    assert level_text(LEVELS).count("icmp eq") == sum(map(len, BITS.values()))


def test_what_is_for_one_level_alone_is_refused(tmp_path):
    net = lenet()
    with pytest.raises(ArgumentError, match="give target='x86-64-v2'"):
        net.exported(tmp_path / "new", "x86-64", portable_bits=True)
    with pytest.raises(ArgumentError, match="runs one model of one size"):
        export_sizes(net.layer, str(tmp_path / "new"), target="x86-64", shapes=[{}])
    assert not (tmp_path / "new").exists()
