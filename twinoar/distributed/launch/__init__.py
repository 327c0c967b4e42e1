"""`python -m twinoar.distributed.launch script.py`: a script by itself, as one process.

The options are those of Paddle's launcher. The script runs as `twinoar run` runs it, in this
process, with the environment that the launcher gives a process; several processes, machines or
servers are refused.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from twinoar.distributed.world import refuse_more
from twinoar.errors import UnsupportedError

# Options that take a value; one process has no use for most of them.
VALUES = (
    "auto_cluster_config", "auto_parallel_config", "auto_tuner_json", "devices", "gpus", "xpus",
    "npus", "host", "ips", "elastic_level", "elastic_timeout", "gloo_port", "job_id", "legacy",
    "log_dir", "log_level", "log_overwrite", "master", "max_restart", "nnodes", "nproc_per_node",
    "rank", "run_mode", "server_num", "servers", "sort_ip", "start_port", "trainer_num", "trainers",
    "with_gloo", "enable_gpu_log", "backend", "heter_worker_num", "heter_workers", "http_port",
)  # fmt: skip
SEVERAL = ("nproc_per_node", "trainer_num", "server_num", "heter_worker_num")
LISTS = ("devices", "gpus", "xpus", "npus", "ips", "trainers", "servers", "heter_workers")
ADDRESS = "127.0.0.1:6170"
ENVIRONMENT = {
    "PADDLE_TRAINER_ID": "0",
    "PADDLE_TRAINERS_NUM": "1",
    "PADDLE_LOCAL_RANK": "0",
    "PADDLE_GLOBAL_RANK": "0",
    "PADDLE_LOCAL_SIZE": "1",
    "PADDLE_GLOBAL_SIZE": "1",
    "PADDLE_NNODES": "1",
    "PADDLE_RANK_IN_NODE": "0",
    "PADDLE_CURRENT_ENDPOINT": ADDRESS,
    "PADDLE_TRAINER_ENDPOINTS": ADDRESS,
}


def parse(arguments: Sequence[str]) -> Any:
    """The options, the script and its own arguments. Raises UnsupportedError."""
    parser = argparse.ArgumentParser(
        prog="python -m paddle.distributed.launch",
        description="Run a script as one process.",
        allow_abbrev=False,
    )
    for name in VALUES:
        parser.add_argument(f"--{name}", metavar="VALUE")
    parser.add_argument("script", help="the script's file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own arguments")
    parsed = parser.parse_args(arguments)
    for name in SEVERAL:
        text = getattr(parsed, name)
        if text is not None:
            refuse_more(f"--{name}", int(text), f"leave out --{name}")
    for name in LISTS:
        members = (getattr(parsed, name) or "").split(",")
        refuse_more(f"the number of {name} in --{name}", len(members), f"name one of {name}")
    _check_nodes(parsed.nnodes)
    if parsed.run_mode not in (None, "collective"):
        raise UnsupportedError(
            f"--run_mode {parsed.run_mode}: there are no servers", cure="leave out --run_mode"
        )
    return parsed


def _check_nodes(text: str | None) -> None:
    """`--nnodes 1`, or a range such as 1:1 whose least number is one."""
    if text is not None:
        refuse_more("--nnodes", int(text.partition(":")[0]), "pass --nnodes 1")


def launch(arguments: Sequence[str] | None = None) -> None:
    """Run the script that the command line names, as its process 0 of one.

    arguments: those of the process by default. Raises UnsupportedError for several processes.
    """
    parsed = parse(sys.argv[1:] if arguments is None else arguments)
    os.environ.update(ENVIRONMENT)
    command = [sys.executable, "-m", "twinoar", "run", parsed.script, *parsed.arguments]
    sys.stdout.flush()
    os.execv(sys.executable, command)


__all__ = ["launch"]
