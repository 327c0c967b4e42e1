"""What AutoCompression saves and costs: a LeNet that has learnt MNIST, saved, and made smaller.

Each configuration is given the saved model and 20,000 images of `$TWINOAR_DATA_HOME` without
labels, and is scored on the 10,000 others; what is printed is the report that it writes beside the
model. A loss of more than half a percent is an error.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from quantization import SPEC, digits, learn

import twinoar as paddle
from twinoar import jit
from twinoar.slim.auto_compression import AutoCompression
from twinoar.vision.models import LeNet

BATCH, TAUGHT = 100, 20000
MAY_LOSE = 0.005
TRAIN = {
    "epochs": 3,
    "eval_iter": 200,
    "learning_rate": 0.001,
    "optimizer_builder": {"optimizer": {"type": "Adam"}},
}
WAYS: dict[str, dict[str, Any]] = {
    "calibrated": {"QuantPost": {"algo": "hist"}},
    "fewer filters, integers": {
        "ChannelPrune": {"pruned_ratio": 0.25},
        "QuantAware": {},
        "Distillation": {"loss": "l2"},
        "TrainConfig": TRAIN,
    },
    "zeros": {
        "UnstructurePrune": {"ratio": 0.75, "prune_params_type": None},
        "Distillation": {"loss": "l2"},
        "TrainConfig": TRAIN,
    },
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ways", nargs="*", choices=sorted(WAYS), default=list(WAYS))
    given = parser.parse_args(arguments)
    paddle.seed(0)
    images, labels = digits("train")
    tested, answers = digits("test")
    net = LeNet()
    learn(net, images, labels, 1e-3, 0)
    net.eval()

    def batches() -> Iterator[dict[str, np.ndarray]]:
        for start in range(0, TAUGHT, BATCH):
            yield {"x": images[start : start + BATCH]}

    def score(executor: Any, program: Any, feeds: Any, fetches: Any) -> float:
        right = 0
        for start in range(0, len(tested), 1000):
            fed = {feeds[0]: tested[start : start + 1000]}
            (found,) = executor.run(program, feed=fed, fetch_list=fetches)
            right += int((found.argmax(1) == answers[start : start + 1000, 0]).sum())
        return right / len(tested)

    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        jit.save(net, f"{folder}/floats/model", input_spec=SPEC)
        for way in given.ways:
            made = AutoCompression(
                f"{folder}/floats",
                batches,
                save_dir=f"{folder}/small",
                config=WAYS[way],
                eval_callback=score,
            )
            report = made.compress()
            print(f"{way}\n{report}\n", flush=True)
            worst = max(worst, report.rows[0].score - report.rows[-1].score)
    if worst > MAY_LOSE:
        print(f"{100 * worst:.2f} percent are lost, allowed are {100 * MAY_LOSE}")
    return int(worst > MAY_LOSE)


if __name__ == "__main__":
    sys.exit(main())
