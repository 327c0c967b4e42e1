"""What fleet does in a job with parameter servers, as a server and as a worker."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.distributed import io
from twinoar.distributed.ps.communicator import Communicator
from twinoar.distributed.ps.geo import ROWS_AT_ONCE, Geo
from twinoar.distributed.ps.peers import Peers
from twinoar.distributed.ps.program import (
    ask_servers,
    begin_with_servers,
    look_up_here,
    tables_of,
)
from twinoar.distributed.ps.rounds import Mode
from twinoar.distributed.ps.server import Server
from twinoar.distributed.ps.settings import Settings
from twinoar.distributed.ps.shards import write_manifest
from twinoar.distributed.ps.table import Table
from twinoar.errors import ProgramError, UnsupportedError
from twinoar.runtime.servers import ask_by
from twinoar.static.mode import default_main_program, default_startup_program
from twinoar.static.program import Program
from twinoar.static.scope import Scope, global_scope


class Job:
    """This process in a job with servers. role: which one it is, a role maker of `fleet`."""

    def __init__(self, role: Any):
        self.role = role
        self.mode: Mode = "sync"
        self.tables: list[Table] = []
        self.program: Program | None = None
        self.settings = Settings.of_environment()
        self._communicator: Communicator | None = None
        self._server: Server | None = None
        self._queue = 16
        self.peers = Peers(self.communicator, max(role._worker_index(), 0), role._worker_num())

    # Programs.

    def take(self, loss: Any, startup: Program | None, strategy: Any) -> None:
        """Let servers keep what trains the Program of a loss, which `minimize` was called for.

        Raises ProgramError for a second Program, UnsupportedError for what servers do not do.
        """
        program = loss.home.program
        self.take_program(program, startup or default_startup_program(), mode_of(strategy),
                          int(strategy.a_sync_configs["k_steps"]))  # fmt: skip
        self._queue = max(int(strategy.a_sync_configs["send_queue_size"]), 1)

    def take_program(self, program: Program, startup: Program, mode: Mode, steps: int = 0) -> None:
        """See `take`. steps: between meetings, in geo mode."""
        if self.program is not None and self._communicator is not None:
            raise ProgramError(
                "servers keep the parameters of one Program, and this is a second",
                cure="build one Program, or call fleet.stop_worker() and fleet.init first",
            )
        self.mode = mode
        self.tables = tables_of(program, startup, len(self.role._get_pserver_endpoints()), mode)
        self.program = program
        if self.role._is_server():
            return
        if mode == "geo":
            begin_with_servers(startup, self.tables)
            startup.after_run = partial(self._begin_geo, program, steps)
        else:
            ask_servers(program, startup, self.tables)
        ask_by(_Asking(self.communicator))

    def keep(self, other: Job) -> None:
        """Keep, as a server, what another job of this process has taken."""
        self.mode, self.tables, self.program = other.mode, other.tables, other.program

    def _begin_geo(self, program: Program, steps: int, scope: Scope) -> None:
        program.after_run = geo = Geo(program, self.tables, self.communicator(), steps)
        geo.begin(scope)

    # A server.

    def init_server(self, folder: Any = None, *names: Any) -> None:
        """Make the tables: empty, of a checkpoint, or of the snapshot before a restart."""
        self._server = server = Server(
            self._made_tables(),
            self.role._get_pserver_endpoints()[self.role._server_index()],
            self.role._server_index(),
            self.role._server_num(),
            self.role._worker_num(),
            self.mode,
            self.settings,
        )
        if not (self.settings.restarts and server.restore()) and folder:
            server.load(Path(folder))

    def run_server(self) -> None:
        """Serve until all workers have left."""
        if self._server is None:
            self.init_server()
        assert self._server is not None
        self._server.serve()

    def _made_tables(self) -> list[Table]:
        if self.program is None:
            raise ProgramError(
                "no Program is trained with servers yet, so they have nothing to keep",
                cure="call fleet.distributed_optimizer(optimizer, strategy).minimize(loss) first, "
                "in the servers too",
            )
        return self.tables

    # A worker.

    def communicator(self) -> Communicator:
        """The connection to the servers, made on first use."""
        if self._communicator is None:
            self._communicator = Communicator(
                self._made_tables(),
                self.role._get_pserver_endpoints(),
                self.role._worker_index(),
                self.role._worker_num(),
                self.mode,
                self.settings,
                self._queue,
            )
        return self._communicator

    def stop_worker(self) -> None:
        """Say goodbye to the servers: they end when all workers have."""
        if self._communicator is not None:
            self._communicator.leave()
            self._communicator = None
        ask_by(None)

    def save(self, executor: Any, folder: str, program: Any) -> None:
        """Let servers save their parts, and the first worker what is not on servers."""
        if self.role._worker_index() != 0:
            return
        there, generation = self.communicator(), secrets.token_hex(4)
        where = Path(folder).absolute()
        files = there.on_all("save", folder=str(where), generation=generation)
        described = [{"file": f["file"], "bytes": f["bytes"]} for f in files]
        write_manifest(where, generation, self.tables, described)
        own = program or self.program
        if executor is not None and own is not None:
            io.save_persistables(executor, str(where / "worker"), own)

    def load(self, folder: str) -> None:
        """Let servers load what they have saved, and take whole parameters as they are then."""
        there = self.communicator()
        if self.role._worker_index() == 0:
            there.on_all("load", folder=str(Path(folder).absolute()))
        there.forget()
        scope = global_scope()
        for table in self.tables:
            if not table.is_sparse and self.program is not None:
                scope.write(self.program.states[table.name], np.array(there.pull(table.name)))

    def whole(self, program: Program | None) -> Program:
        """A Program for inference whose tables are its parameters, with the rows declared.

        Their values are put into the global scope, beside those of the other parameters.
        """
        there, scope = self.communicator(), global_scope()
        chosen = program or default_main_program()
        found, states = look_up_here(chosen, self.tables)
        for name, state in states.items():
            height = int(state.spec.shape[0])
            value = np.empty((height, int(state.spec.shape[1])), state.dtype.numpy)
            for start in range(0, height, ROWS_AT_ONCE):
                ids = np.arange(start, min(start + ROWS_AT_ONCE, height))
                value[ids] = there.rows(name, ids, False)
            scope.write(state, value)
        return found

    def shrink(self, threshold: Any) -> int:
        """Drop rows of little worth; how many. Only the first worker does."""
        if self.role._worker_index() != 0:
            return 0
        return sum(a["dropped"] for a in self.communicator().on_all("shrink", threshold=threshold))

    def rows(self) -> dict[str, int]:
        """How many rows each sparse table has."""
        found: dict[str, int] = {}
        for answer in self.communicator().on_all("count"):
            for name, count in answer["rows"].items():
                found[name] = found.get(name, 0) + count
        return found


class _Asking:
    """What operators ask: connects on first use, as startup Programs run before init_worker."""

    def __init__(self, there: Callable[[], Communicator]):
        self._there = there

    def __getattr__(self, name: str) -> Any:
        return getattr(self._there(), name)


def mode_of(strategy: Any) -> Mode:
    """How a DistributedStrategy lets workers go on: in step, each by itself, or geo."""
    steps = strategy.a_sync_configs["k_steps"]
    if not strategy.a_sync:
        return "sync"
    return "geo" if steps > 0 else "async"


def refuse_modes(mode: Any) -> None:
    """Raise UnsupportedError for Paddle's own ways to save tables, by number, but the whole."""
    if mode:
        raise UnsupportedError(
            f"mode {mode} of saving tables: they are saved whole", cure="leave mode 0"
        )


__all__ = ["Job", "mode_of", "refuse_modes"]
