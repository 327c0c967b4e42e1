"""Libraries whose kernels threads of the caller share: the same bits, however many these are."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import Network, assert_near, here, numbers
from tests.export.native.test_c import aarch64, native
from tests.export.native.test_paddle_api import compiled
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.export.native import get_include
from twinoar.export.native.elf import ElfObject
from twinoar.export.native.loaded import LoadedLibrary

# Runs the model without threads, with a pool of 1, 2, 3 and 5, and with parts in reverse order.
PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include "net.h"
#include "twinoar_threads.h"

static _Alignas(NET_ALIGNMENT) char workspace[NET_WORKSPACE_BYTES];
static char input[NET_INPUT_0_BYTES], first[NET_OUTPUT_0_BYTES], output[NET_OUTPUT_0_BYTES];
static size_t most;

static void backwards(void *context, void (*function)(void *, size_t), void *argument,
                      size_t count) {
  if (count > most) most = count;
  while (count > 0) function(argument, --count);
  ++*(int *)context;
}

int main(int count, char **names) {
  const net_model *model;
  const void *inputs[] = {input};
  void *outputs[] = {first};
  int threads, n, calls = 0;
  FILE *file = fopen(names[count - 2], "rb");
  if (fread(input, 1, sizeof input, file) != sizeof input) return 2;
  fclose(file);
  memset(workspace, 0x5A, sizeof workspace);
  if (net_open(&model, NULL, 0)) return 3;
  if (net_run(model, inputs, outputs, workspace, sizeof workspace)) return 4;
  outputs[0] = output;
  for (threads = 1; threads < 6; threads += threads < 3 ? 1 : 2) {
    twinoar_pool *pool = twinoar_pool_create(threads);
    for (n = 0; n < 10; ++n) {
      memset(output, 0x5A, sizeof output);
      if (net_run_threads(model, inputs, outputs, workspace, sizeof workspace, twinoar_pool_run,
                          pool))
        return 5;
      if (memcmp(first, output, sizeof output)) return 6;
    }
    twinoar_pool_destroy(pool);
  }
  memset(output, 0x5A, sizeof output);
  if (net_run_threads(model, inputs, outputs, workspace, sizeof workspace, backwards, &calls))
    return 7;
  if (memcmp(first, output, sizeof output)) return 8;
  if (net_run_threads(model, inputs, outputs, workspace, sizeof workspace, NULL, NULL)) return 9;
  if (net_run_threads(NULL, inputs, outputs, workspace, sizeof workspace, NULL, NULL) != 1)
    return 10;
  printf("%d %d\n", calls > 0, (int)most);
  file = fopen(names[count - 1], "wb");
  fwrite(first, 1, sizeof first, file);
  fclose(file);
  return 0;
}
"""


def images() -> Network:
    """Convolutions, pooling, a sum of all pixels, each large enough to be divided."""
    paddle.seed(0)

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Sequential(nn.Conv2D(3, 16, 3, padding=1), nn.BatchNorm2D(16))
            self.deep = nn.Conv2D(16, 16, 3, padding=1, groups=16)
            self.pool = nn.MaxPool2D(2)
            self.second = nn.Conv2D(16, 32, 3)
            self.last = nn.Linear(32, 5)

        def forward(self, x: Any) -> Any:
            x = self.pool(nn.functional.relu(self.deep(self.first(x))))
            return self.last(nn.functional.softmax(self.second(x), 1).mean([2, 3]))

    return Network(Net(), (numbers(2, 3, 64, 64),))


def attention() -> Network:
    paddle.seed(1)
    layer = nn.TransformerEncoderLayer(128, 4, 256, activation="gelu")
    return Network(layer, (numbers(2, 96, 128),))


@pytest.mark.parametrize("toolchain", [native, aarch64])
@pytest.mark.parametrize("network", [images, attention])
def test_all_numbers_of_threads_give_the_bits_of_one(network, toolchain, tmp_path):
    net, chosen = network(), toolchain()
    files = net.exported(tmp_path, chosen.target, threads=4)
    shutil.copy(Path(get_include()) / "twinoar_threads.h", tmp_path)
    command = chosen.program(PROGRAM, tmp_path, files[0], "-pthread")
    net.inputs[0].tofile(tmp_path / "input")
    told = chosen.run([*command, str(tmp_path / "input"), str(tmp_path / "output")])
    assert told == "1 4\n"
    wanted = net.eager()[0]
    assert_near([np.fromfile(tmp_path / "output", np.float32).reshape(wanted.shape)], [wanted])


def test_the_pool_has_no_races(tmp_path):
    net = images()
    files = net.exported(tmp_path, here(), threads=3, kind="static")
    (tmp_path / "program.c").write_text(PROGRAM)
    command = [
        "cc", "-std=c11", "-fsanitize=thread", "-g", f"-I{tmp_path}", f"-I{get_include()}",
        str(tmp_path / "program.c"), files[0], "-o", str(tmp_path / "program"), "-pthread",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "tsan" in done.stderr:
        pytest.skip("this compiler finds no races")
    assert done.returncode == 0, done.stderr
    net.inputs[0].tofile(tmp_path / "input")
    run = [str(tmp_path / "program"), str(tmp_path / "input"), str(tmp_path / "output")]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "1 3\n"), done.stderr
    assert "WARNING: ThreadSanitizer" not in done.stderr


def test_paddles_number_of_threads_acts(tmp_path):
    net = images()
    library = net.exported(tmp_path / "model", here(), threads=4)[0]
    source = (
        '#include "pd_inference_api.h"\n'
        "int main(int count, char **names) {\n"
        "  PD_Config *config = PD_ConfigCreate();\n"
        "  PD_Predictor *predictor, *clone;\n"
        '  PD_ConfigSetModel(config, names[count - 1], "");\n'
        "  PD_ConfigSetCpuMathLibraryNumThreads(config, 3);\n"
        "  predictor = PD_PredictorCreate(config);\n"
        "  clone = PD_PredictorClone(predictor);\n"
        '  printf("%d %d", predictor->pool->count, clone->pool->count);\n'
        '  printf(" %d %d\\n", PD_PredictorRun(predictor), PD_PredictorRun(clone));\n'
        "  PD_PredictorDestroy(predictor);\n"
        "  PD_PredictorDestroy(clone);\n"
        "  return 0;\n}\n"
    )
    done = subprocess.run(
        [compiled(source, tmp_path), library], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "2 2 1 1\n"), done.stderr


def test_such_a_library_runs_and_verifies_without_threads(tmp_path):
    net = images()
    library = LoadedLibrary(net.exported(tmp_path, here(), threads=3)[0])
    library.verify()
    assert_near(library.run(*net.inputs), net.eager())


@pytest.mark.parametrize("target", ["x86-64-v3", "aarch64", "riscv64"])
def test_an_object_needs_nothing_and_has_one_function_more(target, tmp_path):
    files = images().exported(tmp_path, target, threads=2, kind="object")
    given = ElfObject(Path(files[0]).read_bytes())
    assert given.undefined == []
    names = open_names(given)
    assert "net_run_threads" in names
    assert "net_run_threads" in Path(files[1]).read_text()
    other = ElfObject(Path(images().exported(tmp_path, target, kind="object")[0]).read_bytes())
    assert open_names(other) == names - {"net_run_threads"}


def open_names(given: ElfObject) -> set[str]:
    """The symbols that other code sees."""
    return {s.name for s in given.symbols if s.binding == 1 and s.visibility == 0}


@pytest.mark.parametrize("threads", [0, -1, 2.5, 257, "2", None])
def test_other_numbers_are_refused(threads, tmp_path):
    with pytest.raises(ArgumentError, match="expected 1 to 256 threads"):
        images().exported(tmp_path, here(), threads=threads)


@pytest.mark.parametrize(("target", "kind"), [("wasm32", "wasm"), ("aarch64", "executable")])
def test_what_runs_in_one_thread_is_refused(target, kind, tmp_path):
    with pytest.raises(ArgumentError, match="runs in one thread"):
        images().exported(tmp_path, target, kind=kind, threads=2)
