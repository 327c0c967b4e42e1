"""`python -m twinoar.distributed.launch script.py`: a script in as many processes as are asked for.

The options are those of Paddle's launcher. One process runs the script as `twinoar run` does; more
of them are started by `mpirun`, with the environment that Paddle's launcher gives a process. Within
a job of MPI or Slurm nothing is started: this process becomes its rank of the job. A job whose rank
has died starts again, where that is asked for, see `elastic`. With `--server_num` or `--servers` it
is a job with parameter servers: see `servers`.
"""

from __future__ import annotations

import argparse
import functools
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twinoar.distributed.launch import elastic, servers
from twinoar.distributed.launch.mpirun import Plan, Running
from twinoar.distributed.world import refuse_more
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.runtime.collective.job import HERE, environment_of, starter, this_job

# Options that take a value; processes on processors have no use for most of them.
VALUES = (
    "auto_cluster_config", "auto_parallel_config", "auto_tuner_json", "devices", "gpus", "xpus",
    "npus", "host", "ips", "elastic_level", "elastic_timeout", "gloo_port", "job_id", "legacy",
    "log_dir", "log_level", "log_overwrite", "master", "max_restart", "nnodes", "nproc_per_node",
    "rank", "run_mode", "server_num", "servers", "sort_ip", "start_port", "trainer_num", "trainers",
    "with_gloo", "enable_gpu_log", "backend", "heter_worker_num", "heter_workers", "http_port",
    "worker_num", "workers", *servers.OWN,
)  # fmt: skip
HETEROGENEOUS = ("heter_worker_num", "heter_workers")
DEVICES = ("devices", "gpus", "xpus", "npus")


def parse(arguments: Sequence[str]) -> Any:
    """The options, the script and its own arguments. Raises UnsupportedError, ArgumentError."""
    parser = argparse.ArgumentParser(
        prog="python -m paddle.distributed.launch",
        description="Run a script in as many processes as are asked for.",
        allow_abbrev=False,
    )
    for name in VALUES:
        parser.add_argument(f"--{name}", metavar="VALUE")
    parser.add_argument("script", help="the script's file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own arguments")
    parsed = parser.parse_args(arguments)
    for name in HETEROGENEOUS:
        if getattr(parsed, name) not in (None, "", "0"):
            raise UnsupportedError(
                f"--{name}: workers of several kinds of devices", cure=f"leave out --{name}"
            )
    if parsed.run_mode not in (None, "collective", "ps"):
        raise UnsupportedError(
            f"--run_mode {parsed.run_mode}: there are collective and ps",
            cure="leave out --run_mode",
        )
    return parsed


def plan_of(parsed: Any) -> Plan:
    """The processes that the options ask for. Raises ArgumentError, UnsupportedError."""
    devices = next((getattr(parsed, d) for d in DEVICES if getattr(parsed, d)), None)
    each = _count(parsed, "nproc_per_node", len(devices.split(",")) if devices else 1)
    least, most = elastic.machines_of(parsed.nnodes, len((parsed.ips or HERE).split(",")))
    hosts = parsed.ips.split(",") if parsed.ips else [HERE] * (most if most > least else 1)
    if most != len(hosts):
        raise ArgumentError(
            f"--nnodes {parsed.nnodes} and {len(hosts)} machine(s) in --ips",
            cure="name all machines, once, on one of them: --ips host1,host2; or start the script "
            "by mpirun or srun",
        )
    if each < 1:
        raise ArgumentError(f"--nproc_per_node {each}: expected at least 1")
    command = command_of(parsed)
    logs = Path(parsed.log_dir) if parsed.log_dir else None
    return Plan(each, command, hosts, logs)


def command_of(parsed: Any) -> list[str]:
    """What each process runs."""
    return [sys.executable, "-m", "twinoar", "run", parsed.script, *parsed.arguments]


def _count(parsed: Any, name: str, default: int) -> int:
    text = getattr(parsed, name)
    return default if text is None else _number(name, text)


def _number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ArgumentError(f"--{name} {text}: expected a number") from None


def launch(arguments: Sequence[str] | None = None) -> None:
    """Run the script that the command line names, in its processes, and end with their exit code.

    arguments: those of the process by default. Raises ArgumentError, UnsupportedError.
    """
    parsed = parse(sys.argv[1:] if arguments is None else arguments)
    if servers.is_asked(parsed):
        raise SystemExit(servers.run(servers.plan_of(parsed, command_of(parsed))))
    plan = plan_of(parsed)
    restarts = elastic.Restarts(
        *elastic.machines_of(parsed.nnodes, len(plan.hosts)), _count(parsed, "max_restart", -1)
    )
    if starter() is None and (plan.size > 1 or restarts.are_wanted):
        raise SystemExit(run_plan(plan, restarts))
    os.environ.update(environment_of(this_job()))
    sys.stdout.flush()
    os.execv(sys.executable, list(plan.command))


def run_plan(plan: Plan, restarts: elastic.Restarts = elastic.NEVER) -> int:
    """The exit code of a job, of the last if it starts again; its processes end with this one."""
    done = 0
    while True:
        running = Running(plan)
        stop = functools.partial(_stop, running)
        signal.signal(signal.SIGTERM, stop)
        try:
            code = running.wait()
        except KeyboardInterrupt:
            return 128 + signal.SIGINT
        assert code is not None
        following = None
        if code and not running.is_stopped:
            following = restarts.following(plan, running.lost, done)
        if following is None:
            return 128 - code if code < 0 else code
        plan, done = following, done + 1


def _stop(running: Running, number: int, frame: Any) -> None:
    running.stop(number)


__all__ = ["launch"]
