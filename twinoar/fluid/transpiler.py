"""`fluid.transpiler`: a Program that trains alone into those of trainers and parameter servers."""

from __future__ import annotations

from typing import Any

from twinoar.distributed import ps
from twinoar.distributed.fleet.role import Role, UserDefinedRoleMaker
from twinoar.errors import ArgumentError, ProgramError, UnsupportedError
from twinoar.ops.collective.table import listen_and_serv
from twinoar.runtime.servers import at_close, serve_at
from twinoar.static.mode import (
    default_main_program,
    default_startup_program,
    program_guard,
)
from twinoar.static.program import Program


class DistributeTranspilerConfig:
    """How a Program is divided.

    geo_sgd_mode: trainers train alone, and meet after `geo_sgd_need_push_nums` steps. Parameters
    lie whole on one server each, so slice_var_up, min_block_size and split_method change nothing.
    """

    def __init__(self) -> None:
        self.slice_var_up, self.min_block_size = True, 8192
        self.split_method: Any = None
        self.enable_dc_asgd = self.half_async = self.completely_not_async = False
        self.mode, self.sync_mode = "pserver", True
        self.geo_sgd_mode, self.geo_sgd_need_push_nums = False, 100
        self.print_log, self.wait_port = False, True
        self.runtime_split_send_recv = False


class ServerProgram(Program):
    """What a server runs: one operator that serves, and a Program for each rule of its tables."""

    def __init__(self, name: str = "pserver"):
        super().__init__(name)
        self.rules: list[Program] = []

    def to_text(self, sources: bool = True) -> Any:
        """The text of all of them, beginning with the operator."""
        own = super().to_text(sources)
        return type(own)("".join([own, *(rule.to_text(sources) for rule in self.rules)]))


class DistributeTranspiler:
    """Divides a Program among trainers and parameter servers.

    `transpile` comes after `minimize`. Then a trainer runs the startup Program and
    `get_trainer_program()`, and closes its Executor at the end; a server runs
    `get_startup_program(endpoint)` and `get_pserver_program(endpoint)`, which returns when all
    trainers have closed theirs.
    """

    def __init__(self, config: DistributeTranspilerConfig | None = None):
        self.config = config or DistributeTranspilerConfig()
        self._job: Any = None
        self._made: tuple[Program, Program] | None = None
        self._about: dict[str, Any] = {}

    def transpile(
        self,
        trainer_id: int,
        program: Program | None = None,
        pservers: str = "127.0.0.1:6174",
        trainers: int = 1,
        sync_mode: bool = True,
        startup_program: Program | None = None,
        current_endpoint: str = "127.0.0.1:6174",
    ) -> None:
        """Change the Program and its startup Program, in place, into those of a trainer.

        pservers: addresses with ports, between commas. Raises ProgramError where no optimizer
        trains the Program, UnsupportedError for collective modes and what servers do not do.
        """
        if self.config.mode != "pserver" or self.config.enable_dc_asgd:
            raise UnsupportedError(
                f"mode {self.config.mode!r} of DistributeTranspilerConfig",
                cure="use paddle.distributed.fleet with is_collective=True",
            )
        made = program or default_main_program(), startup_program or default_startup_program()
        endpoints = [e.strip() for e in pservers.split(",")]
        self._about = {"worker_num": trainers, "server_endpoints": endpoints}
        role = UserDefinedRoleMaker(role=Role.WORKER, current_id=trainer_id, **self._about)
        is_geo = self.config.geo_sgd_mode
        mode = "geo" if is_geo else "sync" if sync_mode else "async"
        self._job, self._made = ps.Job(role), made
        self._job.take_program(*made, mode, self.config.geo_sgd_need_push_nums)
        at_close(self._job.stop_worker)

    def get_trainer_program(self, wait_port: bool = True) -> Program:
        """What trainers run."""
        return self._transpiled()[0]

    def get_pserver_program(self, endpoint: str) -> Program:
        """What the server at `endpoint` runs: it serves until all trainers have ended.

        Raises ArgumentError for an address that is none of the servers'.
        """
        self._transpiled()
        endpoints = self._about["server_endpoints"]
        if endpoint not in endpoints:
            raise ArgumentError(f"no server is at {endpoint}; there are {', '.join(endpoints)}")
        role = UserDefinedRoleMaker(
            role=Role.SERVER, current_id=endpoints.index(endpoint), **self._about
        )
        job = ps.Job(role)
        job.keep(self._job)
        serve_at(endpoint, job.run_server)
        own = [t for t in job.tables if t.is_sparse or t.server == endpoints.index(endpoint)]
        found = ServerProgram()
        found.rules = [t.rule.program for t in own if t.rule is not None]
        with program_guard(found, Program("startup")):
            listen_and_serv(endpoint)
        return found

    def get_pserver_programs(self, endpoint: str) -> tuple[Program, Program]:
        """`get_pserver_program`, and `get_startup_program`."""
        found = self.get_pserver_program(endpoint)
        return found, self.get_startup_program(endpoint, found)

    def get_startup_program(
        self, endpoint: str, pserver_program: Any = None, startup_program: Any = None
    ) -> Program:
        """What a server runs first: nothing. The first trainer's parameters are the servers'."""
        self._transpiled()
        return Program("startup")

    def _transpiled(self) -> tuple[Program, Program]:
        if self._made is None:
            raise ProgramError("nothing is divided yet", cure="call transpile first")
        return self._made


__all__ = ["DistributeTranspiler", "DistributeTranspilerConfig"]
