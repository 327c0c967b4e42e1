"""Models as C11: what gcc makes of them here and for other processors, without a warning."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

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
    transformer,
)
from tests.export.native.test_c import Toolchain, aarch64, native, program_for, riscv64
from tests.export.native.test_integers import mixed, on_numpy, quantized
from tests.export.native.test_training_elsewhere import PROGRAM as TRAINING
from tests.export.native.trainings import STEPS, lenet_adam, mlp
from twinoar import cli, nn
from twinoar.errors import ArgumentError, ProgramError, UnsupportedError
from twinoar.export.native import export, export_sizes
from twinoar.export.native.c_file import definitions
from twinoar.export.native.c_source import functions_of

TO_C: dict[str, Any] = {"target": "c", "kind": "c"}
CHECKED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def small_mobilenet() -> Network:
    paddle.seed(6)
    net = paddle.vision.models.mobilenet_v2(scale=0.25, num_classes=10)
    return Network(net, (numbers(1, 3, 64, 64),))


def procedures() -> Network:
    """Branches and loops on values, sorting, scans, look-ups, a decomposition."""

    def computed(x: Any) -> Any:
        y = paddle.sort(x, axis=1).cumsum(1)
        if y.sum() > 0:
            y = y * 2
        while y.abs().max() > 10:
            y = y / 2
        picked = paddle.gather(y, paddle.argmax(x, axis=1), axis=1)
        return paddle.linalg.inv(picked + 3 * paddle.eye(5)), paddle.topk(y, 2)[0]

    return of_function(computed, numbers(5, 5))


def ran(net: Network, chosen: Toolchain, folder: Path, *flags: str) -> np.ndarray:
    """What the first output is of a program of the C that is in a folder."""
    command = chosen.program(program_for(net), folder, str(folder / "net.c"), *flags, "-lm")
    net.inputs[0].tofile(folder / "input")
    chosen.run([*command, str(folder / "input"), str(folder / "output")])
    wanted = net.eager()[0]
    return np.fromfile(folder / "output", np.float32).reshape(wanted.shape)


MADE: Sequence[tuple[Callable[[], Toolchain], Callable[[], Network]]] = [
    *((native, n) for n in (*NETWORKS, small_mobilenet, procedures)),
    *((aarch64, n) for n in (lenet, transformer)),
    *((riscv64, n) for n in (lenet, transformer)),
]


@pytest.mark.parametrize(("toolchain", "network"), MADE)
def test_c_computes_what_eager_code_does(toolchain, network, tmp_path):
    chosen, net = toolchain(), network()
    files = net.exported(tmp_path, **TO_C)
    assert [Path(f).name for f in files] == ["net.c", "net.h"]
    assert_near([ran(net, chosen, tmp_path)], net.eager()[:1])


@pytest.mark.parametrize("network", [lenet, procedures])
def test_no_run_leaves_its_memory_or_the_language(network, tmp_path):
    net = network()
    net.exported(tmp_path, **TO_C)
    assert_near([ran(net, native(), tmp_path, *CHECKED)], net.eager()[:1])


@pytest.mark.parametrize("toolchain", [native, aarch64, riscv64])
def test_integers_have_the_bits_of_numpy(toolchain, tmp_path):
    net, chosen = mixed(), toolchain()
    prefix = quantized(net, tmp_path)
    export(prefix, str(tmp_path), name="net", **TO_C)
    np.testing.assert_array_equal(ran(net, chosen, tmp_path), on_numpy(prefix, *net.inputs))


@pytest.mark.parametrize(
    ("toolchain", "training"), [(native, mlp), (native, lenet_adam), (riscv64, mlp)]
)
def test_whole_steps_train(toolchain, training, tmp_path):
    chosen, made = toolchain(), training()
    (file, _) = made.exported(tmp_path, **TO_C)
    command = chosen.program(TRAINING, tmp_path, file, "-lm")
    for n, name in enumerate(("x", "y")):
        np.stack([batch[n] for batch in made.batches]).tofile(tmp_path / name)
    given = [str(tmp_path / name) for name in ("x", "y", "out")]
    Toolchain.run([*command, *given])
    losses = np.fromfile(tmp_path / "out", np.float32)[:STEPS]
    np.testing.assert_allclose(losses, made.eager(), rtol=1e-5, atol=1e-5)


def test_weights_may_lie_beside(tmp_path):
    files = lenet().exported(tmp_path, weights="beside", **TO_C)
    assert [Path(f).name for f in files] == ["net.c", "net.h", "net.weights"]
    source = (
        '#include <stdio.h>\n#include "net.h"\n'
        "static _Alignas(NET_ALIGNMENT) char weights[1 << 20], workspace[NET_VERIFY_BYTES];\n"
        "int main(int count, char **names) {\n"
        "  const net_model *model;\n"
        '  FILE *file = fopen(names[count - 1], "rb");\n'
        "  size_t size = fread(weights, 1, sizeof weights, file);\n"
        "  fclose(file);\n"
        "  if (net_open(&model, NULL, 0) != 5) return 9;\n"
        "  if (net_open(&model, weights, size)) return 8;\n"
        "  return net_verify(model, workspace, sizeof workspace);\n"
        "}\n"
    )
    command = native().program(source, tmp_path, files[0], "-lm")
    Toolchain.run([*command, files[2]])


def test_several_sizes_are_in_one_file(tmp_path):
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
    spec = [paddle.static.InputSpec([None, 4], "float32", "x")]
    sizes = [{"x": [n, 4]} for n in (1, 3)]
    files = export_sizes(net, str(tmp_path), name="net", input_spec=spec, shapes=sizes, **TO_C)
    source = (
        '#include "net.h"\n'
        "static _Alignas(NET_ALIGNMENT) char workspace[NET_VERIFY_BYTES];\n"
        "int main(void) {\n"
        "  const net_model *model;\n"
        "  if (net_open(&model, NULL, 0)) return 1;\n"
        "  return net_verify(model, workspace, sizeof workspace);\n"
        "}\n"
    )
    Toolchain.run(native().program(source, tmp_path, files[0], "-lm"))


def test_two_models_live_in_one_program(tmp_path):
    for name in ("one", "two"):
        lenet().exported(tmp_path, name=name, **TO_C)
    source = (
        '#include "one.h"\n#include "two.h"\n'
        "int main(void) { const one_model *a; const two_model *b;\n"
        "  return one_open(&a, 0, 0) + two_open(&b, 0, 0); }\n"
    )
    files = [str(tmp_path / f"{name}.c") for name in ("one", "two")]
    assert Toolchain.run(native().program(source, tmp_path, *files, "-lm")) == ""


def test_what_c_has_no_type_for_is_named_with_its_line(tmp_path):
    def halved(x: Any) -> Any:
        return (x.astype("float16") + 1).astype("float32")

    with pytest.raises(UnsupportedError, match="cast cannot be exported: C11 has no") as caught:
        of_function(halved, numbers(2, 3)).exported(tmp_path / "new", **TO_C)
    assert "test_c_source.py" in str(caught.value)
    assert not (tmp_path / "new").exists()


def test_what_python_alone_runs_is_refused_as_for_other_targets(tmp_path):
    with pytest.raises(UnsupportedError, match="nonzero cannot be exported"):
        of_function(lambda x: paddle.nonzero(x), numbers(2, 3)).exported(tmp_path / "new", **TO_C)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("given", "cure"),
    [
        ({"target": "aarch64", "kind": "c"}, "give target='c'"),
        ({"target": "c", "kind": "shared"}, "give kind='c'"),
        ({"target": "c", "kind": "c", "threads": 2}, "leave out threads"),
    ],
)
def test_other_targets_and_threads_are_refused(given, cure, tmp_path):
    with pytest.raises(ArgumentError, match=cure):
        lenet().exported(tmp_path / "new", **given)
    assert not (tmp_path / "new").exists()


def test_the_command_line_writes_it(tmp_path, capsys):
    net = lenet()
    prefix = str(tmp_path / "saved" / "lenet")
    paddle.jit.save(net.layer, prefix, input_spec=net.spec)
    assert cli.main(["export", prefix, "--target", "c", "-o", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith("lenet.c")
    assert "lenet_open" in (tmp_path / "out" / "lenet.c").read_text()


# The writer itself.


def evaluated(body: str, folder: Path, kind: str = "i64") -> int:
    """What a function of LLVM IR returns as C."""
    text = f"define {kind} @asked() {{\nentry:\n{body}\n}}\n{DECLARED}"
    code = definitions([text], ["asked"]).decode()
    (folder / "asked.c").write_text(
        "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
        + code.replace("static inline", "static")
        + '\nint main(void) { printf("%lld", (long long)impl_asked()); return 0; }\n'
    )
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", *CHECKED]
    command = [
        native().compiler,
        *flags,
        str(folder / "asked.c"),
        "-o",
        str(folder / "asked"),
        "-lm",
    ]
    subprocess.run(command, check=True)
    return int(Toolchain.run([str(folder / "asked")]))


DECLARED = """
declare i64 @llvm.smin.i64(i64, i64)
declare float @llvm.maximum.f32(float, float)
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
"""
LOOP = """  br label %head
head:
  %a = phi i64 [ 1, %entry ], [ %b, %body ]
  %b = phi i64 [ 2, %entry ], [ %a, %body ]
  %n = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %n, 3
  br i1 %more, label %body, label %exit
body:
  %next = add i64 %n, 1
  br label %head
exit:
  %t = mul i64 %a, 10
  %r = add i64 %t, %b
  ret i64 %r"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("%a = sub i8 3, 5\n%r = sext i8 %a to i64\nret i64 %r", -2),
        ("%a = sub i8 3, 5\n%r = zext i8 %a to i64\nret i64 %r", 254),
        ("%a = mul i16 -1, -1\n%r = sext i16 %a to i64\nret i64 %r", 1),
        ("%a = add i64 9223372036854775807, 1\nret i64 %a", -(2**63)),
        ("%a = ashr i32 -8, 1\n%r = sext i32 %a to i64\nret i64 %r", -4),
        ("%a = sdiv i64 -7, 2\nret i64 %a", -3),
        ("%a = srem i64 -7, 2\nret i64 %a", -1),
        ("%c = icmp slt i8 -1, 1\n%r = sext i1 %c to i64\nret i64 %r", -1),
        ("%c = icmp ult i8 -1, 1\n%r = zext i1 %c to i64\nret i64 %r", 0),
        ("%c = fcmp uno float 0x7FF8000000000000, 1.0\n%r = zext i1 %c to i64\nret i64 %r", 1),
        ("%c = fcmp one float 0x7FF8000000000000, 1.0\n%r = zext i1 %c to i64\nret i64 %r", 0),
        ("%c = fcmp ugt float 0x7FF8000000000000, 1.0\n%r = zext i1 %c to i64\nret i64 %r", 1),
        ("%a = fptosi double 0x7FF0000000000000 to i64\nret i64 %a", -(2**63)),
        ("%a = fptosi float -2.5 to i64\nret i64 %a", -2),
        ("%a = bitcast float 1.0 to i32\n%r = zext i32 %a to i64\nret i64 %r", 0x3F800000),
        ("%a = call i64 @llvm.smin.i64(i64 -3, i64 2)\nret i64 %a", -3),
        (
            "%a = call float @llvm.maximum.f32(float 0x7FF8000000000000, float 1.0)\n"
            "%c = fcmp uno float %a, %a\n%r = zext i1 %c to i64\nret i64 %r", 1,
        ),
        (
            "%a = call float @llvm.vector.reduce.fadd.v4f32(float 1.0, "
            "<4 x float> <float 2.0, float 3.0, float 4.0, float 5.0>)\n"
            "%r = fptosi float %a to i64\nret i64 %r", 15,
        ),
        ("%m = alloca [2 x i64], align 8\n%p = getelementptr i64, ptr %m, i64 1\n"
         "store i64 7, ptr %p, align 8\n%r = load i64, ptr %p, align 8\nret i64 %r", 7),
        (LOOP, 21),
    ],
)  # fmt: skip
def test_an_instruction_means_what_it_does_in_llvm(body, wanted, tmp_path):
    assert evaluated(body, tmp_path) == wanted


def test_what_nobody_reads_is_left_out():
    text = "define i64 @f(i64 %x) {\n  %a = add i64 %x, 1\n  %b = mul i64 %a, 2\n  ret i64 %x\n}\n"
    (function,) = functions_of(text)
    assert [i.opcode for i in function.blocks[""]] == ["ret"]


def test_an_instruction_that_is_not_known_is_an_error():
    text = "define void @f(ptr %x) {\n  fence seq_cst\n  ret void\n}\n"
    with pytest.raises(ProgramError, match="C has no form for fence"):
        definitions([text], ["f"])
