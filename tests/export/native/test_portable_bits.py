"""Equal bits on all targets, on demand: those that run here, and pages in Node."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import (
    NETWORKS,
    Network,
    assert_near,
    lenet,
    numbers,
    of_function,
)
from tests.export.native.test_c import aarch64, program_for
from tests.export.native.test_wasm import needs_node, runs
from twinoar.backends.llvm.target import processor
from twinoar.export.native.loaded import LoadedLibrary
from twinoar.export.native.targets import MACHINES


def functions(x):
    """What is computed by series, by sums in blocks, and by exact remainders."""
    total = paddle.sum(x * x)
    return paddle.exp(x), paddle.sin(x * 100), paddle.nn.functional.gelu(x), x % 0.7, x / total


def many() -> Network:
    return of_function(functions, numbers(37, 501))


def on_machines(network: Network, folder: Path) -> list[list[np.ndarray]]:
    """The outputs on each target that this machine runs."""
    found = []
    for name, machine in MACHINES.items():
        if machine.target.triple.split("-")[0] != processor().triple.split("-")[0]:
            continue
        if machine.levels:  # it is refused, as all have one code
            continue
        if all(map(processor().has, machine.features)):
            files = network.exported(folder / name, name, portable_bits=True)
            found.append(LoadedLibrary(files[0]).run(*network.inputs))
    return found


@needs_node
@pytest.mark.parametrize("network", [*NETWORKS, many])
def test_targets_agree_bit_for_bit(network: Callable[[], Network], tmp_path):
    net = network()
    first, *others = [*on_machines(net, tmp_path), runs(net, tmp_path / "wasm", portable_bits=True)]
    assert_near(first, net.eager())
    for found in others:
        assert [x.tobytes() for x in found] == [x.tobytes() for x in first]


@pytest.mark.parametrize("network", [lenet, many])
def test_aarch64_agrees_bit_for_bit(network: Callable[[], Network], tmp_path):
    chosen, net = aarch64(), network()
    (first, *_) = on_machines(net, tmp_path)
    files = net.exported(tmp_path, "aarch64", kind="static", portable_bits=True)
    net.inputs[0].tofile(tmp_path / "input")
    command = chosen.program(program_for(net), tmp_path, files[0])
    chosen.run([*command, str(tmp_path / "input"), str(tmp_path / "output")])
    assert (tmp_path / "output").read_bytes() == first[0].tobytes()


@pytest.mark.parametrize("network", [lenet, many])
def test_c_agrees_bit_for_bit(network, tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    net = network()
    wanted = net.library(tmp_path / "code", portable_bits=True).run(*net.inputs)
    (file, _) = net.exported(tmp_path / "c", "c", kind="c")
    made = str(tmp_path / "libnet.so")
    flags = ["-std=c11", "-O2", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, file, "-o", made, "-lm"], check=True)
    for a, b in zip(LoadedLibrary(made).run(*net.inputs), wanted, strict=True):
        np.testing.assert_array_equal(a, b)
