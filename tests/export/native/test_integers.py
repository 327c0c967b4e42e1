"""Quantized models as libraries: small, and what a Predictor computes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import Network, here, lenet, numbers, small_convolutions
from tests.export.native.test_wasm import in_node, needs_node
from twinoar import inference, nn
from twinoar.backends.host import host
from twinoar.backends.llvm.contraction.dot import dot_of
from twinoar.backends.llvm.contraction.ending import Ending
from twinoar.backends.llvm.contraction.integers import Grouped, integer_product
from twinoar.backends.llvm.contraction.tile import shape_of
from twinoar.backends.numpy import NumpyExecutable
from twinoar.compile.pipeline import lower
from twinoar.compile.target import Target
from twinoar.core.dtype import float32, int8
from twinoar.export.native import export
from twinoar.export.native.loaded import LoadedLibrary
from twinoar.export.native.model import compiled_for, kernels_run, program_of
from twinoar.export.native.targets import MACHINES
from twinoar.inference.config import PassStrategy
from twinoar.jit.kept import array_of
from twinoar.ops.quant.integer_conv2d import integer_conv2d
from twinoar.passes.manager import run as run_passes
from twinoar.quantization import PTQ, QuantConfig
from twinoar.quantization.observers import AbsmaxObserver

SIZE = 1 / 3  # of quantized weights, of those in float32; LeNet's are small beside tables
TARGETS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-vnni", "aarch64", "aarch64-dotprod")


def strided() -> Network:
    """Convolutions with strides, borders, and residuals."""
    paddle.seed(4)

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Sequential(nn.Conv2D(3, 8, 3, stride=2, padding=1), nn.ReLU())
            self.second = nn.Conv2D(8, 8, 3, padding=1)
            self.third = nn.Conv2D(8, 8, 1)
            self.last = nn.Linear(8, 5)

        def forward(self, x: Any) -> Any:
            x = self.first(x)
            x = nn.functional.relu(self.second(x) + x)
            return self.last(self.third(x).mean([2, 3]))

    return Network(Net(), (numbers(2, 3, 13, 11),))


def mixed() -> Network:
    """All kinds of products of integers, with nothing of floats between them."""
    paddle.seed(5)
    net = nn.Sequential(
        nn.Conv2D(3, 20, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Conv2D(20, 20, 3, padding=1, groups=20),
        nn.Conv2D(20, 70, 1),
        nn.ReLU6(),
        nn.Conv2D(70, 12, 3, groups=2),
        nn.Flatten(),
        nn.Linear(12 * 5 * 4, 10),
    )
    return Network(net, (numbers(2, 3, 13, 11),))


def quantized(net: Network, folder: Path) -> str:
    """The prefix of the network's Program in integers of 8 bits."""
    observers = [AbsmaxObserver(quant_bits=8) for _ in range(2)]
    ptq = PTQ(QuantConfig(activation=observers[0], weight=observers[1]))
    net.layer.eval()
    prepared = ptq.quantize(net.layer)
    prepared(*map(paddle.to_tensor, net.inputs))
    layer = ptq.convert(prepared)
    layer.eval()
    prefix = str(folder / "saved" / "net")
    paddle.jit.save(layer, prefix, input_spec=net.spec)
    return prefix


def predicted(prefix: str, x: np.ndarray) -> np.ndarray:
    predictor = inference.create_predictor(
        inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams")
    )
    predictor.get_input_handle(predictor.get_input_names()[0]).copy_from_cpu(x)
    predictor.run()
    return predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()


@pytest.mark.parametrize("network", [lenet, strided, small_convolutions])
def test_a_library_computes_what_a_predictor_does(network, tmp_path):
    net = network()
    prefix = quantized(net, tmp_path)
    library = LoadedLibrary(export(prefix, str(tmp_path), target=here(), name="net")[0])
    library.verify()
    found = library.run(*net.inputs)[0]
    np.testing.assert_allclose(found, predicted(prefix, net.inputs[0]), rtol=1e-5, atol=1e-5)


def test_its_weights_take_less_than_a_third(tmp_path):
    net = lenet()
    prefix = quantized(net, tmp_path)
    options = {"target": here(), "name": "net", "weights": "beside"}
    small = export(prefix, str(tmp_path / "small"), **options)[2]
    large = export(net.layer, str(tmp_path / "large"), input_spec=net.spec, **options)[2]
    assert Path(small).stat().st_size <= SIZE * Path(large).stat().st_size


@pytest.mark.parametrize("target", [*TARGETS, "riscv64"])
def test_each_processor_has_the_bits_of_a_predictor(target, tmp_path):
    net = mixed()
    prefix = quantized(net, tmp_path)
    runner = runner_of(target)
    (file,) = export(prefix, str(tmp_path), target=target, kind="executable", name="net")
    np.save(tmp_path / "x.npy", net.inputs[0])
    subprocess.run([*runner, file, tmp_path / "x.npy", tmp_path / "y.npy"], check=True)
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), on_numpy(prefix, net.inputs[0]))


def runner_of(target: str) -> list[str]:
    """What runs a program of a target here; a skip where nothing does."""
    architecture = target.partition("-")[0]
    if architecture == "x86":
        if not all(host().has(f) for f in MACHINES[target].features):
            pytest.skip(f"this machine is no {target}")
        return []
    emulator = shutil.which(f"qemu-{architecture}")
    return [emulator] if emulator else pytest.skip(f"there is no qemu-{architecture}")


def on_numpy(prefix: str, x: np.ndarray) -> np.ndarray:
    """What NumPy's kernels give, of integers as a Predictor has them."""
    program = run_passes(program_of(prefix, None, None), PassStrategy().all_passes())
    assert any(o.op is integer_conv2d for o in program.main.ops)
    lowered = lower(program)
    executable = NumpyExecutable(lowered)
    states = [array_of(lowered.states[name]) for name in executable.state_names]
    return np.asarray(executable.execute([x], states)[0][0])


@needs_node
def test_a_page_has_the_bits_of_a_predictor(tmp_path):
    net = mixed()
    prefix = quantized(net, tmp_path)
    export(prefix, str(tmp_path), target="wasm32", kind="wasm", name="net")
    in_node(
        tmp_path,
        """
        const out = model.run({ x0: new Float32Array(bytes("x0.bin")) });
        writeFileSync(new URL("y.bin", import.meta.url), Object.values(out)[0]);
        """,
        net.inputs,
    )
    found = np.fromfile(tmp_path / "y.bin", np.float32).reshape(2, 10)
    np.testing.assert_array_equal(found, on_numpy(prefix, net.inputs[0]))


def test_products_of_integers_are_of_the_tiles_made_for_them(tmp_path):
    prefix = quantized(mixed(), tmp_path)
    target = MACHINES["x86-64-v4-vnni"].target
    found = compiled_for(program_of(prefix, None, None), target)
    names = [k.name for k in kernels_run(found.commands)]
    assert names.count("integer_product") == 4
    assert names.count("integer_depthwise") == 1


@pytest.mark.parametrize(
    ("target", "instruction"),
    [
        ("x86-64-v3", "vpmaddwd"),
        ("x86-64-v4-vnni", "vpdpbusd"),
        ("aarch64-dotprod", "sdot"),
        ("wasm32", "i32x4.dot_i16x8_s"),
    ],
)
def test_processors_multiply_by_the_instructions_made_for_it(target, instruction):
    machine = MACHINES[target].target
    grouped = Grouped(shape_of(float32, machine), dot_of(machine))
    text = integer_product(grouped, Ending(True, True, int8, "relu", True, int8), machine)
    assert instruction in assembly(text, machine)


def assembly(text: str, target: Target) -> str:
    """The instructions of a text."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    made = llvm.Target.from_triple(target.triple)
    machine = made.create_target_machine(target.cpu, target.features, 2)
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return machine.emit_assembly(module)
