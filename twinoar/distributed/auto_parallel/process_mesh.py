"""ProcessMesh: ranks in a block whose dimensions have names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.distributed.group import Group, groups_along
from twinoar.distributed.world import ONE_PROCESS, refuse_many
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.runtime.collective import rank_and_size


class ProcessMesh:
    """Ranks in a block whose dimensions have names, "d0", "d1", ... by default.

    Tensors lie on it: see `shard_tensor`. Raises ArgumentError, TypeMismatchError.

    >>> mesh = ProcessMesh([[0, 1], [2, 3]], dim_names=["x", "y"])
    >>> mesh.shape, mesh.get_dim_size("y"), mesh[1].process_ids
    ([2, 2], 2, [2, 3])
    """

    def __init__(
        self,
        mesh: Any = None,
        dim_names: Sequence[str] | None = None,
        shape: Sequence[int] | None = None,
        process_ids: Sequence[int] | None = None,
    ):
        if mesh is None:
            if shape is None or process_ids is None:
                raise ArgumentError(
                    "ProcessMesh needs its ranks", cure="pass mesh=[0], or shape and process_ids"
                )
            mesh = np.array(process_ids).reshape(tuple(shape))
        if not isinstance(mesh, list | tuple | np.ndarray):
            raise TypeMismatchError(f"mesh: expected a list, received {type(mesh).__name__}")
        self.mesh = np.array(mesh)
        if self.mesh.dtype.kind not in "iu" or (self.mesh < 0).any():
            raise ArgumentError(f"a mesh has ranks of 0 or more, received {mesh!r}")
        if len(np.unique(self.mesh)) != self.mesh.size:
            raise ArgumentError(f"a mesh has each rank once, received {mesh!r}")
        self.dim_names = self._named(dim_names)

    def _named(self, given: Sequence[str] | None) -> list[str]:
        names = [f"d{i}" for i in range(self.ndim)] if given is None else list(given)
        if len(names) != self.ndim or len(set(names)) != len(names):
            raise ArgumentError(f"{self.ndim} different names of dimensions, received {names}")
        if not all(isinstance(name, str) for name in names):
            raise TypeMismatchError(f"names of dimensions are strings, received {names}")
        return names

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self.mesh.ndim

    @property
    def shape(self) -> list[int]:
        """The sizes of the dimensions."""
        return list(self.mesh.shape)

    @property
    def process_ids(self) -> list[int]:
        """The ranks, in a row."""
        return self.mesh.ravel().tolist()

    @property
    def size(self) -> int:
        """The number of ranks."""
        return self.mesh.size

    def get_dim_size(self, dim: str | int) -> int:
        """The size of a dimension, by its name or number."""
        return self.shape[self.axis_of(dim)]

    def get_rank_by_dim_and_process_id(self, dim: str | int, process_id: int) -> int:
        """Where along a dimension a rank is; -1 if it is not in the mesh."""
        found = np.argwhere(self.mesh == process_id)
        return int(found[0][self.axis_of(dim)]) if len(found) else -1

    def get_mesh_with_dim(self, dim_name: str, index: Any = None) -> ProcessMesh:
        """The mesh with that dimension first, or its part at `index` of it."""
        axis = self.axis_of(dim_name)
        names = [dim_name, *(n for n in self.dim_names if n != dim_name)]
        moved = np.moveaxis(self.mesh, axis, 0)
        if index is None:
            return ProcessMesh(moved, names)
        part = moved[index]
        return ProcessMesh(part, names if part.ndim == self.ndim else names[1:])

    def get_submesh_with_dim(self, dim_name: str) -> ProcessMesh:
        """The ranks along one dimension among which this process is."""
        axis = self.axis_of(dim_name)
        rank = rank_and_size()[0]
        found = np.argwhere(self.mesh == rank)
        if not len(found):
            raise ArgumentError(f"rank {rank} is not in {self}")
        place = [slice(None) if i == axis else int(k) for i, k in enumerate(found[0])]
        return ProcessMesh(self.mesh[tuple(place)], [dim_name])

    def get_group(self, dim_name: str | None = None) -> Group:
        """The group along a dimension in which this process is; the same one at each call.

        All processes call it when it is first asked for, those that are not in the mesh too.
        Raises ArgumentError for these where there are several lines, and for a mesh of processes
        that there are not.

        >>> mesh = ProcessMesh([0], dim_names=["x"])
        >>> mesh.get_group("x") is mesh.get_group()
        True
        """
        if dim_name is None and self.ndim > 1:
            raise ArgumentError("get_group of several dimensions needs dim_name")
        axis = 0 if dim_name is None else self.axis_of(dim_name)
        groups = groups_along(self.mesh, axis)
        own = groups if self.ndim == 1 else [g for g in groups if g.is_member()]
        if not own:
            raise ArgumentError(f"rank {rank_and_size()[0]} is not in {self}")
        return own[0]

    def axis_of(self, dim: str | int) -> int:
        """The number of a dimension that is given by its name or number. Raises ArgumentError."""
        if isinstance(dim, str):
            if dim not in self.dim_names:
                raise ArgumentError(f"no dimension {dim!r}, there are {self.dim_names}")
            return self.dim_names.index(dim)
        if not -self.ndim <= dim < self.ndim:
            raise ArgumentError(f"dimension {dim} of {self.ndim}")
        return dim % self.ndim

    def __getitem__(self, index: Any) -> ProcessMesh:
        part = self.mesh[index]
        places = index if isinstance(index, tuple) else (index,)
        places += (slice(None),) * (self.ndim - len(places))
        kept = [
            n for n, place in zip(self.dim_names, places, strict=True) if isinstance(place, slice)
        ]
        return ProcessMesh(part, kept) if kept else ProcessMesh([int(part)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProcessMesh) and np.array_equal(self.mesh, other.mesh)

    def __hash__(self) -> int:
        return hash((tuple(self.shape), tuple(self.process_ids)))

    def __repr__(self) -> str:
        return f"shape {self.shape}, process_ids {self.process_ids}, dim_names {self.dim_names}"


_mesh: ProcessMesh | None = None


def set_mesh(mesh: ProcessMesh) -> None:
    """Make a mesh the one that `get_mesh` gives."""
    global _mesh
    _mesh = as_mesh(mesh)


def get_mesh() -> ProcessMesh | None:
    """The mesh that `set_mesh` was given; None before that."""
    return _mesh


def as_mesh(given: Any) -> ProcessMesh:
    """A mesh. Raises TypeMismatchError."""
    if not isinstance(given, ProcessMesh):
        raise TypeMismatchError(f"expected a ProcessMesh, received {type(given).__name__}")
    return given


def check_alone(given: Any) -> ProcessMesh:
    """A mesh of rank 0 alone. Raises UnsupportedError for another."""
    mesh = as_mesh(given)
    refuse_many("a mesh")
    if mesh.process_ids != [0]:
        raise UnsupportedError(
            f"a mesh of the ranks {mesh.process_ids}: {ONE_PROCESS}, its rank is 0",
            cure="make it ProcessMesh([0], dim_names=[...])",
        )
    return mesh


__all__ = ["ProcessMesh", "get_mesh", "set_mesh"]
