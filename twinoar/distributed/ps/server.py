"""One server: a socket, the tables it keeps, and what it answers.

One thread does all, so no two steps meet. What cannot be answered yet waits here, with a deadline:
for a step of all workers, for a value, for others who call the same.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.distributed.ps.exchange import Exchanges
from twinoar.distributed.ps.members import Members
from twinoar.distributed.ps.messages import (
    EMPTY,
    Arrays,
    guard,
    key_for,
    packed,
    split_endpoint,
    unpacked,
    zmq,
)
from twinoar.distributed.ps.rounds import Mode, Push, Rounds, geo_changes, take_step
from twinoar.distributed.ps.settings import Settings
from twinoar.distributed.ps.shards import load_checkpoint, read_shard, shard_name, write_shard
from twinoar.distributed.ps.table import Parameter, Sparse, Table, empty
from twinoar.errors import ArgumentError, DistributedError, FileError, TwinoarError
from twinoar.static.interrupt import delayed_interrupt

LOOK_MILLISECONDS = 200  # how often deadlines and signs of life are looked at
RETRIES = 25  # to bind a port that a server which has just died still had
Answer = tuple[dict[str, Any], Any]
WAITS: Answer = ({}, None)


@dataclass(slots=True)
class Request:
    """What has come and waits: from whom, what, since when."""

    peer: bytes
    header: dict[str, Any]
    arrays: Arrays
    since: float

    @property
    def worker(self) -> int:
        return int(self.header["worker"])


class Server:
    """Number `index` of `servers`, for `workers` workers, in one of three modes.

    tables: all of the job. Raises DistributedError where the endpoint cannot be had.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        endpoint: str,
        index: int = 0,
        servers: int = 1,
        workers: int = 1,
        mode: Mode = "sync",
        settings: Settings | None = None,
    ):
        self.tables, self.endpoint = list(tables), endpoint
        self.index, self.servers, self.mode = index, servers, mode
        self.settings = settings or Settings.of_environment()
        own = [t for t in tables if t.is_sparse or t.server == index]
        self.kept: dict[str, Any] = {t.name: empty(t) for t in own}
        self.members = Members(workers, self.settings.dead_seconds)
        self.rounds, self.exchanges = Rounds(), Exchanges()
        self.incarnation = time.time_ns()
        self.steps = self._saved_steps = 0  # taken here
        # The last push of each worker, where each is a step: by the process that the worker is.
        self._pushed: dict[str, int] = {}
        self._changed: dict[str, dict[int, set[int]]] = {
            t.name: {w: set() for w in range(workers)} for t in own if t.is_sparse
        }
        self._waiting: list[Request] = []
        self._told: set[int] = set()  # workers whose end was printed
        self._is_ended = False
        self._calls: dict[str, Callable[[Request], Answer]] = {
            name.removeprefix("_on_"): getattr(self, name) for name in dir(type(self))
            if name.startswith("_on_")
        }  # fmt: skip

    # Running.

    def bind(self) -> None:
        """Take the endpoint."""
        host, port = split_endpoint(self.endpoint)
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.linger = 1000
        try:
            self._gate = guard(self._socket, key_for(host), is_server=True)
            self._bind(f"tcp://{host}:{port}")
        except BaseException:
            self._socket.close()
            self._context.term()
            raise

    def _bind(self, address: str) -> None:
        for attempt in range(RETRIES):
            try:
                self._socket.bind(address)
                return
            except zmq.ZMQError as error:
                if error.errno != zmq.EADDRINUSE or attempt == RETRIES - 1:
                    raise DistributedError(
                        f"server {self.index} cannot listen at {self.endpoint}: {error}",
                        cure="name a free port of this machine",
                    ) from None
                time.sleep(LOOK_MILLISECONDS / 1000)

    def run(self) -> None:
        """Serve until all workers have left. Raises DistributedError where some are gone."""
        try:
            while not self._is_ended:
                if self._socket.poll(LOOK_MILLISECONDS):
                    with delayed_interrupt():  # a step is taken whole
                        self._take(self._socket.recv_multipart(copy=False))
                self._look()
        finally:
            self._socket.close()
            if self._gate is not None:
                self._gate.stop()
            self._context.term()

    def serve(self) -> None:
        """`bind` and `run`."""
        self.bind()
        self.run()

    def stop(self) -> None:
        """Let `run` return soon; for another thread."""
        self._is_ended = True

    def _take(self, frames: list[Any]) -> None:
        peer = frames[0].bytes
        try:
            header, arrays = unpacked(frames[1:])
            request = Request(peer, header, arrays, time.monotonic())
            worker = request.worker
            call = self._calls[header["call"]]
            if type(header["sequence"]) is not int or not 0 <= worker < self.members.count:
                raise ValueError(f"worker {worker}, sequence {header['sequence']!r}")
        except (DistributedError, KeyError, TypeError, ValueError) as error:
            self._reply(peer, {"error": f"no request of a worker: {error}"})
            return
        if header["call"] != "hello" and not self.members.knows(worker):
            self._reply(peer, {"again": True, "sequence": header.get("sequence")})
            return
        self.members.heard(worker, header.get("step"))
        if self._answered(request, call):
            self._retry()
        else:
            self._waiting = [
                r for r in self._waiting
                if (r.worker, r.header["sequence"]) != (worker, header["sequence"])
            ]  # fmt: skip
            self._waiting.append(request)
            if header["call"] in ("exchange", "push"):
                self._retry()

    def _answered(self, request: Request, call: Callable[[Request], Answer]) -> bool:
        """Whether a request is answered by now."""
        sequence = request.header.get("sequence")
        try:
            found, arrays = call(request)
        except (TwinoarError, LookupError, TypeError, ValueError, AttributeError) as error:
            cure = getattr(error, "cure", None)
            text = error.args[0] if isinstance(error, TwinoarError) and error.args else repr(error)
            found, arrays = {"error": f"server {self.index}: {text}", "cure": cure}, EMPTY
        if arrays is None:
            return False
        self._reply(request.peer, {"sequence": sequence, **found}, arrays)
        return True

    def _reply(self, peer: bytes, header: dict[str, Any], arrays: Any = EMPTY) -> None:
        header["incarnation"] = self.incarnation
        self._socket.send_multipart([peer, *packed(header, arrays)], copy=False)

    def _retry(self) -> None:
        """Answer what could not be answered before."""
        progress = True
        while progress and self._waiting:
            still = [
                r for r in self._waiting if not self._answered(r, self._calls[r.header["call"]])
            ]
            progress = len(still) < len(self._waiting)
            self._waiting = still

    def _look(self) -> None:
        """Tell who waits for nothing, and end when all have left."""
        gone = self.members.gone()
        for worker in set(gone) - self._told:
            self._told.add(worker)
            self._print(f"{self.members.shown(worker)}, is gone without fleet.stop_worker()")
        now = time.monotonic()
        for request in list(self._waiting):
            is_late = now - request.since > self.settings.timeout_seconds
            missing = self._missing(request)
            ended = [w for w in missing if w in gone]
            if ended or is_late:
                self._waiting.remove(request)
                why = "; ".join(self.members.shown(w) for w in ended or missing) or "a value"
                self._reply(request.peer, {
                    "sequence": request.header["sequence"],
                    "error": f"{request.header['call']} of worker {request.worker} waits for {why}"
                    + ("" if ended else f", for {now - request.since:.0f} s"),
                    "cure": "see what that worker wrote last, and start the job again",
                })  # fmt: skip
        there = self.members.there(gone, self.settings.timeout_seconds)
        if not there and not self._is_ended:
            self._is_ended = True
            if gone:
                raise DistributedError(
                    "; ".join(map(self.members.shown, gone)) + ": gone without fleet.stop_worker()",
                    cure="see what they wrote last",
                )

    def _missing(self, request: Request) -> list[int]:
        """Whom a request waits for."""
        if request.header["call"] == "exchange":
            return self.exchanges.missing(request.header["number"], self.members.expected())
        if request.header["call"] == "begin":
            return [0]
        return self.rounds.missing(self.members.expected())

    def _print(self, text: str) -> None:
        print(f"server {self.index} ({self.endpoint}): {text}", file=sys.stderr, flush=True)

    # What workers ask for.

    def _on_hello(self, request: Request) -> Answer:
        header = request.header
        self._compare(header)
        is_new = self.members.hello(request.worker, header)
        if is_new:
            for rows in self._changed.values():  # it may have missed what others have changed
                rows[request.worker] = set()
        self.members.left |= set(header.get("left", ())) - {request.worker}
        self.rounds.skip_to(int(header.get("confirmed", 0)))
        self._step_together()
        return {"version": self.rounds.version}, EMPTY

    def _compare(self, header: dict[str, Any]) -> None:
        """Raise DistributedError for a worker of another job."""
        expected = (self.members.count, self.servers, self.index, self.mode)
        received = tuple(header[n] for n in ("workers", "servers", "server", "mode"))
        if expected != received:
            said = [f"{w} workers, {s} servers, this is server {i}, {m}"
                    for w, s, i, m in (received, expected)]  # fmt: skip
            raise DistributedError(
                f"worker {header['worker']} was told of {said[0]}; the server of {said[1]}",
                cure="start all processes with one environment and one script",
            )
        theirs = list(header["tables"])
        for n, own in enumerate(t.described() for t in self.tables):
            if n >= len(theirs) or theirs[n] != own:
                other = theirs[n] if n < len(theirs) else "nothing"
                raise DistributedError(
                    f"worker {header['worker']} has another Program: its table {n} is\n{other}\n"
                    f"the server's is\n{own}",
                    cure="run the same script in all processes",
                )

    def _on_beat(self, request: Request) -> Answer:
        return {"left": sorted(self.members.left)}, EMPTY

    def _on_begin(self, request: Request) -> Answer:
        """The value of a parameter; the first worker brings it where there is none."""
        table = self._table(request.header["table"])
        if table.value is None:
            if request.worker != 0:
                return WAITS
            table.begin(request.arrays["value"])
        return {}, {"value": table.value}

    def _on_pull(self, request: Request) -> Answer:
        """All parameters that are here, after a step."""
        if self.rounds.version < request.header["after"] and self.mode == "sync":
            return WAITS
        whole = {n: t.value for n, t in self.kept.items() if isinstance(t, Parameter)}
        return {}, {n: v for n, v in whole.items() if v is not None}

    def _on_lookup(self, request: Request) -> Answer:
        """Rows of a table, after a step."""
        header, arrays = request.header, request.arrays
        if self.rounds.version < header["after"] and self.mode == "sync":
            return WAITS
        table = self._table(header["table"])
        found = table.pull(arrays["ids"], bool(header["training"]), arrays.get("counts"))
        if "shown" in arrays:
            table.weigh(arrays["ids"], arrays["shown"], arrays["clicked"])
        return {}, {"rows": found}

    def _on_push(self, request: Request) -> Answer:
        """Gradients of a step; in async and geo mode each is a step."""
        header = request.header
        push = Push(header["rates"], request.arrays)
        for name in push.rates:
            self._table(name)
        if self.mode == "sync":
            self._check(push)
            self.rounds.add(int(header["step"]), request.worker, push)
            self._step_together()
        elif header["step"] > self._pushed.get(self.members.name(request.worker), 0):
            take_step(self.kept, [push], is_mean=False)  # else it was sent twice
            self._pushed[self.members.name(request.worker)] = header["step"]
            for name in push.rates if self.mode == "geo" else ():
                if name in self._changed:
                    ids = request.arrays[f"ids {name}"]
                    geo_changes(self._changed[name], ids, request.worker)
            self._stepped()
        return {}, EMPTY

    def _check(self, push: Push) -> None:
        """Refuse now what would spoil the step of all."""
        for name in push.rates:
            table = self.kept[name]
            if isinstance(table, Parameter):
                table.check(push.arrays[name], "gradient")
            else:
                table.check(push.arrays[f"ids {name}"], push.arrays[f"rows {name}"])

    def _step_together(self) -> None:
        while (pushes := self.rounds.next(self.members.expected())) is not None:
            take_step(self.kept, pushes)
            self._stepped()

    def _stepped(self) -> None:
        self.steps += 1
        if (
            self.settings.snapshots is not None
            and self.steps - self._saved_steps >= self.settings.snapshot_steps
        ):
            self.save_snapshot()

    def _on_changed(self, request: Request) -> Answer:
        """Rows that other workers have changed since this one asked last; all where it says so."""
        name = request.header["table"]
        table = self._table(name)
        rows = self._changed[name][request.worker]
        ids = table.ids[: len(table)].copy() if request.header["all"] else np.array(
            sorted(rows), np.int64
        )  # fmt: skip
        rows.clear()
        return {}, {"ids": ids, "rows": table.pull(ids, False)}

    def _on_exchange(self, request: Request) -> Answer:
        """What each worker gives each, once all have called."""
        header = request.header
        self.exchanges.give(request.worker, header["number"], header["what"], request.arrays)
        expected = self.members.expected()
        found = self.exchanges.taken(request.worker, header["number"], expected)
        return WAITS if found is None else ({"from": found[0]}, found[1])

    def _on_save(self, request: Request) -> Answer:
        name = shard_name(request.header["generation"], self.index, self.servers)
        folder = Path(request.header["folder"])
        size = write_shard(folder / name, self.kept, {"server": self.index, "steps": self.steps})
        return {"file": name, "bytes": size}, EMPTY

    def _on_load(self, request: Request) -> Answer:
        return {"rows": self.load(Path(request.header["folder"]))}, EMPTY

    def _on_shrink(self, request: Request) -> Answer:
        sparse = [t for t in self.kept.values() if isinstance(t, Sparse)]
        return {"dropped": sum(t.shrink(request.header["threshold"]) for t in sparse)}, EMPTY

    def _on_count(self, request: Request) -> Answer:
        """Rows of each sparse table."""
        return {"rows": {n: len(t) for n, t in self.kept.items() if isinstance(t, Sparse)}}, EMPTY

    def _on_bye(self, request: Request) -> Answer:
        self.members.left.add(request.worker)
        self._step_together()
        return {}, EMPTY

    def _table(self, name: str) -> Any:
        if name not in self.kept:
            raise ArgumentError(f"there is no table {name!r}; there are {', '.join(self.kept)}")
        return self.kept[name]

    # Files.

    def load(self, folder: Path) -> int:
        """Fill the tables from a checkpoint; how many rows. Raises FileError."""
        return load_checkpoint(folder, self.kept, self.index, self.servers)

    def snapshot_file(self) -> Path | None:
        """Where this server saves what it keeps from time to time."""
        folder = self.settings.snapshots
        name = f"server-{self.index}-of-{self.servers}.npz"
        return None if folder is None else folder / name

    def save_snapshot(self) -> None:
        """Save what is kept for the case that this process dies; a failure is told, and no more."""
        file = self.snapshot_file()
        if file is not None:
            meta = {"steps": self.steps, "version": self.rounds.version,
                    "left": sorted(self.members.left), "pushed": self._pushed}  # fmt: skip
            try:
                write_shard(file, self.kept, meta)
            except FileError as error:
                self._print(f"the snapshot of step {self.steps} was not saved: {error}")
            self._saved_steps = self.steps

    def restore(self) -> bool:
        """Take the last snapshot, if there is one. Raises FileError for a damaged one."""
        file = self.snapshot_file()
        if file is None or not file.exists():
            return False
        meta, tables = read_shard(file)
        for name, arrays in tables.items():
            if name in self.kept and arrays:
                self.kept[name].load(arrays)
        self.rounds.skip_to(int(meta["version"]))
        self.members.left |= set(meta["left"])
        self._pushed = dict(meta["pushed"])
        self.steps = self._saved_steps = int(meta["steps"])
        self._print(f"goes on from the snapshot of step {self.steps}")
        return True
