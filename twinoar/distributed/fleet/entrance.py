"""Fleet: the entrance to distributed training, of ranks or with parameter servers."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.interpreter import current
from twinoar.distributed import io, ps
from twinoar.distributed.fleet.agreement import divided_scaler
from twinoar.distributed.fleet.hybrid import (
    divided_model,
    divided_optimizer,
    minimize_in_program,
)
from twinoar.distributed.fleet.log import set_log_level
from twinoar.distributed.fleet.pipeline import NoPipelineParallel, PipelineLayer
from twinoar.distributed.fleet.role import RoleMakerBase, as_role_maker
from twinoar.distributed.fleet.strategy import DistributedStrategy
from twinoar.distributed.fleet.topology import (
    CommunicateTopology,
    HybridCommunicateGroup,
    ParallelMode,
    keep_groups,
    kept_groups,
)
from twinoar.distributed.together import together, train_with
from twinoar.distributed.world import (
    get_world_size,
    init_parallel_env,
    refused_alone,
)
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnsupportedError
from twinoar.nn.layer import Layer
from twinoar.optimizer import Optimizer
from twinoar.static.inference_io import save, save_inference_model
from twinoar.static.mode import default_main_program

MODES = ("sum", "min", "max", "mean")
# What Fleet does with parameter servers, and is not served.
WITH_SERVERS = frozenset(
    {
        "check_save_pre_patch_done", "get_fl_client", "init_coordinator", "load_inference_model",
        "load_one_table", "make_fl_strategy", "save_cache_model", "save_cache_table",
        "save_one_table", "set_date",
    }
)  # fmt: skip
SERVERS = "fleet.init in a process that TRAINING_ROLE and PADDLE_PSERVERS_IP_PORT_LIST describe"


class UtilBase:
    """What workers do together, on Python numbers and arrays.

    >>> util = UtilBase()
    >>> util.all_reduce(3), util.get_file_shard(["a", "b"])
    (3, ['a', 'b'])
    """

    role_maker: Any = None

    def all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        """The sum, "min", "max" or "mean" over workers, an array where `input` is a list."""
        if mode not in MODES:
            raise ArgumentError(f"expected mode among {MODES}, received {mode!r}")
        is_array = isinstance(input, list | tuple | np.ndarray)
        there = together()
        if there.size == 1:
            return np.array(input) if is_array else input
        reduction = "avg" if mode == "mean" else mode
        found = there.all_reduce(np.asarray(input), reduction)
        return found if is_array else found.item()

    def all_gather(self, input: Any, comm_world: str = "worker") -> Any:
        """What each worker has, a list; `input` itself where there is one."""
        there = together()
        return input if there.size == 1 else there.all_gather_object(input)

    def barrier(self, comm_world: str = "worker") -> None:
        """Wait for the other workers."""
        together().barrier()

    def get_file_shard(self, files: list[str]) -> list[str]:
        """This worker's part of the files, which lie side by side. Raises TypeMismatchError."""
        if not isinstance(files, list):
            raise TypeMismatchError(f"files: expected a list, received {type(files).__name__}")
        rank, size = together().rank, together().size
        each, more = divmod(len(files), size)  # the first take one more
        begin = rank * each + min(rank, more)
        return files[begin : begin + each + (rank < more)]

    get_heter_file_shard = get_file_shard

    def print_on_rank(self, message: str, rank_id: int) -> None:
        """Print on the worker with this rank."""
        if rank_id == together().rank:
            print(message)


class Fleet:
    """The entrance to distributed training. See `init`."""

    def __init__(self) -> None:
        self._role_maker: RoleMakerBase | None = None
        self._user_defined_strategy = DistributedStrategy()
        self._hcg: HybridCommunicateGroup | None = None
        self._is_collective = False
        self._job: Any = None  # where there are servers
        self._util = UtilBase()
        self.user_defined_optimizer: Any = None

    def init(
        self,
        role_maker: RoleMakerBase | None = None,
        is_collective: bool = False,
        strategy: DistributedStrategy | None = None,
        log_level: int | str = "INFO",
    ) -> Fleet:
        """Join the other workers, which all call it, and make the groups of the strategy.

        strategy: `hybrid_configs` says how many processes divide layers (`mp_degree`), stages
        (`pp_degree`), positions of a sequence (`sep_degree`, `cp_degree`) or the moments of an
        optimizer (`sharding_degree`); the rest train on other data. Of those that do, `ep_degree`
        share experts. role_maker: who this process is; without is_collective it may be a worker or
        a server of a job with parameter servers. Raises ArgumentError where the degrees do not
        divide the processes.

        >>> import warnings
        >>> with warnings.catch_warnings(action="ignore"):
        ...     fleet = Fleet().init(is_collective=True)
        >>> fleet.worker_num(), fleet.is_first_worker()
        (1, True)
        """
        if not isinstance(is_collective, bool):
            raise ArgumentError(
                f"is_collective: expected a bool, received {type(is_collective).__name__}"
            )
        set_log_level(log_level)
        strategy = DistributedStrategy() if strategy is None else _checked(strategy)
        self._user_defined_strategy = copy.deepcopy(strategy)
        self._role_maker = as_role_maker(role_maker, is_collective)
        self._is_collective = self._role_maker._is_collective
        self._job = ps.Job(self._role_maker) if self._role_maker.has_servers else None
        train_with(None if self._job is None else self._job.peers)
        if self._job is not None:
            return self
        init_parallel_env()
        sizes = strategy.sizes(get_world_size())
        axes = strategy.axes() if self._is_collective else ["data"]
        topology = CommunicateTopology(axes, [sizes.get(axis, 1) for axis in axes])
        experts = strategy.hybrid_configs["ep_degree"]
        self._hcg = HybridCommunicateGroup(topology, experts=experts)
        keep_groups(self._hcg)
        return self

    @property
    def util(self) -> UtilBase:
        """What workers do together."""
        return self._util

    def get_hybrid_communicate_group(self) -> HybridCommunicateGroup:
        """The groups of this worker. Raises ProgramError before `init`."""
        found = kept_groups() or self._hcg  # a rank that is a thread has its own
        if self._hcg is None or found is None:
            raise _before_init("get_hybrid_communicate_group")
        return found

    def get_hybrid_parallel_topology(self) -> CommunicateTopology:
        """How the ranks lie."""
        return self.get_hybrid_communicate_group().topology()

    def _role(self) -> RoleMakerBase:
        if self._role_maker is None:
            raise _before_init("this")
        return self._role_maker

    def is_first_worker(self) -> bool:
        """Whether this is the first worker."""
        return self._role()._is_first_worker()

    def worker_index(self) -> int:
        """The number of this worker."""
        return self._role()._worker_index()

    def worker_num(self) -> int:
        """The number of workers."""
        return self._role()._worker_num()

    def node_num(self) -> int:
        """The number of machines."""
        return self._role()._node_num()

    def local_rank(self) -> str | None:
        """What the environment says in PADDLE_RANK_IN_NODE."""
        return os.environ.get("PADDLE_RANK_IN_NODE")

    def local_device_ids(self) -> str | None:
        """What the environment says in PADDLE_LOCAL_DEVICE_IDS."""
        return os.environ.get("PADDLE_LOCAL_DEVICE_IDS")

    def world_device_ids(self) -> str | None:
        """What the environment says in PADDLE_WORLD_DEVICE_IDS."""
        return os.environ.get("PADDLE_WORLD_DEVICE_IDS")

    def is_worker(self) -> bool:
        """Whether this process trains."""
        return self._role()._is_worker()

    def is_coordinator(self) -> bool:
        """False."""
        return self._role()._is_coordinator()

    def is_server(self) -> bool:
        """Whether this process keeps parameters."""
        return self._role()._is_server()

    def server_num(self) -> int:
        """The number of servers."""
        return self._role()._server_num()

    def server_index(self) -> int:
        """The number of this server."""
        return self._role()._server_index()

    def worker_endpoints(self, to_string: bool = False) -> list[str] | str:
        """The addresses of the workers."""
        found = self._role()._get_trainer_endpoints()
        return ",".join(found) if to_string else found

    def server_endpoints(self, to_string: bool = False) -> list[str] | str:
        """The addresses of the servers."""
        found = [] if self._role_maker is None else self._role_maker._get_pserver_endpoints()
        return ",".join(found) if to_string else found

    def barrier_worker(self) -> None:
        """Wait for the other workers."""
        self._role()._barrier()

    def all_reduce(self, input: Any, mode: str = "sum") -> Any:
        """The sum, "mean" or "max" over workers."""
        return self._util.all_reduce(input, mode)

    def init_worker(self, scopes: Any = None) -> None:
        """Connect to the servers, where there are any; before or after the startup Program.

        Raises DistributedError where one is not there in time, or was started otherwise.
        """
        self._role()
        if self._job is not None:
            self._job.communicator()

    def stop_worker(self) -> None:
        """Leave the servers, which end when all workers have."""
        self._role()
        if self._job is not None:
            self._job.stop_worker()

    def init_server(self, dirname: str | None = None, var_names: Any = None, **kwargs: Any) -> None:
        """Make the tables that this server keeps: new ones, or those saved in a folder.

        dirname: in which `save_persistables` has saved, with any number of servers. A server that
        the launcher has started again goes on from its last snapshot instead, if it has one. Raises
        FileError for a folder without tables or a damaged one, ProgramError before `minimize`.
        """
        self._with_servers("init_server").init_server(dirname)

    def run_server(self) -> None:
        """Serve until all workers have left. Raises DistributedError where some never do."""
        self._with_servers("run_server").run_server()

    def load_model(self, path: str, mode: int = 0) -> None:
        """Let servers load what `save_persistables` saved, with any number of servers.

        All workers call it after a barrier; the first one has servers load, and each takes the
        parameters that lie whole. Raises DistributedError for what servers cannot read.
        """
        ps.refuse_modes(mode)
        self._with_servers("load_model").load(path)

    def shrink(self, threshold: float | None = None) -> int:
        """Drop rows of tables that are shown and clicked too seldom; how many.

        threshold: the score below which a row goes, 0.8 by default; see ShowClickEntry. The first
        worker does it.
        """
        found: int = self._with_servers("shrink").shrink(threshold)
        return found

    def save_dense_params(
        self, executor: Any, dirname: str, scope: Any, program: Any, var_names: Any = None
    ) -> None:
        """Save the parameters that a worker has whole: see `distributed.io.save_persistables`."""
        self._role()
        io.save_persistables(executor, dirname, program)

    def print_table_stat(self, table_id: int, pass_id: int = 0, threshold: float = 0) -> None:
        """Print how many rows each table has."""
        for name, count in self._with_servers("print_table_stat").rows().items():
            print(f"{name}: {count} rows")

    def _with_servers(self, name: str) -> Any:
        self._role()
        if self._job is None:
            raise refused_alone(f"fleet.{name}", SERVERS)
        return self._job

    def distributed_optimizer(
        self, optimizer: Optimizer, strategy: DistributedStrategy | None = None
    ) -> Any:
        """The optimizer for a Program, whose `minimize` is that of Fleet.

        Raises UnsupportedError where the strategy would change a step.
        """
        if strategy is not None:
            self._user_defined_strategy = copy.deepcopy(_checked(strategy))
        self._role()
        self.user_defined_optimizer = optimizer
        return self

    def minimize(
        self,
        loss: Any,
        startup_program: Any = None,
        parameter_list: Iterable[Any] | None = None,
        no_grad_set: Any = None,
    ) -> Any:
        """What the optimizer's `minimize` does. Raises UnsupportedError: see `check_step`."""
        if self.user_defined_optimizer is None:
            raise ProgramError(
                "fleet.minimize before fleet.distributed_optimizer(optimizer)",
                cure="call fleet.distributed_optimizer first",
            )
        self._user_defined_strategy.check_step(self._job is not None)
        if self._job is not None:
            found = self.user_defined_optimizer.minimize(
                loss, startup_program, parameter_list, no_grad_set
            )
            self._job.take(loss, startup_program, self._user_defined_strategy)
            return found
        if get_world_size() > 1:
            group = self._averaged_alone()
            return minimize_in_program(
                self.user_defined_optimizer,
                *(group, loss, startup_program, parameter_list, no_grad_set),
            )
        return self.user_defined_optimizer.minimize(
            loss, startup_program, parameter_list, no_grad_set
        )

    def _averaged_alone(self) -> Any:
        """The group of all processes. Raises UnsupportedError where they divide the network."""
        groups = self.get_hybrid_communicate_group()
        if groups.get_parallel_mode() != ParallelMode.DATA_PARALLEL:
            raise UnsupportedError(
                "a Program in several processes that divide a network or an optimizer",
                cure="make all degrees but dp_degree 1, or train eagerly",
            )
        return groups.averaged_group()

    def save(
        self, dirname: str, feed: Sequence[Any] = (), fetch: Sequence[Any] = (), **configs: Any
    ) -> None:
        """Save a model for inference where `feed` and `fetch` are given, else the parameters.

        Where servers keep tables, these are parameters of the model, with the rows declared.
        """
        program = configs.get("main_program") or default_main_program()
        if self._job is not None:
            program = self._job.whole(program)
        if not fetch:
            save(program, str(Path(dirname) / "model"))
            return
        named = [[v if isinstance(v, str) else v.name for v in given] for given in (feed, fetch)]
        inputs, outputs = ([program.global_block().var(n) for n in names] for names in named)
        prefix = str(Path(dirname) / "model")
        save_inference_model(prefix, inputs, outputs, configs.get("executor"), program=program)

    def save_inference_model(
        self,
        executor: Any,
        dirname: str,
        feeded_var_names: Sequence[str],
        target_vars: Sequence[Any],
        main_program: Any = None,
        export_for_deployment: bool = True,
        mode: int = 0,
    ) -> None:
        """Save a model for inference at `dirname`/model."""
        self.save(
            dirname, feeded_var_names, target_vars, executor=executor, main_program=main_program
        )

    def save_persistables(
        self, executor: Any, dirname: str, main_program: Any = None, mode: int = 0
    ) -> None:
        """Save the parameters and moments of a Program in a folder: see `distributed.io`.

        Where there are servers each saves its part there, a folder that all see, when the first
        worker calls it; what was saved there before is whole until all is. Raises DistributedError
        for what a server cannot write.
        """
        self._role()
        if self._job is not None:
            ps.refuse_modes(mode)
            self._job.save(executor, dirname, main_program)
            return
        io.save_persistables(executor, dirname, main_program)

    def collective_perf(self, comm_type: str, round: int = 50, size_and_time: Any = None) -> None:
        """Measure what travels between processes: raises UnsupportedError, nothing does."""
        raise refused_alone("fleet.collective_perf", "leave it out")

    def amp_init(self, *args: Any, **kwargs: Any) -> None:
        """Make parameters of low precision ready: raises UnsupportedError."""
        raise UnsupportedError("mixed precision is not served yet", cure="leave out fleet.amp_init")

    def qat_init(self, *args: Any, **kwargs: Any) -> None:
        """Make quantization ready: raises UnsupportedError."""
        raise UnsupportedError("quantization is not served yet", cure="leave out fleet.qat_init")


def _refusing(name: str) -> Any:
    def refuse(self: Fleet, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
        raise UnsupportedError(
            f"fleet.{name} is not served", cure="use save_persistables, load_model and shrink"
        )

    return refuse


for _name in sorted(WITH_SERVERS):
    setattr(Fleet, _name, _refusing(_name))

fleet = Fleet()


def distributed_model(model: Layer) -> Layer:
    """The network as all processes train it: one whose gradients are means over them.

    One process has the network itself, or a pipeline of one stage.

    Raises TypeMismatchError, or ProgramError before `fleet.init`.
    """
    fleet._role()
    _refuse_eager()
    if not isinstance(model, Layer):
        raise TypeMismatchError(f"distributed_model takes a Layer, received {type(model).__name__}")
    if get_world_size() > 1:
        groups = fleet.get_hybrid_communicate_group()
        return divided_model(model, groups, fleet._user_defined_strategy)
    if isinstance(model, PipelineLayer):
        return NoPipelineParallel(model, fleet._user_defined_strategy)
    return model


def distributed_optimizer(optimizer: Optimizer, strategy: DistributedStrategy | None = None) -> Any:
    """The optimizer as all processes use it; for a Program Fleet, whose `minimize` checks.

    Raises ProgramError before `fleet.init`.
    """
    found = fleet.distributed_optimizer(optimizer, strategy)
    _refuse_eager()
    if current().runs and get_world_size() > 1:
        return divided_optimizer(optimizer, fleet.get_hybrid_communicate_group())
    return optimizer if current().runs else found


def _refuse_eager() -> None:
    """Raise UnsupportedError where operators run at once in a job with servers."""
    if fleet._job is not None and current().runs:
        raise UnsupportedError(
            "training eagerly with parameter servers: they serve static Programs",
            cure="call paddle.enable_static() first",
        )


def distributed_scaler(scaler: Any) -> Any:
    """The GradScaler as all processes use it: where they divide a network, one for all of them.

    Raises ProgramError before `fleet.init`.
    """
    return divided_scaler(scaler, fleet.get_hybrid_communicate_group())


def _checked(strategy: Any) -> DistributedStrategy:
    if not isinstance(strategy, DistributedStrategy):
        raise TypeMismatchError(
            f"strategy: expected a DistributedStrategy, received {type(strategy).__name__}"
        )
    strategy.check_degrees()
    return strategy


def _before_init(what: str) -> ProgramError:
    return ProgramError(f"fleet: {what} before fleet.init", cure="call fleet.init first")
