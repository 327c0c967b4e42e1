"""How ranks lie along the axes of hybrid parallelism, and the groups along each."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Sequence
from typing import Any

from twinoar.distributed.group import Group, group_alone, new_group
from twinoar.distributed.world import get_rank, get_world_size
from twinoar.errors import ArgumentError
from twinoar.runtime.collective import current_world

AXES = ("data", "pipe", "sharding", "sep", "context", "model")


class ParallelMode:
    """What is divided among processes."""

    DATA_PARALLEL, TENSOR_PARALLEL, PIPELINE_PARALLEL, SHARDING_PARALLEL, SEGMENT_PARALLEL = range(
        5
    )


class CommunicateTopology:
    """Ranks in a block whose axes have names: the last one's neighbours are next to each other.

    >>> topology = CommunicateTopology(["data", "model"], [2, 2])
    >>> topology.get_coord(3), topology.get_rank(data=1, model=0), topology.get_comm_list("data")
    (Coordinate(data=1, model=1), 2, [[0, 2], [1, 3]])
    """

    def __init__(
        self, hybrid_group_names: Sequence[str] = AXES, dims: Sequence[int] = (1,) * len(AXES)
    ):
        if len(hybrid_group_names) != len(dims):
            raise ArgumentError(f"{len(hybrid_group_names)} names of axes and {len(dims)} sizes")
        self._parallel_names, self._dims = list(hybrid_group_names), list(dims)
        make: Any = collections.namedtuple
        self.coordinate: Any = make("Coordinate", self._parallel_names)
        found = itertools.product(*(range(size) for size in dims))
        self._coords = [self.coordinate(*place) for place in found]

    def get_hybrid_group_names(self) -> list[str]:
        """The names of the axes."""
        return self._parallel_names

    def get_dim(self, axis_name: str) -> int:
        """The size of an axis."""
        return self._dims[self._axis(axis_name)]

    get_dim_size = get_dim

    def world_size(self) -> int:
        """The number of ranks."""
        return len(self._coords)

    def get_rank(self, **args: int) -> int:
        """The rank at the place that names each axis."""
        if sorted(args) != sorted(self._parallel_names):
            raise ArgumentError(f"expected the axes {self._parallel_names}, received {list(args)}")
        place = self.coordinate(**args)
        if place not in self._coords:
            raise ArgumentError(f"{place} is outside of the sizes {self._dims}")
        return self._coords.index(place)

    def get_coord(self, rank: int) -> Any:
        """The place of a rank, a named tuple."""
        if not 0 <= rank < self.world_size():
            raise ArgumentError(f"rank {rank} of {self.world_size()}")
        return self._coords[rank]

    def get_axis_list(self, axis_name: str, index: int) -> list[int]:
        """The ranks at one index of an axis."""
        axis = self._axis(axis_name)
        return [rank for rank, place in enumerate(self._coords) if place[axis] == index]

    def get_comm_list(self, axis_name: str) -> list[list[int]]:
        """The groups of ranks that differ along one axis alone."""
        return self._groups([self._axis(axis_name)])

    def get_fused_ranks(self, fused_axis: Sequence[str]) -> list[list[int]]:
        """The groups of ranks that differ along some axes alone."""
        return self._groups([self._axis(name) for name in fused_axis])

    def get_rank_from_stage(self, global_rank: int, **kwargs: int) -> int:
        """The rank at the place of another, but for the axes that are given."""
        return self.get_rank(**{**self.get_coord(global_rank)._asdict(), **kwargs})

    def _axis(self, name: str) -> int:
        if name not in self._parallel_names:
            raise ArgumentError(f"no axis {name!r}, there are {self._parallel_names}")
        return self._parallel_names.index(name)

    def _groups(self, axes: Sequence[int]) -> list[list[int]]:
        found: dict[tuple, list[int]] = {}
        for rank, place in enumerate(self._coords):
            others = tuple(x for axis, x in enumerate(place) if axis not in axes)
            found.setdefault(others, []).append(rank)
        return list(found.values())


class HybridCommunicateGroup:
    """The groups of this process along each axis of a topology. All processes make it.

    Raises ArgumentError for a topology of another number of processes than there are.

    >>> groups = HybridCommunicateGroup(CommunicateTopology())
    >>> groups.get_model_parallel_world_size(), groups.get_stage_id(), groups.is_last_stage
    (1, 0, True)
    """

    def __init__(self, topology: CommunicateTopology, hybrid_configs: Any = None, experts: int = 1):
        size = get_world_size()
        if topology.world_size() != size:
            raise ArgumentError(
                f"a topology of {topology.world_size()} ranks, there are {size} processes",
                cure="let the product of the degrees be the number of processes",
            )
        self._topo, self.nranks, self.global_rank = topology, size, get_rank()
        self._groups: dict[tuple[str, ...], Group] = {}
        for name in topology.get_hybrid_group_names():
            self._group((name,))
        self._group(AVERAGED)
        self._make_expert_groups(experts)
        self.stage_id = self._group(("pipe",)).rank
        self.is_first_stage = self.stage_id == 0
        self.is_last_stage = self.stage_id == self._size("pipe") - 1

    def _make_expert_groups(self, count: int) -> None:
        """Of the processes with other data, each `count` next to each other share experts.

        Those at the same place of each have the same ones. All processes call it.
        """
        if count <= 1:
            return
        axes = [n for n in AVERAGED if self._size(n) > 1]
        for ranks in self._topo.get_fused_ranks(axes):
            parts = [ranks[i : i + count] for i in range(0, len(ranks), count)]
            for name, chosen in (("expert", parts), ("moe_sharding", zip(*parts, strict=True))):
                for members in chosen:
                    made = new_group(list(members))
                    if made.is_member():
                        self._groups[(name,)] = made

    def get_parallel_mode(self) -> int:
        """What is divided: one of ParallelMode."""
        if self._size("pipe") > 1:
            return ParallelMode.PIPELINE_PARALLEL
        if self.sequence_parts() > 1:
            return ParallelMode.SEGMENT_PARALLEL
        if self._size("model") > 1:
            return ParallelMode.TENSOR_PARALLEL
        if self._size("sharding") > 1:
            return ParallelMode.SHARDING_PARALLEL
        return ParallelMode.DATA_PARALLEL

    def topology(self) -> CommunicateTopology:
        """How the ranks lie."""
        return self._topo

    def get_global_rank(self) -> int:
        """The rank in the world."""
        return self.global_rank

    def get_stage_id(self) -> int:
        """The stage of a pipeline that runs here."""
        return self.stage_id

    def get_rank_from_stage(self, stage_id: int, **kwargs: int) -> int:
        """The rank of a stage."""
        return self._topo.get_rank_from_stage(self.global_rank, pipe=stage_id, **kwargs)

    def create_fuse_group(self, fused_strategy_list: Sequence[str], nccl_config: Any = None) -> Any:
        """Groups over several axes: their ranks, and the one of this process. All call it."""
        names = [n for n in fused_strategy_list if n in self._topo.get_hybrid_group_names()]
        return self._topo.get_fused_ranks(names), self._group(tuple(fused_strategy_list))

    def averaged_group(self) -> Group:
        """The processes that train on other data, or other positions of it.

        Gradients are means over it, times `sequence_parts()`.
        """
        return self._group(AVERAGED)

    def sequence_parts(self) -> int:
        """How many processes divide the positions of one sequence: gradients are sums over them."""
        return self._size("sep") * self._size("context")

    def _size(self, name: str) -> int:
        return self._topo.get_dim(name) if name in self._topo.get_hybrid_group_names() else 1

    def _group(self, names: tuple[str, ...]) -> Group:
        """The group of this process along some axes; all processes ask for it at once at first."""
        if names not in self._groups:
            there = [n for n in names if self._size(n) > 1]
            if not there:
                self._groups[names] = group_alone()
            for ranks in self._topo.get_fused_ranks(there) if there else ():
                made = new_group(ranks)
                if made.is_member():
                    self._groups[names] = made
        return self._groups[names]


def is_divided(parameter: Any) -> bool:
    """Whether each process of tensor parallelism has another part of a parameter."""
    return bool(getattr(parameter, "is_distributed", False))


AVERAGED = ("data", "sharding", "sep", "context")
# The axes that each name of Paddle's means; what is not served has a size of 1.
AXES_OF = {
    "data_parallel": ("data",),
    "model_parallel": ("model",),
    "pipe_parallel": ("pipe",),
    "sharding_parallel": ("sharding",),
    "sep_parallel": ("sep",),
    "check_parallel": ("data", "pipe", "sharding", "sep", "model"),
    "dp_sep_parallel": ("data", "sep"),
    "pp_mp_parallel": ("pipe", "model"),
    "expert_parallel": ("expert",),
    "moe_sharding_parallel": ("moe_sharding",),
    "context_parallel": ("context",),
    "cp_sharding_parallel": ("context", "sharding"),
    "cp_mp_parallel": ("context", "model"),
}


def _accessor(axes: tuple[str, ...], answer: str) -> Any:
    def group(self: HybridCommunicateGroup, *args: Any, **kwargs: Any) -> Group:
        """The group of this process along these axes."""
        return self._group(axes)

    def rank(self: HybridCommunicateGroup, *args: Any, **kwargs: Any) -> int:
        """The rank in the group along these axes."""
        return self._group(axes).rank

    def size(self: HybridCommunicateGroup, *args: Any, **kwargs: Any) -> int:
        """The number of ranks along these axes."""
        return self._group(axes).nranks

    def first(self: HybridCommunicateGroup, *args: Any, **kwargs: Any) -> int:
        """The rank in the world of the first of the group along these axes."""
        return self._group(axes).ranks[0]

    return {"group": group, "rank": rank, "world_size": size, "group_src_rank": first}[answer]


for _name, _axes in AXES_OF.items():
    for _answer in ("group", "rank", "world_size", "group_src_rank"):
        setattr(HybridCommunicateGroup, f"get_{_name}_{_answer}", _accessor(_axes, _answer))

HYBRID = "hybrid"  # under which a world keeps the groups that `fleet.init` has made


def keep_groups(groups: HybridCommunicateGroup) -> None:
    """Let layers find the groups of `fleet.init`."""
    current_world().faces[HYBRID] = groups


def kept_groups() -> HybridCommunicateGroup | None:
    """The groups of `fleet.init`, where it was called."""
    found: HybridCommunicateGroup | None = current_world().faces.get(HYBRID)
    return found


def group_for(axis: str) -> Group:
    """The group of this process along an axis of `fleet.init`; by itself where there is none."""
    groups = kept_groups()
    return group_alone() if groups is None else groups._group((axis,))


__all__ = ["CommunicateTopology", "HybridCommunicateGroup", "ParallelMode"]
