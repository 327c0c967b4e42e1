"""How ranks lie along the axes of hybrid parallelism, and the groups of a world of one."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Sequence
from typing import Any

from twinoar.distributed.group import Group, new_group
from twinoar.distributed.world import ONE_PROCESS
from twinoar.errors import ArgumentError, UnsupportedError

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
    """The groups of rank 0 along each axis: it is alone in all of them.

    Raises UnsupportedError for a topology of several ranks.

    >>> groups = HybridCommunicateGroup(CommunicateTopology())
    >>> groups.get_model_parallel_world_size(), groups.get_stage_id(), groups.is_last_stage
    (1, 0, True)
    """

    is_first_stage = is_last_stage = True
    global_rank = stage_id = 0
    nranks = 1

    def __init__(self, topology: CommunicateTopology, hybrid_configs: Any = None):
        if topology.world_size() > 1:
            raise UnsupportedError(
                f"a topology of {topology.world_size()} ranks: {ONE_PROCESS}",
                cure="make all degrees 1",
            )
        self._topo = topology
        self._alone: dict[str, Group] = {}

    def get_parallel_mode(self) -> int:
        """ParallelMode.DATA_PARALLEL: nothing is divided."""
        return ParallelMode.DATA_PARALLEL

    def topology(self) -> CommunicateTopology:
        """How the ranks lie."""
        return self._topo

    def get_global_rank(self) -> int:
        """The rank in the world: 0."""
        return 0

    def get_stage_id(self) -> int:
        """The stage of a pipeline that runs here: 0."""
        return 0

    def get_rank_from_stage(self, stage_id: int, **kwargs: int) -> int:
        """The rank of a stage."""
        return self._topo.get_rank_from_stage(0, pipe=stage_id, **kwargs)

    def create_fuse_group(self, fused_strategy_list: Sequence[str], nccl_config: Any = None) -> Any:
        """Groups over several axes, and their ranks."""
        return [[0]], self._group("+".join(fused_strategy_list))

    def _group(self, name: str) -> Group:
        if name not in self._alone:
            self._alone[name] = new_group([0])
        return self._alone[name]


def _accessor(axis: str, answer: str) -> Any:
    def group(self: HybridCommunicateGroup, *args: Any, **kwargs: Any) -> Group:
        """The group along this axis: rank 0 alone."""
        return self._group(axis)

    def rank(self: HybridCommunicateGroup, *args: Any, **kwargs: Any) -> int:
        """The rank in the group along this axis: 0."""
        return 0

    def size(self: HybridCommunicateGroup, *args: Any, **kwargs: Any) -> int:
        """The number of ranks along this axis: 1."""
        return 1

    return {"group": group, "rank": rank, "world_size": size, "group_src_rank": rank}[answer]


# The axes along which a rank asks for its group, its rank there, their number, the first's rank.
GROUPS = (
    "data_parallel", "model_parallel", "pipe_parallel", "sharding_parallel", "sep_parallel",
    "check_parallel", "dp_sep_parallel", "pp_mp_parallel", "expert_parallel",
    "moe_sharding_parallel", "context_parallel", "cp_sharding_parallel", "cp_mp_parallel",
)  # fmt: skip
for _axis in GROUPS:
    for _answer in ("group", "rank", "world_size", "group_src_rank"):
        setattr(HybridCommunicateGroup, f"get_{_axis}_{_answer}", _accessor(_axis, _answer))


__all__ = ["CommunicateTopology", "HybridCommunicateGroup", "ParallelMode"]
