"""Roles: what this process does among workers and servers. It is a worker: there are no servers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.distributed.world import ParallelEnv, get_rank, get_world_size
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.runtime.collective import current_world, this_job


class Role:
    """What a process does."""

    WORKER, SERVER, HETER_WORKER, ALL, COORDINATOR = range(1, 6)


class RoleMakerBase:
    """Who this process is: the worker that its rank says, without servers."""

    def __init__(
        self,
        is_collective: bool = False,
        role: int = Role.WORKER,
        current_id: int = 0,
        worker_endpoints: Sequence[str] = (),
        server_endpoints: Sequence[str] = (),
    ):
        size = get_world_size()
        if role != Role.WORKER or server_endpoints:
            raise UnsupportedError(
                f"role {role} and {len(server_endpoints)} servers: there are none",
                cure="pass role=Role.WORKER, and no server_endpoints",
            )
        if current_id not in (0, get_rank()) or len(worker_endpoints) > size:
            raise UnsupportedError(
                f"worker {current_id} of {len(worker_endpoints)}: this is process {get_rank()} of "
                f"{size}",
                cure="start the script by python -m paddle.distributed.launch",
            )
        self._is_collective, self._role, self._current_id = is_collective, role, get_rank()
        self._worker_endpoints = list(worker_endpoints)

    def to_string(self) -> str:
        """What is known of the process, in one line."""
        return (
            f"role: {self._role}, current_id: {self._current_id}, worker_endpoints: "
            f"{self._worker_endpoints}, server_endpoints: []"
        )

    def _worker_num(self) -> int:
        return get_world_size()

    _role_num = _worker_num

    def _node_num(self) -> int:
        return -(-get_world_size() // max(this_job().local_size, 1))

    _get_node_num = _node_num

    def _worker_index(self) -> int:
        return get_rank()

    _role_id = _worker_index

    def _server_num(self) -> int:
        return 0

    _server_index = _server_num

    def _is_worker(self) -> bool:
        return True

    def _is_first_worker(self) -> bool:
        return get_rank() == 0

    def _is_non_distributed(self) -> bool:
        return get_world_size() == 1

    def _is_server(self) -> bool:
        return False

    _is_heter_worker = _is_coordinator = _is_server

    def _get_trainer_endpoints(self) -> list[str]:
        return self._worker_endpoints

    def _get_pserver_endpoints(self) -> list[str]:
        return []

    def _generate_role(self) -> None:
        """It is known from the start."""

    def _barrier(self, comm_world: str = "worker") -> None:
        current_world().all.barrier()

    def _all_gather(self, input: Any, comm_world: str = "worker") -> list[Any]:
        return current_world().all.all_gather_object(input)

    def _all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        reduction = "avg" if mode == "mean" else mode
        found = current_world().all.all_reduce(np.asarray(input), reduction)
        return found if isinstance(input, list | tuple | np.ndarray) else found.item()


class PaddleCloudRoleMaker(RoleMakerBase):
    """Who this process is, by the environment.

    >>> PaddleCloudRoleMaker(is_collective=True).to_string()
    "role: 1, current_id: 0, worker_endpoints: ['127.0.0.1:6170'], server_endpoints: []"
    """

    def __init__(self, is_collective: bool = False, **kwargs: Any):
        endpoints = [e for e in ParallelEnv().trainer_endpoints if e]
        if is_collective and not endpoints:
            endpoints = ["127.0.0.1:6170"]
        super().__init__(is_collective, worker_endpoints=endpoints)


class UserDefinedRoleMaker(RoleMakerBase):
    """Who this process is, by the arguments: `role`, `current_id`, `worker_endpoints`, ...

    Raises UnsupportedError where they are not what the processes are, and for servers.
    """

    def __init__(self, is_collective: bool = False, init_gloo: bool = False, **kwargs: Any):
        known = {
            name: kwargs[name]
            for name in ("role", "current_id", "worker_endpoints", "server_endpoints")
            if name in kwargs
        }
        workers = kwargs.get("worker_num", get_world_size())
        if workers != get_world_size():
            raise UnsupportedError(
                f"worker_num is {workers}, there are {get_world_size()} processes",
                cure="leave it out",
            )
        super().__init__(is_collective, **known)


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
