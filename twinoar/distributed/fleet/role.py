"""Roles: what this process does among workers and servers. It is the only worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.distributed.world import ONE_PROCESS, ParallelEnv
from twinoar.errors import ArgumentError, UnsupportedError


class Role:
    """What a process does."""

    WORKER, SERVER, HETER_WORKER, ALL, COORDINATOR = range(1, 6)


class RoleMakerBase:
    """Who this process is: worker 0 of one, without servers."""

    def __init__(
        self,
        is_collective: bool = False,
        role: int = Role.WORKER,
        current_id: int = 0,
        worker_endpoints: Sequence[str] = (),
        server_endpoints: Sequence[str] = (),
    ):
        if role != Role.WORKER or current_id:
            raise UnsupportedError(
                f"role {role} with current_id {current_id}: {ONE_PROCESS}, worker 0",
                cure="pass role=Role.WORKER and current_id=0",
            )
        if len(worker_endpoints) > 1 or server_endpoints:
            raise UnsupportedError(
                f"{len(worker_endpoints)} workers and {len(server_endpoints)} servers: "
                f"{ONE_PROCESS}",
                cure="name one worker and no server",
            )
        self._is_collective, self._role, self._current_id = is_collective, role, current_id
        self._worker_endpoints = list(worker_endpoints)

    def to_string(self) -> str:
        """What is known of the process, in one line."""
        return (
            f"role: {self._role}, current_id: {self._current_id}, worker_endpoints: "
            f"{self._worker_endpoints}, server_endpoints: []"
        )

    def _worker_num(self) -> int:
        return 1

    _node_num = _get_node_num = _role_num = _worker_num

    def _worker_index(self) -> int:
        return 0

    _server_num = _server_index = _role_id = _worker_index

    def _is_worker(self) -> bool:
        return True

    _is_first_worker = _is_non_distributed = _is_worker

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
        """There is nobody to wait for."""

    def _all_gather(self, input: Any, comm_world: str = "worker") -> list[Any]:
        return [input]

    def _all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        return input


class PaddleCloudRoleMaker(RoleMakerBase):
    """Who this process is, by the environment. Raises UnsupportedError for more than one.

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

    Raises UnsupportedError for several workers, or servers.
    """

    def __init__(self, is_collective: bool = False, init_gloo: bool = False, **kwargs: Any):
        known = {
            name: kwargs[name]
            for name in ("role", "current_id", "worker_endpoints", "server_endpoints")
            if name in kwargs
        }
        workers = kwargs.get("worker_num", 1)
        if workers != 1:
            raise UnsupportedError(f"worker_num is {workers}: {ONE_PROCESS}", cure="make it 1")
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
