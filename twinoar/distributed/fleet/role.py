"""Roles: what this process does among workers and servers, by the environment or by arguments.

Without servers processes are ranks of a job. With servers each is told which it is, of how many.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.distributed.together import together
from twinoar.distributed.world import ParallelEnv, get_rank, get_world_size
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.runtime.collective import this_job
from twinoar.runtime.collective.job import environment_number

SERVERS = "PADDLE_PSERVERS_IP_PORT_LIST"
ROLES = {"TRAINER": 1, "PSERVER": 2}


class Role:
    """What a process does."""

    WORKER, SERVER, HETER_WORKER, ALL, COORDINATOR = range(1, 6)


class RoleMakerBase:
    """Who this process is: the worker that its rank says, or one of a job with servers."""

    def __init__(
        self,
        is_collective: bool = False,
        role: int = Role.WORKER,
        current_id: int = 0,
        worker_endpoints: Sequence[str] = (),
        server_endpoints: Sequence[str] = (),
        worker_num: int | None = None,
    ):
        self._is_collective, self._role = is_collective, role
        self._worker_endpoints = list(worker_endpoints)
        self._server_endpoints = [] if is_collective else list(server_endpoints)
        self._workers: int | None = None  # as told, where there are servers
        if self.has_servers:
            count = len(worker_endpoints) if worker_num is None else worker_num
            self._among_servers(current_id, count)
        else:
            self._among_ranks(current_id)

    @property
    def has_servers(self) -> bool:
        """Whether it is a process of a job with parameter servers."""
        return bool(self._server_endpoints)

    def _among_ranks(self, current_id: int) -> None:
        size = get_world_size()
        if self._role != Role.WORKER:
            raise UnsupportedError(
                f"role {self._role}, and no servers are named: there are none",
                cure="pass server_endpoints, or role=Role.WORKER",
            )
        if current_id not in (0, get_rank()) or len(self._worker_endpoints) > size:
            raise UnsupportedError(
                f"worker {current_id} of {len(self._worker_endpoints)}: this is process "
                f"{get_rank()} of {size}",
                cure="start the script by python -m paddle.distributed.launch",
            )
        self._current_id = get_rank()

    def _among_servers(self, current_id: int, workers: int) -> None:
        if self._role not in (Role.WORKER, Role.SERVER):
            raise UnsupportedError(
                f"role {self._role}: there are workers and servers",
                cure="pass Role.WORKER or Role.SERVER",
            )
        count = workers if self._role == Role.WORKER else len(self._server_endpoints)
        if workers < 1 or not 0 <= current_id < count:
            what = "worker" if self._role == Role.WORKER else "server"
            raise ArgumentError(
                f"{what} {current_id} of {count}, with {workers} workers and "
                f"{len(self._server_endpoints)} servers",
                cure="number workers and servers from 0; see worker_num and server_endpoints",
            )
        self._current_id, self._workers = current_id, workers

    def to_string(self) -> str:
        """What is known of the process, in one line."""
        return (
            f"role: {self._role}, current_id: {self._current_id}, worker_endpoints: "
            f"{self._worker_endpoints}, server_endpoints: {self._server_endpoints}"
        )

    def _worker_num(self) -> int:
        return get_world_size() if self._workers is None else self._workers

    _role_num = _worker_num

    def _node_num(self) -> int:
        if self.has_servers:
            return max(len({e.rpartition(":")[0] for e in self._worker_endpoints}), 1)
        return -(-get_world_size() // max(this_job().local_size, 1))

    _get_node_num = _node_num

    def _worker_index(self) -> int:
        return self._current_id if self.has_servers else get_rank()

    _role_id = _worker_index

    def _server_num(self) -> int:
        return len(self._server_endpoints)

    def _server_index(self) -> int:
        return self._current_id if self._is_server() else 0

    def _is_worker(self) -> bool:
        return self._role == Role.WORKER

    def _is_first_worker(self) -> bool:
        return self._is_worker() and self._worker_index() == 0

    def _is_non_distributed(self) -> bool:
        return self._worker_num() == 1 and not self.has_servers

    def _is_server(self) -> bool:
        return self._role == Role.SERVER

    def _is_heter_worker(self) -> bool:
        return False

    _is_coordinator = _is_heter_worker

    def _get_trainer_endpoints(self) -> list[str]:
        return self._worker_endpoints

    def _get_pserver_endpoints(self) -> list[str]:
        return self._server_endpoints

    def _generate_role(self) -> None:
        """It is known from the start."""

    def _barrier(self, comm_world: str = "worker") -> None:
        together().barrier()

    def _all_gather(self, input: Any, comm_world: str = "worker") -> list[Any]:
        found: list[Any] = together().all_gather_object(input)
        return found

    def _all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        reduction = "avg" if mode == "mean" else mode
        found = together().all_reduce(np.asarray(input), reduction)
        return found if isinstance(input, list | tuple | np.ndarray) else found.item()


class PaddleCloudRoleMaker(RoleMakerBase):
    """Who this process is, by the environment; with is_collective a rank of a job.

    Else PADDLE_PSERVERS_IP_PORT_LIST names the servers, TRAINING_ROLE says TRAINER or PSERVER,
    PADDLE_TRAINERS_NUM how many workers there are, PADDLE_TRAINER_ID which worker this is, and
    POD_IP with PADDLE_PORT which server. Raises ArgumentError where they do not fit together.

    >>> PaddleCloudRoleMaker(is_collective=True).to_string()
    "role: 1, current_id: 0, worker_endpoints: ['127.0.0.1:6170'], server_endpoints: []"
    """

    def __init__(self, is_collective: bool = False, **kwargs: Any):
        if not is_collective and os.environ.get(SERVERS, "").strip():
            super().__init__(**_told_by_environment())
            return
        endpoints = [e for e in ParallelEnv().trainer_endpoints if e]
        if is_collective and not endpoints:
            endpoints = ["127.0.0.1:6170"]
        super().__init__(is_collective, worker_endpoints=endpoints)


def _told_by_environment() -> dict[str, Any]:
    """What the environment says of this process in a job with servers. Raises ArgumentError."""
    servers = [e.strip() for e in os.environ[SERVERS].split(",")]
    name = os.environ.get("TRAINING_ROLE", "")
    if name not in ROLES:
        raise ArgumentError(
            f"the environment names servers, and TRAINING_ROLE is {name!r}",
            cure=f"set it to TRAINER or PSERVER, or unset {SERVERS}",
        )
    _need("PADDLE_TRAINERS_NUM")
    workers = os.environ.get("PADDLE_TRAINER_ENDPOINTS", "")
    found = {
        "role": ROLES[name],
        "worker_num": environment_number("PADDLE_TRAINERS_NUM", 1),
        "worker_endpoints": workers.split(",") if workers else [],
        "server_endpoints": servers,
    }
    if ROLES[name] == Role.WORKER:
        _need("PADDLE_TRAINER_ID")
        return {**found, "current_id": environment_number("PADDLE_TRAINER_ID", 0)}
    own = f"{_need('POD_IP')}:{_need('PADDLE_PORT')}"
    if own not in servers:
        raise ArgumentError(
            f"this server is {own}, and {SERVERS} has {', '.join(servers)}",
            cure="let POD_IP and PADDLE_PORT be those of one of them",
        )
    return {**found, "current_id": servers.index(own)}


def _need(name: str) -> str:
    found = os.environ.get(name, "").strip()
    if not found:
        raise ArgumentError(
            f"the environment names servers, and {name} is not there",
            cure="start the script by twinoar launch --server_num 2 --worker_num 2",
        )
    return found


class UserDefinedRoleMaker(RoleMakerBase):
    """Who this process is, by the arguments.

    role, current_id; worker_num or worker_endpoints; and server_endpoints where there are servers.
    Raises UnsupportedError or ArgumentError where they are not what the processes are.

    >>> role = UserDefinedRoleMaker(
    ...     current_id=1, role=Role.SERVER, worker_num=2, server_endpoints=["a:6170", "b:6170"]
    ... )
    >>> role._is_server(), role._server_index(), role._worker_num()
    (True, 1, 2)
    """

    def __init__(self, is_collective: bool = False, init_gloo: bool = False, **kwargs: Any):
        known = {
            name: kwargs[name]
            for name in ("role", "current_id", "worker_endpoints", "server_endpoints")
            if name in kwargs
        }
        has_servers = bool(kwargs.get("server_endpoints")) and not is_collective
        workers = kwargs.get("worker_num", None if has_servers else get_world_size())
        if not has_servers and workers != get_world_size():
            raise UnsupportedError(
                f"worker_num is {workers}, there are {get_world_size()} processes",
                cure="leave it out",
            )
        super().__init__(is_collective, **known, worker_num=workers)


def as_role_maker(given: Any, is_collective: bool) -> RoleMakerBase:
    """A role maker, by the environment where none is given. Raises ArgumentError."""
    if given is None:
        return PaddleCloudRoleMaker(is_collective=is_collective)
    if not isinstance(given, RoleMakerBase):
        raise ArgumentError(
            f"role_maker: expected a RoleMakerBase, received {type(given).__name__}",
            cure="pass PaddleCloudRoleMaker(is_collective=True)",
        )
    return given


__all__ = ["PaddleCloudRoleMaker", "Role", "RoleMakerBase", "UserDefinedRoleMaker"]
