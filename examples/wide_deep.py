"""Wide & deep on click logs that it makes: one process, or workers with parameter servers.

    python examples/wide_deep.py
    twinoar launch --server_num 2 --worker_num 2 examples/wide_deep.py --mode sync

The model of clicks is known, so the best possible area under the curve (AUC) is, too: it is printed
beside that of the network. Source of the network: arXiv 1606.07792.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import static
from twinoar.distributed import InMemoryDataset, fleet

FIELDS, VALUES, WIDTH, RANGES = 6, 2_000, 8, 1_000
MODES = {"sync": None, "async": 0, "geo": 8}  # steps between meetings


def clicks(seed: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logs: ids [count,FIELDS], clicks [count,1], and the probabilities that these were drawn by.

    Some ids are common and most are rare, as in logs; each has a weight, and pairs interact.
    """
    model, numbers = np.random.default_rng(11), np.random.default_rng(seed)
    weights = model.standard_normal((FIELDS, VALUES)) * 0.7
    vectors = model.standard_normal((FIELDS, VALUES, 2)) * 0.5
    values = np.minimum(numbers.zipf(1.3, (count, FIELDS)) - 1, VALUES - 1)
    fields = np.arange(FIELDS)
    chosen = vectors[fields, values]
    pairs = (chosen[:, 0] * chosen[:, 1] + chosen[:, 2] * chosen[:, 3]).sum(1)
    logit = weights[fields, values].sum(1) + 2 * pairs - 1.5
    probability = 1 / (1 + np.exp(-logit))
    clicked = (numbers.random(count) < probability)[:, None]
    return values + fields * VALUES, clicked.astype("float32"), probability


def write_logs(folder: Path, files: int, lines: int) -> list[str]:
    """Files of click logs as data sets of slots read them; those that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for number in range(files):
        file = folder / f"part-{number}-{lines}.txt"
        names.append(str(file))
        if not file.exists():
            ids, clicked, _ = clicks(100 + number, lines)
            rows = zip(ids.tolist(), clicked[:, 0].tolist(), strict=True)
            text = "".join(f"{FIELDS} {' '.join(map(str, i))} 1 {c:g}\n" for i, c in rows)
            unfinished = file.with_suffix(f".{fleet.worker_index()}")  # workers may all write it
            unfinished.write_text(text)
            unfinished.replace(file)
    return names


def wide_and_deep() -> tuple[Any, Any, Any, Any]:
    """The inputs, the probability of a click, and the loss."""
    ids = static.data("ids", [None, FIELDS], "int64")
    clicked = static.data("clicked", [None, 1], "float32")
    uniform = paddle.nn.initializer.Uniform(-0.05, 0.05)
    size = FIELDS * VALUES
    wide = static.nn.sparse_embedding(
        ids, [size, 1], param_attr=paddle.ParamAttr("wide", initializer=uniform)
    )
    deep = static.nn.sparse_embedding(
        ids, [size, WIDTH], param_attr=paddle.ParamAttr("deep", initializer=uniform)
    )
    hidden = static.nn.fc(deep, 32, num_flatten_dims=1, activation="relu")
    logit = static.nn.fc(hidden, 1) + wide.sum(1)
    loss = paddle.nn.functional.binary_cross_entropy_with_logits(logit, clicked)
    return ids, clicked, paddle.nn.functional.sigmoid(logit), loss


def counted(scores: np.ndarray, clicked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many clicks, and others, have a score in each of RANGES ranges."""
    places = np.minimum((scores.ravel() * RANGES).astype(int), RANGES - 1)
    is_click = clicked.ravel() > 0.5
    return tuple(np.bincount(places[c], minlength=RANGES)[None] for c in (is_click, ~is_click))  # type: ignore[return-value]


def strategy(mode: str) -> fleet.DistributedStrategy:
    """How workers go on."""
    found, steps = fleet.DistributedStrategy(), MODES[mode]
    if steps is not None and fleet.server_num():
        found.a_sync = True
        found.a_sync_configs = {"k_steps": steps}
    return found


def train(arguments: argparse.Namespace, inputs: list[Any], score: Any, test: Any) -> None:
    """Train as one worker, and print what all of them have learned."""
    executor = static.Executor()
    executor.run(static.default_startup_program())
    fleet.init_worker()
    data = InMemoryDataset()
    data.init(batch_size=arguments.batch // fleet.worker_num(), use_var=inputs)
    files = write_logs(Path(arguments.logs), 4, arguments.lines)
    data.set_filelist(fleet.util.get_file_shard(files))
    data.load_into_memory()
    begun = time.perf_counter()
    for _ in range(arguments.epochs):
        data.global_shuffle(fleet)
        executor.train_from_dataset(static.default_main_program(), data)
    fleet.barrier_worker()
    seconds = time.perf_counter() - begun
    if arguments.checkpoint and fleet.is_first_worker():
        fleet.save_persistables(executor, arguments.checkpoint)
    ids, clicked, best = clicks(7, arguments.tests)
    own = slice(fleet.worker_index(), None, fleet.worker_num())
    (scores,) = executor.run(test, {"ids": ids[own], "clicked": clicked[own]}, [score])
    found = {
        "auc": round(fleet.metrics.auc(*counted(scores, clicked[own])), 4),
        "best": round(fleet.metrics.auc(*counted(best[own], clicked[own])), 4),
        "examples a second": int(arguments.epochs * 4 * arguments.lines / seconds),
    }
    if fleet.is_first_worker():
        print(json.dumps(found), flush=True)
    fleet.stop_worker()


def main() -> None:
    """Build the network in every process; serve, or train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mode", choices=MODES, default="sync", help="how workers go on")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=256, help="examples in a step of all workers")
    parser.add_argument("--lines", type=int, default=20_000, help="in each of 4 files")
    parser.add_argument("--tests", type=int, default=20_000, help="examples that measure the area")
    parser.add_argument("--seed", type=int, default=0, help="of weights, rows and order")
    parser.add_argument("--logs", default="build/clicks", help="folder of the click logs")
    parser.add_argument("--checkpoint", help="folder to save the tables in")
    arguments = parser.parse_args()
    paddle.seed(5 + arguments.seed)
    paddle.enable_static()
    static.default_main_program().random_seed = arguments.seed
    fleet.init()
    ids, clicked, score, loss = wide_and_deep()
    adam = paddle.optimizer.Adam(0.002, lazy_mode=True)
    fleet.distributed_optimizer(adam, strategy(arguments.mode)).minimize(loss)
    test = static.default_main_program().clone(for_test=True)
    if fleet.is_server():
        fleet.init_server()
        fleet.run_server()
    else:
        train(arguments, [ids, clicked], score, test)


if __name__ == "__main__":
    main()
