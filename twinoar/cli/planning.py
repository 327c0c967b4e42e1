"""`twinoar plan`: what it takes. What it does is loaded when it is asked for: see `planned`."""

from __future__ import annotations

import importlib
import sys
from typing import Any

LAZY = {"act": "twinoar.cli.planned"}


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def declare(commands: Any) -> None:
    """Say what the command takes."""
    parser = commands.add_parser(
        "plan",
        help="price a step of a model on thousands of ranks, or measure the network of a job",
        description="Divide a step of training over shapes alone and price it for data, tensor, "
        "sharded and pipeline splits: time, memory of a rank, bytes that travel. With --measure, "
        "find out what collectives take on this cluster, once, and keep it in a file.",
    )
    parser.add_argument(
        "model", nargs="?", help="a saved model's prefix, a .pdmodel, or model.py:function"
    )
    parser.add_argument("--measure", metavar="FILE", help="measure the network, and write it there")
    parser.add_argument("--ranks", type=int, help="how many there are; in a job, those of it")
    parser.add_argument(
        "--network",
        metavar="NETWORK",
        help="a file of --measure, '25us,25Gbit/s', or '8x3us,370GB/s;6us,50GB/s' for 8 ranks a "
        "machine: within it, and between machines",
    )
    parser.add_argument("--batch", type=int, help="samples of a step on all ranks, 8 a rank")
    parser.add_argument("--optimizer", default="adam", help="sgd, momentum, adam or adamw")
    parser.add_argument(
        "-i", "--input", action="append", default=[], metavar="SPEC", dest="inputs",
        help="what an argument of the function is, such as f32[N,784]; once for each",
    )  # fmt: skip
    parser.add_argument(
        "--size", action="append", default=[], metavar="NAME=NUMBER", help="an open size"
    )
    parser.add_argument(
        "--split", action="append", default=[], metavar="DxTxP[:STAGE]", dest="splits",
        help="data x tensor x pipeline ranks, and what is sharded; else the usual ones",
    )  # fmt: skip
    parser.add_argument("--microbatches", type=int, default=8, help="of a pipeline, 8")
    parser.add_argument(
        "--buckets", type=float, default=0.0, metavar="MIB",
        help="gradients that are summed together; DataParallel has 25, a mesh none",
    )  # fmt: skip
    parser.add_argument("--speeds", help="of a rank, such as 2TB/s,60TFLOP/s; else this machine's")
    parser.add_argument("--measured", action="store_true", help="time a step here, and scale it")
    parser.add_argument("--all", action="store_true", help="show all splits, not the fastest ten")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(act=lambda given: sys.modules[__name__].act(given))
