"""How a tensor lies in memory, for those who ask: one dense block on the CPU, row by row.

And the methods that give a tensor other memory: `resize_`, `set_`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.device import Buffer, device_of
from twinoar.core.interpreter import current
from twinoar.core.values import Value, method
from twinoar.eager.tensor import Tensor as EagerTensor
from twinoar.errors import AxisError, DeviceError, ProgramError, TypeMismatchError
from twinoar.ops.create.fill import zeros
from twinoar.ops.index.strided import as_strided
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import reshape

Tensor = Value
# What only sparse tensors have.
OF_SPARSE = ("coalesce", "cols", "crows", "indices", "is_coalesced", "nnz", "to_dense", "values")


class NamedDevice(str):
    """The device of a tensor, as text that has a type and an index."""

    @property
    def type(self) -> str:
        """The kind of device."""
        return self.partition(":")[0]

    @property
    def index(self) -> int | None:  # type: ignore[override]  # Paddle's name, and str's
        """Its number among those of its kind; None for the CPU."""
        number = self.partition(":")[2]
        return int(number) if number else None


def _answer(name: str, answer: Any, what: str) -> None:
    """Declare a method of all tensors that gives `answer`."""

    def ask(x: Tensor) -> Any:
        return answer

    ask.__name__, ask.__doc__ = name, what
    method(name)(ask)


_answer("is_dense", True, "True: all elements are held.")
_answer("is_selected_rows", False, "False: all rows are held.")
_answer("is_sparse", False, "False: all elements are held.")
_answer("is_sparse_coo", False, "False: all elements are held.")
_answer("is_sparse_csr", False, "False: all elements are held.")
_answer("sparse_dim", 0, "Number of dimensions that positions count: 0.")


@method("get_device")
def _get_device(x: Tensor) -> int:
    """The number of its device: -1 for the CPU."""
    index = _device(x).index
    return -1 if index is None else index


@method("is_dist")
def _is_dist(x: Tensor) -> bool:
    """Whether `distributed.shard_tensor` or its kin has made the tensor."""
    return x.process_mesh is not None


@method("_local_value")
def _local_value(x: Tensor) -> Tensor:
    """The part of the tensor that this process has: all of it, unless it lies on a mesh."""
    local = getattr(x._data, "local", None)
    return x if local is None else EagerTensor(local)


def _sparse_only(name: str) -> Callable[[Tensor], Any]:
    def refuse(x: Tensor) -> Any:
        raise TypeMismatchError(
            f"{name}() is of sparse tensors, and the tensor holds all its elements",
            cure="make a sparse one: x.to_sparse_coo(sparse_dim), x.to_sparse_csr()",
        )

    refuse.__name__, refuse.__doc__ = name, "Of sparse tensors alone: raises TypeMismatchError."
    return refuse


for _name in OF_SPARSE:
    method(_name)(_sparse_only(_name))


@method("dense_dim")
def dense_dim(x: Tensor) -> int:
    """Number of dimensions that are held whole: all."""
    return x.ndim


@method("get_strides")
def get_strides(x: Tensor) -> list[Any]:
    """How many elements lie between neighbors along each dimension.

    >>> twinoar.ones([2, 3]).get_strides()
    [3, 1]
    """
    shape: Any = x.spec.shape
    return [math.prod(shape[i + 1 :]) for i in range(len(shape))]


@method("stride")
def stride(x: Tensor, dim: int | None = None) -> Any:
    """The strides, or that of one dimension. Raises AxisError."""
    strides = get_strides(x)
    if dim is None:
        return strides
    if not -len(strides) <= dim < len(strides):
        raise AxisError(f"dim {dim} is out of range for a tensor of {x.ndim} dimensions")
    return strides[dim]


@method("data_ptr")
def data_ptr(x: Any) -> int:
    """The address of the first element; the others follow as `get_strides` says.

    Raises ProgramError for a Variable, DeviceError for memory of another device than the CPU.
    """
    data = getattr(x, "_data", None)
    if data is None:
        raise ProgramError(f"{x} is a symbol of a Program and has no address")
    if isinstance(data, Buffer):
        raise DeviceError(f"memory of {data.device} has no address here", cure="use x.cpu()")
    if not data.flags.c_contiguous:  # results may lie in the order that costs least
        data = x._data = np.ascontiguousarray(data)
    address: int = data.ctypes.data
    return address


def _device(x: Tensor) -> NamedDevice:
    """The device that holds the data; for a symbol the CPU."""
    return NamedDevice(device_of(getattr(x, "_data", None)))


def _is_cuda(x: Tensor) -> bool:
    """Whether a GPU holds the data."""
    return _device(x).type == "gpu"


def _offset(x: Tensor) -> int:
    """Where the data begin in their memory: at 0."""
    return 0


def _layout(x: Tensor) -> str:
    """The order of the dimensions of images, as Paddle names it."""
    return "NCHW"


for _name, _read in {
    "device": _device,
    "is_cuda": _is_cuda,
    "layout": _layout,
    "offset": _offset,
    "strides": get_strides,
}.items():
    method(_name)(property(_read))  # type: ignore[type-var]


@method("resize_")
def resize_(
    x: Tensor, shape: Sequence[int], fill_zero: bool = False, name: str | None = None
) -> Tensor:
    """Let x have another shape, in place, and return it: its first elements, then zeros.

    fill_zero: accepted as Paddle's, which leaves new elements as they come without it.

    >>> twinoar.arange(3).resize_([2, 2]).tolist()
    [[0, 1], [2, 0]]
    """
    count = math.prod(shape)
    flat = reshape(x, [-1])
    if count > x.size:
        flat = concat([flat, zeros([count - x.size], x.dtype)])
    current().rebind(x, reshape(flat[:count], shape))
    return x


@method("set_")
def set_(
    x: Tensor,
    source: Tensor | None = None,
    shape: Sequence[int] | None = None,
    stride: Sequence[int] | None = None,
    offset: int = 0,
    name: str | None = None,
) -> Tensor:
    """Let x have the elements of `source`, in place, and return it; without one x is empty.

    shape, stride: which elements, as in `as_strided`; offset: in bytes. They are copied: a later
    change of `source` is not seen.

    >>> x = twinoar.zeros([1])
    >>> x.set_(twinoar.arange(4), [2, 2], [1, 2]).tolist()
    [[0, 2], [1, 3]]
    """
    if source is None:
        current().rebind(x, zeros([0], x.dtype))
        return x
    chosen = list(source.shape if shape is None else shape)
    steps = [math.prod(chosen[i + 1 :]) for i in range(len(chosen))] if stride is None else stride
    current().rebind(x, as_strided(source, chosen, steps, offset // source.dtype.itemsize))
    return x
