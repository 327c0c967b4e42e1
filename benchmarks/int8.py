"""ResNet-18 and MobileNetV2 in integers of 8 bits: beside float32, ONNX Runtime and OpenVINO.

The networks have random weights, which times do not depend on, and see one image. Values are
rounded by the largest magnitudes that were seen, weights by those of each filter; both are saved as
Paddle saves quantized networks, loaded by a Predictor and timed in turns: by the least seconds of
processor time in one thread, by those of the clock in more, where waiting counts as well. Peers are
run by a Python that has onnx, onnxruntime and openvino, and quantize the same network themselves.
Integers that are not twice as fast as float32, or files of more than 30% of its size, are errors;
so is a result that differs from rounded floats' by more than these differ from the network's own.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from turns import Peer, started

import twinoar as paddle
from twinoar import nn, static
from twinoar.core.ir.program import Program, State
from twinoar.quantization import PTQ, QuantConfig
from twinoar.quantization.observers import AbsMaxChannelWiseWeightObserver, AbsmaxObserver
from twinoar.vision import models

NETWORKS = ("resnet18", "mobilenet_v2")
SHAPE = (1, 3, 224, 224)
FASTER, SMALLER = 2.0, 0.3
PEERS = ("ONNX Runtime", "OpenVINO", "ONNX Runtime, float32", "OpenVINO, float32")
SUFFIXES = (".pdmodel", ".pdiparams")


def made(name: str) -> nn.Layer:
    """A network whose batch norms have seen something."""
    paddle.seed(0)
    random = np.random.default_rng(0)
    network = getattr(models, name)()
    network.eval()
    for layer in network.sublayers():
        if isinstance(layer, nn.BatchNorm2D):
            c = layer._mean.shape[0]
            layer._mean.set_value(paddle.to_tensor(random.normal(0, 0.05, c).astype(np.float32)))
            spread = random.uniform(0.8, 1.2, c).astype(np.float32)
            layer._variance.set_value(paddle.to_tensor(spread))
    return network


def rounded(network: nn.Layer, image: Any) -> nn.Layer:
    """A network whose products are of rounded values, calibrated on an image."""
    config = QuantConfig(activation=None, weight=None)
    products = [nn.Conv2D, nn.Linear]
    config.add_type_config(products, AbsmaxObserver(), AbsMaxChannelWiseWeightObserver())
    calibrated = PTQ(config).quantize(network)
    calibrated(image)
    return PTQ(config).convert(calibrated)


def predictor(path: Path, *more: str, threads: int = 1) -> Any:
    """A Predictor of saved files, with passes besides those of inference."""
    config = paddle.inference.Config(*(f"{path}{suffix}" for suffix in SUFFIXES))
    config.set_cpu_math_library_num_threads(threads)
    builder = config.pass_builder()
    for name in more:
        builder.insert_pass(builder.all_passes().index("use_integers"), name)
    return paddle.inference.create_predictor(config)


def size_of(path: Path) -> int:
    """Bytes of saved files."""
    return sum(Path(f"{path}{suffix}").stat().st_size for suffix in SUFFIXES)


def export(program: Program, folder: Path, image: np.ndarray) -> None:
    """Write a network as passes for inference have left it, for the peers."""
    weights: dict[str, np.ndarray] = {}
    operators = []
    for o in program.main.ops:
        names = []
        for x in (x for x in o.operands if x is not None):
            names.append(x.name)
            if isinstance(x, State):
                weights[x.name] = np.asarray(x.data)
        kind, attributes, more = ONNX[o.op.name](o.attrs)
        for n, number in enumerate(more):
            names.append(f"{o.results[0].name}.{n}")
            weights[names[-1]] = np.float32(number)
        found = {"type": kind, "inputs": names, "attributes": attributes}
        operators.append({**found, "output": o.results[0].name})
    network = {
        "operators": operators,
        "input": program.main.inputs[0].name,
        "output": program.main.outputs[0].name,
        "shape": SHAPE,
    }
    (folder / "network.json").write_text(json.dumps(network))
    np.savez(folder / "weights.npz", **weights)
    np.save(folder / "images.npy", image)


def _window(attrs: dict[str, Any]) -> dict[str, Any]:
    top, bottom, left, right = attrs["padding"]
    return {"strides": list(attrs["stride"]), "pads": [top, left, bottom, right]}


# By operator: ONNX's name, attributes, and numbers that are operands there.
ONNX: dict[str, Callable[[dict[str, Any]], tuple[str, dict[str, Any], tuple[float, ...]]]] = {
    "conv2d": lambda a: ("Conv", {**_window(a), "group": a["groups"]}, ()),
    "add": lambda a: ("Add", {}, ()),
    "relu": lambda a: ("Relu", {}, ()),
    "relu6": lambda a: ("Clip", {}, (0.0, 6.0)),
    "max_pool2d": lambda a: (
        "MaxPool", {**_window(a), "kernel_shape": list(a["kernel_size"])}, ()
    ),
    "adaptive_avg_pool2d": lambda a: ("GlobalAveragePool", {}, ()),
    "flatten": lambda a: ("Flatten", {"axis": a["start_axis"]}, ()),
    "linear": lambda a: ("Gemm", {}, ()),
}  # fmt: skip


def seconds_of(run: Callable[[], Any], threads: int) -> float:
    """The time of a call."""
    clock = time.process_time if threads == 1 else time.perf_counter
    begin = clock()
    run()
    return clock() - begin


def compared(name: str, turns: int, python: str, threads: int) -> dict[str, float]:
    """Least seconds of a network by way; prints sizes and errors, which are checked."""
    network = made(name)
    image = np.random.default_rng(1).normal(size=SHAPE).astype(np.float32)
    given = paddle.to_tensor(image)
    spec = [static.InputSpec(SHAPE, name="x")]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        exact = network(given).numpy()
        paddle.jit.save(network, str(folder / "float"), input_spec=spec)
        network = rounded(network, given)
        expected = network(given).numpy()
        paddle.jit.save(network, str(folder / "integers"), input_spec=spec)
        ways = {
            "float32": predictor(folder / "float", threads=threads),
            "int8": predictor(folder / "integers", threads=threads),
        }
        size = size_of(folder / "integers") / size_of(folder / "float")
        assert size <= SMALLER, f"{name} in integers takes {size:.1%} of its size"
        error = np.abs(expected - exact).max()
        for way, model in ways.items():
            found = np.abs(np.asarray(model.run([image])[0]) - expected).max()
            assert found <= 1.01 * error, f"{name}, {way}: {found} is more than {error}"
        print(f"{name}: files {size:.1%}, rounding changes results by {error / exact.std():.2%}")
        export(ways["float32"].program, folder, image)
        script = Path(__file__).with_name("int8_peers.py")
        with started([[python, script, folder]] if python else [], threads) as peers:
            return least(ways, image, peers, turns, threads)


def least(
    ways: dict[str, Any], image: np.ndarray, peers: list[Peer], turns: int, threads: int
) -> dict[str, float]:
    """The least seconds by way, which take turns."""
    found: dict[str, float] = {}
    for _ in range(turns):
        for way, model in ways.items():
            seconds = [seconds_of(lambda m=model: m.run([image]), threads) for _ in range(5)]
            found[way] = min(found.get(way, 1.0), *seconds)
        for peer in peers:
            for way in PEERS:
                found[way] = min(found.get(way, 1.0), *peer.results(way, 5))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--python", default="", help="one that has onnxruntime and openvino")
    given = parser.parse_args()
    too_slow = []
    for name in NETWORKS:
        found = compared(name, given.turns, given.python, given.threads)
        for way, seconds in found.items():
            ratio = found["float32"] / seconds
            print(f"  {way:24} {1000 * seconds:8.2f} ms  {ratio:5.2f} times float32")
        if found["float32"] < FASTER * found["int8"]:
            too_slow.append(name)
    if too_slow:
        sys.exit(f"integers are not {FASTER} times as fast: {', '.join(too_slow)}")


if __name__ == "__main__":
    main()
