"""Models between pages that nobody may touch, called from C under the address sanitizer.

What a model reads or writes beyond its arrays, its workspace or its state ends the program at once,
before and behind; the caller's own code, against the header, is sanitized.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.export.native.exported import NETWORKS, Network, here
from tests.export.native.trainings import TRAININGS, Training
from twinoar.export.native.targets import MACHINES

SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1"]
WARNED = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "net.h"

/* Memory of a size that ends where nothing may be touched, or begins there. */
static void *guarded(size_t size, size_t alignment, int at_end) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + page - 1) / page * page;
  int kind = MAP_PRIVATE | MAP_ANONYMOUS;
  char *start = mmap(NULL, inner + 2 * page, PROT_READ | PROT_WRITE, kind, -1, 0);
  if (start == MAP_FAILED) return NULL;
  mprotect(start, page, PROT_NONE);
  mprotect(start + page + inner, page, PROT_NONE);
  return start + page + (at_end ? (inner - size) / alignment * alignment : 0);
}

static void *file(const char *name, size_t size, int at_end) {
  char *memory = guarded(size, 1, at_end);
  FILE *from = fopen(name, "rb");
  size_t found = fread(memory, 1, size, from);
  fclose(from);
  return found == size ? memory : NULL;
}

static int told(int32_t code) {
  if (code != 0) puts(net_error(code));
  return code != 0;
}

int main(void) {
  for (int at_end = 0; at_end < 2; at_end++) {
    const net_model *model;
    void *workspace = guarded(NET_WORKSPACE_BYTES, NET_ALIGNMENT, at_end);
    void *checked = guarded(NET_VERIFY_BYTES, NET_ALIGNMENT, at_end);
    if (told(net_open(&model, NULL, 0))) return 1;
    if (told(net_verify(model, checked, NET_VERIFY_BYTES))) return 1;
BODY
  }
  puts(net_description());
  return 0;
}
"""
MODEL = r"""
    const void *inputs[] = {INPUTS};
    void *outputs[] = {OUTPUTS};
    if (told(net_run(model, inputs, outputs, workspace, NET_WORKSPACE_BYTES))) return 1;
"""
TRAINS = r"""
    void *state = guarded(NET_STATE_BYTES, NET_ALIGNMENT, at_end);
    void *x = file("x0", NET_STEP_INPUT_0_BYTES, at_end);
    const void *inputs[] = {x, file("x1", NET_STEP_INPUT_1_BYTES, at_end)};
    void *outputs[] = {guarded(NET_STEP_OUTPUT_0_BYTES, 1, at_end)};
    void *said[] = {guarded(NET_RUN_OUTPUT_0_BYTES, 1, at_end)};
    if (told(net_state_init(model, state, NET_STATE_BYTES))) return 1;
    for (int n = 0; n < 3; n++)
      if (told(net_step(model, state, inputs, outputs, workspace, NET_WORKSPACE_BYTES))) return 1;
    if (told(net_run(model, state, inputs, said, workspace, NET_WORKSPACE_BYTES))) return 1;
    if (told(net_set_learning_rate(state, net_learning_rate(state) / 2))) return 1;
"""


def runs_clean(body: str, library: str, folder: Path) -> None:
    """Compile and run a program, which must end well and say what it is about."""
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    (folder / "program.c").write_text(PROGRAM.replace("BODY", body))
    command = ["gcc", *WARNED, *SANITIZED, "-I.", "program.c", library, "-o", "program"]
    made = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    if "cannot find -lasan" in made.stderr or "libasan" in made.stderr:
        pytest.skip("this gcc has no address sanitizer")
    assert made.returncode == 0, made.stderr
    done = subprocess.run(["./program"], capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"name": "net"' in done.stdout
    assert done.stderr == ""


def targets() -> list[str]:
    """Of the machine that this is: the earliest of its kind and the latest."""
    newest = here()
    kind = MACHINES[newest].target.triple
    first = next(n for n, m in MACHINES.items() if m.target.triple == kind and not m.levels)
    return [first, newest]


@pytest.mark.parametrize("place", [0, 1], ids=["earliest", "latest"])
@pytest.mark.parametrize("make", NETWORKS)
def test_a_model_keeps_to_its_memory(
    make: Callable[[], Network], place: int, tmp_path: Path
) -> None:
    net = make()
    files = net.exported(tmp_path, targets()[place], kind="static")
    for n, x in enumerate(net.inputs):
        x.tofile(tmp_path / f"x{n}")
    count = len(net.eager())
    inputs = [f'file("x{n}", NET_INPUT_{n}_BYTES, at_end)' for n in range(len(net.inputs))]
    outputs = [f"guarded(NET_OUTPUT_{n}_BYTES, 1, at_end)" for n in range(count)]
    body = MODEL.replace("INPUTS", ", ".join(inputs)).replace("OUTPUTS", ", ".join(outputs))
    runs_clean(body, files[0], tmp_path)


@pytest.mark.parametrize("place", [0, 1], ids=["earliest", "latest"])
@pytest.mark.parametrize("make", TRAININGS)
def test_a_training_keeps_to_its_memory(
    make: Callable[[], Training], place: int, tmp_path: Path
) -> None:
    given = make()
    files = given.exported(tmp_path, targets()[place], kind="static")
    for n, array in enumerate(given.batches[0]):
        array.tofile(tmp_path / f"x{n}")
    runs_clean(TRAINS, files[0], tmp_path)


def test_what_goes_beyond_its_memory_is_found(tmp_path: Path) -> None:
    given = TRAININGS[0]()
    files = given.exported(tmp_path, here(), kind="static")
    for n, array in enumerate(given.batches[0]):
        array.tofile(tmp_path / f"x{n}")
    short = TRAINS.replace("NET_STATE_BYTES, NET_ALIGNMENT", "NET_STATE_BYTES - 64, NET_ALIGNMENT")
    with pytest.raises(AssertionError, match="SEGV"):
        runs_clean(short, files[0], tmp_path)
