"""Whole steps on other processors: a C program under an emulator, and WebAssembly in Node."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.export.native.test_c import Toolchain, aarch64, native, riscv64
from tests.export.native.test_wasm import in_node, needs_node
from tests.export.native.trainings import (
    STEPS,
    TRAININGS,
    Training,
    assert_trained,
    encoder,
    lenet_adam,
    lenet_momentum,
    mlp,
    normalized,
)

PROGRAM = r"""
#include <stdio.h>
#include "net.h"

static _Alignas(NET_ALIGNMENT) char workspace[NET_VERIFY_BYTES], state[NET_STATE_BYTES];
static char x[NET_STEP_INPUT_0_BYTES], y[NET_STEP_INPUT_1_BYTES];
static char loss[NET_STEP_OUTPUT_0_BYTES], said[NET_RUN_OUTPUT_0_BYTES];

static int told(int32_t code) {
  if (code != 0) puts(net_error(code));
  return code != 0;
}

int main(int count, char **names) {
  const net_model *model;
  const void *inputs[] = {x, y};
  void *outputs[] = {loss}, *predicted[] = {said};
  if (count != 4 || told(net_open(&model, NULL, 0))) return 1;
  if (told(net_verify(model, workspace, sizeof workspace))) return 1;
  if (told(net_state_init(model, state, sizeof state))) return 1;
  FILE *xs = fopen(names[1], "rb"), *ys = fopen(names[2], "rb"), *to = fopen(names[3], "wb");
  while (fread(x, 1, sizeof x, xs) == sizeof x && fread(y, 1, sizeof y, ys) == sizeof y) {
    if (told(net_step(model, state, inputs, outputs, workspace, NET_WORKSPACE_BYTES))) return 1;
    fwrite(loss, 1, sizeof loss, to);
  }
  fseek(xs, 0, SEEK_SET);
  if (fread(x, 1, sizeof x, xs) != sizeof x) return 1;
  if (told(net_run(model, state, inputs, predicted, workspace, NET_WORKSPACE_BYTES))) return 1;
  fwrite(said, 1, sizeof said, to);
  fwrite(state, 1, sizeof state, to);
  return fclose(xs) | fclose(ys) | fclose(to);
}
"""

MISUSE = r"""
#include <stdio.h>
#include "net.h"

static _Alignas(NET_ALIGNMENT) char workspace[NET_WORKSPACE_BYTES], state[NET_STATE_BYTES + 64];

int main(void) {
  const net_model *model = NULL;
  float x[8 * 12] = {0}, loss;
  int64_t y[8] = {0, 1, 2, 3};
  const void *inputs[] = {x, y};
  void *outputs[] = {&loss};
  size_t size = sizeof workspace;
  printf("%d", net_state_init(model, state, sizeof state));
  printf(" %d", net_open(&model, NULL, 0));
  printf(" %d", net_state_init(model, NULL, sizeof state));
  printf(" %d", net_state_init(model, state, NET_STATE_BYTES - 1));
  printf(" %d", net_state_init(model, state + 8, NET_STATE_BYTES));
  printf(" %d", net_step(model, state, inputs, outputs, workspace, size));
  printf(" %d", net_set_learning_rate(state, 1));
  printf(" %d", net_state_init(model, state, NET_STATE_BYTES));
  printf(" %d", net_step(model, NULL, inputs, outputs, workspace, size));
  printf(" %d", net_step(model, state + 8, inputs, outputs, workspace, size));
  printf(" %d", net_step(model, state, NULL, outputs, workspace, size));
  printf(" %d", net_step(model, state, inputs, outputs, workspace, size - 1));
  int32_t code = net_step(model, state, inputs, outputs, workspace, size);
  printf("\n%s\n", net_error(code));
  y[3] = 0;
  printf("%d %g\n", net_step(model, state, inputs, outputs, workspace, size),
         net_learning_rate(state));
  return 0;
}
"""

IN_NODE = """
model.verify();
const x = new Float32Array(bytes("x.bin")), y = new BigInt64Array(bytes("y.bin"));
const losses = [], steps = %STEPS%, rows = x.length / steps, labels = y.length / steps;
const part = (array, n, size) => array.slice(n * size, (n + 1) * size);
for (let n = 0; n < steps; n++)
  losses.push(model.step({ x: part(x, n, rows), y: part(y, n, labels) }).output_0[0]);
const said = model.run({ x: part(x, 0, rows) }).output_0;
const write = (name, array) => writeFileSync(new URL(name, import.meta.url), array);
write("losses.bin", new Float32Array(losses));
write("said.bin", said);
write("state.bin", model.state);
"""


def fed(given: Training, folder: Path) -> list[str]:
    """Files of all batches."""
    for n, name in enumerate("xy"):
        np.stack([batch[n] for batch in given.batches]).tofile(folder / f"{name}.bin")
    return [str(folder / "x.bin"), str(folder / "y.bin")]


def in_c(
    given: Training, chosen: Toolchain, folder: Path, kind: str, **options: object
) -> tuple[np.ndarray, np.ndarray, bytes]:
    """The losses, a prediction, and the state, of a C program for a target."""
    folder.mkdir(exist_ok=True)
    files = given.exported(folder, chosen.target, kind=kind, **options)
    command = chosen.program(PROGRAM, folder, files[0])
    Toolchain.run([*command, *fed(given, folder), str(folder / "found")])
    content = (folder / "found").read_bytes()
    shape = given.predicted().shape
    end = 4 * (STEPS + int(np.prod(shape)))
    losses, said = np.split(np.frombuffer(content[:end], np.float32), [STEPS])
    return losses, said.reshape(shape), content[end:]


def in_page(given: Training, folder: Path, **options: object) -> tuple[np.ndarray, ...]:
    """The same of WebAssembly in Node."""
    given.exported(folder, "wasm32", kind="wasm", **options)
    fed(given, folder)
    in_node(folder, IN_NODE.replace("%STEPS%", str(STEPS)))
    losses = np.fromfile(folder / "losses.bin", np.float32)
    said = np.fromfile(folder / "said.bin", np.float32).reshape(given.predicted().shape)
    return losses, said, (folder / "state.bin").read_bytes()


@pytest.mark.parametrize("make", TRAININGS)
def test_a_program_for_aarch64_trains_as_plain_python_does(
    make: Callable[[], Training], tmp_path: Path
) -> None:
    given = make()
    losses, said, state = in_c(given, aarch64(), tmp_path, "static")
    assert_trained(losses, state, said, given)


@pytest.mark.parametrize(
    ("chosen", "kind"),
    [(native, "object"), (native, "static"), (native, "shared"), (riscv64, "static")],
)
def test_each_way_to_link_trains(
    chosen: Callable[[], Toolchain], kind: str, tmp_path: Path
) -> None:
    given = mlp()
    losses, said, state = in_c(given, chosen(), tmp_path, kind)
    assert_trained(losses, state, said, given)


@needs_node
@pytest.mark.parametrize("make", TRAININGS)
def test_a_page_trains_as_plain_python_does(make: Callable[[], Training], tmp_path: Path) -> None:
    given = make()
    losses, said, state = in_page(given, tmp_path)
    assert_trained(losses, state, said, given)


@needs_node
@pytest.mark.parametrize("make", [mlp, lenet_momentum, lenet_adam, normalized, encoder])
def test_targets_train_to_the_same_bits(make: Callable[[], Training], tmp_path: Path) -> None:
    given = make()
    device = given.library(tmp_path / "here", portable_bits=True)
    losses = np.stack([device.step(*batch)[0] for batch in given.batches])
    said = device.run(given.batches[0][0])[0]
    elsewhere = [in_page(given, tmp_path / "page", portable_bits=True)]
    if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-gcc"):
        elsewhere.append(in_c(given, aarch64(), tmp_path / "arm", "static", portable_bits=True))
    for found_losses, found, state in elsewhere:
        assert found_losses.tobytes() == losses.tobytes()
        assert found.tobytes() == said.tobytes()
        assert state == device.state
    assert_trained(losses, device.state, said, given)


def test_misuse_is_a_code_and_nothing_else(tmp_path: Path) -> None:
    chosen = native()
    files = mlp().exported(tmp_path, chosen.target, kind="static")
    codes, text, after = Toolchain.run(chosen.program(MISUSE, tmp_path, files[0])).splitlines()
    assert codes == "1 0 9 9 10 11 11 0 9 10 4 2"
    assert "lies outside of the 3 places" in text
    assert after.split()[0] == "0"
    assert float(after.split()[1]) == pytest.approx(0.01)
