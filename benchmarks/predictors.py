"""What a Predictor costs: its first answer in a fresh process, a clone, and very many answers.

Networks have random weights. The first answer counts all processor time of a process, with machine
code kept on the disk, as after a first run; ONNX Runtime and OpenVINO answer from an ONNX file of
the same network, in a Python that has them, or are left out. A clone is what six more threads at
once add to resident memory, divided by six. Last, 32 threads share one Predictor of a small
network: all answers must have the bits of the first, and memory, looked at each second, must not
grow. `--networks` without names leaves out the rest, so a million predictions take half a minute:

    python benchmarks/predictors.py --networks --predictions 1000000

What an answer costs when all is warm, beside the same peers, is told by int8.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NETWORKS = ("mobilenet_v2", "resnet18")
SHAPE = (1, 3, 224, 224)
CLONES, THREADS = 6, 32
GROWTH_BYTES = 8 << 20  # of resident memory, from a tenth of all predictions to the end
MEBI = 1 << 20


def predictor(prefix: str) -> Any:
    """A Predictor of saved files, in one thread."""
    from twinoar import inference

    config = inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams")
    config.set_cpu_math_library_num_threads(1)
    return inference.create_predictor(config)


def in_twinoar(prefix: str, image: Any) -> Any:
    """An answer."""
    return predictor(prefix).run([image])[0]


def in_onnxruntime(prefix: str, image: Any) -> Any:
    """An answer of ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(f"{prefix}.onnx", options, ["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: image})[0]


def in_openvino(prefix: str, image: Any) -> Any:
    """An answer of OpenVINO."""
    import openvino

    compiled = openvino.Core().compile_model(f"{prefix}.onnx", "CPU")
    return compiled.create_infer_request().infer({0: image})[0]


WAYS: dict[str, Callable[[str, Any], Any]] = {
    "twinoar": in_twinoar, "ONNX Runtime": in_onnxruntime, "OpenVINO": in_openvino,
}  # fmt: skip


def first_answer(way: str, prefix: str) -> None:
    """In a process of its own: print its processor time until the first answer, null without it."""
    import numpy as np

    try:
        WAYS[way](prefix, np.ones(SHAPE, np.float32))
    except ModuleNotFoundError:
        print("null")
    else:
        print(json.dumps(time.process_time()))


def first_answers(prefix: str, python: str, turns: int) -> dict[str, float]:
    """The least seconds by way."""
    found: dict[str, float] = {}
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(turns):
        for way in WAYS:
            executable = sys.executable if way == "twinoar" else python or sys.executable
            command = [executable, __file__, "--way", way, "--prefix", prefix]
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=True
            )
            seconds = json.loads(done.stdout.splitlines()[-1])
            if seconds is not None:
                found[way] = min(found.get(way, seconds), seconds)
    return found


def resident_bytes() -> int:
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def clone_bytes(prefix: str) -> float:
    """What a clone in a thread of its own adds."""
    import numpy as np

    image, one = np.ones(SHAPE, np.float32), predictor(prefix)
    for _ in range(3):
        one.run([image])
    before, clones, all_here = resident_bytes(), [], threading.Barrier(CLONES)
    for _ in range(CLONES):
        clones.append(one.clone())

    def run(clone: Any) -> bytes:
        all_here.wait()
        return [clone.run([image])[0].tobytes() for _ in range(5)][-1]

    with ThreadPoolExecutor(CLONES) as pool:
        answers = set(pool.map(run, clones))
    assert answers == {one.run([image])[0].tobytes()}, "threads have other bits"
    return (resident_bytes() - before) / CLONES


@contextmanager
def watched() -> Iterator[list[int]]:
    """Resident memory, each second until the end of the block."""
    seen, over = [resident_bytes()], threading.Event()

    def watch() -> None:
        while not over.wait(1.0):
            seen.append(resident_bytes())

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()
        seen.append(resident_bytes())


def many(count: int) -> tuple[float, list[int]]:
    """Predictions a second of threads that share a Predictor, and memory, second by second."""
    import numpy as np

    import twinoar as paddle
    from twinoar import nn, static

    with tempfile.TemporaryDirectory() as folder:
        net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 8), nn.Softmax())
        spec = [static.InputSpec([None, 16], name="x")]
        paddle.jit.save(net, f"{folder}/net", input_spec=spec)
        shared = predictor(f"{folder}/net")
    handle, name = shared.get_input_handle("x"), shared.get_output_names()[0]
    given = [np.full((1 + n % 3, 16), n / THREADS, np.float32) for n in range(THREADS)]
    expected = [shared.run([x])[0].tobytes() for x in given]

    def run(n: int, times: int) -> None:
        for _ in range(times):
            handle.share_external_data(given[n])
            shared.run()
            assert shared.get_output_handle(name).copy_to_cpu().tobytes() == expected[n]

    def all_run(times: int) -> None:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(run, range(THREADS), [times // THREADS] * THREADS))

    all_run(count // 10)
    start = time.perf_counter()
    with watched() as memory:
        all_run(count - count // 10)
    seconds = time.perf_counter() - start
    return (count - count // 10) / seconds, memory


def saved(name: str, folder: str) -> str:
    """The prefix of a network's files."""
    import twinoar as paddle
    from twinoar import static
    from twinoar.vision import models

    paddle.seed(0)
    network = getattr(models, name)()
    network.eval()
    prefix, spec = f"{folder}/{name}", [static.InputSpec([1, *SHAPE[1:]], name="x")]
    paddle.jit.save(network, prefix, input_spec=spec)
    paddle.onnx.export(network, prefix, input_spec=spec)
    return prefix


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--networks", nargs="*", default=NETWORKS, choices=NETWORKS)
    parser.add_argument("--predictions", type=int, default=1_000_000)
    parser.add_argument("--python", default="", help="one that has onnxruntime and openvino")
    parser.add_argument("--way", default="", choices=("", *WAYS), help=argparse.SUPPRESS)
    parser.add_argument("--prefix", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.way:
        first_answer(given.way, given.prefix)
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in given.networks:
            prefix = saved(name, folder)
            found = first_answers(prefix, given.python, given.turns)
            shown = ", ".join(f"{way} {seconds:.2f} s" for way, seconds in found.items())
            print(f"{name}: first answer {shown}; a clone {clone_bytes(prefix) / MEBI:.1f} MiB")
    speed, memory = many(given.predictions)
    grown, most = memory[-1] - memory[0], max(memory) - memory[0]
    print(
        f"{given.predictions} predictions in {THREADS} threads: {speed:.0f} a second, memory of "
        f"{memory[0] / MEBI:.0f} MiB has grown by {grown / MEBI:.1f}, at most by "
        f"{most / MEBI:.1f}, seen {len(memory)} times"
    )
    if most > GROWTH_BYTES:
        sys.exit("memory grows")


if __name__ == "__main__":
    main()
