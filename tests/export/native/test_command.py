"""`twinoar export --target`: in a process with an empty PATH, and a network of some size."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import Network, assert_near, here, lenet, numbers
from twinoar import cli
from twinoar.export.native.elf import ElfObject
from twinoar.export.native.loaded import LoadedLibrary

ROOT = Path(__file__).parents[3]
CODE_LIMIT = 150_000  # bytes of instructions of MobileNetV2
SECONDS = 60  # ten on a machine with nothing else to do


def saved(network: Network, folder: Path) -> str:
    prefix = str(folder / "net")
    network.layer.eval()
    paddle.jit.save(network.layer, prefix, input_spec=network.spec, verify=False)
    return prefix


def test_a_saved_model_is_exported_with_an_empty_path(tmp_path):
    net = lenet()
    prefix = saved(net, tmp_path)
    arguments = ["export", prefix, "--target", here(), "-o", str(tmp_path / "out")]
    environment = {k: v for k, v in os.environ.items() if k != "PATH"} | {
        "PATH": "", "PYTHONPATH": str(ROOT), "TWINOAR_CACHE_DIR": str(tmp_path / "cache"),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "twinoar", *arguments],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    library, header = done.stdout.splitlines()
    assert Path(header).name == "net.h"
    assert_near(LoadedLibrary(library).run(*net.inputs), net.eager())


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--kind", "wasm"], "not as 'wasm'"),
        (["--shape", "x0"], "expected INPUT=SIZES"),
        (["--shape", "x0=1,a"], "expected INPUT=SIZES"),
        (["--shape", "y=1"], "no input 'y'"),
        (["--name", "1"], "cannot be called"),
    ],
)
def test_other_arguments_end_with_1_and_a_message(more, message, tmp_path, capsys):
    prefix = saved(Network(paddle.nn.ReLU(), (np.ones(2, np.float32),)), tmp_path)
    out = tmp_path / "out"
    assert cli.main(["export", prefix, "--target", "aarch64", "-o", str(out), *more]) == 1
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_a_form_is_asked_for(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["export", "net"])
    assert end.value.code == 2
    assert "one of the arguments --onnx --target is required" in capsys.readouterr().err


def test_the_pages_form_is_that_of_its_target(tmp_path, capsys):
    prefix = saved(Network(paddle.nn.ReLU(), (np.ones(2, np.float32),)), tmp_path)
    assert cli.main(["export", prefix, "--target", "wasm32", "-o", str(tmp_path)]) == 0
    names = [Path(line).name for line in capsys.readouterr().out.splitlines()]
    assert names == ["net.wasm", "net.js", "net.d.ts", "package.json"]


def test_mobilenet_is_exported_and_right(tmp_path):
    paddle.seed(0)
    net = Network(paddle.vision.models.mobilenet_v2(), (numbers(1, 3, 96, 96),))
    # As a trained one has them; with those that it begins with its results are zeros nearly.
    for parameter in net.layer.parameters():
        if parameter.ndim > 1:
            parameter.set_value(parameter * (1.0 / parameter.std() / parameter[0].size ** 0.5))
    started = time.perf_counter()
    files = net.exported(tmp_path, here(), kind="shared")
    assert time.perf_counter() - started < SECONDS
    library = LoadedLibrary(files[0])
    library.verify()
    (found,), (wanted,) = library.run(*net.inputs), net.eager()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5 * np.abs(wanted).max())
    assert np.abs(wanted).max() > 0.01
    code = sum(s.size for s in ElfObject(Path(files[0]).read_bytes()).sections if s.flags & 4)
    assert code <= CODE_LIMIT
