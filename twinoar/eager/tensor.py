"""Tensor: data, and its place in the graph that gradients flow through."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinoar.core.delayed import mark
from twinoar.core.device import Buffer, Data, device_of, to_host
from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import (
    BY_NUMPY,
    HELD,
    DType,
    bfloat16,
    converted,
    default_dtype,
    dtype_of,
)
from twinoar.core.interpreter import current, eager, recording
from twinoar.core.ir.program import Names
from twinoar.core.memory_error import no_memory_for
from twinoar.core.op.definition import op_named
from twinoar.core.op.explain import told
from twinoar.core.op.view import ALL_OF_IT
from twinoar.core.policy import UNRECORDED
from twinoar.core.printing import format_tensor
from twinoar.core.spec import Spec
from twinoar.core.tree import flatten, map_leaves
from twinoar.core.values import Value
from twinoar.eager.elsewhere import moved
from twinoar.eager.place import Place, new_device, place_at
from twinoar.errors import ArgumentError, AxisError, DTypeError, GradientError, TypeMismatchError

names = Names()
NUMPY_TYPES = frozenset(d.numpy for d in HELD)
UNPACKED = 8  # slices that an iteration gives at once: more may be meant to be left early
BITS = np.dtype(np.uint16)  # how Paddle hands out bfloat16


class Zeros:
    """A gradient that was set to zero and that nobody has looked at since."""


ZEROS = Zeros()


class Tensor(Value):
    """An array with a place in the autograd graph.

    producer: what it came from, or None for a leaf; gradients are accumulated in leaves that want
    them. Its array is never written: in-place operators give the tensor, and those that share its
    memory, another one.
    """

    is_parameter = False
    persistable = False
    stop_gradient = True
    producer: Any = None
    # What most tensors never have stands in the class: making one is cheap.
    _grad: Tensor | Zeros | None = None
    _grad_dtype: DType | None = None  # of the gradient of a leaf, where not that of its own
    _hooks: dict[int, Callable] | None = None
    _name: str | None = None
    _views: Any = None  # a weak reference to the family of its views, see eager/sharing.py
    _version = 0  # how often it was changed in place
    _shown: Any = None  # as a view: its family, and the steps from the root to it
    _lying: Any = None  # where one process was told that it lies: a mesh, and placements

    def __init__(self, data: Data, stop_gradient: bool = True, producer: Any = None):
        self._data: Any = data
        self.stop_gradient = stop_gradient
        self.producer = producer

    @property
    def spec(self) -> Spec:
        """Shape and dtype."""
        data = self._data
        return SPECS[data.shape, data.dtype]

    @property
    def dtype(self) -> DType:
        """Element type."""
        return BY_NUMPY[self._data.dtype]

    @property
    def shape(self) -> list[int]:
        """Sizes of the dimensions."""
        return list(self._data.shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._data.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._data.size

    @property
    def name(self) -> str:
        """A name, made on first use."""
        if self._name is None:
            self._name = names.fresh("generated_tensor_")
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = name

    def rename(self, name: str) -> None:
        """Take `name`."""
        self._name = name

    @property
    def place(self) -> Place:
        """The device that holds the data."""
        return place_at(device_of(self._data))

    @property
    def process_mesh(self) -> Any:
        """The mesh of processes on which it lies, or None."""
        return getattr(self._data, "process_mesh", None) or (self._lying or (None,))[0]

    @property
    def placements(self) -> Any:
        """How it lies along each dimension of that mesh, or None."""
        found = getattr(self._data, "placements", None)
        return (self._lying or (None, None))[1] if found is None else found

    @property
    def is_leaf(self) -> bool:
        """True for what no recorded operator made."""
        return self.producer is None

    @property
    def grad_fn(self) -> Any:
        """The call that made it, with `name()` and `next_functions`; None for a leaf."""
        return getattr(self.producer, "node", self.producer)

    def gradient(self) -> np.ndarray | tuple[np.ndarray, np.ndarray] | None:
        """The accumulated gradient as an ndarray, or None; of SelectedRows vectors, and rows."""
        grad = self.grad
        if grad is None or not grad.is_selected_rows():
            return None if grad is None else grad.numpy()
        return grad.numpy(), np.array(grad.rows())

    def numpy(self, blocking: bool = True) -> np.ndarray:
        """The data as an ndarray of its own. blocking: as in Paddle, to wait for a device."""
        data = self._data
        array = to_host(data)
        return array.copy() if array is data else array

    def item(self, *index: int) -> Any:
        """One element as a Python number: the only one, or that at `index` (flat, or per axis)."""
        if not index and self._data.size != 1:
            raise ArgumentError(
                f"item() wants one element, the tensor has {self._data.size}",
                cure="give an index: x.item(0)",
            )
        try:
            return to_host(self._data).item(*index)
        except (IndexError, TypeError, ValueError):
            raise AxisError(
                f"item() wants an index into a tensor of shape {self.shape}, "
                f"received {', '.join(map(repr, index))}"
            ) from None

    def tolist(self) -> Any:
        """The data as nested lists."""
        return to_host(self._data).tolist()

    def detach(self) -> Tensor:
        """The same data, outside the autograd graph."""
        if not current().runs:  # a Program reads it anew at each run
            found: Tensor = super().detach()  # type: ignore[misc]  # a late method of Value
            return found
        return eager().share(self, Tensor(self._data), ALL_OF_IT, apart=True)

    def pin_memory(self) -> Tensor:
        """The tensor in pinned memory: itself on a CPU."""
        return self

    def contiguous(self) -> Tensor:
        """The tensor: values have no strides."""
        return self

    def is_contiguous(self) -> bool:
        """True: values have no strides."""
        return True

    def element_size(self) -> int:
        """Bytes of one element."""
        return self._data.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._data.nbytes

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> HookHandle:
        """Call `hook(gradient)` when this tensor's gradient is known.

        What it returns, unless None, replaces the gradient. Returns a handle with `remove()`.
        Raises GradientError on a tensor with stop_gradient.
        """
        if self.stop_gradient:
            raise GradientError(
                "a hook on a tensor with stop_gradient=True is never called",
                cure="set stop_gradient=False",
            )
        if not callable(hook):
            raise TypeMismatchError(
                f"expected a function as hook, received {hook!r}",
                cure="pass a function of the gradient",
            )
        current().python_effect("register_hook")
        hooks = self.producer.hooks_of(self) if self.producer is not None else self._own_hooks()
        return HookHandle(hooks, hook)

    def retain_grads(self) -> None:
        """Keep the gradient of this intermediate tensor in `.grad` too."""
        if self.producer is not None and not self.stop_gradient:
            self.producer.retain(self)

    def set_value(self, value: Any) -> None:
        """Replace the data. Raises ArgumentError where the shape differs; the dtype stays."""
        if current().traces:
            super().set_value(value)
            return
        array = np.asarray(to_host(value._data) if isinstance(value, Tensor) else value)
        self._check_shape(list(array.shape))
        try:
            array = array.astype(self.dtype.numpy, copy=True)
        except (TypeError, ValueError):
            raise TypeMismatchError(
                f"set_value: expected numbers, received {type(value).__name__} of {array.dtype}",
                cure="pass numbers, nested lists of numbers, or an ndarray",
            ) from None
        held = self.__dict__.get("_data")  # a lazy parameter has none yet
        device = current().policy.device if held is None else device_of(held)
        self.take_data(moved(array, device))

    def take_data(self, data: Data) -> None:
        """Have `data` from now on, and all that share the memory with it."""
        if self._views is None and self._shown is None:
            self._data = data
        else:
            eager(UNRECORDED).rebind(self, Tensor(data))

    def get_tensor(self) -> Tensor:
        """The tensor (Paddle's inner one)."""
        return self

    value = get_tensor

    @property
    def gradient_spec(self) -> Spec:
        """The shape of the tensor, and the dtype that backward() gives its gradient as a leaf."""
        return self.spec if self._grad_dtype is None else Spec(self.spec.shape, self._grad_dtype)

    def _traits(self) -> dict[str, Any]:
        """What a copy takes over besides the data: name, persistable, and what users attached."""
        left = (
            "_data",
            "stop_gradient",
            "producer",
            "_grad",
            "_hooks",
            "_views",
            "_shown",
            "_version",
        )
        return {k: v for k, v in self.__dict__.items() if k not in left}

    def _own_hooks(self) -> dict[int, Callable]:
        if self._hooks is None:
            self._hooks = {}
        return self._hooks

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = to_host(self._data)
        if dtype is not None and np.dtype(dtype) != array.dtype:
            return array.astype(dtype)
        return array.copy() if array is self._data and (copy or copy is None) else array

    def __dlpack__(self, **kwargs: Any) -> Any:
        if self._data.dtype.kind == "V" or self.dtype.is_stored:
            raise DTypeError(
                f"NumPy cannot hand over {self.dtype.name} by DLPack",
                cure='use x.astype("float32")',
            )
        return self.numpy().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return to_host(self._data).__dlpack_device__()

    def __reduce__(self) -> tuple:
        return _rebuild, (type(self), to_host(self._data), self.stop_gradient, self._traits())

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's functions take tensors as arrays, and give arrays."""
        return function(*map_leaves(_as_array, args), **map_leaves(_as_array, kwargs))

    def __copy__(self) -> Tensor:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict) -> Tensor:
        traits = copy.deepcopy(self._traits(), memo)
        new = _rebuild(type(self), self._data, self.stop_gradient, traits)
        if self._name is not None:
            new._name = names.fresh(self._name + "_deepcopy_")
        memo[id(self)] = new
        return new

    def __bool__(self) -> bool:
        if self._data.size != 1:
            raise ArgumentError(
                f"the truth of a tensor with {self._data.size} elements is not decided",
                cure="use .any() or .all()",
            )
        number = to_host(self._data)
        return bool(number if number.dtype.kind == "b" else number > 0)

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if not self.dtype.is_integer and self.dtype != "bool":
            raise DTypeError(
                f"an index must be an integer, the tensor is {self.spec}",
                cure="convert it: x.astype('int64')",
            )
        return int(self.item())

    def __format__(self, how: str) -> str:
        if self._data.ndim and not how:
            return str(self)
        if marked := mark(self, f":{how}"):
            return marked
        if self._data.size != 1:
            raise TypeMismatchError(
                f"the format {how!r} is for one number, the tensor has shape {self.shape}",
                cure="format its elements, or str(x)",
            )
        return format(self.item(), how)

    def __iter__(self) -> Iterator[Tensor]:
        if not self._data.ndim:
            raise TypeMismatchError(
                f"iteration over a tensor without dimensions, {self.spec}", cure="use item()"
            )
        count = self._data.shape[0]
        if 1 < count <= UNPACKED:  # `q, k, v = x`
            return iter(op_named("unbind").function(self, 0))
        return (self[i] for i in range(count))

    def __repr__(self) -> str:
        return mark(self, "" if self.stop_gradient else "!") or format_tensor(self, "Tensor")

    __str__ = __repr__


class Parameter(Tensor):
    """A leaf tensor that optimizers train (Paddle's EagerParamBase)."""

    is_parameter = True

    def __init__(self, data: np.ndarray, stop_gradient: bool = False, name: str | None = None):
        super().__init__(data, stop_gradient)
        self.persistable = True
        self._name = name or names.fresh("param_")

    @property
    def trainable(self) -> bool:
        """True where optimizers change it; the opposite of stop_gradient."""
        return not self.stop_gradient

    @trainable.setter
    def trainable(self, trainable: bool) -> None:
        self.stop_gradient = not trainable

    def initialize(self) -> None:
        """Make the data of a parameter that was made under LazyGuard; others have theirs."""

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()

    __str__ = __repr__


Parameter.__qualname__ = "Parameter"


class HookHandle:
    """What `register_hook` returns."""

    _keys = itertools.count()  # one that was removed is never given again

    def __init__(self, hooks: dict[int, Callable], hook: Callable):
        self._hooks, self._key = hooks, next(self._keys)
        hooks[self._key] = hook

    def remove(self) -> bool:
        """Forget the hook; False if it was gone already."""
        return self._hooks.pop(self._key, None) is not None


def _rebuild(kind: type[Tensor], data: Data, stop_gradient: bool, traits: dict[str, Any]) -> Any:
    new = kind.__new__(kind)
    Tensor.__init__(new, data if isinstance(data, Buffer) else data.copy(), stop_gradient)
    new.__dict__.update(traits)
    return new


class _Specs(dict[tuple[tuple[int, ...], np.dtype], Spec]):
    """The Spec of each shape and dtype: the same object for the same pair."""

    KEPT = 4096  # shapes in use at a time are few; a program that makes up new ones starts over

    def __missing__(self, key: tuple[tuple[int, ...], np.dtype]) -> Spec:
        if len(self) >= self.KEPT:
            self.clear()
        shape, dtype = key
        found = self[key] = Spec(shape, BY_NUMPY[dtype])
        return found


SPECS = _Specs()


def to_array(data: Any, dtype: Any = None) -> np.ndarray:
    """`data` (number, nested sequence, ndarray, Tensor) as an array of a type that tensors have.

    Python floats become the default dtype, NumPy arrays keep theirs. Raises TypeMismatchError,
    DTypeError, ArgumentError.
    """
    try:
        return _to_array(data, dtype)
    except MemoryError as error:
        raise no_memory_for(None, getattr(error, "_total_size", 0)) from None


def _to_array(data: Any, dtype: Any) -> np.ndarray:
    wanted = None if dtype is None else dtype_of(dtype)
    if isinstance(data, Tensor):
        data = to_host(data._data)
    is_array = isinstance(data, (np.ndarray, np.generic))
    array = np.asarray(data) if is_array else _from_python(data, dtype is None)
    if array.dtype == BITS:
        array = array.view(bfloat16.numpy)
    if array.dtype not in NUMPY_TYPES:
        raise DTypeError(
            f"expected numbers or truth values, received elements of type {array.dtype}",
            cure="convert them first",
        )
    if dtype_of(array.dtype) is not wanted and wanted is not None:
        return converted(array, wanted) if wanted.is_stored else array.astype(wanted.numpy)
    return array.copy() if array is data or array.base is not None else array


def _from_python(data: Any, weakly: bool) -> np.ndarray:
    """The array; weakly: of the type that Python's own numbers become."""
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise ArgumentError(
            f"expected nested lists of equal lengths: {error}", cure="pad the rows to one length"
        ) from None
    if array.dtype.kind not in "biufcV":
        leaves = flatten(data)[0] if _is_list(data) else [data]
        kinds = {type(x).__name__ for x in leaves}
        if kinds == {"int"}:
            raise ArgumentError("expected integers that fit int64, received larger ones")
        raise TypeMismatchError(
            f"expected numbers, received {', '.join(sorted(kinds))}",
            cure="give a number, a nested list of numbers, an ndarray or a Tensor",
        )
    strong = not weakly or (_is_list(data) and any(isinstance(x, Tensor) for x in data))
    return array if strong else array.astype(_weak_type(array.dtype), copy=False)


def _is_list(x: Any) -> bool:
    return isinstance(x, (list, tuple))


def _as_array(x: Any) -> Any:
    return x.numpy() if isinstance(x, Tensor) else x


def _weak_type(found: np.dtype) -> np.dtype:
    """What lists of numbers become: floats the default type, integers of 32 bits 64."""
    if found.kind == "f":
        return default_dtype().numpy
    if found.kind == "c":
        return np.dtype(np.complex128 if default_dtype() == "float64" else np.complex64)
    return np.dtype(np.int64) if found == np.int32 else found


@told
def to_tensor(
    data: Any, dtype: Any = None, place: Any = None, stop_gradient: bool = True
) -> Tensor:
    """A tensor holding a copy of `data`: a number, nested lists, an ndarray or a Tensor.

    Python floats become the default dtype (float32), Python ints int64, arrays keep their dtype
    unless `dtype` is given. place: the device to hold it, a Place or text; None for the chosen one.
    Under a static graph the result is a constant of the Program. Raises TypeMismatchError for what
    is not numeric, ArgumentError for ragged lists and a device that there is not.

    >>> twinoar.to_tensor([1.0, 2.0])
    Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=True,
           [1., 2.])
    """
    interpreter = current()
    device = new_device(interpreter, place)
    if not interpreter.runs:
        if _holds_values(data):
            found = _symbolic(data, _dtype_of_list(data) if dtype is None else dtype)
        else:
            found = interpreter.lift(to_array(data, dtype))
        return found if stop_gradient else _wanting(found)
    return Tensor(moved(to_array(data, dtype), device), stop_gradient)


def _wanting(x: Any) -> Any:
    """A symbol that wants a gradient, with the elements of x."""
    leaf = recording(False).apply(op_named("identity"), (x,), {})
    leaf.stop_gradient = not x.dtype.is_differentiable
    return leaf


def _holds_values(x: Any) -> bool:
    """True for a tensor or symbol, and a list with one in it."""
    return any(map(_holds_values, x)) if _is_list(x) else isinstance(x, (Value, SymbolicDim))


def _dtype_of_list(data: Any) -> DType | None:
    """What NumPy makes of a list with tensors in it, as eager mode does; None for other data."""
    if not _is_list(data) or not any(_is_tensor(x) for x in data):
        return None
    leaves = flatten(data)[0]
    kinds = [x.dtype.numpy if isinstance(x, Value) else _kind(x) for x in leaves]
    return BY_NUMPY[np.result_type(*kinds)]


def _is_tensor(x: Any) -> bool:
    return isinstance(x, Value) and not getattr(x, "weak", False)


def _kind(x: Any) -> np.dtype:
    return np.dtype(np.int64) if isinstance(x, SymbolicDim) else np.asarray(x).dtype


def _symbolic(data: Any, dtype: Any) -> Any:
    """Tensors, symbols, and lists of them and of numbers, as one symbol."""
    if _is_list(data):
        return op_named("stack").function([_symbolic(x, dtype) for x in data], 0)
    if isinstance(data, SymbolicDim):
        return op_named("fill").function((), data, dtype or "int64")
    if not isinstance(data, Value):
        return current().lift(to_array(data, dtype))
    if dtype is None:
        weak = getattr(data, "weak", False) and data.dtype.is_floating
        dtype = default_dtype() if weak else data.dtype
    detached = recording(False)
    name = "identity" if data.dtype == dtype else "cast"
    attrs = {} if name == "identity" else {"dtype": dtype_of(dtype)}
    return detached.apply(op_named(name), (data,), attrs)
