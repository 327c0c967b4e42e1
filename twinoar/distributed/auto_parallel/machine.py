"""A mesh of processes is a device: its memory holds a part of each tensor on every rank.

So eager mode, gradients, optimizers and Programs are on a mesh what they are on any device. A call
is divided by `dividing`; what has to lie otherwise for it is moved by `moving`.
"""

from __future__ import annotations

import math
import threading
import zlib
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from twinoar import config
from twinoar.backends.base import Executable, Sort
from twinoar.backends.choice import make_executable
from twinoar.backends.device import Backend, DeviceExecutable, MemoryUse, Properties
from twinoar.compile.element import has_element
from twinoar.core.device import Buffer, Data, Device, register_backend, to_host
from twinoar.core.interpreter import eager, using
from twinoar.core.ir.builder import Builder, call_body
from twinoar.core.ir.program import Program, Variable
from twinoar.core.op.definition import Op
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.distributed.auto_parallel.dividing import Divided, divided_call
from twinoar.distributed.auto_parallel.foresight import Foresight
from twinoar.distributed.auto_parallel.moving import Grid, moved
from twinoar.distributed.auto_parallel.network import Network
from twinoar.distributed.auto_parallel.placement import (
    Partial,
    Placement,
    ReduceType,
    Replicate,
    Shard,
)
from twinoar.distributed.auto_parallel.prices import FIXED, MeasuredPrices, Prices
from twinoar.distributed.auto_parallel.process_mesh import ProcessMesh
from twinoar.distributed.auto_parallel.strategies import SUM, WHOLE, Lie
from twinoar.distributed.group import groups_along
from twinoar.distributed.world import LAUNCH
from twinoar.eager.tensor import SPECS, Tensor
from twinoar.errors import ArgumentError, DistributedError, FileError, UnsupportedError
from twinoar.runtime.collective import current_world, rank_and_size

KIND = "mesh"
PRICES = "prices"  # where a world keeps those that its ranks have agreed on
REDUCTIONS = ("sum", "max", "min", "prod", "avg", "any", "all")  # by Paddle's numbers
_meshes: list[ProcessMesh] = []
_lock = threading.Lock()


class Sharded(Buffer):
    """The part of a tensor that this rank has.

    lies: how it lies along each dimension of the mesh.
    """

    __slots__ = ("lies", "local")

    def __init__(self, device: Device, spec: Spec, local: np.ndarray, lies: Sequence[Lie]):
        shape: Any = spec.shape
        super().__init__(device, shape, spec.dtype.numpy)
        self.local, self.lies = local, tuple(lies)

    @property
    def process_mesh(self) -> ProcessMesh:
        """The mesh on which it lies."""
        return mesh_of(self.device)

    @property
    def placements(self) -> list[Placement]:
        """How it lies, as users write it."""
        return [
            Replicate()
            if lie is WHOLE
            else Shard(lie)
            if isinstance(lie, int)
            else Partial(ReduceType(REDUCTIONS.index(lie)))
            for lie in self.lies
        ]

    @property
    def offset(self) -> tuple[int, ...]:
        """Where this rank's part begins in the whole."""
        return grid_of(self.device).offset(self.spec, self.lies)

    @property
    def spec(self) -> Spec:
        """Shape and dtype of the whole."""
        return SPECS[self.shape, self.dtype]

    def to_host(self) -> np.ndarray:
        """The whole. All ranks of the mesh call it, as parts travel."""
        found = laid(self, (WHOLE,) * len(self.lies)).local
        return np.array(found)


def laid(x: Sharded, lies: Sequence[Lie]) -> Sharded:
    """The same tensor, lying otherwise on its mesh; all ranks of the mesh call it."""
    if x.lies == tuple(lies):
        return x
    with using(eager(UNRECORDED)):
        found = moved(Tensor(x.local), x.spec, grid_of(x.device), x.lies, lies)
    return Sharded(x.device, x.spec, found._data, lies)


def device_of_mesh(mesh: ProcessMesh) -> Device:
    """The device that a mesh is. All processes call it when they first use the mesh."""
    with _lock:
        known = (n for n, m in enumerate(_meshes) if m == mesh and m.dim_names == mesh.dim_names)
        index = next(known, len(_meshes))
        if index == len(_meshes):
            if not index:
                register_backend(KIND, MeshBackend())
            _meshes.append(mesh)
    device = Device(KIND, index)
    _groups(device)
    return device


def mesh_of(device: Device) -> ProcessMesh:
    """The mesh that a device is."""
    return _meshes[device.index]


def _groups(device: Device) -> tuple[int, ...]:
    """The groups in which this rank is, by number, -1 outside of the mesh.

    One along each dimension, and one of all ranks of the mesh.
    """
    faces = current_world().faces
    found: tuple[int, ...] | None = faces.get(str(device))
    if found is None:
        if PRICES not in faces:
            faces[PRICES] = _agreed_prices()
        mesh = mesh_of(device).mesh
        along = [_group_along(mesh, d) for d in range(mesh.ndim)]
        found = faces[str(device)] = (*along, _group_along(mesh.reshape(1, -1), 1))
    return found


def _agreed_prices() -> Prices:
    """Those of the network that the first rank knows, for all ranks, which call it together."""
    world, text, error = current_world().all, "", None
    if world.rank == 0 and config.network is not None:
        try:
            text = Network.read(config.network).to_text()
        except FileError as failure:
            error = failure
    text, reason = world.all_gather_object((text, None if error is None else str(error)))[0]
    if reason is not None:
        raise error or FileError(f"rank 0: {reason}", cure="look at TWINOAR_NETWORK there")
    return MeasuredPrices(Network.of_text(text)) if text else FIXED


def check_same(array: np.ndarray, device: Device) -> np.ndarray:
    """An array that each rank of a mesh is to have whole: itself, where it is the same on all."""
    return _same(array, _groups(device)[-1])


def _same(array: np.ndarray, group: int) -> np.ndarray:
    """The array, where all ranks of a group have it.

    Raises DistributedError, on all of them, where they do not: each would go on with numbers of its
    own, and call them one tensor.
    """
    if group < 0:
        return array
    there = current_world().of(group)
    elements: Any = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    numbers = there.all_gather(np.array([zlib.crc32(elements)]))[:, 0]
    differing = [r for r, number in zip(there.ranks, numbers, strict=True) if number != numbers[0]]
    if differing:
        raise DistributedError(
            f"what each process of a mesh has whole differs: {array.dtype}{list(array.shape)} of "
            f"rank {there.ranks[0]} is not that of rank {differing[0]}",
            cure="seed all alike before a network is made, or broadcast the tensor; what each has "
            "loaded for itself is a part: shard_dataloader, auto_parallel.dtensor_from_local",
        )
    return array


def _group_along(mesh: np.ndarray, dim: int) -> int:
    if mesh.shape[dim] == 1:
        return -1
    return next((g.id for g in groups_along(mesh, dim) if g.is_member()), -1)


def is_alone(mesh: ProcessMesh) -> bool:
    """Whether there is one process, and it is the mesh: tensors are then whole, and stay arrays.

    Raises UnsupportedError for a mesh of processes that there are not.
    """
    size = rank_and_size()[1]
    lacking = [r for r in mesh.process_ids if r >= size]
    if lacking:
        raise UnsupportedError(
            f"a mesh of the ranks {mesh.process_ids}: there are {size}, and the first is 0",
            cure=f"make it of these, or {LAUNCH}",
        )
    return size == 1


def is_here(data: Data) -> bool:
    """Whether this process has a part of a tensor: it is in the mesh, or the tensor in none."""
    mesh = data.process_mesh if isinstance(data, Sharded) else None
    return mesh is None or rank_and_size()[0] in mesh.process_ids


def lies_of(placements: Sequence[Placement]) -> tuple[Lie, ...]:
    """Placements as strategies have them."""
    return tuple(
        p.get_dim()
        if isinstance(p, Shard)
        else REDUCTIONS[p.reduce_type()]
        if isinstance(p, Partial)
        else WHOLE
        for p in placements
    )


def placed(data: Data, device: Device, lies: Sequence[Lie]) -> Sharded:
    """The part of a tensor that this rank has on a mesh. An array lies whole on every rank."""
    if isinstance(data, Sharded):
        if data.device == device:
            return laid(data, lies)
        data = _whole_everywhere(data)
    array = to_host(data)
    spec = SPECS[array.shape, array.dtype]
    if rank_and_size()[0] not in mesh_of(device).process_ids:
        return Sharded(device, spec, array, (WHOLE,) * len(lies))
    return laid(Sharded(device, spec, check_same(array, device), (WHOLE,) * len(lies)), lies)


def _whole_everywhere(x: Sharded) -> np.ndarray:
    """The whole of a tensor on every process there is, also outside of its mesh."""
    world, ranks = current_world().all, mesh_of(x.device).process_ids
    own = x.to_host() if world.rank in ranks else np.zeros(x.shape, x.dtype)
    return own if len(ranks) == world.size else world.broadcast(own, ranks[0])


def joined(local: Data, device: Device, lies: Sequence[Lie]) -> Sharded:
    """The tensor of which each rank gives its part. Raises ArgumentError for parts that differ."""
    array, grid = to_host(local), grid_of(device)
    shape = list(array.shape)
    for m in reversed(range(len(lies))):
        lie = lies[m]
        if isinstance(lie, int) and grid.shape[m] > 1:
            lengths = current_world().of(grid.groups[m]).all_gather(np.array(shape[lie]))
            shape[lie] = int(lengths.sum())
    spec = SPECS[tuple(shape), array.dtype]
    expected = grid.local(spec, lies).shape
    if expected != array.shape:
        raise ArgumentError(
            f"this process gives {list(array.shape)} of a tensor of shape {shape}, of which it has "
            f"{list(expected)}",
            cure="let the first processes have as much as any, and the last what is left",
        )
    for lie, group in zip(lies, grid.groups, strict=True):
        if lie is WHOLE:
            _same(array, group)
    return Sharded(device, spec, array, lies)


def local_of(data: Data) -> np.ndarray:
    """The part of a tensor that this rank has; an array is its own."""
    return data.local if isinstance(data, Sharded) else to_host(data)


def grid_of(device: Device) -> Grid:
    """The mesh as this rank sees it. Raises DistributedError for a rank that is not in it."""
    mesh, rank = mesh_of(device), rank_and_size()[0]
    place = np.argwhere(mesh.mesh == rank)
    if not len(place):
        raise DistributedError(
            f"rank {rank} is not in the mesh of the ranks {mesh.process_ids}",
            cure="let the ranks of the mesh alone compute with what lies on it",
        )
    prices = current_world().faces[PRICES]
    return Grid(tuple(mesh.shape), tuple(map(int, place[0])), _groups(device)[:-1], prices)


class MeshBackend(Backend):
    """Serves all meshes."""

    kind = KIND
    is_of_processes = True

    def count(self) -> int:
        return len(_meshes)

    def runs(self, op: Op) -> bool:
        return has_element(op) or "shard" in op.rules or op.body is None

    def call(
        self, op: Op, operands: Sequence[Any], attrs: dict[str, Any], device: Device
    ) -> tuple[Data, ...]:
        if not self.runs(op):
            return self._expanded(op, operands, attrs, device)
        grid = grid_of(device)
        with using(eager(UNRECORDED)):
            given = [_as_divided(x, device) for x in operands]
            found = divided_call(op, given, attrs, grid)
        return tuple(Sharded(device, x.spec, x.value._data, x.lies) for x in found)

    def _expanded(
        self, op: Op, operands: Sequence[Any], attrs: dict[str, Any], device: Device
    ) -> tuple[Data, ...]:
        """The results of a composite's body, whose operators are divided one by one."""
        given = tuple(Tensor(x) if isinstance(x, (np.ndarray, Buffer)) else x for x in operands)
        with using(eager(UNRECORDED.on(device))):
            found = call_body(op, given, attrs)
        return tuple(x._data for x in (found if isinstance(found, tuple) else (found,)))

    def executable(self, executable: Executable, device: Device) -> Executable:
        return MeshExecutable(executable.program, device, self)

    def compile(self, program: Program, device: Device) -> MeshCode:
        return MeshCode(program, device)

    def copy_in(self, array: np.ndarray, device: Device) -> Buffer:
        lies = (WHOLE,) * mesh_of(device).ndim
        array = np.array(check_same(array, device))
        return Sharded(device, SPECS[array.shape, array.dtype], array, lies)

    def next_of(self, old: Buffer, new: Buffer) -> Buffer:
        assert isinstance(old, Sharded) and isinstance(new, Sharded)
        return laid(new, old.lies) if old.shape == new.shape else new

    def synchronize(self, device: Device) -> None:
        return

    def memory(self, device: Device) -> MemoryUse:
        return MemoryUse(0, 0, 0, 0)

    def reset_peak(self, device: Device) -> None:
        return

    def properties(self, device: Device) -> Properties:
        return Properties(f"mesh of {mesh_of(device).size} processes", 0)


def _as_divided(x: Any, device: Device) -> Any:
    """An operand as `divided_call` takes it: arrays are whole on each rank."""
    if isinstance(x, Sharded):
        return Divided(Tensor(x.local), x.spec, x.lies)
    if isinstance(x, np.ndarray):
        whole = (WHOLE,) * mesh_of(device).ndim
        return Divided(Tensor(check_same(x, device)), SPECS[x.shape, x.dtype], whole)
    return x


class MeshCode:
    """Code for a Program on a mesh: a Program for each way that inputs have lain."""

    def __init__(self, program: Program, device: Device):
        self.program, self.device = program, device
        self.local: dict[Hashable, LocalProgram] = {}

    def __call__(self, inputs: list[Any]) -> list[Any]:
        grid, lies = grid_of(self.device), tuple(x.lies for x in inputs)
        found = self.local.get((grid, lies))
        if found is None:
            found = self.local[grid, lies] = LocalProgram(self.program, lies, grid)
        return found.run(inputs, self.device)


class MeshExecutable(DeviceExecutable):
    """A Program on a mesh: next values of states lie as the states do."""

    def _following(self, values: dict[Any, Any]) -> list[Data]:
        found = super()._following(values)
        return [
            laid(value, values[s].lies)
            if isinstance(value, Sharded) and isinstance(values.get(s), Sharded)
            else value
            for s, value in zip(self.program.updates, found, strict=True)
        ]

    def table(self, sort: Sort = "order") -> str:
        """What the first process runs, a line for each operator, and what travels for each."""
        codes = [form.code for form in self._forms.values()]
        found = [x for code in codes if isinstance(code, MeshCode) for x in code.local.values()]
        if not found:
            return "not divided yet: that is done at the first run"
        return "\n".join(line for local in found for line in local.lines())


class LocalProgram:
    """The Program that one rank runs, for inputs that lie so; with collectives where parts move."""

    def __init__(self, program: Program, lies: Sequence[tuple[Lie, ...]], grid: Grid):
        local = Program(program.name)
        env: dict[Any, Any] = {}
        for v, lying in zip(program.main.inputs, lies, strict=True):
            made = local.main.add_input(grid.local(v.spec, lying))
            env[v] = Divided(made, v.spec, lying)
        whole, ahead = (WHOLE,) * len(grid.shape), Foresight(program, env, grid)
        with using(Builder(local)):
            for o in program.main.ops:
                given = [self._operand(x, env, whole) for x in o.operands]
                for v, x in zip(o.operands, given, strict=True):
                    if isinstance(v, Variable) and isinstance(x, Divided) and SUM in x.lies:
                        x.lying(ahead.lies(v, x), grid)
                found = divided_call(o.op, given, o.attrs, grid)
                env.update(zip(o.results, found, strict=True))
            outputs = [self._operand(v, env, whole) for v in program.main.outputs]
            local.main.outputs = [x.value for x in outputs]
        self.outputs = [(x.spec, x.lies) for x in outputs]
        self.program = local
        self.executable = make_executable(local)

    def lines(self) -> Iterator[str]:
        """Its operators, with the bytes that each moves between processes."""
        for o in self.program.main.ops:
            travels = ""
            if o.op.rules.get("effect"):
                sizes = [math.prod(v.spec.shape) * v.dtype.numpy.itemsize for v in o.results]
                travels = f"{sum(sizes)} bytes travel"
            yield f"{o.op.name:<24} {travels}".rstrip()

    @staticmethod
    def _operand(x: Any, env: dict[Any, Any], whole: tuple[Lie, ...]) -> Any:
        if not isinstance(x, Variable):
            return x
        if x not in env:  # a constant
            env[x] = Divided(Tensor(np.asarray(x.data)), x.spec, whole)
        return env[x]

    def run(self, inputs: Sequence[Sharded], device: Device) -> list[Sharded]:
        """One run, with this rank's parts."""
        found = self.executable.call([x.local for x in inputs], [])[0]
        return [
            Sharded(device, spec, np.asarray(x), lies)
            for x, (spec, lies) in zip(found, self.outputs, strict=True)
        ]
