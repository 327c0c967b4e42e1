"""One library for several sizes of its inputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import (
    Network,
    assert_near,
    here,
    lenet,
    numbers,
    small_convolutions,
    transformer,
)
from tests.export.native.test_c import Toolchain, native
from tests.export.native.test_wasm import in_node, needs_node
from twinoar import cli
from twinoar.errors import ArgumentError
from twinoar.export.native import export_sizes
from twinoar.export.native.loaded import LoadedLibrary, LoadedSizes
from twinoar.static import InputSpec

PROGRAM = r"""
#include <stdio.h>
#include "net.h"

static _Alignas(NET_ALIGNMENT) char workspace[NET_VERIFY_BYTES];
static float x[NET_RUN_1_INPUT_0_BYTES / 4], one[NET_OUTPUT_0_BYTES / 4];
static float several[NET_RUN_1_OUTPUT_0_BYTES / 4];

int main(void) {
  const net_model *model;
  for (size_t n = 0; n < sizeof x / 4; n++) x[n] = (float)(n % 7) - 3;
  const void *inputs[] = {x};
  void *outputs[] = {one}, *more[] = {several};
  int32_t code = net_open(&model, NULL, 0);
  if (code == 0) code = net_verify(model, workspace, sizeof workspace);
  if (code == 0) code = net_run(model, inputs, outputs, workspace, NET_WORKSPACE_BYTES);
  if (code == 0) code = net_run_1(model, inputs, more, workspace, NET_WORKSPACE_BYTES);
  if (code != 0) { puts(net_error(code)); return 1; }
  for (size_t n = 0; n < sizeof one / 4; n++)
    if (one[n] - several[n] > 1e-4f || several[n] - one[n] > 1e-4f) return 2;
  return 0;
}
"""


def sized(net: Network, folder: Path, target: str, counts: Any, **options: Any) -> list[str]:
    """The files of the model `net` for batches of so many."""
    net.layer.eval()
    rest = net.inputs[0].shape[1:]
    spec = [InputSpec([None, *rest], "float32", "x0")]
    given = {"name": "net", "input_spec": spec, **options}
    shapes = [{"x0": [count, *rest]} for count in counts]
    return export_sizes(net.layer, str(folder), target=target, shapes=shapes, **given)


@pytest.mark.parametrize("make", [lenet, small_convolutions, transformer])
def test_each_size_computes_what_eager_code_does(make: Any, tmp_path: Path) -> None:
    net = make()
    model = LoadedSizes(sized(net, tmp_path, here(), (1, 3, 8))[0])
    model.verify()
    for count in (8, 1, 3):
        x = numbers(count, *net.inputs[0].shape[1:])
        assert_near(model.run(x), [net.layer(paddle.to_tensor(x)).numpy()])
        assert_near(model.run(x0=x), [net.layer(paddle.to_tensor(x)).numpy()])


def test_the_first_size_is_what_others_see(tmp_path: Path) -> None:
    net = lenet()
    model = LoadedLibrary(sized(net, tmp_path, here(), (1, 4))[0])
    assert_near(model.run(*net.inputs), net.eager())


def test_weights_are_there_once(tmp_path: Path) -> None:
    net = transformer()
    one, three = (
        Path(sized(net, tmp_path / str(len(counts)), here(), counts, weights="beside")[2])
        for counts in ((4,), (4, 8, 16))
    )
    weights = sum(p.numpy().nbytes for p in net.layer.parameters())
    samples = 4 * (8 + 16) * 9 * 32 * 2
    assert three.stat().st_size < one.stat().st_size + samples + weights / 2


def test_a_c_program_calls_each_size(tmp_path: Path) -> None:
    chosen = native()
    files = sized(lenet(), tmp_path, chosen.target, (1, 5), kind="static")
    assert Toolchain.run(chosen.program(PROGRAM, tmp_path, files[0])) == ""


@needs_node
def test_a_page_goes_by_lengths(tmp_path: Path) -> None:
    net = lenet()
    sized(net, tmp_path, "wasm32", (1, 4), kind="wasm")
    script = (
        "model.verify();\n"
        'const x = new Float32Array(bytes("x0.bin")), one = x.slice(0, 784);\n'
        "const told = (feeds) => { try { model.run(feeds); } catch (e) { return e.message; } };\n"
        "const both = [model.run({ x0: x }).output_0, model.run({ x0: one }).output_0];\n"
        "console.log(JSON.stringify([both.map((y) => Array.from(y)), model.sizes.length,\n"
        "  told({ x0: x.slice(1) }), told({ y: x })]));\n"
    )
    x = numbers(4, 1, 28, 28)
    (many, one), count, *refused = json.loads(in_node(tmp_path, script, [x]))
    wanted = net.layer(paddle.to_tensor(x)).numpy()
    np.testing.assert_allclose(np.reshape(many, (4, 10)), wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(one, wanted[0], rtol=1e-4, atol=1e-5)
    assert count == 2
    assert refused == [
        "x0 is a Float32Array of 784 elements, received Float32Array 3135", "there is no input y",
    ]  # fmt: skip
    assert "readonly sizes: readonly" in (tmp_path / "net.d.ts").read_text()


def test_other_shapes_are_refused(tmp_path: Path) -> None:
    model = LoadedSizes(sized(lenet(), tmp_path, here(), (1, 4))[0])
    with pytest.raises(ValueError, match=r"net takes \[\[1, 1, 28, 28\]\]; \[\[4, 1, 28, 28\]\]"):
        model.run(numbers(2, 1, 28, 28))
    with pytest.raises(ValueError, match="net takes"):
        model.run()
    with pytest.raises(ValueError, match="x0 is float32"):
        model.run(numbers(4, 1, 28, 28).astype(np.float64))


@pytest.mark.parametrize(
    ("counts", "message"), [((), "there are no sizes"), ((2, 2), "two of the sizes take")]
)
def test_sizes_are_different_ones(counts: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=message):
        sized(lenet(), tmp_path / "new", "aarch64", counts)
    assert not (tmp_path / "new").exists()


def test_the_command_takes_a_shape_more_than_once(tmp_path: Path, capsys: Any) -> None:
    net, prefix = lenet(), str(tmp_path / "net")
    net.layer.eval()
    spec = [InputSpec([None, 1, 28, 28], "float32", "x")]
    paddle.jit.save(net.layer, prefix, input_spec=spec, verify=False)
    command = ["export", prefix, "--target", here(), "-o", str(tmp_path), "--shape", "x=1,1,28,28"]
    assert cli.main([*command, "--shape", "x=6,1,28,28"]) == 0
    model = LoadedSizes(capsys.readouterr().out.splitlines()[0])
    x = numbers(6, 1, 28, 28)
    assert_near(model.run(x), [net.layer(paddle.to_tensor(x)).numpy()])
    assert cli.main([*command, *["--shape", "x=6,1,28,28"], *["--shape", "y=1"] * 3]) == 1
    assert "has 2 shapes, and another input 3" in capsys.readouterr().err
