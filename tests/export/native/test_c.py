"""Programs in C and C++ against the header: compiled where a compiler is, run where they can be."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import NETWORKS, Network, assert_near, here, lenet, transformer

PATTERN = 0x5A
PROGRAM = r"""
#include <stdio.h>
#include "net.h"

static _Alignas(NET_ALIGNMENT) char workspace[NET_VERIFY_BYTES];
static char input[NET_INPUT_0_BYTES], output[NET_OUTPUT_0_BYTES];

int main(int count, char **names) {
  const net_model *model;
  const void *inputs[] = {input};
  void *outputs[OUTPUTS] = {output, OTHERS};
  int32_t code = net_open(&model, NULL, 0);
  if (code == 0) code = net_verify(model, workspace, sizeof workspace);
  if (code != 0 || count != 3) { puts(net_error(code)); return 1; }
  FILE *file = fopen(names[1], "rb");
  if (fread(input, 1, sizeof input, file) != sizeof input) return 2;
  fclose(file);
  code = net_run(model, inputs, outputs, workspace, NET_WORKSPACE_BYTES);
  if (code != 0) { puts(net_error(code)); return 1; }
  file = fopen(names[2], "wb");
  fwrite(output, 1, sizeof output, file);
  fclose(file);
  return 0;
}
"""

MISUSE = r"""
#include <stdio.h>
#include "net.h"

static _Alignas(NET_ALIGNMENT) char workspace[NET_VERIFY_BYTES + NET_ALIGNMENT];

int main(void) {
  const net_model *model = NULL;
  const void *inputs[] = {NULL};
  void *outputs[] = {NULL};
  printf("%d", net_open(NULL, NULL, 0));
  printf(" %d", net_run(model, inputs, outputs, workspace, sizeof workspace));
  printf(" %d", net_open(&model, workspace + 1, 64));
  printf(" %d", net_open(&model, workspace, 64));
  printf(" %d", net_open(&model, workspace, sizeof workspace));
  printf(" %d", net_open(&model, NULL, 0));
  printf(" %d", net_run(model, inputs, outputs, NULL, sizeof workspace));
  printf(" %d", net_run(model, inputs, outputs, workspace, NET_WORKSPACE_BYTES - 1));
  printf(" %d", net_run(model, inputs, outputs, workspace + 1, NET_WORKSPACE_BYTES));
  printf(" %d", net_run(model, NULL, outputs, workspace, NET_WORKSPACE_BYTES));
  printf(" %d", net_run(model, inputs, outputs, workspace, NET_WORKSPACE_BYTES));
  printf(" %d", net_verify(model, workspace, NET_VERIFY_BYTES - 1));
  printf(" %d\n", net_verify(model, workspace, NET_VERIFY_BYTES));
  printf("%s; %s; %s\n", net_error(0), net_error(-1), net_error(1000));
  return 0;
}
"""


@dataclass(frozen=True)
class Toolchain:
    """A compiler for a target, and what runs its programs here."""

    target: str
    compiler: str
    runner: Sequence[str] = ()

    def program(self, source: str, folder: Path, *libraries: str) -> list[str]:
        """The command that runs a program linked with libraries."""
        (folder / "program.c").write_text(source)
        flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", f"-I{folder}"]
        linked = [*libraries, f"-Wl,-rpath,{folder}", "-o", str(folder / "program")]
        command = [self.compiler, *flags, str(folder / "program.c"), *linked]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [*self.runner, str(folder / "program")]

    @staticmethod
    def run(command: Sequence[str]) -> str:
        """What a program prints that ends well."""
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def native() -> Toolchain:
    return toolchain(here(), "cc")


def aarch64() -> Toolchain:
    return toolchain("aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64", "/usr/aarch64-linux-gnu")


def riscv64() -> Toolchain:
    return toolchain("riscv64", "riscv64-linux-gnu-gcc", "qemu-riscv64", "/usr/riscv64-linux-gnu")


def toolchain(target: str, compiler: str, emulator: str = "", root: str = "") -> Toolchain:
    """The compiler and the emulator, where both are here."""
    for program in (compiler, emulator):
        if program and shutil.which(program) is None:
            pytest.skip(f"there is no {program}")
    return Toolchain(target, compiler, (emulator, "-L", root) if emulator else ())


def cases() -> Iterator[tuple[Callable[[], Toolchain], str, Callable[[], Network]]]:
    """Each way to link with one network, and what an emulator runs with all of them."""
    for chosen, kind in ((native, "shared"), (native, "static"), (native, "object")):
        yield chosen, kind, lenet
    for network in NETWORKS:
        yield aarch64, "shared", network
    yield aarch64, "static", lenet
    for network in (lenet, transformer):
        yield riscv64, "static", network


def program_for(network: Network) -> str:
    """The program, with memory for the outputs that are not looked at."""
    count = len(network.eager())
    others = ", ".join(f"(char[NET_OUTPUT_{n}_BYTES]){{0}}" for n in range(1, count))
    source = PROGRAM.replace("OUTPUTS]", f"{count}]")
    return source.replace(", OTHERS", f", {others}" if others else "")


@pytest.mark.parametrize(("toolchain", "kind", "network"), list(cases()))
def test_a_program_computes_what_eager_code_does(toolchain, kind, network, tmp_path):
    chosen, net = toolchain(), network()
    files = net.exported(tmp_path, chosen.target, kind=kind)
    command = chosen.program(program_for(net), tmp_path, files[0])
    net.inputs[0].tofile(tmp_path / "input")
    chosen.run([*command, str(tmp_path / "input"), str(tmp_path / "output")])
    wanted = net.eager()[0]
    assert_near([np.fromfile(tmp_path / "output", np.float32).reshape(wanted.shape)], [wanted])


def test_misuse_is_a_code_and_nothing_else(tmp_path):
    files = lenet().exported(tmp_path, here(), kind="static")
    command = native().program(MISUSE, tmp_path, files[0])
    codes, texts = Toolchain.run(command).splitlines()
    assert codes == "1 1 6 7 7 0 2 2 3 4 4 2 0"
    assert texts == "no error; there is no such code; there is no such code"


def test_cplusplus_takes_the_header(tmp_path):
    if shutil.which("c++") is None:
        pytest.skip("there is no c++")
    lenet().exported(tmp_path, "aarch64")
    (tmp_path / "program.cpp").write_text('#include "net.h"\nint size = NET_WORKSPACE_BYTES;\n')
    command = ["c++", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "program.cpp"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr


def test_names_of_inputs_may_be_anything(tmp_path):
    name = '*/ int x; /* \\ \n"é'
    spec = [paddle.static.InputSpec([2], "float32", name)]
    net = Network(paddle.nn.ReLU(), (np.float32([-1, 2]),))
    files = net.exported(tmp_path, here(), kind="static", input_spec=spec)
    source = '#include "net.h"\nint main(void) { return NET_OUTPUT_0_BYTES - 8; }\n'
    assert Toolchain.run(native().program(source, tmp_path, files[0])) == ""


def test_two_models_live_in_one_program(tmp_path):
    net = lenet()
    first = net.exported(tmp_path, here(), kind="static", name="net")
    second = net.exported(tmp_path, here(), kind="static", name="other")
    source = (
        '#include "net.h"\n#include "other.h"\n'
        "int main(void) { const net_model *a; const other_model *b;\n"
        "  return net_open(&a, 0, 0) + other_open(&b, 0, 0); }\n"
    )
    command = native().program(source, tmp_path, first[0], second[0])
    assert Toolchain.run(command) == ""


def test_a_run_writes_its_outputs_and_its_workspace_alone(tmp_path):
    net = lenet()
    library = net.library(tmp_path)
    workspace, output = np.full(1 << 20, PATTERN, np.uint8), np.full(4096, PATTERN, np.uint8)
    start, size = -workspace.ctypes.data % 64 + 4096, library._function("workspace_bytes")()
    status = library._function("run")(
        library._model,
        (ctypes.c_void_p * 1)(net.inputs[0].ctypes.data),
        (ctypes.c_void_p * 1)(output.ctypes.data + 1024),
        ctypes.c_void_p(workspace.ctypes.data + start),
        ctypes.c_size_t(size),
    )
    assert status == 0
    for memory, first, last in ((workspace, start, start + size), (output, 1024, 1024 + 40)):
        assert (memory[:first] == PATTERN).all()
        assert (memory[last:] == PATTERN).all()
        assert (memory[first:last] != PATTERN).any()
